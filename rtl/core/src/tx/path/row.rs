//! What one path keeps in block RAM, and what travels down the pipeline of [`TxPath`](super::TxPath).

use rust_hdl::prelude::*;

/// The numbers of a path (185 bits). Ticks are 8 ns and wrap; PSNs wrap at 2^24.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Scalars {
    /// Lowest PSN not acknowledged.
    pub base: Bits<24>,
    /// The next new PSN (`next`); `next - base` is at most 256.
    pub next_psn: Bits<24>,
    /// First PSN of the current route (`route_first`), in `[base, next]`.
    pub first: Bits<24>,
    /// Route counter, wraps at 2^8.
    pub route: Bits<8>,
    /// Tick of the last new packet.
    pub tn: Bits<32>,
    /// Tick of the last resend.
    pub t1: Bits<32>,
    /// Tick that closes `old`, the earlier round of resends.
    pub t0: Bits<32>,
    /// Packets of `[base, next)` not known received, 0 to 256.
    pub inflight: Bits<9>,
}

/// What the last visit found in the maps, so that the next one need not search (21 bits).
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Cache {
    /// Something is lost.
    pub lost_any: Bit,
    /// Ring index of the lowest lost PSN.
    pub lost_low: Bits<8>,
    /// Something of `[base, next)` is unreceived.
    pub open_any: Bit,
    /// Ring index of the highest unreceived PSN.
    pub open_high: Bits<8>,
    /// `old` equals `resent`; the `mixed` plane does not say so yet.
    pub sync: Bit,
    /// `resent` is not empty.
    pub resent_any: Bit,
    /// `old` as stored is not empty.
    pub old_any: Bit,
}

/// One word of the row memory.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Numbers.
    pub scalars: Scalars,
    /// Search results.
    pub cache: Cache,
}

/// Sixty-four slots of the three map planes. Per slot (acked, resent, mixed): 000 sent, 100 received, 001
/// lost, 010 resent, 011 resent and old. Lost and resent exclude each other, and old is a subset of
/// resent, so one plane can mean `lost` where `resent` is clear and `old` where it is set.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Planes {
    /// Received by the peer.
    pub acked: Bits<64>,
    /// Resent and not known received.
    pub resent: Bits<64>,
    /// `lost` where `resent` is 0, `old` where it is 1.
    pub mixed: Bits<64>,
}

/// An operation as it was handed in, without its path.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// 0 ACK, 1 RESEND, 2 EXPIRE, 3 VOLUNTARY, 4 VOLUNTARY_TIMEOUT, 5 DEAD, 6 SENT, 7 INIT.
    pub op: Bits<3>,
    /// ACK: lowest PSN not received. INIT: first PSN.
    pub cum: Bits<24>,
    /// ACK: highest PSN received.
    pub high: Bits<24>,
    /// ACK: echoed route.
    pub route: Bits<8>,
    /// ACK: echoed timestamp, ticks.
    pub ts: Bits<32>,
    /// Tick of this operation.
    pub now: Bits<32>,
}

/// What the comparisons of an ACK with its row came to.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// `cum` is behind `base`, or the echo is ahead of now or too old.
    pub stale: Bit,
    /// `cum` is beyond `next`, or the ACK's PSN is outside `[cum - 1, next)`.
    pub invalid: Bit,
    /// The echoed route is the current one.
    pub same_route: Bit,
    /// The echo is after `tn`.
    pub after_tn: Bit,
    /// The echo is after `t1`.
    pub after_t1: Bit,
    /// The echo is after `t0`.
    pub after_t0: Bit,
    /// `high - reorder` is beyond `first`.
    pub limit_past: Bit,
    /// `cum` is at or beyond `first`.
    pub cum_past: Bit,
}

