//! Goodput of every plane over time, through what fails.

use super::{ms, titled, Done};
use crate::plan::{Fault, Measure, Where};
use crate::report::figure::{Axis, Figure, Scale, Series, Style};
use crate::report::show::digits;
use crate::time::Ps;

/// The figure of a point; none where nothing was recorded.
pub fn figure((point, outcome): &Done) -> Option<Figure> {
    let step = outcome.interval_ps;
    if step == 0 || outcome.plane_bytes.iter().all(Vec::is_empty) {
        return None;
    }
    let gigabits = |bytes: u64| 8.0 * bytes as f64 / (step as f64 / 1e12) / 1e9;
    let series = outcome.plane_bytes.iter().enumerate().map(|(plane, steps)| {
        let points = steps.iter().enumerate().map(|(n, bytes)| (ms(step * n as u64), gigabits(*bytes)));
        Series::new(&format!("plane {plane}"), plane, Style::Steps, points.collect())
    });
    let shaded = point.faults.iter().map(|fault| {
        let until = fault.until.map_or(outcome.duration_ps, |until| until.0);
        (ms(fault.at.0), ms(until), what(fault))
    });
    let of = |measure: Measure| measure.of(point, outcome, Ps(2 * step));
    let (percent, number) = (|measure| digits(100.0 * of(measure)), |measure| digits(of(measure)));
    let caption = match point.faults.first() {
        None => "What arrived on each plane, of all hosts together.".to_owned(),
        Some(fault) if fault.until.is_some() => format!(
            "While it is away the others together carry {} % of what they can, and afterwards all carry {} % of what \
             they did before. In the lowest step goodput is {} % of that before; it is back {} us after the fault \
             and {} us after the repair.",
            percent(Measure::ThroughFault),
            percent(Measure::AfterRepair),
            percent(Measure::Dip),
            number(Measure::Recovery),
            number(Measure::Return)
        ),
        Some(_) => format!("The others together carry {} % of what they can.", percent(Measure::ThroughFault)),
    };
    Some(Figure {
        title: titled("Goodput of each plane", &super::label(point, &[])),
        caption,
        x: Axis::new("time, ms", Scale::Linear),
        y: Axis::new("goodput of all hosts, Gbit/s", Scale::Linear),
        series: series.collect(),
        shaded: shaded.collect(),
        marked: None,
    })
}

fn what(fault: &Fault) -> String {
    let plane = fault.plane;
    match fault.place {
        Where::Plane => format!("plane {plane} away"),
        Where::Host(host) => format!("cable of host {host} in plane {plane}"),
        Where::Switch(switch) => format!("switch {switch} of plane {plane}"),
        Where::Link(a, b) => format!("cable {a} to {b} of plane {plane}"),
    }
}
