//! What goes into the message rows and comes out of them.

use heddle_wire::serial::{Msn, Seq16};
use heddle_wire::{Opcode, Status};

/// One work request, as the host hands it in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkRequest {
    /// Chosen by the host, returned in the completion.
    pub wr_id: u64,
    /// Wire opcode number; a READ is READ_REQ.
    pub opcode: u8,
    /// Held until the stream's earlier messages are complete.
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

impl WorkRequest {
    /// READ, FETCH_ADD or CMP_SWAP: one packet, and an answer.
    pub fn is_answered(&self) -> bool {
        [Opcode::ReadReq, Opcode::FetchAdd, Opcode::CmpSwap].iter().any(|opcode| opcode.code() == self.opcode)
    }

    /// Consumes a posted receive of the peer.
    pub fn needs_credit(&self) -> bool {
        Opcode::from_code(self.opcode).is_some_and(Opcode::consumes_receive)
    }
}

/// A message row: what must be remembered until the message is complete. With the work request's fields that its opcode uses, at most
/// 64 wr_id + 64 local + 64 remote + 32 length + 32 key or immediate + 128 operands + 5 opcode and fence + 16 + 32 + 1 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageRow {
    /// The work request.
    pub request: WorkRequest,
    /// The message's number in its stream.
    pub msn: Msn,
    /// Given when the first slice is cut: the posted receive that it consumes, or the place of a READ or atomic at the responder.
    pub rq_index: Seq16,
    /// Bytes of the answer that are placed.
    pub answer_bytes: u32,
    /// The whole answer is placed.
    pub answered: bool,
}

/// Where the answer to a request goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sink {
    /// READ_REQ, FETCH_ADD or CMP_SWAP.
    pub request: Opcode,
    /// First byte in local memory.
    pub address: u64,
    /// Bytes of the answer.
    pub length: u32,
}

/// What a placed packet of an answer led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// More is to come.
    Partial,
    /// The answer is whole.
    Complete,
    /// More bytes than were asked for, or to a request that is not outstanding: they do not count.
    Excess,
}

/// What happened to a submitted work request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// Queued; `wakes` when the connection had nothing to slice before, and now has.
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
    /// The message's number in its stream; 0 of a request that was refused, or a receive that was given back.
    pub msn: Msn,
    /// Of a posted receive, not of a work request.
    pub receive: bool,
    /// The immediate of the arrived message, if it has one.
    pub imm: Option<u32>,
}

impl Completion {
    pub(super) fn of(row: &MessageRow, status: Status) -> Self {
        let WorkRequest { wr_id, conn, stream, opcode, length, .. } = row.request;
        let byte_len = if status == Status::Success { length } else { 0 };
        Self { wr_id, conn, stream, opcode, status, byte_len, msn: row.msn, receive: false, imm: None }
    }
}

/// The next packet's share of a message, or of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// Connection index.
    pub conn: u16,
    /// Stream index; of the requester when it is an answer.
    pub stream: u8,
    /// Message; of the requester when it is an answer.
    pub msn: Msn,
    /// Slice number in the message; byte offset = index x slice size.
    pub index: u32,
    /// One of the connection's last queued packets (as many as it has paths): asks for an ACK.
    pub tail: bool,
    /// The connection has further slices that can be cut.
    pub more: bool,
    /// Packets of the connection that are queued behind it, at most 65,535; 16 bits.
    pub left: u16,
    /// Of an answer: the request's place at the responder.
    pub answer: Option<u8>,
}

impl Slice {
    /// [`Self::left`] of so many packets.
    pub fn left_of(queued: u64) -> u16 {
        queued.min(u16::MAX.into()) as u16
    }
}

/// What a connection sends next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A slice of a message.
    Slice(Slice),
    /// It is the turn of the answers.
    Answer,
}

/// Where a stream stands: `done` is not ahead of `cur`, nor `cur` of `head`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    /// Number of the next message that is queued.
    pub head: Msn,
    /// Message that the next slice is cut from.
    pub cur: Msn,
    /// The first message that is not done: the peer has all of those before it.
    pub done: Msn,
    /// The first message that is not complete: it is not done, or its answer is not placed. Not ahead of `done`.
    pub completed: Msn,
}
