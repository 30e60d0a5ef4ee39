//! Hosts, switches, cables, and what happens to them.

use crate::packet::Host;
use crate::plan::quantity::{Probability, Ratio};
use crate::plan::settings::{LossPlace, Routing};
use crate::time::{Ps, Rate};

/// Hosts, planes and cables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fabric {
    /// How switches stand.
    pub shape: Shape,
    /// Hosts, 2 or more.
    pub hosts: u32,
    /// Planes, 1 to 16.
    pub planes: u8,
    /// Of a host's port in each plane.
    pub rate: Rate,
    /// Of cables between switches.
    pub fabric_rate: Rate,
    /// Of the cables of hosts, one way.
    pub delay: Ps,
    /// Of cables between switches, one way.
    pub fabric_delay: Ps,
    /// How many hosts, the last ones, have slower ports, and how fast those are.
    pub slow: Option<(u32, Rate)>,
    /// How fast a host takes in what arrives; `None` is at once.
    pub drain: Option<Rate>,
}

impl Fabric {
    /// Of a port of this host.
    pub fn rate_of(&self, host: Host) -> Rate {
        match self.slow {
            Some((count, rate)) if host >= self.hosts - count => rate,
            _ => self.rate,
        }
    }
}

/// How switches stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One switch per plane.
    Single,
    /// Leaves, each with a cable to every spine.
    LeafSpine {
        /// Hosts at a leaf; the last may have fewer.
        hosts_per_leaf: u32,
        /// Spines of a plane.
        spines: u32,
    },
    /// Edge, aggregation and core, of the smallest radix that has ports for all hosts.
    FatTree {
        /// Of the edge switches.
        oversubscription: Ratio,
    },
}

impl Fabric {
    /// Of a full packet and its answer between hosts as far apart as can be, with nothing in between.
    pub fn round_trip(&self) -> Ps {
        let between = match self.shape {
            Shape::Single => 0,
            Shape::LeafSpine { .. } => 2,
            Shape::FatTree { .. } => 4,
        };
        let wire = self.rate.time_of(4_214 + 166);
        let hop = |delay: Ps| 2 * delay.0 + wire.0;
        Ps(2 * hop(self.delay) + between * hop(self.fabric_delay))
    }
}

/// What every switch does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Bytes that an output port, or all of a switch, has room for.
    pub buffer: u64,
    /// All ports share the buffer.
    pub shared: bool,
    /// When it marks.
    pub ecn: Ecn,
    /// Answers go first.
    pub priority: bool,
    /// Data is of a lossless class.
    pub pfc: Option<Pfc>,
    /// How it chooses among ways of equal cost.
    pub routing: Routing,
    /// From a failure or a repair to routes that take it into account.
    pub reroute: Ps,
}

/// When a switch marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ecn {
    /// Never.
    Off,
    /// From so many bytes in the queue on.
    Threshold(u64),
    /// With a probability that rises.
    Red {
        /// Bytes from which on it marks at all.
        from: u64,
        /// Bytes from which on it marks always.
        to: u64,
        /// Just below `to`.
        probability: Probability,
    },
}

/// Priority flow control; `None` is what follows from buffer and cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pfc {
    /// Bytes from an input port at which it is paused.
    pub xoff: Option<u64>,
    /// Bytes at which it goes on.
    pub xon: Option<u64>,
    /// Bytes kept for what arrives after the pause.
    pub headroom: Option<u64>,
}

/// What cables lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Fraction of the packets.
    pub rate: Probability,
    /// Packets lost in a row, in the mean; 1 is chance alone.
    pub burst: u32,
    /// Fraction that arrives with a wrong ICRC.
    pub corrupt: Probability,
    /// Which cables.
    pub on: LossPlace,
}

/// Something fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// When.
    pub at: Ps,
    /// When it is repaired, later than `at`.
    pub until: Option<Ps>,
    /// In which plane.
    pub plane: u8,
    /// What in it.
    pub place: Where,
    /// Ports keep their carrier.
    pub silent: bool,
}

/// What of a plane fails. Switches are numbered within a plane: leaves, then spines; edge, then aggregation,
/// then core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// All of it.
    Plane,
    /// The cable of a host.
    Host(Host),
    /// A switch.
    Switch(u32),
    /// The cable between two switches.
    Link(u32, u32),
}

/// Packets of nobody's transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Background {
    /// Fraction of the rate of every host's port, more than 0.
    pub load: Probability,
    /// Bytes of a packet on the wire.
    pub packet: u32,
}
