//! Work requests of every kind, and what they must leave in memory: computed from the requests alone.
//!
//! Targets, sources and sinks are disjoint, but for what the order of a stream decides: a READ of what the same stream has written, a
//! fenced WRITE over what it has read, atomics of one stream on one word, and FETCH_ADDs of 1 of all streams on another.

use crate::world::{BASE, BLANK, KEY, LENGTH};
use heddle_model::rx::recv::Receive;
use heddle_model::tx::msg::WorkRequest;
use heddle_wire::Opcode;
use rand::seq::SliceRandom;
use rand::{Rng, RngCore};
use rand_chacha::ChaCha8Rng;

/// Halves of the region: WRITEs go to the first, READs that no WRITE precedes come from the second.
const READABLE: u64 = BASE + LENGTH / 2;
/// Words of atomics, at the end of the region: one for each stream, and one for all.
const WORDS: u64 = (BASE + LENGTH - 4096) & !7;
/// Memory that no peer has a key to: sources and sinks.
pub const PRIVATE: u64 = BASE + LENGTH + 4096;
const PRIVATE_LENGTH: u64 = 4 << 20;
/// All memory of a host.
pub const MEMORY: u64 = PRIVATE + PRIVATE_LENGTH + 4096;
/// What the user leaves in a source or a sink once it is his again.
const SCRIBBLE: u8 = 0x3C;
/// Longest message that a receive takes.
const LONGEST: u32 = 6000;

/// What a request must have done when it completes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// These bytes are in the peer's memory, from this address on.
    Target(u64, Vec<u8>),
    /// The peer completes a receive with these bytes.
    Message(Vec<u8>),
    /// These bytes are in the sink here.
    Sink(Vec<u8>),
    /// The sink here holds one value of a shared counter.
    Shared,
}

/// One request.
#[derive(Clone, Debug)]
pub struct Op {
    pub request: WorkRequest,
    pub effect: Effect,
}

impl Op {
    pub fn opcode(&self) -> Opcode {
        Opcode::from_code(self.request.opcode).expect("an opcode")
    }
}

/// All that one side asks of the other.
pub struct Plan {
    pub ops: Vec<Op>,
    /// Receives that the other side posts for it.
    pub receives: Vec<Receive>,
    /// First value of the shared counter, and how often it is counted up.
    pub shared: (u64, u64),
    /// Memory of the side that asks, and of the side that is asked, when all is over.
    pub own: Vec<(u64, Vec<u8>)>,
    pub peer: Vec<(u64, Vec<u8>)>,
}

/// Hands out addresses one behind the other.
struct Bump(u64, u64);

impl Bump {
    fn take(&mut self, rng: &mut ChaCha8Rng, length: u64) -> u64 {
        let at = self.0 + rng.gen_range(1..8);
        self.0 = at + length;
        assert!(self.0 < self.1, "the test asks for more than there is");
        at
    }
}

/// Memory of a host before anything has happened.
pub fn memory(rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = vec![BLANK; MEMORY as usize];
    rng.fill_bytes(&mut bytes[READABLE as usize..(BASE + LENGTH) as usize]);
    rng.fill_bytes(&mut bytes[PRIVATE as usize..(PRIVATE + PRIVATE_LENGTH / 2) as usize]);
    bytes
}

/// Sources and sinks of one host.
pub struct Private {
    sources: Bump,
    sinks: Bump,
}

impl Private {
    pub fn new() -> Self {
        let half = PRIVATE + PRIVATE_LENGTH / 2;
        Self { sources: Bump(PRIVATE, half), sinks: Bump(half, half + PRIVATE_LENGTH / 2) }
    }
}

pub struct Planner<'a> {
    rng: &'a mut ChaCha8Rng,
    own: &'a [u8],
    peer: &'a [u8],
    private: &'a mut Private,
    targets: Bump,
    /// Per stream: its word, and the last range that it wrote.
    words: Vec<u64>,
    written: Vec<Option<(u64, Vec<u8>)>>,
    plan: Plan,
}

fn word(memory: &[u8], at: u64) -> u64 {
    u64::from_le_bytes(memory[at as usize..][..8].try_into().expect("8 bytes"))
}

