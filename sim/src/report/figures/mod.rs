//! Which figures a sweep has: by its axes, its faults and its traffic.

mod bars;
mod cdf;
mod constant;
mod incast;
mod loss;
mod planes;
mod timeline;

use super::figure::{Axis, Figure, Scale};
use crate::outcome::Outcome;
use crate::plan::{Point, Workload};
use crate::report::show::in_percent;

/// A point and what came of it.
pub type Done = (Point, Outcome);

/// Names of variants in the order of the plan: colour and mark are the same in every figure.
pub struct Looks(Vec<String>);

impl Looks {
    /// Of all points of a report.
    pub fn new(done: &[Done]) -> Self {
        let mut names: Vec<String> = Vec::new();
        for (point, _) in done {
            if !names.iter().any(|name| name == point.variant()) {
                names.push(point.variant().to_owned());
            }
        }
        Self(names)
    }

    /// Of a variant.
    fn of(&self, variant: &str) -> usize {
        self.0.iter().position(|name| name == variant).unwrap_or(self.0.len())
    }
}

/// All figures of a sweep.
pub fn of_sweep(done: &[&Done], looks: &Looks) -> Vec<Figure> {
    if let Some(key) = constant::studied(done) {
        return constant::figures(&key, done, looks);
    }
    let mut figures = Vec::new();
    let is_incast = done.iter().all(|(point, _)| matches!(point.traffic.workload, Workload::Incast { .. }));
    let (by_loss, by_planes) =
        (values(done, "loss.rate").len() > 1, values(done, "topology.planes").len() > 1);
    if by_loss {
        figures.extend(loss::figures(done, looks));
    }
    if by_planes {
        figures.extend(planes::figures(done, looks));
    }
    if is_incast {
        figures.extend(incast::figures(done, looks));
    }
    let timelines = done.iter().filter(|(point, _)| done.len() == 1 || !point.faults.is_empty());
    figures.extend(timelines.filter_map(|done| timeline::figure(done)));
    if figures.is_empty() {
        figures.extend(bars::figures(done, looks));
    }
    figures.extend(cdf::figures(done, looks));
    figures
}

/// Values of an axis, in the order of the plan.
fn values(done: &[&Done], key: &str) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for (point, _) in done {
        let value = axis(point, key);
        if let Some(value) = value.filter(|value| !values.iter().any(|seen| seen == value)) {
            values.push(value.to_owned());
        }
    }
    values
}

/// Value of an axis of a point.
fn axis<'a>(point: &'a Point, key: &str) -> Option<&'a str> {
    point.axes().iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

/// The points in groups that are equal along every axis but these, each with what it has in common.
fn facets<'a>(done: &[&'a Done], but: &[&str]) -> Vec<(String, Vec<&'a Done>)> {
    let mut facets: Vec<(String, Vec<&Done>)> = Vec::new();
    for &one in done {
        let label = label(&one.0, but);
        match facets.iter_mut().find(|(name, _)| *name == label) {
            Some((_, group)) => group.push(one),
            None => facets.push((label, vec![one])),
        }
    }
    facets
}

/// What a point is along its axes but these.
fn label(point: &Point, but: &[&str]) -> String {
    let axes = point.axes().iter().filter(|(key, _)| !but.contains(&key.as_str()));
    let parts = axes.map(|(key, value)| match (key.as_str(), key.rsplit('.').next()) {
        ("loss.rate", _) => format!("{} % loss", value.parse().map_or_else(|_| value.clone(), in_percent)),
        ("topology.planes" | "topology.hosts" | "traffic.senders", Some(short)) => format!("{value} {short}"),
        ("traffic.bytes" | "switch.routing", _) | (_, Some("kind" | "variant") | None) => value.clone(),
        (_, Some(short)) => format!("{} {value}", short.replace('_', " ")),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// `title`, and what the group has in common.
fn titled(title: &str, facet: &str) -> String {
    match facet {
        "" => title.to_owned(),
        facet => format!("{title}: {facet}"),
    }
}

/// The points of each variant, in the order of the plan.
fn by_variant<'a>(done: &[&'a Done]) -> Vec<(&'a str, Vec<&'a Done>)> {
    let mut variants: Vec<(&str, Vec<&Done>)> = Vec::new();
    for &one in done {
        match variants.iter_mut().find(|(name, _)| *name == one.0.variant()) {
            Some((_, points)) => points.push(one),
            None => variants.push((one.0.variant(), vec![one])),
        }
    }
    variants
}

/// Goodput of each host that receives, Gbit/s.
fn per_host((point, outcome): &Done) -> f64 {
    outcome.goodput_bps as f64 / 1e9 / f64::from(point.receivers())
}

/// Milliseconds.
fn ms(ps: u64) -> f64 {
    ps as f64 / 1e9
}

/// The axis that goodput has everywhere.
fn goodput_axis() -> Axis {
    Axis::new("goodput per host, Gbit/s", Scale::Linear)
}
