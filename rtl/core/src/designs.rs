//! The designs that the testbench verilates: each block alone, one line per block, and the core.

use heddle_emit::Netlist;

/// A design, ready to be written to files or verilated.
#[derive(Clone, Debug)]
pub struct Design {
    /// Name of the top module, in snake_case; the testbench's type has it in upper camel case.
    pub name: String,
    /// Its modules.
    pub netlist: Netlist,
    /// Internal signals that the testbench reads.
    pub probes: Vec<Probe>,
    /// Simulated for long: compiled for run time rather than for build time.
    pub hot: bool,
}

impl Design {
    /// A design without probes.
    pub fn new(name: impl Into<String>, netlist: Netlist) -> Self {
        Self { name: name.into(), netlist, probes: Vec::new(), hot: false }
    }

    /// With `signal` readable in every instance of `module`.
    pub fn probe(mut self, module: &str, signal: &str) -> Self {
        self.probes.push(Probe { module: module.into(), signal: signal.into() });
        self
    }

    /// Marked as simulated for long.
    pub fn hot(mut self) -> Self {
        self.hot = true;
        self
    }
}

/// An internal signal made readable in simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Module that declares it.
    pub module: String,
    /// Its name.
    pub signal: String,
}

/// Every design, blocks first.
pub fn designs() -> Vec<Design> {
    Vec::new()
}
