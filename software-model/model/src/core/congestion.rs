//! Congestion control of both sides: what it is built with, and its state.

use super::CoreConfig;
use crate::rx::hint::{HintConfig, HintConfigError, RxHint, MAC_BYTES};
use crate::tx::cc::{CAP, PACKET, START};
use crate::tx::framer::TxConnRow;
use crate::tx::pace::{PaceConfig, PaceConfigError, PaceRow};
use heddle_wire::header::ICRC_BYTES;
use heddle_wire::{Common, Data};
use std::collections::VecDeque;
use thiserror::Error;

/// What congestion control is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CongestionConfig {
    hint: HintConfig,
    pace: PaceConfig,
    start: u32,
}

/// A value that no congestion control can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CongestionConfigError {
    /// The receiver's.
    #[error(transparent)]
    Hint(#[from] HintConfigError),
    /// The sender's.
    #[error(transparent)]
    Pace(#[from] PaceConfigError),
    /// cwnd of a path that starts.
    #[error("a cwnd of {got} packets at first: 1 to {max} are possible")]
    Start {
        /// The value given.
        got: u32,
        /// The largest possible.
        max: u32,
    },
}

impl CongestionConfig {
    /// `capacity_bytes`: what all links of the core together, or its host, can take in 10 us, whichever is lower; 0.98 of it is aimed
    /// at. `rtt0_ticks`: the round trip taken until one is measured. `small_packets`: a message of no more packets goes blind without a
    /// hint.
    pub fn new(
        capacity_bytes: u32,
        rtt0_ticks: u32,
        small_packets: u8,
    ) -> Result<Self, CongestionConfigError> {
        let hint = HintConfig::new(target(capacity_bytes))?;
        Ok(Self { hint, pace: PaceConfig::new(rtt0_ticks, small_packets)?, start: START })
    }

    /// `plane_bytes`: what the link of one plane can bring in 10 us. Then hints are for the planes that are up and not silent,
    /// if those bring less than the capacity; without this they are for the capacity, whatever happens to planes.
    // REQ-HINT-5
    pub fn with_plane_capacity(self, plane_bytes: u32) -> Result<Self, CongestionConfigError> {
        Ok(Self { hint: self.hint.with_plane_target(target(plane_bytes))?, ..self })
    }

    /// With this window before it stretches and this stretch at most, quarters of a round trip: see [`PaceConfig::with_window`].
    pub fn with_window(self, window: u8, stretch: u8) -> Result<Self, CongestionConfigError> {
        Ok(Self { pace: self.pace.with_window(window, stretch)?, ..self })
    }

    /// With paths that start at a cwnd of so many packets. The protocol's is the same in all cores: others are for studies of it.
    pub fn with_start(self, packets: u32) -> Result<Self, CongestionConfigError> {
        let max = CAP / PACKET;
        match (1..=max).contains(&packets) {
            true => Ok(Self { start: packets * PACKET, ..self }),
            false => Err(CongestionConfigError::Start { got: packets, max }),
        }
    }
}

/// State of both sides.
#[derive(Clone, Debug)]
pub(super) struct Congestion {
    pub(super) pace: PaceConfig,
    /// cwnd of a path that starts, 1/256 packet.
    pub(super) start: u32,
    /// Window and pacer of each connection.
    pub(super) rows: Vec<PaceRow>,
    /// The receiving side.
    pub(super) hint: RxHint,
    /// Paths whose ACK waits for the end of gathering.
    pub(super) held: Vec<bool>,
    /// Paths of each connection, one bit each, whose expiry waits for the pacer.
    pub(super) expired: Vec<u64>,
    /// Connections that have something after nothing, and its packets: judged when the time is known.
    pub(super) starts: VecDeque<(u16, u32)>,
    /// Connections for which a READ was posted: counted when the time is known.
    pub(super) asked: VecDeque<u16>,
    slice_log2: u32,
}

impl Congestion {
    pub(super) fn new(congestion: &CongestionConfig, config: &CoreConfig) -> Self {
        let CoreConfig { connections, paths, slice_log2, .. } = *config;
        let all = (connections * paths) as usize;
        let bytes = packet_bytes(slice_log2, 20);
        let hint = congestion.hint.with_packets(bytes, config.ack.delay_ticks());
        let hint = hint.with_planes(config.routes.map_or(1, |routes| routes.planes()));
        Self {
            pace: congestion.pace.with_ack_delay(config.rto.ack_delay_ticks()),
            start: congestion.start,
            rows: vec![PaceRow::new(bytes); connections as usize],
            hint: RxHint::new(connections, hint),
            held: vec![false; all],
            expired: vec![0; connections as usize],
            starts: VecDeque::new(),
            asked: VecDeque::new(),
            slice_log2,
        }
    }

    /// The connection begins anew; full packets to it are this long.
    pub(super) fn open(&mut self, conn: u16, row: &TxConnRow) {
        let ip = if row.src.is_ipv6() { 40 } else { 20 };
        let tag = if row.vlan.is_some() { 4 } else { 0 };
        self.rows[usize::from(conn)] =
            PaceRow::new(packet_bytes(self.slice_log2, ip + tag)).with_stretch(&self.pace);
    }

    /// Nothing is left of the connection.
    pub(super) fn close(&mut self, conn: u16) {
        let at = usize::from(conn);
        let paths = self.held.len() / self.rows.len();
        self.rows[at] = self.rows[at].renewed();
        self.held[at * paths..][..paths].fill(false);
        self.expired[at] = 0;
        self.starts.retain(|&(of, _)| of != conn);
        self.asked.retain(|&of| of != conn);
        self.hint.reset(conn);
    }
}

/// 0.98 of a capacity, rounded down.
pub(super) fn target(capacity_bytes: u32) -> u32 {
    (u64::from(capacity_bytes) * 98 / 100) as u32
}

/// Bytes that a full DATA packet takes of the wire; `ip` bytes lie between Ethernet's header and UDP's.
fn packet_bytes(slice_log2: u32, ip: u32) -> u32 {
    let transport = (Common::BYTES + Data::BYTES + ICRC_BYTES) as u32;
    (1 << slice_log2) + transport + 8 + ip + 14 + MAC_BYTES
}
