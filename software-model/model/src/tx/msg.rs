//! Transmit messages: accepts work requests, cuts them into slices, and completes them in stream order.
//!
//! Owns the message rows: 64 per connection, `streams x slots`. A row lives from its work request until `done` passes it.
//! Mirrors the RTL block `tx_msg`; docs/blocks/tx-msg.md has ports and latency.

use heddle_wire::{Msn, Opcode, Status};
use std::collections::VecDeque;

/// Slices are numbered with 22 bits: 4 GiB of 1 KiB slices.
pub const SLICE_INDEX_BITS: u32 = 22;

/// Sizes of the block, from the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TxMsgConfig {
    /// Connections, a power of two.
    pub connections: u32,
    /// Streams per connection, a power of two.
    pub streams: u32,
    /// Messages in flight per stream (M), a power of two; streams x slots = 64.
    pub slots: u32,
    /// log2 of the slice size in bytes.
    pub slice_log2: u32,
    /// Paths per connection: the last that many queued packets of a connection ask for an ACK.
    pub paths: u32,
}

/// One work request, as the host hands it in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkRequest {
    /// Chosen by the host, returned in the completion.
    pub wr_id: u64,
    /// Wire opcode number; a READ is READ_REQ.
    pub opcode: u8,
    /// Held until the stream's earlier messages are done.
    pub fence: bool,
    /// Connection index.
    pub conn: u16,
    /// Stream index.
    pub stream: u8,
    /// First byte in local memory: of the source (WRITE, SEND), or of the answer's sink (READ, atomics).
    pub local: u64,
    /// First byte in the peer's address space (WRITE, READ, atomics).
    pub remote: u64,
    /// Key of the peer's region.
    pub rkey: u32,
    /// Bytes; 8 of an atomic.
    pub length: u32,
    /// Immediate (WRITE_IMM, SEND_IMM).
    pub imm: u32,
    /// Added, or swapped in (atomics).
    pub operand: u64,
    /// Compared with (CMP_SWAP).
    pub compare: u64,
}

/// A message row: what must be remembered until the message is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageRow {
    /// The work request.
    pub request: WorkRequest,
    /// The message's number in its stream.
    pub msn: Msn,
}

/// What happened to a submitted work request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// Queued; `wakes` when the connection had nothing to slice before.
    Queued {
        /// The scheduler must be told.
        wakes: bool,
    },
    /// Refused at once; its completion is queued behind none.
    Refused(Completion),
}

/// One completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The number given with the work request, or with the receive.
    pub wr_id: u64,
    /// Connection index.
    pub conn: u16,
    /// Stream index.
    pub stream: u8,
    /// Wire opcode number of the work request; of the arrived message for a receive.
    pub opcode: u8,
    /// Outcome.
    pub status: Status,
    /// Bytes moved; 0 on error.
    pub byte_len: u32,
    /// The message's number in its stream; 0 on error.
    pub msn: Msn,
    /// Of a posted receive, not of a work request.
    pub receive: bool,
    /// The immediate of the arrived message, if it has one.
    pub imm: Option<u32>,
}

/// The next packet's share of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Connection index.
    pub conn: u16,
    /// Stream index.
    pub stream: u8,
    /// Message.
    pub msn: Msn,
    /// Slice number in the message; byte offset = index x slice size.
    pub index: u32,
    /// One of the connection's last queued packets (as many as it has paths): asks for an ACK.
    pub tail: bool,
    /// The connection has further slices.
    pub more: bool,
}

/// Where a stream stands: `done` is not ahead of `cur`, nor `cur` of `head`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    /// Number of the next message that is queued.
    pub head: Msn,
    /// Message that the next slice is cut from.
    pub cur: Msn,
    /// The first message that is not done.
    pub done: Msn,
}

#[derive(Clone, Debug)]
struct Stream {
    head: Msn,
    cur: Msn,
    index: u32,
    done: Msn,
    rows: Vec<MessageRow>,
}

#[derive(Clone, Debug)]
struct Connection {
    /// Set up: requests are accepted.
    valid: bool,
    streams: Vec<Stream>,
    /// Stream of the last slice; the next search starts behind it.
    last: u32,
    /// Slices queued and not yet cut.
    queued: u64,
    /// Messages wholly cut and not done.
    unfinished: u32,
    /// Stream of the last question.
    asked: u32,
}

