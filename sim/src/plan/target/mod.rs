//! What is expected of the outcomes, and whether it came true.

mod measure;
mod select;
mod want;

pub use measure::Measure;
pub use select::{same, setting};
pub use want::{Judged, Want};

use super::error::{PlanError, Refusal};
use super::point::Point;
use super::quantity::Duration;
use super::tree::Node;
use crate::outcome::Outcome;
use crate::time::Ps;
use select::Selection;
use serde::Deserialize;
use std::collections::BTreeSet;

/// An expectation: of every point that `of` selects, or of its ratio to every point that `per` leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// What it says, in words.
    pub name: String,
    /// What is expected of the value.
    pub want: Want,
    /// Which value of an outcome.
    pub measure: Measure,
    /// Sweeps of the plan that says it: it does not speak of other plans that are parts of the same.
    sweeps: BTreeSet<String>,
    /// Which points of these.
    of: Selection,
    /// Values of axes: the points to compare with are those of the same sweep that differ from the point in
    /// these alone.
    per: Selection,
    /// A key: the ratio is divided by the ratio of its values.
    scaled_by: Option<String>,
    /// How long after a fault or a repair things may take.
    settle: Ps,
}

/// `[[target]]` without its selections.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetSettings {
    name: String,
    want: Want,
    measure: Measure,
    scaled_by: Option<String>,
    settle: Option<Duration>,
}

impl Target {
    /// Reads a target of these points.
    ///
    /// # Errors
    /// A key that is unknown or missing, or a value that is not understood.
    pub(super) fn read(node: &Node, points: &[Point]) -> Result<Self, PlanError> {
        let mut rest = node.clone();
        let of = Selection::read(rest.take("of"));
        let per = Selection::read(rest.take("per"));
        let TargetSettings { name, want, measure, scaled_by, settle } = rest.read().map_err(|mut e| {
            e.key = if e.key.is_empty() { "target".to_owned() } else { format!("target.{}", e.key) };
            e
        })?;
        let sweeps = points.iter().map(|point| point.sweep().to_owned()).collect();
        Ok(Self {
            name,
            want,
            measure,
            sweeps,
            of,
            per,
            scaled_by,
            settle: settle.map_or(Ps::ZERO, |settle| settle.0),
        })
    }

    /// Whether there is something to judge among these points.
    pub(super) fn check(&self, points: &[Point]) -> Result<(), Refusal> {
        let mut chosen = points.iter().filter(|point| self.of.selects(point)).peekable();
        if chosen.peek().is_none() {
            let message = format!("no point of the plan is such: {}", self.of);
            return Err(Refusal::new("of", message));
        }
        for point in chosen {
            if !self.per.is_empty() && !points.iter().any(|other| self.per.is_partner(point, other)) {
                let message = format!("no point of the sweep is as {} but with {}", point.name(), self.per);
                return Err(Refusal::new("per", message));
            }
            let scale = self.scaled_by.as_ref().map(|key| self.scale_of(key, point));
            if scale.is_some_and(|scale| scale.is_none()) {
                return Err(Refusal::new("scaled_by", "is not a key whose value is a number"));
            }
            if self.measure.needs_fault() && point.faults.is_empty() {
                let message = format!("{} has no fault, and this measure needs one", point.name());
                return Err(Refusal::new("measure", message));
            }
        }
        Ok(())
    }

    /// Whether it can be judged on these points alone.
    pub(super) fn speaks_of(&self, points: &[Point]) -> bool {
        points.iter().any(|point| self.sweeps.contains(point.sweep())) && self.check(points).is_ok()
    }

    /// Judges it: the value is the worst of all that it speaks of.
    pub fn judge(&self, done: &[(Point, Outcome)]) -> Judged {
        let mut worst: Option<(f64, &Point)> = None;
        let is_meant = |point: &Point| self.sweeps.contains(point.sweep()) && self.of.selects(point);
        for (point, outcome) in done.iter().filter(|(point, _)| is_meant(point)) {
            let value = self.measure.of(point, outcome, self.settle);
            let partners = done.iter().filter(|(other, _)| self.per.is_partner(point, other));
            let values: Vec<f64> = match self.per.is_empty() {
                true => vec![value],
                false => {
                    partners.map(|(other, outcome)| value / self.reference(point, other, outcome)).collect()
                }
            };
            for value in values {
                if worst.is_none_or(|(so_far, _)| self.want.is_worse(value, so_far)) {
                    worst = Some((value, point));
                }
            }
        }
        let value = worst.map(|(value, _)| value).filter(|value| value.is_finite());
        Judged {
            name: self.name.clone(),
            want: self.want.to_string(),
            value,
            met: value.is_some_and(|value| self.want.is_met(value)),
            at: worst.map(|(_, point)| point.name().to_owned()).unwrap_or_default(),
        }
    }

    /// What the value of a partner would be if it grew with the key.
    fn reference(&self, point: &Point, other: &Point, outcome: &Outcome) -> f64 {
        let scale = |point| self.scaled_by.as_ref().and_then(|key| self.scale_of(key, point)).unwrap_or(1.0);
        self.measure.of(other, outcome, self.settle) * scale(point) / scale(other)
    }

    fn scale_of(&self, key: &str, point: &Point) -> Option<f64> {
        setting(point.settings(), key)?.parse().ok().filter(|scale: &f64| *scale > 0.0)
    }
}
