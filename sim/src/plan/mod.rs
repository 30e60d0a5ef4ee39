//! Plans: what is simulated, as a TOML file says it, checked once and then beyond doubt.
//!
//! A plan has base settings ([`Settings`]), sweeps whose products give the points ([`Point`]), and targets
//! ([`Target`]) that are judged on the outcomes. A key that nobody knows, a value that cannot be or a fault
//! of something that is not there is refused with its file, line and key.

mod builtin;
mod check;
mod error;
mod expand;
mod point;
mod quantity;
mod settings;
mod source;
mod target;
mod tree;

pub(crate) use check::{PATHS, SMALL_PACKETS};
pub(crate) use target::setting;

pub use builtin::{builtin, builtins, Builtin};
pub use error::PlanError;
pub use point::{
    Background, Ecn, Fabric, Fault, Loss, Pfc, Point, Run, Shape, Switch, TraceMessage, Traffic, Transport,
    Where, Workload,
};
pub use quantity::{BitRate, Bytes, Duration, Probability, Ratio};
pub use settings::{LossPlace, Routing, Settings};
pub use source::Source;
pub use target::{Judged, Measure, Target, Want};

/// A plan, ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How it was called.
    pub name: String,
    /// What it shows, one sentence.
    pub about: String,
    /// Its runs, in its order; names differ.
    pub points: Vec<Point>,
    /// What is expected of them.
    pub targets: Vec<Target>,
    /// What it was read from: itself and its parts, and what the command line has set.
    pub texts: Vec<PlanText>,
}

/// A text that a plan was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanText {
    /// How messages call it.
    pub shown: String,
    /// The TOML.
    pub text: String,
}

impl Plan {
    /// Reads a plan; `sets` are `key=value` of the command line, and win over all that the file says.
    ///
    /// # Errors
    /// The first thing that is not understood or cannot be.
    pub fn load(source: &Source, sets: &[String]) -> Result<Self, PlanError> {
        expand::plan(source, sets)
    }
}

#[cfg(test)]
mod tests;
