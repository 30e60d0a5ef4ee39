//! Outcomes that look like runs, from their points alone.

use super::Report;
use crate::outcome::{Completion, Outcome, Packets, Transport};
use crate::plan::{self, Plan, Point, Source, Workload};
use std::collections::BTreeMap;

/// A report of a built-in plan.
pub fn report(name: &str, sets: &[&str]) -> Report {
    let sets: Vec<_> = sets.iter().map(|set| (*set).to_owned()).collect();
    let plan = Plan::load(&Source::open(name).unwrap(), &sets).unwrap();
    let outcomes = plan.points.iter().map(outcome).collect();
    Report::new(plan, outcomes, "1.2.3")
}

/// How much a point keeps of what its ports carry.
fn kept(point: &Point) -> f64 {
    let loss = point.loss.rate.fraction();
    match point.transport {
        plan::Transport::Heddle { .. } => 0.94 * (1.0 - 1.1 * loss),
        plan::Transport::Irn { .. } => 0.85 * (1.0 - 3.0 * loss),
        plan::Transport::Roce { qps, .. } => {
            let most =
                0.5 + 0.1 * f64::from(qps).log2() + if point.switch.pfc.is_some() { 0.08 } else { 0.0 };
            most / (1.0 + 60.0 * loss)
        }
    }
}

/// What a run of the point might have given.
pub fn outcome(point: &Point) -> Outcome {
    let ports = f64::from(point.receivers()) * f64::from(point.fabric.planes);
    let goodput = kept(point) * ports * point.fabric.rate.bits_per_second() as f64;
    let hosts = u64::from(point.receivers());
    let (messages, bytes) = match point.traffic.workload {
        Workload::Incast { senders, bytes, .. } => (u64::from(senders), u64::from(bytes)),
        Workload::Permutation { hosts, bytes, .. } => (u64::from(hosts), u64::from(bytes)),
        Workload::AllToAll { hosts, bytes, .. } => (u64::from(hosts * (hosts - 1)), u64::from(bytes)),
        _ => (hosts * 126, 1 << 20),
    };
    let delivered_bytes = messages * bytes;
    let duration_ps = (delivered_bytes as f64 * 8.0 / goodput * 1e12) as u64;
    let interval_ps = point.interval.0;
    let steps = duration_ps.div_ceil(interval_ps).min(2_000);
    let data_sent = delivered_bytes / 4096;
    let lost = (data_sent as f64 * point.loss.rate.fraction()) as u64;
    let cdf = (1..=100).map(|n| (duration_ps / 2 + duration_ps / 200 * n, messages * n / 100)).collect();
    let plane = |plane: u8| {
        let step = |n: u64| {
            let at = n * interval_ps;
            let away = |fault: &plan::Fault| {
                fault.plane == plane
                    && (fault.at.0..fault.until.map_or(u64::MAX, |until| until.0)).contains(&at)
            };
            let most = goodput / 8.0 * (interval_ps as f64 / 1e12) / f64::from(point.fabric.planes);
            if point.faults.iter().any(away) {
                0
            } else {
                (most * wave(n)) as u64
            }
        };
        (0..steps).map(step).collect()
    };
    let queue =
        |n: u64| (300e3 * (1.0 + 3.0 * (-(n as f64) / 8.0).exp()) * wave(n) / (0.4 + kept(point))) as u64;
    let sender = |n: u64| {
        let share = goodput / messages.max(1) as f64;
        let spread = 0.9 * (-(n as f64) / 12.0).exp() + 0.03;
        [share * (1.0 - spread), share * (1.0 + spread), share * wave(n)].map(|rate| rate as u64)
    };
    let is_incast = matches!(point.traffic.workload, Workload::Incast { .. });
    Outcome {
        duration_ps,
        messages,
        delivered: messages,
        delivered_bytes,
        goodput_bps: goodput as u64,
        completion: Completion {
            min_ps: duration_ps / 2,
            mean_ps: duration_ps / 4 * 3,
            p50_ps: duration_ps / 4 * 3,
            p99_ps: duration_ps,
            max_ps: duration_ps,
            cdf,
        },
        packets: Packets {
            sent: data_sent + lost,
            delivered: data_sent,
            drops: BTreeMap::from([("chance".to_owned(), lost)]),
            ..Packets::default()
        },
        transport: Transport { data_sent, data_resent: lost, duplicates: lost / 50, ..Transport::default() },
        max_queue_bytes: queue(0),
        interval_ps,
        plane_bytes: (0..point.fabric.planes).map(plane).collect(),
        queue_bytes: (0..steps).map(queue).collect(),
        sender_bps: if is_incast { (0..steps).map(sender).collect() } else { Vec::new() },
        ..Outcome::default()
    }
}

/// About 1.
fn wave(n: u64) -> f64 {
    1.0 + 0.02 * (n as f64 * 1.7).sin()
}
