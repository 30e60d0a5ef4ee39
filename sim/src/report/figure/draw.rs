//! A figure as SVG.

use super::axis::Ruler;
use super::marker::{colour, corners_of, GREY, RADIUS};
use super::{Figure, Scale, Series, Style};
use crate::report::ReportError;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;
use std::ops::Range;

/// Pixels.
pub const SIZE: (u32, u32) = (680, 380);
/// Part of a name's room that its bars take.
const BARS: f64 = 0.8;

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Places, Places>>;

/// An axis of places with labels of ours.
#[derive(Clone)]
struct Places {
    range: (f64, f64),
    ticks: Vec<(f64, String)>,
}

impl Ranged for Places {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let part = (value - self.range.0) / (self.range.1 - self.range.0);
        limit.0 + (part * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|(place, _)| *place).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.0..self.range.1
    }
}

impl ValueFormatter<f64> for Places {
    fn format_ext(&self, value: &f64) -> String {
        self.ticks
            .iter()
            .find(|(place, _)| place == value)
            .map_or_else(String::new, |(_, label)| label.clone())
    }
}

impl From<&Ruler> for Places {
    fn from(ruler: &Ruler) -> Self {
        Self { range: ruler.range, ticks: ruler.ticks.clone() }
    }
}

/// Draws it.
///
/// # Errors
/// When it cannot be drawn.
pub fn svg(figure: &Figure) -> Result<String, ReportError> {
    let mut text = String::new();
    let drawn = {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        draw(&area, figure).and_then(|()| area.present().map_err(|e| e.to_string()))
    };
    drawn.map_err(|error| ReportError { title: figure.title.clone(), error })?;
    Ok(text)
}

fn draw(area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>, figure: &Figure) -> Result<(), String> {
    let points = || figure.series.iter().flat_map(|series| &series.points);
    let bands = || figure.series.iter().flat_map(|series| &series.band);
    // A mark at the edge needs some room.
    let room = if figure.series.iter().any(|series| series.style == Style::Marked) { 1.03 } else { 1.0 };
    let x = Ruler::new(&figure.x.scale, points().map(|(x, _)| *x), room);
    let y = points().map(|(_, y)| *y).chain(bands().map(|(_, _, most)| *most));
    let y = Ruler::new(&figure.y.scale, y, 1.08);
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .margin_right(18)
        .x_label_area_size(44)
        .y_label_area_size(66)
        .build_cartesian_2d(Places::from(&x), Places::from(&y))
        .map_err(|e| e.to_string())?;
    shade(&mut chart, figure, &x, &y)?;
    mark(&mut chart, figure, &x, &y)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(&figure.x.label).y_desc(&figure.y.label);
    mesh.bold_line_style(RGBColor(225, 225, 225))
        .light_line_style(TRANSPARENT)
        .axis_style(RGBColor(90, 90, 90));
    if matches!(figure.x.scale, Scale::Names(_)) {
        mesh.disable_x_mesh();
    }
    mesh.label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .draw()
        .map_err(|e| e.to_string())?;
    let bars = figure.series.iter().filter(|series| series.style == Style::Bars).count();
    let mut bar = bars;
    // The first is drawn last, and so on top.
    for series in figure.series.iter().rev() {
        if series.style == Style::Bars {
            bar -= 1;
            draw_bars(&mut chart, series, (bar, bars), &y)?;
        } else {
            draw_line(&mut chart, series, &x, &y)?;
        }
    }
    Ok(())
}

fn shade(chart: &mut Chart<'_, '_>, figure: &Figure, x: &Ruler, y: &Ruler) -> Result<(), String> {
    for (from, to, why) in &figure.shaded {
        let clip = |value: f64| x.place(value).clamp(x.range.0, x.range.1);
        let (from, to) = (clip(*from), clip(*to));
        let area = Rectangle::new([(from, y.range.0), (to, y.range.1)], RGBColor(238, 238, 238).filled());
        let font = ("sans-serif", 13).into_font().color(&RGBColor(80, 80, 80));
        let label = EmptyElement::at((from, y.range.1)) + Text::new(why.clone(), (5, 4), font);
        chart.draw_series([area]).map_err(|e| e.to_string())?;
        chart.draw_series([label]).map_err(|e| e.to_string())?;
    }
    Ok(())
}

fn mark(chart: &mut Chart<'_, '_>, figure: &Figure, x: &Ruler, y: &Ruler) -> Result<(), String> {
    let Some((at, why)) = &figure.marked else { return Ok(()) };
    let (at, grey) = (x.place(*at), colour(GREY));
    let line = DashedLineSeries::new([(at, y.range.0), (at, y.range.1)], 2, 3, grey.stroke_width(2));
    chart.draw_series(line).map_err(|e| e.to_string())?;
    let font = ("sans-serif", 13).into_font().color(&grey);
    let label = EmptyElement::at((at, y.range.1)) + Text::new(why.clone(), (5, 2), font);
    chart.draw_series([label]).map(drop).map_err(|e| e.to_string())
}

fn draw_bars(
    chart: &mut Chart<'_, '_>,
    series: &Series,
    (bar, bars): (usize, usize),
    y: &Ruler,
) -> Result<(), String> {
    let width = BARS / bars as f64;
    let rectangles = series.points.iter().map(|(name, value)| {
        let left = name - BARS / 2.0 + width * bar as f64;
        Rectangle::new(
            [(left, y.range.0), (left + width * 0.9, y.place(*value))],
            colour(series.look).filled(),
        )
    });
    chart.draw_series(rectangles).map(drop).map_err(|e| e.to_string())
}

fn draw_line(chart: &mut Chart<'_, '_>, series: &Series, x: &Ruler, y: &Ruler) -> Result<(), String> {
    let hue = colour(series.look);
    let place = |&(a, b): &(f64, f64)| (x.place(a), y.place(b));
    let mut corners: Vec<_> = series.points.iter().map(place).collect();
    if series.style == Style::Steps {
        // A value stands until the next one.
        let next = corners.iter().skip(1).map(|(x, _)| *x).chain(corners.last().map(|(x, _)| *x));
        let next: Vec<_> = next.collect();
        corners = corners.iter().zip(next).flat_map(|((x, y), next)| [(*x, *y), (next, *y)]).collect();
    }
    if !series.band.is_empty() {
        let low = series.band.iter().map(|(at, low, _)| (x.place(*at), y.place(*low)));
        let high = series.band.iter().rev().map(|(at, _, high)| (x.place(*at), y.place(*high)));
        let band = Polygon::new(low.chain(high).collect::<Vec<_>>(), hue.mix(0.18).filled());
        chart.draw_series([band]).map_err(|e| e.to_string())?;
    }
    if series.style == Style::Reference {
        let dashes = DashedLineSeries::new(corners, 6, 4, hue.stroke_width(2));
        return chart.draw_series(dashes).map(drop).map_err(|e| e.to_string());
    }
    let marks = corners.clone();
    chart.draw_series(LineSeries::new(corners, hue.stroke_width(2))).map_err(|e| e.to_string())?;
    if series.style == Style::Marked {
        let (corners, fill) = (corners_of(series.look), hue.filled());
        let drawn = match corners.is_empty() {
            true => chart.draw_series(marks.into_iter().map(|at| Circle::new(at, RADIUS, fill))).map(drop),
            false => {
                let mark = |at| EmptyElement::at(at) + Polygon::new(corners.to_vec(), fill);
                chart.draw_series(marks.into_iter().map(mark)).map(drop)
            }
        };
        drawn.map_err(|e| e.to_string())?;
    }
    Ok(())
}
