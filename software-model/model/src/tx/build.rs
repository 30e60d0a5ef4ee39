//! Packet builder: from the scheduler's jobs to transport headers and the memory to read.
//!
//! Owns the record of each unacknowledged packet, (stream, msn, slice), written when it is first sent and
//! read only when it is resent. Mirrors the RTL block `tx_build`; docs/blocks/tx-build.md has ports and
//! latency.

use super::msg::MessageRow;
use super::sched::{Job, JobKind};
use heddle_wire::header::VERSION;
use heddle_wire::serial::{Msn, Psn};
use heddle_wire::{Common, Data, Flag, Flags, Opcode, PacketType, Probe};

/// What is remembered per unacknowledged packet, 54 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacketRecord {
    /// Stream of the connection.
    pub stream: u8,
    /// Message.
    pub msn: Msn,
    /// Slice number in the message.
    pub index: u32,
}

/// The body of a packet to send; the framer adds the peer's connection number and tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// A slice of a message, with the local memory to read.
    Data {
        /// Words 4 to 11.
        header: Data,
        /// First byte in local memory.
        local: u64,
        /// Bytes.
        len: u16,
    },
    /// The message of a resend is done: a question instead of its bytes.
    Probe(Probe),
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
            Body::Data { len, .. } => len,
            Body::Probe(_) => 0,
        }
    }
}

/// The block.
#[derive(Clone, Debug)]
pub struct Build {
    records: Vec<PacketRecord>,
    paths: u32,
    slice_log2: u32,
}

impl Build {
    /// Empty records for `connections * paths` paths of 256 packets.
    pub fn new(connections: u32, paths: u32, slice_log2: u32) -> Self {
        Self {
            records: vec![PacketRecord::default(); (connections * paths * 256) as usize],
            paths,
            slice_log2,
        }
    }

    /// The record that the job's message row is found with; a new packet's is written. `None` for a PROBE.
    pub fn record(&mut self, job: &Job) -> Option<PacketRecord> {
        let at = self.at(job.path, job.psn);
        match job.kind {
            JobKind::New(slice) => {
                self.records[at] = PacketRecord { stream: slice.stream, msn: slice.msn, index: slice.index };
                Some(self.records[at])
            }
            JobKind::Resend | JobKind::Expire => Some(self.records[at]),
            JobKind::Probe { .. } => None,
        }
    }

    /// The job's packet. `row` is the record's message while it is live: a resend of one that is done is a
    /// PROBE.
    pub fn packet(&self, job: &Job, record: Option<&PacketRecord>, row: Option<&MessageRow>) -> Packet {
        let flags = match job.kind {
            JobKind::New(_) | JobKind::Probe { repeat: false, .. } => Flags::NONE,
            _ => Flags::NONE.with(Flag::Retx),
        };
        let stream = match job.kind {
            JobKind::Probe { stream, .. } => stream,
            _ => record.map_or(0, |record| record.stream),
        };
        match (record, row) {
            (Some(record), Some(row)) => {
                let flags = if job.ack_req { flags.with(Flag::AckReq) } else { flags };
                self.data(job, record, flags, row)
            }
            _ => Packet {
                path: job.path,
                common: self.common(job, Psn::new(0), PacketType::Probe, 0, flags),
                body: Body::Probe(Probe { stream, reserved: 0 }),
            },
        }
    }

    fn data(&self, job: &Job, record: &PacketRecord, flags: Flags, row: &MessageRow) -> Packet {
        let offset = record.index << self.slice_log2;
        let left = row.request.length - offset;
        let slice = 1u32 << self.slice_log2;
        let flags = if left <= slice { flags.with(Flag::Last) } else { flags };
        let header = Data {
            stream: record.stream,
            msn: record.msn,
            offset,
            length: row.request.length,
            address: row.request.remote.wrapping_add(u64::from(offset)),
            key: row.request.rkey,
            ..Data::default()
        };
        Packet {
            path: job.path,
            common: self.common(job, job.psn, PacketType::Data, Opcode::Write.code(), flags),
            body: Body::Data {
                header,
                local: row.request.local.wrapping_add(u64::from(offset)),
                len: left.min(slice) as u16,
            },
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

    /// The stream and message that a packet on its way belongs to.
    pub fn request_of(&self, path: u16, psn: Psn) -> Option<(u8, Msn)> {
        let record = self.records.get(self.at(path, psn))?;
        Some((record.stream, record.msn))
    }

    fn at(&self, path: u16, psn: Psn) -> usize {
        usize::from(path) * 256 + usize::from(psn.ring_index())
    }
}
