//! What ends a message: the peer's report, the answer, or an error of the connection.

use super::{Answered, Completion, Connection, MessageRow, Sink, TxMsg};
use heddle_wire::serial::Msn;
use heddle_wire::{Opcode, Status};
use std::collections::VecDeque;

impl TxMsg {
    /// The peer reports `msn` leading messages complete. Completions in order, or `None` for a report beyond what was sent.
    pub fn done(&mut self, conn: u16, stream: u8, msn: Msn) -> Option<VecDeque<Completion>> {
        self.stream(conn, stream)?;
        let state = &mut self.connections[usize::from(conn)].streams[usize::from(stream)];
        if !msn.is_behind(state.done) {
            if msn.distance_from(state.done) > state.cur.distance_from(state.done) {
                return None;
            }
            state.done = msn;
        }
        Some(self.complete(conn, stream))
    }

    /// Completes what is done and answered, in the order of the stream. REQ-MSG-4.
    fn complete(&mut self, conn: u16, stream: u8) -> VecDeque<Completion> {
        let slots = self.config.slots;
        let connection = &mut self.connections[usize::from(conn)];
        let state = &mut connection.streams[usize::from(stream)];
        let mut completions = VecDeque::new();
        while state.completed != state.done {
            let row = &state.rows[(state.completed.get() % slots) as usize];
            let answered = row.request.is_answered();
            if answered && !row.answered {
                break;
            }
            state.answers_dirty |= answered;
            completions.push_back(Completion::of(row, Status::Success));
            state.completed = state.completed.next();
        }
        connection.unfinished -= completions.len() as u32;
        completions
    }

    /// Where the answer to a request goes, while it is outstanding: sent, and not wholly answered.
    pub fn sink(&self, conn: u16, stream: u8, msn: Msn) -> Option<Sink> {
        let state = self.stream(conn, stream)?;
        let row = &state.rows[(msn.get() % self.config.slots) as usize];
        let cut = msn.distance_from(state.completed) < state.cur.distance_from(state.completed);
        let MessageRow { request, answered, .. } = row;
        let opcode = Opcode::from_code(request.opcode)?;
        let outstanding = cut && request.is_answered() && !answered;
        outstanding.then_some(Sink { request: opcode, address: request.local, length: request.length })
    }

    /// `len` bytes of the answer are placed. That it is answered says that the peer has executed it, and all before it: done passes
    /// it, and the caller asks for completions with [`Self::done`].
    pub fn answer_placed(&mut self, conn: u16, stream: u8, msn: Msn, len: u16) -> Answered {
        let Some(sink) = self.sink(conn, stream, msn) else { return Answered::Excess };
        let slots = self.config.slots;
        let connection = &mut self.connections[usize::from(conn)];
        let row = &mut connection.streams[usize::from(stream)].rows[(msn.get() % slots) as usize];
        if u32::from(len) > sink.length - row.answer_bytes {
            return Answered::Excess;
        }
        row.answer_bytes += u32::from(len);
        if row.answer_bytes < sink.length {
            return Answered::Partial;
        }
        row.answered = true;
        connection.requests &= !(1 << row.rq_index.get());
        Answered::Complete
    }

    /// Whether the peer has answers whose end it was not told of.
    pub fn has_report(&self, conn: u16) -> bool {
        self.connections[usize::from(conn)].streams.iter().any(|stream| stream.answers_dirty)
    }

    /// The stream that an ACK with RESPONSE speaks of, those with news in turn, and its first message that is not complete: every READ
    /// and atomic before it is answered. REQ-OP-9.
    pub fn report(&mut self, conn: u16) -> Option<(u8, Msn)> {
        let streams = self.config.streams;
        let connection = &mut self.connections[usize::from(conn)];
        let chosen = (1..=streams)
            .map(|step| (connection.told + step) % streams)
            .find(|&stream| connection.streams[stream as usize].answers_dirty)?;
        connection.told = chosen;
        let stream = &mut connection.streams[chosen as usize];
        stream.answers_dirty = false;
        Some((chosen as u8, stream.completed))
    }

    /// Messages of the connection wholly cut and not complete.
    pub fn unfinished(&self, conn: u16) -> u32 {
        self.connections[usize::from(conn)].unfinished
    }

    /// Whether the connection waits for what only the peer can tell: a message wholly cut is not complete, or one lacks credit.
    pub fn waits(&self, conn: u16) -> bool {
        self.unfinished(conn) > 0 || (0..self.config.streams).any(|stream| self.lacks_credit(conn, stream))
    }

    /// The stream to ask the peer about: those that wait for something that it tells, in turn.
    pub fn question(&mut self, conn: u16) -> Option<u8> {
        let streams = self.config.streams;
        let Connection { asked, streams: states, .. } = &self.connections[usize::from(conn)];
        let chosen = (1..=streams).map(|step| (asked + step) % streams).find(|&s| {
            let state = &states[s as usize];
            state.cur != state.completed || self.lacks_credit(conn, s)
        })?;
        self.connections[usize::from(conn)].asked = chosen;
        Some(chosen as u8)
    }
}
