//! What the oracle counts.

/// What was judged, of DATA packets of the sender.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Transmissions, resends included.
    pub sent: u64,
    /// Transmissions of a packet that was sent before.
    pub resent: u64,
    /// Resends by evidence of a packet of which an earlier transmission arrives.
    pub spurious_by_evidence: u64,
    /// The same by timer.
    pub spurious_by_timer: u64,
    /// Transmissions that were lost or spoiled.
    pub losses: u64,
    /// Losses in whose place the next transmission of the packet came by evidence, no timer having sent
    /// anything on the path in between.
    pub found_by_evidence: u64,
    /// Losses in whose place it came by evidence, after a timer had sent something on the path.
    pub found_after_timer: u64,
    /// Losses in whose place it came by timer.
    pub found_by_timer: u64,
    /// Most packets of all paths sent and, as far as the sender had heard, not acknowledged.
    pub max_outstanding: u32,
    /// Packets whose first transmission was lost, and that arrived.
    pub recovered: u64,
    /// Cycles from when a lost packet would have arrived to when it arrived, summed over these.
    pub recovery_cycles: u64,
}

impl Judgement {
    /// Of several directions: the sums, and the largest maximum.
    pub fn sum(all: impl Iterator<Item = Self>) -> Self {
        all.fold(Self::default(), |a, b| Self {
            sent: a.sent + b.sent,
            resent: a.resent + b.resent,
            spurious_by_evidence: a.spurious_by_evidence + b.spurious_by_evidence,
            spurious_by_timer: a.spurious_by_timer + b.spurious_by_timer,
            losses: a.losses + b.losses,
            found_by_evidence: a.found_by_evidence + b.found_by_evidence,
            found_after_timer: a.found_after_timer + b.found_after_timer,
            found_by_timer: a.found_by_timer + b.found_by_timer,
            max_outstanding: a.max_outstanding.max(b.max_outstanding),
            recovered: a.recovered + b.recovered,
            recovery_cycles: a.recovery_cycles + b.recovery_cycles,
        })
    }
}
