//! A block's test: stimulus around a monitor.

use super::monitor::Monitor;
use super::seeds;
use super::stall::{Pace, Stall};
use crate::dut::Dut;
use rand_chacha::ChaCha8Rng;

/// The stimulus of one block.
///
/// In every cycle the harness calls `drive`, settles the logic, samples `ports`, shows them to the monitor and to
/// `settle`, and ends the cycle with a clock edge.
pub trait Bench: Sized {
    /// The Verilated block.
    type Dut: Dut;
    /// The model's side.
    type Monitor: Monitor;
    /// Whether runs with resets at random cycles are part of the matrix.
    const RESETS: bool = false;

    /// A stimulus that sends `setup.transactions` requests.
    fn new(setup: &Setup) -> Self;

    /// A monitor for a block after power-on and reset.
    fn monitor(setup: &Setup) -> Self::Monitor;

    /// Sets every input of this cycle. The monitor's model may guide what is sent.
    fn drive(&mut self, dut: &mut Self::Dut, monitor: &Self::Monitor);

    /// Reads every link.
    fn ports(dut: &Self::Dut) -> <Self::Monitor as Monitor>::Ports;

    /// Learns what crossed.
    fn settle(&mut self, ports: &<Self::Monitor as Monitor>::Ports);

    /// Every request was taken.
    fn done(&self) -> bool;

    /// The block was reset: offers are withdrawn.
    fn reset(&mut self) {}
}

/// One run: a seed, a pair of patterns, and how much to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Seed of everything random in the run.
    pub seed: u64,
    /// Pattern of the sources.
    pub idle: Stall,
    /// Pattern of the sinks.
    pub back: Stall,
    /// Resets at random cycles.
    pub resets: bool,
    /// Requests to send.
    pub transactions: u64,
}

impl Setup {
    /// The random generator `name` of this run, independent of those with other names.
    pub fn rng(&self, name: &str) -> ChaCha8Rng {
        seeds::rng(self.seed, name)
    }

    /// Idle cycles of the source `name`.
    pub fn idle(&self, name: &str) -> Pace {
        Pace::new(self.idle, seeds::rng(self.seed, &format!("idle {name}")))
    }

    /// Cycles in which the sink `name` is ready.
    pub fn back(&self, name: &str) -> Pace {
        Pace::new(self.back, seeds::rng(self.seed, &format!("back {name}")))
    }
}
