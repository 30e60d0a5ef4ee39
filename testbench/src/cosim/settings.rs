//! The settings of a run: configuration of the cores, network, seed; and why some make no run.

use super::scenario::Scenario;
use crate::link::{LinkConfigError, QueueLimits, Rates};
use heddle_rtl::config::Config;
use thiserror::Error;

/// A run, unchecked.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Configuration of both cores.
    pub config: Config,
    /// Separate networks between the two.
    pub planes: u32,
    /// Paths of the connection that are set up; path p starts on plane p mod planes.
    pub paths: u32,
    /// One-way delay in picoseconds: of every plane, or plane by plane.
    pub delays_ps: Vec<u64>,
    /// What happens to frames.
    pub rates: Rates,
    /// Bits per second of a plane; as fast as the core when none.
    pub speed: Option<u64>,
    /// What the planes' queues do when they grow.
    pub limits: QueueLimits,
    /// Planes that die and come back.
    pub plane_changes: Vec<PlaneChange>,
    /// All endpoints are told at once when a plane dies or comes back: its carrier is lost.
    pub carrier: bool,
    /// Endpoints that send to the one receiver.
    pub senders: u32,
    /// What the golden model does beyond the RTL.
    pub features: Features,
    /// First PSN of every path; drawn when none.
    pub psn_start: Option<u32>,
    /// Everything random follows from it.
    pub seed: u64,
    /// Cycles without any progress after which the run is given up.
    pub patience: u64,
}

impl Settings {
    /// Four planes of 2 us to which nothing happens, one sender, all paths, what the RTL does, seed 1.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            planes: 4,
            paths: config.paths(),
            delays_ps: vec![2_000_000],
            rates: Rates::default(),
            speed: None,
            limits: QueueLimits::default(),
            plane_changes: Vec::new(),
            carrier: false,
            senders: 1,
            features: Features::RTL,
            psn_start: None,
            seed: 1,
            patience: Scenario::PATIENCE,
        }
    }
}

/// What the golden model does. An RTL core does [`Features::RTL`] and takes no notice of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// Operations besides WRITE.
    pub operations: bool,
    /// Congestion control in place of a fixed window.
    pub congestion: bool,
    /// Paths leave dead and congested routes.
    pub routes: bool,
    /// Connections end as the protocol says.
    pub life: bool,
}

impl Features {
    /// What the RTL has.
    pub const RTL: Self = Self { operations: false, congestion: false, routes: false, life: false };
    /// The whole protocol.
    pub const ALL: Self = Self { operations: true, congestion: true, routes: true, life: true };
}

/// A plane dies or comes back, with its time unchecked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneChange {
    /// Which plane.
    pub plane: u8,
    /// Picoseconds from the start of the run.
    pub at_ps: u64,
    /// Whether it is up from then on.
    pub up: bool,
}

/// Why settings make no run.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ScenarioError {
    /// The network.
    #[error(transparent)]
    Link(#[from] LinkConfigError),
    /// Paths.
    #[error("{got} paths, {config} has connections of 1 to {max}")]
    Paths {
        /// Paths asked for.
        got: u32,
        /// Name of the configuration.
        config: &'static str,
        /// Most that can be.
        max: u32,
    },
    /// One delay for all planes, or one each.
    #[error("{got} delays for {planes} planes: give one, or one per plane")]
    Delays {
        /// Delays given.
        got: usize,
        /// Planes.
        planes: u32,
    },
    /// A delay that is no whole number of cycles.
    #[error("a delay of {got} ps is no whole number of clock cycles of {config}, {cycle_ps} ps each")]
    Cycles {
        /// The delay.
        got: u64,
        /// Name of the configuration.
        config: &'static str,
        /// One cycle.
        cycle_ps: u64,
    },
    /// A plane dies or comes back between two cycles.
    #[error("a plane is killed or revived at {got} ps, which is no whole number of clock cycles of {config}, {cycle_ps} ps each")]
    ChangeCycles {
        /// The time.
        got: u64,
        /// Name of the configuration.
        config: &'static str,
        /// One cycle.
        cycle_ps: u64,
    },
    /// Every sender needs a connection of the receiver.
    #[error("{got} senders, {config} has connections for 1 to {max}")]
    Senders {
        /// Senders asked for.
        got: u32,
        /// Name of the configuration.
        config: &'static str,
        /// Most that can be.
        max: u32,
    },
    /// A loss of carrier without one.
    #[error("the endpoints are to be told of planes that die, but none does: kill one too")]
    Carrier,
    /// A run must not be given up while the first packet is under way.
    #[error("a delay of {delay} cycles, a run without progress is given up after {patience}: take a delay below half of that")]
    Patience {
        /// The longest delay.
        delay: u64,
        /// Cycles until the run is given up.
        patience: u64,
    },
    /// A PSN has 24 bits.
    #[error("a first PSN of {got}, it has 24 bits: at most 16777215")]
    Psn {
        /// The PSN asked for.
        got: u32,
    },
}
