//! How a run ends without a result.

use super::engine::{Difference, EngineError};
use super::oracle::Violation;
use heddle_wire::ParseError;
use std::io;
use thiserror::Error;

/// Why a run came to no result.
#[derive(Debug, Error)]
pub enum RunError {
    /// An endpoint cannot go on.
    #[error("the {side} stopped in cycle {cycle}: {error}")]
    Engine {
        /// Sender or receiver.
        side: &'static str,
        /// When.
        cycle: u64,
        /// What it said.
        error: EngineError,
    },
    /// A frame that no receiver could read.
    #[error("the {side} sent a frame in cycle {cycle} that is none: {error}")]
    Frame {
        /// Sender or receiver.
        side: &'static str,
        /// When.
        cycle: u64,
        /// What is wrong with it.
        error: ParseError,
    },
    /// A frame on a plane that is not there.
    #[error("the {side} sent on plane {plane} in cycle {cycle}, there are {planes}")]
    Plane {
        /// Sender or receiver.
        side: &'static str,
        /// The plane.
        plane: u8,
        /// Planes of the run.
        planes: u32,
        /// When.
        cycle: u64,
    },
    /// A rule of the protocol was broken on the wire.
    #[error("the sender broke a rule in cycle {cycle}: {violation}")]
    Violation {
        /// When.
        cycle: u64,
        /// Which.
        violation: Violation,
    },
    /// A completion that is not owed, or is wrong.
    #[error("cycle {cycle}: {what}")]
    Completion {
        /// When.
        cycle: u64,
        /// What is wrong with it.
        what: String,
    },
    /// Nothing moves.
    #[error("no progress from cycle {since} to {cycle}: {diagnosis}")]
    Stalled {
        /// Last progress.
        since: u64,
        /// When the run was given up.
        cycle: u64,
        /// What each side waits for.
        diagnosis: String,
    },
    /// Bytes around the data.
    #[error("{trespasses} bytes beside the data in the {side}'s memory were overwritten")]
    Trespass {
        /// Sender or receiver.
        side: &'static str,
        /// Bytes.
        trespasses: usize,
    },
    /// A core's own errors.
    #[error("the {side} reported {errors} errors of messages or memory")]
    Core {
        /// Sender or receiver.
        side: &'static str,
        /// How many.
        errors: u64,
    },
    /// The run failed after a block had answered otherwise than the model: most likely for that reason.
    #[error("{then}; before, a block of the {side} differed from the model: {difference}")]
    Differs {
        /// Sender or receiver.
        side: &'static str,
        /// The first difference.
        difference: Difference,
        /// How the run ended.
        then: Box<RunError>,
    },
    /// The observer, a capture most likely, could not keep up.
    #[error("cannot write the capture: {0}")]
    Observer(#[from] io::Error),
}

impl RunError {
    /// The cycle to look at: where it began to go wrong, as far as that is known.
    pub fn cycle(&self) -> Option<u64> {
        match self {
            Self::Engine { cycle, .. }
            | Self::Frame { cycle, .. }
            | Self::Plane { cycle, .. }
            | Self::Violation { cycle, .. }
            | Self::Completion { cycle, .. }
            | Self::Stalled { since: cycle, .. } => Some(*cycle),
            Self::Differs { difference, .. } => Some(difference.cycle.max(0) as u64),
            Self::Trespass { .. } | Self::Core { .. } | Self::Observer(_) => None,
        }
    }
}
