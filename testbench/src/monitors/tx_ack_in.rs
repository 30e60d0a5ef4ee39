//! The monitor of the acknowledgements that come in: ACKs and the path engine's verdicts in, operations,
//! reports and samples out. Beats of 64 bits.

use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::rows::Located;
use crate::tx_rows::{Done, Sample};
use crate::views::TxAckInView;
use heddle_model::tx::ack_in::{judge, submit, PendingAck};
use heddle_model::tx::path::{AckVerdict, TxOp, TxPathOut};
use heddle_wire::{Ack, AckForm, Common, Msn, Packet, PacketType, Psn, Time32};
use std::collections::VecDeque;

/// Beats of an ACK with SACK words behind the header words: words 12 to 17.
const BEATS: usize = 3;
/// ACKs under way at most.
const UNDER_WAY: usize = 8;

/// An ACK operation of the path engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Path index.
    pub path: u16,
    /// Cumulative PSN.
    pub cum: u32,
    /// Highest PSN.
    pub high: u32,
    /// Echoed route.
    pub route: u8,
    /// Echoed timestamp.
    pub ts: u32,
    /// Tick of the arrival.
    pub now: u32,
}

/// A result of the path engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Operation.
    pub op: u8,
    /// 0 good, 1 invalid, 2 stale.
    pub bad: u8,
    /// Packets newly known received.
    pub newly: u16,
    /// Packets in flight.
    pub inflight: u16,
}

/// The links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// Ticks.
    pub now: u32,
    /// The timer has room for samples.
    pub room: bool,
    /// ACK.
    pub k: Link<Located>,
    /// Payload beat.
    pub d: Link<u64>,
    /// SACK word.
    pub sk: Link<u64>,
    /// Operation.
    pub i: Link<Operation>,
    /// Result.
    pub r: Link<Verdict>,
    /// `done` of a stream.
    pub n: Link<Done>,
    /// Sample for the timer.
    pub t: Link<Sample>,
    /// Drop reason.
    pub drop: Link<u8>,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl TxAckInView) -> Self {
        let operation = || Operation {
            path: view.i_path().u16(),
            cum: view.i_cum().u32(),
            high: view.i_high().u32(),
            route: view.i_route().u8(),
            ts: view.i_ts().u32(),
            now: view.i_now().u32(),
        };
        let verdict = || Verdict {
            op: view.r_op().u8(),
            bad: view.r_bad().u8(),
            newly: view.r_newly().u16(),
            inflight: view.r_inflight().u16(),
        };
        let frame = || Located::unpack(view.k_frame().words());
        Self {
            now: view.now().u32(),
            room: view.t_room().bit(),
            k: Link::new(view.k_valid().bit(), view.k_ready().bit(), frame),
            d: Link::new(view.d_valid().bit(), view.d_ready().bit(), || view.d_data().u64()),
            sk: Link::new(view.sk_valid().bit(), view.sk_ready().bit(), || view.sk_word().u64()),
            i: Link::new(view.i_valid().bit(), view.i_ready().bit(), operation),
            r: Link::pulse(view.r_valid().bit(), verdict),
            n: Link::new(view.n_valid().bit(), view.n_ready().bit(), || Done::unpack(view.n_done().u64())),
            t: Link::pulse(view.t_valid().bit(), || Sample::unpack(view.t_sample().words())),
            drop: Link::pulse(view.drop_valid().bit(), || view.drop_reason().u8()),
        }
    }
}

/// The model's side.
#[derive(Debug)]
pub struct AckInMonitor {
    connections: u16,
    paths: u16,
    frames: VecDeque<(Located, u32)>,
    beats: VecDeque<u64>,
    pending: VecDeque<(PendingAck, u16)>,
    /// Neither a result nor a report of these has left.
    open: usize,
    k: Input<Located>,
    d: Input<u64>,
    sk: Output<u64>,
    i: Output<Operation>,
    n: Output<Done>,
    t: Output<Sample>,
    drop: Output<u8>,
}

impl AckInMonitor {
    /// A monitor of the block for `connections` with `paths` each.
    pub fn new(connections: u16, paths: u16) -> Self {
        Self {
            connections,
            paths,
            frames: VecDeque::new(),
            beats: VecDeque::new(),
            pending: VecDeque::new(),
            open: 0,
            k: Input::request("k"),
            d: Input::side("d"),
            sk: Output::side("sk"),
            i: Output::answer("i"),
            n: Output::side("n"),
            t: Output::side("t"),
            drop: Output::side("drop"),
        }
    }

    /// Beats of this ACK's payload.
    fn beats_of(frame: &Located) -> usize {
        let opcode = (frame.words[0] >> 16) as u8;
        Packet::header_bytes(PacketType::Ack, opcode).saturating_sub(4 * frame.words.len()) / 8
    }

