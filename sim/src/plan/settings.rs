//! The keys of a plan, as the file and `--set` say them; [`super::Point`] is what comes of it when all is checked.

use super::quantity::{BitRate, Bytes, Duration, Probability, Ratio};
use crate::time::Ps;
use serde::{Deserialize, Serialize};

/// Everything that one run follows from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Everything random follows from it.
    pub seed: u64,
    /// When a run that is not done is ended.
    pub end: Duration,
    /// Width of the steps in which things are recorded over time.
    pub interval: Duration,
    /// Hosts, planes, switches, cables.
    pub topology: TopologySettings,
    /// What switches do.
    pub switch: SwitchSettings,
    /// What cables lose.
    pub loss: LossSettings,
    /// What fails and when.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fault: Vec<FaultSettings>,
    /// Traffic that is none of the transport's.
    pub background: BackgroundSettings,
    /// What the hosts speak.
    pub transport: TransportSettings,
    /// What they want to move.
    pub traffic: TrafficSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            end: Duration(Ps(1_000_000_000_000)),
            interval: Duration(Ps(20_000_000)),
            topology: TopologySettings::default(),
            switch: SwitchSettings::default(),
            loss: LossSettings::default(),
            fault: Vec::new(),
            background: BackgroundSettings::default(),
            transport: TransportSettings::default(),
            traffic: TrafficSettings::default(),
        }
    }
}

/// How switches stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TopologyKind {
    /// One switch per plane.
    Single,
    /// Leaves, each with a cable to every spine.
    LeafSpine,
    /// Edge, aggregation and core.
    FatTree,
}

/// `topology`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TopologySettings {
    /// How switches stand.
    pub kind: TopologyKind,
    /// Hosts.
    pub hosts: u32,
    /// Separate copies of the fabric; a host has a port in each.
    pub planes: u8,
    /// Of a host's port in each plane.
    pub rate: BitRate,
    /// Of cables between switches; `rate` if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fabric_rate: Option<BitRate>,
    /// Of every cable, one way.
    pub delay: Duration,
    /// Leaf-spine: hosts at a leaf.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hosts_per_leaf: Option<u32>,
    /// Leaf-spine: spines of each plane, if not by `oversubscription`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spines: Option<u32>,
    /// Of the switches that hosts are at, like "2:1"; "1:1" if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oversubscription: Option<Ratio>,
    /// How fast a host takes in what arrives on all its ports; at once if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drain: Option<BitRate>,
}

impl Default for TopologySettings {
    fn default() -> Self {
        Self {
            kind: TopologyKind::Single,
            hosts: 16,
            planes: 1,
            rate: BitRate(RATE),
            fabric_rate: None,
            delay: Duration(Ps::from_ns(500)),
            hosts_per_leaf: None,
            spines: None,
            oversubscription: None,
            drain: None,
        }
    }
}

/// 100 Gbit/s.
const RATE: crate::time::Rate = match crate::time::Rate::new(100_000_000_000) {
    Some(rate) => rate,
    None => panic!("100 Gbit/s is a rate"),
};

/// How a switch chooses among ways of equal cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Routing {
    /// By a hash over the five-tuple.
    Ecmp,
    /// By chance, packet by packet.
    Spray,
    /// The shortest queue, packet by packet.
    Adaptive,
}

/// When a switch marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EcnKind {
    /// Never.
    Off,
    /// From `ecn_from` on.
    Threshold,
    /// With a probability that rises from 0 at `ecn_from` to `ecn_probability` at `ecn_to`, and always beyond.
    Red,
}

/// `switch`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SwitchSettings {
    /// Bytes that an output port has room for, or the whole switch where it is shared.
    pub buffer: Bytes,
    /// All ports of a switch share `buffer`.
    pub shared: bool,
    /// When it marks.
    pub ecn: EcnKind,
    /// Bytes in the queue.
    pub ecn_from: Bytes,
    /// RED: bytes in the queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn_to: Option<Bytes>,
    /// RED: at `ecn_to`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn_probability: Option<Probability>,
    /// Answers have a queue of their own that goes first.
    pub priority: bool,
    /// Data is of a lossless class: a port that fills pauses who sends to it.
    pub pfc: bool,
    /// PFC: bytes from an input port at which it is paused; from the buffer if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pfc_xoff: Option<Bytes>,
    /// PFC: bytes at which it goes on; from `pfc_xoff` if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pfc_xon: Option<Bytes>,
    /// PFC: bytes kept for what arrives after the pause; from the cable if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pfc_headroom: Option<Bytes>,
    /// How it chooses among ways of equal cost.
    pub routing: Routing,
    /// From a failure or a repair to routes that take it into account.
    pub reroute: Duration,
}

