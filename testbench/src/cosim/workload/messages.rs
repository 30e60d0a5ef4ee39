//! Messages of every kind. WRITE, SEND and READ have a sink of their own, READ a source that nothing changes,
//! atomics a word that one stream alone uses or that everybody only adds to: so what comes of them does not depend
//! on the order of streams.

use super::super::memory::GUARD_BYTE;
use super::super::scenario::Draw;
use super::super::setup::{sender, RECEIVER};
use super::layout::{complement, Layout};
use heddle_wire::queues::WorkFlag;
use heddle_wire::{Opcode, Receive, WorkRequest};
use rand::{Rng, RngCore};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// Most bytes between two places that nothing may touch.
const MAX_GAP: usize = 16;
/// Most slices of a message of awkward size.
const MAX_SLICES: u32 = 12;

/// Bytes of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// All of this size.
    Equal(u64),
    /// None, few, about a slice, some slices.
    Awkward,
}

/// What kinds of messages there are, and how many of each.
pub struct Mix {
    /// Kinds with their weights.
    pub kinds: &'static [(Opcode, u32)],
    /// Bytes of WRITE, SEND and READ.
    pub sizes: Sizes,
    /// Most receives posted at a time, drawn per host.
    pub depth: RangeInclusive<usize>,
    /// 1: the senders ask; 2: the receiver too.
    pub ways: usize,
}

impl Mix {
    /// Lays out so many bytes per sender and way, or a little more.
    pub fn lay_out(&self, layout: &mut Layout<'_>, bytes: u64) {
        // A word that all senders add to.
        let common = layout.place_word(RECEIVER, 1 << 20);
        let mut lists = vec![Vec::new(); layout.scenario().senders() as usize + 1];
        for k in 0..layout.scenario().senders() as usize {
            for way in 0..self.ways {
                let rng = layout.scenario().rng_of(Draw::Messages, 2 * k + way);
                let hosts = if way == 0 { [sender(k), RECEIVER] } else { [RECEIVER, sender(k)] };
                let shared = (way == 0).then_some(common);
                let list = Way::new(layout, rng, hosts, shared).requests(self, bytes);
                lists[hosts[0]].push(VecDeque::from(list));
            }
        }
        for (host, mut lists) in lists.into_iter().enumerate() {
            // Connections of a host by turns.
            while lists.iter().any(|list| !list.is_empty()) {
                for request in lists.iter_mut().filter_map(VecDeque::pop_front) {
                    layout.request(host, request);
                }
            }
        }
    }

    fn kind(&self, rng: &mut ChaCha8Rng) -> Opcode {
        let mut left = rng.gen_range(0..self.kinds.iter().map(|(_, weight)| weight).sum());
        let drawn = self.kinds.iter().find(|(_, weight)| {
            let hit = left < *weight;
            left = left.saturating_sub(*weight);
            hit
        });
        drawn.map_or(Opcode::Write, |(kind, _)| *kind)
    }
}

/// What a stream has used.
#[derive(Clone, Debug, Default)]
struct Stream {
    /// A word of its own at the peer, and what it will hold.
    word: (u64, u64),
    /// Places at the peer that it has written.
    written: Vec<(u64, u32)>,
    /// Own places that it has read to.
    read: Vec<(u64, u32)>,
}

/// Requests of one host to another.
struct Way<'a, 'b> {
    layout: &'a mut Layout<'b>,
    rng: ChaCha8Rng,
    own: usize,
    peer: usize,
    conn: u16,
    streams: Vec<Stream>,
    shared: u64,
    /// Longest SEND so far, and how many receives are needed.
    longest: u32,
    receives: usize,
}

impl<'a, 'b> Way<'a, 'b> {
    fn new(
        layout: &'a mut Layout<'b>,
        mut rng: ChaCha8Rng,
        [own, peer]: [usize; 2],
        shared: Option<u64>,
    ) -> Self {
        let streams = (0..layout.scenario().config().streams()).map(|_| {
            let value = rng.next_u64();
            Stream { word: (layout.place_word(peer, value), value), ..Stream::default() }
        });
        let streams = streams.collect();
        let shared = shared.unwrap_or_else(|| layout.place_word(peer, 1 << 20));
        let conn = layout.connection(own, peer);
        Self { layout, rng, own, peer, conn, streams, shared, longest: 0, receives: 0 }
    }

    fn requests(mut self, mix: &Mix, bytes: u64) -> Vec<WorkRequest> {
        let (mut requests, mut moved) = (Vec::new(), 0);
        while moved < bytes {
            let kind = mix.kind(&mut self.rng);
            let length = match mix.sizes {
                Sizes::Equal(most) => most.min(bytes - moved) as u32,
                Sizes::Awkward => self.awkward(),
            };
            let request = self.message(kind, length, mix.sizes);
            // An empty message is work too.
            moved += u64::from(request.length).max(1);
            requests.push(request);
        }
        if self.receives > 0 {
            self.post(mix);
        }
        requests
    }

    fn awkward(&mut self) -> u32 {
        let slice = self.layout.scenario().config().slice_bytes();
        match self.rng.gen_range(0..6) {
            0 => 0,
            1 => self.rng.gen_range(1..64),
            2 => self.rng.gen_range(slice - 1..=slice + 1),
            3 => self.rng.gen_range(1..=MAX_SLICES) * slice,
            _ => self.rng.gen_range(1..=MAX_SLICES * slice),
        }
    }