impl<'a> Planner<'a> {
    /// `own` and `peer`: memory of both sides as it is. `conn`, `streams`: of the connection.
    pub fn new(
        rng: &'a mut ChaCha8Rng,
        (own, peer): (&'a [u8], &'a [u8]),
        private: &'a mut Private,
        streams: u8,
    ) -> Self {
        let words = (0..streams).map(|stream| word(peer, WORDS + 8 * u64::from(stream))).collect();
        let shared = (word(peer, WORDS + 8 * u64::from(streams)), 0);
        let plan = Plan { ops: vec![], receives: vec![], shared, own: vec![], peer: vec![] };
        let written = vec![None; usize::from(streams)];
        Self { rng, own, peer, private, targets: Bump(BASE, READABLE), words, written, plan }
    }

    /// `count` requests of the connection.
    pub fn plan(mut self, conn: u16, count: u64, receiver: &mut Private) -> Plan {
        let streams = self.words.len() as u8;
        for wr_id in 0..count {
            let stream = self.rng.gen_range(0..streams);
            let fence = self.rng.gen_ratio(1, 16);
            let blank = WorkRequest { wr_id, conn, stream, fence, rkey: KEY, ..WorkRequest::default() };
            let op = match self.rng.gen_range(0..16) {
                0..=3 => self.write(Opcode::Write, blank),
                4 => self.write(Opcode::WriteImm, blank),
                5..=6 => self.send(Opcode::Send, blank),
                7..=8 => self.send(Opcode::SendImm, blank),
                9..=10 => self.read(blank),
                11 => self.read_back(blank),
                12 => self.overwrite(blank),
                13 => self.fetch_add(blank),
                14 => self.cmp_swap(blank),
                _ => self.count_up(blank),
            };
            if op.opcode().consumes_receive() {
                let length = self.rng.gen_range(LONGEST..LONGEST + 100);
                let address = receiver.sinks.take(self.rng, length.into());
                self.plan.receives.push(Receive { wr_id: 1_000_000 + wr_id, address, length });
            }
            self.plan.ops.push(op);
        }
        self.finish()
    }

    fn finish(mut self) -> Plan {
        let streams = self.words.len() as u64;
        for (stream, value) in self.words.iter().enumerate() {
            self.plan.peer.push((WORDS + 8 * stream as u64, value.to_le_bytes().to_vec()));
        }
        let shared = self.plan.shared.0.wrapping_add(self.plan.shared.1);
        self.plan.peer.push((WORDS + 8 * streams, shared.to_le_bytes().to_vec()));
        for op in &self.plan.ops {
            if let Effect::Target(at, bytes) = &op.effect {
                self.plan.peer.push((*at, bytes.clone()));
            }
            let WorkRequest { local, length, .. } = op.request;
            if length > 0 {
                self.plan.own.push((local, vec![SCRIBBLE; length as usize]));
            }
        }
        let whole = |receive: &Receive| (receive.address, vec![SCRIBBLE; receive.length as usize]);
        self.plan.peer.extend(self.plan.receives.iter().map(whole));
        self.plan
    }

    fn length(&mut self) -> u32 {
        let awkward = [0, 0, 1, 3, 4, 5, 7, 1023, 1024, 1025, 2047, 2048, 2049, 4096, 5000, LONGEST];
        match self.rng.gen() {
            true => *awkward.choose(self.rng).expect("one of them"),
            false => self.rng.gen_range(0..LONGEST),
        }
    }

    /// An empty request names memory that is nobody's, with a key that is none.
    fn emptied(request: WorkRequest) -> WorkRequest {
        match request.length {
            0 => WorkRequest { local: u64::MAX - 3, remote: u64::MAX - 3, rkey: 0xDEAD_BEEF, ..request },
            _ => request,
        }
    }

    /// A source of this length, and its bytes.
    fn source(&mut self, length: u32) -> (u64, Vec<u8>) {
        let at = self.private.sources.take(self.rng, length.into());
        (at, self.own[at as usize..][..length as usize].to_vec())
    }

    fn write(&mut self, opcode: Opcode, request: WorkRequest) -> Op {
        let length = self.length();
        let (local, bytes) = self.source(length);
        let remote = self.targets.take(self.rng, length.into());
        if length > 0 {
            self.written[usize::from(request.stream)] = Some((remote, bytes.clone()));
        }
        let request = WorkRequest { opcode: opcode.code(), local, remote, length, ..request };
        let request = WorkRequest { imm: self.rng.gen(), ..Self::emptied(request) };
        Op { request, effect: Effect::Target(remote, bytes) }
    }

