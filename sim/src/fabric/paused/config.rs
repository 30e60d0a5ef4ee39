//! How a switch's buffer is divided.

use super::{CLASSES, PAUSE_BYTES};
use crate::time::{Ps, Rate};
use thiserror::Error;

/// A part of the free buffer that one queue may take, as a power of two. Source: Choudhury and Hahne, dynamic
/// queue length thresholds, IEEE/ACM ToN 1998; switch chips offer about 1/128 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alpha(i8);

impl Alpha {
    /// 2^`log2`; `None` outside 1/128 to 8.
    pub const fn new(log2: i8) -> Option<Self> {
        if log2 < -7 || log2 > 3 {
            return None;
        }
        Some(Self(log2))
    }

    /// Of so many bytes, rounded down.
    pub(super) const fn of(self, bytes: u64) -> u64 {
        match self.0 {
            log2 @ 0.. => bytes << log2,
            log2 => bytes >> -log2,
        }
    }
}

/// Whose the memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pool {
    /// Every port has its own.
    PerPort {
        /// Most that a lossy queue of an egress port holds, bytes, the rest of its packet that is being sent
        /// included.
        bytes: u64,
        /// A lossless class is paused when an ingress port would hold more than this of it, bytes.
        xoff: u64,
    },
    /// All ports share one; a queue (lossy: of an egress port; lossless: of an ingress port) may take a part
    /// of what is free.
    Shared {
        /// All of it, bytes; headroom is beside it.
        bytes: u64,
        /// The part.
        alpha: Alpha,
        /// A lossless class of an ingress port is paused beyond this in any case, bytes.
        xoff: Option<u64>,
    },
}

/// What an ingress port may hold of a lossless class after it was paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headroom {
    /// As much as can arrive still: [`headroom`] of the port's cable.
    Computed {
        /// Longest packet on the wire, bytes.
        mtu: u32,
    },
    /// So much at every port.
    Bytes(u64),
}

/// A class that PFC protects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lossless {
    /// Memory for what arrives after the pause.
    pub headroom: Headroom,
    /// Resumed when so many bytes less than what pauses it stand there, or none.
    pub hysteresis: u64,
}

/// A switch's buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffers {
    /// Queues of a port: 1, or 2 with strict priority of control over data.
    pub classes: u8,
    /// Memory.
    pub pool: Pool,
    /// By class; `None` is lossy.
    pub lossless: [Option<Lossless>; CLASSES],
}

/// Buffers that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// Classes.
    #[error("{got} classes of a port: 1 and {CLASSES} are possible")]
    Classes {
        /// Asked for.
        got: u8,
    },
    /// A class that there is not is to be lossless.
    #[error("class {got} is to be lossless: of {classes} classes the last is {}", .classes - 1)]
    Lossless {
        /// Asked for.
        got: usize,
        /// There are.
        classes: u8,
    },
    /// Nothing could ever be resumed before it is empty.
    #[error("a hysteresis of {got} bytes: less than the XOFF threshold of {xoff} bytes is possible")]
    Hysteresis {
        /// Asked for.
        got: u64,
        /// Pauses.
        xoff: u64,
    },
}

impl Buffers {
    /// Whether they can be.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let Self { classes, pool, lossless } = *self;
        if classes == 0 || usize::from(classes) > CLASSES {
            return Err(ConfigError::Classes { got: classes });
        }
        for (class, lossless) in lossless.iter().enumerate() {
            let Some(lossless) = lossless else { continue };
            if class >= usize::from(classes) {
                return Err(ConfigError::Lossless { got: class, classes });
            }
            if let Pool::PerPort { xoff, .. } | Pool::Shared { xoff: Some(xoff), .. } = pool {
                if lossless.hysteresis >= xoff {
                    return Err(ConfigError::Hysteresis { got: lossless.hysteresis, xoff });
                }
            }
        }
        Ok(())
    }
}

impl Headroom {
    /// At a port with this cable.
    pub(super) fn at(self, rate: Rate, delay: Ps) -> u64 {
        match self {
            Self::Computed { mtu } => headroom(rate, delay, mtu),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// What can arrive from the packet on that brings the pause about: this one, what is sent while the pause
/// frame waits for a packet before it and is sent itself, what is on the cable in both directions, and the
/// packet that the other end has just begun.
pub fn headroom(rate: Rate, delay: Ps, mtu: u32) -> u64 {
    // One more for what the rounding of times takes.
    3 * u64::from(mtu) + u64::from(PAUSE_BYTES) + rate.bytes_in(delay + delay) + 1
}
