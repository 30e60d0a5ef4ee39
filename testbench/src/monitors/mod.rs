//! Monitors of blocks: the model's side of their tests, also for watching them inside of a core.
//!
//! Each has `Ports`, what its links show in one cycle, and `Ports::sample`, which reads them from a view of
//! the block: the design alone, or an instance inside a core ([`crate::views`]).

pub mod core;
pub mod icrc;
pub mod parse;
pub mod rx_access;
pub mod rx_ack;
pub mod rx_ack_build;
pub mod rx_conn;
pub mod rx_hold;
pub mod rx_msg;
pub mod rx_path;
pub mod rx_place;
pub mod rx_verdict;
pub mod tx_ack_in;
pub mod tx_build;
pub mod tx_cpl;
pub mod tx_framer;
pub mod tx_msg;
pub mod tx_path;
pub mod tx_probe;
pub mod tx_rto;
pub mod tx_sched;
pub mod tx_wqe;
