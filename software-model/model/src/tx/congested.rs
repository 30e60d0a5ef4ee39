//! Whether a path's route is congested for so long that another port is worth trying.
//!
//! A round is from a packet to its acknowledgement: it ends when base reaches what was next at its start.
//! Four rounds in a row with CE on at least half of their arrivals say so; after a change for that reason
//! nothing is said for 16 rounds. docs/blocks/tx-congested.md holds the widths.

use super::arrivals::Added;
use heddle_wire::Psn;

/// Rounds in a row with CE on at least half of the arrivals. Source: section 5, REQ-TX-15.
pub const HEAVY_ROUNDS: u8 = 4;
/// Rounds from one change to the next. Source: section 5, REQ-TX-15.
pub const DWELL_ROUNDS: u8 = 16;

/// State of one path, 65 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CongestedRow {
    /// The round is over when base has come here, 24 bits.
    end: Psn,
    /// Arrivals in this round, 16 bits, saturating.
    arrivals: u16,
    /// CE-marked ones, 16 bits, saturating.
    ce: u16,
    /// Heavy rounds in a row, 0 to 4: 3 bits.
    heavy: u8,
    /// Rounds in which no change is wanted, 0 to 16: 5 bits.
    dwell: u8,
    /// This round still brings what travelled on an earlier route: it is not judged.
    mixed: bool,
}

impl CongestedRow {
    /// A path whose next packet is `next`.
    pub fn new(next: Psn) -> Self {
        Self { end: next, ..Self::default() }
    }

    /// Whether another port is wanted.
    // REQ-TX-15
    pub fn wants_change(&self) -> bool {
        self.heavy == HEAVY_ROUNDS && self.dwell == 0
    }

    /// A good ACK whose counters added this; `base` and `next` are those after it.
    // REQ-TX-15
    pub fn on_ack(&mut self, added: Added, base: Psn, next: Psn) {
        self.arrivals = self.arrivals.saturating_add(added.arrivals);
        self.ce = self.ce.saturating_add(added.ce);
        if base.is_behind(self.end) {
            return;
        }
        if self.arrivals > 0 && !std::mem::take(&mut self.mixed) {
            let heavy = 2 * u32::from(self.ce) >= self.arrivals.into();
            self.heavy = if heavy { (self.heavy + 1).min(HEAVY_ROUNDS) } else { 0 };
            self.dwell = self.dwell.saturating_sub(1);
        }
        (self.end, self.arrivals, self.ce) = (next, 0, 0);
    }

    /// The path left its route, for whatever reason: what was counted speaks of the old one.
    pub fn on_left(&mut self, for_congestion: bool, next: Psn) {
        (self.end, self.arrivals, self.ce, self.heavy) = (next, 0, 0, 0);
        self.mixed = true;
        if for_congestion {
            self.dwell = DWELL_ROUNDS;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path that runs in rounds of eight packets.
    struct Bench {
        row: CongestedRow,
        base: Psn,
    }

    impl Bench {
        fn new() -> Self {
            let base = Psn::new(Psn::MASK - 20);
            Self { row: CongestedRow::new(base.plus(8)), base }
        }

        /// A round with `ce` of its eight arrivals marked.
        fn round(&mut self, ce: u16) -> bool {
            for n in 1..=8 {
                self.base = self.base.plus(1);
                let added = Added { arrivals: 1, ce: (n <= ce).into() };
                // For what is acknowledged something is sent, so next stays eight ahead.
                self.row.on_ack(added, self.base, self.base.plus(8));
            }
            self.row.wants_change()
        }
    }

    // REQ-TX-15
    #[test]
    fn four_rounds_in_a_row_with_ce_on_half_of_the_packets_want_another_port() {
        let mut bench = Bench::new();
        assert!((0..3).all(|_| !bench.round(4)));
        assert!(!bench.round(3), "three of eight: the count starts anew");
        assert!((0..3).all(|_| !bench.round(8)));
        assert!(bench.round(4) && bench.round(4), "and it stays wanted");
        assert!(!bench.round(0), "until a round is light");
    }

    // REQ-TX-15
    #[test]
    fn after_a_change_for_congestion_sixteen_rounds_pass() {
        let mut bench = Bench::new();
        (0..4).for_each(|_| _ = bench.round(8));
        bench.row.on_left(true, bench.base.plus(8));
        let rounds = (1..40).find(|_| bench.round(8));
        assert_eq!(rounds, Some(16 + 1), "the first ends with what travelled on the old route");
    }

    #[test]
    fn a_change_for_another_reason_starts_the_count_anew_and_keeps_no_dwell() {
        let mut bench = Bench::new();
        (0..3).for_each(|_| _ = bench.round(8));
        bench.row.on_left(false, bench.base.plus(8));
        assert_eq!((1..40).find(|_| bench.round(8)), Some(4 + 1));
    }

    #[test]
    fn acks_without_arrivals_are_no_round() {
        let mut row = CongestedRow::new(Psn::new(5));
        for base in 5..50 {
            row.on_ack(Added::default(), Psn::new(base), Psn::new(base));
        }
        assert_eq!(row, CongestedRow::new(Psn::new(49)));
    }
}
