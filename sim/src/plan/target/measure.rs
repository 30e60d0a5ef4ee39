//! Numbers of an outcome that targets speak of.

use crate::outcome::Outcome;
use crate::plan::point::Point;
use crate::time::Ps;
use serde::Deserialize;

/// Which number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Message bits per second, all hosts together.
    Goodput,
    /// Goodput over what the ports that receive could carry.
    Utilization,
    /// From the first start to the last delivery, seconds.
    Duration,
    /// Messages delivered, of all.
    Delivered,
    /// Time that 99 in a hundred messages took no longer than, seconds.
    P99,
    /// Packets resent, of those sent for the first time.
    Resent,
    /// Packets that were there already, of those sent for the first time.
    Spurious,
    /// Timer expiries.
    Expiries,
    /// Most bytes in a queue.
    MaxQueue,
    /// The same in the second half of the run.
    SettledQueue,
    /// Slowest over fastest sender, of the means of the second half of the run.
    Fairness,
    /// Time that ports were told to pause, seconds.
    Paused,
    /// 1 if every packet is accounted for, else 0.
    Conserved,
    /// Goodput while the first fault lasts, over what it was before times the planes that are left. Time to
    /// settle is given.
    ThroughFault,
    /// Goodput after the repair of the first fault over what it was before. Time to settle is given.
    AfterRepair,
}

impl Measure {
    /// Whether it has a meaning only where something fails.
    pub fn needs_fault(self) -> bool {
        matches!(self, Self::ThroughFault | Self::AfterRepair)
    }

    /// The number; no number where there is none. `settle` is left out after a fault or a repair.
    pub fn of(self, point: &Point, outcome: &Outcome, settle: Ps) -> f64 {
        let seconds = |ps: u64| ps as f64 / 1e12;
        let transport = &outcome.transport;
        match self {
            Self::Goodput => outcome.goodput_bps as f64,
            Self::Utilization => outcome.goodput_bps as f64 / capacity(point),
            Self::Duration => seconds(outcome.duration_ps),
            Self::Delivered => ratio(outcome.delivered, outcome.messages),
            Self::P99 => seconds(outcome.completion.p99_ps),
            Self::Resent => ratio(transport.data_resent, transport.data_sent),
            Self::Spurious => ratio(transport.duplicates, transport.data_sent),
            Self::Expiries => transport.expiries as f64,
            Self::MaxQueue => outcome.max_queue_bytes as f64,
            Self::SettledQueue => {
                second_half(&outcome.queue_bytes).iter().copied().max().map_or(f64::NAN, |bytes| bytes as f64)
            }
            Self::Fairness => {
                let rates = second_half(&outcome.sender_bps);
                let sum = |which: usize| rates.iter().map(|rates| rates[which]).sum();
                ratio(sum(0), sum(1))
            }
            Self::Paused => seconds(outcome.paused_ps),
            Self::Conserved => f64::from(u8::from(outcome.packets.is_conserved())),
            Self::ThroughFault => through_fault(point, outcome, settle),
            Self::AfterRepair => after_repair(point, outcome, settle),
        }
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

fn second_half<T>(all: &[T]) -> &[T] {
    &all[all.len() / 2..]
}

/// What the ports that receive could carry, bits per second.
fn capacity(point: &Point) -> f64 {
    let ports = f64::from(point.receivers()) * f64::from(point.fabric.planes);
    point.fabric.rate.bits_per_second() as f64 * ports
}

/// Mean of the bytes of whole steps from `from` to `until`, all planes together; no number where there is no
/// such step.
fn mean(outcome: &Outcome, from: u64, until: u64) -> f64 {
    let step = outcome.interval_ps.max(1);
    let steps = outcome.plane_bytes.iter().map(Vec::len).max().unwrap_or(0) as u64;
    let (first, last) = (from.div_ceil(step), (until / step).min(steps));
    if last <= first {
        return f64::NAN;
    }
    let of = |plane: &Vec<u64>| plane.iter().take(last as usize).skip(first as usize).sum::<u64>();
    let sum: u64 = outcome.plane_bytes.iter().map(of).sum();
    sum as f64 / (last - first) as f64
}

/// Goodput before the first fault: the second half of that time, when all has begun.
fn before(point: &Point, outcome: &Outcome) -> f64 {
    point.faults.first().map_or(f64::NAN, |fault| mean(outcome, fault.at.0 / 2, fault.at.0))
}

fn through_fault(point: &Point, outcome: &Outcome, settle: Ps) -> f64 {
    let Some(fault) = point.faults.first() else { return f64::NAN };
    let until = fault.until.map_or(outcome.duration_ps, |until| until.0.min(outcome.duration_ps));
    let planes = f64::from(point.fabric.planes);
    mean(outcome, fault.at.0 + settle.0, until) / (before(point, outcome) * (planes - 1.0) / planes)
}

/// The last tenth is left out: hosts that are done send nothing.
fn after_repair(point: &Point, outcome: &Outcome, settle: Ps) -> f64 {
    let Some(until) = point.faults.first().and_then(|fault| fault.until) else { return f64::NAN };
    mean(outcome, until.0 + settle.0, outcome.duration_ps / 10 * 9) / before(point, outcome)
}
