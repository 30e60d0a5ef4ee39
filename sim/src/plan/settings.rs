//! The keys of a plan, as the file and `--set` say them; [`super::Point`] is what comes of it when all is
//! checked.

mod fabric;
mod faults;
mod traffic;

pub use fabric::{EcnKind, Routing, SwitchSettings, TopologyKind, TopologySettings};
pub use faults::{BackgroundSettings, FaultSettings, LossPlace, LossSettings};
pub use traffic::{TrafficKind, TrafficSettings, TransportKind, TransportSettings};

use super::quantity::Duration;
use crate::time::Ps;
use serde::{Deserialize, Serialize};

/// Everything that one run follows from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Everything random follows from it.
    pub seed: u64,
    /// When a run that is not done is ended.
    pub end: Duration,
    /// Width of the steps in which things are recorded over time.
    pub interval: Duration,
    /// Hosts, planes, switches, cables.
    pub topology: TopologySettings,
    /// What switches do.
    pub switch: SwitchSettings,
    /// What cables lose.
    pub loss: LossSettings,
    /// What fails and when.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fault: Vec<FaultSettings>,
    /// Traffic that is none of the transport's.
    pub background: BackgroundSettings,
    /// What the hosts speak.
    pub transport: TransportSettings,
    /// What they want to move.
    pub traffic: TrafficSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            end: Duration(Ps(1_000_000_000_000)),
            interval: Duration(Ps(20_000_000)),
            topology: TopologySettings::default(),
            switch: SwitchSettings::default(),
            loss: LossSettings::default(),
            fault: Vec::new(),
            background: BackgroundSettings::default(),
            transport: TransportSettings::default(),
            traffic: TrafficSettings::default(),
        }
    }
}
