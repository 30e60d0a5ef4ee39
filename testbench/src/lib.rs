//! RTL against golden model: differential, lockstep, pair and whole-core co-simulation.
//!
//! [`duts`] has one Rust type per Verilated design, with a typed accessor per port; [`Dut`] is what they
//! share. [`lockstep`] drives a design with random transactions and compares what it answers with the
//! model. `docs/testbench.md` shows how a block's test is written, replayed and looked at.

pub mod bits;
pub mod capture;
pub mod cosim;
pub mod dut;
pub mod duts;
pub mod frames;
pub mod host;
pub mod link;
pub mod lockstep;
pub mod monitors;
pub mod placed;
pub mod rows;
pub mod signal;
pub mod tx_rows;
pub mod vectors;
pub mod views;
pub mod wave;
pub mod wide;

pub use dut::{Dut, PortInfo};
