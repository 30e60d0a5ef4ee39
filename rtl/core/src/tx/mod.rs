//! The sender of section 5 of docs/protocol.md, one file per block.

pub mod path;
pub mod rows;
pub mod sched;
