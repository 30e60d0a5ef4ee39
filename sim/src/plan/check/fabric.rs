//! `topology`.

use super::{number, time, unused, Refusal};
use crate::plan::point::{Fabric, Shape};
use crate::plan::quantity::Ratio;
use crate::plan::settings::{TopologyKind, TopologySettings};
use crate::time::{Ps, Rate};

/// Most hosts.
const MOST_HOSTS: u32 = 65_536;
/// Most planes.
const MOST_PLANES: u8 = 16;

/// Checks it.
pub fn check(given: &TopologySettings) -> Result<Fabric, Refusal> {
    let fabric_rate = given.fabric_rate.unwrap_or(given.rate).0;
    Ok(Fabric {
        hosts: number("topology.hosts", given.hosts, 2, MOST_HOSTS)?,
        planes: number("topology.planes", given.planes, 1, MOST_PLANES)?,
        shape: shape(given)?,
        rate: given.rate.0,
        fabric_rate,
        delay: time("topology.delay", given.delay, Ps(1))?,
        fabric_delay: time("topology.fabric_delay", given.fabric_delay.unwrap_or(given.delay), Ps(1))?,
        slow: slow(given)?,
        drain: given.drain.map(|drain| drain.0),
    })
}

/// Hosts of another rate.
fn slow(given: &TopologySettings) -> Result<Option<(u32, Rate)>, Refusal> {
    match (given.slow_hosts, given.slow_rate) {
        (Some(count), Some(rate)) => {
            let count = number("topology.slow_hosts", count, 0, given.hosts)?;
            Ok((count > 0).then_some((count, rate.0)))
        }
        (Some(_), None) => {
            Err(Refusal::new("topology.slow_rate", "is missing: topology.slow_hosts needs it, like \"25G\""))
        }
        (None, rate) => unused("topology.slow_rate", &rate, "no topology.slow_hosts").map(|()| None),
    }
}

fn shape(given: &TopologySettings) -> Result<Shape, Refusal> {
    let full = Ratio { down: 1, up: 1 };
    match given.kind {
        TopologyKind::Single => {
            let kind = "topology.kind = \"single\"";
            unused("topology.fabric_rate", &given.fabric_rate, kind)?;
            unused("topology.fabric_delay", &given.fabric_delay, kind)?;
            unused("topology.hosts_per_leaf", &given.hosts_per_leaf, kind)?;
            unused("topology.spines", &given.spines, kind)?;
            unused("topology.oversubscription", &given.oversubscription, kind)?;
            Ok(Shape::Single)
        }
        TopologyKind::LeafSpine => {
            let hosts_per_leaf = given.hosts_per_leaf.ok_or_else(|| {
                let message = "is missing: topology.kind = \"leaf-spine\" needs it, like 16";
                Refusal::new("topology.hosts_per_leaf", message)
            })?;
            number("topology.hosts_per_leaf", hosts_per_leaf, 1, given.hosts)?;
            let spines = match given.spines {
                Some(spines) => {
                    unused("topology.oversubscription", &given.oversubscription, "topology.spines")?;
                    number("topology.spines", spines, 1, 4_096)?
                }
                None => above(given, hosts_per_leaf, given.oversubscription.unwrap_or(full))?,
            };
            Ok(Shape::LeafSpine { hosts_per_leaf, spines })
        }
        TopologyKind::FatTree => {
            let kind = "topology.kind = \"fat-tree\"";
            unused("topology.hosts_per_leaf", &given.hosts_per_leaf, kind)?;
            unused("topology.spines", &given.spines, kind)?;
            let oversubscription = given.oversubscription.unwrap_or(full);
            above(given, radix(given.hosts) / 2, oversubscription)?;
            Ok(Shape::FatTree { oversubscription })
        }
    }
}

/// Radix of the smallest fat tree that has so many hosts: k^3 / 4 of them.
pub fn radix(hosts: u32) -> u32 {
    (2..).step_by(2).find(|k| k * k * k / 4 >= hosts).unwrap_or(2)
}

/// How many cables upwards carry what so many hosts do, divided by the ratio: a whole number.
fn above(given: &TopologySettings, hosts: u32, ratio: Ratio) -> Result<u32, Refusal> {
    let rate = given.rate.0.bits_per_second();
    let upwards = given.fabric_rate.unwrap_or(given.rate).0.bits_per_second();
    let needed = u128::from(hosts) * u128::from(rate) * u128::from(ratio.up);
    let each = u128::from(upwards) * u128::from(ratio.down);
    match u32::try_from(needed / each) {
        Ok(count) if needed % each == 0 && (1..=4_096).contains(&count) => Ok(count),
        _ => Err(Refusal::new(
            "topology.oversubscription",
            format!(
                "{ratio} over {hosts} hosts at a switch asks for {} cables upwards, and 1 to 4096 whole ones are possible",
                needed as f64 / each as f64
            ),
        )),
    }
}
