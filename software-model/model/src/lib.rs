//! The bit-accurate golden model of the Heddle transport: integer, sans-IO, time as an argument.
//!
//! One file per block, at the same path as the block in the RTL. The contract is docs/protocol.md; serial numbers, flags
//! and vectors are those of the wire format.

#[cfg(test)]
extern crate self as heddle_model;

pub mod core;
pub mod csr;
pub mod icrc;
pub mod lfsr;
pub mod map;
pub mod memory;
pub mod operations;
pub mod rx;
pub mod tx;

pub use heddle_wire::{Flag, Flags, Psn, Time32};
