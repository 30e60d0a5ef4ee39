//! What an ACK's counters add to those of the path's earlier ACKs.
//!
//! Counters are cumulative and wrap, ACKs overtake each other: only counters that are not behind are taken.
//! docs/blocks/tx-congested.md holds the widths.

/// State of one path, 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArrivalsRow {
    /// The newest count of arrivals, 16 bits.
    arrivals: u16,
    /// The count of CE-marked ones that came with it, 16 bits.
    ce: u16,
}

/// What one ACK added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// Arrivals, 0 to 2^15 - 1.
    pub arrivals: u16,
    /// CE-marked ones among them.
    pub ce: u16,
}

impl ArrivalsRow {
    /// The counters of a good ACK; none when they are behind the newest.
    // REQ-ROUTE-6
    pub fn on_ack(&mut self, arrivals: u16, ce: u16) -> Option<Added> {
        let added = arrivals.wrapping_sub(self.arrivals);
        if added >= 1 << 15 {
            return None;
        }
        let marked = ce.wrapping_sub(self.ce);
        (self.arrivals, self.ce) = (arrivals, ce);
        // The counters are the peer's word: more marks than arrivals are none more than arrivals.
        Some(Added { arrivals: added, ce: marked.min(added) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // REQ-ROUTE-6
    #[test]
    fn counters_add_up_across_their_wrap_and_an_overtaken_ack_adds_nothing() {
        let mut row = ArrivalsRow::default();
        assert_eq!(row.on_ack(4, 1), Some(Added { arrivals: 4, ce: 1 }));
        assert_eq!(row.on_ack(32_771, 20_001), Some(Added { arrivals: 32_767, ce: 20_000 }));
        assert_eq!(row.on_ack(65_530, 40_000), Some(Added { arrivals: 32_759, ce: 19_999 }));
        assert_eq!(row.on_ack(65_526, 39_998), None, "behind");
        assert_eq!(row.on_ack(65_530, 40_000), Some(Added::default()), "the same again is not behind");
        assert_eq!(row.on_ack(2, 40_003), Some(Added { arrivals: 8, ce: 3 }), "over the wrap");
        assert_eq!(row.on_ack(32_770, 0), None, "half of the ring is behind");
    }

    #[test]
    fn more_marks_than_arrivals_are_cut_to_the_arrivals() {
        let mut row = ArrivalsRow::default();
        assert_eq!(row.on_ack(3, 60_000), Some(Added { arrivals: 3, ce: 3 }));
        assert_eq!(row.on_ack(5, 59_999), Some(Added { arrivals: 2, ce: 2 }), "a counter that ran back");
    }
}
