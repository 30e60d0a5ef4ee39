//! The sender of section 5 of the protocol, one file per block.

pub mod path;
pub mod rto;
