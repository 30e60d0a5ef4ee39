//! RoCEv2, reliable connection, as it is deployed.
//!
//! - A connection has `qps` queue pairs, a source port each, drawn at its set-up; with several planes they
//!   are dealt out in turn.
//! - A queue pair's packets keep their order. What is lost is found by the gap that it leaves (one NAK per
//!   gap) or by the timer, and everything from it on is sent again.
//! - A plane whose carrier is lost loses its queue pairs to the others, as with bonding, until it is back. Of
//!   a failure elsewhere nothing is known: the timer runs out `retries` times, then the queue pair is in
//!   error, its messages have failed, and it drops whatever comes.
//! - Rates: line rate, or [`super::dcqcn`] for what has payload, answers to READs included.
//!
//! Not here: RNR NAKs (the receiver always has buffers), atomics, SEND, the slow restart and the selective
//! repeat of particular NICs.

mod body;
mod host;
mod qp;
mod requester;
mod responder;
mod settings;
#[cfg(test)]
mod tests;

pub use body::{RoceBody, What, Write};
pub use host::Roce;
pub use settings::RoceSettings;
