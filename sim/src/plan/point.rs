//! A run, checked: nothing in it contradicts anything else in it.

use super::quantity::{Probability, Ratio};
use super::settings::Settings;
pub use super::settings::{LossPlace, Routing};
use crate::endpoint::Verb;
use crate::packet::Host;
use crate::time::{Ps, Rate};
use std::ops::Deref;

/// One run of a plan. Only a plan makes it, so what it says can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub(super) name: String,
    pub(super) sweep: String,
    pub(super) variant: String,
    pub(super) axes: Vec<(String, String)>,
    pub(super) settings: Settings,
    pub(super) run: Run,
}

impl Point {
    /// Its name, which no other point of the plan has: sweep and axes.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The sweep that it is of.
    pub fn sweep(&self) -> &str {
        &self.sweep
    }

    /// Name of the variant, else of the transport: what a legend says.
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// Key and value of each axis of its sweep.
    pub fn axes(&self) -> &[(String, String)] {
        &self.axes
    }

    /// What the plan said, with everything that it left open.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Hosts whose ports take in what is moved.
    pub fn receivers(&self) -> u32 {
        match self.traffic.workload {
            Workload::Incast { .. } => 1,
            Workload::Reads { readers, .. } => readers,
            Workload::RingAllReduce { hosts, .. }
            | Workload::TreeAllReduce { hosts, .. }
            | Workload::AllToAll { hosts, .. }
            | Workload::Permutation { hosts, .. } => hosts,
            Workload::Trace(_) => self.fabric.hosts,
        }
    }

    /// The value of a key like `topology.hosts`, as text; `None` where it is not set or no single value.
    pub fn setting(&self, key: &str) -> Option<String> {
        super::target::setting(&self.settings, key)
    }

    /// A point of text, like the base of a plan: for tests and programs.
    ///
    /// # Errors
    /// What a plan would be refused for.
    pub fn parse(text: &str) -> Result<Self, super::PlanError> {
        super::expand::single(text)
    }
}

impl Deref for Point {
    type Target = Run;
    fn deref(&self) -> &Run {
        &self.run
    }
}

/// What is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Everything random follows from it.
    pub seed: u64,
    /// When a run that is not done is ended.
    pub end: Ps,
    /// Width of the steps in which things are recorded over time.
    pub interval: Ps,
    /// Hosts and switches.
    pub fabric: Fabric,
    /// What switches do.
    pub switch: Switch,
    /// What cables lose.
    pub loss: Loss,
    /// What fails, in the order of the plan.
    pub faults: Vec<Fault>,
    /// Traffic that is none of the transport's.
    pub background: Option<Background>,
    /// What hosts speak.
    pub transport: Transport,
    /// What they move.
    pub traffic: Traffic,
}

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
    /// Of every cable, one way.
    pub delay: Ps,
    /// How fast a host takes in what arrives; `None` is at once.
    pub drain: Option<Rate>,
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

/// What of a plane fails. Switches are numbered within a plane: leaves, then spines; edge, then aggregation, then core.
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

/// What hosts speak. `payload` is the message bytes of a packet: 1,024, 2,048 or 4,096.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// The golden model.
    Heddle {
        /// Slice size.
        payload: u32,
        /// Paths of a connection, a power of two, 1 to 64.
        paths: u32,
        /// Packets in flight per path instead of congestion control.
        window: Option<u32>,
        /// Messages of no more packets wait for no hint.
        small_packets: u8,
    },
    /// RoCEv2.
    Roce {
        /// Path MTU.
        payload: u32,
        /// Queue pairs of a connection.
        qps: u16,
        /// Rate control by CNPs.
        dcqcn: bool,
        /// Retransmission timeout, the transport's own if not given.
        timeout: Option<Ps>,
    },
    /// Selective repeat with a bitmap per queue pair, packets sprayed.
    Irn {
        /// Path MTU.
        payload: u32,
        /// Queue pairs of a connection.
        qps: u16,
        /// Rate control by CNPs.
        dcqcn: bool,
        /// Retransmission timeout, the transport's own if not given.
        timeout: Option<Ps>,
        /// Packets in flight per queue pair; what the fabric holds if not given.
        window: Option<u32>,
    },
}

/// What hosts move.
#[derive(Clone, Debug, PartialEq)]
pub struct Traffic {
    /// Which messages.
    pub workload: Workload,
    /// Connections between two hosts, 1 or more.
    pub connections: u16,
    /// First messages start at times drawn from so long.
    pub spread: Ps,
}

/// Messages. `hosts` take part, numbers 0 to `hosts` - 1, 2 or more; `messages` follow one another on a connection.
#[derive(Clone, Debug, PartialEq)]
pub enum Workload {
    /// All-reduce in a ring.
    RingAllReduce {
        /// Who takes part.
        hosts: u32,
        /// Of each buffer, 1 or more per host.
        bytes: u64,
        /// All-reduces, one after the other.
        messages: u32,
    },
    /// All-reduce up and down a binary tree.
    TreeAllReduce {
        /// Who takes part.
        hosts: u32,
        /// Of each buffer.
        bytes: u64,
        /// All-reduces, one after the other.
        messages: u32,
    },
    /// Every host to every other.
    AllToAll {
        /// Who takes part.
        hosts: u32,
        /// Of each message.
        bytes: u32,
        /// On each connection.
        messages: u32,
    },
    /// Every host to one other.
    Permutation {
        /// Who takes part.
        hosts: u32,
        /// Of each message.
        bytes: u32,
        /// On each connection.
        messages: u32,
    },
    /// Hosts 1 to `senders` to host 0.
    Incast {
        /// How many.
        senders: u32,
        /// Of each message.
        bytes: u32,
        /// On each connection.
        messages: u32,
    },
    /// The first `readers` hosts read, each from `fan_in` others at once.
    Reads {
        /// Who takes part.
        hosts: u32,
        /// Who reads.
        readers: u32,
        /// From how many each.
        fan_in: u32,
        /// Of each READ.
        bytes: u32,
        /// On each connection.
        messages: u32,
    },
    /// As listed.
    Trace(Vec<TraceMessage>),
}

/// A message of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceMessage {
    /// When it starts.
    pub at: Ps,
    /// Who posts it.
    pub host: Host,
    /// The other.
    pub peer: Host,
    /// What to do.
    pub verb: Verb,
    /// Bytes, 1 or more.
    pub bytes: u32,
}
