//! Differential test of any block: rust-hdl's own simulation against the emitted Verilog in Icarus and in
//! Verilator (feature `diff`).
//!
//! ```no_run
//! use heddle_emit::diff::{seed, Diff};
//! # use heddle_emit::prims::Skid;
//! # use rust_hdl::prelude::*;
//! let report = Diff::new("skid", seed(1))
//!     .clocked(2_000, Skid::<Bits<8>>::default(), |u| &mut u.clk, |u, stimuli, cycle| {
//!         u.rst.next = cycle < 2;
//!         u.in_valid.next = stimuli.bit();
//!         u.in_data.next = stimuli.bits();
//!         u.out_ready.next = stimuli.bit();
//!     })
//!     .unwrap();
//! assert_eq!(report.vectors, 3 * 2_000 + 1);
//! ```
//!
//! The stimuli are driven while the clock is low; inputs and outputs are recorded after every change of an
//! input and every clock edge. The text is also linted: Verilator and Icarus, `-Wall`, no message allowed.
mod bench;
mod error;
mod record;
mod runtime;
mod stimuli;
mod tools;

pub use error::{DiffError, Mismatch};
pub use stimuli::{seed, Stimuli};
pub use tools::{lint, Simulator};

use crate::{Emitter, Netlist};
use rust_hdl::prelude::{Block, Clock, In, Signal};

/// What was compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Vectors, each compared in both simulators.
    pub vectors: usize,
    /// Output ports compared in each vector.
    pub outputs: usize,
    /// The emission compared.
    pub netlist: Netlist,
}

/// One differential test.
#[derive(Debug, Clone)]
pub struct Diff {
    name: String,
    seed: u64,
    renames: Vec<(String, String)>,
    simulators: Vec<Simulator>,
    lint: bool,
}

impl Diff {
    /// A test of a block that is emitted as module `name`.
    pub fn new(name: &str, seed: u64) -> Self {
        let simulators = vec![Simulator::Icarus, Simulator::Verilator];
        Self { name: name.to_string(), seed, renames: vec![], simulators, lint: true }
    }

    /// Port renames, as for [`Emitter::top`].
    pub fn renames(mut self, renames: &[(&str, &str)]) -> Self {
        self.renames = renames.iter().map(|(from, to)| (from.to_string(), to.to_string())).collect();
        self
    }

    /// Compares with these simulators only; Verilator takes seconds to build.
    pub fn simulators(mut self, simulators: &[Simulator]) -> Self {
        self.simulators = simulators.to_vec();
        self
    }

    /// Compares without Verilator's lint, which (rightly) reports comparisons that cannot come out otherwise,
    /// such as random kernels have.
    pub fn without_lint(mut self) -> Self {
        self.lint = false;
        self
    }

    /// Drives a block with one clock for `cycles` cycles: `3 * cycles + 1` vectors.
    ///
    /// # Errors
    /// When the block is refused, a tool complains or the values differ.
    pub fn clocked<B: Block>(
        self,
        cycles: usize,
        uut: B,
        clock: fn(&mut B) -> &mut Signal<In, Clock>,
        mut drive: impl FnMut(&mut B, &mut Stimuli, usize),
    ) -> Result<Report, DiffError> {
        let mut stimuli = Stimuli::new(self.seed);
        self.compare(uut, |uut, record| {
            record.vector(uut)?;
            for cycle in 0..cycles {
                clock(uut).next = false.into();
                record.vector(uut)?;
                drive(uut, &mut stimuli, cycle);
                record.vector(uut)?;
                clock(uut).next = true.into();
                record.vector(uut)?;
            }
            Ok(())
        })
    }

    /// Drives a block without state with `vectors` inputs: `vectors + 1` vectors.
    ///
    /// # Errors
    /// When the block is refused, a tool complains or the values differ.
    pub fn combinational<B: Block>(
        self,
        vectors: usize,
        uut: B,
        mut drive: impl FnMut(&mut B, &mut Stimuli, usize),
    ) -> Result<Report, DiffError> {
        let mut stimuli = Stimuli::new(self.seed);
        self.compare(uut, |uut, record| {
            record.vector(uut)?;
            for vector in 0..vectors {
                drive(uut, &mut stimuli, vector);
                record.vector(uut)?;
            }
            Ok(())
        })
    }

    fn compare<B: Block>(
        self,
        mut uut: B,
        run: impl FnOnce(&mut B, &mut record::Record) -> Result<(), DiffError>,
    ) -> Result<Report, DiffError> {
        uut.connect_all();
        let renames: Vec<_> = self.renames.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
        let netlist = Emitter::new().top(&self.name, &uut, &renames)?;
        let mut record = record::Record::new(&uut, self.seed, &renames);
        run(&mut uut, &mut record)?;
        let scratch = tempfile::Builder::new().prefix(&format!("diff-{}-", self.name)).tempdir()?;
        let files = bench::write(scratch.path(), &self.name, &netlist, &record)?;
        let checked = tools::check(&files, &record, &self.simulators, self.lint);
        if let Err(error) = checked {
            // The files explain the failure: keep them.
            let _ = scratch.keep();
            return Err(error);
        }
        Ok(Report { vectors: record.vectors(), outputs: record.outputs(), netlist })
    }
}
