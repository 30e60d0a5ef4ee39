//! What a fabric is built with.

use super::choice::Routing;
use super::loss::{LossError, Model};
use super::mark::{MarkError, Marking};
use super::paused::{Buffers, ConfigError};
use super::receive::Drain;
use super::topology::{Link, Node};
use thiserror::Error;

/// Ports and chances.
#[derive(Clone, Debug, PartialEq)]
pub struct FabricConfig {
    /// Bytes that stand in a port of a switch at most, where it has no `queues`.
    pub buffer_bytes: u64,
    /// Switches with real queues, whose memory this is: of two classes, shared, or with PFC. Without, ports
    /// are FIFOs of one class.
    pub queues: Option<Buffers>,
    /// How switches choose among links of equal cost.
    pub routing: Routing,
    /// Bytes that stand in a port of a host at most.
    pub nic_bytes: u64,
    /// How fast hosts take in what arrives; at once without.
    pub drain: Option<Drain>,
    /// What a port of a switch marks.
    pub marking: Marking,
    /// Which links lose packets; of several that hold a link the first counts.
    pub losses: Vec<Losses>,
    /// UDP destination port of the transport.
    pub dst_port: u16,
}

/// Links that lose packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// Which.
    pub place: Place,
    /// How.
    pub model: Model,
    /// Part of what passes that is damaged, and dropped by the receiver.
    pub corrupt: f64,
}

/// A choice of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// From hosts to their switches: every packet passes one of them.
    Uplinks,
    /// From switches to hosts: every packet passes one of them.
    Downlinks,
    /// Between switches.
    Inside,
    /// All of a plane.
    Plane(u8),
    /// All.
    All,
}

impl Place {
    pub(super) fn holds(self, link: &Link) -> bool {
        let inside = |node| matches!(node, Node::Switch(_));
        match self {
            Self::Uplinks => !inside(link.from),
            Self::Downlinks => !inside(link.to),
            Self::Inside => inside(link.from) && inside(link.to),
            Self::Plane(plane) => link.plane == plane,
            Self::All => true,
        }
    }
}

/// A fabric that cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FabricError {
    /// Its losses.
    #[error(transparent)]
    Loss(#[from] LossError),
    /// Its marks.
    #[error(transparent)]
    Mark(#[from] MarkError),
    /// Its buffers.
    #[error(transparent)]
    Buffers(#[from] ConfigError),
}
