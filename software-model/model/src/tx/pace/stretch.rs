//! How much longer than at first the window of a connection is.
//!
//! A window that is full while hints stay as they are waits for the fabric, not for the receiver: its packets spend their time in queues
//! on the way. What hints promise is then reached with a longer window only, and which paths may use it is left to their own windows.

use super::TICK;

/// Quarters of a round trip at most: with the one and a quarter at first, four round trips.
pub const MAX_STRETCH: u8 = 11;
/// Arrivals of a round that are counted at most, 12 bits.
const MAX_ARRIVALS: u16 = (1 << 12) - 1;

/// State of one connection, 4 + 64 + 1 + 2 x 12 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stretch {
    /// Quarters of the shortest round trip.
    quarters: u8,
    /// When the round began, pacer time.
    since: u64,
    /// In this round nothing but the window was in the way of a packet.
    held: bool,
    /// Arrivals at the receiver that ACKs told of in this round, and the CE-marked among them.
    arrived: u16,
    marked: u16,
}

impl Stretch {
    /// As at first, from `now` on.
    pub(super) fn from(now: u64) -> Self {
        Self { since: now, ..Self::default() }
    }

    pub(super) fn quarters(&self) -> u8 {
        self.quarters
    }

    pub(super) fn on_held(&mut self) {
        self.held = true;
    }

    pub(super) fn on_arrivals(&mut self, arrived: u16, marked: u16) {
        self.arrived = self.arrived.saturating_add(arrived).min(MAX_ARRIVALS);
        self.marked = self.marked.saturating_add(marked).min(MAX_ARRIVALS);
    }

    /// A hint has come; `slower`: by more than an eighth than the one before. Once per round trip: a quarter less when a quarter of the
    /// arrivals was marked, a quarter more, `most` at most, when the window was in the way.
    // REQ-PACE-9
    pub(super) fn on_hint(&mut self, slower: bool, min_rtt_ticks: u32, most: u8, now: u64) {
        if slower {
            *self = Self::from(now);
            return;
        }
        if now.wrapping_sub(self.since) < u64::from(min_rtt_ticks) * TICK {
            return;
        }
        let congested = self.marked > 0 && 4 * self.marked >= self.arrived;
        let quarters = match (congested, self.held) {
            (true, _) => self.quarters.saturating_sub(1),
            (false, true) => (self.quarters + 1).min(most),
            (false, false) => self.quarters,
        };
        *self = Self { quarters, ..Self::from(now) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTT: u32 = 1_250;

    fn at(rounds: u64) -> u64 {
        rounds * u64::from(RTT) * TICK
    }

    /// A row that was held for so many rounds.
    fn held(rounds: u64) -> Stretch {
        let mut row = Stretch::from(0);
        for round in 1..=rounds {
            row.on_held();
            row.on_hint(false, RTT, MAX_STRETCH, at(round));
        }
        row
    }

    // REQ-PACE-9
    #[test]
    fn a_window_that_is_in_the_way_grows_by_a_quarter_per_round_trip_up_to_four() {
        assert_eq!(
            (1..=13).map(|n| held(n).quarters()).collect::<Vec<_>>(),
            [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 11]
        );
        let mut row = held(3);
        row.on_held();
        row.on_hint(false, RTT, MAX_STRETCH, at(4) - 1);
        assert_eq!(row.quarters(), 3, "not before a round trip has passed");
        row.on_hint(false, RTT, MAX_STRETCH, at(4));
        assert_eq!(row.quarters(), 4);
        row.on_hint(false, RTT, MAX_STRETCH, at(5));
        assert_eq!(row.quarters(), 4, "who is not held keeps it");
    }

    // REQ-PACE-9
    #[test]
    fn a_slower_hint_begins_anew_at_once() {
        let mut row = held(5);
        row.on_held();
        row.on_hint(true, RTT, MAX_STRETCH, at(5) + 1);
        assert_eq!(row, Stretch::from(at(5) + 1));
    }

    // REQ-PACE-9
    #[test]
    fn a_round_with_a_quarter_of_its_arrivals_marked_takes_a_quarter_back() {
        for (arrived, marked, quarters) in
            [(8, 2, 2), (8, 1, 4), (7, 2, 2), (0, 0, 4), (u16::MAX, u16::MAX, 2)]
        {
            let mut row = held(3);
            row.on_held();
            row.on_arrivals(arrived, marked);
            row.on_hint(false, RTT, MAX_STRETCH, at(4));
            assert_eq!(row.quarters(), quarters, "{marked} of {arrived}");
        }
        let mut row = Stretch::from(0);
        row.on_arrivals(1, 1);
        row.on_hint(false, RTT, MAX_STRETCH, at(1));
        assert_eq!(row.quarters(), 0);
    }
}
