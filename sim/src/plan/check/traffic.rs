//! `traffic`.

use super::{number, time, trace, unused, Refusal};
use crate::plan::point::{Traffic, Workload};
use crate::plan::quantity::{Bytes, Duration};
use crate::plan::settings::{TrafficKind, TrafficSettings};
use crate::time::Ps;
use std::path::Path;

/// Most bytes of one message.
const MOST: u64 = 1 << 30;
/// Most messages that a connection moves one after the other.
const MOST_MESSAGES: u32 = 1 << 20;

/// Checks it, for a fabric of so many hosts.
pub fn check(given: &TrafficSettings, all: u32, folder: &Path) -> Result<Traffic, Refusal> {
    let connections = number("traffic.connections", given.connections.unwrap_or(1), 1, 4_096)?;
    let spread = time("traffic.spread", given.spread.unwrap_or(Duration(Ps::ZERO)), Ps::ZERO)?;
    let workload = match given.kind {
        TrafficKind::Trace => {
            unused_by_trace(given)?;
            Workload::Trace(trace::read(given, all, folder)?)
        }
        _ => listed(given, all)?,
    };
    Ok(Traffic { workload, connections, spread })
}

fn listed(given: &TrafficSettings, all: u32) -> Result<Workload, Refusal> {
    let kind = "this traffic.kind";
    unused("traffic.file", &given.file, kind)?;
    if given.kind != TrafficKind::Incast {
        unused("traffic.senders", &given.senders, kind)?;
    }
    if given.kind != TrafficKind::Reads {
        unused("traffic.readers", &given.readers, kind)?;
        unused("traffic.fan_in", &given.fan_in, kind)?;
    }
    let missing = || Refusal::new("traffic.bytes", "is missing: this traffic.kind needs it, like \"1MiB\"");
    let bytes = given.bytes.ok_or_else(missing)?;
    let messages = number("traffic.messages", given.messages.unwrap_or(1), 1, MOST_MESSAGES)?;
    let hosts = number("traffic.hosts", given.hosts.unwrap_or(all), 2, all)?;
    let message = || number("traffic.bytes", bytes, Bytes(1), Bytes(MOST)).map(|bytes| bytes.0 as u32);
    // A step of an all-reduce moves a part of the buffer.
    let buffer = |parts: u32| {
        let parts = u64::from(parts);
        number("traffic.bytes", bytes, Bytes(parts), Bytes(MOST * parts)).map(|bytes| bytes.0)
    };
    Ok(match given.kind {
        TrafficKind::RingAllReduce => Workload::RingAllReduce { hosts, bytes: buffer(hosts)?, messages },
        TrafficKind::TreeAllReduce => Workload::TreeAllReduce { hosts, bytes: buffer(1)?, messages },
        TrafficKind::AllToAll => Workload::AllToAll { hosts, bytes: message()?, messages },
        TrafficKind::Incast => {
            unused("traffic.hosts", &given.hosts, "traffic.kind = \"incast\"")?;
            let senders = given.senders.unwrap_or(all - 1);
            // A sender that is not there is traffic to nowhere.
            number("traffic.senders", senders, 1, all - 1)?;
            Workload::Incast { senders, bytes: message()?, messages }
        }
        TrafficKind::Reads => {
            let needed = || Refusal::new("traffic.fan_in", "is missing: traffic.kind = \"reads\" needs it");
            let fan_in = number("traffic.fan_in", given.fan_in.ok_or_else(needed)?, 1, hosts - 1)?;
            let readers = number("traffic.readers", given.readers.unwrap_or(1), 1, hosts)?;
            Workload::Reads { hosts, readers, fan_in, bytes: message()?, messages }
        }
        TrafficKind::Permutation | TrafficKind::Trace => {
            Workload::Permutation { hosts, bytes: message()?, messages }
        }
    })
}

fn unused_by_trace(given: &TrafficSettings) -> Result<(), Refusal> {
    let kind = "traffic.kind = \"trace\"";
    unused("traffic.bytes", &given.bytes, kind)?;
    unused("traffic.hosts", &given.hosts, kind)?;
    unused("traffic.messages", &given.messages, kind)?;
    unused("traffic.senders", &given.senders, kind)?;
    unused("traffic.readers", &given.readers, kind)?;
    unused("traffic.fan_in", &given.fan_in, kind)?;
    unused("traffic.spread", &given.spread, kind)
}
