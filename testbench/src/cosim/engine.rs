//! One endpoint of a run, whatever computes it: the golden model or a Verilated core.

use super::memory::HostMemory;
use super::paths::PathSample;
use heddle_model::core::Cause;
use heddle_wire::drop::DropReason;
use heddle_wire::{Completion, Receive, WorkRequest};
use std::collections::BTreeMap;
use thiserror::Error;

/// A frame that left a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departure {
    /// Plane it left on.
    pub plane: u8,
    /// The frame without FCS.
    pub frame: Vec<u8>,
    /// Cycle of its first beat; its last is that of the step that gave it out.
    pub began: u64,
    /// What it was sent for: what the wire does not tell.
    pub cause: Cause,
}

/// What an endpoint has counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCounters {
    /// Expiries of path timers, dead routes included.
    pub timer_expiries: u64,
    /// Drops by number of their reason.
    pub drops: [u64; DropReason::LIMIT],
}

/// What was compared with the golden model inside of the endpoint; all 0 when the endpoint is the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparisons {
    /// Transactions that went into a watched block and have an answer of their own.
    pub crossed: u64,
    /// Those that have none, by block and reason.
    pub explained: BTreeMap<String, u64>,
    /// Of these, compared with the model's.
    pub compared: u64,
    /// Of these, different.
    pub mismatches: u64,
}

/// A difference from the golden model inside of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cycle {cycle}, {what}")]
pub struct Difference {
    /// When, in cycles of the run; negative in the set-up.
    pub cycle: i64,
    /// Block, channel, and both values.
    pub what: String,
}

/// Why an endpoint cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct EngineError(pub String);

/// One endpoint, set up and enabled: it receives frames and takes work requests. Time is the run's cycle
/// number, the same for both; cycle 0 is the first after the set-up.
///
/// The run calls, cycle by cycle: [`submit`](Self::submit) and [`deliver`](Self::deliver) for what comes in,
/// [`step`](Self::step) once, then [`sent`](Self::sent) and [`completion`](Self::completion) until they give
/// nothing.
pub trait Engine: Send {
    /// Takes a work request, or says false: then it is offered again in a later cycle, and none before it.
    fn submit(&mut self, request: &WorkRequest) -> bool;

    /// Takes a posted receive, or says false, as above.
    fn post_receive(&mut self, _cycle: u64, _receive: &Receive) -> bool {
        false
    }

    /// The carrier of a plane is lost, or is back.
    fn set_plane(&mut self, _cycle: u64, _plane: u8, _up: bool) {}

    /// Takes a frame whose first byte is at the core in this cycle. The core's one port takes one frame after
    /// the other; what has to wait for it waits here.
    fn deliver(&mut self, cycle: u64, plane: u8, frame: Vec<u8>);

    /// One clock cycle.
    fn step(&mut self, cycle: u64) -> Result<(), EngineError>;

    /// The earliest cycle after `cycle` in which [`step`](Self::step) has something to do if nothing is
    /// submitted or delivered: a clocked core says `cycle + 1`. None when it waits for its inputs alone.
    fn next_cycle(&self, cycle: u64) -> Option<u64>;

    /// The oldest frame whose last beat has left.
    fn sent(&mut self) -> Option<Departure>;

    /// The oldest completion not yet given out.
    fn completion(&mut self) -> Option<Completion>;

    /// The host's memory.
    fn memory(&self) -> &HostMemory;

    /// What was counted.
    fn counters(&self) -> EngineCounters;

    /// The run is over and nothing is under way: what is still expected inside is a difference.
    fn finish(&mut self) {}

    /// State of its paths now, without time and endpoint; none where they are not to be seen.
    fn paths(&mut self) -> Vec<PathSample> {
        Vec::new()
    }

    /// What was compared with the model.
    fn comparisons(&self) -> Comparisons;

    /// The first difference from the model in each part of the endpoint that has one.
    fn differences(&self) -> Vec<Difference> {
        Vec::new()
    }

    /// Errors of messages or memory that the core has reported.
    fn errors(&self) -> u64;

    /// What it waits for, in a few words, for the diagnosis of a run that stands still.
    fn waits_for(&self) -> String;
}
