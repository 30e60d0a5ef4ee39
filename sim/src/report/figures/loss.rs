//! Goodput, and how long collectives take, against loss.

use super::{by_variant, facets, goodput_axis, ms, per_host, titled, Done, Looks};
use crate::plan::Workload;
use crate::report::figure::{Axis, Figure, Scale, Series, Style};
use crate::report::show::{digits, in_percent};

/// A figure of goodput for each traffic, and one of time for each collective.
pub fn figures(done: &[&Done], looks: &Looks) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (facet, group) in facets(done, &["variant", "loss.rate"]) {
        figures.push(goodput(&facet, &group, looks));
        if is_collective(&group) {
            figures.push(time(&facet, &group, looks));
        }
    }
    figures
}

fn is_collective(group: &[&Done]) -> bool {
    group.iter().all(|(point, _)| {
        use Workload::{AllToAll, RingAllReduce, TreeAllReduce};
        matches!(point.traffic.workload, RingAllReduce { .. } | TreeAllReduce { .. } | AllToAll { .. })
    })
}

fn rate(done: &Done) -> u32 {
    done.0.loss.rate.billionths()
}

/// All rates of a group, rising.
fn rates(group: &[&Done]) -> Vec<u32> {
    let mut rates: Vec<_> = group.iter().map(|done| rate(done)).collect();
    rates.sort_unstable();
    rates.dedup();
    rates
}

fn axis(rates: &[u32]) -> Axis {
    let names = rates.iter().map(|rate| in_percent(f64::from(*rate) / 1e9)).collect();
    Axis::new("packets lost, %", Scale::Names(names))
}

fn series(group: &[&Done], rates: &[u32], looks: &Looks, value: impl Fn(&Done) -> f64) -> Vec<Series> {
    let place = |done: &Done| rates.iter().position(|one| *one == rate(done)).unwrap_or(0) as f64;
    by_variant(group)
        .into_iter()
        .map(|(name, points)| {
            let mut points: Vec<_> = points.iter().map(|done| (place(done), value(done))).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Series::new(name, looks.of(name), Style::Marked, points)
        })
        .collect()
}

/// Value at the highest rate over the value at the lowest, of every series.
fn kept(series: &[Series]) -> Vec<(&str, f64)> {
    let ends = |series: &Series| Some(series.points.last()?.1 / series.points.first()?.1);
    series.iter().map(|series| (series.name.as_str(), ends(series).unwrap_or(f64::NAN))).collect()
}

fn goodput(facet: &str, group: &[&Done], looks: &Looks) -> Figure {
    let rates = rates(group);
    let series = series(group, &rates, looks, per_host);
    let worst = in_percent(f64::from(rates.last().copied().unwrap_or(0)) / 1e9);
    let percent = |part: f64| digits(part * 100.0);
    let kept = kept(&series);
    let others = kept.iter().skip(1).filter(|(_, part)| part.is_finite());
    let caption = match (kept.first(), others.max_by(|a, b| a.1.total_cmp(&b.1))) {
        (Some((name, part)), Some((other, rest))) => format!(
            "At {worst} % loss {name} keeps {} % of the goodput that it has at the lowest loss, and {other}, \
             which keeps most of the others, {} %.",
            percent(*part),
            percent(*rest)
        ),
        (Some((name, part)), None) => {
            format!(
                "At {worst} % loss {name} keeps {} % of the goodput that it has at the lowest loss.",
                percent(*part)
            )
        }
        _ => "There are no points.".to_owned(),
    };
    let (x, y, title) = (axis(&rates), goodput_axis(), titled("Goodput against loss", facet));
    Figure { title, caption, x, y, series, shaded: Vec::new(), marked: None }
}

fn time(facet: &str, group: &[&Done], looks: &Looks) -> Figure {
    let rates = rates(group);
    let series = series(group, &rates, looks, |(_, outcome)| ms(outcome.duration_ps));
    let grown: Vec<_> =
        kept(&series).iter().map(|(name, times)| format!("{} for {name}", digits(*times))).collect();
    let caption = format!(
        "The slowest transfer sets the pace of all (lower is better); from the lowest loss to the highest the time is \
         multiplied by {}.",
        grown.join(", ")
    );
    let (x, y) = (axis(&rates), Axis::new("time to complete, ms", Scale::Log));
    Figure {
        title: titled("Completion of the collective", facet),
        caption,
        x,
        y,
        series,
        shaded: Vec::new(),
        marked: None,
    }
}
