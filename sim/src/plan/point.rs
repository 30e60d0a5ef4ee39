//! A run, checked: nothing in it contradicts anything else in it.

mod fabric;
mod traffic;

pub use fabric::{Background, Ecn, Fabric, Fault, Loss, Pfc, Shape, Switch, Where};
pub use traffic::{TraceMessage, Traffic, Transport, Workload};

use super::settings::Settings;
use crate::time::Ps;
use std::ops::Deref;

/// One run of a plan. Only a plan makes it, so what it says can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub(super) name: String,
    pub(super) sweep: String,
    pub(super) variant: String,
    pub(super) axes: Vec<(String, String)>,
    pub(super) settings: Settings,
    pub(super) run: Run,
}

impl Point {
    /// Its name, which no other point of the plan has: sweep and axes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The sweep that it is of.
    pub fn sweep(&self) -> &str {
        &self.sweep
    }

    /// Name of the variant, else of the transport: what a legend says.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// Key and value of each axis of its sweep.
    pub fn axes(&self) -> &[(String, String)] {
        &self.axes
    }

    /// What the plan said, with everything that it left open.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Hosts whose ports take in what is moved.
    pub fn receivers(&self) -> u32 {
        match self.traffic.workload {
            Workload::Incast { .. } => 1,
            Workload::Reads { readers, .. } => readers,
            Workload::RingAllReduce { hosts, .. }
            | Workload::TreeAllReduce { hosts, .. }
            | Workload::AllToAll { hosts, .. }
            | Workload::Permutation { hosts, .. } => hosts,
            Workload::Trace(_) => self.fabric.hosts,
        }
    }

    /// Name of a switch, by its number in its plane: what a fault would call it.
    pub fn switch_name(&self, number: u32) -> String {
        super::check::switch_name(&self.fabric, number)
    }

    /// The value of a key like `topology.hosts`, as text; `None` where it is not set or no single value.
    pub fn setting(&self, key: &str) -> Option<String> {
        super::target::setting(&self.settings, key)
    }

    /// A point of text, like the base of a plan: for tests and programs.
    ///
    /// # Errors
    /// What a plan would be refused for.
    pub fn parse(text: &str) -> Result<Self, super::PlanError> {
        super::expand::single(text)
    }
}

impl Deref for Point {
    type Target = Run;
    fn deref(&self) -> &Run {
        &self.run
    }
}

/// What is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Everything random follows from it.
    pub seed: u64,
    /// When a run that is not done is ended.
    pub end: Ps,
    /// Width of the steps in which things are recorded over time.
    pub interval: Ps,
    /// Hosts and switches.
    pub fabric: Fabric,
    /// What switches do.
    pub switch: Switch,
    /// What cables lose.
    pub loss: Loss,
    /// What fails, in the order of the plan.
    pub faults: Vec<Fault>,
    /// Traffic that is none of the transport's.
    pub background: Option<Background>,
    /// What hosts speak.
    pub transport: Transport,
    /// What they move.
    pub traffic: Traffic,
}
