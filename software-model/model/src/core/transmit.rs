//! A frame's way out.

use super::exchange::Report;
use super::{Core, Line};
use crate::memory::Memory;
use crate::rx::msg::RxMsgError;
use crate::rx::path::{RxOp, RxPathIn};
use crate::tx::build::{Body, Inline, Packet, Sent};
use crate::tx::framer::Route;
use crate::tx::path::{TxPathIn, TxPathOut};
use crate::tx::route::Cause as RouteCause;
use crate::tx::rto::{Expiry, SentAs};
use crate::tx::sched::{Expired, Issue, Job, JobKind};
use heddle_wire::{Flag, Psn, Time32};

/// A frame that leaves the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Plane to leave on.
    pub plane: u8,
    /// The frame without FCS.
    pub bytes: Vec<u8>,
    /// What it was sent for.
    pub cause: Cause,
}

/// A frame that leaves the core, put on the caller's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departing {
    /// Plane to leave on.
    pub plane: u8,
    /// What it was sent for.
    pub cause: Cause,
    /// Its bytes without FCS.
    pub bytes: usize,
}

/// What a frame was sent for: an observer tells resends by evidence from those by timer with it, which the wire does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An ACK.
    Ack,
    /// A packet for the first time.
    New,
    /// The packet is declared lost. It is a PROBE when its message is done.
    Resend(Psn),
    /// The path's timer expired with this packet unreceived. It is a PROBE when its message is done.
    Expire(Psn),
    /// A question of a timer.
    Probe,
    /// A refusal.
    Nak,
    /// The end of a connection, or its answer.
    Reset,
}

impl From<&Job> for Cause {
    fn from(job: &Job) -> Self {
        match job.kind {
            JobKind::New(_) => Self::New,
            JobKind::Resend => Self::Resend(job.psn),
            JobKind::Expire => Self::Expire(job.psn),
            JobKind::Probe { .. } => Self::Probe,
        }
    }
}

impl Core {
    /// Ports that take a frame now, bit p for that of plane p; all of them unless this is said. Packets and resends for others wait, and
    /// hold nothing up; answers and what a timer sends are short or few, and leave by their port all the same.
    pub fn set_ports(&mut self, open: u16) {
        self.sched.set_ports(open);
    }

    /// The next frame, if there is anything to send: ACKs, then expiries, resends, new packets.
    pub fn transmit(&mut self, now: Time32, memory: &mut impl Memory) -> Option<Outgoing> {
        let mut bytes = Vec::new();
        let Departing { plane, cause, .. } = self.transmit_into(now, memory, &mut bytes)?;
        Some(Outgoing { plane, bytes, cause })
    }

    /// As [`Self::transmit`], the frame on `line`: a buffer of bytes, whose memory is used again, or another taker of frames.
    pub fn transmit_into(
        &mut self,
        now: Time32,
        memory: &mut impl Memory,
        line: &mut impl Line,
    ) -> Option<Departing> {
        self.timers.set_now(now);
        self.count_responders(now);
        self.start_connections(now);
        if let Some(departing) = self.transmit_life(line) {
            return Some(departing);
        }
        if let Some(departing) = self.transmit_copy(line) {
            return Some(departing);
        }
        if let Some(path) = self.ack_queue.pop_front() {
            return self.acknowledge(path, now, line);
        }
        if let Some(departing) = self.transmit_test(now, line) {
            return Some(departing);
        }
        loop {
            while self.jobs.is_empty() {
                self.schedule(now)?;
            }
            let job = self.jobs.pop_front()?;
            // A packet that cannot be sent is an error that was counted; the next job is not held up by it.
            if let Some(departing) = self.send(&job, memory, line) {
                return Some(departing);
            }
        }
    }

    /// One step of the scheduler; `None` when there is nothing to do.
    fn schedule(&mut self, now: Time32) -> Option<()> {
        if let Some((path, repeat)) = self.questions.pop_front() {
            let conn = path / self.config.paths as u16;
            let question = self.tx_msg.question(conn).or_else(|| self.announces(conn).then_some(0));
            if question.is_some() {
                self.note_question(path, repeat, now);
            }
            self.jobs.extend(question.map(|stream| self.sched.on_question(path, stream, repeat, now)));
        } else if let Some((path, expiry)) = self.expiries.pop_front() {
            if self.defers_expiry(path, expiry) {
                return Some(());
            }
            self.counters.expiries += 1;
            if self.is_withdrawn(path) {
                return Some(());
            }
            self.counters.dead_routes += u64::from(expiry == Expiry::Dead);
            match self.sched.on_expiry(path, expiry, now) {
                Expired::Issue(issue) => {
                    let result = self.issue(issue, now);
                    if expiry == Expiry::Dead {
                        self.reroute(RouteCause::Expiries, &result);
                    }
                }
                Expired::Job(job) => self.jobs.push_back(job),
            }
            self.after_expiry(path);
        } else if self.sched.has_resends() {
            if self.defers_resend() {
                return Some(());
            }
            if let Some(issue) = self.sched.next_resend() {
                self.issue(issue, now);
            }
        } else if self.sched.has_ready() {
            if self.defers_new() {
                return Some(());
            }
            if let Some(issue) = self.sched.next_new() {
                let conn = issue.path / self.config.paths as u16;
                // A connection that said it has work has a slice.
                let slice = self.cut(conn)?;
                self.sched.served(slice);
                self.tell_probe(conn, false, now);
                self.issue(issue, now);
                self.ask_at_window_end(conn);
            }
        } else {
            return None;
        }
        Some(())
    }

