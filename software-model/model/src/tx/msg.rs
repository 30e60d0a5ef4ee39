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
    /// Wire opcode number; only WRITE is built.
    pub opcode: u8,
    /// Held until the stream's earlier messages are done.
    pub fence: bool,
    /// Connection index.
    pub conn: u16,
    /// Stream index.
    pub stream: u8,
    /// First byte of the source in local memory.
    pub local: u64,
    /// First byte of the destination in the peer's address space.
    pub remote: u64,
    /// Key of the peer's region.
    pub rkey: u32,
    /// Bytes.
    pub length: u32,
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
    /// The work request's own number.
    pub wr_id: u64,
    /// Connection index.
    pub conn: u16,
    /// Stream index.
    pub stream: u8,
    /// Wire opcode number of the request.
    pub opcode: u8,
    /// Outcome.
    pub status: Status,
    /// Bytes moved; 0 on error.
    pub byte_len: u32,
    /// The message's number in its stream; 0 on error.
    pub msn: Msn,
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

/// The block.
#[derive(Clone, Debug)]
pub struct TxMsg {
    config: TxMsgConfig,
    connections: Vec<Connection>,
}

impl TxMsg {
    /// Nothing queued, every stream at msn 0, no connection valid.
    pub fn new(config: TxMsgConfig) -> Self {
        Self::starting_at(config, Msn::new(0))
    }

    /// As [`Self::new`], but every stream at message `first`: what a test of the wrap needs.
    pub fn starting_at(config: TxMsgConfig, first: Msn) -> Self {
        let stream = Stream {
            head: first,
            cur: first,
            index: 0,
            done: first,
            rows: vec![MessageRow::default(); config.slots as usize],
        };
        let connection = Connection {
            valid: false,
            streams: vec![stream; config.streams as usize],
            last: config.streams - 1,
            queued: 0,
            unfinished: 0,
            asked: config.streams - 1,
        };
        Self { config, connections: vec![connection; config.connections as usize] }
    }

    /// Packets of a message of `length` bytes: an empty one is one packet.
    pub fn slices(&self, length: u32) -> u32 {
        (u64::from(length).div_ceil(1 << self.config.slice_log2)).max(1) as u32
    }

