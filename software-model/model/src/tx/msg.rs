//! Transmit messages: accepts work requests, cuts them into slices, and completes them in stream order.
//!
//! Owns the message rows: 64 per connection, `streams x slots`. A row lives from its work request until the message is complete: `done`
//! has passed it and, of a READ or an atomic, the answer is placed.
//! Mirrors the RTL block `tx_msg` as far as WRITE goes; docs/blocks/tx-msg.md has ports and latency.

mod complete;
mod cut;
mod flush;
mod records;

pub use records::{Answered, Completion, Cut, Marks, MessageRow, Sink, Slice, Submitted, WorkRequest};

use crate::operations::Operations;
use heddle_wire::serial::{Msn, Seq16};
use heddle_wire::{Opcode, Status};

/// Slices are numbered with 22 bits: 4 GiB of 1 KiB slices.
pub const SLICE_INDEX_BITS: u32 = 22;
/// READ and atomic requests that a connection has outstanding at most. Source: docs/protocol.md section 7.
pub const REQUEST_DEPTH: u8 = 16;

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
    /// Operations that work requests may ask for.
    pub operations: Operations,
}

/// 24 x 4 + 22 + 24 + 1 bits; the rows lie in a memory of their own.
#[derive(Clone, Debug)]
struct Stream {
    head: Msn,
    cur: Msn,
    index: u32,
    done: Msn,
    completed: Msn,
    /// A READ or atomic was completed since the peer was last told.
    answers_dirty: bool,
    rows: Vec<MessageRow>,
}

#[derive(Clone, Debug)]
struct Connection {
    /// Set up: requests are accepted.
    valid: bool,
    streams: Vec<Stream>,
    /// Stream of the last slice, or the number of streams after an answer; the next search starts behind it.
    last: u32,
    /// Slices queued and not yet cut.
    queued: u64,
    /// Messages wholly cut and not complete.
    unfinished: u32,
    /// Stream of the last question.
    asked: u32,
    /// Stream of the last report on answers.
    told: u32,
    /// Receives that the peer has posted, and the number of the next that a message here consumes: 16 bits each.
    credit: Seq16,
    rq_next: Seq16,
    /// Places at the responder with a request outstanding, one bit each.
    requests: u16,
}

impl Connection {
    fn new(config: &TxMsgConfig, first: Msn, credit: Seq16) -> Self {
        let stream = Stream {
            head: first,
            cur: first,
            index: 0,
            done: first,
            completed: first,
            answers_dirty: false,
            rows: vec![MessageRow::default(); config.slots as usize],
        };
        let last = config.streams - 1;
        Self {
            valid: false,
            streams: vec![stream; config.streams as usize],
            last,
            queued: 0,
            unfinished: 0,
            asked: last,
            told: last,
            credit,
            rq_next: credit,
            requests: 0,
        }
    }
}

/// The block.
#[derive(Clone, Debug)]
pub struct TxMsg {
    config: TxMsgConfig,
    /// Where every stream starts, and the peer's receives.
    first: (Msn, Seq16),
    connections: Vec<Connection>,
}

impl TxMsg {
    /// Nothing queued, every stream at msn 0, no connection valid.
    pub fn new(config: TxMsgConfig) -> Self {
        Self::starting_at(config, Msn::new(0))
    }

    /// As [`Self::new`], but every stream at message `first`: what a test of the wrap needs.
    pub fn starting_at(config: TxMsgConfig, first: Msn) -> Self {
        Self::with_credit(config, first, Seq16::new(0))
    }

    /// As [`Self::starting_at`]; the peer's receives are numbered from `credit` on.
    pub fn with_credit(config: TxMsgConfig, first: Msn, credit: Seq16) -> Self {
        let connection = Connection::new(&config, first, credit);
        Self { config, first: (first, credit), connections: vec![connection; config.connections as usize] }
    }

