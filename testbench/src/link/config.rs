//! The network's parameters, parsed once.

use super::outage::{Outages, PlaneEvent};
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
    /// Without a speed nothing ever stands in a queue.
    #[error("{what} is given, but the planes have no rate: nothing would ever queue; give a rate too")]
    NoQueue {
        /// What was asked for.
        what: &'static str,
    },
    /// A mark that would never be set.
    #[error("an ECN threshold of {threshold} bytes in a buffer of {buffer}: nothing would be marked")]
    Threshold {
        /// Bytes from which on frames are marked.
        threshold: u64,
        /// Bytes of the buffer.
        buffer: u64,
    },
    /// A plane that dies, or comes back, and is not there.
    #[error("there is no plane {got} to kill or revive, the last one is {max}")]
    EventPlane {
        /// The plane.
        got: u8,
        /// The last one.
        max: u8,
    },
    /// A plane that dies and is dead, or comes back and is not dead.
    #[error("{event}, but it is {}", if event.up { "not dead" } else { "dead already" })]
    Event {
        /// What was to happen.
        event: PlaneEvent,
    },
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

/// What a plane's queue does when it grows. Bytes count preamble, FCS and gap; without a number it grows
/// without limit, or marks nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueLimits {
    /// A frame with which more than so many bytes stand in the queue is marked CE.
    pub ecn_threshold: Option<u64>,
    /// A frame with which more than so many bytes would stand in it is lost.
    pub buffer: Option<u64>,
}

/// One direction of the network: planes with a delay each, their speed, and the rates.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkConfig {
    delays: Vec<u64>,
    rates: Rates,
    speed: Option<u64>,
    clock_hz: u64,
    limits: QueueLimits,
    outages: Outages,
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
        let (limits, outages) = (QueueLimits::default(), Outages::default());
        Ok(Self { delays, rates, speed, clock_hz, limits, outages })
    }

    /// The same with limits of the queues, which need a speed.
    pub fn with_limits(self, limits: QueueLimits) -> Result<Self, LinkConfigError> {
        let named = [("an ECN threshold", limits.ecn_threshold), ("a buffer", limits.buffer)];
        if let (None, Some((what, _))) = (self.speed, named.into_iter().find(|(_, limit)| limit.is_some())) {
            return Err(LinkConfigError::NoQueue { what });
        }
        if let (Some(threshold), Some(buffer)) = (limits.ecn_threshold, limits.buffer) {
            if threshold >= buffer {
                return Err(LinkConfigError::Threshold { threshold, buffer });
            }
        }
        Ok(Self { limits, ..self })
    }

    /// The same with planes that die and come back.
    pub fn with_events(self, events: Vec<PlaneEvent>) -> Result<Self, LinkConfigError> {
        let outages = Outages::new(events, self.delays.len())?;
        Ok(Self { outages, ..self })
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

    /// What the queues do when they grow.
    pub fn limits(&self) -> &QueueLimits {
        &self.limits
    }

    /// When planes are dead.
    pub fn outages(&self) -> &Outages {
        &self.outages
    }

    /// Cycles per second.
    pub fn clock_hz(&self) -> u64 {
        self.clock_hz
    }
}
