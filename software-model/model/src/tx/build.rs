//! Packet builder: from the path engine's results to transport headers and the memory to read.
//!
//! Owns the record of each unacknowledged packet, (stream, msn, slice), written when it is first sent and read only when it is resent.
//! Mirrors the RTL block `tx_build`; docs/blocks/tx-build.md has ports and latency.

use super::msg::{MessageRow, Slice};
use super::path::{TxOp, TxPathOut};
use heddle_wire::header::VERSION;
use heddle_wire::serial::{Msn, Psn};
use heddle_wire::{Common, Data, Flag, Flags, Opcode, PacketType, Probe};

/// What is remembered per unacknowledged packet, 50 bits.
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

    /// A new packet: SENT's result with the slice that the scheduler asked for. Writes the record.
    pub fn sent(
        &mut self,
        result: &TxPathOut,
        slice: &Slice,
        ack_req: bool,
        row: &MessageRow,
    ) -> Option<Packet> {
        let psn = result.psn?;
        let record = PacketRecord { stream: slice.stream, msn: slice.msn, index: slice.index };
        let at = self.at(result.path, psn);
        self.records[at] = record;
        let flags = if ack_req || slice.tail { Flags::NONE.with(Flag::AckReq) } else { Flags::NONE };
        Some(self.data(result, psn, &record, flags, row))
    }

    /// The record of a packet to be resent; `None` when the operation found none.
    pub fn record(&self, result: &TxPathOut) -> Option<PacketRecord> {
        result.psn.map(|psn| self.records[self.at(result.path, psn)])
    }

    /// A resend, with the row of its message when that is still live.
    pub fn resent(&self, result: &TxPathOut, ack_req: bool, row: Option<&MessageRow>) -> Option<Packet> {
        let psn = result.psn?;
        let record = self.records[self.at(result.path, psn)];
        let flags = Flags::NONE.with(Flag::Retx);
        let flags = if ack_req || result.op == TxOp::Expire { flags.with(Flag::AckReq) } else { flags };
        Some(match row {
            Some(row) => self.data(result, psn, &record, flags, row),
            None => Packet {
                path: result.path,
                common: self.common(result, Psn::new(0), PacketType::Probe, 0, flags.without(Flag::AckReq)),
                body: Body::Probe(Probe { stream: record.stream, reserved: 0 }),
            },
        })
    }

    fn data(
        &self,
        result: &TxPathOut,
        psn: Psn,
        record: &PacketRecord,
        flags: Flags,
        row: &MessageRow,
    ) -> Packet {
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
            path: result.path,
            common: self.common(result, psn, PacketType::Data, Opcode::Write.code(), flags),
            body: Body::Data {
                header,
                local: row.request.local.wrapping_add(u64::from(offset)),
                len: left.min(slice) as u16,
            },
        }
    }

    fn common(&self, result: &TxPathOut, psn: Psn, kind: PacketType, opcode: u8, flags: Flags) -> Common {
        Common {
            version: VERSION,
            packet_type: kind.code(),
            opcode,
            flags,
            path: (u32::from(result.path) % self.paths) as u8,
            dst_conn: 0,
            tag: 0,
            route: result.route,
            psn,
            timestamp: result.now,
        }
    }

    fn at(&self, path: u16, psn: Psn) -> usize {
        usize::from(path) * 256 + usize::from(psn.ring_index())
    }
}
