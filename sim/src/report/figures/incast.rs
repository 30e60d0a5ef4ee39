//! Many senders to one: the port in use, the queue, and the rates of the senders.

use super::{by_variant, facets, ms, titled, values, Done, Looks};
use crate::plan::{Measure, Workload};
use crate::report::figure::{Axis, Figure, Scale, Series, Style, GREY};
use crate::report::show::{bytes, digits};
use crate::time::Ps;

/// One of the port over the number of senders, and for each number one of the queue and one of the rates.
pub fn figures(done: &[&Done], looks: &Looks) -> Vec<Figure> {
    let mut figures = Vec::new();
    if values(done, "traffic.senders").len() > 1 {
        for (facet, group) in facets(done, &["variant", "traffic.senders", "traffic.bytes"]) {
            figures.push(port(&facet, &group, looks));
        }
    }
    for (facet, group) in facets(done, &["variant"]) {
        figures.extend(queue(&facet, &group, looks));
        figures.extend(rates(&facet, &group, looks));
    }
    figures
}

fn senders((point, _): &Done) -> u32 {
    match point.traffic.workload {
        Workload::Incast { senders, .. } => senders,
        _ => 0,
    }
}

fn port(facet: &str, group: &[&Done], looks: &Looks) -> Figure {
    let mut counts: Vec<_> = group.iter().map(|done| senders(done)).collect();
    counts.sort_unstable();
    counts.dedup();
    let place = |done: &Done| counts.iter().position(|count| *count == senders(done)).unwrap_or(0) as f64;
    let series = by_variant(group).into_iter().map(|(name, points)| {
        let value = |done: &Done| Measure::Utilization.of(&done.0, &done.1, Ps::ZERO);
        let mut points: Vec<_> = points.iter().map(|done| (place(done), value(done))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series::new(name, looks.of(name), Style::Marked, points)
    });
    let series: Vec<_> = series.collect();
    let ends = series.iter().filter_map(|series| {
        Some(format!("{} % for {}", digits(100.0 * series.points.last()?.1), series.name))
    });
    let caption = format!(
        "Message bytes over what the receiver's ports carry, from the first start to the last delivery; with most senders \
         {}.",
        ends.collect::<Vec<_>>().join(", ")
    );
    let names = counts.iter().map(u32::to_string).collect();
    let (x, y) =
        (Axis::new("senders", Scale::Names(names)), Axis::new("receiver's port in use, %", Scale::Percent));
    Figure {
        title: titled("Incast: use of the port", facet),
        caption,
        x,
        y,
        series,
        shaded: Vec::new(),
        marked: None,
    }
}

fn queue(facet: &str, group: &[&Done], looks: &Looks) -> Option<Figure> {
    let series = by_variant(group).into_iter().filter_map(|(name, points)| {
        let (_, outcome) = points.first()?;
        let at = |n: usize| ms(outcome.interval_ps * n as u64);
        let points = outcome.queue_bytes.iter().enumerate().map(|(n, bytes)| (at(n), *bytes as f64 / 1024.0));
        Some(Series::new(name, looks.of(name), Style::Line, points.collect()))
    });
    let series: Vec<_> = series.filter(|series| !series.points.is_empty()).collect();
    let settled =
        group.iter().filter(|(_, outcome)| !outcome.queue_bytes.is_empty()).map(|(point, outcome)| {
            let settled = Measure::SettledQueue.of(point, outcome, Ps::ZERO);
            format!("{} for {}", bytes(settled as u64), point.variant())
        });
    let caption = format!(
        "Most bytes in the fullest queue in each step of time; in the second half of the run at most {}.",
        settled.collect::<Vec<_>>().join(", ")
    );
    let (x, y) = (Axis::new("time, ms", Scale::Linear), Axis::new("fullest queue, KiB", Scale::Linear));
    let title = titled("Incast: the queue", facet);
    (!series.is_empty()).then_some(Figure { title, caption, x, y, series, shaded: Vec::new(), marked: None })
}

fn rates(facet: &str, group: &[&Done], looks: &Looks) -> Option<Figure> {
    let gigabits = |bps: u64| bps as f64 / 1e9;
    let series = by_variant(group).into_iter().filter_map(|(name, points)| {
        let (_, outcome) = points.first()?;
        let at = |n: usize| ms(outcome.interval_ps * n as u64);
        let steps = || outcome.sender_bps.iter().enumerate();
        let points = steps().map(|(n, rates)| (at(n), gigabits(rates[2]))).collect();
        let band = steps().map(|(n, rates)| (at(n), gigabits(rates[0]), gigabits(rates[1]))).collect();
        Some(Series { band, ..Series::new(name, looks.of(name), Style::Line, points) })
    });
    let mut series: Vec<_> = series.filter(|series| !series.points.is_empty()).collect();
    // Bands of all would hide each other.
    series.iter_mut().skip(1).for_each(|series| series.band.clear());
    let (first, end) =
        (series.first()?.name.clone(), series.iter().filter_map(|s| s.points.last()).map(|p| p.0));
    let end = end.fold(0.0, f64::max);
    let (point, _) = group.first()?;
    let ports = gigabits(point.fabric.rate.bits_per_second()) * f64::from(point.fabric.planes);
    let fair = ports / f64::from(senders(group.first()?));
    series.push(Series::new(
        "equal share of the port",
        GREY,
        Style::Reference,
        vec![(0.0, fair), (end, fair)],
    ));
    let caption = format!(
        "Lines are means over the senders that are watched, the band is from the slowest to the fastest of {first}: where it \
         is narrow and level, all have found their share."
    );
    let (x, y) = (Axis::new("time, ms", Scale::Linear), Axis::new("rate of a sender, Gbit/s", Scale::Linear));
    Some(Figure {
        title: titled("Incast: rates of the senders", facet),
        caption,
        x,
        y,
        series,
        shaded: Vec::new(),
        marked: None,
    })
}
