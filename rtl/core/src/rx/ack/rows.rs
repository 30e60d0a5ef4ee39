//! What the acknowledgement triggers keep.
#![allow(missing_docs, reason = "rust-hdl's LogicStruct derive makes undocumented methods")]

use rust_hdl::prelude::*;

/// A path.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct AckRow {
    /// An ACK is requested and not taken.
    pub pending: Bit,
    /// Arrivals since the last ACK.
    pub count: Bits<5>,
    /// A deadline of this generation is queued.
    pub armed: Bit,
    /// Counts the ACKs that overtook a deadline, wraps.
    pub generation: Bits<8>,
}

/// An arrival that counts.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Arrival {
    /// Path index.
    pub path: Bits<16>,
    /// It is acknowledged at once.
    pub at_once: Bit,
}

/// When a path that waits is acknowledged.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Deadline {
    /// Path index.
    pub path: Bits<16>,
    /// Ticks.
    pub at: Bits<32>,
    /// The path's generation when it was queued.
    pub generation: Bits<8>,
}
