//! The fabric: many endpoints of the golden model, and of the transports that they are compared with, on a simulated network.
//!
//! Discrete events, integer time, the same result for the same seed.

pub mod capture;
pub mod endpoint;
pub mod events;
pub mod fabric;
pub mod heddle;
mod memory;
pub mod outcome;
pub mod packet;
pub mod plan;
pub mod report;
pub mod run;
pub mod seed;
pub mod sweep;
pub mod time;
pub mod traffic;
pub mod transports;
pub mod units;
pub mod world;
