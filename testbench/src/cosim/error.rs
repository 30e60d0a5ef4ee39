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
        /// Who.
        side: String,
        /// When.
        cycle: u64,
        /// What it said.
        error: EngineError,
    },
    /// A frame that no receiver could read.
    #[error("the {side} sent a frame in cycle {cycle} that is none: {error}")]
    Frame {
        /// Who.
        side: String,
        /// When.
        cycle: u64,
        /// What is wrong with it.
        error: ParseError,
    },
    /// A frame on a plane that is not there.
    #[error("the {side} sent on plane {plane} in cycle {cycle}, there are {planes}")]
    Plane {
        /// Who.
        side: String,
        /// The plane.
        plane: u8,
        /// Planes of the run.
        planes: u32,
        /// When.
        cycle: u64,
    },
    /// A frame for nobody on the network.
    #[error("the {side} sent a frame to {mac:02x?} in cycle {cycle}, which none of its peers is")]
    Address {
        /// Who.
        side: String,
        /// When.
        cycle: u64,
        /// Destination address.
        mac: [u8; 6],
    },
    /// A rule of the protocol was broken on the wire.
    #[error("the {side} broke a rule in cycle {cycle}: {violation}")]
    Violation {
        /// Who.
        side: String,
        /// When.
        cycle: u64,
        /// Which.
        violation: Violation,
    },
    /// A completion that is not owed, or is wrong.
    #[error("cycle {cycle}, {side}: {what}")]
    Completion {
        /// Whose.
        side: String,
        /// When.
        cycle: u64,
        /// What is wrong with it.
        what: String,
    },
    /// A connection has ended with an error, and everything that was asked has ended.
    #[error(
        "cycle {cycle}: connection {connection} of the {side} ended with {status} of wr_id {wr_id}; of {taken} work \
         requests handed in {completed} were completed and {failed} ended with an error, and so did {receives} \
         receives, each once"
    )]
    Ended {
        /// When the last one ended.
        cycle: u64,
        /// Whose connection.
        side: String,
        /// Which.
        connection: u16,
        /// First work request, or receive, that ended so.
        wr_id: u64,
        /// How.
        status: String,
        /// Work requests that all endpoints took.
        taken: usize,
        /// Of these, completed well.
        completed: usize,
        /// Of these, ended with an error.
        failed: usize,
        /// Posted receives that ended with an error.
        receives: usize,
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
        /// Who.
        side: String,
        /// Bytes.
        trespasses: usize,
    },
    /// A core's own errors.
    #[error("the {side} reported {errors} errors of messages or memory")]
    Core {
        /// Who.
        side: String,
        /// How many.
        errors: u64,
    },
    /// The run failed after a block had answered otherwise than the model: most likely for that reason.
    #[error("{then}; before, a block of the {side} differed from the model: {difference}")]
    Differs {
        /// Who.
        side: String,
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
            | Self::Address { cycle, .. }
            | Self::Violation { cycle, .. }
            | Self::Completion { cycle, .. }
            | Self::Ended { cycle, .. }
            | Self::Stalled { since: cycle, .. } => Some(*cycle),
            Self::Differs { difference, .. } => Some(difference.cycle.max(0) as u64),
            Self::Trespass { .. } | Self::Core { .. } | Self::Observer(_) => None,
        }
    }
}
