//! What a run is: settings that were checked once and cannot be wrong any more.

use super::settings::{Features, PlaneChange, ScenarioError, Settings};
use crate::link::{Link, LinkConfig, LinkConfigError, PlaneEvent};
use heddle_rtl::config::Config;
use heddle_wire::Psn;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

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
    /// Messages of a workload, and what they move.
    Messages = 5,
}

/// Streams of the uses above, of which there may be more.
const DRAWS: u64 = 16;

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
        if settings.senders == 0 || settings.senders > config.connections() {
            let (got, max) = (settings.senders, config.connections());
            return Err(ScenarioError::Senders { got, config: config.name(), max });
        }
        if settings.carrier && settings.plane_changes.is_empty() {
            return Err(ScenarioError::Carrier);
        }
        let link = link(&settings)?;
        let (delay, patience) = (link.delays().iter().max().copied().unwrap_or(0), settings.patience);
        if delay >= patience / 2 {
            return Err(ScenarioError::Patience { delay, patience });
        }
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

    /// Endpoints that send.
    pub fn senders(&self) -> u32 {
        self.settings.senders
    }

    /// What the golden model does.
    pub fn features(&self) -> Features {
        self.settings.features
    }

    /// Planes that die and come back, in order of their cycles.
    pub fn plane_events(&self) -> &[PlaneEvent] {
        self.link.outages().events()
    }

    /// Of these, those that the endpoints are told of.
    pub fn carrier_events(&self) -> &[PlaneEvent] {
        if self.settings.carrier {
            self.plane_events()
        } else {
            &[]
        }
    }

    /// Bits per second of a plane, when it is not as fast as a core.
    pub fn speed(&self) -> Option<u64> {
        self.settings.speed
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
        let features = self.settings.features;
        if !(features.routes && features.life) {
            return self.settings.patience;
        }
        // Connections give up by themselves, and say so: 1 s of retries, then 1 s for the answer to the RESET.
        self.settings.patience.max(3 * u64::from(self.config().clock_hz()))
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
        self.rng_of(draw, 0)
    }

    /// The random stream of this use by the k-th sender.
    pub fn rng_of(&self, draw: Draw, k: usize) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.settings.seed);
        rng.set_stream(draw as u64 + DRAWS * k as u64);
        rng
    }
}

/// The network of these settings, in cycles.
fn link(settings: &Settings) -> Result<LinkConfig, ScenarioError> {
    let config = &settings.config;
    let cycle_ps = 1_000_000_000_000 / u64::from(config.clock_hz());
    let mut delays = Vec::new();
    for &got in &settings.delays_ps {
        if got % cycle_ps != 0 {
            return Err(ScenarioError::Cycles { got, config: config.name(), cycle_ps });
        }
        delays.push(got / cycle_ps);
    }
    delays.resize(settings.planes as usize, delays[0]);
    let mut events = Vec::new();
    for &PlaneChange { plane, at_ps: got, up } in &settings.plane_changes {
        if got % cycle_ps != 0 {
            return Err(ScenarioError::ChangeCycles { got, config: config.name(), cycle_ps });
        }
        events.push(PlaneEvent { cycle: got / cycle_ps, plane, up });
    }
    let link = LinkConfig::new(delays, settings.rates, settings.speed, config.clock_hz().into())?;
    Ok(link.with_limits(settings.limits)?.with_events(events)?)
}

/// Ethernet 14, IPv4 20, UDP 8, DATA header 48, ICRC 4; the same and 40 bytes for an ACK without SACK words.
const ROUND_TRIP_HEADERS: u64 = 14 + 20 + 8 + 48 + 4 + 14 + 20 + 8 + 40 + 4;
