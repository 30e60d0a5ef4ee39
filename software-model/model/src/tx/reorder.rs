//! The reorder guard of a transmit path: how far below the highest received packet a missing one is not yet
//! taken for lost.
//!
//! Raised when the receiver counts duplicates that resends by evidence explain and timers do not: those
//! resends were in vain. Decays while it counts none. On a route that keeps its order it stays 0.
//! docs/blocks/tx-reorder.md holds the widths.

/// Largest guard, packets: a quarter of the window, so that evidence remains possible in it.
pub const MAX_GUARD: u8 = 64;

/// Newly acknowledged packets without a resend in vain after which the guard falls by a quarter: one window.
const CLEAN_PACKETS: u16 = 256;

/// State of one path, 48 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReorderRow {
    /// Packets, 0 to 64: 7 bits.
    guard: u8,
    /// The newest dup_count, 16 bits.
    dup_count: u16,
    /// Resends by evidence that no duplicate explains yet, 8 bits, saturating.
    resends: u8,
    /// Packets that a timer gave up and that no duplicate explains yet, 8 bits, saturating.
    given_up: u8,
    /// Packets newly acknowledged since the last change, 9 bits, below 256 + 256.
    clean: u16,
}

impl ReorderRow {
    /// The guard for the path's next ACK, in packets; none between an expiry and the next progress
    /// (`suspended`).
    // REQ-TX-12
    pub fn guard(&self, suspended: bool) -> u8 {
        if suspended {
            0
        } else {
            self.guard
        }
    }

    /// A lost packet was resent (RESEND of the path engine).
    pub fn on_resend(&mut self) {
        self.resends = self.resends.saturating_add(1);
    }

    /// A timer gave up `packets` (EXPIRE: one; VOLUNTARY_TIMEOUT and DEAD: those waiting): duplicates are
    /// theirs first.
    pub fn on_given_up(&mut self, packets: u16) {
        self.given_up = u16::from(self.given_up).saturating_add(packets).min(u8::MAX.into()) as u8;
    }

    /// A good ACK whose counters are not behind: `dup_count` of the path, and packets newly known received.
    // REQ-TX-12
    pub fn on_ack(&mut self, dup_count: u16, newly: u16) {
        let duplicates = dup_count.wrapping_sub(self.dup_count);
        if duplicates < 1 << 15 {
            self.dup_count = dup_count;
            let of_timers = duplicates.min(self.given_up.into());
            self.given_up -= of_timers as u8;
            let in_vain = (duplicates - of_timers).min(self.resends.into()) as u8;
            self.resends -= in_vain;
            if in_vain > 0 {
                self.guard = (2 * self.guard + 4).min(MAX_GUARD);
                self.clean = 0;
                return;
            }
        }
        self.clean += newly;
        if self.clean >= CLEAN_PACKETS {
            self.clean -= CLEAN_PACKETS;
            self.guard -= self.guard.div_ceil(4);
            self.resends /= 2;
            self.given_up /= 2;
        }
    }
}

#[cfg(test)]
mod tests;
