//! What is known of a run when it is over: the keys of the JSON, integers all of them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything about one run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// From the start of the first message to the last delivery, ps; what a collective took.
    pub duration_ps: u64,
    /// Messages of the traffic.
    pub messages: u64,
    /// Those that were delivered whole.
    pub delivered: u64,
    /// Those that failed.
    pub failed: u64,
    /// Message bytes delivered.
    pub delivered_bytes: u64,
    /// `delivered_bytes` over `duration_ps`, bits per second of all hosts together.
    pub goodput_bps: u64,
    /// How long messages took from their start to their delivery.
    pub completion: Completion,
    /// Packets on the wire.
    pub packets: Packets,
    /// What the transports counted, all hosts together.
    pub transport: Transport,
    /// Packets that a switch marked.
    pub ce_marked: u64,
    /// Most bytes that stood in one queue of a switch.
    pub max_queue_bytes: u64,
    /// Times that a port was told to pause, and for how long all of them together were, ps.
    pub pauses: u64,
    /// See `pauses`.
    pub paused_ps: u64,
    /// Width of the intervals of the series below, ps.
    pub interval_ps: u64,
    /// Message bytes delivered per interval, plane by plane.
    pub plane_bytes: Vec<Vec<u64>>,
    /// Most bytes in the fullest queue of a switch, per interval.
    pub queue_bytes: Vec<u64>,
    /// Rate of the slowest and of the fastest sender that is watched, and their mean, bits per second, per interval; empty where none is.
    pub sender_bps: Vec<[u64; 3]>,
    /// Events that the run took.
    pub events: u64,
}

/// Times in ps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    /// Shortest.
    pub min_ps: u64,
    /// Mean, rounded down.
    pub mean_ps: u64,
    /// Half took no longer.
    pub p50_ps: u64,
    /// 99 in a hundred took no longer.
    pub p99_ps: u64,
    /// Longest.
    pub max_ps: u64,
    /// (time, messages that took no longer), rising, at most 200 of them; the last is all.
    pub cdf: Vec<(u64, u64)>,
}

/// Packets of every kind; `sent` is `delivered`, all `drops`, and what was still on its way at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packets {
    /// Put on a wire by a host.
    pub sent: u64,
    /// Of these, background: of no transport.
    #[serde(default)]
    pub background: u64,
    /// Taken by a host.
    pub delivered: u64,
    /// Lost, by reason: `chance`, `corrupt`, `buffer`, `link`, `no_route`.
    pub drops: BTreeMap<String, u64>,
    /// On its way when the run ended.
    pub in_flight: u64,
}

impl Packets {
    /// Whether nothing appeared from nowhere or vanished.
    pub fn is_conserved(&self) -> bool {
        self.sent == self.delivered + self.drops.values().sum::<u64>() + self.in_flight
    }
}

impl Transport {
    /// What another host counted comes to it.
    pub fn add(&mut self, other: &Self) {
        let Self { data_sent, data_resent, expiries, duplicates, refused, answers } = other;
        self.data_sent += data_sent;
        self.data_resent += data_resent;
        self.expiries += expiries;
        self.duplicates += duplicates;
        self.refused += refused;
        self.answers += answers;
    }
}

/// What transports counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transport {
    /// Packets with message bytes sent for the first time.
    pub data_sent: u64,
    /// The same sent again.
    pub data_resent: u64,
    /// Timer expiries.
    pub expiries: u64,
    /// Packets with message bytes that were there already: what was resent in vain.
    pub duplicates: u64,
    /// Packets refused for another reason.
    pub refused: u64,
    /// Answers sent.
    pub answers: u64,
}
