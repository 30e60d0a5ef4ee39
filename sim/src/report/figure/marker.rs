//! Colours and marks: told apart by most eyes, and without colour too.

use plotters::style::RGBColor;

/// Okabe and Ito's palette without yellow, which is faint on white (source: Color Universal Design, 2008), a
/// violet, and grey.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(120, 94, 240),
    RGBColor(90, 90, 90),
];

/// Corners of the marks, pixels from the middle: circle (none), triangle, square, diamond, star, triangle
/// down, bars.
const MARKS: [&[(i32, i32)]; 8] = [
    &[],
    &[(0, -6), (5, 4), (-5, 4)],
    &[(-4, -4), (4, -4), (4, 4), (-4, 4)],
    &[(0, -6), (6, 0), (0, 6), (-6, 0)],
    &[(0, -7), (2, -2), (7, 0), (2, 2), (0, 7), (-2, 2), (-7, 0), (-2, -2)],
    &[(0, 6), (5, -4), (-5, -4)],
    &[(-6, -2), (6, -2), (6, 2), (-6, 2)],
    &[(-2, -6), (2, -6), (2, 6), (-2, 6)],
];

/// The look of what is not measured: grey.
pub const GREY: usize = COLOURS.len() - 1;

/// Radius of the circle.
pub const RADIUS: i32 = 5;

/// Colour of a look.
pub fn colour(look: usize) -> RGBColor {
    COLOURS[look % COLOURS.len()]
}

/// The same as text, as SVG has it.
pub fn colour_text(look: usize) -> String {
    let RGBColor(red, green, blue) = colour(look);
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// Corners of the mark of a look; none is a circle.
pub fn corners_of(look: usize) -> &'static [(i32, i32)] {
    MARKS[look % MARKS.len()]
}

/// Line and mark as an SVG of its own, for a legend.
pub fn legend_mark(look: usize, marked: bool, dashed: bool) -> String {
    let colour = colour_text(look);
    let dash = if dashed { " stroke-dasharray=\"5 3\"" } else { "" };
    let line = format!("<path d=\"M0 8H28\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>");
    let corners = corners_of(look);
    let mark = match (marked, corners.is_empty()) {
        (false, _) => String::new(),
        (true, true) => format!("<circle cx=\"14\" cy=\"8\" r=\"{RADIUS}\" fill=\"{colour}\"/>"),
        (true, false) => {
            let points: Vec<_> = corners.iter().map(|(x, y)| format!("{},{}", x + 14, y + 8)).collect();
            format!("<polygon points=\"{}\" fill=\"{colour}\"/>", points.join(" "))
        }
    };
    format!("<svg width=\"28\" height=\"16\" aria-hidden=\"true\">{line}{mark}</svg>")
}
