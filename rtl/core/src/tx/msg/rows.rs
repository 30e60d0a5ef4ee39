//! What is kept of streams and connections.
#![allow(missing_docs, reason = "rust-hdl's LogicStruct derive makes undocumented methods")]

use rust_hdl::prelude::*;

/// A stream, 94 bits.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct StreamRow {
    /// Number of the next message that is queued.
    pub head: Bits<24>,
    /// Message that the next slice is cut from.
    pub cur: Bits<24>,
    /// Number of that slice.
    pub index: Bits<22>,
    /// Leading messages that are done.
    pub done: Bits<24>,
}

/// A connection, 76 bits.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct ConnRow {
    /// Stream of the last slice.
    pub last: Bits<4>,
    /// Stream of the last question.
    pub asked: Bits<4>,
    /// Bit k: stream k has something to slice.
    pub work: Bits<16>,
    /// Bit k: stream k has a message wholly cut and not done.
    pub waits: Bits<16>,
    /// Messages wholly cut and not done, 0 to 64.
    pub unfinished: Bits<7>,
    /// Slices queued and not yet cut, 0 to 2^28.
    pub queued: Bits<29>,
}
