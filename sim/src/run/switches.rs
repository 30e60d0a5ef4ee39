//! Queues and memory of switches, as a point says.

use super::RunError;
use crate::fabric::paused::{headroom, Alpha, Buffers, Headroom, Lossless, Pool};
use crate::plan::{Pfc, Point, Transport};

/// Of a shared buffer a queue may take as much as is free: the part that leaves one busy port half of it.
const ALPHA: Alpha = Alpha::new(0).unwrap();

/// Headers of all transports, and what Ethernet adds, are no more.
const OVERHEAD: u32 = 160;

/// Queues, if FIFOs are not what is asked for.
pub(super) fn queues(point: &Point) -> Result<Option<Buffers>, RunError> {
    let switch = &point.switch;
    if !switch.priority && !switch.shared && switch.pfc.is_none() {
        return Ok(None);
    }
    let (mut pool, mut lossless) = (Pool::PerPort { bytes: switch.buffer, xoff: switch.buffer }, None);
    if let Some(pfc) = switch.pfc {
        let (xoff, data) = protected(point, pfc)?;
        (pool, lossless) = (Pool::PerPort { bytes: switch.buffer, xoff }, Some(data));
    }
    if switch.shared {
        pool = Pool::Shared { bytes: switch.buffer, alpha: ALPHA, xoff: switch.pfc.and_then(|pfc| pfc.xoff) };
    }
    let classes = if switch.priority { 2 } else { 1 };
    Ok(Some(Buffers { classes, pool, lossless: [lossless, None] }))
}

/// XOFF threshold of a port, and the class of data.
fn protected(point: &Point, pfc: Pfc) -> Result<(u64, Lossless), RunError> {
    let (switch, mtu) = (&point.switch, longest(point));
    let fabric = &point.fabric;
    let cables = [(fabric.rate, fabric.delay), (fabric.fabric_rate, fabric.fabric_delay)];
    let computed = cables.map(|(rate, delay)| headroom(rate, delay, mtu)).into_iter().max();
    let memory = pfc.headroom.map_or(Headroom::Computed { mtu }, Headroom::Bytes);
    // It goes on when two packets less stand there, if nothing else is asked for.
    let hysteresis = 2 * u64::from(mtu);
    if switch.shared {
        let hysteresis = match (pfc.xoff, pfc.xon) {
            (Some(xoff), xon) => below(xoff, xon, hysteresis),
            (None, None) => hysteresis,
            (None, Some(_)) => return Err(RunError::Xon),
        };
        return Ok((0, Lossless { headroom: memory, hysteresis }));
    }
    let headroom = pfc.headroom.or(computed).unwrap_or_default();
    let least = pfc.xoff.unwrap_or(hysteresis + 1);
    if switch.buffer < headroom + least {
        return Err(RunError::Buffer { buffer: switch.buffer, needed: headroom + least, headroom });
    }
    let xoff = pfc.xoff.unwrap_or(switch.buffer - headroom);
    Ok((xoff, Lossless { headroom: memory, hysteresis: below(xoff, pfc.xon, hysteresis) }))
}

/// How far below XOFF a port goes on: as asked for, else `usual`, or at the last byte where XOFF is lower than that.
fn below(xoff: u64, xon: Option<u64>, usual: u64) -> u64 {
    match xon {
        Some(xon) => xoff.saturating_sub(xon),
        None => usual.min(xoff.saturating_sub(1)),
    }
}

/// Longest packet on the wire, bytes.
fn longest(point: &Point) -> u32 {
    let payload = match point.transport {
        Transport::Heddle { payload, .. }
        | Transport::Roce { payload, .. }
        | Transport::Irn { payload, .. } => payload,
    };
    (payload + OVERHEAD).max(point.background.map_or(0, |background| background.packet))
}
