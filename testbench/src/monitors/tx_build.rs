//! The packet builder's monitor: jobs, answers of the message block and beats of memory in; reads, packets
//! and payload out.

mod ports;
pub mod rows;

pub use ports::Ports;

use crate::lockstep::{Channel, Check, Input, Monitor, Output};
use heddle_model::rx::place::{bursts, Beat};
use heddle_model::tx::build::{Body, Build, Packet, PacketRecord};
use heddle_model::tx::sched::{Job, JobKind};
use rows::{Answer, Burst, Question, ReadBeat, Request, SentAs};
use std::collections::VecDeque;

/// What a memory holds at an address.
pub type Contents = Box<dyn Fn(u64) -> u8 + Send>;

/// Sizes of the block.
#[derive(Clone, Copy, Debug)]
pub struct BuildConfig {
    /// log2 of the connections.
    pub conn_bits: u32,
    /// log2 of the paths of a connection.
    pub local_bits: u32,
    /// log2 of the slice size in bytes.
    pub slice_log2: u32,
    /// Bytes of a beat.
    pub lanes: usize,
}

/// A packet that is under way.
struct Underway {
    job: Job,
    record: Option<PacketRecord>,
    packet: Option<Packet>,
    /// Beats that memory has not sent yet.
    beats: VecDeque<Beat>,
    payload: Vec<u8>,
    bad: bool,
}

/// The model's side.
pub struct TxBuildMonitor {
    config: BuildConfig,
    model: Build,
    memory: Option<Contents>,
    underway: VecDeque<Underway>,
    /// Offered at `g` next.
    handed: VecDeque<SentAs>,
    /// Taken and not handed over or given up.
    inside: u32,
    /// Beats of the bursts that are asked for and not answered, oldest first.
    asked: VecDeque<u16>,
    j: Input<Job>,
    answer: Input<Answer>,
    r: Input<ReadBeat>,
    l: Output<Question>,
    ar: Output<Burst>,
    g: Output<Request>,
    y: Output<Vec<u8>>,
    e: Output<u16>,
    sent: Output<SentAs>,
}

impl TxBuildMonitor {
    /// A monitor that believes memory.
    pub fn new(config: BuildConfig) -> Self {
        let BuildConfig { conn_bits, local_bits, slice_log2, .. } = config;
        Self {
            config,
            model: Build::new(1 << conn_bits, 1 << local_bits, slice_log2),
            memory: None,
            underway: VecDeque::new(),
            handed: VecDeque::new(),
            inside: 0,
            asked: VecDeque::new(),
            j: Input::request("j").chosen_anew(),
            answer: Input::side("answer"),
            r: Input::side("r"),
            l: Output::side("l"),
            ar: Output::side("ar"),
            g: Output::answer("g"),
            y: Output::side("y"),
            e: Output::side("e"),
            sent: Output::side("sent"),
        }
    }

    /// A monitor that knows what memory holds: each payload must be what lies at the addresses of its slice.
    pub fn with_memory(config: BuildConfig, memory: Contents) -> Self {
        Self { memory: Some(memory), ..Self::new(config) }
    }

    fn job(&mut self, job: Job, check: &mut Check) {
        self.inside += 1;
        check.cover(if self.inside == 4 { "4 packets inside" } else { "fewer packets inside" });
        if self.inside > 4 {
            check.mismatch("j", format!("{} packets inside", self.inside));
        }
        let record = self.model.record(&job);
        check.cover(match job.kind {
            JobKind::New(_) => "new",
            JobKind::Resend => "resend",
            JobKind::Expire => "expiry",
            JobKind::Probe { repeat: false, .. } => "question",
            JobKind::Probe { repeat: true, .. } => "question repeated",
        });
        if let Some(PacketRecord { stream, msn, .. }) = record {
            let conn = job.path >> self.config.local_bits;
            self.l.expect(Question { conn, stream, msn: msn.get() }, check);
        }
        let packet = record.is_none().then(|| self.model.packet(&job, None, None));
        let (beats, payload) = (VecDeque::new(), Vec::new());
        self.underway.push_back(Underway { job, record, packet, beats, payload, bad: false });
    }

    fn answered(&mut self, answer: &Answer, check: &mut Check) {
        let Some(at) = self.underway.iter().position(|packet| packet.packet.is_none()) else {
            return check.mismatch("answer", "to no question");
        };
        let Underway { job, record, .. } = &self.underway[at];
        let packet = self.model.packet(job, record.as_ref(), answer.row().as_ref());
        let slice = 1 << self.config.slice_log2;
        check.cover(match (packet.body, job.kind) {
            (Body::Probe(_), JobKind::New(_)) => "new of a message that is done",
            (Body::Probe(_), _) => "resend of a message that is done",
            (Body::Data { len: 0, .. }, _) => "empty",
            (Body::Data { len, .. }, _) if len == slice => "whole slice",
            (Body::Data { len, .. }, _) if len == slice - 1 => "slice less a byte",
            (Body::Data { len: 1, .. }, _) => "one byte",
            _ => "part of a slice",
        });
        self.underway[at].packet = Some(packet);
        if let Body::Data { local, len, .. } = packet.body {
            self.reads(at, local, len, check);
        }
    }

