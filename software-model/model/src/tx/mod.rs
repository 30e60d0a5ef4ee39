//! The sender of section 5 of the protocol, one file per block.

pub mod ack_in;
pub mod arrivals;
pub mod budget;
pub mod build;
pub mod cc;
pub mod congested;
pub mod cpl;
pub mod framer;
pub mod msg;
pub mod pace;
pub mod path;
pub mod probe;
pub mod reorder;
pub mod reset;
pub mod respond;
pub mod route;
pub mod rto;
pub mod sched;
pub mod telemetry;
pub mod wqe;
