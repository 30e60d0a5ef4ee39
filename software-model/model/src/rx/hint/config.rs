//! What a port is built with.

use crate::tx::route::MAX_PLANES;
use thiserror::Error;

/// Sizes and constants of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintConfig {
    pub(super) target_bytes: u32,
    pub(super) plane_bytes: Option<u32>,
    pub(super) planes: u8,
    pub(super) packet_bytes: u32,
    pub(super) ack_delay_ticks: u16,
}

/// A value that no port can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HintConfigError {
    /// Bytes per interval.
    #[error("a target of {got} bytes in 10 us: {min} to {max} are possible")]
    Target {
        /// The value given.
        got: u32,
        /// The smallest possible.
        min: u32,
        /// The largest possible.
        max: u32,
    },
}

impl HintConfig {
    /// The smallest target: 1/8 of it must be a byte. 13 Mb/s.
    pub const MIN_TARGET: u32 = 16;
    /// The largest target: 22 bits, 3.3 Tb/s.
    pub const MAX_TARGET: u32 = (1 << 22) - 1;

    /// `target_bytes`: 0.98 of what link or host can take in 10 us, whichever is lower. Packets of 4 KiB, T = 2 us, one plane.
    pub fn new(target_bytes: u32) -> Result<Self, HintConfigError> {
        let (min, max) = (Self::MIN_TARGET, Self::MAX_TARGET);
        if !(min..=max).contains(&target_bytes) {
            return Err(HintConfigError::Target { got: target_bytes, min, max });
        }
        Ok(Self { target_bytes, plane_bytes: None, planes: 1, packet_bytes: 4214, ack_delay_ticks: 250 })
    }

    /// With planes of which each can bring `plane_bytes` x 1 / 0.98 in 10 us: one that is down or silent then brings nothing. Without this
    /// the target is the port's, whatever happens to planes.
    pub fn with_plane_target(self, plane_bytes: u32) -> Result<Self, HintConfigError> {
        Self::new(plane_bytes)?;
        Ok(Self { plane_bytes: Some(plane_bytes), ..self })
    }

    /// With so many planes.
    ///
    /// # Panics
    /// If there are none, or more than 16.
    pub const fn with_planes(self, planes: u8) -> Self {
        assert!(planes >= 1 && planes <= MAX_PLANES, "planes out of range");
        Self { planes, ..self }
    }

    /// With packets of so many bytes on the wire, and this T.
    pub const fn with_packets(self, packet_bytes: u32, ack_delay_ticks: u16) -> Self {
        Self { packet_bytes, ack_delay_ticks, ..self }
    }
}
