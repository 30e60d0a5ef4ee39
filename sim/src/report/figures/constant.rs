//! What depends on a number: goodput, and what else says something about it, along one axis of a sweep.

use super::{axis, by_variant, values, Done, Looks};
use crate::heddle::Constants;
use crate::plan::{Measure, Settings};
use crate::report::figure::{Axis, Figure, Scale, Series, Style};
use crate::report::show::{digits, in_percent};
use crate::time::Ps;
use crate::units;

/// Axes that other figures are made for, or that tell series apart.
const OTHERS: [&str; 4] = ["variant", "loss.rate", "topology.planes", "topology.hosts"];

/// The axis of a sweep that a study is about: the only one of numbers that is none of the others.
pub fn studied(done: &[&Done]) -> Option<String> {
    let (point, _) = done.first()?;
    let keys = point.axes().iter().map(|(key, _)| key.as_str()).filter(|key| !OTHERS.contains(key));
    let keys: Vec<&str> = keys.filter(|key| !key.starts_with("traffic.")).collect();
    let [key] = keys.as_slice() else { return None };
    let values = values(done, key);
    (values.len() > 1 && values.iter().all(|value| is_number(value))).then(|| (*key).to_owned())
}

/// A number, with or without a unit.
fn is_number(text: &str) -> bool {
    let united = [units::duration_ps, units::bytes, units::bits_per_second];
    text.parse::<f64>().is_ok() || united.iter().any(|read| read(text).is_ok())
}

/// Goodput along the axis, and a second figure where the constant is a trade.
pub fn figures(key: &str, done: &[&Done], looks: &Looks) -> Vec<Figure> {
    let study = Study { key, values: values(done, key), done, looks };
    let share = Axis::new("goodput, % of the ports that receive", Scale::Linear);
    let mut figures = vec![study.figure("Goodput", share, &|done| 100.0 * utilization(done))];
    figures.extend(study.price());
    figures
}

fn utilization((point, outcome): &Done) -> f64 {
    Measure::Utilization.of(point, outcome, Ps::ZERO)
}

/// A sweep along one key.
struct Study<'a> {
    key: &'a str,
    values: Vec<String>,
    done: &'a [&'a Done],
    looks: &'a Looks,
}

impl Study<'_> {
    /// What is paid for goodput.
    fn price(&self) -> Option<Figure> {
        let (title, y, value): (_, _, fn(&Done) -> f64) = match short(self.key) {
            "ack_every" | "ack_delay" | "ack_deadlines" | "paths" => {
                ("Acknowledgements", "ACKs per 100 packets of data", answers)
            }
            "ecn_from" | "initial_window" | "window_rtts" | "stretch_rtts" | "target" | "small_packets" => {
                ("Fullest queue", "fullest queue of a switch, KiB", fullest)
            }
            "delay" | "fabric_delay" | "rto0" => {
                ("Resent in vain", "packets that were there already, %", vain)
            }
            _ => return None,
        };
        Some(self.figure(title, Axis::new(y, Scale::Linear), &value))
    }

    fn figure(&self, title: &str, y: Axis, value: &dyn Fn(&Done) -> f64) -> Figure {
        // As the plan writes it.
        let own = own(self.key).and_then(|own| self.place(&own));
        let own = own.map(|at| (at, self.values[at as usize].clone()));
        let series = self.series(value);
        let caption = match &own {
            Some((at, own)) => {
                let at_own = series.iter().filter_map(|series| {
                    let (_, value) = series.points.iter().find(|(x, _)| x == at)?;
                    Some(format!("{} {}", series.name, digits(*value)))
                });
                format!("With {own}: {}.", at_own.collect::<Vec<_>>().join(", "))
            }
            None => format!("Along {}.", self.key),
        };
        Figure {
            title: format!("{title} against {}", self.key),
            caption,
            x: Axis::new(self.key, Scale::Names(self.values.clone())),
            y,
            series,
            shaded: Vec::new(),
            marked: own.map(|(at, own)| (at, format!("default: {own}"))),
        }
    }

    /// A line for each variant, one of dashes where packets are lost.
    fn series(&self, value: &dyn Fn(&Done) -> f64) -> Vec<Series> {
        let mut all = Vec::new();
        for (name, points) in by_variant(self.done) {
            for rate in values(&points, "loss.rate").into_iter().map(Some).chain([None]) {
                let of = points.iter().filter(|(point, _)| axis(point, "loss.rate") == rate.as_deref());
                let line: Vec<_> = of
                    .filter_map(|done| Some((self.place(axis(&done.0, self.key)?)?, value(done))))
                    .collect();
                let loss = rate.as_deref().and_then(|rate| rate.parse::<f64>().ok()).unwrap_or(0.0);
                let (name, style) = match loss > 0.0 {
                    true => (format!("{name}, {} % loss", in_percent(loss)), Style::Reference),
                    false => (name.to_owned(), Style::Marked),
                };
                if !line.is_empty() {
                    all.push(Series::new(&name, self.looks.of(points[0].0.variant()), style, line));
                }
            }
        }
        all
    }

    fn place(&self, value: &str) -> Option<f64> {
        self.values.iter().position(|one| same(one, value)).map(|place| place as f64)
    }
}

fn short(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// Whether two values are the same, as "2us" and "2000ns" are.
fn same(a: &str, b: &str) -> bool {
    let number = |text: &str| {
        let united = units::duration_ps(text).or_else(|_| units::bytes(text));
        text.parse::<f64>().ok().or_else(|| united.ok().map(|value| value as f64))
    };
    a == b || number(a).is_some_and(|a| number(b) == Some(a))
}

/// The value of a key where a plan says nothing.
fn own(key: &str) -> Option<String> {
    let own = Constants::default();
    let rtts = |quarters: u8| (f64::from(quarters) / 4.0).to_string();
    let time = |ticks: u32| format!("{}ns", u64::from(ticks) * Ps::TICK / 1_000);
    Some(match key {
        "transport.initial_window" => own.initial_window.to_string(),
        "transport.target" => (f64::from(own.target_permille) / 1_000.0).to_string(),
        "transport.window_rtts" => rtts(own.window_quarters),
        "transport.stretch_rtts" => rtts(own.stretch_quarters),
        "transport.ack_every" => own.ack_every.to_string(),
        "transport.ack_delay" => time(own.ack_delay_ticks.into()),
        "transport.ack_deadlines" => own.ack_deadlines.to_string(),
        "transport.rto0" => time(own.rto0_ticks(0)),
        "transport.paths" => crate::plan::PATHS.to_string(),
        "transport.small_packets" => crate::plan::SMALL_PACKETS.to_string(),
        _ => return crate::plan::setting(&Settings::default(), key),
    })
}

fn answers((_, outcome): &Done) -> f64 {
    100.0 * outcome.transport.answers as f64 / outcome.transport.data_sent.max(1) as f64
}

fn fullest((_, outcome): &Done) -> f64 {
    outcome.max_queue_bytes as f64 / 1024.0
}

fn vain(done: &Done) -> f64 {
    100.0 * Measure::Spurious.of(&done.0, &done.1, Ps::ZERO)
}
