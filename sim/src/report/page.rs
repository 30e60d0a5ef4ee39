//! One HTML page: figures, tables, the plan; nothing is loaded from anywhere.

use super::figure::{self, Figure, Series, Style};
use super::figures::{self, Looks};
use super::show::{escape, value};
use super::table::{row, COLUMNS};
use super::{Report, ReportError};

/// Plain, narrow enough to read, wide enough for two figures; printable.
const STYLE: &str = include_str!("page.css");

/// All of it.
pub fn render(report: &Report) -> Result<String, ReportError> {
    let looks = Looks::new(&report.done);
    let mut body = head(report) + &targets(report);
    for (name, points) in report.sweeps() {
        body += &format!("<section>\n<h2>{}</h2>\n<div class=\"figures\">\n", escape(name));
        for figure in figures::of_sweep(&points, &looks) {
            body += &draw(&figure)?;
        }
        body += "</div>\n</section>\n";
    }
    body += &(table(report) + &plan(report));
    let title = escape(&report.plan.name);
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>heddle sim {title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    ))
}

fn head(report: &Report) -> String {
    let seeds: Vec<_> = report.seeds().iter().map(u64::to_string).collect();
    let met = report.targets.iter().filter(|target| target.met).count();
    format!(
        "<header>\n<h1>heddle sim {}</h1>\n<p>{}</p>\n<p class=\"facts\">{} points, seed {}, heddle {}, {met} of {} \
         targets met</p>\n</header>\n",
        escape(&report.plan.name),
        escape(&report.plan.about),
        report.done.len(),
        seeds.join(", "),
        escape(&report.version),
        report.targets.len(),
    )
}

fn targets(report: &Report) -> String {
    if report.targets.is_empty() {
        return String::new();
    }
    let mut text =
        "<section>\n<h2>Targets</h2>\n<table>\n<tr><th></th><th>target</th><th class=\"n\">wanted</th><th class=\"n\">found</th>\
                    <th>where it is worst</th></tr>\n"
            .to_owned();
    for target in &report.targets {
        let (class, word) = if target.met { ("met", "met") } else { ("missed", "not met") };
        text += &format!(
            "<tr><td class=\"{class}\">{word}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
            escape(&target.name),
            escape(&target.want),
            value(target.value),
            escape(&target.at)
        );
    }
    text + "</table>\n</section>\n"
}

fn draw(figure: &Figure) -> Result<String, ReportError> {
    let svg = figure::svg(figure)?;
    let legend: String = figure.series.iter().map(legend).collect();
    Ok(format!(
        "<figure>\n<h3>{}</h3>\n<ul class=\"legend\">{legend}</ul>\n<div class=\"plot\">{svg}</div>\n\
         <figcaption>{}</figcaption>\n</figure>\n",
        escape(&figure.title),
        escape(&figure.caption)
    ))
}

/// An entry says how many points it has and in which colour, so that it can be checked that they are there.
fn legend(series: &Series) -> String {
    let (marked, dashed) = (series.style == Style::Marked, series.style == Style::Reference);
    format!(
        "<li data-colour=\"{}\" data-points=\"{}\">{}{}</li>",
        figure::colour_text(series.look),
        series.points.len(),
        figure::legend_mark(series.look, marked, dashed),
        escape(&series.name)
    )
}

fn table(report: &Report) -> String {
    let mut text = "<section>\n<h2>All points</h2>\n<div class=\"wide\">\n<table>\n<tr>".to_owned();
    let [first, rest @ ..] = COLUMNS;
    text += &format!("<th>{first}</th>");
    rest.iter().for_each(|column| text += &format!("<th class=\"n\">{column}</th>"));
    text += "</tr>\n";
    for (point, outcome) in &report.done {
        let [name, rest @ ..] = row(point, outcome);
        text += &format!("<tr><td>{}</td>", escape(&name));
        rest.iter().for_each(|cell| text += &format!("<td class=\"n\">{}</td>", escape(cell)));
        text += "</tr>\n";
    }
    text + "</table>\n</div>\n</section>\n"
}

fn plan(report: &Report) -> String {
    let mut text = "<section>\n<h2>The plan</h2>\n".to_owned();
    for part in &report.plan.texts {
        text += &format!("<h3>{}</h3>\n", escape(&part.shown));
        if !part.text.is_empty() {
            text += &format!("<pre>{}</pre>\n", escape(&part.text));
        }
    }
    text + "</section>\n"
}
