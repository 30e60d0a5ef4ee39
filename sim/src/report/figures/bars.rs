//! Any other sweep: a bar of goodput for each point, and one of what was resent in vain.

use super::{by_variant, goodput_axis, label, per_host, Done, Looks};
use crate::plan::{Measure, Point};
use crate::report::figure::{Axis, Figure, Scale, Series, Style};
use crate::report::show::digits;
use crate::time::Ps;

/// Both figures.
pub fn figures(done: &[&Done], looks: &Looks) -> Vec<Figure> {
    let mut names: Vec<String> = Vec::new();
    for (point, _) in done {
        if !names.contains(&name(point)) {
            names.push(name(point));
        }
    }
    let figure = |title: &str, caption: String, y: Axis, value: &dyn Fn(&Done) -> f64| {
        let series = by_variant(done).into_iter().map(|(variant, points)| {
            let place = |point: &Point| names.iter().position(|one| *one == name(point)).unwrap_or(0) as f64;
            let points = points.iter().map(|done| (place(&done.0), value(done))).collect();
            Series::new(variant, looks.of(variant), Style::Bars, points)
        });
        let x = Axis::new("point of the sweep", Scale::Names(names.clone()));
        Figure {
            title: title.to_owned(),
            caption,
            x,
            y,
            series: series.collect(),
            shaded: Vec::new(),
            marked: None,
        }
    };
    let list = |value: &dyn Fn(&Done) -> f64, unit: &str| {
        let all = done.iter().map(|done| format!("{}: {}{unit}", short(&done.0), digits(value(done))));
        format!("{}.", all.collect::<Vec<_>>().join("; "))
    };
    let vain = |done: &Done| 100.0 * Measure::Spurious.of(&done.0, &done.1, Ps::ZERO);
    vec![
        figure("Goodput", list(&per_host, " Gbit/s"), goodput_axis(), &per_host),
        figure(
            "Resent in vain",
            list(&vain, " %"),
            Axis::new("packets that were there already, %", Scale::Linear),
            &vain,
        ),
    ]
}

/// What a point is along its axes but the variant.
fn name(point: &Point) -> String {
    match label(point, &["variant"]) {
        name if name.is_empty() => point.sweep().to_owned(),
        name => name,
    }
}

fn short(point: &Point) -> String {
    match label(point, &[]) {
        name if name.is_empty() => point.name().to_owned(),
        name => name,
    }
}
