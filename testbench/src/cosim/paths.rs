//! State of a path at a time: a line of `--trace-paths`.

use serde::Serialize;

/// What one end of a connection knows of one of its paths. Field names are the stable column names; counters
/// count from the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PathSample {
    /// Microseconds from the start of the run.
    pub time_us: f64,
    /// The endpoint: 0 the first sender, 1 the receiver, then the further senders.
    pub endpoint: usize,
    /// The endpoint's number of the connection.
    pub connection: u16,
    /// Path of the connection.
    pub path: u8,
    /// Plane that its packets travel on.
    pub plane: u8,
    /// Their UDP source port.
    pub src_port: u16,
    /// Whether new data may go on it.
    pub usable: bool,
    /// Smoothed round trip; none before the first sample.
    pub srtt_us: Option<f64>,
    /// Timeout without backoff.
    pub rto_us: f64,
    /// Packets in flight that are allowed.
    pub cwnd: f64,
    /// Packets sent and not known received.
    pub in_flight: u16,
    /// In flight over allowed.
    pub utilization: f64,
    /// Packets that wait to be resent.
    pub waiting: u16,
    /// DATA packets that the peer says have arrived, duplicates too.
    pub arrivals: u32,
    /// CE-marked ones among them.
    pub ce: u32,
    /// The same of those since the last line of the path; none without an arrival.
    pub ce_fraction: Option<f64>,
    /// Packets known received.
    pub acknowledged: u32,
    /// Packets resent by evidence of their loss.
    pub resent_by_evidence: u32,
    /// Packets resent by timer.
    pub resent_by_timer: u32,
    /// Expiries of its timer.
    pub expiries: u32,
    /// Changes of route because of expiries.
    pub routes_dead: u32,
    /// Because of a lost carrier.
    pub routes_carrier: u32,
    /// Because of congestion.
    pub routes_congested: u32,
    /// Because another plane has fewer paths.
    pub routes_balanced: u32,
}
