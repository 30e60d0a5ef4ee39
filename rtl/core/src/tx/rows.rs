//! What the transmit blocks hand to each other and keep in memories.
#![allow(missing_docs, reason = "rust-hdl's LogicStruct derive makes undocumented methods")]

use rust_hdl::prelude::*;

/// A path as the scheduler knows it, 62 bits.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct SchedPath {
    /// Packets sent and not known received.
    pub inflight: Bits<9>,
    /// Packets waiting to be resent.
    pub waiting: Bits<9>,
    /// next - base, 0 to 256.
    pub span: Bits<9>,
    /// Lowest PSN not known received.
    pub base: Bits<24>,
    /// Route of the path.
    pub route: Bits<8>,
    /// An operation of the scheduler is in the path engine.
    pub busy: Bit,
    /// Expired, or never set up: no new data until progress.
    pub expired: Bit,
    /// In the resend queue.
    pub queued: Bit,
}

/// A connection as the scheduler knows it.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct SchedConn {
    /// It has something to slice.
    pub work: Bit,
    /// In the ready queue.
    pub queued: Bit,
    /// Path of the connection from which the next search starts.
    pub start: Bits<8>,
    /// Packets queued behind the last that was sent, saturated.
    pub left: Bits<16>,
}

/// A result of the path engine, as far as the scheduler needs it.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct PathResult {
    /// Operation.
    pub op: Bits<3>,
    /// Path index.
    pub path: Bits<16>,
    /// It did what it was asked for.
    pub ok: Bit,
    /// Lowest PSN not known received.
    pub base: Bits<24>,
    /// The next new PSN.
    pub next_psn: Bits<24>,
    /// Route.
    pub route: Bits<8>,
    /// PSN to send.
    pub psn: Bits<24>,
    /// Packets newly known received.
    pub newly: Bits<9>,
    /// Packets sent and not known received.
    pub inflight: Bits<9>,
    /// Packets waiting to be resent.
    pub waiting: Bits<9>,
    /// Time of the operation.
    pub now: Bits<32>,
}

/// A slice of a message.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct SliceRow {
    /// Stream of the connection.
    pub stream: Bits<8>,
    /// Message.
    pub msn: Bits<24>,
    /// Slice number in the message.
    pub index: Bits<22>,
    /// One of the last packets of the connection.
    pub tail: Bit,
    /// The connection has further slices.
    pub more: Bit,
}

/// What goes with an operation of the scheduler through the path engine.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct PendingOp {
    /// The packet asks for an ACK for a reason of its path.
    pub ack_req: Bit,
    /// SENT: the slice.
    pub slice: SliceRow,
}

/// One packet for the builder.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct JobRow {
    /// 0 new, 1 resend, 2 expire, 3 probe.
    pub kind: Bits<2>,
    /// Path index.
    pub path: Bits<16>,
    /// PSN; 0 in a PROBE.
    pub psn: Bits<24>,
    /// Route.
    pub route: Bits<8>,
    /// Timestamp.
    pub now: Bits<32>,
    /// The packet asks for an ACK.
    pub ack_req: Bit,
    /// New: the slice's stream. Probe: the stream asked about.
    pub stream: Bits<8>,
    /// New: the message.
    pub msn: Bits<24>,
    /// New: the slice number.
    pub index: Bits<22>,
    /// Probe: asked before.
    pub repeat: Bit,
}

/// A message as the builder needs it.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct MessageFields {
    /// First byte of the source in local memory.
    pub local: Bits<64>,
    /// First byte of the destination in the peer's address space.
    pub remote: Bits<64>,
    /// Bytes.
    pub length: Bits<32>,
    /// Key of the peer's region.
    pub rkey: Bits<32>,
}

/// What is kept of an ACK while the path engine judges it.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct PendingAck {
    /// Connection index.
    pub conn: Bits<16>,
    /// Path index.
    pub path: Bits<16>,
    /// The stream that `done_msn` speaks of.
    pub done_stream: Bits<8>,
    /// Leading messages of that stream that are complete at the peer.
    pub done_msn: Bits<24>,
    /// Round trip, ticks.
    pub rtt: Bits<32>,
    /// There is a round trip: the peer's hold was told and is not longer than the trip.
    pub has_rtt: Bit,
}

/// Leading complete messages of a stream, as the peer reports them.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct DoneEvent {
    /// Connection index.
    pub conn: Bits<16>,
    /// Stream of the connection.
    pub stream: Bits<8>,
    /// Messages.
    pub msn: Bits<24>,
}

/// What a good ACK tells the timer.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct AckSample {
    /// Path index.
    pub path: Bits<16>,
    /// Round trip, ticks.
    pub rtt: Bits<32>,
    /// There is a round trip.
    pub has_rtt: Bit,
    /// Packets newly known received.
    pub newly: Bits<9>,
    /// Packets sent and not known received.
    pub inflight: Bits<9>,
}

/// Timer of a path, 91 bits.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct RtoRow {
    /// Smoothed round-trip time, 1/8 tick.
    pub srtt: Bits<24>,
    /// Its variation, 1/8 tick.
    pub rttvar: Bits<24>,
    /// There was a sample.
    pub sampled: Bit,
    /// Doublings of the interval, 0 to 26.
    pub backoff: Bits<5>,
    /// Expiries in a row.
    pub expiries: Bits<2>,
    /// An expiry was not followed by progress yet.
    pub suspended: Bit,
    /// 0 stopped, 1 until the deadline, 2 waiting for the packet that the last expiry asked for.
    pub timer: Bits<2>,
    /// Ticks.
    pub deadline: Bits<32>,
}

/// A measured RTO, for the probe timer.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct RtoReport {
    /// Connection index.
    pub conn: Bits<16>,
    /// Ticks.
    pub rto: Bits<27>,
}

/// Probe timer of a connection, 74 bits.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct ProbeRow {
    /// RTO of the path that was measured last, ticks.
    pub rto: Bits<27>,
    /// A path was measured.
    pub known: Bit,
    /// Doublings of the interval, 0 to 27.
    pub backoff: Bits<5>,
    /// Path of the connection to ask on next.
    pub path: Bits<8>,
    /// The timer runs.
    pub running: Bit,
    /// Ticks.
    pub deadline: Bits<32>,
}

/// A packet for the framer.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct FrameRequest {
    /// Path index.
    pub path: Bits<16>,
    /// Header words 0 to 17, word 0 on top; those beyond `count` are ignored. The connection number and the tag are filled in.
    pub words: Bits<576>,
    /// Header words, 4 to 18.
    pub count: Bits<5>,
    /// Payload bytes.
    pub len: Bits<16>,
}
