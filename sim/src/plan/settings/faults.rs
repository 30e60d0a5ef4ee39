//! `loss`, `[[fault]]` and `background`.

use crate::plan::quantity::{Bytes, Duration, Probability};
use serde::{Deserialize, Serialize};

/// Which cables lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LossPlace {
    /// Those from a switch to a host: every packet meets the loss once.
    LastHop,
    /// All of them: a packet over four cables meets it four times.
    EveryHop,
}

/// `loss`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LossSettings {
    /// Fraction of the packets.
    pub rate: Probability,
    /// Packets that are lost in a row, in the mean; 1 is chance alone.
    pub burst: u32,
    /// Fraction of the packets that arrive with a wrong ICRC.
    pub corrupt: Probability,
    /// Which cables.
    pub on: LossPlace,
}

impl Default for LossSettings {
    fn default() -> Self {
        Self { rate: Probability::ZERO, burst: 1, corrupt: Probability::ZERO, on: LossPlace::LastHop }
    }
}

/// `[[fault]]`: a plane; or in it the cable of a host, a switch, or the cable between two switches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultSettings {
    /// When.
    pub at: Duration,
    /// When it is repaired; never if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Duration>,
    /// In which plane.
    #[serde(default)]
    pub plane: u8,
    /// This host's cable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<u32>,
    /// This switch, like "leaf0", "spine3", "edge0", "aggregation1", "core2" or "switch0".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// The cable between two switches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<[String; 2]>,
    /// Ports keep their carrier: hosts must notice by themselves.
    #[serde(default)]
    pub silent: bool,
}

/// `background`: packets of nobody's transport from every host to hosts drawn, at times drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BackgroundSettings {
    /// Fraction of the rate of every host's port.
    pub load: Probability,
    /// Bytes of a packet on the wire.
    pub packet: Bytes,
}

impl Default for BackgroundSettings {
    fn default() -> Self {
        Self { load: Probability::ZERO, packet: Bytes(1_500) }
    }
}
