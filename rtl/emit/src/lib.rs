//! Exact-width Verilog-2005 from unmodified rust-hdl blocks, and the primitives to build them from.
//!
//! rust-hdl's simulation is the meaning of a block. The emitted text means the same, bit for bit, or the
//! block is refused with an error that names the instance, the signal, the statement and the reason.
//!
//! ```
//! use heddle_emit::{prims::Skid, Emitter};
//! use rust_hdl::prelude::*;
//!
//! let mut uut = Skid::<Bits<8>>::default();
//! uut.connect_all();
//! let netlist = Emitter::new().top("skid", &uut, &[("in_data", "s_data")])?;
//! assert!(netlist.text().contains("module skid ("));
//! # Ok::<(), heddle_emit::EmitError>(())
//! ```
//!
//! # What a kernel may say
//!
//! Whatever rust-hdl translates, under these rules, each with its own [`Reason`] when it is broken:
//!
//! - Every output, Local and child input is assigned on every path, and before it is read. Defaults first.
//! - The input of a child, a register's `d` among them, is not read.
//! - Operands have the same width; literals and constant indices fit. rust-hdl would panic at run time.
//! - Widths are in the syntax tree: no `signed_bit_cast` inside another cast, no operator on bare literals.
//! - Array indices are literals and loop indices; loop indices do not have the names of signals.
//! - A Rust constant is a `Constant` field; one computed in steps is computed in Rust.
//! - Registers are clocked by a plain signal. Ports have one direction.
//!
//! What the syntax tree does not show is found in the source: see the module `source`, feature `source`.
//!
//! # How it works
//!
//! `design` collects the instance tree through rust-hdl's probe; `lower` turns each kernel into expressions
//! of exact width (`ir`); `module` names nets and checks assignments; `plan` decides what is clocked, what is
//! an `assign` and what shares an `always @(*)`; `print` writes it.

mod design;
#[cfg(feature = "diff")]
pub mod diff;
mod emitter;
mod error;
mod ir;
mod lower;
mod module;
mod netlist;
mod plan;
pub mod prims;
mod print;
#[cfg(feature = "source")]
pub mod source;

pub use design::ModuleName;
pub use emitter::Emitter;
pub use error::{EmitError, Reason};
pub use netlist::{Module, Netlist};
#[cfg(feature = "source")]
pub use source::{check_source, check_source_dir, SourceError};
