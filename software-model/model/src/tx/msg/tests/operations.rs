//! Credit, places at the responder, answers, fences that wait in their stream.

use super::*;
use std::collections::VecDeque;

const ALL: TxMsgConfig = TxMsgConfig { operations: Operations::ALL, ..CONFIG };

fn all() -> TxMsg {
    let mut msg = TxMsg::new(ALL);
    assert!(msg.set_valid(0, true) && msg.set_valid(1, true));
    msg
}

fn request(opcode: Opcode, stream: u8, wr_id: u64, length: u32) -> WorkRequest {
    WorkRequest { opcode: opcode.code(), ..write(0, stream, wr_id, length) }
}

fn submit(msg: &mut TxMsg, request: WorkRequest) -> bool {
    match msg.submit(request) {
        Submitted::Queued { wakes } => wakes,
        Submitted::Refused(completion) => panic!("{completion:?}"),
    }
}

fn streams(msg: &mut TxMsg) -> Vec<u8> {
    std::iter::from_fn(|| msg.slice(0)).map(|slice| slice.stream).collect()
}

fn ids(completions: Option<VecDeque<Completion>>) -> Vec<u64> {
    completions.expect("a report that can be").iter().map(|completion| completion.wr_id).collect()
}

// REQ-MSG-2
#[test]
fn a_stream_without_credit_is_held_and_others_go_on() {
    let mut msg = all();
    assert!(!submit(&mut msg, request(Opcode::Send, 0, 1, 2000)), "nothing that can be cut");
    assert!(msg.waits(0) && !msg.can_cut(0));
    assert_eq!(msg.question(0), Some(0));
    assert!(submit(&mut msg, request(Opcode::Write, 1, 2, 10)));
    assert!(!submit(&mut msg, request(Opcode::WriteImm, 1, 3, 10)));
    assert_eq!(streams(&mut msg), [1]);
    msg.credit(0, Seq16::new(1));
    assert_eq!(streams(&mut msg), [0, 0], "the one receive is used for the whole message");
    assert!(msg.waits(0), "stream 1 waits");
    msg.credit(0, Seq16::new(2));
    msg.credit(0, Seq16::new(1));
    assert!(msg.can_cut(0), "old news takes nothing back");
    assert_eq!(streams(&mut msg), [1]);
    let index = |stream, msn| msg.look_up(0, stream, Msn::new(msn)).unwrap().0.rq_index;
    assert_eq!((index(0, 0), index(1, 1)), (Seq16::new(0), Seq16::new(1)));
}

// REQ-MSG-1
#[test]
fn streams_that_wait_are_asked_about_in_turn() {
    let mut msg = all();
    for stream in [0, 2, 3] {
        submit(&mut msg, request(Opcode::Send, stream, 1, 10));
    }
    assert_eq!([0; 4].map(|conn| msg.question(conn)), [0, 2, 3, 0].map(Some));
}

// REQ-MSG-2
#[test]
fn receives_are_numbered_across_the_wrap_of_their_counter() {
    let mut msg = TxMsg::with_credit(ALL, Msn::new(0), Seq16::new(0xFFFF));
    msg.set_valid(0, true);
    (0..3).for_each(|n| _ = submit(&mut msg, request(Opcode::SendImm, 0, n, 0)));
    assert_eq!(streams(&mut msg), [0; 0]);
    msg.credit(0, Seq16::new(1));
    assert_eq!(streams(&mut msg), [0, 0]);
    let index = |msn| msg.look_up(0, 0, Msn::new(msn)).unwrap().0.rq_index.get();
    assert_eq!([index(0), index(1)], [0xFFFF, 0]);
    assert!(msg.waits(0));
}

// REQ-MSG-3
#[test]
fn the_seventeenth_read_waits_for_a_place_and_holds_nothing_else_back() {
    let mut msg = all();
    (0..20).for_each(|n| _ = submit(&mut msg, request(Opcode::ReadReq, (n % 4) as u8, n, 5000)));
    assert_eq!(streams(&mut msg).len(), 16);
    assert!(
        submit(&mut msg, request(Opcode::Write, 0, 100, 8)) || msg.marks(0, 0).unwrap().cur == Msn::new(4)
    );
    // Stream 0's WRITE stands behind its fifth READ; another stream's goes on.
    assert_eq!(streams(&mut msg), [0; 0]);
    // The answer of stream 2's second request frees its place, out of order.
    let place = msg.look_up(0, 2, Msn::new(1)).unwrap().0.rq_index;
    assert_eq!(msg.answer_placed(0, 2, Msn::new(1), 5000), Answered::Complete);
    assert_eq!(streams(&mut msg), [0, 0], "a READ, and the WRITE behind it");
    assert_eq!(msg.look_up(0, 0, Msn::new(4)).unwrap().0.rq_index, place, "the same place");
}

