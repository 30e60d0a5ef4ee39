//! Memory behind the core's AXI4 master: answers in order, after a latency, an error where there is no memory.

use super::pins::{Inputs, Outputs, Word};
use std::collections::VecDeque;

/// What holds the bytes.
pub trait Backing {
    /// Reads a whole beat at an address that is a multiple of its length; false when a byte of it is not there.
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool;
    /// Writes the bytes of a beat whose bit in `strobe` is set; false when one of them is not there.
    fn write(&mut self, address: u64, bytes: &[u8], strobe: u64) -> bool;
}

/// How long memory takes, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxiLatency {
    /// From a read address to its first beat.
    pub read: u64,
    /// From a burst's last beat to its answer.
    pub write: u64,
}

impl Default for AxiLatency {
    /// A DDR controller's: 40 and 20.
    fn default() -> Self {
        Self { read: 40, write: 20 }
    }
}

const OKAY: u8 = 0;
const DECODE_ERROR: u8 = 3;

struct Burst {
    address: u64,
    left: u64,
    at: u64,
}

pub(super) struct AxiMemory<W, M> {
    memory: M,
    latency: AxiLatency,
    now: u64,
    reads: VecDeque<Burst>,
    writes: VecDeque<Burst>,
    data: VecDeque<(W, u64, bool)>,
    good: bool,
    answers: VecDeque<(u64, u8)>,
    bytes: Vec<u8>,
}

impl<W: Word, M: Backing> AxiMemory<W, M> {
    pub fn new(memory: M, latency: AxiLatency) -> Self {
        Self {
            memory,
            latency,
            now: 0,
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            data: VecDeque::new(),
            good: true,
            answers: VecDeque::new(),
            bytes: Vec::with_capacity(W::BYTES),
        }
    }

    pub fn memory(&self) -> &M {
        &self.memory
    }

    pub fn drive(&mut self, inputs: &mut Inputs<W>) {
        (inputs.aw_ready, inputs.w_ready, inputs.ar_ready) = (true, true, true);
        let answer = self.answers.front().filter(|(at, _)| *at <= self.now);
        inputs.b_valid = answer.is_some();
        inputs.b_resp = answer.map_or(OKAY, |(_, resp)| *resp);
        let burst = self.reads.front().filter(|burst| burst.at <= self.now);
        inputs.r_valid = burst.is_some();
        if let Some(burst) = burst {
            self.bytes.clear();
            self.bytes.resize(W::BYTES, 0);
            let there = self.memory.read(burst.address, &mut self.bytes);
            inputs.r_data = W::from_bytes(&self.bytes);
            inputs.r_resp = if there { OKAY } else { DECODE_ERROR };
            inputs.r_last = burst.left == 1;
        }
    }

    pub fn crossed(&mut self, inputs: &Inputs<W>, outputs: &Outputs<W>) {
        let beat = W::BYTES as u64;
        if inputs.r_valid && outputs.r_ready {
            let burst = self.reads.front_mut().expect("a beat is of a burst");
            burst.left -= 1;
            burst.address = burst.address.wrapping_add(beat);
            if burst.left == 0 {
                self.reads.pop_front();
            }
        }
        if inputs.b_valid && outputs.b_ready {
            self.answers.pop_front();
        }
        if outputs.ar_valid {
            let (address, left) = (outputs.ar_addr & !(beat - 1), u64::from(outputs.ar_len) + 1);
            self.reads.push_back(Burst { address, left, at: self.now + self.latency.read });
        }
        if outputs.aw_valid {
            let (address, left) = (outputs.aw_addr & !(beat - 1), u64::from(outputs.aw_len) + 1);
            self.writes.push_back(Burst { address, left, at: 0 });
        }
        if outputs.w_valid {
            self.data.push_back((outputs.w_data, outputs.w_strb, outputs.w_last));
        }
        self.write();
        self.now += 1;
    }

    /// Data may come before their address.
    fn write(&mut self) {
        while let (Some(burst), Some(&(data, strobe, last))) = (self.writes.front_mut(), self.data.front()) {
            self.data.pop_front();
            self.bytes.clear();
            data.put(&mut self.bytes);
            self.good &= self.memory.write(burst.address, &self.bytes, strobe);
            burst.left -= 1;
            burst.address = burst.address.wrapping_add(W::BYTES as u64);
            assert_eq!(last, burst.left == 0, "the last beat of a write burst is marked as such");
            if last {
                let resp = if self.good { OKAY } else { DECODE_ERROR };
                self.answers.push_back((self.now + self.latency.write, resp));
                self.good = true;
                self.writes.pop_front();
            }
        }
    }
}
