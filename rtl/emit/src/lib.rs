//! Exact-width Verilog-2005 from unmodified rust-hdl blocks, and the primitives to build them from.
//!
//! rust-hdl's simulation is the meaning of a block; the emitted text means the same, bit for bit, or
//! the block is refused with an error that says where.

mod emitter;
mod expr;
mod netlist;
pub mod prims;
mod stmt;

pub use emitter::Emitter;
pub use netlist::{EmitError, Module, Netlist};
