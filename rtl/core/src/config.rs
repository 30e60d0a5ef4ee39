//! Configuration of the core: parsed once, then it cannot be wrong. Every width that the blocks need is
//! computed here.
//!
//! Everything is `const`, so a block's width parameter can be taken from a named configuration:
//! `RxPath::<{ named::gbe().path_bits() }>`. Source of the named ones: docs/architecture.md.

pub mod named;

use thiserror::Error;

/// Messages in flight per connection and direction, over all its streams. Source: docs/protocol.md section 4.
pub const SLOTS_PER_CONNECTION: u32 = 64;
/// Ticks of the timestamp per second (8 ns each). Source: docs/protocol.md section 3, word 3.
pub const TICKS_PER_SECOND: u32 = 125_000_000;

/// What a configuration is made from, unchecked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Name in file names and reports.
    pub name: &'static str,
    /// Connections, a power of two.
    pub connections: u32,
    /// Paths of each connection, a power of two.
    pub paths: u32,
    /// Width of the packet and memory streams in bits, 64 or 512.
    pub data_bits: u32,
    /// Clock in Hz.
    pub clock_hz: u32,
    /// Payload of every packet of a message but its last, in bytes, a power of two.
    pub slice_bytes: u32,
    /// Memory regions that peers may be let into, a power of two.
    pub regions: u32,
    /// Ordered streams of each connection, 1, 4 or 16: they share [`SLOTS_PER_CONNECTION`].
    pub streams: u32,
}

/// Why settings make no configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// The connection number is 16 bits on the wire, and its index at least one bit wide.
    #[error("connections: got {got}, need a power of two from 2 to {max}", max = Config::MAX_CONNECTIONS)]
    Connections {
        /// Connections asked for.
        got: u32,
    },
    /// The path number is 8 bits on the wire, and its index at least one bit wide.
    #[error("paths per connection: got {got}, need a power of two from 2 to {max}", max = Config::MAX_PATHS)]
    Paths {
        /// Paths asked for.
        got: u32,
    },
    /// Only these widths have a data path.
    #[error("data width: got {got} bits, need 64 or 512")]
    DataBits {
        /// Bits asked for.
        got: u32,
    },
    /// The timestamp is made of cycles by a small factor and a shift.
    #[error("clock: got {got} Hz, need 125 MHz x 2^shift / factor with factor and shift of at most {max}",
        max = Config::MAX_TICK_SHIFT)]
    Clock {
        /// Hz asked for.
        got: u32,
    },
    /// A slice is whole beats, and with its headers fits a jumbo frame.
    #[error("slice: got {got} bytes, need a power of two from {min} to {max}",
        min = Config::MIN_SLICE_BYTES, max = Config::MAX_SLICE_BYTES)]
    SliceBytes {
        /// Bytes asked for.
        got: u32,
    },
    /// A key's index is 16 bits, and the region index at least one bit wide.
    #[error("regions: got {got}, need a power of two from 2 to {max}", max = Config::MAX_REGIONS)]
    Regions {
        /// Regions asked for.
        got: u32,
    },
    /// The slots divide into these.
    #[error("streams per connection: got {got}, need 1, 4 or 16")]
    Streams {
        /// Streams asked for.
        got: u32,
    },
}

/// A configuration that holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    settings: Settings,
    tick: TickScale,
}

/// Timestamp of a cycle counter: `(cycles * factor) >> shift` ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TickScale {
    /// What the cycles are multiplied by.
    pub factor: u32,
    /// By how many bits the product is shifted right.
    pub shift: u32,
}

impl Config {
    /// Most connections of one core.
    pub const MAX_CONNECTIONS: u32 = 1 << 16;
    /// Most paths of one connection.
    pub const MAX_PATHS: u32 = 1 << 8;
    /// Most memory regions of one core.
    pub const MAX_REGIONS: u32 = 1 << 16;
    /// Smallest slice in bytes: four beats of the wide data path.
    pub const MIN_SLICE_BYTES: u32 = 256;
    /// Largest slice in bytes.
    pub const MAX_SLICE_BYTES: u32 = 8192;
    /// Largest shift, and so largest factor, from cycles to ticks.
    pub const MAX_TICK_SHIFT: u32 = 5;