/// Everything decided about an operation but for the verdict on an ACK's SACK words.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Operation code.
    pub op: Bits<3>,
    /// The operation is an ACK.
    pub is_ack: Bit,
    /// Refused as stale.
    pub stale: Bit,
    /// Does something, as far as is known.
    pub ok: Bit,
    /// New `base` of an accepted ACK and of INIT.
    pub cum: Bits<24>,
    /// Takes `cum` as `base`.
    pub move_base: Bit,
    /// Takes `cum` as `first`.
    pub move_first: Bit,
    /// PSN resent or sent.
    pub psn: Bits<24>,
    /// Tick of this operation.
    pub now: Bits<32>,
    /// `[base, cum)`, or everything, is cleared.
    pub clear_en: Bit,
    /// First ring index marked lost.
    pub mark_from: Bits<8>,
    /// Ring index behind the last marked lost.
    pub mark_to: Bits<8>,
    /// There is something to mark.
    pub mark_en: Bit,
    /// The window is not empty afterwards.
    pub open_after: Bit,
    /// The window is not empty if an ACK is refused.
    pub open_before: Bit,
    /// `resent` becomes lost.
    pub take_resent: Bit,
    /// `old` becomes lost.
    pub take_old: Bit,
    /// `resent` and `old` are emptied.
    pub forget: Bit,
    /// Marks even what was resent.
    pub force: Bit,
    /// The slot of `psn` is resent.
    pub hit: Bit,
    /// `old` was empty.
    pub old_empty: Bit,
    /// `old` is to be read as `resent`.
    pub sync: Bit,
}

/// What the four map words of an operation are worked with.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Visit {
    /// Ring index of the new `base`.
    pub base: Bits<8>,
    /// Ring index of the new `next`.
    pub end: Bits<8>,
    /// First ring index cleared.
    pub clear_from: Bits<8>,
    /// Ring index behind the last cleared.
    pub clear_to: Bits<8>,
    /// There is something to clear; equal indices clear everything.
    pub clear_en: Bit,
    /// First ring index marked lost.
    pub mark_from: Bits<8>,
    /// Ring index behind the last marked lost.
    pub mark_to: Bits<8>,
    /// There is something to mark; equal indices mark everything.
    pub mark_en: Bit,
    /// The window is not empty.
    pub open_en: Bit,
    /// Ring index of the slot resent.
    pub hit_at: Bits<8>,
    /// A slot is resent.
    pub hit: Bit,
    /// How the lanes change.
    pub rules: Rules,
}

/// The part of a visit that is the same for every lane.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// SACK words count.
    pub sack: Bit,
    /// `resent` becomes lost.
    pub take_resent: Bit,
    /// `old` becomes lost.
    pub take_old: Bit,
    /// `resent` and `old` are emptied.
    pub forget: Bit,
    /// Marks even what was resent.
    pub force: Bit,
    /// The slot resent starts a new `old`.
    pub start_old: Bit,
    /// `old` is to be read as `resent`.
    pub sync: Bit,
}

/// What an operation reports besides the row.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Operation code.
    pub op: Bits<3>,
    /// Did something.
    pub ok: Bit,
    /// 0 good, 1 invalid, 2 stale.
    pub bad: Bits<2>,
    /// An ACK that was accepted.
    pub acked: Bit,
    /// PSN resent or sent.
    pub psn: Bits<24>,
    /// Tick of this operation.
    pub now: Bits<32>,
}

/// What one word contributes. `ahead`: ring indices from `base` on; `behind`: the lanes of the first word
/// that come last in ring order. Places are lanes of the word.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct WordSum {
    /// A lost lane ahead.
    pub lost_ahead: Bit,
    /// The lowest of them.
    pub lost_ahead_at: Bits<6>,
    /// A lost lane behind.
    pub lost_behind: Bit,
    /// The lowest of them.
    pub lost_behind_at: Bits<6>,
    /// An unreceived lane ahead.
    pub open_ahead: Bit,
    /// The highest of them.
    pub open_ahead_at: Bits<6>,
    /// An unreceived lane behind.
    pub open_behind: Bit,
    /// The highest of them.
    pub open_behind_at: Bits<6>,
    /// Newly received lanes.
    pub newly: Bits<7>,
    /// Lost lanes.
    pub waiting: Bits<7>,
    /// A resent lane.
    pub resent_any: Bit,
    /// An old lane.
    pub old_any: Bit,
}

/// What the four words of an operation came to.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Something is lost.
    pub lost_any: Bit,
    /// Ring index of the lowest lost PSN.
    pub lost_low: Bits<8>,
    /// Something is unreceived.
    pub open_any: Bit,
    /// Ring index of the highest unreceived PSN.
    pub open_high: Bits<8>,
    /// `resent` is not empty.
    pub resent_any: Bit,
    /// `old` is not empty.
    pub old_any: Bit,
    /// Newly received PSNs.
    pub newly: Bits<9>,
    /// Lost PSNs.
    pub waiting: Bits<9>,
}
