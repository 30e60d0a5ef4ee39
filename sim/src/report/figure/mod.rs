//! A figure: what is shown, before anything is drawn.

mod alone;
mod axis;
mod draw;
mod marker;

pub use alone::picture;
pub use axis::{Axis, Scale};
pub use draw::svg;
pub use marker::{colour_text, legend_mark, GREY};

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A line with a mark at each point.
    Marked,
    /// A line.
    Line,
    /// A line of stairs.
    Steps,
    /// A bar for each point.
    Bars,
    /// A line of dashes without marks, for what is not measured.
    Reference,
}

/// Several points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the legend says.
    pub name: String,
    /// Which colour and mark.
    pub look: usize,
    /// How it is drawn.
    pub style: Style,
    /// Its points.
    pub points: Vec<(f64, f64)>,
    /// Lowest and highest of what the points are the means of; empty where there is no such thing.
    pub band: Vec<(f64, f64, f64)>,
}

impl Series {
    /// A series without a band.
    pub fn new(name: &str, look: usize, style: Style, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), look, style, points, band: Vec::new() }
    }
}

/// A figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What it shows.
    pub title: String,
    /// One sentence about what there is to see.
    pub caption: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What is drawn, the first on top.
    pub series: Vec<Series>,
    /// Times that are shaded, and why.
    pub shaded: Vec<(f64, f64, String)>,
    /// A place to the right that is marked by a line, and why.
    pub marked: Option<(f64, String)>,
}