// REQ-OP-7, REQ-OP-8, REQ-OP-9, REQ-MSG-4
#[test]
fn a_read_is_complete_when_its_answer_is_placed_and_what_is_before_it_is_complete() {
    let mut msg = all();
    for (n, opcode) in [Opcode::ReadReq, Opcode::Write, Opcode::FetchAdd, Opcode::Write].iter().enumerate() {
        let length = if *opcode == Opcode::ReadReq { 2500 } else { 8 };
        submit(&mut msg, request(*opcode, 0, n as u64, length));
    }
    assert_eq!(msg.sink(0, 0, Msn::new(0)), None, "not sent yet");
    assert_eq!(streams(&mut msg).len(), 4, "each is one packet");
    assert_eq!(msg.sink(0, 0, Msn::new(1)), None, "a WRITE has no answer");
    let sink = msg.sink(0, 0, Msn::new(0)).unwrap();
    assert_eq!((sink.request, sink.address, sink.length), (Opcode::ReadReq, 0x1000, 2500));
    // The atomic's answer comes first: it and all before it are done at the peer, but the READ is not answered.
    assert_eq!(msg.answer_placed(0, 0, Msn::new(2), 8), Answered::Complete);
    assert_eq!(ids(msg.done(0, 0, Msn::new(3))), [0; 0]);
    assert_eq!(msg.unfinished(0), 4);
    assert!(!msg.look_up(0, 0, Msn::new(0)).unwrap().1, "done: a resend of the request is a PROBE");
    assert!(!msg.has_report(0));
    assert_eq!(msg.answer_placed(0, 0, Msn::new(0), 1024), Answered::Partial);
    assert_eq!(msg.answer_placed(0, 0, Msn::new(0), 1477), Answered::Excess);
    assert_eq!(msg.answer_placed(0, 0, Msn::new(0), 1476), Answered::Complete);
    assert_eq!(msg.answer_placed(0, 0, Msn::new(0), 0), Answered::Excess, "nothing lands after it");
    assert_eq!(ids(msg.done(0, 0, Msn::new(1))), [0, 1, 2], "old news of done, and all that is complete");
    // Every request before message 3 is answered.
    assert_eq!((msg.report(0), msg.report(0)), (Some((0, Msn::new(3))), None));
    assert_eq!(ids(msg.done(0, 0, Msn::new(4))), [3]);
    assert!(!msg.has_report(0) && !msg.waits(0));
}

// REQ-MSG-1
#[test]
fn a_row_is_kept_until_its_message_is_complete() {
    let mut msg = all();
    submit(&mut msg, request(Opcode::ReadReq, 1, 0, 10));
    (1..16).for_each(|n| _ = submit(&mut msg, request(Opcode::Write, 1, n, 8)));
    assert_eq!(streams(&mut msg).len(), 16);
    assert_eq!(ids(msg.done(0, 1, Msn::new(16))), [0; 0]);
    assert!(!msg.accepts(&request(Opcode::Write, 1, 16, 8)), "16 rows are in use");
    // All is done, and the peer may be gone before it answers.
    assert!(msg.waits(0) && msg.question(0) == Some(1));
    msg.answer_placed(0, 1, Msn::new(0), 10);
    assert_eq!(ids(msg.done(0, 1, Msn::new(1))).len(), 16);
    assert!(msg.accepts(&request(Opcode::Write, 1, 16, 8)));
}

// REQ-OP-10
#[test]
fn a_fenced_message_is_taken_and_cut_when_all_before_it_is_complete() {
    let mut msg = all();
    submit(&mut msg, request(Opcode::ReadReq, 0, 0, 8));
    let fenced = WorkRequest { fence: true, ..request(Opcode::Write, 0, 1, 8) };
    assert!(msg.accepts(&fenced));
    submit(&mut msg, fenced);
    submit(&mut msg, request(Opcode::Write, 0, 2, 8));
    assert_eq!(streams(&mut msg), [0]);
    msg.done(0, 0, Msn::new(1));
    assert!(!msg.can_cut(0), "done is not complete");
    msg.answer_placed(0, 0, Msn::new(0), 8);
    assert_eq!(ids(msg.done(0, 0, Msn::new(1))), [0]);
    assert_eq!(streams(&mut msg), [0, 0]);
}

#[test]
fn answers_have_their_turn_behind_the_last_stream() {
    let mut msg = all();
    submit(&mut msg, request(Opcode::Write, 0, 0, 2048));
    submit(&mut msg, request(Opcode::Write, 3, 1, 2048));
    let turns: Vec<Option<u8>> = std::iter::from_fn(|| msg.cut(0, true))
        .map(|cut| match cut {
            Cut::Slice(slice) => Some(slice.stream),
            Cut::Answer => None,
        })
        .take(8)
        .collect();
    assert_eq!(turns, [None, Some(0), Some(3), None, Some(0), Some(3), None, None]);
}

#[test]
fn atomics_have_eight_bytes_and_answers_are_no_requests() {
    let mut msg = all();
    let bad = [
        request(Opcode::FetchAdd, 0, 1, 7),
        request(Opcode::CmpSwap, 0, 1, 16),
        request(Opcode::ReadResp, 0, 1, 8),
        request(Opcode::AtomicResp, 0, 1, 8),
    ];
    for request in bad {
        assert!(matches!(msg.submit(request), Submitted::Refused(_)), "{request:?}");
    }
}

#[test]
fn a_flush_ends_what_is_not_complete_though_it_is_done() {
    let mut msg = all();
    submit(&mut msg, request(Opcode::ReadReq, 2, 7, 8));
    submit(&mut msg, request(Opcode::Send, 2, 8, 8));
    assert_eq!(streams(&mut msg), [2]);
    msg.done(0, 2, Msn::new(1));
    let ended = msg.flush(0, Status::RetryBudget, Some((2, Msn::new(1))));
    let outcomes: Vec<_> = ended.iter().map(|end| (end.wr_id, end.status, end.byte_len)).collect();
    assert_eq!(outcomes, [(7, Status::Flushed, 0), (8, Status::RetryBudget, 0)]);
    msg.set_valid(0, true);
    submit(&mut msg, request(Opcode::Send, 2, 9, 8));
    assert!(msg.waits(0) && msg.slice(0).is_none(), "credit and places are as new");
    assert_eq!(msg.marks(0, 2).unwrap().completed, Msn::new(0));
}