    /// Packets of a message of `length` bytes: an empty one is one packet.
    pub fn slices(&self, length: u32) -> u32 {
        (u64::from(length).div_ceil(1 << self.config.slice_log2)).max(1) as u32
    }

    /// Packets of a work request: a READ or an atomic is one, whatever its answer is.
    pub fn packets(&self, request: &WorkRequest) -> u32 {
        if request.is_answered() {
            1
        } else {
            self.slices(request.length)
        }
    }

    /// The connection is as new and takes no requests.
    fn renew(&mut self, conn: u16) {
        if let Some(connection) = self.connections.get_mut(usize::from(conn)) {
            *connection = Connection::new(&self.config, self.first.0, self.first.1);
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

    /// Whether a work request is taken now: one that is refused always is, another when its stream has a free slot and, where only
    /// WRITEs are built, behind a fence nothing else.
    pub fn accepts(&self, request: &WorkRequest) -> bool {
        let outstanding = self.outstanding(request.conn, request.stream);
        let fenced = request.fence && self.config.operations.is_write_only();
        self.refuses(request) || (outstanding < self.config.slots && !(fenced && outstanding > 0))
    }

    /// Takes a work request; call only when [`Self::accepts`] says so.
    pub fn submit(&mut self, request: WorkRequest) -> Submitted {
        if self.refuses(&request) {
            let row = MessageRow { request, ..MessageRow::default() };
            return Submitted::Refused(Completion::of(&row, Status::InvalidRequest));
        }
        let had_work = self.can_cut(request.conn);
        let packets = self.packets(&request);
        let slots = self.config.slots;
        let connection = &mut self.connections[usize::from(request.conn)];
        connection.queued += u64::from(packets);
        let stream = &mut connection.streams[usize::from(request.stream)];
        stream.rows[(stream.head.get() % slots) as usize] =
            MessageRow { request, msn: stream.head, ..MessageRow::default() };
        stream.head = stream.head.plus(1);
        Submitted::Queued { wakes: !had_work && self.can_cut(request.conn) }
    }

    /// The opcode is not built, there is no such connection or stream, it is not set up, the slices cannot be numbered, or an atomic
    /// has not 8 bytes.
    fn refuses(&self, request: &WorkRequest) -> bool {
        let opcode = self.config.operations.request(request.opcode);
        let atomic = matches!(opcode, Some(Opcode::FetchAdd | Opcode::CmpSwap));
        !self.is_valid(request.conn)
            || self.stream(request.conn, request.stream).is_none()
            || opcode.is_none()
            || self.slices(request.length) > 1 << SLICE_INDEX_BITS
            || (atomic && request.length != 8)
    }

    /// The row of a message, and whether it is still to be sent: already numbered, and not done.
    pub fn look_up(&self, conn: u16, stream: u8, msn: Msn) -> Option<(MessageRow, bool)> {
        let state = self.stream(conn, stream)?;
        let live = msn.distance_from(state.done) < state.head.distance_from(state.done);
        self.row(conn, stream, msn).map(|row| (*row, live))
    }

    fn row(&self, conn: u16, stream: u8, msn: Msn) -> Option<&MessageRow> {
        Some(&self.stream(conn, stream)?.rows[(msn.get() % self.config.slots) as usize])
    }

    /// Messages of the stream not yet complete.
    pub fn outstanding(&self, conn: u16, stream: u8) -> u32 {
        self.stream(conn, stream).map_or(0, |s| s.head.distance_from(s.completed))
    }

    /// Where a stream stands; `None` when there is no such stream.
    pub fn marks(&self, conn: u16, stream: u8) -> Option<Marks> {
        self.stream(conn, stream).map(|&Stream { head, cur, done, completed, .. }| Marks {
            head,
            cur,
            done,
            completed,
        })
    }

    fn stream(&self, conn: u16, stream: u8) -> Option<&Stream> {
        self.connections.get(usize::from(conn))?.streams.get(usize::from(stream))
    }
}

#[cfg(test)]
mod tests;
