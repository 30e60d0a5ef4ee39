//! What the receive blocks hand to each other and keep in memories.
#![allow(missing_docs, reason = "rust-hdl's LogicStruct derive makes undocumented methods")]

use rust_hdl::prelude::*;

/// What a frame brings along besides its payload.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct HeldFrame {
    /// Header words 0 to 11, word 0 on top.
    pub words: Bits<384>,
    /// Source address; IPv4 in the low 32 bits.
    pub src: Bits<128>,
    /// The addresses are IPv6.
    pub v6: Bit,
    /// ECN says congestion experienced.
    pub ce: Bit,
    /// Plane it arrived on.
    pub plane: Bits<4>,
    /// Bytes stored: from transport offset 48 on, without the ICRC.
    pub len: Bits<16>,
}

/// A frame's place in the payload ring, and what becomes of it.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Disposition {
    /// Its payload leaves on `d`; else it is skipped.
    pub take: Bit,
    /// It is an ACK's.
    pub ack: Bit,
    /// Beats stored.
    pub beats: Bits<16>,
}

/// A frame whose connection was looked up.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct LocatedFrame {
    /// Header words 0 to 11, word 0 on top.
    pub words: Bits<384>,
    /// ECN says congestion experienced.
    pub ce: Bit,
    /// Bytes stored.
    pub len: Bits<16>,
    /// Protection domain of the connection.
    pub domain: Bits<16>,
}

/// A payload to place: where, and for which message.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct PlaceRequest {
    /// First byte.
    pub address: Bits<64>,
    /// Bytes.
    pub len: Bits<16>,
    /// Connection index.
    pub conn: Bits<16>,
    /// Path of the connection.
    pub path: Bits<8>,
    /// Stream.
    pub stream: Bits<8>,
    /// Message.
    pub msn: Bits<24>,
    /// Bytes of the whole message.
    pub message_len: Bits<32>,
}

/// A frame's place in the order in which payloads go on or are skipped.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct OrderEntry {
    /// 0 drop, 1 DATA, 2 ACK, 3 PROBE.
    pub kind: Bits<2>,
    /// Drop: the reason. DATA: the fault that the path engine was handed, 0 = none.
    pub reason: Bits<8>,
    /// DATA: what to place when it is accepted.
    pub place: PlaceRequest,
}
