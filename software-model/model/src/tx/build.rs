//! Packet builder: from the scheduler's jobs to transport headers and the memory to read.
//!
//! Owns the record of each unacknowledged packet, (stream, msn, slice), written when it is first sent and
//! read only when it is resent. Mirrors the RTL block `tx_build` as far as WRITE goes; docs/blocks/tx-build.md
//! has ports and latency.

use super::msg::{MessageRow, Slice, SLICE_INDEX_BITS};
use super::respond::Request;
use super::sched::{Job, JobKind};
use crate::operations;
use heddle_wire::header::VERSION;
use heddle_wire::serial::{Msn, Psn, Seq16};
use heddle_wire::{AtomicOperands, AtomicResult, Common, Data, Flag, Flags, Opcode, PacketType, Probe};

/// What is remembered per unacknowledged packet, 54 bits; 59 with answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacketRecord {
    /// Stream of the connection.
    pub stream: u8,
    /// Message.
    pub msn: Msn,
    /// Slice number in the message.
    pub index: u32,
    /// Of an answer: the request's place at the responder; stream and msn are the requester's.
    pub answer: Option<u8>,
}

/// The body of a packet to send; the framer adds the peer's connection number and tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// A slice of a message, with the local memory to read.
    Data {
        /// What it does.
        opcode: Opcode,
        /// Words 4 to 11.
        header: Data,
        /// First byte in local memory.
        local: u64,
        /// Bytes to read from there; 0 when the payload is in the row.
        len: u16,
        /// The payload that is in the row.
        inline: Option<Inline>,
    },
    /// The message of a resend is done: a question instead of its bytes.
    Probe(Probe),
}

/// A payload that is not read from memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Of an atomic request.
    Operands(AtomicOperands),
    /// Of its answer.
    Result(AtomicResult),
}

/// A packet ready to be framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Path index, {connection, path of the connection}.
    pub path: u16,
    /// Common header; `dst_conn` and `tag` are 0 here.
    pub common: Common,
    /// What follows.
    pub body: Body,
}

/// What a packet counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Sent {
    /// A slice for the first time.
    New = 0,
    /// A slice again, on evidence of its loss.
    Resent = 1,
    /// A slice again, because a timer expired.
    Expiry = 2,
    /// A PROBE, for whatever reason.
    Probe = 3,
}

impl Packet {
    /// What the packet of `job` counts as.
    pub fn sent(&self, job: &Job) -> Sent {
        match (self.body, job.kind) {
            (Body::Probe(_), _) | (_, JobKind::Probe { .. }) => Sent::Probe,
            (_, JobKind::New(_)) => Sent::New,
            (_, JobKind::Resend) => Sent::Resent,
            (_, JobKind::Expire) => Sent::Expiry,
        }
    }

    /// Bytes of payload.
    pub fn payload_len(&self) -> u16 {
        match self.body {
            Body::Data { inline: Some(Inline::Operands(_)), .. } => AtomicOperands::BYTES as u16,
            Body::Data { inline: Some(Inline::Result(_)), .. } => AtomicResult::BYTES as u16,
            Body::Data { len, .. } => len,
            Body::Probe(_) => 0,
        }
    }
}

/// The block.
#[derive(Clone, Debug)]
pub struct Build {
    records: Vec<Stored>,
    paths: u32,
    slice_log2: u32,
}

impl Build {
    /// Empty records for `connections * paths` paths of 256 packets.
    pub fn new(connections: u32, paths: u32, slice_log2: u32) -> Self {
        Self { records: vec![Stored::default(); (connections * paths * 256) as usize], paths, slice_log2 }
    }

    /// The record that the job's message row is found with; a new packet's is written. `None` for a PROBE.
    pub fn record(&mut self, job: &Job) -> Option<PacketRecord> {
        let at = self.at(job.path, job.psn);
        match job.kind {
            JobKind::New(slice) => {
                let Slice { stream, msn, index, answer, .. } = slice;
                let record = PacketRecord { stream, msn, index, answer };
                self.records[at] = record.into();
                Some(record)
            }
            JobKind::Resend | JobKind::Expire => Some(self.records[at].into()),
            JobKind::Probe { .. } => None,
        }
    }

    /// The job's packet. `row` is the record's message while it is live: a resend of one that is done is a
    /// PROBE.
    pub fn packet(&self, job: &Job, record: Option<&PacketRecord>, row: Option<&MessageRow>) -> Packet {
        match (record, row) {
            (Some(record), Some(row)) => self.data(job, record, self.slice(record, row)),
            _ => self.probe(job, record),
        }
    }

    /// As [`Self::packet`], for a packet of an answer. `row` is the request that it answers, while the answer is not known to be placed.
    pub fn answer(&self, job: &Job, record: &PacketRecord, row: Option<&Request>) -> Packet {
        match row {
            Some(row) => self.data(job, record, self.answer_slice(record, row)),
            None => self.probe(job, Some(record)),
        }
    }

