//! A point of a plan, run: what it says becomes a world, and the world an outcome.

mod baselines;
mod fabric;
mod switches;
mod traffic;

use crate::endpoint::Endpoint;
use crate::fabric::background::Background;
use crate::fabric::fault::FaultError;
use crate::fabric::topology::TopologyError;
use crate::fabric::{Fabric, FabricError};
use crate::heddle::{Heddle, HeddleConfig, HeddleConfigError, Pair};
use crate::outcome::Outcome;
use crate::packet::Host;
use crate::plan::{Point, Transport, Workload};
use crate::time::Ps;
use crate::traffic::{Schedule, ScheduleError};
use crate::transports::irn::Irn;
use crate::transports::roce::Roce;
use crate::transports::{SettingsError, DST_PORT};
use crate::world::{Watch, World};
use heddle_wire::header::DEFAULT_PORT;
use thiserror::Error;

/// A point that no world can be made of: what a plan cannot see because it lies in the sum of its settings.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RunError {
    /// Switches and cables.
    #[error(transparent)]
    Topology(#[from] TopologyError),
    /// Losses and marks.
    #[error(transparent)]
    Fabric(#[from] FabricError),
    /// What fails.
    #[error(transparent)]
    Fault(#[from] FaultError),
    /// Messages.
    #[error(transparent)]
    Traffic(#[from] ScheduleError),
    /// Cores.
    #[error(transparent)]
    Heddle(#[from] HeddleConfigError),
    /// What Heddle is compared with.
    #[error(transparent)]
    Baseline(#[from] SettingsError),
    /// A port's memory for PFC.
    #[error(
        "switch.buffer of {buffer} bytes is too small for PFC: {needed} are needed, {headroom} of them for what \
         arrives after a pause"
    )]
    Buffer {
        /// Of a port.
        buffer: u64,
        /// Needed at least.
        needed: u64,
        /// Of these.
        headroom: u64,
    },
    /// Hardly anything.
    #[error("background.load is {bps} b/s of a port: from 1000000 on is possible")]
    Background {
        /// Asked for.
        bps: u64,
    },
    /// A threshold below one that moves.
    #[error("switch.pfc_xon is without effect in a shared buffer without switch.pfc_xoff: leave it out")]
    Xon,
}

/// The world of a point before it begins.
#[derive(Debug)]
pub enum Prepared {
    /// Of the golden model.
    Heddle(Box<World<Heddle>>),
    /// Of RoCEv2.
    Roce(Box<World<Roce>>),
    /// Of selective repeat.
    Irn(Box<World<Irn>>),
}

impl Prepared {
    /// Runs it until `end` at the latest.
    pub fn run(&mut self, end: Ps) -> Outcome {
        match self {
            Self::Heddle(world) => world.run_to(end),
            Self::Roce(world) => world.run_to(end),
            Self::Irn(world) => world.run_to(end),
        }
    }
}

/// Runs a point.
///
/// # Errors
/// When its settings do not fit together.
pub fn run(point: &Point) -> Result<Outcome, RunError> {
    Ok(world(point)?.run(point.end))
}

/// What a point says, as a world at time 0.
///
/// # Errors
/// When its settings do not fit together.
pub fn world(point: &Point) -> Result<Prepared, RunError> {
    let messages = traffic::messages(point);
    let schedule = Schedule::new(messages, point.fabric.hosts)?;
    match point.transport {
        Transport::Heddle { payload, paths, window, small_packets, constants } => {
            let config = HeddleConfig {
                planes: point.fabric.planes,
                rate: point.fabric.rate,
                slow: point.fabric.slow,
                drain: point.fabric.drain,
                paths,
                slice_log2: payload.ilog2(),
                rtt0: point.fabric.round_trip(),
                small_packets,
                fixed_window: window,
                constants,
            };
            let pairs = pairs(&schedule, point.traffic.connections);
            let endpoints = Heddle::fabric(point.fabric.hosts, &pairs, &config, point.seed)?;
            prepare(point, endpoints, schedule, DEFAULT_PORT).map(Prepared::Heddle)
        }
        Transport::Roce { payload, qps, dcqcn, timeout } => {
            let endpoints = baselines::roce(point, payload, qps, dcqcn, timeout)?;
            prepare(point, endpoints, schedule, DST_PORT).map(Prepared::Roce)
        }
        Transport::Irn { payload, qps, dcqcn, timeout, window } => {
            let endpoints = baselines::irn(point, payload, qps, dcqcn, timeout, window)?;
            prepare(point, endpoints, schedule, DST_PORT).map(Prepared::Irn)
        }
    }
}

/// The world of a point with these hosts, whose packets have this UDP destination port.
fn prepare<E: Endpoint>(
    point: &Point,
    endpoints: Vec<E>,
    schedule: Schedule,
    dst_port: u16,
) -> Result<Box<World<E>>, RunError> {
    let topology = fabric::topology(point)?;
    let faults = fabric::faults(point, &topology)?;
    let fabric = Fabric::new(topology, &fabric::config(point, dst_port)?, point.seed)?;
    let background = Background::new(fabric.topology(), &fabric::background(point)?, point.seed);
    let watch = Watch { interval: Some(point.interval), senders: watched(point) };
    Ok(Box::new(World::new(fabric, endpoints, schedule, faults, background, watch)))
}

/// Who has connections with whom.
fn pairs(schedule: &Schedule, connections: u16) -> Vec<Pair> {
    let ends = schedule.messages().iter().map(|message| (message.host, message.peer));
    let mut pairs: Vec<Pair> =
        ends.map(|(host, peer)| Pair { a: host.min(peer), b: host.max(peer), connections }).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Whose rates are looked at: the senders of an incast, as many as one can follow.
fn watched(point: &Point) -> Vec<(Host, Host)> {
    match point.traffic.workload {
        Workload::Incast { senders, .. } => (1..=senders).map(|sender| (sender, 0)).collect(),
        _ => Vec::new(),
    }
}

/// A moment within `spread` of the start.
fn within(spread: Ps, rng: &mut impl rand::Rng) -> Ps {
    match spread {
        Ps::ZERO => Ps::ZERO,
        Ps(spread) => Ps(rng.gen_range(0..spread)),
    }
}
