//! The sender of section 5 of docs/protocol.md, one file per block.

pub mod ack_in;
pub mod build;
pub mod cpl;
pub mod framer;
pub mod msg;
pub mod path;
pub mod probe;
pub mod rows;
pub mod rto;
pub mod sched;
pub mod wqe;
