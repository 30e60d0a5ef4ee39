//! Configurations: the widths of the named ones, and what is refused.

use heddle_rtl::config::{named, Config, ConfigError, Settings, TickScale, TICKS_PER_SECOND};

fn gbe_with(change: impl FnOnce(&mut Settings)) -> Result<Config, ConfigError> {
    let mut settings = named::gbe().settings();
    change(&mut settings);
    Config::new(settings)
}

#[test]
fn named_configurations_have_the_widths_of_the_architecture() {
    // W, CW, LW, PW, RW, SW, MW, lanes, offset bits; by hand from docs/architecture.md and docs/core.md.
    let want = [
        ("tiny", [64, 1, 1, 2, 2, 2, 4, 64, 8]),
        ("gbe", [64, 4, 2, 6, 6, 2, 4, 64, 10]),
        ("dc100", [512, 10, 4, 14, 12, 4, 2, 256, 12]),
    ];
    for (config, (name, widths)) in named::all().iter().zip(want) {
        let got = [
            config.data_bits(),
            config.connection_bits(),
            config.local_path_bits(),
            config.path_bits(),
            config.region_bits(),
            config.stream_bits(),
            config.slot_bits(),
            config.sack_lanes(),
            config.slice_offset_bits(),
        ];
        assert_eq!((config.name(), got), (name, widths));
        assert_eq!(config.stream_bits() + config.slot_bits(), 6, "{name}: 64 messages per connection");
        assert_eq!(named::by_name(name), Some(*config));
    }
    assert_eq!(named::by_name("huge"), None);
}

#[test]
fn widths_can_be_type_parameters() {
    const PATH_BITS: usize = named::gbe().path_bits();
    let per_path = [0u8; 1 << PATH_BITS];
    assert_eq!(per_path.len() as u32, named::gbe().connections() * named::gbe().paths());
}

#[test]
fn ticks_are_eight_nanoseconds_at_every_accepted_clock() {
    for (clock_hz, factor, shift) in
        [(125_000_000, 1, 0), (200_000_000, 5, 3), (250_000_000, 1, 1), (100_000_000, 5, 2)]
    {
        let config = gbe_with(|s| s.clock_hz = clock_hz).unwrap();
        assert_eq!(config.tick_scale(), TickScale { factor, shift }, "{clock_hz} Hz");
        let one_second = (u64::from(clock_hz) * u64::from(factor)) >> shift;
        assert_eq!(one_second, u64::from(TICKS_PER_SECOND), "{clock_hz} Hz");
    }
}

#[test]
fn settings_out_of_range_are_rejected_with_what_was_seen() {
    let mut checked = 0;
    for got in [0, 1, 3, 17, Config::MAX_CONNECTIONS * 2] {
        assert_eq!(gbe_with(|s| s.connections = got), Err(ConfigError::Connections { got }));
        checked += 1;
    }
    for got in [0, 1, 6, 512] {
        assert_eq!(gbe_with(|s| s.paths = got), Err(ConfigError::Paths { got }));
        checked += 1;
    }
    for got in [0, 32, 128, 256, 1024] {
        assert_eq!(gbe_with(|s| s.data_bits = got), Err(ConfigError::DataBits { got }));
        checked += 1;
    }
    for got in [0, 1, 125_000_001, 156_250_000, u32::MAX] {
        assert_eq!(gbe_with(|s| s.clock_hz = got), Err(ConfigError::Clock { got }));
        checked += 1;
    }
    for got in [0, 128, 1000, 16384] {
        assert_eq!(gbe_with(|s| s.slice_bytes = got), Err(ConfigError::SliceBytes { got }));
        checked += 1;
    }
    for got in [0, 1, 100, Config::MAX_REGIONS * 2] {
        assert_eq!(gbe_with(|s| s.regions = got), Err(ConfigError::Regions { got }));
        checked += 1;
    }
    for got in [0, 2, 8, 64] {
        assert_eq!(gbe_with(|s| s.streams = got), Err(ConfigError::Streams { got }));
        checked += 1;
    }
    assert_eq!(checked, 31);
}

#[test]
fn limits_themselves_are_accepted() {
    for (connections, paths, slice_bytes, regions, streams) in
        [(2, 2, 256, 2, 1), (1 << 16, 1 << 8, 8192, 1 << 16, 16)]
    {
        let config = gbe_with(|s| {
            s.connections = connections;
            s.paths = paths;
            s.slice_bytes = slice_bytes;
            s.regions = regions;
            s.streams = streams;
        });
        assert!(config.is_ok(), "{config:?}");
    }
}

#[test]
fn errors_say_what_was_seen_and_needed() {
    let text = gbe_with(|s| s.paths = 6).unwrap_err().to_string();
    assert_eq!(text, "paths per connection: got 6, need a power of two from 2 to 256");
}
