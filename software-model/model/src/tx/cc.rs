//! Congestion window of each transmit path: ECN AIMD, fixed point, no division.
//!
//! The row follows the path's good ACKs. docs/blocks/tx-cc.md holds the widths and worked examples.

use heddle_wire::Psn;

/// One packet in units of cwnd, 1/256 packet.
pub const PACKET: u32 = 256;
/// Smallest cwnd: one packet. Source: docs/protocol.md section 6.
pub const FLOOR: u32 = PACKET;
/// Largest cwnd: the window of a path. Source: docs/protocol.md section 6.
pub const CAP: u32 = 256 * PACKET;
/// cwnd of a path that starts: 16 packets. Source: docs/protocol.md section 6.
pub const START: u32 = 16 * PACKET;
/// alpha when every arrival is marked: 1 in Q16.
pub const ALPHA_ONE: u32 = 1 << 16;

/// What a good ACK tells the row; the state of the path is that after the ACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CcAck {
    /// Packets newly known received, 0 to 256.
    pub newly: u16,
    /// Packets that the ACK proved lost, 0 to 256.
    pub lost: u16,
    /// Packets still not known received, 0 to 256.
    pub inflight: u16,
    /// The receiver's count of the path's arrivals.
    pub arrivals: u16,
    /// The receiver's count of its CE-marked arrivals.
    pub ce_count: u16,
    /// Lowest PSN not known received.
    pub base: Psn,
    /// The next new PSN.
    pub next: Psn,
}

/// State of one path, 123 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CcRow {
    /// 1/256 packet, [`FLOOR`] to [`CAP`]: 17 bits.
    cwnd: u32,
    /// Share of marked arrivals, Q16, 0 to 1: 17 bits.
    alpha: u32,
    /// Acknowledged since cwnd last grew, 1/256 packet, below cwnd: 16 bits.
    grown: u32,
    /// No CE and no cut was seen yet.
    slow: bool,
    /// No cut until base is here: the round of the last one, 24 bits.
    round_end: Psn,
    /// Packets whose fate became known in this round of losses, below cwnd: 8 bits.
    known: u16,
    /// Those of them that were lost, 8 bits.
    lost: u16,
    /// The newest count of arrivals, 16 bits.
    arrivals: u16,
    /// The newest count of CE marks, 16 bits.
    ce_count: u16,
}

impl CcRow {
    /// The path starts; `first` is its first PSN. alpha is 1, so the first mark halves: nothing is known of the path yet, and slow start
    /// has doubled in vain (RFC 8257 section 3.3 starts so too).
    // REQ-CC-1
    pub fn new(first: Psn) -> Self {
        Self::starting_at(first, START)
    }

    /// The same with another cwnd at first, [`FLOOR`] to [`CAP`].
    pub(crate) fn starting_at(first: Psn, cwnd: u32) -> Self {
        Self {
            cwnd,
            alpha: ALPHA_ONE,
            grown: 0,
            slow: true,
            round_end: first,
            known: 0,
            lost: 0,
            arrivals: 0,
            ce_count: 0,
        }
    }

    /// Packets that may be in flight, 1 to 256: cwnd rounded down.
    // REQ-CC-1
    pub fn packets(&self) -> u32 {
        self.cwnd / PACKET
    }

    /// Share of marked arrivals, Q16.
    pub fn alpha(&self) -> u32 {
        self.alpha
    }

    /// Takes a good ACK; its new arrivals, and the marked among them.
    pub fn on_ack(&mut self, ack: &CcAck) -> (u16, u16) {
        // The end of the last round moves along, so that it is never half a ring away.
        if self.round_end.is_behind(ack.base) {
            self.round_end = ack.base;
        }
        let (arrived, marked) = self.count(ack);
        if marked > 0 {
            self.slow = false;
            // REQ-CC-4: at most one cut per round, by what alpha is after this ACK.
            if self.round_end == ack.base {
                let cut = (u64::from(self.cwnd) * u64::from(self.alpha)) >> 17;
                self.cut(self.cwnd - cut as u32, ack.next);
            }
        } else {
            self.grow(ack);
        }
        self.judge_losses(ack);
        (arrived as u16, marked as u16)
    }

    /// Takes the counters over, unless they are of an older ACK, and moves alpha; the new arrivals, and the marked among them.
    // REQ-CC-3
    fn count(&mut self, ack: &CcAck) -> (u32, u32) {
        let arrived = ack.arrivals.wrapping_sub(self.arrivals);
        if arrived >= 1 << 15 {
            return (0, 0);
        }
        let shift = 4 + self.packets().ilog2();
        let arrived = u32::from(arrived).min(1 << shift);
        let marked = u32::from(ack.ce_count.wrapping_sub(self.ce_count)).min(arrived);
        (self.arrivals, self.ce_count) = (ack.arrivals, ack.ce_count);
        let step = (i64::from(marked << 16) - i64::from(arrived) * i64::from(self.alpha)) >> shift;
        self.alpha = (i64::from(self.alpha) + step) as u32;
        (arrived, marked)
    }

    /// By the newly acknowledged until the first CE or cut, then by a packet per cwnd acknowledged; not while less than half of cwnd is in
    /// use.
    // REQ-CC-2
    fn grow(&mut self, ack: &CcAck) {
        if 2 * u32::from(ack.newly + ack.inflight) < self.packets() {
            return;
        }
        let newly = u32::from(ack.newly) * PACKET;
        if self.slow {
            self.cwnd = (self.cwnd + newly).min(CAP);
            return;
        }
        self.grown += newly;
        if self.grown >= self.cwnd {
            let left = self.grown - self.cwnd;
            self.cwnd = (self.cwnd + PACKET).min(CAP);
            self.grown = left.min(self.cwnd - 1);
        }
    }

    // REQ-CC-5: more than a quarter of a round lost halves; less is the loss of a bad link, and cuts nothing.
    fn judge_losses(&mut self, ack: &CcAck) {
        self.known += ack.newly + ack.lost;
        self.lost += ack.lost;
        if u32::from(self.known) < self.packets() {
            return;
        }
        if 4 * self.lost > self.known && self.round_end == ack.base {
            self.slow = false;
            self.cut(self.cwnd / 2, ack.next);
        }
        (self.known, self.lost) = (0, 0);
    }

    fn cut(&mut self, cwnd: u32, next: Psn) {
        self.cwnd = cwnd.max(FLOOR);
        self.grown = 0;
        self.round_end = next;
    }
}

#[cfg(test)]
mod tests;
