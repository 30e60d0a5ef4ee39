//! What memory has taken, on the link from place to the messages.
#![allow(missing_docs, reason = "rust-hdl's LogicStruct derive makes undocumented methods")]

use rust_hdl::prelude::*;

/// A packet whose payload is in memory, or was refused by it.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct PlacedPacket {
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
    /// Bytes of this packet.
    pub len: Bits<16>,
    /// Memory accepted every beat.
    pub ok: Bit,
}
