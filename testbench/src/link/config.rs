//! The network's parameters, parsed once.

use thiserror::Error;

/// A probability, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Probability(f64);

impl Probability {
    /// Refuses what is not between 0 and 1.
    pub fn new(name: &'static str, value: f64) -> Result<Self, LinkConfigError> {
        if !(0.0..=1.0).contains(&value) {
            return Err(LinkConfigError::Probability { name, got: value });
        }
        Ok(Self(value))
    }

    /// The number.
    pub fn value(self) -> f64 {
        self.0
    }

    /// Whether 64 random bits, read as a fraction of [0, 1), fall under it.
    pub(super) fn hits(self, random: u64) -> bool {
        // 53 bits are what an f64 holds exactly: 1.0 always hits and 0.0 never.
        ((random >> 11) as f64) < self.0 * (1u64 << 53) as f64
    }
}

/// Why a network cannot be built.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum LinkConfigError {
    /// Not a probability.
    #[error("{name} is {got}, it must be between 0 and 1")]
    Probability {
        /// Which one.
        name: &'static str,
        /// The value.
        got: f64,
    },
    /// Number of planes.
    #[error("{got} planes, there must be 1 to {max}")]
    Planes {
        /// Planes asked for.
        got: usize,
        /// Most that can be.
        max: usize,
    },
    /// A rate of nothing would never send.
    #[error("a rate of 0 bits per second sends nothing")]
    Rate,
    /// The clock that cycles are of.
    #[error("a clock of 0 Hz")]
    Clock,
    /// A delay beyond what a run can wait for.
    #[error("a delay of {got} cycles, at most {max} are possible")]
    Delay {
        /// Cycles asked for.
        got: u64,
        /// Most that can be.
        max: u64,
    },
}

/// Rates of what can happen to a frame, each on its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// DATA, PROBE and RESET lost.
    pub loss: Probability,
    /// ACK and NAK lost.
    pub ack_loss: Probability,
    /// Delayed beyond its turn by up to [`LinkConfig::REORDER_SPAN`] cycles.
    pub reorder: Probability,
    /// Delivered twice.
    pub duplicate: Probability,
    /// One bit of the UDP payload flipped.
    pub corrupt: Probability,
}

/// One direction of the network: planes with a delay each, their speed, and the rates.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkConfig {
    delays: Vec<u64>,
    rates: Rates,
    speed: Option<u64>,
    clock_hz: u64,
}

impl LinkConfig {
    /// Most planes: `tdest` has 4 bits.
    pub const MAX_PLANES: usize = 16;
    /// Most cycles that a reordered frame, or the copy of a duplicated one, comes late.
    pub const REORDER_SPAN: u64 = 500;
    /// Longest delay of a plane in cycles: a second at 200 MHz is below it.
    pub const MAX_DELAY: u64 = 1 << 28;

    /// `delays`: cycles from the last byte sent to the first byte received, one per plane. `speed`: bits per
    /// second of a plane, none when it takes frames as fast as the core sends them. `clock_hz`: what a cycle
    /// is.
    pub fn new(
        delays: Vec<u64>,
        rates: Rates,
        speed: Option<u64>,
        clock_hz: u64,
    ) -> Result<Self, LinkConfigError> {
        if delays.is_empty() || delays.len() > Self::MAX_PLANES {
            return Err(LinkConfigError::Planes { got: delays.len(), max: Self::MAX_PLANES });
        }
        if let Some(&got) = delays.iter().find(|&&delay| delay > Self::MAX_DELAY) {
            return Err(LinkConfigError::Delay { got, max: Self::MAX_DELAY });
        }
        if speed == Some(0) {
            return Err(LinkConfigError::Rate);
        }
        if clock_hz == 0 {
            return Err(LinkConfigError::Clock);
        }
        Ok(Self { delays, rates, speed, clock_hz })
    }

    /// Delay of each plane, cycles.
    pub fn delays(&self) -> &[u64] {
        &self.delays
    }

    /// What happens to frames, and how often.
    pub fn rates(&self) -> &Rates {
        &self.rates
    }

    /// Bits per second of a plane.
    pub fn speed(&self) -> Option<u64> {
        self.speed
    }

    /// Cycles per second.
    pub fn clock_hz(&self) -> u64 {
        self.clock_hz
    }
}
