use super::*;

const CONFIG: RxMsgConfig = RxMsgConfig { connections: 2, streams: 4, slots: 16 };

fn placed(stream: u8, msn: u32, message_len: u32, len: u16) -> Placed {
    Placed { conn: 1, stream, msn: Msn::new(msn), message_len, len, path: 2, ok: true, ..Placed::default() }
}

#[test]
fn a_message_is_complete_when_its_bytes_are_whatever_their_order() {
    let mut msg = RxMsg::new(CONFIG);
    assert_eq!(msg.on_placed(&placed(0, 0, 2500, 452)), Counted::Partial);
    assert_eq!(msg.on_placed(&placed(0, 0, 2500, 1024)), Counted::Partial);
    assert_eq!(msg.done(1, 0), Msn::new(0));
    assert_eq!(msg.on_placed(&placed(0, 0, 2500, 1024)), Counted::Complete);
    assert_eq!(msg.done(1, 0), Msn::new(1));
    assert_eq!(msg.done(0, 0), Msn::new(0));
}

#[test]
fn done_waits_for_the_earlier_message_and_then_passes_both() {
    let mut msg = RxMsg::new(CONFIG);
    assert_eq!(msg.on_placed(&placed(3, 1, 0, 0)), Counted::Complete);
    assert_eq!(msg.done(1, 3), Msn::new(0));
    assert_eq!(msg.on_placed(&placed(3, 0, 8, 8)), Counted::Complete);
    assert_eq!(msg.done(1, 3), Msn::new(2));
}

#[test]
fn slots_are_reused_lap_after_lap() {
    let mut msg = RxMsg::new(CONFIG);
    for lap in 0..5 {
        for n in (0..16).rev() {
            assert_eq!(msg.on_placed(&placed(2, lap * 16 + n, 4, 4)), Counted::Complete);
        }
        assert_eq!(msg.done(1, 2), Msn::new(lap * 16 + 16));
    }
}

#[test]
fn a_second_length_too_many_bytes_and_a_memory_error_do_not_count() {
    let mut msg = RxMsg::new(CONFIG);
    msg.on_placed(&placed(0, 0, 100, 60));
    assert_eq!(msg.on_placed(&placed(0, 0, 101, 40)), Counted::Error(RxMsgError::Length));
    assert_eq!(msg.on_placed(&placed(0, 0, 100, 41)), Counted::Error(RxMsgError::Length));
    let failed = Placed { ok: false, ..placed(0, 0, 100, 40) };
    assert_eq!(msg.on_placed(&failed), Counted::Error(RxMsgError::Memory));
    assert_eq!(msg.on_placed(&placed(0, 0, 100, 40)), Counted::Complete);
    msg.on_placed(&placed(0, 2, 0, 0));
    assert_eq!(msg.on_placed(&placed(0, 2, 0, 0)), Counted::Error(RxMsgError::Length));
}

/// A hostile peer sends a slice twice under two PSNs: the second copy is placed when the message is done.
#[test]
fn a_packet_of_a_message_that_is_done_fills_no_other_messages_slot() {
    let mut msg = RxMsg::new(CONFIG);
    assert_eq!(msg.on_placed(&placed(0, 0, 40, 40)), Counted::Complete);
    assert_eq!(msg.on_placed(&placed(0, 0, 40, 40)), Counted::Error(RxMsgError::Length));
    (1..16).for_each(|n| assert_eq!(msg.on_placed(&placed(0, n, 4, 4)), Counted::Complete));
    assert_eq!(msg.done(1, 0), Msn::new(16), "not 17: msn 16 never came");
    assert_eq!(msg.on_placed(&placed(0, 32, 4, 4)), Counted::Error(RxMsgError::Length));
    assert_eq!(msg.on_placed(&placed(0, 16, 4, 4)), Counted::Complete);
}

#[test]
fn every_stream_with_an_advance_is_reported_in_turn() {
    let mut msg = RxMsg::new(CONFIG);
    for stream in [0, 2, 3] {
        msg.on_placed(&placed(stream, 0, 0, 0));
    }
    assert_eq!(msg.report(1), (0, Msn::new(1), true));
    assert_eq!(msg.report(1), (2, Msn::new(1), true));
    assert_eq!(msg.report(1), (3, Msn::new(1), false));
    assert_eq!(msg.report(1), (3, Msn::new(1), false));
    assert_eq!(msg.report(0), (3, Msn::new(0), false));
    msg.ask(1, 2);
    msg.ask(1, 4);
    assert_eq!(msg.report(1), (2, Msn::new(1), false));
}

/// REQ-OP-1: what is behind an incomplete message waits for it.
#[test]
fn messages_are_passed_in_stream_order_with_what_they_were() {
    let mut msg = RxMsg::starting_at(CONFIG, Msn::new(0xFF_FFFF));
    let send = |msn| Placed { opcode: 3, rq_index: Seq16::new(msn as u16), imm: msn, ..placed(0, msn, 0, 0) };
    for msn in [1, 0] {
        assert_eq!(msg.count(&send(msn)), Counted::Complete);
        assert_eq!(msg.pass(1, 0), None);
    }
    assert_eq!(msg.count(&send(0xFF_FFFF)), Counted::Complete);
    let passed: Vec<_> = std::iter::from_fn(|| msg.pass(1, 0)).map(|p| (p.msn.get(), p.slot.imm)).collect();
    assert_eq!(passed, [(0xFF_FFFF, 0xFF_FFFF), (0, 0), (1, 1)]);
    assert_eq!(msg.done(1, 0), Msn::new(2));
}

#[test]
fn a_slot_is_seen_from_its_first_packet_until_it_is_passed() {
    let mut msg = RxMsg::new(CONFIG);
    let first = Placed { opcode: 2, rq_index: Seq16::new(8), imm: 7, ..placed(3, 1, 2000, 1024) };
    assert_eq!(msg.slot(1, 3, Msn::new(1)), None);
    msg.count(&first);
    let slot = msg.slot(1, 3, Msn::new(1)).expect("it is open");
    assert_eq!((slot.opcode, slot.rq_index, slot.imm, slot.message_len), (2, Seq16::new(8), 7, 2000));
    assert_eq!(msg.slot(1, 3, Msn::new(17)), None, "outside of the window");
    assert_eq!(msg.slot(1, 4, Msn::new(1)), None, "no such stream");
    assert_eq!(msg.slot(1, 2, Msn::new(1)), None, "another stream");
}

#[test]
fn a_reset_leaves_the_connection_as_new_and_others_alone() {
    let mut msg = RxMsg::starting_at(CONFIG, Msn::new(7));
    msg.on_placed(&placed(0, 7, 0, 0));
    msg.on_placed(&placed(1, 8, 10, 5));
    msg.on_placed(&Placed { conn: 0, ..placed(0, 7, 0, 0) });
    msg.reset(1);
    assert_eq!((msg.done(1, 0), msg.has_report(1)), (Msn::new(7), false));
    assert_eq!(msg.slot(1, 1, Msn::new(8)), None);
    assert_eq!((msg.done(0, 0), msg.has_report(0)), (Msn::new(8), true));
    assert_eq!(msg.report(1), (3, Msn::new(7), false));
}
