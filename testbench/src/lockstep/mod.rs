//! Lockstep: a Verilated block and the model's block, fed with the same transactions, must answer alike.
//!
//! - A [`Monitor`] watches the links of a block. It feeds the model with the transactions that the RTL *accepts*, in
//!   that order, queues what the model answers and compares it, in order, with what the RTL answers. Timing is not
//!   compared. What the RTL puts out never reaches the model.
//! - A [`Bench`] is a monitor and a stimulus around one block: [`matrix`] runs it under every pair of idle and
//!   backpressure patterns ([`Stall`]), for every seed.
//! - [`Watch`] runs the same monitor on probes of a whole core, [`Watchers`] all of them.
//!
//! On every link the handshake is checked: once `valid`, it stays, with its payload, until `ready`. At the end
//! nothing may be left in a queue, and every request is answered or explained: sent = compared + reasons.
//! `docs/testbench.md` has an example.

mod bench;
mod channel;
mod check;
mod driver;
mod failure;
mod lazy;
mod link;
mod monitor;
mod run;
mod seeds;
mod stall;
mod watchers;

pub use bench::{Bench, Setup};
pub use channel::{Channel, Input, Output};
pub use check::{Check, Mismatch};
pub use driver::Driver;
pub use failure::Failure;
pub use link::Link;
pub use monitor::{Monitor, Report, Watch, Watcher};
pub(crate) use run::panic_text;
pub use run::{matrix, matrix_with, Plan};
pub use seeds::seeds;
pub use stall::{Pace, Stall};
pub use watchers::{Totals, Watchers};
