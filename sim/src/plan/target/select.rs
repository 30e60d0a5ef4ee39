//! Which points a target speaks of.

use crate::plan::expand::text;
use crate::plan::point::Point;
use crate::plan::settings::Settings;
use crate::plan::tree::Node;
use std::fmt;

/// Keys, and the values that each may have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection(Vec<(String, Vec<String>)>);

impl Selection {
    /// Of a table; nothing selects everything.
    pub fn read(node: Option<Node>) -> Self {
        let Some(node) = node else { return Self::default() };
        let keys = node.leaves().into_iter();
        Self(
            keys.map(|(key, node)| (key, node.list().iter().map(|v| text(&v.to_json())).collect())).collect(),
        )
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a point has one of the values for every key.
    pub fn selects(&self, point: &Point) -> bool {
        self.0.iter().all(|(key, values)| {
            value(point, key).is_some_and(|value| values.iter().any(|wanted| same(wanted, &value)))
        })
    }

    /// Whether `other` is `point` but for these keys: of the same sweep, with these values, and equal along
    /// all other axes.
    pub fn is_partner(&self, point: &Point, other: &Point) -> bool {
        let is_named = |key: &str| self.0.iter().any(|(named, _)| named == key);
        let rest = |point: &Point| {
            point.axes().iter().filter(|(key, _)| !is_named(key)).cloned().collect::<Vec<_>>()
        };
        point.sweep() == other.sweep() && self.selects(other) && rest(point) == rest(other)
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<_> =
            self.0.iter().map(|(key, values)| format!("{key} = {}", values.join(" or "))).collect();
        f.write_str(&keys.join(", "))
    }
}

/// The value of a key of a point: of its axes, `variant`, `sweep`, or its settings.
fn value(point: &Point, key: &str) -> Option<String> {
    match (point.axes().iter().find(|(axis, _)| axis == key), key) {
        (Some((_, value)), _) => Some(value.clone()),
        (None, "variant") => Some(point.variant().to_owned()),
        (None, "sweep") => Some(point.sweep().to_owned()),
        _ => setting(point.settings(), key),
    }
}

/// The value of a key like `topology.hosts`, as text.
pub fn setting(settings: &Settings, key: &str) -> Option<String> {
    let json = serde_json::to_value(settings).ok()?;
    let found = key.split('.').try_fold(&json, |value, name| value.get(name))?;
    (!found.is_object() && !found.is_array()).then(|| text(found))
}

/// Whether two values are the same, as 0 and 0.0 are.
pub fn same(a: &str, b: &str) -> bool {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
