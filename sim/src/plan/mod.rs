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

use error::Origin;

/// Points that a refusal names.
const NAMED: usize = 8;

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

    /// Keeps one of its points, and of its targets those that speak of that point alone.
    ///
    /// # Errors
    /// When no point has this name.
    pub fn choose(&mut self, name: &str) -> Result<(), PlanError> {
        let Some(at) = self.points.iter().position(|point| point.name() == name) else {
            let mut names: Vec<_> = self.points.iter().map(Point::name).take(NAMED).collect();
            if self.points.len() > NAMED {
                names.push("..");
            }
            let origin = Origin { source: format!("--point {name}"), line: 0 };
            let message = format!("no point of the plan is called so: those are {}", names.join(", "));
            return Err(PlanError { origin, key: String::new(), message });
        };
        self.points = vec![self.points.swap_remove(at)];
        self.targets.retain(|target| target.speaks_of(&self.points));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
