//! What a run is: configuration of the cores, network, seed. Parsed once; then it cannot be wrong.

use crate::link::{Link, LinkConfig, LinkConfigError, Rates};
use heddle_rtl::config::Config;
use heddle_wire::Psn;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
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
    /// First PSN of every path; drawn when none.
    pub psn_start: Option<u32>,
    /// Everything random follows from it.
    pub seed: u64,
    /// Cycles without any progress after which the run is given up.
    pub patience: u64,
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

/// What a random stream is for; each has its own, so that one does not move another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Tags, keys, addresses, first PSNs.
    SetUp = 0,
    /// The file of `--workload write`.
    File = 1,
    /// Fates of frames from the sender to the receiver.
    Forth = 2,
    /// Fates of frames from the receiver to the sender.
    Back = 3,
    /// What registers and memories of an RTL core hold at power-on.
    PowerOn = 4,
}

/// A run that can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    settings: Settings,
    link: LinkConfig,
}

impl Scenario {
    /// Cycles without progress that nothing but a stall explains: 100 ms at 125 MHz, over 11 doublings of a
    /// timer of 50 us.
    pub const PATIENCE: u64 = 12_500_000;

    /// Checks the settings; the first that is wrong is the error.
    pub fn new(settings: Settings) -> Result<Self, ScenarioError> {
        let config = &settings.config;
        let planes = settings.planes;
        if planes == 0 || planes as usize > LinkConfig::MAX_PLANES {
            let (got, max) = (planes as usize, LinkConfig::MAX_PLANES);
            return Err(LinkConfigError::Planes { got, max }.into());
        }
        if settings.paths == 0 || settings.paths > config.paths() {
            let (got, max) = (settings.paths, config.paths());
            return Err(ScenarioError::Paths { got, config: config.name(), max });
        }
        if let Some(got) = settings.psn_start.filter(|&psn| psn >= 1 << 24) {
            return Err(ScenarioError::Psn { got });
        }
        if settings.delays_ps.len() != 1 && settings.delays_ps.len() != planes as usize {
            return Err(ScenarioError::Delays { got: settings.delays_ps.len(), planes });
        }
        let cycle_ps = 1_000_000_000_000 / u64::from(config.clock_hz());
        let mut delays = Vec::new();
        for &got in &settings.delays_ps {
            if got % cycle_ps != 0 {
                return Err(ScenarioError::Cycles { got, config: config.name(), cycle_ps });
            }
            delays.push(got / cycle_ps);
        }
        let (delay, patience) = (delays.iter().max().copied().unwrap_or(0), settings.patience);
        if delay >= patience / 2 {
            return Err(ScenarioError::Patience { delay, patience });
        }
        delays.resize(planes as usize, delays[0]);
        let link = LinkConfig::new(delays, settings.rates, settings.speed, config.clock_hz().into())?;
        Ok(Self { settings, link })
    }

    /// Configuration of both cores.
    pub fn config(&self) -> &Config {
        &self.settings.config
    }

    /// Planes.
    pub fn planes(&self) -> u32 {
        self.settings.planes
    }

    /// Paths that are set up.
    pub fn paths(&self) -> u32 {
        self.settings.paths
    }

    /// First PSN of every path, when it is not drawn.
    pub fn psn_start(&self) -> Option<Psn> {
        self.settings.psn_start.map(Psn::new)
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.settings.seed
    }

    /// Cycles without any progress after which the run is given up.
    pub fn patience(&self) -> u64 {
        self.settings.patience
    }

    /// A direction of the network.
    pub fn link(&self, draw: Draw) -> Link {
        Link::new(self.link.clone(), self.rng(draw))
    }

    /// Cycles in which no frame arrives that is sent in them.
    pub fn lookahead(&self) -> u64 {
        self.link.delays().iter().min().copied().unwrap_or(0).max(1)
    }

    /// Cycles of a full DATA packet's way to the peer and its ACK's way back, over the fastest plane and
    /// without queues.
    pub fn round_trip(&self) -> u64 {
        let delay = self.link.delays().iter().min().copied().unwrap_or(0);
        let bytes = u64::from(self.config().slice_bytes()) + ROUND_TRIP_HEADERS;
        2 * delay + bytes.div_ceil(self.config().data_bytes() as u64)
    }

    /// Nanoseconds of a cycle number.
    pub fn nanoseconds(&self, cycle: u64) -> u64 {
        (u128::from(cycle) * 1_000_000_000 / u128::from(self.config().clock_hz())) as u64
    }

    /// What the registers and memories of the two cores, sender first, are made to hold at power-on.
    pub fn power_on_seeds(&self) -> [u32; 2] {
        let mut rng = self.rng(Draw::PowerOn);
        [rng.next_u32(), rng.next_u32()]
    }

    /// The random stream of this use.
    pub fn rng(&self, draw: Draw) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.settings.seed);
        rng.set_stream(draw as u64);
        rng
    }
}

/// Ethernet 14, IPv4 20, UDP 8, DATA header 48, ICRC 4; the same and 72 bytes for the ACK.
const ROUND_TRIP_HEADERS: u64 = 14 + 20 + 8 + 48 + 4 + 14 + 20 + 8 + 72 + 4;