impl Connection {
    fn new(config: &TxMsgConfig, first: Msn) -> Self {
        let stream = Stream {
            head: first,
            cur: first,
            index: 0,
            done: first,
            rows: vec![MessageRow::default(); config.slots as usize],
        };
        Self {
            valid: false,
            streams: vec![stream; config.streams as usize],
            last: config.streams - 1,
            queued: 0,
            unfinished: 0,
            asked: config.streams - 1,
        }
    }
}

/// The block.
#[derive(Clone, Debug)]
pub struct TxMsg {
    config: TxMsgConfig,
    /// Where every stream starts.
    first: Msn,
    connections: Vec<Connection>,
}

impl TxMsg {
    /// Nothing queued, every stream at msn 0, no connection valid.
    pub fn new(config: TxMsgConfig) -> Self {
        Self::starting_at(config, Msn::new(0))
    }

    /// As [`Self::new`], but every stream at message `first`: what a test of the wrap needs.
    pub fn starting_at(config: TxMsgConfig, first: Msn) -> Self {
        let connections = vec![Connection::new(&config, first); config.connections as usize];
        Self { config, first, connections }
    }

    /// Packets of a message of `length` bytes: an empty one is one packet.
    pub fn slices(&self, length: u32) -> u32 {
        (u64::from(length).div_ceil(1 << self.config.slice_log2)).max(1) as u32
    }

    /// The connection is as new and takes no requests.
    fn renew(&mut self, conn: u16) {
        if let Some(connection) = self.connections.get_mut(usize::from(conn)) {
            *connection = Connection::new(&self.config, self.first);
        }
    }

    /// Sets whether the connection accepts requests; what it has accepted goes on. False when there is none.
    pub fn set_valid(&mut self, conn: u16, valid: bool) -> bool {
        let connection = self.connections.get_mut(usize::from(conn));
        connection.map(|connection| connection.valid = valid).is_some()
    }

    /// Whether the connection is set up.
    pub fn is_valid(&self, conn: u16) -> bool {
        self.connections.get(usize::from(conn)).is_some_and(|connection| connection.valid)
    }

    /// Whether a work request is taken now: one that is refused always is, another when its stream has a free slot and,
    /// behind a fence, nothing else.
    pub fn accepts(&self, request: &WorkRequest) -> bool {
        let outstanding = self.outstanding(request.conn, request.stream);
        self.refuses(request) || (outstanding < self.config.slots && !(request.fence && outstanding > 0))
    }

    /// Takes a work request; call only when [`Self::accepts`] says so.
    pub fn submit(&mut self, request: WorkRequest) -> Submitted {
        if self.refuses(&request) {
            let (byte_len, msn) = (0, Msn::new(0));
            return Submitted::Refused(completion(&request, Status::InvalidRequest, byte_len, msn));
        }
        let slices = u64::from(self.slices(request.length));
        let slots = self.config.slots;
        let connection = &mut self.connections[usize::from(request.conn)];
        let wakes = connection.queued == 0;
        connection.queued += slices;
        let stream = &mut connection.streams[usize::from(request.stream)];
        stream.rows[(stream.head.get() % slots) as usize] = MessageRow { request, msn: stream.head };
        stream.head = stream.head.plus(1);
        Submitted::Queued { wakes }
    }

    /// The opcode is not built, there is no such connection or stream, it is not set up, or the slices cannot be numbered.
    fn refuses(&self, request: &WorkRequest) -> bool {
        !self.is_valid(request.conn)
            || self.stream(request.conn, request.stream).is_none()
            || request.opcode != Opcode::Write.code()
            || self.slices(request.length) > 1 << SLICE_INDEX_BITS
    }

