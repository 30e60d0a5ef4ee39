//! Monitors of blocks: the model's side of their tests, also for watching them inside of a core.

pub mod icrc;
pub mod parse;
pub mod rx_verdict;
