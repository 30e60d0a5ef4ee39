//! What a connection has queued, messages and answers together: when it starts, behind each slice, and when a timer expires.

use super::anew::{new_core, open};
use crate::core::Core;
use crate::tx::msg::{Slice, WorkRequest};
use crate::tx::respond::Request;
use crate::tx::rto::Expiry;
use heddle_wire::{Hint, Msn, Opcode, Psn, Seq16, Time32};

/// Of the core that is opened here.
const SLICE: u32 = 1024;

fn opened() -> Core {
    let mut core = new_core();
    open(&mut core, 0, 1, Psn::new(0), Time32::new(0));
    core
}

/// Two packets at once: the pacer is closed until the first has had its time.
// REQ-PACE-2, REQ-TX-16
#[test]
fn a_resend_of_a_timer_waits_for_the_pacer_and_a_probe_in_its_place_does_not() {
    for (more, waits) in [(true, false), (false, true)] {
        let mut core = opened();
        core.timers.set_now(Time32::new(1_000));
        let clock = core.timers.clock() * 512_000;
        let row = &mut core.congestion.as_mut().expect("it is on").rows[0];
        assert!(row.on_hint(Hint::encode(5_225), Seq16::new(1), clock));
        row.on_sent(4_214, clock, 0);
        row.on_sent(4_214, clock, 0);
        core.sched.served(Slice { more, left: u16::MAX, ..Slice::default() });
        assert_eq!(core.defers_expiry(2, Expiry::Resend), waits, "more: {more}");
        assert!(!core.defers_expiry(2, Expiry::Dead) && !core.defers_expiry(2, Expiry::Probe));
    }
}

/// An answer of four slices is queued.
fn queue_answer(core: &mut Core) {
    let read = Request {
        stream: 0,
        msn: Msn::new(0),
        opcode: Opcode::ReadReq,
        address: 0,
        length: 4 * SLICE,
        key: 0,
        domain: 3,
        operand: 0,
        compare: 0,
    };
    core.respond.take(0, Seq16::new(0), read);
    core.respond.executed(0, Seq16::new(0), 0);
}

// REQ-TX-16
#[test]
fn what_is_left_behind_a_slice_counts_messages_and_answers() {
    let mut core = opened();
    queue_answer(&mut core);
    core.submit(WorkRequest { opcode: Opcode::Write.code(), length: 3 * SLICE, ..WorkRequest::default() });
    let left = std::iter::from_fn(|| core.cut(0)).map(|slice| (slice.answer.is_some(), slice.left));
    let left: Vec<_> = left.collect();
    assert_eq!(left.iter().map(|(_, left)| *left).collect::<Vec<_>>(), [6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(left.iter().filter(|(answer, _)| *answer).count(), 4);
}

// REQ-PACE-4
#[test]
fn a_start_counts_answers() {
    let mut core = opened();
    queue_answer(&mut core);
    core.wake(0);
    assert_eq!(core.congestion.as_ref().expect("it is on").starts, [(0, 4)]);
}
