//! What all connections of a pacer have in common.

use super::{MAX_BLIND, MAX_STRETCH, RTT_BITS, WINDOW_QUARTERS};
use thiserror::Error;

/// What all connections have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaceConfig {
    pub(super) ack_delay_ticks: u16,
    pub(super) rtt0_ticks: u32,
    pub(super) small_packets: u8,
    pub(super) window_quarters: u8,
    pub(super) stretch_quarters: u8,
}

/// A value that no pacer can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PaceConfigError {
    /// The round trip taken until one is measured.
    #[error("a round trip of {got} ticks: 1 to {max} are possible")]
    Rtt0 {
        /// The value given.
        got: u32,
        /// The largest possible.
        max: u32,
    },
    /// Packets of a message that goes blind without a hint.
    #[error("{got} blind packets: up to {max} are possible")]
    Small {
        /// The value given.
        got: u8,
        /// The largest possible.
        max: u8,
    },
    /// The window before it stretches.
    #[error("a window of {got} quarters of a round trip: {min} to {max} are possible")]
    Window {
        /// The value given.
        got: u8,
        /// The smallest possible.
        min: u8,
        /// The largest possible.
        max: u8,
    },
    /// What the window may have on top.
    #[error("a stretch of {got} quarters of a round trip: up to {max} are possible")]
    Stretch {
        /// The value given.
        got: u8,
        /// The largest possible.
        max: u8,
    },
}

impl PaceConfig {
    /// T = 2 us, 10 us until a round trip is measured, 4 blind packets, a window of 1.25 and up to 2.75 more round trips.
    pub const DEFAULT: Self = Self {
        ack_delay_ticks: 250,
        rtt0_ticks: 1250,
        small_packets: 4,
        window_quarters: WINDOW_QUARTERS,
        stretch_quarters: MAX_STRETCH,
    };
    /// Most quarters of a round trip of which window or stretch can be, each.
    pub const MOST_QUARTERS: u8 = 15;

    /// `rtt0_ticks`: the round trip taken until one is measured. `small_packets`: a message of no more packets goes blind when there is
    /// no hint.
    pub fn new(rtt0_ticks: u32, small_packets: u8) -> Result<Self, PaceConfigError> {
        let max = (1 << RTT_BITS) - 1;
        if rtt0_ticks == 0 || rtt0_ticks > max {
            return Err(PaceConfigError::Rtt0 { got: rtt0_ticks, max });
        }
        if small_packets > MAX_BLIND {
            return Err(PaceConfigError::Small { got: small_packets, max: MAX_BLIND });
        }
        Ok(Self { rtt0_ticks, small_packets, ..Self::DEFAULT })
    }

    /// With a window of `window` quarters of a round trip before it stretches, and at most `stretch` more. Both are of the protocol,
    /// and the same in all cores: others are for studies of it.
    pub const fn with_window(self, window: u8, stretch: u8) -> Result<Self, PaceConfigError> {
        let (min, max) = (4, Self::MOST_QUARTERS);
        if window < min || window > max {
            return Err(PaceConfigError::Window { got: window, min, max });
        }
        if stretch > max {
            return Err(PaceConfigError::Stretch { got: stretch, max });
        }
        Ok(Self { window_quarters: window, stretch_quarters: stretch, ..self })
    }

    /// With the T of the peer's receiver, in ticks.
    pub const fn with_ack_delay(self, ack_delay_ticks: u16) -> Self {
        Self { ack_delay_ticks, ..self }
    }
}
