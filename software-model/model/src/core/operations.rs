//! Packets of every operation, once they are let in: what they leave in memory, whose turn they bring, requests that are executed.

use super::receive::Arrival;
use super::Core;
use crate::memory::Memory;
use crate::rx::access::{LookedUp, Placement, Right};
use crate::rx::answer;
use crate::rx::msg::{Counted, Passed, Placed, RxMsgError};
use crate::rx::recv::Receive;
use crate::tx::msg::{Answered, Completion};
use crate::tx::respond::Request;
use heddle_wire::header::AtomicOperands;
use heddle_wire::{AtomicResult, Data, Hint, Opcode, Status, Time32};

impl Core {
    /// What other blocks know of the packet's message, as far as its opcode asks. Where only WRITE is built, that is `done`.
    pub(super) fn look_up(&self, conn: u16, opcode: Opcode, data: &Data) -> LookedUp {
        let &Data { stream, msn, rq_index, .. } = data;
        let done = self.rx_msg.done(conn, stream);
        if self.config.operations.is_write_only() {
            return LookedUp { done, ..LookedUp::default() };
        }
        LookedUp {
            done,
            slot: self.rx_msg.slot(conn, stream, msn),
            receive: if opcode.consumes_receive() { self.recv.look_up(conn, rq_index) } else { None },
            place_free: is_request(opcode) && self.respond.is_free(conn, rq_index),
            sink: if opcode.is_answer() { self.tx_msg.sink(conn, stream, msn) } else { None },
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
        let request = is_request(opcode);
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

    /// The connection has an error: counted, and the first is kept.
    pub(super) fn broken(&mut self, conn: u16, error: RxMsgError, now: Time32) {
        self.counters.errors += 1;
        self.error.get_or_insert((conn, error));
        self.end_by_message(conn, error, now);
    }
}

/// The responder executes it.
fn is_request(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::ReadReq | Opcode::FetchAdd | Opcode::CmpSwap)
}

fn request_of(opcode: Opcode, data: &Data, domain: u16, payload: &[u8]) -> Request {
    let &Data { stream, msn, address, length, key, .. } = data;
    let AtomicOperands { operand, compare } = match payload.try_into() {
        Ok(operands) => AtomicOperands::parse(operands),
        Err(_) => AtomicOperands::default(),
    };
    Request { stream, msn, opcode, address, length, key, domain, operand, compare }
}
