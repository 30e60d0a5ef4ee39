//! `[[fault]]`: a fault of something that is not there is refused.

use super::fabric::radix;
use super::{number, time, Refusal};
use crate::plan::point::{Fabric, Fault, Shape, Where};
use crate::plan::settings::{FaultSettings, Settings};
use crate::time::Ps;

/// Checks all of them.
pub fn check(settings: &Settings, fabric: &Fabric) -> Result<Vec<Fault>, Refusal> {
    let tiers = Tiers::of(fabric);
    (0..).zip(&settings.fault).map(|(n, given)| fault(n, given, settings, fabric, &tiers)).collect()
}

/// Name of a switch, by its number in its plane.
pub fn switch_name(fabric: &Fabric, number: u32) -> String {
    Tiers::of(fabric).name(number)
}

fn fault(
    n: usize,
    given: &FaultSettings,
    settings: &Settings,
    fabric: &Fabric,
    tiers: &Tiers,
) -> Result<Fault, Refusal> {
    let key = |name: &str| format!("fault[{n}].{name}");
    let at = time(&key("at"), given.at, Ps::ZERO)?;
    number(&key("at"), given.at, super::Duration(Ps::ZERO), settings.end)?;
    let until = given.until.map(|until| time(&key("until"), until, Ps(at.0 + 1))).transpose()?;
    let plane = number(&key("plane"), given.plane, 0, fabric.planes - 1)?;
    let place = match (given.host, &given.switch, &given.link) {
        (None, None, None) => Where::Plane,
        (Some(host), None, None) => Where::Host(number(&key("host"), host, 0, fabric.hosts - 1)?),
        (None, Some(switch), None) => Where::Switch(tiers.find(&key("switch"), switch)?),
        (None, None, Some([a, b])) => {
            let (from, to) = (tiers.find(&key("link"), a)?, tiers.find(&key("link"), b)?);
            if !tiers.connected(from, to) {
                let message = format!("there is no cable between {a} and {b}");
                return Err(Refusal::new(key("link"), message));
            }
            Where::Link(from, to)
        }
        _ => {
            let message =
                "says host, switch and link at once: one of them is possible, or none for the whole plane";
            return Err(Refusal::new(format!("fault[{n}]"), message));
        }
    };
    Ok(Fault { at, until, plane, place, silent: given.silent })
}

/// Switches of a plane, tier by tier, as they are named and numbered.
struct Tiers {
    names: &'static [&'static str],
    counts: Vec<u32>,
    /// Edge and aggregation switches of a pod.
    pod: [u32; 2],
}

impl Tiers {
    fn of(fabric: &Fabric) -> Self {
        match fabric.shape {
            Shape::Single => Self { names: &["switch"], counts: vec![1], pod: [1, 1] },
            Shape::LeafSpine { hosts_per_leaf, spines } => {
                let leaves = fabric.hosts.div_ceil(hosts_per_leaf);
                Self { names: &["leaf", "spine"], counts: vec![leaves, spines], pod: [leaves, spines] }
            }
            Shape::FatTree { oversubscription: ratio } => {
                let half = radix(fabric.hosts) / 2;
                let rates = [fabric.rate, fabric.fabric_rate].map(|rate| rate.bits_per_second());
                let needed = u128::from(half) * u128::from(rates[0]) * u128::from(ratio.up);
                let above = (needed / (u128::from(rates[1]) * u128::from(ratio.down))) as u32;
                let edges = fabric.hosts.div_ceil(half);
                let pods = edges.div_ceil(half);
                let cores = if pods > 1 { above * half } else { 0 };
                let counts = vec![edges, pods * above, cores];
                Self { names: &["edge", "aggregation", "core"], counts, pod: [half, above] }
            }
        }
    }

    fn find(&self, key: &str, name: &str) -> Result<u32, Refusal> {
        let mut first = 0;
        for (tier, count) in self.names.iter().zip(&self.counts) {
            let digits =
                name.strip_prefix(tier).filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
            match digits.and_then(|digits| digits.parse::<u32>().ok()) {
                Some(n) if n < *count => return Ok(first + n),
                _ => first += count,
            }
        }
        let tiers = self.names.iter().zip(&self.counts).filter(|(_, count)| **count > 0);
        let known: Vec<_> = tiers.map(|(tier, count)| format!("{tier}0 to {tier}{}", count - 1)).collect();
        Err(Refusal::new(key, format!("{name:?} is not there: switches of a plane are {}", known.join(", "))))
    }

    /// The name of a switch; past the last one, of the last tier.
    fn name(&self, number: u32) -> String {
        let (tier, n) = self.place(number);
        format!("{}{n}", self.names[tier.min(self.names.len() - 1)])
    }

    /// Tier of a switch, and its number there.
    fn place(&self, number: u32) -> (usize, u32) {
        let mut left = number;
        for (tier, count) in self.counts.iter().enumerate() {
            match left.checked_sub(*count) {
                None => return (tier, left),
                Some(rest) => left = rest,
            }
        }
        (self.counts.len(), left)
    }

    /// Whether a cable connects two switches, given by their numbers.
    fn connected(&self, a: u32, b: u32) -> bool {
        let (low, high) = (a.min(b), a.max(b));
        match (self.place(low), self.place(high)) {
            // In a pod.
            ((0, edge), (1, above)) => edge / self.pod[0] == above / self.pod[1],
            // A core switch is of one aggregation switch of every pod.
            ((1, aggregation), (2, core)) => {
                let of_each = self.counts[2] / self.pod[1];
                aggregation % self.pod[1] == core / of_each
            }
            _ => false,
        }
    }
}
