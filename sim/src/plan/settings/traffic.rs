//! `transport` and `traffic`.

use crate::plan::quantity::{Bytes, Duration, Probability};
use serde::{Deserialize, Serialize};

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
    /// Heddle: packets in flight per path instead of congestion control. IRN: packets in flight per queue
    /// pair.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<u32>,
    /// Heddle: messages of no more packets wait for no hint; 8 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub small_packets: Option<u8>,
    /// Heddle: packets that a path may have in flight at first; 16 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_window: Option<u32>,
    /// Heddle: share of its ports that a receiver aims at with its hints; 0.98 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Probability>,
    /// Heddle: window of a connection in round trips, T apart; 1.25 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_rtts: Option<f64>,
    /// Heddle: round trips by which the window may stretch; 2.75 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stretch_rtts: Option<f64>,
    /// Heddle: A, an ACK after so many arrivals of a path; 4 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ack_every: Option<u8>,
    /// Heddle: T, an ACK so long after the first arrival that waits; 2 us if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ack_delay: Option<Duration>,
    /// Heddle: ACKs of a core that can wait at a time; 64 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ack_deadlines: Option<u8>,
    /// Heddle: RTO0, when a path without a measured round trip expires; 200 us, or four round trips
    /// of the fabric if they are longer, if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rto0: Option<Duration>,
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
            initial_window: None,
            target: None,
            window_rtts: None,
            stretch_rtts: None,
            ack_every: None,
            ack_delay: None,
            ack_deadlines: None,
            rto0: None,
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
