//! What operations other than WRITE need of the core: look-ups before a packet is judged, requests that are executed, answers, credit.

use super::receive::Arrival;
use super::Core;
use crate::memory::Memory;
use crate::rx::access::{LookedUp, Placement, Right};
use crate::rx::answer;
use crate::rx::msg::{Counted, Passed, Placed, RxMsgError};
use crate::rx::recv::{Posted, Receive};
use crate::tx::ack_in::AckNews;
use crate::tx::build::Packet;
use crate::tx::msg::{Answered, Completion, Cut, Slice};
use crate::tx::respond::Request;
use crate::tx::sched::{Job, JobKind};
use heddle_wire::header::AtomicOperands;
use heddle_wire::serial::Msn;
use heddle_wire::{AtomicResult, Data, DropReason, Hint, Opcode, Status, Time32};

/// What a connection remembers between its ACKs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turns {
    /// Path of the last arrival: an ACK that no arrival asks for goes there.
    last_path: Option<u16>,
    /// The last ACK spoke of answers.
    told_answers: bool,
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
    /// What other blocks know of the packet's message. Where only WRITE is built, that is `done`.
    pub(super) fn look_up(&self, conn: u16, opcode: Opcode, data: &Data) -> LookedUp {
        let &Data { stream, msn, rq_index, .. } = data;
        let done = self.rx_msg.done(conn, stream);
        if self.config.operations.is_write_only() {
            return LookedUp { done, ..LookedUp::default() };
        }
        LookedUp {
            done,
            slot: self.rx_msg.slot(conn, stream, msn),
            receive: self.recv.look_up(conn, rq_index).filter(|_| opcode.consumes_receive()),
            place_free: self.respond.is_free(conn, rq_index),
            sink: self.tx_msg.sink(conn, stream, msn),
        }
    }

    /// A packet of a message is accepted: its bytes go to memory and count, and what that completes has its turn.
    pub(super) fn place_message(
        &mut self,
        arrival: &Arrival,
        data: &Data,
        placement: &Placement,
        payload: &[u8],
        memory: &mut impl Memory,
    ) {
        let &Placement { opcode, address, len } = placement;
        let (conn, path) = (arrival.conn.conn, arrival.conn.path);
        let &Data { stream, msn, rq_index, imm, length, .. } = data;
        let request = matches!(opcode, Opcode::ReadReq | Opcode::FetchAdd | Opcode::CmpSwap);
        if opcode.consumes_receive() {
            self.recv.claim(conn, rq_index, stream, msn);
        }
        if request {
            self.respond.take(conn, rq_index, request_of(opcode, data, arrival.conn.domain, payload));
            if opcode == Opcode::ReadReq {
                self.take_request_hint(arrival.path, Hint::from_bits(imm as u16), arrival.now);
            }
        }
        let ok = len == 0 || memory.write(address, &payload[..usize::from(len)]);
        let message_len = if request { 0 } else { length };
        let opcode = opcode.code();
        let placed = Placed { conn, stream, msn, message_len, len, path, ok, opcode, rq_index, imm };
        match self.rx_msg.count(&placed) {
            Counted::Partial => {}
            Counted::Complete => {
                self.ask_ack_at_once(arrival.path);
                while let Some(passed) = self.rx_msg.pass(conn, stream) {
                    self.passed(conn, stream, &passed, memory, arrival.now);
                }
            }
            Counted::Error(error) => self.broken(conn, error, arrival.now),
        }
    }

    /// The turn of a message has come in its stream. REQ-OP-1.
    fn passed(&mut self, conn: u16, stream: u8, passed: &Passed, memory: &mut impl Memory, now: Time32) {
        let &Passed { msn, slot } = passed;
        let Some(opcode) = Opcode::from_code(slot.opcode) else { return };
        if opcode.consumes_receive() {
            let imm = (opcode != Opcode::Send).then_some(slot.imm);
            let receive = self.recv.complete(conn, slot.rq_index);
            self.completions.extend(receive.map(|Receive { wr_id, .. }| Completion {
                wr_id,
                conn,
                stream,
                opcode: slot.opcode,
                status: Status::Success,
                byte_len: slot.message_len,
                msn,
                receive: true,
                imm,
            }));
        }
        if let Some(request) = self.respond.turn(conn, slot.rq_index).filter(|r| r.opcode == opcode) {
            match self.execute(&request, memory) {
                Ok(original) => self.respond.executed(conn, slot.rq_index, original),
                Err(error) => self.broken(conn, error, now),
            }
            self.wake(conn);
        }
    }

    /// Executes a request; what an atomic found. The data of a READ is read when it is sent.
    fn execute(&self, request: &Request, memory: &mut impl Memory) -> Result<u64, RxMsgError> {
        let &Request { opcode, address, length, key, domain, operand, compare, .. } = request;
        if opcode == Opcode::ReadReq {
            return Ok(0);
        }
        // REQ-MR-6: the region may have been withdrawn since the request arrived.
        let allowed = self.access.allows(Right::Atomic, key, domain, address, length);
        allowed.map_err(|_| RxMsgError::Withdrawn)?;
        let mut word = [0; 8];
        let read = memory.read(address, &mut word);
        let original = u64::from_le_bytes(word);
        // REQ-OP-3: FETCH_ADD wraps; CMP_SWAP writes when the word equals `compare`.
        let written = match opcode {
            Opcode::FetchAdd => Some(original.wrapping_add(operand)),
            _ => (original == compare).then_some(operand),
        };
        let ok = read && written.is_none_or(|value| memory.write(address, &answer::atomic_bytes(value)));
        ok.then_some(original).ok_or(RxMsgError::Memory)
    }

    /// A packet of an answer is accepted: its bytes go to the sink. REQ-OP-7, REQ-OP-8.
    pub(super) fn place_answer(
        &mut self,
        arrival: &Arrival,
        data: &Data,
        placement: &Placement,
        payload: &[u8],
        memory: &mut impl Memory,
    ) {
        let &Placement { opcode, address, len } = placement;
        let (conn, stream, msn) = (arrival.conn.conn, data.stream, data.msn);
        let payload = &payload[..usize::from(len)];
        let ok = match payload.try_into() {
            Ok(result) if opcode == Opcode::AtomicResp => {
                let original = AtomicResult::parse(result).original;
                memory.write(address, &answer::atomic_bytes(original))
            }
            _ => len == 0 || memory.write(address, payload),
        };
        if !ok {
            return self.broken(conn, RxMsgError::Memory, arrival.now);
        }
        match self.tx_msg.answer_placed(conn, stream, msn, len) {
            Answered::Partial => {}
            Answered::Complete => {
                self.ask_ack_at_once(arrival.path);
            }
            Answered::Excess => return self.broken(conn, RxMsgError::Length, arrival.now),
        }
        // Requests are executed in the order of their stream: all up to this one is done.
        let completions = self.tx_msg.done(conn, stream, msn.next());
        self.completions.extend(completions.into_iter().flatten());
        self.progress(conn, true, arrival.now);
    }

    /// Takes what an ACK says of messages, answers and credit.
    pub(super) fn believe(&mut self, news: &AckNews, now: Time32) -> Result<(), DropReason> {
        let Some((conn, stream, msn)) = news.done else { return Ok(()) };
        let built = !self.config.operations.is_write_only();
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
            self.progress(conn, false, now);
            return Ok(());
        }
        let before = self.tx_msg.marks(conn, stream);
        let completions = self.tx_msg.done(conn, stream, msn).ok_or(DropReason::AckInvalid)?;
        self.completions.extend(completions);
        self.progress(conn, before != self.tx_msg.marks(conn, stream), now);
        Ok(())
    }

    /// The peer has told something: the probe timer, and what it was that streams were held back by.
    fn progress(&mut self, conn: u16, progress: bool, now: Time32) {
        self.tell_probe(conn, progress, now);
        if !self.config.operations.is_write_only() {
            self.wake(conn);
        }
    }

    /// The scheduler hears of a connection that has something to send.
    fn wake(&mut self, conn: u16) {
        if self.tx_msg.can_cut(conn) || self.respond.queued(conn) > 0 {
            let packets = self.tx_msg.queued(conn) + self.respond.queued(conn);
            self.begin(conn, packets.min(u32::MAX.into()) as u32);
            self.sched.on_work(conn);
        }
    }

    /// REQ-MSG-1: what lacks credit waits under the probe timer.
    pub(super) fn await_credit(&mut self, conn: u16) {
        let Some(now) = self.timers.last().filter(|_| !self.config.operations.is_write_only()) else {
            return;
        };
        self.tell_probe(conn, false, now);
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
        Some(Slice { more, tail: left < u64::from(self.config.paths) || !more, ..slice })
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

    /// The connection has an error: counted, and the first is kept.
    pub(super) fn broken(&mut self, conn: u16, error: RxMsgError, now: Time32) {
        self.counters.errors += 1;
        self.error.get_or_insert((conn, error));
        self.end_by_message(conn, error, now);
    }
}

fn request_of(opcode: Opcode, data: &Data, domain: u16, payload: &[u8]) -> Request {
    let &Data { stream, msn, address, length, key, .. } = data;
    let AtomicOperands { operand, compare } = match payload.try_into() {
        Ok(operands) => AtomicOperands::parse(operands),
        Err(_) => AtomicOperands::default(),
    };
    Request { stream, msn, opcode, address, length, key, domain, operand, compare }
}
