//! Constants of the protocol that a study may change; all cores of a fabric have the same.

use crate::time::Ps;
use heddle_model::rx::ack::AckConfig;
use heddle_model::tx::cc::{PACKET, START};
use heddle_model::tx::pace::{MAX_STRETCH, WINDOW_QUARTERS};
use heddle_model::tx::rto::RtoConfig;

/// Constants of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constants {
    /// cwnd of a path that starts, packets.
    pub initial_window: u32,
    /// What a receiver aims at, thousandths of what its ports can bring.
    pub target_permille: u32,
    /// Window of a connection before it stretches, quarters of its shortest round trip.
    pub window_quarters: u8,
    /// What the window may stretch to on top, quarters.
    pub stretch_quarters: u8,
    /// A: an ACK after so many arrivals.
    pub ack_every: u8,
    /// T: an ACK so long after the first arrival that waits, ticks.
    pub ack_delay_ticks: u16,
    /// Deadlines of ACKs that a core has room for; beyond them it acknowledges at once.
    pub ack_deadlines: u8,
    /// RTO0: when a path without a round trip expires, ticks; none: as an operator would set it.
    pub rto0_ticks: Option<u32>,
}

impl Constants {
    /// Share of its capacity that a core aims at of itself, thousandths.
    const MODEL_PERMILLE: u64 = 980;

    /// T.
    pub const fn ack_delay(&self) -> Ps {
        Ps(self.ack_delay_ticks as u64 * Ps::TICK)
    }

    /// RTO0: if nothing is said the protocol's, and four round trips where those are longer.
    pub fn rto0_ticks(&self, round_trip_ticks: u32) -> u32 {
        let usual = RtoConfig::DEFAULT.rto0_ticks().max(round_trip_ticks.saturating_mul(4));
        self.rto0_ticks.unwrap_or(usual)
    }

    /// The capacity of which a core aims at the target of `bytes`.
    pub(super) const fn capacity(&self, bytes: u64) -> u64 {
        bytes * self.target_permille as u64 / Self::MODEL_PERMILLE
    }
}

impl Default for Constants {
    /// Those of docs/protocol.md.
    fn default() -> Self {
        Self {
            initial_window: START / PACKET,
            target_permille: Self::MODEL_PERMILLE as u32,
            window_quarters: WINDOW_QUARTERS,
            stretch_quarters: MAX_STRETCH,
            ack_every: AckConfig::DEFAULT.arrivals(),
            ack_delay_ticks: AckConfig::DEFAULT.delay_ticks(),
            ack_deadlines: AckConfig::DEFAULT.deadlines(),
            rto0_ticks: None,
        }
    }
}
