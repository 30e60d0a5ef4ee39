//! What a core is built with.

use super::congestion::CongestionConfig;
use crate::operations::Operations;
use crate::rx::ack::AckConfig;
use crate::tx::route::RouteConfig;
use crate::tx::rto::RtoConfig;
use heddle_wire::header::DEFAULT_PORT;

/// Everything that a core is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreConfig {
    /// Connections, a power of two.
    pub connections: u32,
    /// Paths per connection, a power of two.
    pub paths: u32,
    /// Streams per connection.
    pub streams: u32,
    /// Messages in flight per stream and direction.
    pub slots: u32,
    /// log2 of the slice size in bytes.
    pub slice_log2: u32,
    /// Memory regions.
    pub regions: u32,
    /// Receives that can be posted per connection at a time, a power of two, at most 2^14.
    pub receives: u32,
    /// Packets in flight allowed per path, where no congestion control moves it.
    pub cwnd: u32,
    /// UDP destination port of the transport.
    pub port: u16,
    /// When to acknowledge.
    pub ack: AckConfig,
    /// Retransmission timer.
    pub rto: RtoConfig,
    /// Start of the random register.
    pub seed: u32,
    /// Operations that are taken part in.
    pub operations: Operations,
    /// Congestion control on both sides; off: a fixed cwnd, no hints.
    pub congestion: Option<CongestionConfig>,
    /// Planes, and when a path leaves its route. None: paths stay where they were set up.
    pub routes: Option<RouteConfig>,
    /// Connections end as the protocol says: NAK, RESET, an error for every work request. Off: errors are counted, nothing ends.
    pub life: bool,
}

impl Default for CoreConfig {
    /// The sizes of `gbe`, and no more than the RTL has.
    fn default() -> Self {
        Self {
            connections: 16,
            paths: 4,
            streams: 4,
            slots: 16,
            slice_log2: 10,
            regions: 64,
            receives: 256,
            cwnd: 64,
            port: DEFAULT_PORT,
            ack: AckConfig::DEFAULT,
            rto: RtoConfig::DEFAULT,
            seed: 1,
            operations: Operations::WRITE_ONLY,
            congestion: None,
            routes: None,
            life: false,
        }
    }
}
