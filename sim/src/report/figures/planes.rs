//! Goodput against the number of planes.

use super::{by_variant, facets, goodput_axis, per_host, titled, Done, Looks};
use crate::report::figure::{Axis, Figure, Scale, Series, Style, GREY};
use crate::report::show::digits;

/// A figure for each group of points that differ in their planes.
pub fn figures(done: &[&Done], looks: &Looks) -> Vec<Figure> {
    facets(done, &["variant", "topology.planes"])
        .into_iter()
        .map(|(facet, group)| figure(&facet, &group, looks))
        .collect()
}

fn figure(facet: &str, group: &[&Done], looks: &Looks) -> Figure {
    let mut series = Vec::new();
    let mut parts = Vec::new();
    for (name, points) in by_variant(group) {
        let mut points: Vec<_> =
            points.iter().map(|done| (f64::from(done.0.fabric.planes), per_host(done))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let (Some((planes, least)), Some((most_planes, most))) = (points.first(), points.last()) {
            let part = most / (least / planes * most_planes);
            parts
                .push(format!("{name} has {} of {most_planes} times the goodput of one plane", digits(part)));
        }
        series.push(Series::new(name, looks.of(name), Style::Marked, points));
    }
    if let Some((planes, least)) = series.first().and_then(|series| series.points.first()).copied() {
        let most = group.iter().map(|done| f64::from(done.0.fabric.planes)).fold(planes, f64::max);
        let line = vec![(planes, least), (most, least / planes * most)];
        series.push(Series::new("in proportion to the first", GREY, Style::Reference, line));
    }
    let caption = format!("Every plane adds a port to every host: {}.", parts.join(", "));
    let x = Axis::new("planes", Scale::Linear);
    Figure {
        title: titled("Goodput against planes", facet),
        caption,
        x,
        y: goodput_axis(),
        series,
        shaded: Vec::new(),
        marked: None,
    }
}