    /// A slice of a message, or a request.
    fn slice(&self, record: &PacketRecord, row: &MessageRow) -> Contents {
        let &MessageRow { request, rq_index, .. } = row;
        let opcode = Opcode::from_code(request.opcode).unwrap_or(Opcode::Write);
        let (offset, left) = self.share(record, request.length);
        let inline = match opcode {
            Opcode::FetchAdd | Opcode::CmpSwap => {
                let (operand, compare) = (request.operand, request.compare);
                let compare = if opcode == Opcode::CmpSwap { compare } else { 0 };
                Some(Inline::Operands(AtomicOperands { operand, compare }))
            }
            _ => None,
        };
        let imm = matches!(opcode, Opcode::WriteImm | Opcode::SendImm).then_some(request.imm);
        let header =
            Data { offset, length: request.length, imm: imm.unwrap_or(0), rq_index, ..Data::default() };
        // A SEND names its receive, and no memory of the peer.
        let header = match opcode.has_key() {
            true => Data { address: request.remote.wrapping_add(offset.into()), key: request.rkey, ..header },
            false => header,
        };
        let request_only = request.is_answered();
        let len = if request_only { 0 } else { self.cut(left) };
        let last = request_only || left <= self.slice_bytes();
        Contents { opcode, header, last, local: request.local.wrapping_add(offset.into()), len, inline }
    }

    fn answer_slice(&self, record: &PacketRecord, row: &Request) -> Contents {
        let opcode = operations::answer(row.opcode).unwrap_or(Opcode::ReadResp);
        let (offset, left) = self.share(record, row.length);
        let original = row.operand;
        let inline = (opcode == Opcode::AtomicResp).then_some(Inline::Result(AtomicResult { original }));
        let header = Data { offset, length: row.length, rq_index: Seq16::new(0), ..Data::default() };
        let len = if inline.is_some() { 0 } else { self.cut(left) };
        let local = row.address.wrapping_add(offset.into());
        Contents { opcode, header, last: left <= self.slice_bytes(), local, len, inline }
    }

    /// Where the record's slice begins, and the bytes from there to the end.
    fn share(&self, record: &PacketRecord, length: u32) -> (u32, u32) {
        let offset = record.index << self.slice_log2;
        (offset, length - offset)
    }

    fn slice_bytes(&self) -> u32 {
        1 << self.slice_log2
    }

    fn cut(&self, left: u32) -> u16 {
        left.min(self.slice_bytes()) as u16
    }

    fn data(&self, job: &Job, record: &PacketRecord, contents: Contents) -> Packet {
        let Contents { opcode, header, last, local, len, inline } = contents;
        let flags = retx(job);
        let flags = if job.ack_req { flags.with(Flag::AckReq) } else { flags };
        let flags = if last { flags.with(Flag::Last) } else { flags };
        let header = Data { stream: record.stream, msn: record.msn, ..header };
        Packet {
            path: job.path,
            common: self.common(job, job.psn, PacketType::Data, opcode.code(), flags),
            body: Body::Data { opcode, header, local, len, inline },
        }
    }

    fn probe(&self, job: &Job, record: Option<&PacketRecord>) -> Packet {
        let stream = match job.kind {
            JobKind::Probe { stream, .. } => stream,
            _ => record.map_or(0, |record| record.stream),
        };
        Packet {
            path: job.path,
            common: self.common(job, Psn::new(0), PacketType::Probe, 0, retx(job)),
            body: Body::Probe(Probe { stream, reserved: 0 }),
        }
    }

    fn common(&self, job: &Job, psn: Psn, kind: PacketType, opcode: u8, flags: Flags) -> Common {
        Common {
            version: VERSION,
            packet_type: kind.code(),
            opcode,
            flags,
            path: (u32::from(job.path) % self.paths) as u8,
            dst_conn: 0,
            tag: 0,
            route: job.route,
            psn,
            timestamp: job.now,
        }
    }

    /// The stream and message that a packet on its way belongs to; an answer is the peer's.
    pub fn request_of(&self, path: u16, psn: Psn) -> Option<(u8, Msn)> {
        let record = PacketRecord::from(*self.records.get(self.at(path, psn))?);
        record.answer.is_none().then_some((record.stream, record.msn))
    }

    fn at(&self, path: u16, psn: Psn) -> usize {
        usize::from(path) * 256 + usize::from(psn.ring_index())
    }
}

/// A record as it is kept: stream 8, msn 24, index 22, answer 8 + 1 bits.
#[derive(Clone, Copy, Debug, Default)]
struct Stored(u64);

impl From<PacketRecord> for Stored {
    fn from(record: PacketRecord) -> Self {
        let PacketRecord { stream, msn, index, answer } = record;
        let answer = answer.map_or(0, |place| 1 << 8 | u64::from(place));
        Self(u64::from(stream) | u64::from(msn.get()) << 8 | u64::from(index) << 32 | answer << 54)
    }
}

impl From<Stored> for PacketRecord {
    fn from(Stored(bits): Stored) -> Self {
        Self {
            stream: bits as u8,
            msn: Msn::new((bits >> 8) as u32),
            index: (bits >> 32) as u32 & ((1 << SLICE_INDEX_BITS) - 1),
            answer: (bits >> 62 & 1 == 1).then_some((bits >> 54) as u8),
        }
    }
}

/// What a row says of one packet.
struct Contents {
    opcode: Opcode,
    header: Data,
    last: bool,
    local: u64,
    len: u16,
    inline: Option<Inline>,
}

/// Sent before, or a repeated question.
fn retx(job: &Job) -> Flags {
    match job.kind {
        JobKind::New(_) | JobKind::Probe { repeat: false, .. } => Flags::NONE,
        _ => Flags::NONE.with(Flag::Retx),
    }
}

#[cfg(test)]
mod tests;
