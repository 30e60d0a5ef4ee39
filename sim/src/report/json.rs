//! The JSON; its keys are described in docs/sim.md.

use super::Report;
use serde_json::{json, Value};
use std::collections::BTreeMap;

/// All of it.
pub fn render(report: &Report) -> String {
    let points: Vec<Value> = report
        .done
        .iter()
        .map(|(point, outcome)| {
            let axes: BTreeMap<_, _> = point.axes().iter().map(|(key, value)| (key, value)).collect();
            json!({
                "name": point.name(),
                "sweep": point.sweep(),
                "variant": point.variant(),
                "axes": axes,
                "settings": point.settings(),
                "outcome": outcome,
            })
        })
        .collect();
    let all = json!({
        "plan": report.plan.name,
        "about": report.plan.about,
        "version": report.version,
        "seeds": report.seeds(),
        "targets": report.targets,
        "points": points,
    });
    format!("{all:#}\n")
}
