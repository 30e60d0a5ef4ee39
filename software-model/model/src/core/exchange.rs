//! What both ends tell each other of messages, answers and credit, and what a connection sends next.

use super::Core;
use crate::rx::access::Right;
use crate::rx::recv::{Posted, Receive};
use crate::tx::ack_in::AckNews;
use crate::tx::build::Packet;
use crate::tx::msg::{Cut, Slice};
use crate::tx::respond::Request;
use crate::tx::sched::{Job, JobKind};
use heddle_wire::serial::Msn;
use heddle_wire::{DropReason, Opcode, Time32};

/// What a connection remembers between its ACKs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turns {
    /// Path of the last arrival: an ACK that no arrival asks for goes there.
    last_path: Option<u16>,
    /// The last ACK spoke of answers.
    told_answers: bool,
    /// Some ACK was believed.
    heard: bool,
    /// It is asked for credit before anything was heard.
    asked: bool,
}

impl Turns {
    pub(super) fn arrived(&mut self, path: u16) {
        self.last_path = Some(path);
    }
}

/// What word 8 of an ACK says.
pub(super) struct Report {
    pub(super) stream: u8,
    pub(super) msn: Msn,
    /// It speaks of answers.
    pub(super) answers: bool,
    /// There is more to say.
    pub(super) more: bool,
}

impl Core {
    /// Takes what an ACK says of messages, answers and credit.
    pub(super) fn believe(&mut self, news: &AckNews, now: Time32) -> Result<(), DropReason> {
        let Some((conn, stream, msn)) = news.done else { return Ok(()) };
        let built = !self.config.operations.is_write_only();
        let turns = &mut self.turns[usize::from(conn)];
        turns.heard = true;
        let answered = std::mem::take(&mut turns.asked);
        if let Some(credit) = news.credit.filter(|_| built) {
            self.tx_msg.credit(conn, credit);
        }
        if built && news.answers {
            // No request beyond the stream's leading messages was executed, so none is answered.
            let known =
                u32::from(stream) < self.config.streams && !msn.is_ahead(self.rx_msg.done(conn, stream));
            if !known {
                return Err(DropReason::AckInvalid);
            }
            self.respond.answered(conn, stream, msn);
            self.progress(conn, answered, now);
            return Ok(());
        }
        let before = self.tx_msg.marks(conn, stream);
        let completions = self.tx_msg.done(conn, stream, msn).ok_or(DropReason::AckInvalid)?;
        self.completions.extend(completions);
        self.progress(conn, answered || before != self.tx_msg.marks(conn, stream), now);
        Ok(())
    }

    /// The peer has told something: the probe timer, and what it was that streams were held back by.
    pub(super) fn progress(&mut self, conn: u16, progress: bool, now: Time32) {
        self.tell_probe(conn, progress, now);
        if !self.config.operations.is_write_only() {
            self.wake(conn);
        }
    }

    /// The scheduler hears of a connection that has something to send.
    pub(super) fn wake(&mut self, conn: u16) {
        if self.tx_msg.can_cut(conn) || self.respond.queued(conn) > 0 {
            let packets = self.tx_msg.queued(conn) + self.respond.queued(conn);
            self.begin(conn, packets.min(u32::MAX.into()) as u32);
            self.sched.on_work(conn);
        }
    }

    /// REQ-MSG-1: what lacks credit waits under the probe timer. REQ-MSG-6: as long as nothing was heard the peer may have posted receives
    /// and had no way to tell, so the first to wait asks at once.
    pub(super) fn await_credit(&mut self, conn: u16) {
        let Some(now) = self.timers.last().filter(|_| !self.config.operations.is_write_only()) else {
            return;
        };
        let at = usize::from(conn);
        if self.turns[at].heard || self.probe[at].deadline().is_some() || !self.tx_msg.waits(conn) {
            return self.tell_probe(conn, false, now);
        }
        self.turns[at].asked = true;
        self.ask_for_credit(conn, now);
    }

    /// Posts a receive. REQ-ACK-1: the peer hears of it at once when it may be waiting for it.
    pub(super) fn post(&mut self, conn: u16, receive: Receive) -> bool {
        let posted = self.recv.post(conn, receive);
        let path = self.turns[usize::from(conn)].last_path;
        if let (Posted::Taken { exhausted: true }, Some(path)) = (posted, path) {
            self.ask_ack_at_once(path);
        }
        posted != Posted::Full
    }

    /// What the connection sends next: a slice of a message or of an answer.
    pub(super) fn cut(&mut self, conn: u16) -> Option<Slice> {
        let slice = match self.tx_msg.cut(conn, self.respond.queued(conn) > 0)? {
            Cut::Slice(slice) => slice,
            Cut::Answer => self.respond.cut(conn)?,
        };
        let left = self.tx_msg.queued(conn) + self.respond.queued(conn);
        let more = self.tx_msg.can_cut(conn) || self.respond.queued(conn) > 0;
        let tail = left < u64::from(self.config.paths) || !more;
        Some(Slice { more, tail, left: Slice::left_of(left), ..slice })
    }

    /// The packet of a job, with the row that it is made of while that is live; and whether it cannot be made because the region of a new
    /// answer was withdrawn.
    pub(super) fn build_packet(&mut self, conn: u16, job: &Job) -> (Packet, bool) {
        let Some(record) = self.build.record(job) else { return (self.build.packet(job, None, None), false) };
        if let Some(place) = record.answer {
            let row = self.respond.look_up(conn, place, record.stream, record.msn);
            let readable = row.filter(|row| self.is_readable(row));
            let withdrawn = readable.is_none() && row.is_some() && matches!(job.kind, JobKind::New(_));
            return (self.build.answer(job, &record, readable.as_ref()), withdrawn);
        }
        let live = self.tx_msg.look_up(conn, record.stream, record.msn);
        let row = live.and_then(|(row, live)| live.then_some(row));
        (self.build.packet(job, Some(&record), row.as_ref()), false)
    }

    /// REQ-MR-6: an answer is read from memory whenever it is sent, and only with the right to it.
    fn is_readable(&self, row: &Request) -> bool {
        let &Request { opcode, address, length, key, domain, .. } = row;
        let reads = opcode == Opcode::ReadReq && length > 0;
        !reads || self.access.allows(Right::Read, key, domain, address, length).is_ok()
    }

    /// What the next ACK of the connection says: `done` of a stream, or what of a stream is answered, in turn while there is news of both.
    pub(super) fn report(&mut self, conn: u16) -> Report {
        let turns = &mut self.turns[usize::from(conn)];
        let answers_first = !turns.told_answers || !self.rx_msg.has_report(conn);
        let report = if answers_first { self.tx_msg.report(conn) } else { None };
        turns.told_answers = report.is_some();
        match report {
            Some((stream, msn)) => {
                let more = self.rx_msg.has_report(conn) || self.tx_msg.has_report(conn);
                Report { stream, msn, answers: true, more }
            }
            None => {
                let (stream, msn, more) = self.rx_msg.report(conn);
                Report { stream, msn, answers: false, more: more || self.tx_msg.has_report(conn) }
            }
        }
    }
}