    fn issue(&mut self, issue: Issue, now: Time32) -> TxPathOut {
        self.operate(TxPathIn { op: issue.op, path: issue.path, now, ..TxPathIn::default() })
    }

    fn acknowledge(&mut self, path: u16, now: Time32, line: &mut impl Line) -> Option<Departing> {
        self.ack.on_taken(path);
        let look = RxPathIn { op: RxOp::Look, path, now, ..RxPathIn::default() };
        let look = self.rows[usize::from(path)].rx.apply(&look);
        let conn = path / self.config.paths as u16;
        let Report { stream, msn, answers, more } = self.report(conn);
        if more {
            self.ask_ack_at_once(path);
        }
        let mut packet =
            self.ack_build.build(&look, (stream, msn), now).telling(self.recv.credit(conn), answers);
        packet.ack.hint = self.hint(now);
        self.send_ack(&packet, line)
    }

    fn send(&mut self, job: &Job, memory: &mut impl Memory, line: &mut impl Line) -> Option<Departing> {
        let conn = job.path / self.config.paths as u16;
        let (mut packet, withdrawn) = self.build_packet(conn, job);
        if self.limited(conn) {
            packet.common.flags = packet.common.flags.with(Flag::HintLimited);
        }
        self.bring_hint(conn, &mut packet, job.now);
        let random = self.lfsr.next16();
        self.rows[usize::from(job.path)].rto.on_sent(sent_as(job), job.now, &self.config.rto, random);
        self.expect_answer_soon(job.path, job.now);
        self.arm_path(job.path);
        if withdrawn {
            self.broken(conn, RxMsgError::Withdrawn, job.now);
            return None;
        }
        let mut payload = std::mem::take(&mut self.payload);
        let departing = match body(&packet, memory, line, &mut payload) {
            Some(body) => {
                match packet.sent(job) {
                    Sent::New => self.counters.data_sent += 1,
                    Sent::Resent | Sent::Expiry => self.counters.data_resent += 1,
                    Sent::Probe => self.counters.probes_sent += 1,
                }
                self.frame(packet.path, wire_packet(&packet.common, body), job.into(), line)
            }
            None => {
                self.broken(conn, RxMsgError::Memory, job.now);
                None
            }
        };
        self.payload = payload;
        if let Some(Departing { bytes, .. }) = departing.filter(|_| packet.sent(job) != Sent::Probe) {
            self.paced(conn, bytes);
        }
        departing
    }

    pub(super) fn frame(
        &mut self,
        path: u16,
        packet: heddle_wire::Packet<&[u8]>,
        cause: Cause,
        line: &mut impl Line,
    ) -> Option<Departing> {
        let conn = path / self.config.paths as u16;
        self.frame_on(self.framer.route(path), conn, packet, cause, line)
    }

    pub(super) fn frame_on(
        &mut self,
        route: Route,
        conn: u16,
        packet: heddle_wire::Packet<&[u8]>,
        cause: Cause,
        line: &mut impl Line,
    ) -> Option<Departing> {
        match line.put(&self.framer.frame_on(route, conn, packet)?) {
            Ok(bytes) => Some(Departing { plane: route.plane, cause, bytes }),
            Err(_) => {
                self.counters.errors += 1;
                None
            }
        }
    }
}

/// `None` when memory answers with an error: bytes that are not the message's never go out. The packet is then one that was lost, and its
/// resend reads again.
fn body<'p>(
    packet: &Packet,
    memory: &mut impl Memory,
    line: &mut impl Line,
    payload: &'p mut Vec<u8>,
) -> Option<heddle_wire::Body<&'p [u8]>> {
    let (opcode, header, payload) = match packet.body {
        Body::Probe(probe) => return Some(heddle_wire::Body::Probe(probe)),
        Body::Data { opcode, header, local, len, inline: None } => {
            (opcode, header, line.load(memory, local, len, payload)?)
        }
        Body::Data { opcode, header, inline: Some(inline), .. } => {
            payload.clear();
            match inline {
                Inline::Operands(operands) => payload.extend(operands.emit()),
                Inline::Result(result) => payload.extend(result.emit()),
            }
            (opcode, header, &payload[..])
        }
    };
    Some(heddle_wire::Body::Data { opcode, header, payload })
}

/// What the path's timer is told of a packet.
fn sent_as(job: &Job) -> SentAs {
    match job.kind {
        JobKind::New(_) => SentAs::New,
        JobKind::Resend => SentAs::Resend,
        JobKind::Expire | JobKind::Probe { .. } => SentAs::Awaited,
    }
}

pub(super) fn wire_packet<P>(
    common: &heddle_wire::Common,
    body: heddle_wire::Body<P>,
) -> heddle_wire::Packet<P> {
    heddle_wire::Packet {
        flags: common.flags,
        path: common.path,
        dst_conn: common.dst_conn,
        tag: common.tag,
        route: common.route,
        psn: common.psn,
        timestamp: common.timestamp,
        body,
    }
}
