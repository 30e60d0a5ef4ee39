//! What the builder's parts hand to each other and keep in memories.
#![allow(missing_docs, reason = "rust-hdl's LogicStruct derive makes undocumented methods")]

use rust_hdl::prelude::*;

/// What is remembered per unacknowledged packet, 54 bits.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct PacketRecord {
    /// Stream of the connection.
    pub stream: Bits<8>,
    /// Message.
    pub msn: Bits<24>,
    /// Slice number in the message.
    pub index: Bits<22>,
}

/// A packet whose header is made.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct BuiltPacket {
    /// Path index.
    pub path: Bits<16>,
    /// Header words 0 to 11, word 0 on top; of a PROBE 0 to 4.
    pub words: Bits<384>,
    /// 0 new data, 1 resent, 2 resent by an expiry, 3 a PROBE.
    pub kind: Bits<2>,
    /// Payload bytes.
    pub len: Bits<16>,
}

/// A payload to read, of at least a byte.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct ReadRequest {
    /// First byte in local memory.
    pub address: Bits<64>,
    /// Bytes.
    pub len: Bits<16>,
    /// Quarter of the buffer that it goes to.
    pub slot: Bits<2>,
}

/// A burst, for the address channel.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct ReadBurst {
    /// Byte address of lane 0 of the first beat.
    pub address: Bits<64>,
    /// Beats - 1.
    pub beats: Bits<8>,
}

/// What to make of the beats that memory sends for a payload.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Gather {
    /// Quarter of the buffer that it goes to.
    pub slot: Bits<2>,
    /// Lane of the payload's first byte: every beat is turned back by so many lanes.
    pub shift: Bits<6>,
    /// Lane, once turned, of the payload's last byte.
    pub tail: Bits<6>,
    /// Beats of memory - 1.
    pub beats: Bits<8>,
    /// The last payload beat holds only bytes of the last beat of memory, and there is an earlier one.
    pub flush: Bit,
}
