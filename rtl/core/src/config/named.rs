//! The named configurations: the test matrix, and what reports speak of.

use super::{Config, Settings};

/// Smallest that still has a second connection and a second path to mix up.
pub const fn tiny() -> Config {
    checked(Settings {
        name: "tiny",
        connections: 2,
        paths: 2,
        data_bits: 64,
        clock_hz: 125_000_000,
        slice_bytes: 256,
        regions: 4,
        streams: 4,
    })
}

/// Gigabit Ethernet on an ECP5-85.
pub const fn gbe() -> Config {
    checked(Settings {
        name: "gbe",
        connections: 16,
        paths: 4,
        data_bits: 64,
        clock_hz: 125_000_000,
        slice_bytes: 1024,
        regions: 64,
        streams: 4,
    })
}

/// 100 Gbit/s on a large part.
pub const fn dc100() -> Config {
    checked(Settings {
        name: "dc100",
        connections: 1024,
        paths: 16,
        data_bits: 512,
        clock_hz: 200_000_000,
        slice_bytes: 4096,
        regions: 4096,
        streams: 16,
    })
}

/// All of them, smallest first.
pub const fn all() -> [Config; 3] {
    [tiny(), gbe(), dc100()]
}

/// The one of that name.
pub fn by_name(name: &str) -> Option<Config> {
    all().into_iter().find(|config| config.name() == name)
}

const fn checked(settings: Settings) -> Config {
    match Config::new(settings) {
        Ok(config) => config,
        Err(_) => panic!("a named configuration does not hold together"),
    }
}

// Evaluated when the crate is compiled, so a wrong named configuration is no run-time matter.
const _: [Config; 3] = all();
