//! `topology` and `switch`.

use crate::plan::quantity::{BitRate, Bytes, Duration, Probability, Ratio};
use crate::time::Ps;
use serde::{Deserialize, Serialize};

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
    /// Of cables between switches, one way; `delay` if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fabric_delay: Option<Duration>,
    /// How many hosts, the last ones, have ports of `slow_rate`; none if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slow_hosts: Option<u32>,
    /// Of the ports of these hosts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slow_rate: Option<BitRate>,
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
            fabric_delay: None,
            slow_hosts: None,
            slow_rate: None,
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
    /// With a probability that rises from 0 at `ecn_from` to `ecn_probability` at `ecn_to`, and always
    /// beyond.
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
