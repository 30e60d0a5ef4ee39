//! Build-script support: Verilog in, Rust accessors over Verilator models out.
//!
//! [`build`] writes each [`Source`] into the output folder, has Verilator turn it into C++, compiles that as one
//! file, and generates a Rust type with a typed accessor per port and per probe. A content stamp keeps what did
//! not change. [`mutate`] makes operator mutants, which show whether a block's tests would see a fault.
//!
//! The runtime (context, waveforms) is the crate `verilated`; docs/decisions/0002-verilated-as-runtime.md says
//! what is used of it and why the accessors are our own.

mod accessors;
mod compile;
mod header;
mod models;
pub mod mutant;
pub mod mutate;
mod shim;
mod views;

pub use compile::runtime_extras;
pub use header::{Port, ProbePort};
pub use models::build;

use std::path::PathBuf;

/// One design to verilate.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name of the top module, also of the generated type (in upper camel case).
    pub name: String,
    /// Every module, as (name, Verilog text); each becomes one file.
    pub modules: Vec<(String, String)>,
    /// Internal signals to make readable.
    pub probes: Vec<Probe>,
    /// Ports, of the top module or of an instance inside, that are read as those of another design.
    pub views: Vec<View>,
    /// Compile for run time rather than for build time: for the designs that run for long.
    pub hot: bool,
    /// Set when a module was mutated on purpose: Verilator's lint is then not an error.
    pub mutated: bool,
}

impl Source {
    /// A design whose top module has its name, without probes.
    pub fn new(name: impl Into<String>, modules: Vec<(String, String)>) -> Self {
        Self { name: name.into(), modules, probes: Vec::new(), views: Vec::new(), hot: false, mutated: false }
    }
}

/// An internal signal that the testbench reads: `signal` in every instance of `module`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Module that declares the signal.
    pub module: String,
    /// Name of the signal.
    pub signal: String,
}

/// An instance whose ports have the names of those of the design `of`, whatever their widths: the generated view
/// of it implements that design's trait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// What the design's type calls it: `view_<name>()`. Not used for the top module itself.
    pub name: String,
    /// Instance names from the top module down, joined by dots; empty for the top module itself.
    pub instance: String,
    /// Name of the design.
    pub of: String,
}

/// Why a design could not be built.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Verilator is not on the path.
    #[error(
        "cannot run `{tool}`: install Verilator 5 (Debian: `apt-get install verilator`) or set VERILATOR"
    )]
    Missing {
        /// The program that was tried.
        tool: String,
    },
    /// Verilator refused the design; its own words follow.
    #[error("verilator refuses `{design}`:\n{output}")]
    Refused {
        /// Top module.
        design: String,
        /// What Verilator wrote.
        output: String,
    },
    /// The C++ compiler failed.
    #[error("the C++ of `{design}` does not compile: {source}")]
    Compile {
        /// Top module.
        design: String,
        /// What the compiler driver said.
        source: cc::Error,
    },
    /// A probe names a signal that the design does not have.
    #[error("`{design}` has no signal `{signal}` in a module `{module}` to probe")]
    Probe {
        /// Top module.
        design: String,
        /// The probe's module.
        module: String,
        /// The probe's signal.
        signal: String,
    },
    /// A view names an instance that the design does not have.
    #[error("`{design}` has no instance `{instance}` to view")]
    Instance {
        /// Top module.
        design: String,
        /// The instance's path.
        instance: String,
    },
    /// A view names a design that is not built.
    #[error("`{instance}` in `{design}` is to be viewed as `{of}`, which is no design")]
    NoView {
        /// Top module.
        design: String,
        /// The instance's path.
        instance: String,
        /// What it is viewed as.
        of: String,
    },
    /// A viewed instance lacks a port.
    #[error("`{instance}` in `{design}` is viewed as `{of}`, but has no port `{port}`")]
    View {
        /// Top module.
        design: String,
        /// The instance's path, empty for the top module.
        instance: String,
        /// What it is viewed as.
        of: String,
        /// The port that it lacks.
        port: String,
    },
    /// Verilator's header has a line of a form that is not known.
    #[error("in the generated files of `{design}`, not understood: {line}")]
    Header {
        /// Top module.
        design: String,
        /// The line.
        line: String,
    },
    /// The requested mutant does not exist.
    #[error("HEDDLE_MUTANT={request}: {reason}")]
    Mutant {
        /// The value of the variable.
        request: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}