    /// Cuts the connection's next slice, streams in turn; `None` when nothing is queued.
    pub fn slice(&mut self, conn: u16) -> Option<Slice> {
        let (slots, streams, paths) = (self.config.slots, self.config.streams, self.config.paths);
        let slice_log2 = self.config.slice_log2;
        let connection = self.connections.get_mut(usize::from(conn))?;
        let chosen = (1..=streams)
            .map(|step| (connection.last + step) % streams)
            .find(|&s| connection.streams[s as usize].cur != connection.streams[s as usize].head)?;
        connection.last = chosen;
        connection.queued -= 1;
        let stream = &mut connection.streams[chosen as usize];
        let (msn, index) = (stream.cur, stream.index);
        let length = stream.rows[(msn.get() % slots) as usize].request.length;
        // The slice is the last when it reaches the end; an empty message ends with its first.
        if (u64::from(index) + 1) << slice_log2 >= u64::from(length) {
            stream.cur = stream.cur.plus(1);
            stream.index = 0;
            connection.unfinished += 1;
        } else {
            stream.index += 1;
        }
        let queued = connection.queued;
        Some(Slice {
            conn,
            stream: chosen as u8,
            msn,
            index,
            tail: queued < u64::from(paths),
            more: queued > 0,
        })
    }

    /// The peer reports `msn` leading messages complete. Completions in order, or `None` for a report beyond what was sent.
    pub fn done(&mut self, conn: u16, stream: u8, msn: Msn) -> Option<VecDeque<Completion>> {
        let slots = self.config.slots;
        self.stream(conn, stream)?;
        let state = &mut self.connections[usize::from(conn)].streams[usize::from(stream)];
        if msn.is_behind(state.done) {
            return Some(VecDeque::new());
        }
        if msn.distance_from(state.done) > state.cur.distance_from(state.done) {
            return None;
        }
        let mut completions = VecDeque::new();
        while state.done != msn {
            let row = &state.rows[(state.done.get() % slots) as usize];
            completions.push_back(completion(&row.request, Status::Success, row.request.length, row.msn));
            state.done = state.done.plus(1);
        }
        self.connections[usize::from(conn)].unfinished -= completions.len() as u32;
        Some(completions)
    }

    /// Messages of the connection wholly cut and not done.
    pub fn unfinished(&self, conn: u16) -> u32 {
        self.connections[usize::from(conn)].unfinished
    }

    /// Whether some message of the connection is wholly cut and not done.
    pub fn waits(&self, conn: u16) -> bool {
        self.unfinished(conn) > 0
    }

    /// The stream to ask the peer about: those with a message wholly cut and not done, in turn.
    pub fn question(&mut self, conn: u16) -> Option<u8> {
        let streams = self.config.streams;
        let connection = &mut self.connections[usize::from(conn)];
        let chosen = (1..=streams)
            .map(|step| (connection.asked + step) % streams)
            .find(|&s| connection.streams[s as usize].cur != connection.streams[s as usize].done)?;
        connection.asked = chosen;
        Some(chosen as u8)
    }

    /// The row of a message, and whether it is still live: not done and already numbered.
    pub fn look_up(&self, conn: u16, stream: u8, msn: Msn) -> Option<(MessageRow, bool)> {
        let state = self.stream(conn, stream)?;
        let row = state.rows[(msn.get() % self.config.slots) as usize];
        Some((row, msn.distance_from(state.done) < state.head.distance_from(state.done)))
    }

    /// Messages of the stream not yet done.
    pub fn outstanding(&self, conn: u16, stream: u8) -> u32 {
        self.stream(conn, stream).map_or(0, |s| s.head.distance_from(s.done))
    }

    /// Where a stream stands; `None` when there is no such stream.
    pub fn marks(&self, conn: u16, stream: u8) -> Option<Marks> {
        self.stream(conn, stream).map(|&Stream { head, cur, done, .. }| Marks { head, cur, done })
    }

    fn stream(&self, conn: u16, stream: u8) -> Option<&Stream> {
        self.connections.get(usize::from(conn))?.streams.get(usize::from(stream))
    }
}

fn completion(request: &WorkRequest, status: Status, byte_len: u32, msn: Msn) -> Completion {
    let &WorkRequest { wr_id, conn, stream, opcode, .. } = request;
    Completion { wr_id, conn, stream, opcode, status, byte_len, msn, receive: false, imm: None }
}

mod flush;
#[cfg(test)]
mod tests;
