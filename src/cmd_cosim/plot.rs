//! The goodput of every plane over time, as a picture.

use crate::failure::Failure;
use heddle_testbench::cosim::{Goodput, Scenario};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::fmt::Display;

/// Pixels of the picture.
const SIZE: (u32, u32) = (1000, 500);
/// One per plane, told apart by most eyes; from Okabe and Ito's palette, then the same in dashes of grey.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(120, 94, 240),
    RGBColor(100, 100, 100),
];

/// The picture as SVG text.
pub fn render(scenario: &Scenario, goodput: &Goodput) -> Result<String, Failure> {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
    let drawn = draw(&area, scenario, goodput);
    drop(area);
    drawn.map(|()| text)
}

fn draw(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    scenario: &Scenario,
    goodput: &Goodput,
) -> Result<(), Failure> {
    let microseconds = |cycle: u64| scenario.nanoseconds(cycle) as f64 / 1e3;
    let step = microseconds(goodput.step());
    // Bits of a step over its length: bits per microsecond are Mbit/s.
    let gigabits = |bytes: u64| 8.0 * bytes as f64 / step / 1e3;
    let planes = goodput.planes();
    let most = planes.iter().flatten().copied().max().unwrap_or(0);
    // An empty picture has axes too.
    let (width, height) = (step * goodput.steps().max(1) as f64, (gigabits(most) * 1.1).max(0.1));
    area.fill(&WHITE).map_err(cannot)?;
    let mut chart = ChartBuilder::on(area)
        .caption(
            format!("Goodput per plane, {}, seed {}", scenario.config().name(), scenario.seed()),
            ("sans-serif", 20),
        )
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(62)
        .build_cartesian_2d(0.0..width, 0.0..height)
        .map_err(cannot)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc("time, us").y_desc("payload, Gbit/s").light_line_style(WHITE);
    mesh.label_style(("sans-serif", 14)).axis_desc_style(("sans-serif", 16)).draw().map_err(cannot)?;
    for (n, steps) in planes.iter().enumerate() {
        let colour = COLOURS[n % COLOURS.len()];
        // Each value stands for all of its step.
        let value = |(at, bytes): (usize, &u64)| {
            let (start, value) = (step * at as f64, gigabits(*bytes));
            [(start, value), (start + step, value)]
        };
        let line = LineSeries::new(steps.iter().enumerate().flat_map(value), colour.stroke_width(2));
        let drawn = chart.draw_series(line).map_err(cannot)?;
        drawn
            .label(format!("plane {n}"))
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    for event in scenario.plane_events() {
        let at = microseconds(event.cycle);
        let colour = COLOURS[usize::from(event.plane) % COLOURS.len()].mix(0.5);
        let line = vec![(at, 0.0), (at, height)];
        let shown = at <= width;
        chart.draw_series(shown.then(|| PathElement::new(line, colour))).map_err(cannot)?;
        let what = format!("{} {}", if event.up { "revived:" } else { "killed:" }, event.plane);
        let text = Text::new(what, (at, height), ("sans-serif", 13).into_font().color(&colour));
        chart.draw_series(shown.then_some(text)).map_err(cannot)?;
    }
    let mut legend = chart.configure_series_labels();
    legend.position(SeriesLabelPosition::UpperRight).background_style(WHITE.mix(0.8)).border_style(BLACK);
    legend.label_font(("sans-serif", 14)).draw().map_err(cannot)?;
    area.present().map_err(cannot)
}

fn cannot(error: impl Display) -> Failure {
    Failure::Run(format!("cannot draw the goodput: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_rtl::config::named;
    use heddle_testbench::cosim::{PlaneChange, Settings};

    #[test]
    fn a_picture_has_a_line_and_a_legend_per_plane_axes_with_units_and_its_events() {
        let change = |at_ps, up| PlaneChange { plane: 1, at_ps, up };
        let plane_changes =
            vec![change(50_000_000, false), change(90_000_000, true), change(900_000_000, false)];
        let scenario =
            Scenario::new(Settings { planes: 3, plane_changes, ..Settings::new(named::gbe()) }).unwrap();
        let mut goodput = Goodput::new(3, 125);
        // 125 bytes per microsecond are 1 Gbit/s.
        (0..100).for_each(|us| goodput.add((us % 3) as u8, us * 125, 125));
        let text = render(&scenario, &goodput).unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        for part in
            ["plane 0", "plane 1", "plane 2", "time, us", "payload, Gbit/s", "gbe, seed 1", "killed: 1"]
        {
            assert!(text.contains(part), "{part}");
        }
        // The last event is after the end.
        assert_eq!((text.matches("killed").count(), text.matches("revived").count()), (1, 1));
        assert!(text.matches("<polyline").count() >= 3);
    }

    #[test]
    fn a_run_in_which_nothing_arrived_has_a_picture_too() {
        let scenario = Scenario::new(Settings::new(named::tiny())).unwrap();
        let text = render(&scenario, &Goodput::new(4, 125)).unwrap();
        assert!(text.contains("plane 3"));
    }
}
