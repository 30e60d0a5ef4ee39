//! The emitted text of the whole core: maps of 256 bits, PSNs of 24, and as many rows as the configuration has paths and connections.

use heddle_rtl::blocks::blocks;
use heddle_rtl::config::{named, Config};

fn text(config: &Config) -> String {
    let blocks = blocks(config).unwrap();
    let core = blocks.last().unwrap();
    assert_eq!((core.name, core.top), ("core", "heddle_core"));
    core.emit_alone().unwrap().text()
}

/// How many memories of this shape are declared.
fn memories(text: &str, width: u32, depth: u32) -> usize {
    let declaration = format!("reg [{}:0] mem [0:{}];", width - 1, depth - 1);
    text.matches(&declaration).count()
}

#[test]
fn maps_rows_and_records_have_the_depths_of_the_configuration() {
    for config in named::all() {
        let (text, name) = (text(&config), config.name());
        let (connections, paths) = (config.connections(), config.connections() * config.paths());
        // 256 received bits per path: four words of 64, or one of 256.
        let received = match config.sack_lanes() {
            64 => memories(&text, 64, 4 * paths),
            _ => memories(&text, 256, paths),
        };
        // 256 slots in three planes per path, and its 206 bits; a record per unacknowledged packet; 64 messages per connection.
        let sent = memories(&text, 192, 4 * paths);
        let (rows, records) = (memories(&text, 206, paths), memories(&text, 54, 256 * paths));
        let messages = memories(&text, 192, 64 * connections);
        for (what, found) in [
            ("receive maps", received),
            ("send maps", sent),
            ("rows", rows),
            ("records", records),
            ("messages", messages),
        ] {
            assert!(found >= 1, "{name}: no memory of its {what}");
        }
    }
}

#[test]
fn psns_are_24_bits_wide_and_data_as_wide_as_the_configuration() {
    for config in named::all() {
        let (text, bits) = (text(&config), config.data_bits());
        for name in ["in_psn", "out_psn"] {
            let declares =
                |line: &str| line.trim().trim_end_matches(',').ends_with(&format!("[23:0] {name}"));
            assert!(text.lines().any(declares), "{}: {name} of 24 bits", config.name());
        }
        let top = text.split("module heddle_core (").nth(1).expect("the top");
        let ports = top.split_once(");").expect("a port list").0;
        for name in ["s_axis_rx_tdata", "m_axis_tx_tdata", "m_axi_wdata", "m_axi_rdata", "s_axis_wqe_tdata"] {
            assert!(
                ports.contains(&format!("[{}:0] {name}", bits - 1)),
                "{}: {name} of {bits} bits",
                config.name()
            );
        }
    }
}