    fn message(&mut self, kind: Opcode, length: u32, sizes: Sizes) -> WorkRequest {
        self.gaps();
        let stream = self.rng.gen_range(0..self.streams.len());
        let awkward = sizes == Sizes::Awkward;
        let request = match kind {
            Opcode::ReadReq => self.read(stream, length, awkward),
            Opcode::FetchAdd | Opcode::CmpSwap => self.atomic(stream, kind),
            Opcode::Send | Opcode::SendImm => self.send(length),
            _ => self.write(stream, length, awkward),
        };
        if matches!(kind, Opcode::Send | Opcode::SendImm | Opcode::WriteImm) {
            self.receives += 1;
        }
        let fence = awkward && self.rng.gen_ratio(1, 10);
        let with_imm = matches!(kind, Opcode::WriteImm | Opcode::SendImm);
        WorkRequest {
            opcode: kind.code(),
            flags: request.flags | if fence { FENCE } else { 0 },
            conn: self.conn,
            stream: stream as u8,
            imm: if with_imm { self.rng.next_u32() } else { 0 },
            ..request
        }
    }

    /// Places of two messages do not touch.
    fn gaps(&mut self) {
        for host in [self.own, self.peer] {
            let bytes = self.rng.gen_range(1..=MAX_GAP);
            self.layout.gap(host, bytes);
        }
    }

    /// Bytes none of which is one that an unused sink holds.
    fn data(&mut self, length: u32) -> Vec<u8> {
        let mut bytes = vec![0; length as usize];
        self.rng.fill_bytes(&mut bytes);
        bytes.iter_mut().filter(|byte| **byte == GUARD_BYTE).for_each(|byte| *byte = !GUARD_BYTE);
        bytes
    }

    /// Now and then of what the stream has read before: then behind a fence.
    fn write(&mut self, stream: usize, length: u32, awkward: bool) -> WorkRequest {
        let read = &self.streams[stream].read;
        let (local_address, length, flags) = match read.len() {
            all @ 1.. if awkward && self.rng.gen_ratio(1, 6) => {
                let (address, length) = read[self.rng.gen_range(0..all)];
                (address, length, FENCE)
            }
            _ => {
                let data = self.data(length);
                (self.layout.place(self.own, &data), length, 0)
            }
        };
        // What was read to is the complement now, and so is its.
        let sink = complement(self.layout.bytes(self.own, local_address, length as usize));
        let sink = if flags == FENCE { complement(&sink) } else { sink };
        let remote_address = self.layout.place(self.peer, &sink);
        self.streams[stream].written.push((remote_address, length));
        let rkey = self.layout.rkey(self.peer);
        WorkRequest { local_address, remote_address, length, rkey, flags, ..WorkRequest::default() }
    }

    fn send(&mut self, length: u32) -> WorkRequest {
        let data = self.data(length);
        self.longest = self.longest.max(length);
        WorkRequest { local_address: self.layout.place(self.own, &data), length, ..WorkRequest::default() }
    }

    /// Now and then of what the stream has written before.
    fn read(&mut self, stream: usize, length: u32, awkward: bool) -> WorkRequest {
        let written = &self.streams[stream].written;
        let (remote_address, length, sink) = match written.len() {
            all @ 1.. if awkward && self.rng.gen_ratio(1, 4) => {
                let (address, length) = written[self.rng.gen_range(0..all)];
                // It holds the complement of what it will.
                (address, length, self.layout.bytes(self.peer, address, length as usize).to_vec())
            }
            _ => {
                let data = self.data(length);
                (self.layout.place(self.peer, &data), length, complement(&data))
            }
        };
        let local_address = self.layout.place(self.own, &sink);
        self.streams[stream].read.push((local_address, length));
        let rkey = self.layout.rkey(self.peer);
        WorkRequest { local_address, remote_address, length, rkey, ..WorkRequest::default() }
    }

    fn atomic(&mut self, stream: usize, kind: Opcode) -> WorkRequest {
        let rkey = self.layout.rkey(self.peer);
        if kind == Opcode::FetchAdd && self.rng.gen_ratio(1, 2) {
            // Small sums of positive numbers: never all ones, never twice the same.
            let local_address = self.layout.place(self.own, &[0xFF; 8]);
            let operand = self.rng.gen_range(1..1000);
            let (remote_address, length) = (self.shared, 8);
            return WorkRequest {
                local_address,
                remote_address,
                length,
                rkey,
                operand,
                ..WorkRequest::default()
            };
        }
        let (remote_address, value) = self.streams[stream].word;
        let operand = self.rng.next_u64();
        let hits = self.rng.gen();
        let compare = if hits { value } else { self.rng.next_u64() };
        self.streams[stream].word.1 = match kind {
            Opcode::FetchAdd => value.wrapping_add(operand),
            _ if compare == value => operand,
            _ => value,
        };
        let local_address = self.layout.place(self.own, &(!value).to_le_bytes());
        let compare = if kind == Opcode::CmpSwap { compare } else { 0 };
        let length = 8;
        WorkRequest {
            local_address,
            remote_address,
            length,
            rkey,
            operand,
            compare,
            ..WorkRequest::default()
        }
    }

    /// Receives for all that the peer takes, and one more; each is long enough for every message.
    fn post(&mut self, mix: &Mix) {
        let conn = self.layout.connection(self.peer, self.own);
        for _ in 0..=self.receives {
            let length = self.longest + self.rng.gen_range(0..4);
            let gap = self.rng.gen_range(1..=MAX_GAP);
            self.layout.gap(self.peer, gap);
            let local_address = self.layout.place(self.peer, &vec![GUARD_BYTE; length as usize]);
            self.layout.receive(self.peer, Receive { conn, length, local_address, ..Receive::default() });
        }
        let depth = self.rng.gen_range(mix.depth.clone());
        self.layout.receive_depth(self.peer, depth);
    }
}

const FENCE: u8 = 1 << WorkFlag::Fence as u8;
