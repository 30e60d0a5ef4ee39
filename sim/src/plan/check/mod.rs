//! From what is said to what can be run: reject, never clamp.

mod constants;
mod fabric;
mod faults;
mod trace;
mod traffic;
mod transport;

pub use faults::switch_name;
pub use transport::{PATHS, SMALL_PACKETS};

use super::error::Refusal;
use super::point::{Background, Ecn, Loss, Pfc, Run, Switch};
use super::quantity::{Bytes, Duration};
use super::settings::{EcnKind, Settings, SwitchSettings};
use crate::time::Ps;
use std::path::Path;

/// Longest time that a plan may speak of: sums of a few stay far from the end of 64 bits.
const LONGEST: Ps = Ps(1_000_000_000_000_000);
/// Most bytes of a buffer, a threshold or a message.
const MOST_BYTES: u64 = 1 << 40;

/// Checks everything. `folder` is where the files are that the settings name.
pub fn run(settings: &Settings, folder: &Path) -> Result<Run, Refusal> {
    let fabric = fabric::check(&settings.topology)?;
    Ok(Run {
        seed: settings.seed,
        end: time("end", settings.end, Ps(1))?,
        interval: time("interval", settings.interval, Ps::from_ns(100))?,
        switch: switch(&settings.switch)?,
        loss: loss(settings)?,
        faults: faults::check(settings, &fabric)?,
        background: background(settings)?,
        transport: transport::check(&settings.transport)?,
        traffic: traffic::check(&settings.traffic, fabric.hosts, folder)?,
        fabric,
    })
}

/// A time of `least` or more.
fn time(key: &str, given: Duration, least: Ps) -> Result<Ps, Refusal> {
    match (least..=LONGEST).contains(&given.0) {
        true => Ok(given.0),
        false => Err(Refusal::new(key, possible(given, Duration(least), Duration(LONGEST)))),
    }
}

/// Bytes of `least` or more.
fn bytes(key: &str, given: Bytes, least: u64) -> Result<u64, Refusal> {
    match (least..=MOST_BYTES).contains(&given.0) {
        true => Ok(given.0),
        false => Err(Refusal::new(key, possible(given, Bytes(least), Bytes(MOST_BYTES)))),
    }
}

/// A number in a range.
fn number<N: PartialOrd + std::fmt::Display + Copy>(
    key: &str,
    given: N,
    least: N,
    most: N,
) -> Result<N, Refusal> {
    match given >= least && given <= most {
        true => Ok(given),
        false => Err(Refusal::new(key, possible(given, least, most))),
    }
}

fn possible<T: std::fmt::Display>(given: T, least: T, most: T) -> String {
    format!("{given} is outside of what is possible, {least} to {most}")
}

/// A key that this kind of thing does not have must not be said: it would be without effect.
fn unused<T>(key: &str, given: &Option<T>, of: &str) -> Result<(), Refusal> {
    match given {
        None => Ok(()),
        Some(_) => Err(Refusal::new(key, format!("is without effect with {of}: leave it out"))),
    }
}

fn switch(given: &SwitchSettings) -> Result<Switch, Refusal> {
    let buffer = bytes("switch.buffer", given.buffer, 10_000)?;
    let pfc = match given.pfc {
        true => Some(pfc(given, buffer)?),
        false => {
            unused("switch.pfc_xoff", &given.pfc_xoff, "switch.pfc = false")?;
            unused("switch.pfc_xon", &given.pfc_xon, "switch.pfc = false")?;
            unused("switch.pfc_headroom", &given.pfc_headroom, "switch.pfc = false")?;
            None
        }
    };
    Ok(Switch {
        buffer,
        shared: given.shared,
        ecn: ecn(given)?,
        priority: given.priority,
        pfc,
        routing: given.routing,
        reroute: time("switch.reroute", given.reroute, Ps::ZERO)?,
    })
}

fn ecn(given: &SwitchSettings) -> Result<Ecn, Refusal> {
    let from = bytes("switch.ecn_from", given.ecn_from, 0)?;
    if given.ecn != EcnKind::Red {
        unused("switch.ecn_to", &given.ecn_to, "another switch.ecn than \"red\"")?;
        unused("switch.ecn_probability", &given.ecn_probability, "another switch.ecn than \"red\"")?;
    }
    Ok(match given.ecn {
        EcnKind::Off => Ecn::Off,
        EcnKind::Threshold => Ecn::Threshold(from),
        EcnKind::Red => {
            let to = given.ecn_to.ok_or_else(|| {
                Refusal::new("switch.ecn_to", "is missing: switch.ecn = \"red\" needs it, like \"400KiB\"")
            })?;
            let probability = given.ecn_probability.ok_or_else(|| {
                Refusal::new("switch.ecn_probability", "is missing: switch.ecn = \"red\" needs it, like 0.01")
            })?;
            let to = bytes("switch.ecn_to", to, from + 1)?;
            Ecn::Red { from, to, probability }
        }
    })
}

fn pfc(given: &SwitchSettings, buffer: u64) -> Result<Pfc, Refusal> {
    let part = |key: &str, value: Option<Bytes>, most: u64| match value {
        Some(value) => number(key, value, Bytes(1), Bytes(most)).map(|bytes| Some(bytes.0)),
        None => Ok(None),
    };
    let xoff = part("switch.pfc_xoff", given.pfc_xoff, buffer)?;
    let xon = part("switch.pfc_xon", given.pfc_xon, xoff.unwrap_or(buffer))?;
    Ok(Pfc { xoff, xon, headroom: part("switch.pfc_headroom", given.pfc_headroom, buffer)? })
}

fn loss(settings: &Settings) -> Result<Loss, Refusal> {
    let loss = &settings.loss;
    let burst = number("loss.burst", loss.burst, 1, 10_000)?;
    if u64::from(loss.rate.billionths()) + u64::from(loss.corrupt.billionths()) >= 1_000_000_000 {
        return Err(Refusal::new("loss.rate", "together with loss.corrupt it must be less than 1"));
    }
    Ok(Loss { rate: loss.rate, burst, corrupt: loss.corrupt, on: loss.on })
}

fn background(settings: &Settings) -> Result<Option<Background>, Refusal> {
    let background = &settings.background;
    let packet = number("background.packet", background.packet, Bytes(84), Bytes(9_216))?.0 as u32;
    let load = number("background.load", background.load.fraction(), 0.0, 0.99)?;
    Ok((load > 0.0).then_some(Background { load: background.load, packet }))
}
