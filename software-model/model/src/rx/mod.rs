//! The receiver of section 4 of the protocol, one file per block.

pub mod ack;
pub mod path;
