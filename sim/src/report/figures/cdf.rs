//! How many messages took no longer than what time.

use super::{facets, titled, values, Done, Looks};
use crate::report::figure::{Axis, Figure, Scale, Series, Style};
use crate::report::show;

/// A figure for each group of points that differ in their variant, or, where there are none, in the last
/// axis.
pub fn figures(done: &[&Done], looks: &Looks) -> Vec<Figure> {
    let done = near_one_percent(done);
    let last = done.first().and_then(|(point, _)| point.axes().last()).map_or("", |(key, _)| key.as_str());
    let by = if values(&done, "variant").is_empty() { last } else { "variant" };
    facets(&done, &[by]).iter().filter_map(|(facet, group)| figure(facet, group, by, looks)).collect()
}

/// Of a sweep over loss the points of 1 %, or of what is nearest to it: one figure for each rate would say
/// the same again.
fn near_one_percent<'a>(done: &[&'a Done]) -> Vec<&'a Done> {
    let distance = |done: &&Done| done.0.loss.rate.billionths().abs_diff(10_000_000);
    let least = done.iter().map(distance).min();
    done.iter()
        .copied()
        .filter(|one| values(done, "loss.rate").len() < 2 || Some(distance(one)) == least)
        .collect()
}

fn figure(facet: &str, group: &[&Done], by: &str, looks: &Looks) -> Option<Figure> {
    let series = group.iter().enumerate().map(|(n, (point, outcome))| {
        let points = outcome.completion.cdf.iter();
        let part = |count: u64| count as f64 / outcome.messages.max(1) as f64;
        let points = points.map(|(ps, count)| (*ps as f64 / 1e6, part(*count))).collect();
        let (name, look) = match by {
            "variant" => (point.variant().to_owned(), looks.of(point.variant())),
            key => {
                let others: Vec<_> =
                    point.axes().iter().map(|(k, _)| k.as_str()).filter(|k| *k != key).collect();
                let name = super::label(point, &others);
                (if name.is_empty() { point.variant().to_owned() } else { name }, n)
            }
        };
        Series::new(&name, look, Style::Steps, points)
    });
    let series: Vec<_> = series.filter(|series: &Series| !series.points.is_empty()).collect();
    let tail = series.iter().filter_map(|series| {
        let (time, part) = series.points.last()?;
        let unfinished = if *part < 1.0 { " and not all" } else { "" };
        Some(format!("{}{unfinished} for {}", show::time((time * 1e6) as u64), series.name))
    });
    let caption = format!(
        "A steep line is an even service, a long foot is a tail; the last message took {}.",
        tail.collect::<Vec<_>>().join(", ")
    );
    let x = Axis::new("time from start to delivery of a message, us", Scale::Log);
    let y = Axis::new("messages that took no longer, %", Scale::Percent);
    let title = titled("Completion of the messages", facet);
    (!series.is_empty()).then_some(Figure { title, caption, x, y, series, shaded: Vec::new(), marked: None })
}
