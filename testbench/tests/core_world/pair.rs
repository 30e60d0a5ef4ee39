//! Two cores, and a wire between them.

use crate::core_world::{Side, BASE};
use heddle_testbench::host::{Clocked, CorePins, Registers};
use heddle_testbench::monitors::core::Core;
use heddle_wire::registers::Counter;
use heddle_wire::setup::Key;
use heddle_wire::{AckForm, Body, Frame, Opcode, ParseConfig, Status, WorkRequest};
use std::collections::BTreeMap;

/// Where the data begin in it: just before a boundary of 4 KiB.
pub const OFFSET: u64 = 4096 - 13;

/// What the wire does to frames.
pub struct Wire {
    /// Every so many-th frame is lost, 0 for none.
    pub lose_every: u64,
}

/// What a run showed.
pub struct Seen {
    /// Transactions inside of both cores that were compared with the model's.
    pub compared: u64,
    /// Requests that the blocks of both cores took, by block.
    pub crossed: BTreeMap<&'static str, u64>,
    /// ACKs sent by both cores, with SACK words and without.
    pub acks: [u64; 2],
    /// Traffic counters of both cores, read over AXI4-Lite.
    traffic: [[u32; 2]; Counter::LIMIT],
}

impl Seen {
    /// A traffic counter of the sender (0) or the receiver (1).
    pub fn counted(&self, counter: Counter, side: usize) -> u32 {
        self.traffic[usize::from(counter.code())][side]
    }
}

/// Cycles within which the message is done.
const PATIENCE: u64 = 4_000_000;
/// Cycles after which nothing is under way any more.
const SILENCE: u64 = 3_000;

/// Two cores.
pub struct Pair<D: CorePins + Core> {
    sides: [Side<D>; 2],
    len: usize,
    wire: Wire,
}

impl<D: CorePins + Core> Pair<D> {
    pub fn new(seed: u32, len: usize, wire: Wire) -> Self {
        let fill =
            |n: usize| (0..len + 16384).map(|i| if n == 0 { (i * 7 + i / 256) as u8 } else { 0 }).collect();
        let sides = [0, 1].map(|n| Side::new(seed + n as u32, n, fill(n)));
        Self { sides, len, wire }
    }

    /// Moves the bytes as one message, and compares everything.
    pub fn run(mut self) -> Seen {
        let key = Key { index: 1, tag: 0xBEEF };
        let request = WorkRequest {
            opcode: Opcode::Write.code(),
            conn: 1,
            stream: 1,
            wr_id: 77,
            local_address: BASE[0] + OFFSET,
            remote_address: BASE[1] + OFFSET + 3,
            length: self.len as u32,
            rkey: u32::from_be_bytes(key.emit()),
            ..WorkRequest::default()
        };
        assert!(self.sides[0].host.submit(&request));
        let (mut frames, mut completed, mut acks) = (0, false, [0; 2]);
        for _ in 0..PATIENCE {
            for n in [0, 1] {
                self.sides[n].clock();
                while let Some(frame) = self.sides[n].host.sent() {
                    frames += 1;
                    count_ack(&frame.bytes, &mut acks);
                    if self.wire.lose_every == 0 || frames % self.wire.lose_every != 0 {
                        self.sides[1 - n].host.deliver(frame.plane, &frame.bytes);
                    }
                }
            }
            if let Some(completion) = self.sides[0].host.completion() {
                assert_eq!((completion.status, completion.wr_id), (Status::Success.code(), 77));
                completed = true;
                break;
            }
        }
        // What is under way then arrives and is answered.
        (0..SILENCE).for_each(|_| self.sides.iter_mut().for_each(Clocked::clock));
        assert!(completed, "no completion after {frames} frames");
        let at = OFFSET as usize;
        let (from, to) = (&self.sides[0].host.memory().bytes, &self.sides[1].host.memory().bytes);
        assert!(from[at..at + self.len] == to[at + 3..at + 3 + self.len], "the bytes are there");
        assert!(to[..at + 3].iter().chain(&to[at + 3 + self.len..]).all(|&byte| byte == 0), "nothing else");
        let traffic = [[0; 2]; Counter::LIMIT];
        let mut seen = Seen { compared: 0, crossed: BTreeMap::new(), acks, traffic };
        for (n, side) in self.sides.iter_mut().enumerate() {
            side.watchers.finish();
            let (totals, reports) = (side.watchers.totals(), side.watchers.reports());
            let wrong: Vec<_> = reports.iter().filter(|report| report.mismatches > 0).collect();
            assert!(wrong.is_empty(), "core {n}: {wrong:#?}");
            reports.iter().for_each(|report| *seen.crossed.entry(report.name).or_default() += report.crossed);
            assert_eq!(totals.crossed, totals.compared + totals.explained, "core {n}");
            seen.compared += totals.compared;
            for counter in Counter::ALL {
                let at = counter.code().into();
                seen.traffic[at as usize][n] = side.read_at("traffic", at).unwrap();
            }
        }
        seen
    }
}

/// Counts an ACK by its form, which is the one that its SACK asks for: the codec writes the same bytes again.
fn count_ack(bytes: &[u8], acks: &mut [u64; 2]) {
    let frame = Frame::parse(bytes, ParseConfig::default()).expect("a frame of a core");
    if let Body::Ack(ack) = &frame.packet.body {
        assert_eq!(frame.emit().expect("it was a frame before"), bytes);
        acks[usize::from(ack.form() == AckForm::NoSack)] += 1;
    }
}
