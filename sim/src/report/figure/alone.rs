//! A figure as a picture that stands alone: title and legend in it, for light and dark pages.

use super::draw::{svg, SIZE};
use super::marker::legend_mark;
use super::{Figure, Series, Style};
use crate::report::show::escape;
use crate::report::ReportError;

/// Pixels: of the title's line, of a line of the legend, from one entry to the next, of a mark, of a
/// character.
const TITLE: u32 = 30;
const LINE: u32 = 22;
const GAP: u32 = 18;
const MARK: u32 = 34;
const CHARACTER: u32 = 8;
const MARGIN: u32 = 14;

/// What is dark on light is light on dark where the page is dark; colours of series stay.
const STYLE: &str =
    "text{font-family:sans-serif}.page{fill:#ffffff}@media (prefers-color-scheme:dark){.page{fill:#14171c}\
text{fill:#e2e4e8!important}[stroke=\"#E1E1E1\"]{stroke:#343a44}[stroke=\"#5A5A5A\"]{stroke:#9aa2ad}}";

/// Draws it.
///
/// # Errors
/// When it cannot be drawn.
pub fn picture(figure: &Figure) -> Result<String, ReportError> {
    let plot = svg(figure)?;
    let (legend, lines) = legend(&figure.series);
    let (width, top) = (SIZE.0, TITLE + lines * LINE + 4);
    let height = top + SIZE.1;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n\
         <text x=\"{MARGIN}\" y=\"22\" font-size=\"17\" font-weight=\"600\">{}</text>\n{legend}\
         <g transform=\"translate(0,{top})\">\n{plot}</g>\n</svg>\n",
        escape(&figure.title),
        escape(&figure.caption),
        escape(&figure.title),
    ))
}

/// Entries side by side, in as many lines as they need.
fn legend(series: &[Series]) -> (String, u32) {
    let (mut text, mut x, mut line) = (String::new(), MARGIN, 0);
    for series in series {
        let width = MARK + CHARACTER * series.name.chars().count() as u32 + GAP;
        if x > MARGIN && x + width > SIZE.0 {
            (x, line) = (MARGIN, line + 1);
        }
        let (marked, dashed) = (series.style == Style::Marked, series.style == Style::Reference);
        text += &format!(
            "<g transform=\"translate({x},{})\">{}<text x=\"{MARK}\" y=\"13\" font-size=\"14\">{}</text></g>\n",
            TITLE + line * LINE,
            legend_mark(series.look, marked, dashed),
            escape(&series.name)
        );
        x += width;
    }
    (text, line + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figure::{colour_text, Axis, Scale, GREY};

    #[test]
    fn a_picture_has_its_title_its_legend_and_what_is_marked_and_no_series_beyond_its_edge() {
        let names = ["permutation of long transfers", "ring", "all-to-all", "incast", "ring, 1 % loss"];
        let series = names.iter().enumerate().map(|(look, name)| {
            Series::new(name, look, Style::Marked, vec![(0.0, 90.0), (1.0, 95.0 - look as f64)])
        });
        let figure = Figure {
            title: "Goodput against <T>".to_owned(),
            caption: "With 2us: 95.".to_owned(),
            x: Axis::new("T", Scale::Names(vec!["1us".into(), "2us".into()])),
            y: Axis::new("goodput, %", Scale::Linear),
            series: series.collect(),
            shaded: Vec::new(),
            marked: Some((1.0, "default: 2us".to_owned())),
        };
        let picture = picture(&figure).unwrap();
        for text in
            ["Goodput against &lt;T&gt;", "default: 2us", "With 2us: 95.", "ring, 1 % loss", "goodput, %"]
        {
            assert!(picture.contains(text), "{text}");
        }
        assert_eq!(picture.matches("<title>").count(), 1);
        let (legend, lines) = legend(&figure.series);
        assert_eq!((legend.matches("<text").count(), lines), (5, 2));
        let grey = colour_text(GREY);
        assert!(picture.contains(&format!("stroke=\"{grey}\"")), "the mark is of the grey that turns light");
        assert_eq!(grey, "#5A5A5A", "what the style names");
        assert!(picture.len() < 40_000);
    }
}
