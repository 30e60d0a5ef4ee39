//! What hosts speak, and what they move.

use crate::endpoint::Verb;
use crate::heddle::Constants;
use crate::packet::Host;
use crate::time::Ps;

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
        /// Constants of the protocol.
        constants: Constants,
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

/// Messages. `hosts` take part, numbers 0 to `hosts` - 1, 2 or more; `messages` follow one another on a
/// connection.
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
