//! The Heddle transport core in rust-hdl.

/// In a kernel, text for the emitted module (`module NAME` as the first statement names it); nothing in Rust.
macro_rules! comment {
    ($text:literal) => {};
}

pub mod blocks;
pub mod bus;
pub mod config;
pub mod csr;
pub mod designs;
pub mod generated;
pub mod icrc;
pub mod rx;
pub mod top;
pub mod tx;