impl Default for SwitchSettings {
    fn default() -> Self {
        Self {
            buffer: Bytes(1 << 20),
            shared: false,
            ecn: EcnKind::Threshold,
            ecn_from: Bytes(100 << 10),
            ecn_to: None,
            ecn_probability: None,
            priority: false,
            pfc: false,
            pfc_xoff: None,
            pfc_xon: None,
            pfc_headroom: None,
            routing: Routing::Ecmp,
            reroute: Duration(Ps::from_us(100)),
        }
    }
}

/// Which cables lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LossPlace {
    /// Those from a switch to a host: every packet meets the loss once.
    LastHop,
    /// All of them: a packet over four cables meets it four times.
    EveryHop,
}

/// `loss`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LossSettings {
    /// Fraction of the packets.
    pub rate: Probability,
    /// Packets that are lost in a row, in the mean; 1 is chance alone.
    pub burst: u32,
    /// Fraction of the packets that arrive with a wrong ICRC.
    pub corrupt: Probability,
    /// Which cables.
    pub on: LossPlace,
}

impl Default for LossSettings {
    fn default() -> Self {
        Self { rate: Probability::ZERO, burst: 1, corrupt: Probability::ZERO, on: LossPlace::LastHop }
    }
}

/// `[[fault]]`: a plane; or in it the cable of a host, a switch, or the cable between two switches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultSettings {
    /// When.
    pub at: Duration,
    /// When it is repaired; never if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Duration>,
    /// In which plane.
    #[serde(default)]
    pub plane: u8,
    /// This host's cable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<u32>,
    /// This switch, like "leaf0", "spine3", "edge0", "aggregation1", "core2" or "switch0".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// The cable between two switches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<[String; 2]>,
    /// Ports keep their carrier: hosts must notice by themselves.
    #[serde(default)]
    pub silent: bool,
}

/// `background`: packets of nobody's transport from every host to hosts drawn, at times drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BackgroundSettings {
    /// Fraction of the rate of every host's port.
    pub load: Probability,
    /// Bytes of a packet on the wire.
    pub packet: Bytes,
}

impl Default for BackgroundSettings {
    fn default() -> Self {
        Self { load: Probability::ZERO, packet: Bytes(1_500) }
    }
}

/// What hosts can speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TransportKind {
    /// The golden model.
    Heddle,
    /// RoCEv2, reliable connections, go-back-N, DCQCN.
    Roce,
    /// Packets sprayed, a bitmap per queue pair, selective repeat.
    Irn,
}

/// `transport`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TransportSettings {
    /// What hosts speak.
    pub kind: TransportKind,
    /// Message bytes of a packet: slice size, path MTU.
    pub payload: Bytes,
    /// Heddle: paths of a connection; 16 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<u32>,
    /// Heddle: packets in flight per path instead of congestion control. IRN: packets in flight per queue pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u32>,
    /// Heddle: messages of no more packets wait for no hint; 8 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub small_packets: Option<u8>,
    /// RoCE, IRN: queue pairs that the messages of a connection are spread over; 1 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qps: Option<u16>,
    /// RoCE, IRN: rate control by CNPs; on if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dcqcn: Option<bool>,
    /// RoCE, IRN: retransmission timeout; the transport's own if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
}

impl Default for TransportSettings {
    fn default() -> Self {
        Self {
            kind: TransportKind::Heddle,
            payload: Bytes(4096),
            paths: None,
            window: None,
            small_packets: None,
            qps: None,
            dcqcn: None,
            timeout: None,
        }
    }
}

/// What is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrafficKind {
    /// All-reduce in a ring: 2 (n - 1) steps.
    RingAllReduce,
    /// All-reduce up and down a binary tree.
    TreeAllReduce,
    /// Every host to every other.
    AllToAll,
    /// Every host to one other, and from one other.
    Permutation,
    /// Many to host 0.
    Incast,
    /// Host 0 and others read from many at once.
    Reads,
    /// Messages of a file.
    Trace,
}

/// `traffic`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrafficSettings {
    /// What is moved.
    pub kind: TrafficKind,
    /// All-reduce: of each host's buffer. Else: of a message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Bytes>,
    /// Hosts that take part, the first ones; all if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hosts: Option<u32>,
    /// Connections between two hosts; 1 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections: Option<u16>,
    /// Messages one after the other on each connection, or all-reduces; 1 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<u32>,
    /// Incast: senders; all others if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub senders: Option<u32>,
    /// Reads: hosts that read; 1 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readers: Option<u32>,
    /// Reads: hosts that each reads from at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fan_in: Option<u32>,
    /// First messages start at times drawn from so long; all at once if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<Duration>,
    /// Trace: the file, beside the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl Default for TrafficSettings {
    fn default() -> Self {
        Self {
            kind: TrafficKind::Permutation,
            bytes: None,
            hosts: None,
            connections: None,
            messages: None,
            senders: None,
            readers: None,
            fan_in: None,
            spread: None,
            file: None,
        }
    }
}
