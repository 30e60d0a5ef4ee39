//! Receive verdict: joins each frame with what the path engine decided, in order.
//!
//! Mirrors the RTL block `rx_verdict`; docs/blocks/rx-verdict.md has ports and latency.

use super::path::RxClass;
use heddle_wire::DropReason;
use std::collections::VecDeque;

/// What kind of frame waits for its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Dropped before the path engine.
    Drop(u8),
    /// A DATA packet in the path engine, with the fault it was handed (0 = none).
    Data(u8),
    /// An ACK.
    Ack,
    /// A PROBE.
    Probe,
}

/// What becomes of a frame's payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// To memory.
    Place,
    /// To the acknowledgements.
    Ack,
    /// Skipped; no drop is counted.
    Skip,
    /// Skipped, and counted under this reason.
    Drop(u8),
}

/// The block. `T` goes with a frame.
#[derive(Clone, Debug)]
pub struct Verdict<T> {
    order: VecDeque<(Waiting, T)>,
    verdicts: VecDeque<RxClass>,
}

impl<T> Default for Verdict<T> {
    fn default() -> Self {
        Self { order: VecDeque::new(), verdicts: VecDeque::new() }
    }
}

impl<T> Verdict<T> {
    /// A frame enters the order.
    pub fn on_order(&mut self, waiting: Waiting, with: T) {
        self.order.push_back((waiting, with));
    }

    /// The path engine's verdict on the next DATA packet.
    pub fn on_verdict(&mut self, class: RxClass) {
        self.verdicts.push_back(class);
    }

    /// The next frame's outcome, once it is known.
    pub fn next_outcome(&mut self) -> Option<(Outcome, T)> {
        let outcome = match self.order.front()?.0 {
            Waiting::Drop(reason) => Outcome::Drop(reason),
            Waiting::Ack => Outcome::Ack,
            Waiting::Probe => Outcome::Skip,
            Waiting::Data(fault) => match self.verdicts.pop_front()? {
                RxClass::Accept => Outcome::Place,
                RxClass::Duplicate => Outcome::Drop(DropReason::Duplicate as u8),
                RxClass::OutOfWindow => Outcome::Drop(DropReason::OutOfWindow as u8),
                RxClass::Fault => Outcome::Drop(fault),
            },
        };
        self.order.pop_front().map(|(_, with)| (outcome, with))
    }
}
