//! Rules that a sender can break on the wire.

use super::WINDOW;
use heddle_model::core::Cause;
use thiserror::Error;

/// A rule of the protocol that a sender broke on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Violation {
    /// A path that was not set up.
    #[error("a packet of path {path}, which is not set up")]
    Path {
        /// Path of the connection.
        path: u8,
    },
    /// New packets have consecutive PSNs, and a resend is of one that was sent.
    #[error("path {path} sent psn {psn} as {cause:?} where the next new one is {next}")]
    Psn {
        /// Path of the connection.
        path: u8,
        /// The packet's PSN.
        psn: u32,
        /// What it was sent for.
        cause: Cause,
        /// PSN that the next new packet has.
        next: u32,
    },
    /// (path, PSN) identifies a packet for its whole life (invariant 1).
    #[error("path {path} sent psn {psn} again with other content")]
    Content {
        /// Path of the connection.
        path: u8,
        /// The packet's PSN.
        psn: u32,
    },
    /// More than a window beyond what is acknowledged.
    #[error("path {path} has {outstanding} packets outstanding, the window is {WINDOW}")]
    Window {
        /// Path of the connection.
        path: u8,
        /// Packets from the last cum that reached the sender to the next new one.
        outstanding: u32,
    },
}
