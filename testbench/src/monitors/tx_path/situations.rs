//! The situations that the rules of section 5 are about, counted as the model sees them: a run that
//! never led to one has not tested its rule.

use crate::lockstep::Check;
use heddle_model::map::RingMap;
use heddle_model::tx::path::{AckVerdict, TxOp, TxPathIn, TxPathOut, TxPathRow};
use heddle_wire::Psn;

/// What the histories must lead to.
pub const SITUATIONS: &[&str] = &[
    "ack good",
    "ack invalid",
    "ack stale",
    "resend",
    "nothing to resend",
    "expire",
    "nothing to expire",
    "voluntary",
    "voluntary timeout",
    "dead",
    "sent",
    "sent into a full window",
    "init",
    "losses found by evidence",
    "all resends lost again",
    "old resends lost again",
    "old takes over resent",
    "two rounds of resends",
    "selective acknowledgement",
    "many newly received",
    "expiry of an old resend",
    "voluntary timeout finds losses",
    "dead with gaps",
    "only the end of the ring lost",
    "end of the ring unreceived",
    "window full",
    "more than half lost",
    "window across the psn wrap",
    "echo across the clock wrap",
    "route wraps",
];

fn same_word(a: Psn, b: Psn) -> bool {
    a.ring_index() / 64 == b.ring_index() / 64
}

/// Counts the situations that the rules of section 5 are about, as the model sees them.
pub fn cover(before: &TxPathRow, after: &TxPathRow, op: &TxPathIn, out: &TxPathOut, check: &mut Check) {
    check.cover(match (op.op, out.ok, out.bad) {
        (TxOp::Ack, _, AckVerdict::Good) => "ack good",
        (TxOp::Ack, _, AckVerdict::Invalid) => "ack invalid",
        (TxOp::Ack, _, AckVerdict::Stale) => "ack stale",
        (TxOp::Resend, true, _) => "resend",
        (TxOp::Resend, false, _) => "nothing to resend",
        (TxOp::Expire, true, _) => "expire",
        (TxOp::Expire, false, _) => "nothing to expire",
        (TxOp::Voluntary, ..) => "voluntary",
        (TxOp::VoluntaryTimeout, ..) => "voluntary timeout",
        (TxOp::Dead, ..) => "dead",
        (TxOp::Sent, true, _) => "sent",
        (TxOp::Sent, false, _) => "sent into a full window",
        (TxOp::Init, ..) => "init",
    });
    let [_, lost, resent, old] = before.maps();
    let [acked_now, lost_now, resent_now, old_now] = after.maps();
    let mut when = |condition: bool, situation| {
        if condition {
            check.cover(situation);
        }
    };
    let open_now = RingMap::range(out.base, out.next.distance_from(out.base)) & !acked_now;
    let taken = resent & lost_now;
    let found = lost_now & !lost & !resent;
    let ack = op.op == TxOp::Ack && out.ok;
    when(ack && !found.is_empty(), "losses found by evidence");
    when(ack && !taken.is_empty() && resent_now.is_empty(), "all resends lost again");
    when(
        ack && !taken.is_empty() && !resent_now.is_empty() && taken == old & lost_now,
        "old resends lost again",
    );
    when(ack && !old_now.is_empty() && old_now == resent_now && old != old_now, "old takes over resent");
    when(ack && !old_now.is_empty() && old_now != resent_now, "two rounds of resends");
    when(ack && !(acked_now & !before.maps()[0]).is_empty(), "selective acknowledgement");
    when(ack && out.newly > 64, "many newly received");
    when(op.op == TxOp::Expire && !old.is_empty() && old != old_now && out.ok, "expiry of an old resend");
    when(op.op == TxOp::VoluntaryTimeout && lost != lost_now, "voluntary timeout finds losses");
    when(op.op == TxOp::Dead && !acked_now.is_empty() && !lost_now.is_empty(), "dead with gaps");
    // The engine visits the word of base first; its lanes below base are the end of the ring.
    let wrapped = |psn: Option<Psn>| {
        psn.is_some_and(|psn| psn.distance_from(out.base) > 192 && same_word(psn, out.base))
    };
    when(wrapped(lost_now.first_from(out.base)), "only the end of the ring lost");
    when(wrapped(open_now.last_from(out.base)), "end of the ring unreceived");
    when(out.next.distance_from(out.base) == 256, "window full");
    when(out.waiting > 128, "more than half lost");
    when(out.next.get() < out.base.get(), "window across the psn wrap");
    when(ack && op.now.get() < op.ts.get(), "echo across the clock wrap");
    when(matches!(op.op, TxOp::Voluntary | TxOp::Dead) && out.route == 0, "route wraps");
}
