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
    /// Round trips of an empty fabric from the first start until the slowest sender may send at 0.8 of the fastest's rate or more, and
    /// then always does in the first half of the run; to one interval, at its end.
    FairAfter,
    /// Packets that a switch had no room for.
    BufferDrops,
    /// Time that ports were told to pause, seconds.
    Paused,
    /// 1 if every packet is accounted for, else 0.
    Conserved,
    /// Goodput while the first fault lasts, over what it was before times the planes that are left. Time to
    /// settle is given.
    ThroughFault,
    /// Goodput after the repair of the first fault over what it was before. Time to settle is given.
    AfterRepair,
    /// The lowest step of goodput while the first fault lasts, over what it was before.
    Dip,
    /// From the first fault until goodput is, and stays, 95 % of what the planes that are left can carry,
    /// microseconds.
    Recovery,
    /// From the repair of the first fault until goodput is, and stays, 95 % of what it was before, microseconds.
    Return,
    /// Time that half of the messages took no longer than, over the longest.
    Evenness,
}

/// Part of what can be carried from which on goodput is back, and for how many steps in a row.
const BACK: f64 = 0.95;
const STAYS: usize = 10;

impl Measure {
    /// Whether it has a meaning only where something fails.
    pub fn needs_fault(self) -> bool {
        matches!(self, Self::ThroughFault | Self::AfterRepair | Self::Dip | Self::Recovery | Self::Return)
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
            Self::FairAfter => fair_after(point, outcome),
            Self::BufferDrops => outcome.packets.drops.get("buffer").map_or(f64::NAN, |&count| count as f64),
            Self::Paused => seconds(outcome.paused_ps),
            Self::Conserved => f64::from(u8::from(outcome.packets.is_conserved())),
            Self::ThroughFault => through_fault(point, outcome, settle),
            Self::AfterRepair => after_repair(point, outcome, settle),
            Self::Dip => dip(point, outcome),
            Self::Recovery => recovery(point, outcome),
            Self::Return => back_after_repair(point, outcome),
            Self::Evenness => ratio(outcome.completion.p50_ps, outcome.completion.max_ps),
        }
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

fn second_half<T>(all: &[T]) -> &[T] {
    &all[all.len() / 2..]
}

fn fair_after(point: &Point, outcome: &Outcome) -> f64 {
    let rates = &outcome.sender_bps[..outcome.sender_bps.len() / 2];
    let unfair = |rates: &[u64; 3]| 5 * u128::from(rates[0]) < 4 * u128::from(rates[1]) || rates[1] == 0;
    let fair = rates.iter().rposition(unfair).map_or(0, |last| last + 1);
    match fair < rates.len() {
        true => (fair + 1) as f64 * outcome.interval_ps as f64 / point.fabric.round_trip().0 as f64,
        false => f64::NAN,
    }
}

/// What the ports that receive could carry, bits per second.
fn capacity(point: &Point) -> f64 {
    let rates = (0..point.receivers()).map(|host| point.fabric.rate_of(host).bits_per_second() as f64);
    rates.sum::<f64>() * f64::from(point.fabric.planes)
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

/// When the first fault begins and ends, and what the planes that are left can carry meanwhile, bytes per step.
fn fault(point: &Point, outcome: &Outcome) -> Option<(u64, u64, f64)> {
    let fault = point.faults.first()?;
    let until = fault.until.map_or(outcome.duration_ps, |until| until.0.min(outcome.duration_ps));
    let planes = f64::from(point.fabric.planes);
    Some((fault.at.0, until, before(point, outcome) * (planes - 1.0) / planes))
}

fn through_fault(point: &Point, outcome: &Outcome, settle: Ps) -> f64 {
    let Some((at, until, left)) = fault(point, outcome) else { return f64::NAN };
    mean(outcome, at + settle.0, until) / left
}

fn dip(point: &Point, outcome: &Outcome) -> f64 {
    let Some((at, until, _)) = fault(point, outcome) else { return f64::NAN };
    let step = outcome.interval_ps.max(1);
    let (first, last) = ((at / step) as usize, (until / step) as usize);
    let lowest = steps(outcome).into_iter().take(last).skip(first).min();
    lowest.map_or(f64::NAN, |bytes| bytes as f64) / before(point, outcome)
}

fn recovery(point: &Point, outcome: &Outcome) -> f64 {
    fault(point, outcome).map_or(f64::NAN, |(at, _, left)| back(outcome, at, left))
}

fn back_after_repair(point: &Point, outcome: &Outcome) -> f64 {
    let repaired = point.faults.first().and_then(|fault| fault.until);
    repaired.map_or(f64::NAN, |at| back(outcome, at.0, before(point, outcome)))
}

/// Bytes of every step, all planes together.
fn steps(outcome: &Outcome) -> Vec<u64> {
    let planes = &outcome.plane_bytes;
    (0..planes.iter().map(Vec::len).max().unwrap_or(0))
        .map(|n| planes.iter().filter_map(|plane| plane.get(n)).sum())
        .collect()
}

/// Microseconds from `at` until the beginning of the first step from which on goodput is back to `whole`; the
/// step in which `at` lies may have begun before.
fn back(outcome: &Outcome, at: u64, whole: f64) -> f64 {
    let step = outcome.interval_ps.max(1);
    let steps = steps(outcome);
    let since = steps.windows(STAYS).skip((at / step) as usize);
    let is_back = |steps: &[u64]| steps.iter().all(|&bytes| bytes as f64 >= BACK * whole);
    let first = since.into_iter().position(is_back);
    first.map_or(f64::NAN, |n| ((at / step + n as u64) * step).saturating_sub(at) as f64 / 1e6)
}

/// The last quarter is left out: hosts that are done send nothing.
fn after_repair(point: &Point, outcome: &Outcome, settle: Ps) -> f64 {
    let Some(until) = point.faults.first().and_then(|fault| fault.until) else { return f64::NAN };
    mean(outcome, until.0 + settle.0, outcome.duration_ps / 4 * 3) / before(point, outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of three planes is away from 100 to 300 us in steps of 10 us; a step has 900 bytes before.
    fn outcome(step: impl Fn(u64) -> u64) -> Outcome {
        let plane = |part: fn(u64) -> u64| (0..60).map(|n| part(step(n))).collect();
        Outcome {
            interval_ps: 10_000_000,
            duration_ps: 600_000_000,
            plane_bytes: vec![
                plane(|all| all / 3),
                plane(|all| all / 2),
                plane(|all| all - all / 3 - all / 2),
            ],
            ..Outcome::default()
        }
    }

    fn measures(step: impl Fn(u64) -> u64) -> [f64; 3] {
        let text = "topology.planes = 3\ntraffic.bytes = \"1MiB\"\n\
                    fault = [{ at = \"100us\", until = \"300us\", plane = 1 }]\n";
        let (point, outcome) = (Point::parse(text).unwrap(), outcome(step));
        [Measure::Dip, Measure::Recovery, Measure::Return].map(|one| one.of(&point, &outcome, Ps::ZERO))
    }

    #[test]
    fn a_dip_and_the_times_until_goodput_is_back_follow_from_the_steps() {
        // 600 are what two planes can carry, and 570 are 95 % of it; so are 855 of what there was before.
        let step = |n: u64| match n {
            10 => 700,
            11 => 90,
            12 => 569,
            13..=30 => 570,
            31 | 32 => 800,
            _ => 855,
        };
        assert_eq!(measures(|n| if n < 10 { 900 } else { step(n) }), [0.1, 30.0, 30.0]);
        // One step too few in between is no recovery yet.
        let falls_again = |n: u64| match n {
            0..=9 => 900,
            22 => 569,
            33..=42 => 854,
            10..=29 => 600,
            _ => 900,
        };
        assert_eq!(measures(falls_again), [569.0 / 900.0, 0.0, 130.0]);
        assert!(measures(|n| if n < 10 { 900 } else { 500 })[1..].iter().all(|value| value.is_nan()));
    }

    /// Of an incast over a round trip of 2 x (2 x 1 us + 350.4 ns) in steps of 5 us: slowest and fastest rate of each.
    fn fair_after(rates: &[[u64; 2]]) -> f64 {
        let text = "topology = { hosts = 3, delay = \"1us\" }\n\
                    traffic = { kind = \"incast\", senders = 2, bytes = \"1MiB\" }\n";
        let sender_bps = rates.iter().map(|&[least, most]| [least, most, most]).collect();
        let outcome = Outcome { interval_ps: 5_000_000, sender_bps, ..Outcome::default() };
        Measure::FairAfter.of(&Point::parse(text).unwrap(), &outcome, Ps::ZERO)
    }

    #[test]
    fn senders_are_fair_from_the_step_on_after_which_the_first_half_of_the_run_is() {
        let steps = |fair: usize| fair as f64 * 5_000_000.0 / 4_700_800.0;
        let (fair, unfair, unknown) = ([80, 100], [79, 100], [0, 0]);
        assert_eq!(fair_after(&[fair; 8]), steps(1));
        assert_eq!(fair_after(&[unknown, unfair, fair, fair, unfair, unknown, unknown, unknown]), steps(3));
        // Fair once is not fair yet.
        assert_eq!(fair_after(&[unknown, fair, unfair, fair, fair, fair, fair, fair]), steps(4));
        assert!(fair_after(&[fair, fair, fair, unfair, fair, fair, fair, fair]).is_nan());
    }

    #[test]
    fn packets_without_room_are_counted_as_the_outcome_has_them() {
        let point = Point::parse("traffic.bytes = \"1MiB\"\n").unwrap();
        let mut outcome = Outcome::default();
        outcome.packets.drops = [("chance", 5), ("buffer", 3)].map(|(why, n)| (why.to_owned(), n)).into();
        assert_eq!(Measure::BufferDrops.of(&point, &outcome, Ps::ZERO), 3.0);
    }
}
