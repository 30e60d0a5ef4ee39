//! The table on the terminal.

use super::show::{bytes, percent, rate, time, value};
use super::Report;
use crate::outcome::Outcome;
use crate::plan::Point;

/// Heads of the columns; the first is flush left, the others flush right.
pub const COLUMNS: [&str; 10] =
    ["point", "goodput", "took", "p99", "delivered", "lost", "resent", "in vain", "timers", "max queue"];

/// A line of the table.
pub fn row(point: &Point, outcome: &Outcome) -> [String; 10] {
    let transport = &outcome.transport;
    [
        point.name().to_owned(),
        rate(outcome.goodput_bps),
        time(outcome.duration_ps),
        time(outcome.completion.p99_ps),
        percent(outcome.delivered, outcome.messages),
        percent(outcome.packets.drops.values().sum(), outcome.packets.sent),
        percent(transport.data_resent, transport.data_sent),
        percent(transport.duplicates, transport.data_sent),
        transport.expiries.to_string(),
        bytes(outcome.max_queue_bytes),
    ]
}

/// All of it.
pub fn render(report: &Report) -> String {
    let rows: Vec<_> = report.done.iter().map(|(point, outcome)| row(point, outcome)).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].len());
        cells.chain([COLUMNS[column].len()]).max().unwrap_or(0)
    };
    let widths: [usize; 10] = std::array::from_fn(width);
    let mut text = format!("{}: {}\n\n", report.plan.name, report.plan.about);
    text += &line(&COLUMNS, &widths);
    for row in &rows {
        text += &line(row, &widths);
    }
    if !report.targets.is_empty() {
        text.push('\n');
    }
    for target in &report.targets {
        let met = if target.met { "met    " } else { "NOT MET" };
        let found = value(target.value);
        text += &format!("{met}  {}: wanted {}, worst {found} at {}\n", target.name, target.want, target.at);
    }
    let seeds: Vec<_> = report.seeds().iter().map(u64::to_string).collect();
    let s = if seeds.len() == 1 { "" } else { "s" };
    text + &format!("\nseed{s} {}, heddle {}\n", seeds.join(", "), report.version)
}

fn line<S: AsRef<str>>(cells: &[S; 10], widths: &[usize; 10]) -> String {
    let mut text = format!("{:<1$}", cells[0].as_ref(), widths[0]);
    for (cell, width) in cells.iter().zip(widths).skip(1) {
        text += &format!("  {:>width$}", cell.as_ref());
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}
