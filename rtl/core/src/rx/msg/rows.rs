//! What is kept of messages under way and of streams.
#![allow(missing_docs, reason = "rust-hdl's LogicStruct derive makes undocumented methods")]

use rust_hdl::prelude::*;

/// A message under way.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Slot {
    /// A packet of it has come.
    pub valid: Bit,
    /// All of it has come; it waits for the messages before it.
    pub complete: Bit,
    /// Bytes of the message.
    pub message_len: Bits<32>,
    /// Bytes of it in memory.
    pub bytes: Bits<32>,
}

/// A stream.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Stream {
    /// Leading complete messages.
    pub done: Bits<24>,
    /// `done` as it was last reported.
    pub reported: Bits<24>,
    /// A PROBE has asked for it.
    pub asked: Bit,
}
