//! Verilog text.
mod comb;
mod expr;
mod module;
mod ports;
mod sink;
mod wrap;

pub(crate) use module::{custom_module, kernel_module, MODULE};
