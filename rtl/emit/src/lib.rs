//! Exact-width Verilog-2005 from unmodified rust-hdl blocks, and the primitives to build them from.
//!
//! rust-hdl's simulation is the meaning of a block; the emitted text means the same, bit for bit, or
//! the block is refused with an error that says where.

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

pub use design::ModuleName;
pub use emitter::Emitter;
pub use error::{EmitError, Reason};
pub use netlist::{Module, Netlist};
