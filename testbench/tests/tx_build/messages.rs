//! What is sent: messages, the jobs for their slices, and the memory they lie in.

use heddle_model::tx::msg::Slice;
use heddle_model::tx::sched::{Job, JobKind};
use heddle_testbench::monitors::tx_build::rows::{Answer, Question};
use heddle_wire::{Msn, Psn, Time32};
use rand::seq::SliceRandom;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::{HashMap, VecDeque};

const CONNS: u16 = 16;
const PATHS: u16 = 4;

/// What memory holds at an address.
pub fn byte(seed: u64, address: u64) -> u8 {
    // Multiplicative hash: neighbours differ, and so do pages.
    ((address ^ seed << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

/// Messages, done or not, and what was sent of them.
pub struct Messages {
    rng: ChaCha8Rng,
    slice_log2: u32,
    rows: HashMap<Question, Answer>,
    /// Per path: the next PSN, and the last packets sent with PSN and message.
    next: Vec<Psn>,
    sent: Vec<VecDeque<(Psn, Question)>>,
}

impl Messages {
    /// None; every path is about to wrap.
    pub fn new(mut rng: ChaCha8Rng, slice_log2: u32) -> Self {
        let next = (0..CONNS * PATHS).map(|_| Psn::new(0xff_ffff - rng.gen_range(0..3))).collect();
        let sent = vec![VecDeque::new(); usize::from(CONNS * PATHS)];
        Self { rng, slice_log2, rows: HashMap::new(), next, sent }
    }

    /// What the message block says.
    pub fn answer(&self, question: &Question) -> Answer {
        // A question for a message that never was is the monitor's to find.
        self.rows.get(question).copied().unwrap_or_default()
    }

    /// The job was taken: its packet can be sent again.
    pub fn taken(&mut self, job: &Job) {
        if let JobKind::New(Slice { stream, msn, .. }) = job.kind {
            let question = Question { conn: job.path / PATHS, stream, msn: msn.get() };
            let sent = &mut self.sent[usize::from(job.path)];
            sent.push_back((job.psn, question));
            // The window; of the packets before, the records are not theirs any more.
            if sent.len() > 256 {
                sent.pop_front();
            }
        }
    }

    /// The block was reset: nothing is in flight.
    pub fn reset(&mut self) {
        self.sent.iter_mut().for_each(VecDeque::clear);
    }

    /// A new message of `length` bytes at `local`.
    fn message(&mut self, conn: u16, local: u64, length: u32) -> Question {
        let question = Question { conn, stream: self.rng.gen(), msn: self.rng.gen_range(0..1 << 24) };
        let remote = if self.rng.gen_ratio(1, 8) { u64::MAX - u64::from(length / 2) } else { self.rng.gen() };
        self.rows.insert(question, Answer { live: true, local, remote, length, rkey: self.rng.gen() });
        question
    }

    fn job(&mut self, kind: JobKind, path: u16, psn: Psn) -> Job {
        let now = Time32::new(self.rng.gen());
        Job { kind, path, psn, route: self.rng.gen(), now, ack_req: self.rng.gen() }
    }

    fn new_packet(&mut self, path: u16, Question { stream, msn, .. }: Question, index: u32) -> Job {
        let psn = self.next[usize::from(path)];
        self.next[usize::from(path)] = Psn::new(psn.get() + 1);
        // `conn`, `tail` and `more` are no part of the job's vector.
        let slice = Slice { conn: 0, stream, msn: Msn::new(msn), index, ..Slice::default() };
        self.job(JobKind::New(slice), path, psn)
    }

    fn address(&mut self, length: u32) -> u64 {
        let near = self.rng.gen_range(0..0x80);
        match self.rng.gen_range(0..8) {
            // The message goes over the end of the address space.
            0 => 0u64.wrapping_sub(self.rng.gen_range(0..=u64::from(length) + 8)),
            // Its first slices start or end near a boundary.
            1 | 2 => (self.rng.gen::<u64>() << 12).wrapping_sub(near),
            3 | 4 => (self.rng.gen::<u64>() << 12).wrapping_sub(u64::from(length)).wrapping_add(near),
            5 => self.rng.gen::<u64>() << 6,
            6 => self.rng.gen::<u64>() << 12 | near,
            _ => self.rng.gen(),
        }
    }

    /// A slice of a new message.
    fn anything_new(&mut self, path: u16) -> Job {
        let slice = 1u32 << self.slice_log2;
        let last = match self.rng.gen_range(0..10) {
            0 => 0,
            1 => 1,
            2 => slice - 1,
            3 => slice,
            _ => self.rng.gen_range(1..150),
        };
        let most = u32::MAX >> self.slice_log2;
        // An empty slice is that of an empty message.
        let before = match self.rng.gen_range(0..4) {
            _ if last == 0 => 0,
            0 => 0,
            1 => 1,
            2 => self.rng.gen_range(0..8),
            _ => self.rng.gen_range(0..most),
        };
        let length = before * slice + last;
        let local = self.address(length);
        let question = self.message(path / PATHS, local, length);
        // Most packets are the last of their message, which are short.
        let index =
            if before > 0 && self.rng.gen_ratio(1, 8) { self.rng.gen_range(0..before) } else { before };
        if self.rng.gen_ratio(1, 32) {
            self.done(&question);
        }
        self.new_packet(path, question, index)
    }

    fn done(&mut self, question: &Question) {
        if let Some(row) = self.rows.get_mut(question) {
            // What is looked up then is another message's, or an old one's.
            *row = Answer { live: false, local: self.rng.gen(), remote: self.rng.gen(), length: 0, rkey: 0 };
        }
    }
}

/// What the framer waits for.
#[derive(Clone, Copy)]
pub enum Sink {
    /// Both whenever the pattern says so.
    Nothing,
    /// A packet is taken when its payload is there, as the framer does.
    PayloadFirst,
    /// A payload is taken when its packet is there.
    PacketFirst,
}

/// Which jobs come, and how fast the others answer.
pub trait Mix {
    /// How packets and payloads may be taken; a seed chooses one.
    const SINKS: &'static [Sink] = &[Sink::Nothing, Sink::PayloadFirst, Sink::PacketFirst];
    /// The next job.
    fn job(messages: &mut Messages) -> Job;
    /// Cycles from a question to its answer.
    fn answer(rng: &mut ChaCha8Rng) -> u64;
    /// Cycles from a burst to its first beat.
    fn latency(rng: &mut ChaCha8Rng) -> u64;
    /// Whether a burst fails.
    fn fails(rng: &mut ChaCha8Rng) -> bool;
}

/// Everything.
pub struct Anything;

impl Mix for Anything {
    fn job(messages: &mut Messages) -> Job {
        let path = messages.rng.gen_range(0..CONNS * PATHS);
        match messages.rng.gen_range(0..10) {
            0 => {
                let kind = JobKind::Probe { stream: messages.rng.gen(), repeat: messages.rng.gen() };
                messages.job(kind, path, Psn::new(0))
            }
            1..=4 => {
                // A path that has something to resend, if there is one.
                let paths: Vec<_> =
                    (0..CONNS * PATHS).filter(|path| !messages.sent[usize::from(*path)].is_empty()).collect();
                let Some(&path) = paths.choose(&mut messages.rng) else {
                    return messages.anything_new(path);
                };
                let sent = &messages.sent[usize::from(path)];
                let (psn, question) = sent[messages.rng.gen_range(0..sent.len())];
                if messages.rng.gen_ratio(1, 12) {
                    messages.done(&question);
                }
                let kind = if messages.rng.gen_ratio(2, 3) { JobKind::Resend } else { JobKind::Expire };
                messages.job(kind, path, psn)
            }
            _ => messages.anything_new(path),
        }
    }
    fn answer(rng: &mut ChaCha8Rng) -> u64 {
        rng.gen_range(1..8)
    }
    fn latency(rng: &mut ChaCha8Rng) -> u64 {
        rng.gen_range(1..60)
    }
    fn fails(rng: &mut ChaCha8Rng) -> bool {
        rng.gen_ratio(1, 20)
    }
}

/// One long message after the other, from any lane. With `FRAMED`, a packet is taken when its payload is there; else at once.
pub struct Stream<const FRAMED: bool>;

impl<const FRAMED: bool> Mix for Stream<FRAMED> {
    const SINKS: &'static [Sink] = if FRAMED { &[Sink::PayloadFirst] } else { &[Sink::Nothing] };
    fn job(messages: &mut Messages) -> Job {
        let (path, local) = (messages.rng.gen_range(0..CONNS * PATHS), messages.rng.gen());
        let question = messages.message(path / PATHS, local, 8 << messages.slice_log2);
        let index = messages.rng.gen_range(0..8);
        messages.new_packet(path, question, index)
    }
    fn answer(_: &mut ChaCha8Rng) -> u64 {
        6
    }
    fn latency(_: &mut ChaCha8Rng) -> u64 {
        40
    }
    fn fails(_: &mut ChaCha8Rng) -> bool {
        false
    }
}

/// Messages of a byte, looked up and read as fast as can be.
pub struct Small;

impl Mix for Small {
    const SINKS: &'static [Sink] = &[Sink::Nothing];
    fn job(messages: &mut Messages) -> Job {
        let (path, local) = (messages.rng.gen_range(0..CONNS * PATHS), messages.rng.gen());
        let question = messages.message(path / PATHS, local, 1);
        messages.new_packet(path, question, 0)
    }
    fn answer(_: &mut ChaCha8Rng) -> u64 {
        1
    }
    fn latency(_: &mut ChaCha8Rng) -> u64 {
        1
    }
    fn fails(_: &mut ChaCha8Rng) -> bool {
        false
    }
}
