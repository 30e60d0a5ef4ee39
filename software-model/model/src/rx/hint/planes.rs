//! What a port's planes can bring: one without carrier adds nothing, nor does one that is silent while the others are busy.
//!
//! A *window* begins with DATA and lasts so long that one plane can bring eight full packets, and that each limited connection sent two
//! packets for each plane on average. When the planes on which DATA came in during a window brought three quarters of what they can, the
//! others are silent: until DATA comes in on them, or nobody is limited.

use super::HintConfig;

/// Full packets that one plane can bring in a window, at least.
pub const WINDOW_PACKETS: u32 = 8;
/// The longest window, 82 ms: as long as it takes the smallest target to bring as many of the largest packets.
pub const MAX_WINDOW: u32 = 8_192;

/// What follows from the configuration when planes count.
#[derive(Clone, Copy, Debug)]
struct Constants {
    /// 1 to 16.
    planes: u8,
    /// 0.98 of what one plane can bring in an interval, 22 bits.
    plane_bytes: u32,
    /// Intervals of a window at least, 14 bits.
    intervals: u32,
}

/// State of a port's planes, 123 bits.
#[derive(Clone, Debug)]
pub(super) struct Planes {
    /// None: the port's capacity is what it is, whatever planes do.
    constants: Option<Constants>,
    /// Bit i: plane i has its carrier, 16 bits.
    up: u16,
    /// Bit i: plane i is silent, 16 bits.
    silent: u16,
    /// Bit i: DATA came in on plane i in this window, 16 bits.
    heard: u16,
    /// DATA packets in this window, 22 bits, saturating.
    packets: u32,
    /// Their bytes, 39 bits, saturating.
    bytes: u64,
    /// Intervals of this window that have ended, 14 bits.
    ended: u32,
}

impl Planes {
    /// DATA packets that are counted of a window: two for each of 16 planes and 2^16 connections.
    const MAX_PACKETS: u32 = 1 << 21;
    /// Bytes that are counted of a window: all that 16 planes could bring in the longest.
    const MAX_BYTES: u64 = (1 << 39) - 1;

    /// Every plane is up, and none is silent.
    pub(super) fn new(config: &HintConfig) -> Self {
        let constants = config.plane_bytes.map(|plane_bytes| {
            let intervals = (WINDOW_PACKETS * config.packet_bytes).div_ceil(plane_bytes);
            Constants { planes: config.planes, plane_bytes, intervals }
        });
        Self { constants, up: u16::MAX, silent: 0, heard: 0, packets: 0, bytes: 0, ended: 0 }
    }

    /// A plane's carrier is lost, or is back.
    pub(super) fn set(&mut self, plane: u8, up: bool) {
        let bit = bit(plane);
        self.up = if up { self.up | bit } else { self.up & !bit };
    }

    /// DATA has come in on a plane.
    // REQ-HINT-5
    pub(super) fn on_data(&mut self, plane: u8, bytes: u32) {
        let Some(constants) = &self.constants else { return };
        let bit = bit(plane) & constants.all();
        self.heard |= bit;
        self.silent &= !bit;
        self.packets = (self.packets + 1).min(Self::MAX_PACKETS);
        self.bytes = (self.bytes + u64::from(bytes)).min(Self::MAX_BYTES);
    }

    /// 0.98 of what comes in at most in an interval: `host_bytes`, or what the planes can bring when that is less. Without any plane, what
    /// one could.
    // REQ-HINT-5
    pub(super) fn target(&self, host_bytes: u32) -> u32 {
        let Some(constants) = &self.constants else { return host_bytes };
        let open = (self.up & !self.silent & constants.all()).count_ones();
        host_bytes.min(open.max(1) * constants.plane_bytes)
    }

    /// An interval has ended; so many connections are limited.
    // REQ-HINT-5
    pub(super) fn end_interval(&mut self, limited: u32) {
        let Some(constants) = &self.constants else { return };
        if limited == 0 {
            self.silent = 0;
        }
        if self.heard == 0 {
            return;
        }
        self.ended += 1;
        let least = 2 * u32::from(constants.planes) * limited;
        if (self.ended < constants.intervals || self.packets < least) && self.ended < MAX_WINDOW {
            return;
        }
        let room = u64::from(self.ended) * u64::from(self.heard.count_ones() * constants.plane_bytes);
        if limited > 0 && 4 * self.bytes >= 3 * room {
            self.silent = constants.all() & !self.heard;
        }
        (self.heard, self.packets, self.bytes, self.ended) = (0, 0, 0, 0);
    }

    /// Whether the end of a further interval without DATA would change nothing while nobody is limited.
    pub(super) fn is_still(&self) -> bool {
        self.silent | self.heard == 0
    }
}

impl Constants {
    /// One bit for each plane.
    fn all(&self) -> u16 {
        u16::MAX >> (16 - self.planes)
    }
}

fn bit(plane: u8) -> u16 {
    1u16.checked_shl(plane.into()).unwrap_or(0)
}

#[cfg(test)]
mod tests;