    fn send(&mut self, opcode: Opcode, request: WorkRequest) -> Op {
        let length = self.length();
        let (local, bytes) = self.source(length);
        let request = WorkRequest { opcode: opcode.code(), local, length, ..request };
        let request = WorkRequest { imm: self.rng.gen(), rkey: self.rng.gen(), ..Self::emptied(request) };
        Op { request, effect: Effect::Message(bytes) }
    }

    fn read_of(&mut self, request: WorkRequest, remote: u64, bytes: Vec<u8>) -> Op {
        let length = bytes.len() as u32;
        let local = self.private.sinks.take(self.rng, length.into());
        let request = WorkRequest { opcode: Opcode::ReadReq.code(), local, remote, length, ..request };
        Op { request: Self::emptied(request), effect: Effect::Sink(bytes) }
    }

    /// Of memory that nobody writes.
    fn read(&mut self, request: WorkRequest) -> Op {
        let length = self.length();
        let remote = self.rng.gen_range(READABLE..WORDS - u64::from(length));
        let bytes = self.peer[remote as usize..][..length as usize].to_vec();
        self.read_of(request, remote, bytes)
    }

    /// Of what the stream has written.
    fn read_back(&mut self, request: WorkRequest) -> Op {
        match self.written[usize::from(request.stream)].clone() {
            Some((remote, bytes)) => self.read_of(request, remote, bytes),
            None => self.read(request),
        }
    }

    /// Over what the stream has written, and may have read, once all that is complete.
    fn overwrite(&mut self, request: WorkRequest) -> Op {
        let Some((remote, old)) = self.written[usize::from(request.stream)].clone() else {
            return self.write(Opcode::Write, request);
        };
        let (local, bytes) = self.source(old.len() as u32);
        self.written[usize::from(request.stream)] = Some((remote, bytes.clone()));
        let opcode = Opcode::Write.code();
        let length = bytes.len() as u32;
        let request = WorkRequest { opcode, fence: true, local, remote, length, ..request };
        Op { request, effect: Effect::Target(remote, bytes) }
    }

    fn atomic(&mut self, opcode: Opcode, request: WorkRequest, remote: u64) -> WorkRequest {
        let local = self.private.sinks.take(self.rng, 8);
        WorkRequest { opcode: opcode.code(), local, remote, length: 8, ..request }
    }

    fn fetch_add(&mut self, request: WorkRequest) -> Op {
        let (stream, operand) = (usize::from(request.stream), self.rng.gen());
        let request = self.atomic(Opcode::FetchAdd, request, WORDS + 8 * stream as u64);
        let before = self.words[stream];
        self.words[stream] = before.wrapping_add(operand);
        // What a FETCH_ADD does not use is noise.
        let request = WorkRequest { operand, compare: self.rng.gen(), ..request };
        Op { request, effect: Effect::Sink(before.to_le_bytes().to_vec()) }
    }

    fn cmp_swap(&mut self, request: WorkRequest) -> Op {
        let (stream, operand) = (usize::from(request.stream), self.rng.gen());
        let before = self.words[stream];
        let compare = if self.rng.gen() { before } else { self.rng.gen() };
        if compare == before {
            self.words[stream] = operand;
        }
        let request = self.atomic(Opcode::CmpSwap, request, WORDS + 8 * stream as u64);
        let request = WorkRequest { operand, compare, ..request };
        Op { request, effect: Effect::Sink(before.to_le_bytes().to_vec()) }
    }

    fn count_up(&mut self, request: WorkRequest) -> Op {
        let streams = self.words.len() as u64;
        self.plan.shared.1 += 1;
        let request = self.atomic(Opcode::FetchAdd, request, WORDS + 8 * streams);
        Op { request: WorkRequest { operand: 1, ..request }, effect: Effect::Shared }
    }
}

/// The user takes his memory back.
pub fn scribble(memory: &mut [u8], at: u64, length: u32) {
    if length > 0 {
        memory[at as usize..][..length as usize].fill(SCRIBBLE);
    }
}
