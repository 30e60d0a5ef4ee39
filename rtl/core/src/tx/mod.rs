//! Transmit side.

pub mod path;
