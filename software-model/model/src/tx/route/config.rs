//! What routes are chosen by.

use crate::tx::rto::MAX_INTERVAL_TICKS;
use thiserror::Error;

/// Planes at most: a plane has 4 bits.
pub const MAX_PLANES: u8 = 16;
/// Paths of a connection at most: a plane's paths are a map of 64 bits.
pub const MAX_PATHS: u32 = 64;

/// The part of the retry budget in which nothing but RESETs is sent: an eighth (ADR-0017).
const FAREWELL_PART: u32 = 8;

/// Planes and times of the route choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteConfig {
    planes: u8,
    suspect_ticks: u32,
    budget_ticks: u32,
}

/// A value that no choice of routes can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RouteConfigError {
    /// Planes.
    #[error("{got} planes: 1 to {max} are possible")]
    Planes {
        /// The value given.
        got: u8,
        /// The largest possible.
        max: u8,
    },
    /// How long a plane is avoided.
    #[error("a plane suspect for {got} ticks: 1 to {max} are possible")]
    Suspect {
        /// The value given.
        got: u32,
        /// The largest possible.
        max: u32,
    },
    /// Retry budget.
    #[error("a retry budget of {got} ticks: 1 to {max} are possible")]
    Budget {
        /// The value given.
        got: u32,
        /// The largest possible.
        max: u32,
    },
}

impl RouteConfig {
    /// How long a plane is avoided at first: 200 us (section 5).
    pub const SUSPECT_TICKS: u32 = 25_000;
    /// Retry budget: 1 s (section 5).
    pub const BUDGET_TICKS: u32 = 125_000_000;
    /// Longest retry budget, 8.5 s: a quarter of the clock's ring, so that stamps never look ahead.
    pub const MAX_BUDGET_TICKS: u32 = 1 << 30;

    /// `planes` planes, each of which leads to every peer; times as in section 5.
    pub const fn new(planes: u8) -> Result<Self, RouteConfigError> {
        Self::with_times(planes, Self::SUSPECT_TICKS, Self::BUDGET_TICKS)
    }

    /// `suspect_ticks`: from a plane's failure to its first test. `budget_ticks`: from the last progress of a
    /// path to the end of its connection.
    pub const fn with_times(
        planes: u8,
        suspect_ticks: u32,
        budget_ticks: u32,
    ) -> Result<Self, RouteConfigError> {
        if planes == 0 || planes > MAX_PLANES {
            return Err(RouteConfigError::Planes { got: planes, max: MAX_PLANES });
        }
        if suspect_ticks == 0 || suspect_ticks > MAX_INTERVAL_TICKS {
            return Err(RouteConfigError::Suspect { got: suspect_ticks, max: MAX_INTERVAL_TICKS });
        }
        if budget_ticks == 0 || budget_ticks > Self::MAX_BUDGET_TICKS {
            return Err(RouteConfigError::Budget { got: budget_ticks, max: Self::MAX_BUDGET_TICKS });
        }
        Ok(Self { planes, suspect_ticks, budget_ticks })
    }

    /// Planes, 1 to 16.
    pub const fn planes(&self) -> u8 {
        self.planes
    }

    /// From a plane's failure to its first test, ticks.
    pub const fn suspect_ticks(&self) -> u32 {
        self.suspect_ticks
    }

    /// Retry budget, ticks: after so long without progress every request has ended.
    pub const fn budget_ticks(&self) -> u32 {
        self.budget_ticks
    }

    /// The last part of it, ticks: the connection has stopped, tells the peer, and what it sent before has had its time to arrive.
    pub const fn farewell_ticks(&self) -> u32 {
        self.budget_ticks / FAREWELL_PART
    }
}
