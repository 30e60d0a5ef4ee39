//! What is noted while a run lasts.

use crate::outcome::{Completion, Outcome};
use crate::packet::Host;
use crate::time::Ps;

/// What is watched beside the messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// Width of the intervals of the series; none are kept without.
    pub interval: Option<Ps>,
    /// Whose rate is noted per interval: a host and its peer.
    pub senders: Vec<(Host, Host)>,
}

/// Points of a distribution at most.
const CDF_POINTS: usize = 200;

#[derive(Debug)]
pub(super) struct Record {
    watch: Watch,
    started: Vec<Ps>,
    /// How long each message took that was delivered.
    took: Vec<u64>,
    first: Ps,
    last: Ps,
    bytes: u64,
    failed: u64,
    plane_bytes: Vec<Vec<u64>>,
    this_interval: Vec<u64>,
    queues: Vec<u64>,
    rates: Vec<[u64; 3]>,
}

impl Record {
    pub(super) fn new(watch: Watch, messages: usize, planes: u8) -> Self {
        let planes = usize::from(planes);
        Self {
            watch,
            started: vec![Ps::NEVER; messages],
            took: Vec::with_capacity(messages),
            first: Ps::NEVER,
            last: Ps::ZERO,
            bytes: 0,
            failed: 0,
            plane_bytes: vec![Vec::new(); planes],
            this_interval: vec![0; planes],
            queues: Vec::new(),
            rates: Vec::new(),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.took.len() + self.failed as usize == self.started.len()
    }

    pub(super) fn started(&mut self, message: u32, now: Ps) {
        self.started[message as usize] = now;
        self.first = self.first.min(now);
    }

    pub(super) fn packet(&mut self, plane: u8, new: u32) {
        self.this_interval[usize::from(plane)] += u64::from(new);
    }

    pub(super) fn delivered(&mut self, message: u32, now: Ps, bytes: u32) {
        self.took.push((now - self.started[message as usize]).0);
        self.last = now;
        self.bytes += u64::from(bytes);
    }

    pub(super) fn failed(&mut self, _message: u32) {
        self.failed += 1;
    }

    pub(super) fn senders(&self) -> &[(Host, Host)] {
        &self.watch.senders
    }

    pub(super) fn interval_length(&self) -> Option<Ps> {
        self.watch.interval
    }

    /// An interval has ended; `rates` of those that are watched.
    pub(super) fn interval(&mut self, rates: Vec<u64>, queue: u64) {
        for (series, bytes) in self.plane_bytes.iter_mut().zip(&mut self.this_interval) {
            series.push(std::mem::take(bytes));
        }
        self.queues.push(queue);
        if let (Some(&least), Some(&most)) = (rates.iter().min(), rates.iter().max()) {
            let mean = rates.iter().map(|&rate| u128::from(rate)).sum::<u128>() / rates.len() as u128;
            self.rates.push([least, most, mean as u64]);
        }
    }

    pub(super) fn outcome(&self) -> Outcome {
        let duration = self.last.0.saturating_sub(self.first.0.min(self.last.0));
        let bits = u128::from(self.bytes) * 8_000_000_000_000;
        let goodput = bits.checked_div(duration.into()).unwrap_or(0);
        Outcome {
            duration_ps: duration,
            messages: self.started.len() as u64,
            delivered: self.took.len() as u64,
            failed: self.failed,
            delivered_bytes: self.bytes,
            goodput_bps: goodput as u64,
            completion: completion(self.took.clone()),
            interval_ps: self.watch.interval.unwrap_or(Ps::ZERO).0,
            plane_bytes: self.plane_bytes.clone(),
            queue_bytes: self.queues.clone(),
            sender_bps: self.rates.clone(),
            ..Outcome::default()
        }
    }
}

fn completion(mut took: Vec<u64>) -> Completion {
    took.sort_unstable();
    let (Some(&min), Some(&max)) = (took.first(), took.last()) else { return Completion::default() };
    // The smallest time that so many of a hundred do not exceed.
    let percentile = |percent: usize| took[(took.len() * percent).div_ceil(100).max(1) - 1];
    let mean = took.iter().map(|&one| u128::from(one)).sum::<u128>() / took.len() as u128;
    let points = took.len().min(CDF_POINTS);
    let cdf = (1..=points).map(|n| {
        let count = took.len() * n / points;
        (took[count - 1], count as u64)
    });
    Completion {
        min_ps: min,
        mean_ps: mean as u64,
        p50_ps: percentile(50),
        p99_ps: percentile(99),
        max_ps: max,
        cdf: cdf.collect(),
    }
}
