//! Frames as beats: the MAC's side of both streams.

use super::pins::{Inputs, Outputs, Word};
use std::collections::VecDeque;

/// A frame that has left the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gathered {
    /// Plane.
    pub plane: u8,
    /// Bytes, without FCS.
    pub bytes: Vec<u8>,
    /// The core's cycle of its first beat.
    pub began: u64,
}

/// Frames to the core.
pub(super) struct Transmitter<W> {
    beats: VecDeque<(W, u64, bool, u8)>,
    offered: bool,
}

impl<W> Default for Transmitter<W> {
    fn default() -> Self {
        Self { beats: VecDeque::new(), offered: false }
    }
}

impl<W: Word> Transmitter<W> {
    pub fn push(&mut self, plane: u8, frame: &[u8]) {
        let count = frame.len().div_ceil(W::BYTES);
        for (n, bytes) in frame.chunks(W::BYTES).enumerate() {
            let keep = u64::MAX >> (64 - bytes.len());
            self.beats.push_back((W::from_bytes(bytes), keep, n + 1 == count, plane));
        }
    }

    pub fn is_busy(&self) -> bool {
        !self.beats.is_empty()
    }

    pub fn drive(&mut self, inputs: &mut Inputs<W>) {
        inputs.rx_valid = !self.beats.is_empty();
        if let Some(&(data, keep, last, plane)) = self.beats.front() {
            (inputs.rx_data, inputs.rx_keep, inputs.rx_last, inputs.rx_dest) = (data, keep, last, plane);
        }
        self.offered = inputs.rx_valid;
    }

    pub fn crossed(&mut self, outputs: &Outputs<W>) {
        if self.offered && outputs.rx_ready {
            self.beats.pop_front();
        }
    }
}

/// Frames from the core.
#[derive(Default)]
pub(super) struct Receiver {
    frame: Option<Gathered>,
    whole: VecDeque<Gathered>,
}

impl Receiver {
    pub fn take(&mut self) -> Option<Gathered> {
        self.whole.pop_front()
    }

    /// # Panics
    /// When a frame that has begun has a gap: the MAC would have to abort it.
    pub fn crossed<W: Word>(&mut self, cycle: u64, inputs: &Inputs<W>, outputs: &Outputs<W>) {
        assert!(outputs.tx_valid || self.frame.is_none(), "cycle {cycle}: a gap in a frame");
        if !(outputs.tx_valid && inputs.tx_ready) {
            return;
        }
        let plane = outputs.tx_dest;
        let frame = self.frame.get_or_insert_with(|| Gathered {
            plane,
            bytes: Vec::with_capacity(2048),
            began: cycle,
        });
        outputs.tx_data.put(&mut frame.bytes);
        if outputs.tx_last {
            let missing = W::BYTES - outputs.tx_keep.count_ones() as usize;
            frame.bytes.truncate(frame.bytes.len() - missing);
            self.whole.extend(self.frame.take());
        }
    }
}