    fn reads(&mut self, at: usize, local: u64, len: u16, check: &mut Check) {
        let lanes = self.config.lanes;
        let plan = bursts(local, len, lanes);
        for burst in &plan {
            let (beats, size) = (burst.beats.len() as u16, lanes.ilog2() as u8);
            self.ar.expect(Burst { address: burst.address, beats, id: 0, size, burst: 1 }, check);
        }
        if local.checked_add(len.into()).is_none() {
            check.cover("over the end of the address space");
        }
        let beats = plan.iter().map(|burst| burst.beats.len()).sum::<usize>();
        check.cover(match (plan.len(), local % lanes as u64, beats - usize::from(len).div_ceil(lanes)) {
            (0, _, _) => "no read",
            (1, 0, _) => "one burst, aligned",
            (1, _, 0) => "one burst, as many beats as the payload",
            (1, _, _) => "one burst, a beat more than the payload",
            _ => "two bursts",
        });
        self.underway[at].beats = plan.into_iter().flat_map(|burst| burst.beats).collect();
    }

    fn beat(&mut self, beat: &ReadBeat, check: &mut Check) {
        let Some(packet) = self.underway.iter_mut().find(|packet| !packet.beats.is_empty()) else {
            return check.mismatch("r", "a beat is taken that was not asked for");
        };
        if let Some(Beat { bytes, lane, .. }) = packet.beats.pop_front() {
            packet.payload.extend(&beat.bytes[lane..lane + bytes.len()]);
        }
        packet.bad |= beat.resp >= 2;
        if let Some(left) = self.asked.front_mut() {
            *left -= 1;
            if *left == 0 {
                self.asked.pop_front();
            }
        }
    }

    /// The oldest packets whose payload is complete.
    fn finish(&mut self, check: &mut Check) {
        while let Some(Underway { job, packet: Some(packet), payload, bad, .. }) =
            self.underway.front().filter(|packet| packet.beats.is_empty())
        {
            if *bad {
                check.cover("read error");
                self.e.expect(packet.path >> self.config.local_bits, check);
                self.j.explain("read error");
            } else {
                if let (Some(memory), Body::Data { local, .. }) = (&self.memory, packet.body) {
                    let held = (0..payload.len() as u64).map(|n| memory(local.wrapping_add(n)));
                    if !payload.iter().copied().eq(held) {
                        check.mismatch("r", format!("memory holds other bytes at {local:#x}"));
                    }
                }
                for beat in payload.chunks(self.config.lanes) {
                    let mut beat = beat.to_vec();
                    beat.resize(self.config.lanes, 0);
                    self.y.expect(beat, check);
                }
                self.g.expect(request(packet), check);
                let sent = SentAs { kind: packet.sent(job) as u8, len: packet.payload_len() };
                self.handed.push_back(sent);
            }
            self.underway.pop_front();
        }
    }
}

/// The packet as the framer gets it.
fn request(packet: &Packet) -> Request {
    let body = match packet.body {
        Body::Data { header, .. } => header.emit().to_vec(),
        Body::Probe(probe) => probe.emit().to_vec(),
    };
    let bytes = [&packet.common.emit()[..], &body].concat();
    let mut words = [0; 18];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    Request { path: packet.path, words, count: (bytes.len() / 4) as u8, len: packet.payload_len() }
}

impl Monitor for TxBuildMonitor {
    const NAME: &'static str = "tx_build";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if ports.e.crossing().is_some() {
            self.inside -= 1;
        }
        if let Some(job) = self.j.take(&ports.j, check) {
            self.job(job, check);
        }
        if let Some(answer) = self.answer.take(&ports.answer, check) {
            self.answered(&answer, check);
        }
        if let Some(beat) = self.r.take(&ports.r, check) {
            self.beat(&beat, check);
        }
        self.finish(check);
        self.l.compare(&ports.l, check);
        self.ar.compare(&ports.ar, check);
        if let Some(burst) = ports.ar.crossing() {
            self.asked.push_back(burst.beats);
            check.cover(if self.asked.len() == 8 { "8 bursts in flight" } else { "fewer bursts in flight" });
            if self.asked.len() > 8 {
                check.mismatch("ar", format!("{} bursts in flight", self.asked.len()));
            }
        }
        self.g.compare(&ports.g, check);
        if ports.g.crossing().is_some() {
            self.inside -= 1;
            if let Some(sent) = self.handed.pop_front() {
                check.cover(
                    ["sent new", "sent again", "sent by an expiry", "sent a PROBE"][usize::from(sent.kind)],
                );
                self.sent.expect(sent, check);
            }
        }
        self.y.compare(&ports.y, check);
        self.e.compare(&ports.e, check);
        self.sent.compare(&ports.sent, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.j, &self.answer, &self.r, &self.l, &self.ar, &self.g, &self.y, &self.e, &self.sent]
    }

    fn reset(&mut self) {
        self.underway.clear();
        self.handed.clear();
        self.asked.clear();
        self.inside = 0;
        self.j.reset();
        self.answer.reset();
        self.r.reset();
        self.l.reset();
        self.ar.reset();
        self.g.reset();
        self.y.reset();
        self.e.reset();
        self.sent.reset();
    }
}