    /// Checks the settings; the first that is wrong is the error, nothing is ever adjusted.
    pub const fn new(settings: Settings) -> Result<Self, ConfigError> {
        let Settings { connections, paths, data_bits, clock_hz, slice_bytes, regions, streams, .. } =
            settings;
        if !power_of_two_within(connections, 2, Self::MAX_CONNECTIONS) {
            return Err(ConfigError::Connections { got: connections });
        }
        if !power_of_two_within(paths, 2, Self::MAX_PATHS) {
            return Err(ConfigError::Paths { got: paths });
        }
        if data_bits != 64 && data_bits != 512 {
            return Err(ConfigError::DataBits { got: data_bits });
        }
        let Some(tick) = tick_scale(clock_hz) else {
            return Err(ConfigError::Clock { got: clock_hz });
        };
        if !power_of_two_within(slice_bytes, Self::MIN_SLICE_BYTES, Self::MAX_SLICE_BYTES) {
            return Err(ConfigError::SliceBytes { got: slice_bytes });
        }
        if !power_of_two_within(regions, 2, Self::MAX_REGIONS) {
            return Err(ConfigError::Regions { got: regions });
        }
        if streams != 1 && streams != 4 && streams != 16 {
            return Err(ConfigError::Streams { got: streams });
        }
        Ok(Self { settings, tick })
    }

    /// What the configuration was made from: the start of another one.
    pub const fn settings(&self) -> Settings {
        self.settings
    }

    /// Name in file names and reports.
    pub const fn name(&self) -> &'static str {
        self.settings.name
    }

    /// Connections.
    pub const fn connections(&self) -> u32 {
        self.settings.connections
    }

    /// Paths of each connection.
    pub const fn paths(&self) -> u32 {
        self.settings.paths
    }

    /// Clock in Hz.
    pub const fn clock_hz(&self) -> u32 {
        self.settings.clock_hz
    }

    /// Bytes of a slice.
    pub const fn slice_bytes(&self) -> u32 {
        self.settings.slice_bytes
    }

    /// Memory regions.
    pub const fn regions(&self) -> u32 {
        self.settings.regions
    }

    /// Streams of each connection.
    pub const fn streams(&self) -> u32 {
        self.settings.streams
    }

    /// Message slots of each stream and direction.
    pub const fn slots(&self) -> u32 {
        SLOTS_PER_CONNECTION / self.settings.streams
    }

    /// From cycles to ticks of 8 ns.
    pub const fn tick_scale(&self) -> TickScale {
        self.tick
    }

    /// `W`: bits of a data beat.
    pub const fn data_bits(&self) -> usize {
        self.settings.data_bits as usize
    }

    /// `K`: bytes of a data beat.
    pub const fn data_bytes(&self) -> usize {
        self.data_bits() / 8
    }

    /// `CW`: bits of a connection index.
    pub const fn connection_bits(&self) -> usize {
        self.settings.connections.ilog2() as usize
    }

    /// `LW`: bits of a path's index within its connection.
    pub const fn local_path_bits(&self) -> usize {
        self.settings.paths.ilog2() as usize
    }

    /// `PW`: bits of a path index, connection first.
    pub const fn path_bits(&self) -> usize {
        self.connection_bits() + self.local_path_bits()
    }

    /// `RW`: bits of a region index.
    pub const fn region_bits(&self) -> usize {
        self.settings.regions.ilog2() as usize
    }

    /// `SW`: bits of a stream index, 0 for a single stream.
    pub const fn stream_bits(&self) -> usize {
        self.settings.streams.ilog2() as usize
    }

    /// `MW`: bits of a slot index within its stream.
    pub const fn slot_bits(&self) -> usize {
        self.slots().ilog2() as usize
    }

    /// Bits of an offset within a slice.
    pub const fn slice_offset_bits(&self) -> usize {
        self.settings.slice_bytes.ilog2() as usize
    }

    /// Bits of a sequence map that the path engines handle per cycle: a word of 64 in four steps, or all 256
    /// at once where packets come too fast for that.
    pub const fn sack_lanes(&self) -> usize {
        if self.settings.data_bits == 64 {
            64
        } else {
            256
        }
    }
}

const fn power_of_two_within(value: u32, min: u32, max: u32) -> bool {
    value.is_power_of_two() && value >= min && value <= max
}

/// The smallest factor and shift with `clock_hz * factor = TICKS_PER_SECOND << shift`.
const fn tick_scale(clock_hz: u32) -> Option<TickScale> {
    let mut shift = 0;
    while shift <= Config::MAX_TICK_SHIFT && clock_hz != 0 {
        let scaled = (TICKS_PER_SECOND as u64) << shift;
        let factor = scaled / clock_hz as u64;
        if factor * clock_hz as u64 == scaled && factor != 0 && factor <= Config::MAX_TICK_SHIFT as u64 {
            return Some(TickScale { factor: factor as u32, shift });
        }
        shift += 1;
    }
    None
}
