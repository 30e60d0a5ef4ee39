//! Switches with real queues: two classes, per-port or shared buffers, priority flow control (PFC, IEEE
//! 802.1Qbb).
//!
//! ```text
//!  in -> ingress counter (port, class) -> egress queue (port, class) -> wire
//!            | over XOFF: pause frame back        ^ stands still while its class is paused
//! ```
//!
//! What a packet that is being sent occupies is free again when its last bit has left. Nothing here knows of
//! events: every call says what time it is, and what follows from it comes back as [`Action`]s. A paused
//! class stays paused until it is resumed: that a real pause runs out, and is refreshed before, changes
//! nothing here.

mod buffer;
mod config;
mod port;
mod switch;

pub use config::{headroom, Alpha, Buffers, ConfigError, Headroom, Lossless, Pool};
pub use port::{Paused, Port, Sent};
pub use switch::{Action, Arrival, Switch};

/// Classes of a port at most.
pub const CLASSES: usize = 2;

/// Bytes of a pause frame on the wire: the shortest frame, 64 with FCS, and 20 of preamble and gap. Source:
/// IEEE 802.3.
pub const PAUSE_BYTES: u32 = 84;

/// What a pause frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PauseFrame {
    /// Of which class: the packets' own, or 0 where there is one queue.
    pub class: u8,
    /// Stop, or go on.
    pub is_paused: bool,
}

#[cfg(test)]
mod tests;
