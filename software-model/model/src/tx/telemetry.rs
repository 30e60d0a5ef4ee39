//! What a path tells whoever watches it: round trip, marks, load, and what became of its packets and routes.
//!
//! Counters wrap at 2^32 and are differences' material: a reader keeps its last reading. Failure and
//! congestion are counted apart. docs/blocks/tx-telemetry.md holds the widths.

use super::arrivals::Added;
use super::framer::Route;
use super::route::RouteCounts;

/// Counters of one path, 6 x 32 bits, wrapping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathCounts {
    /// DATA packets that the peer says have arrived, duplicates too.
    pub arrivals: u32,
    /// CE-marked ones among them.
    pub ce: u32,
    /// Packets newly known received.
    pub acknowledged: u32,
    /// Packets resent on evidence of their loss.
    pub resent_by_evidence: u32,
    /// Packets resent because the timer expired.
    pub resent_by_timer: u32,
    /// Expiries of the timer.
    pub expiries: u32,
}

impl PathCounts {
    /// The counters of an ACK that were not behind.
    pub fn on_added(&mut self, added: Added) {
        self.arrivals = self.arrivals.wrapping_add(added.arrivals.into());
        self.ce = self.ce.wrapping_add(added.ce.into());
    }

    /// Packets became known received.
    pub fn on_acknowledged(&mut self, newly: u16) {
        self.acknowledged = self.acknowledged.wrapping_add(newly.into());
    }

    /// A packet is sent again, because of its timer or by evidence.
    pub fn on_resent(&mut self, by_timer: bool) {
        let counter = if by_timer { &mut self.resent_by_timer } else { &mut self.resent_by_evidence };
        *counter = counter.wrapping_add(1);
    }

    /// The timer expired.
    pub fn on_expiry(&mut self) {
        self.expiries = self.expiries.wrapping_add(1);
    }
}

/// All that can be read of one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathTelemetry {
    /// Where its packets travel now.
    pub route: Route,
    /// Changes of route, modulo 2^8, as on the wire.
    pub route_count: u8,
    /// Smoothed round-trip time in ticks; none before the first sample.
    pub srtt_ticks: Option<u32>,
    /// Its timeout in ticks, without backoff.
    pub rto_ticks: u32,
    /// Packets sent and not known received.
    pub in_flight: u16,
    /// Packets waiting to be resent.
    pub waiting: u16,
    /// Packets in flight that are allowed.
    pub cwnd: u32,
    /// Whether new data may go on it: no expiry or death without progress since.
    pub usable: bool,
    /// Its counters.
    pub counts: PathCounts,
    /// Its changes of route, by cause.
    pub changes: RouteCounts,
}

impl PathTelemetry {
    /// Fraction of cwnd in use, in 1/256, rounded down; 256 and above when it is full.
    pub fn utilization_x256(&self) -> u32 {
        (u32::from(self.in_flight) << 8) / self.cwnd.max(1)
    }

    /// Fraction of arrivals that carried CE since an earlier reading, in 1/65536, rounded down; none without
    /// an arrival.
    pub fn ce_fraction_x65536(&self, earlier: &PathCounts) -> Option<u32> {
        let arrivals = self.counts.arrivals.wrapping_sub(earlier.arrivals);
        let ce = self.counts.ce.wrapping_sub(earlier.ce);
        (u64::from(ce) << 16).checked_div(arrivals.into()).map(|fraction| fraction as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn telemetry(counts: PathCounts) -> PathTelemetry {
        PathTelemetry {
            route: Route::default(),
            route_count: 0,
            srtt_ticks: None,
            rto_ticks: 0,
            in_flight: 48,
            waiting: 0,
            cwnd: 64,
            usable: true,
            counts,
            changes: RouteCounts::default(),
        }
    }

    #[test]
    fn fractions_are_of_what_came_since_the_earlier_reading_across_a_wrap() {
        let earlier = PathCounts { arrivals: u32::MAX - 1, ce: 7, ..PathCounts::default() };
        let mut counts = earlier;
        counts.on_added(Added { arrivals: 8, ce: 2 });
        let reading = telemetry(counts);
        assert_eq!(reading.counts.arrivals, 6);
        assert_eq!(reading.ce_fraction_x65536(&earlier), Some(1 << 14), "two of eight");
        assert_eq!(reading.ce_fraction_x65536(&counts), None, "nothing came");
        assert_eq!(reading.utilization_x256(), 192, "48 of 64");
    }

    #[test]
    fn resends_of_timers_and_by_evidence_are_counted_apart() {
        let mut counts = PathCounts::default();
        counts.on_resent(true);
        counts.on_resent(false);
        counts.on_resent(false);
        counts.on_acknowledged(256);
        counts.on_expiry();
        assert_eq!((counts.resent_by_timer, counts.resent_by_evidence), (1, 2));
        assert_eq!((counts.acknowledged, counts.expiries), (256, 1));
    }
}
