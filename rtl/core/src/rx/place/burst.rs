//! A burst, as its two channels need it.
#![allow(missing_docs, reason = "rust-hdl's LogicStruct derive makes undocumented methods")]

use rust_hdl::prelude::*;

/// For the address channel.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Address {
    /// Byte address of lane 0 of the first beat.
    pub address: Bits<64>,
    /// Beats - 1.
    pub beats: Bits<8>,
}

/// For the data channel.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Burst {
    /// Beats - 1.
    pub beats: Bits<8>,
    /// Lane of the packet's first byte: every payload beat is turned by so many lanes.
    pub shift: Bits<6>,
    /// Lane of the packet's last byte.
    pub tail: Bits<6>,
    /// It is its packet's first.
    pub first: Bit,
    /// It is its packet's last.
    pub ends: Bit,
    /// The packet's last beat holds only bytes of the payload beat before.
    pub flush: Bit,
}
