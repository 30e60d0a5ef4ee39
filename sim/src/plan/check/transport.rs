//! `transport`.

use super::{constants, number, time, unused, Refusal};
use crate::plan::point::Transport;
use crate::plan::quantity::Bytes;
use crate::plan::settings::{TransportKind, TransportSettings};
use crate::time::Ps;

/// Paths of a connection of Heddle where nothing is said.
pub const PATHS: u32 = 16;
/// Packets of a message that waits for no hint where nothing is said.
pub const SMALL_PACKETS: u8 = 8;

/// Checks it.
pub fn check(given: &TransportSettings) -> Result<Transport, Refusal> {
    let payload = match given.payload {
        Bytes(bytes @ (1024 | 2048 | 4096)) => bytes as u32,
        other => {
            let message = format!("{other} is not possible: 1KiB, 2KiB and 4KiB are");
            return Err(Refusal::new("transport.payload", message));
        }
    };
    let window = given.window.map(|n| number("transport.window", n, 1, 65_536)).transpose()?;
    if given.kind == TransportKind::Heddle {
        let kind = "transport.kind = \"heddle\"";
        unused("transport.qps", &given.qps, kind)?;
        unused("transport.dcqcn", &given.dcqcn, kind)?;
        unused("transport.timeout", &given.timeout, kind)?;
        let paths = given.paths.unwrap_or(PATHS);
        if !paths.is_power_of_two() || paths > 64 {
            let message = format!("{paths} is not possible: 1, 2, 4, 8, 16, 32 and 64 are");
            return Err(Refusal::new("transport.paths", message));
        }
        let small_packets = given.small_packets.unwrap_or(SMALL_PACKETS);
        number("transport.small_packets", small_packets, 0, 16)?;
        let constants = constants::check(given)?;
        return Ok(Transport::Heddle { payload, paths, window, small_packets, constants });
    }
    let kind = "another transport.kind than \"heddle\"";
    unused("transport.paths", &given.paths, kind)?;
    unused("transport.small_packets", &given.small_packets, kind)?;
    constants::unused_all(given, kind)?;
    let qps = number("transport.qps", given.qps.unwrap_or(1), 1, 256)?;
    let dcqcn = given.dcqcn.unwrap_or(true);
    let timeout = given.timeout.map(|t| time("transport.timeout", t, Ps::from_us(1))).transpose()?;
    match given.kind {
        TransportKind::Irn => Ok(Transport::Irn { payload, qps, dcqcn, timeout, window }),
        _ => {
            unused("transport.window", &given.window, "transport.kind = \"roce\"")?;
            Ok(Transport::Roce { payload, qps, dcqcn, timeout })
        }
    }
}
