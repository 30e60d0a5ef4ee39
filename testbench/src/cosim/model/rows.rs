//! The set-up of an endpoint in the model's terms.

use super::super::engine::EngineError;
use super::super::paths::PathSample;
use super::super::scenario::Scenario;
use super::super::setup::{ConnectionSetup, EndpointSetup};
use heddle_model::core::CongestionConfig;
use heddle_model::rx::access;
use heddle_model::rx::conn::RxConnRow;
use heddle_model::tx::framer::TxConnRow;
use heddle_model::tx::route::RouteConfig;
use heddle_model::tx::telemetry::{PathCounts, PathTelemetry};
use std::net::Ipv4Addr;

/// A message of no more packets goes blind without a hint. Source: docs/protocol.md section 6.
const SMALL_PACKETS: u8 = 4;
/// The receiver's interval. Source: docs/protocol.md section 4.
const INTERVALS_PER_SECOND: u64 = 100_000;
/// One tick is 8 ns.
const TICKS_PER_SECOND: u64 = 125_000_000;

/// Congestion control for the network of a run: all planes together, but no more than the core's own port.
pub fn congestion(scenario: &Scenario) -> Result<CongestionConfig, EngineError> {
    let config = scenario.config();
    let port = 8 * config.data_bytes() as u64 * u64::from(config.clock_hz());
    let planes = scenario.speed().map_or(port, |speed| speed * u64::from(scenario.planes()));
    let bytes = planes.min(port) / 8 / INTERVALS_PER_SECOND;
    let rtt = scenario.round_trip() * TICKS_PER_SECOND / u64::from(config.clock_hz());
    let plane = |speed: u64| (speed / 8 / INTERVALS_PER_SECOND) as u32;
    let congestion = CongestionConfig::new(bytes as u32, rtt as u32, SMALL_PACKETS)
        .and_then(|all| scenario.speed().map_or(Ok(all), |speed| all.with_plane_capacity(plane(speed))));
    congestion.map_err(|error| EngineError(error.to_string()))
}

/// Routes over the planes of a run.
pub fn routes(scenario: &Scenario) -> Result<RouteConfig, EngineError> {
    RouteConfig::new(scenario.planes() as u8).map_err(|error| EngineError(error.to_string()))
}

/// State of a path, with the share of CE marks since the counters were `last` read.
pub fn path_sample(now: &PathTelemetry, last: &PathCounts) -> PathSample {
    let microseconds = |ticks: u32| f64::from(ticks) * 1e6 / TICKS_PER_SECOND as f64;
    PathSample {
        plane: now.route.plane,
        src_port: now.route.src_port,
        usable: now.usable,
        srtt_us: now.srtt_ticks.map(microseconds),
        rto_us: microseconds(now.rto_ticks),
        cwnd: now.cwnd.into(),
        in_flight: now.in_flight,
        utilization: f64::from(now.utilization_x256()) / 256.0,
        waiting: now.waiting,
        arrivals: now.counts.arrivals,
        ce: now.counts.ce,
        ce_fraction: now.ce_fraction_x65536(last).map(|fraction| f64::from(fraction) / 65536.0),
        acknowledged: now.counts.acknowledged,
        resent_by_evidence: now.counts.resent_by_evidence,
        resent_by_timer: now.counts.resent_by_timer,
        expiries: now.counts.expiries,
        routes_dead: now.changes.expiries,
        routes_carrier: now.changes.carrier,
        routes_congested: now.changes.congestion,
        routes_balanced: now.changes.balance,
        ..PathSample::default()
    }
}

/// The receive side of a connection.
pub fn receive_row(line: &ConnectionSetup) -> RxConnRow {
    let row = &line.receive;
    RxConnRow {
        valid: row.valid == 1,
        tag: row.tag,
        v6: row.v6 == 1,
        peer: u128::from_be_bytes(row.peer_address),
        domain: row.pd,
    }
}

/// The transmit side of a connection.
pub fn transmit_row(setup: &EndpointSetup, line: &ConnectionSetup) -> TxConnRow {
    let row = &line.transmit;
    let (high, low) = (row.peer_mac_high.to_be_bytes(), row.peer_mac_low.to_be_bytes());
    let [.., a, b, c, d] = row.peer_address;
    TxConnRow {
        peer_conn: row.peer_conn,
        peer_tag: row.peer_tag,
        dst_mac: [high[0], high[1], low[0], low[1], low[2], low[3]],
        src_mac: setup.mac,
        vlan: None,
        src: setup.address.into(),
        dst: Ipv4Addr::new(a, b, c, d).into(),
        hops: setup.hop_limit,
        data_dscp: setup.data_dscp,
        ack_dscp: setup.ack_dscp,
    }
}

/// The memory region.
pub fn region(setup: &EndpointSetup) -> access::Region {
    let row = &setup.region;
    access::Region {
        valid: row.valid == 1,
        tag: row.tag.into(),
        base: row.base,
        length: row.length,
        remote_read: row.remote_read == 1,
        remote_write: row.remote_write == 1,
        remote_atomic: row.remote_atomic == 1,
        domain: row.pd,
    }
}