    /// Sets whether the connection accepts requests; what it has accepted goes on. False when there is none.
    pub fn set_valid(&mut self, conn: u16, valid: bool) -> bool {
        let connection = self.connections.get_mut(usize::from(conn));
        connection.map(|connection| connection.valid = valid).is_some()
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
        let valid =
            self.connections.get(usize::from(request.conn)).is_some_and(|connection| connection.valid);
        !valid
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
    Completion { wr_id, conn, stream, opcode, status, byte_len, msn }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: TxMsgConfig =
        TxMsgConfig { connections: 2, streams: 4, slots: 16, slice_log2: 10, paths: 4 };

    fn write(conn: u16, stream: u8, wr_id: u64, length: u32) -> WorkRequest {
        let (opcode, fence) = (Opcode::Write.code(), false);
        WorkRequest { wr_id, opcode, fence, conn, stream, local: 0x1000, remote: 0x2000, rkey: 7, length }
    }

    fn set_up() -> TxMsg {
        let mut msg = TxMsg::new(CONFIG);
        assert!((0..2).all(|conn| msg.set_valid(conn, true)) && !msg.set_valid(2, true));
        msg
    }

    #[test]
    fn an_empty_message_is_one_slice_and_completes() {
        let mut msg = set_up();
        assert_eq!(msg.submit(write(0, 1, 9, 0)), Submitted::Queued { wakes: true });
        let slice = msg.slice(0).unwrap();
        assert_eq!((slice.stream, slice.index, slice.tail, slice.more), (1, 0, true, false));
        assert_eq!(msg.slice(0), None);
        let completions = msg.done(0, 1, Msn::new(1)).unwrap();
        let completion = completions[0];
        assert_eq!((completions.len(), completion.wr_id, completion.byte_len), (1, 9, 0));
        assert_eq!((completion.status, completion.msn), (Status::Success, Msn::new(0)));
    }

    #[test]
    fn slice_boundaries_count_one_packet_per_started_slice() {
        let msg = TxMsg::new(CONFIG);
        let want = [(0, 1), (1, 1), (1023, 1), (1024, 1), (1025, 2), (4096, 4), (u32::MAX, 1 << 22)];
        for (length, slices) in want {
            assert_eq!(msg.slices(length), slices, "{length} bytes");
        }
    }

    #[test]
    fn streams_share_packet_by_packet_and_tails_ask_for_an_ack() {
        let mut msg = set_up();
        msg.submit(write(0, 0, 1, 4 * 1024));
        msg.submit(write(0, 2, 2, 2 * 1024));
        let order: Vec<_> =
            std::iter::from_fn(|| msg.slice(0)).map(|s| (s.stream, s.index, s.tail, s.more)).collect();
        let want = [
            (0, 0, false, true),
            (2, 0, false, true),
            (0, 1, true, true),
            (2, 1, true, true),
            (0, 2, true, true),
            (0, 3, true, false),
        ];
        assert_eq!(order, want);
    }

    #[test]
    fn a_full_stream_takes_no_more_and_another_stream_does() {
        let mut msg = set_up();
        for n in 0..16 {
            assert!(msg.accepts(&write(1, 3, n, 8)));
            msg.submit(write(1, 3, n, 8));
        }
        assert!(!msg.accepts(&write(1, 3, 16, 8)) && msg.accepts(&write(1, 2, 16, 8)));
        while msg.slice(1).is_some() {}
        assert_eq!(msg.done(1, 3, Msn::new(5)).unwrap().len(), 5);
        assert!(msg.accepts(&write(1, 3, 16, 8)));
    }

    #[test]
    fn done_beyond_what_was_sent_is_refused_and_behind_is_nothing() {
        let mut msg = set_up();
        msg.submit(write(0, 0, 1, 8));
        msg.submit(write(0, 0, 2, 8));
        msg.slice(0);
        assert_eq!(msg.done(0, 0, Msn::new(2)), None);
        assert_eq!(msg.done(0, 0, Msn::new(1)).unwrap().len(), 1);
        assert_eq!(msg.done(0, 0, Msn::new(0)).unwrap().len(), 0);
        assert_eq!(msg.done(0, 4, Msn::new(0)), None);
    }

    #[test]
    fn rows_are_live_until_done_and_messages_wrap_at_2_to_the_24() {
        let mut msg = set_up();
        let mut done = 0u32;
        for n in 0..(1u32 << 24) + 40 {
            msg.submit(write(0, 0, u64::from(n), 8));
            let slice = msg.slice(0).unwrap();
            assert_eq!(slice.msn, Msn::new(n));
            if n % 16 == 15 {
                let (row, live) = msg.look_up(0, 0, Msn::new(n)).unwrap();
                assert!(live && row.request.wr_id == u64::from(n));
                done += msg.done(0, 0, Msn::new(n + 1)).unwrap().len() as u32;
                assert!(!msg.look_up(0, 0, Msn::new(n)).unwrap().1);
            }
        }
        assert_eq!(done, (1 << 24) + 32);
    }

    #[test]
    fn requests_that_are_not_built_are_refused_with_an_error_completion() {
        let mut msg = set_up();
        let bad = [write(2, 0, 5, 8), write(0, 4, 5, 8), WorkRequest { opcode: 99, ..write(0, 0, 5, 8) }];
        for request in bad {
            assert!(msg.accepts(&request));
            let Submitted::Refused(completion) = msg.submit(request) else { panic!("{request:?} was taken") };
            assert_eq!(
                (completion.status, completion.wr_id, completion.byte_len),
                (Status::InvalidRequest, 5, 0)
            );
        }
        assert_eq!(msg.slice(0), None);
    }

    #[test]
    fn a_connection_taken_down_refuses_even_when_its_stream_is_full_and_finishes_what_it_has() {
        let mut msg = set_up();
        (0..16).for_each(|n| assert!(matches!(msg.submit(write(1, 0, n, 8)), Submitted::Queued { .. })));
        assert!(!msg.accepts(&write(1, 0, 16, 8)) && msg.set_valid(1, false));
        assert!(msg.accepts(&write(1, 0, 16, 8)));
        assert!(matches!(msg.submit(write(1, 0, 16, 8)), Submitted::Refused(_)));
        while msg.slice(1).is_some() {}
        let completions = msg.done(1, 0, Msn::new(16)).unwrap();
        assert_eq!((completions.len(), completions[15].wr_id, completions[15].msn), (16, 15, Msn::new(15)));
    }

    #[test]
    fn a_fence_waits_for_what_is_before_it_in_its_stream() {
        let mut msg = set_up();
        let fenced = WorkRequest { fence: true, ..write(0, 0, 2, 8) };
        assert!(msg.accepts(&fenced));
        msg.submit(write(0, 0, 1, 8));
        msg.submit(write(0, 1, 1, 8));
        assert!(!msg.accepts(&fenced) && msg.accepts(&write(0, 0, 3, 8)));
        let (head, done) = (Msn::new(1), Msn::new(0));
        assert_eq!(msg.marks(0, 0), Some(Marks { head, cur: done, done }));
        while msg.slice(0).is_some() {}
        msg.done(0, 0, Msn::new(1));
        assert!(msg.accepts(&fenced));
    }

    #[test]
    fn a_message_whose_slices_cannot_be_numbered_is_refused() {
        let mut msg = TxMsg::new(TxMsgConfig { slice_log2: 8, ..CONFIG });
        msg.set_valid(0, true);
        let refused =
            |msg: &mut TxMsg, length| matches!(msg.submit(write(0, 0, 1, length)), Submitted::Refused(_));
        assert!(
            !refused(&mut msg, 1 << 30) && refused(&mut msg, (1 << 30) + 1) && refused(&mut msg, u32::MAX)
        );
    }
}