    /// An ACK whose payload is complete.
    fn submit(&mut self, frame: &Located, now: u32, check: &mut Check) {
        let mut bytes: Vec<u8> = frame.words.iter().flat_map(|word| word.to_be_bytes()).collect();
        let beats = Self::beats_of(frame);
        bytes.extend(self.beats.drain(..beats).flat_map(u64::to_le_bytes));
        let common = Common::parse(bytes[..16].try_into().expect("whole headers"));
        // Words that the ACK does not have are zeros.
        bytes.truncate(Packet::header_bytes(PacketType::Ack, common.opcode));
        bytes.resize(16 + Ack::BYTES, 0);
        let ack = Ack::parse(bytes[16..].try_into().expect("whole headers"));
        check.cover(match (beats, ack.form()) {
            (BEATS, AckForm::Sack) => "SACK words",
            (BEATS, AckForm::NoSack) => "SACK words, all zeros",
            _ => "no SACK words",
        });
        let conn = common.dst_conn % self.connections;
        let path = conn * self.paths + u16::from(common.path) % self.paths;
        let (operation, pending) = submit(common.dst_conn, path, &common, &ack, Time32::new(now));
        check.cover(match ack.hold {
            u16::MAX => "hold saturated",
            hold if u32::from(hold) > now.wrapping_sub(common.timestamp.get()) => "hold beyond the trip",
            _ => "round trip",
        });
        operation.sack.words().into_iter().for_each(|word| self.sk.expect(word, check));
        let operation = Operation {
            path: operation.path,
            cum: operation.cum.get(),
            high: operation.high.get(),
            route: operation.route,
            ts: operation.ts.get(),
            now: operation.now.get(),
        };
        self.i.expect(operation, check);
        self.pending.push_back((pending, path));
    }

    fn judge(&mut self, verdict: &Verdict, check: &mut Check) {
        let Some((pending, path)) = self.pending.pop_front() else {
            return check.mismatch("r", "the result of an ACK that was not handed over");
        };
        let bad = [AckVerdict::Good, AckVerdict::Invalid, AckVerdict::Stale][usize::from(verdict.bad)];
        let result = TxPathOut {
            op: TxOp::Ack,
            path,
            ok: verdict.bad == 0,
            bad,
            base: Psn::new(0),
            next: Psn::new(0),
            route: 0,
            psn: None,
            newly: verdict.newly,
            inflight: verdict.inflight,
            waiting: 0,
            lost: false,
            now: Time32::new(0),
        };
        let news = judge(&pending, &result);
        if let Some((conn, stream, msn)) = news.done {
            self.n.expect(Done { conn, stream, msn: Msn::get(msn) }, check);
        } else {
            self.open -= 1;
        }
        match news.reason {
            Some(reason) => {
                check.cover(reason.name());
                self.drop.expect(reason as u8, check);
            }
            None => {
                check.cover("good");
                let (newly, inflight) = (verdict.newly, verdict.inflight);
                // Without a round trip the field means nothing.
                self.t.expect(Sample { path, rtt: news.rtt_ticks, newly, inflight }, check);
            }
        }
    }
}

impl Monitor for AckInMonitor {
    const NAME: &'static str = "tx_ack_in";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(beat) = self.d.take(&ports.d, check) {
            self.beats.push_back(beat);
        }
        if let Some(frame) = self.k.take(&ports.k, check) {
            if !ports.room {
                check.mismatch("k", "taken without room for its sample");
            }
            self.open += 1;
            if self.open == UNDER_WAY {
                check.cover("8 under way");
            }
            if self.open > UNDER_WAY {
                check.mismatch("k", "more than 8 under way");
            }
            self.frames.push_back((frame, ports.now));
        }
        let complete = |(frame, _): &(Located, u32)| self.beats.len() >= Self::beats_of(frame);
        if self.frames.front().is_some_and(complete) {
            if let Some((frame, now)) = self.frames.pop_front() {
                self.submit(&frame, now, check);
            }
        }
        if let Some(verdict) = ports.r.crossing() {
            match verdict.op {
                0 => self.judge(verdict, check),
                _ => check.cover("result of another operation"),
            }
        }
        self.open -= usize::from(ports.n.crossing().is_some());
        self.sk.compare(&ports.sk, check);
        self.i.compare(&ports.i, check);
        self.n.compare(&ports.n, check);
        self.t.compare(&ports.t, check);
        self.drop.compare(&ports.drop, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.k, &self.d, &self.sk, &self.i, &self.n, &self.t, &self.drop]
    }

    fn reset(&mut self) {
        self.frames.clear();
        self.beats.clear();
        self.pending.clear();
        self.open = 0;
        self.k.reset();
        self.d.reset();
        self.sk.reset();
        self.i.reset();
        self.n.reset();
        self.t.reset();
        self.drop.reset();
    }
}
