use super::*;

mod operations;

const CONFIG: TxMsgConfig = TxMsgConfig {
    connections: 2,
    streams: 4,
    slots: 16,
    slice_log2: 10,
    paths: 4,
    operations: Operations::WRITE_ONLY,
};

fn write(conn: u16, stream: u8, wr_id: u64, length: u32) -> WorkRequest {
    let (opcode, fence) = (Opcode::Write.code(), false);
    WorkRequest {
        wr_id,
        opcode,
        fence,
        conn,
        stream,
        local: 0x1000,
        remote: 0x2000,
        rkey: 7,
        length,
        ..WorkRequest::default()
    }
}

fn set_up() -> TxMsg {
    let mut msg = TxMsg::new(CONFIG);
    assert!((0..2).all(|conn| msg.set_valid(conn, true)) && !msg.set_valid(2, true));
    msg
}

#[test]
fn an_empty_message_is_one_slice_and_completes() {
    let mut msg = set_up();
    assert_eq!(msg.submit(write(0, 1, 9, 0)), Submitted::Queued { wakes: true });
    let slice = msg.slice(0).unwrap();
    assert_eq!((slice.stream, slice.index, slice.tail, slice.more), (1, 0, true, false));
    assert_eq!(msg.slice(0), None);
    let completions = msg.done(0, 1, Msn::new(1)).unwrap();
    let completion = completions[0];
    assert_eq!((completions.len(), completion.wr_id, completion.byte_len), (1, 9, 0));
    assert_eq!((completion.status, completion.msn), (Status::Success, Msn::new(0)));
}

#[test]
fn slice_boundaries_count_one_packet_per_started_slice() {
    let msg = TxMsg::new(CONFIG);
    let want = [(0, 1), (1, 1), (1023, 1), (1024, 1), (1025, 2), (4096, 4), (u32::MAX, 1 << 22)];
    for (length, slices) in want {
        assert_eq!(msg.slices(length), slices, "{length} bytes");
    }
}

#[test]
fn streams_share_packet_by_packet_and_tails_ask_for_an_ack() {
    let mut msg = set_up();
    msg.submit(write(0, 0, 1, 4 * 1024));
    msg.submit(write(0, 2, 2, 2 * 1024));
    let order: Vec<_> =
        std::iter::from_fn(|| msg.slice(0)).map(|s| (s.stream, s.index, s.tail, s.more)).collect();
    let want = [
        (0, 0, false, true),
        (2, 0, false, true),
        (0, 1, true, true),
        (2, 1, true, true),
        (0, 2, true, true),
        (0, 3, true, false),
    ];
    assert_eq!(order, want);
}

#[test]
fn a_full_stream_takes_no_more_and_another_stream_does() {
    let mut msg = set_up();
    for n in 0..16 {
        assert!(msg.accepts(&write(1, 3, n, 8)));
        msg.submit(write(1, 3, n, 8));
    }
    assert!(!msg.accepts(&write(1, 3, 16, 8)) && msg.accepts(&write(1, 2, 16, 8)));
    while msg.slice(1).is_some() {}
    assert_eq!(msg.done(1, 3, Msn::new(5)).unwrap().len(), 5);
    assert!(msg.accepts(&write(1, 3, 16, 8)));
}

#[test]
fn done_beyond_what_was_sent_is_refused_and_behind_is_nothing() {
    let mut msg = set_up();
    msg.submit(write(0, 0, 1, 8));
    msg.submit(write(0, 0, 2, 8));
    msg.slice(0);
    assert_eq!(msg.done(0, 0, Msn::new(2)), None);
    assert_eq!(msg.done(0, 0, Msn::new(1)).unwrap().len(), 1);
    assert_eq!(msg.done(0, 0, Msn::new(0)).unwrap().len(), 0);
    assert_eq!(msg.done(0, 4, Msn::new(0)), None);
}

#[test]
fn rows_are_live_until_done_and_messages_wrap_at_2_to_the_24() {
    let mut msg = set_up();
    let mut done = 0u32;
    for n in 0..(1u32 << 24) + 40 {
        msg.submit(write(0, 0, u64::from(n), 8));
        let slice = msg.slice(0).unwrap();
        assert_eq!(slice.msn, Msn::new(n));
        if n % 16 == 15 {
            let (row, live) = msg.look_up(0, 0, Msn::new(n)).unwrap();
            assert!(live && row.request.wr_id == u64::from(n));
            done += msg.done(0, 0, Msn::new(n + 1)).unwrap().len() as u32;
            assert!(!msg.look_up(0, 0, Msn::new(n)).unwrap().1);
        }
    }
    assert_eq!(done, (1 << 24) + 32);
}

#[test]
fn requests_that_are_not_built_are_refused_with_an_error_completion() {
    let mut msg = set_up();
    let bad = [write(2, 0, 5, 8), write(0, 4, 5, 8), WorkRequest { opcode: 99, ..write(0, 0, 5, 8) }];
    for request in bad {
        assert!(msg.accepts(&request));
        let Submitted::Refused(completion) = msg.submit(request) else { panic!("{request:?} was taken") };
        assert_eq!(
            (completion.status, completion.wr_id, completion.byte_len),
            (Status::InvalidRequest, 5, 0)
        );
    }
    assert_eq!(msg.slice(0), None);
}

#[test]
fn a_connection_taken_down_refuses_even_when_its_stream_is_full_and_finishes_what_it_has() {
    let mut msg = set_up();
    (0..16).for_each(|n| assert!(matches!(msg.submit(write(1, 0, n, 8)), Submitted::Queued { .. })));
    assert!(!msg.accepts(&write(1, 0, 16, 8)) && msg.set_valid(1, false));
    assert!(msg.accepts(&write(1, 0, 16, 8)));
    assert!(matches!(msg.submit(write(1, 0, 16, 8)), Submitted::Refused(_)));
    while msg.slice(1).is_some() {}
    let completions = msg.done(1, 0, Msn::new(16)).unwrap();
    assert_eq!((completions.len(), completions[15].wr_id, completions[15].msn), (16, 15, Msn::new(15)));
}

#[test]
fn a_fence_waits_for_what_is_before_it_in_its_stream() {
    let mut msg = set_up();
    let fenced = WorkRequest { fence: true, ..write(0, 0, 2, 8) };
    assert!(msg.accepts(&fenced));
    msg.submit(write(0, 0, 1, 8));
    msg.submit(write(0, 1, 1, 8));
    assert!(!msg.accepts(&fenced) && msg.accepts(&write(0, 0, 3, 8)));
    let (head, done) = (Msn::new(1), Msn::new(0));
    assert_eq!(msg.marks(0, 0), Some(Marks { head, cur: done, done, completed: done }));
    while msg.slice(0).is_some() {}
    msg.done(0, 0, Msn::new(1));
    assert!(msg.accepts(&fenced));
}

#[test]
fn a_message_whose_slices_cannot_be_numbered_is_refused() {
    let mut msg = TxMsg::new(TxMsgConfig { slice_log2: 8, ..CONFIG });
    msg.set_valid(0, true);
    let refused =
        |msg: &mut TxMsg, length| matches!(msg.submit(write(0, 0, 1, length)), Submitted::Refused(_));
    assert!(!refused(&mut msg, 1 << 30) && refused(&mut msg, (1 << 30) + 1) && refused(&mut msg, u32::MAX));
}
