//! A line per point, numbers in their smallest unit.

use super::Report;
use crate::outcome::Outcome;
use crate::plan::Point;

/// Names of the columns, those of the JSON.
const COLUMNS: [&str; 28] = [
    "point",
    "sweep",
    "variant",
    "seed",
    "hosts",
    "planes",
    "loss",
    "duration_ps",
    "messages",
    "delivered",
    "failed",
    "delivered_bytes",
    "goodput_bps",
    "p50_ps",
    "p99_ps",
    "max_ps",
    "packets_sent",
    "packets_delivered",
    "packets_dropped",
    "packets_in_flight",
    "data_sent",
    "data_resent",
    "duplicates",
    "expiries",
    "ce_marked",
    "max_queue_bytes",
    "pauses",
    "paused_ps",
];

/// All of it.
pub fn render(report: &Report) -> String {
    let mut text = COLUMNS.join(",") + "\n";
    for (point, outcome) in &report.done {
        let cells = row(point, outcome).map(|cell| quoted(&cell));
        text += &(cells.join(",") + "\n");
    }
    text
}

fn row(point: &Point, outcome: &Outcome) -> [String; 28] {
    let (packets, transport, completion) = (&outcome.packets, &outcome.transport, &outcome.completion);
    let number = |n: u64| n.to_string();
    [
        point.name().to_owned(),
        point.sweep().to_owned(),
        point.variant().to_owned(),
        number(point.seed),
        point.fabric.hosts.to_string(),
        point.fabric.planes.to_string(),
        point.loss.rate.fraction().to_string(),
        number(outcome.duration_ps),
        number(outcome.messages),
        number(outcome.delivered),
        number(outcome.failed),
        number(outcome.delivered_bytes),
        number(outcome.goodput_bps),
        number(completion.p50_ps),
        number(completion.p99_ps),
        number(completion.max_ps),
        number(packets.sent),
        number(packets.delivered),
        number(packets.drops.values().sum()),
        number(packets.in_flight),
        number(transport.data_sent),
        number(transport.data_resent),
        number(transport.duplicates),
        number(transport.expiries),
        number(outcome.ce_marked),
        number(outcome.max_queue_bytes),
        number(outcome.pauses),
        number(outcome.paused_ps),
    ]
}

/// Source: RFC 4180 (2.6, 2.7).
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}
