//! Watching a block's links: its own ports, or probes of the core it is part of.

use super::channel::Channel;
use super::check::{Check, Mismatch};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// The model's side of one block.
pub trait Monitor {
    /// Name of the block in reports.
    const NAME: &'static str;
    /// What the block's links show in one cycle: [`Link`](super::Link)s, and plain values sampled with them.
    type Ports;

    /// Looks at one cycle: takes the inputs that cross, feeds the model, queues its answers, then compares the
    /// outputs. Inputs come first, in the order in which the block commits them.
    fn cycle(&mut self, ports: &Self::Ports, check: &mut Check);

    /// Every channel.
    fn channels(&self) -> Vec<&dyn Channel>;

    /// The block was reset: what is under way is forgotten (`reset` of every channel), and the model is as the block
    /// is after a reset. Memories keep what they hold.
    fn reset(&mut self);
}

/// What a monitor found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The block.
    pub name: &'static str,
    /// Requests that went in.
    pub crossed: u64,
    /// Answers compared.
    pub compared: u64,
    /// Differences, and broken handshakes.
    pub mismatches: u64,
    /// Requests without an answer, by reason. `crossed = compared + reasons` when all is done.
    pub reasons: BTreeMap<String, u64>,
    /// Transactions per channel.
    pub channels: BTreeMap<&'static str, u64>,
    /// Shortest and longest latency seen per output channel, in cycles from the cause to the offer.
    pub latency: BTreeMap<&'static str, RangeInclusive<u64>>,
    /// Cycles from one transaction to the next on each channel, the mean of a run without idle cycles and backpressure.
    pub interval: BTreeMap<&'static str, f64>,
    /// Situations that occurred.
    pub covered: BTreeMap<&'static str, u64>,
    /// The first difference.
    pub first: Option<Mismatch>,
    /// Only a part of the matrix ran (`SEED` or `STALL` chose it).
    pub partial: bool,
}

impl Report {
    /// Requests accounted for without an answer.
    pub fn explained(&self) -> u64 {
        self.reasons.values().sum()
    }

    /// Adds the counts of another run of the same block.
    pub fn add(&mut self, other: &Report) {
        self.name = other.name;
        self.partial |= other.partial;
        self.crossed += other.crossed;
        self.compared += other.compared;
        self.mismatches += other.mismatches;
        other.reasons.iter().for_each(|(reason, n)| *self.reasons.entry(reason.clone()).or_default() += n);
        other.channels.iter().for_each(|(name, n)| *self.channels.entry(name).or_default() += n);
        other.covered.iter().for_each(|(name, n)| *self.covered.entry(name).or_default() += n);
        for (name, mean) in &other.interval {
            let slowest = self.interval.entry(name).or_insert(*mean);
            *slowest = slowest.max(*mean);
        }
        for (name, seen) in &other.latency {
            let all = self.latency.entry(name).or_insert_with(|| seen.clone());
            *all = *all.start().min(seen.start())..=*all.end().max(seen.end());
        }
        self.first = self.first.take().or_else(|| other.first.clone());
    }

    /// How often `situation` was covered.
    pub fn cover(&self, situation: &str) -> u64 {
        self.covered.get(situation).copied().unwrap_or(0)
    }

    /// Demands that each situation was covered so often; a replay of a part of the matrix is let off.
    ///
    /// # Panics
    /// When one was not.
    pub fn demand(&self, situations: &[(&str, u64)]) {
        for (situation, least) in situations {
            let seen = self.cover(situation);
            assert!(
                self.partial || seen >= *least,
                "`{situation}` occurred {seen} times, not {least}: {self:#?}"
            );
        }
    }
}

/// A monitor connected to a view (a block, or a core whose probes show the block's links), of any kind.
pub trait Watcher<V> {
    /// Looks at `view` in `cycle`, after `eval` and before the clock edge.
    fn watch(&mut self, view: &V, cycle: u64);
    /// A cycle with `rst` high begins.
    fn reset(&mut self);
    /// The run is over: what is still under way counts as a mismatch.
    fn finish(&mut self);
    /// What was found until now.
    fn report(&self) -> Report;
}

/// A monitor and how to read its ports from a view.
pub struct Watch<M: Monitor, F> {
    monitor: M,
    sample: F,
    check: Check,
    lost_in_reset: u64,
}

impl<M: Monitor, F> Watch<M, F> {
    /// Connects `monitor` by `sample`.
    pub fn new(monitor: M, sample: F) -> Self {
        Self { monitor, sample, check: Check::default(), lost_in_reset: 0 }
    }

    /// The monitor.
    pub fn monitor(&self) -> &M {
        &self.monitor
    }

    /// Looks at sampled ports in `cycle`.
    pub fn ports(&mut self, ports: &M::Ports, cycle: u64) {
        self.check.at(cycle);
        self.monitor.cycle(ports, &mut self.check);
    }

    /// Nothing is expected any more.
    pub(crate) fn is_idle(&self) -> bool {
        self.monitor.channels().iter().all(|c| c.pending() == 0)
    }

    pub(crate) fn check(&self) -> &Check {
        &self.check
    }

    /// The channels' state, for the report of a hang.
    pub(crate) fn state(&self) -> String {
        self.monitor.channels().iter().fold(String::new(), |mut text, channel| {
            let _ = write!(text, "\n  {}", channel.state());
            text
        })
    }

    pub(crate) fn forget(&mut self) {
        self.lost_in_reset += self.unanswered();
        self.monitor.reset();
    }

    fn unanswered(&self) -> u64 {
        let report = self.summary();
        report.crossed.saturating_sub(report.compared + report.explained())
    }

    pub(crate) fn close(&mut self) {
        let left: Vec<_> =
            self.monitor.channels().iter().filter(|c| c.pending() > 0).map(|c| c.state()).collect();
        left.iter().for_each(|state| self.check.mismatch(M::NAME, format!("left at the end: {state}")));
        let report = self.summary();
        if report.crossed != report.compared + report.explained() {
            let (crossed, compared, reasons) = (report.crossed, report.compared, report.reasons);
            let what = format!("{crossed} requests, but {compared} answers and the reasons {reasons:?}");
            self.check.mismatch(M::NAME, what);
        }
    }

    pub(crate) fn summary(&self) -> Report {
        let mut report = Report { name: M::NAME, ..Report::default() };
        for channel in self.monitor.channels() {
            report.crossed += channel.requests();
            report.compared += channel.answers();
            report.channels.insert(channel.name(), channel.crossed());
            channel
                .reasons()
                .iter()
                .for_each(|(r, n)| *report.reasons.entry(r.to_string()).or_default() += n);
            if let Some(mean) = channel.interval() {
                report.interval.insert(channel.name(), mean);
            }
            if let Some(latency) = channel.latency() {
                report.latency.insert(channel.name(), latency);
            }
        }
        if self.lost_in_reset > 0 {
            report.reasons.insert("reset".into(), self.lost_in_reset);
        }
        report.mismatches = self.check.mismatches();
        report.covered = self.check.covered().clone();
        report.first = self.check.first().cloned();
        report
    }
}

impl<V, M: Monitor, F: Fn(&V) -> M::Ports> Watcher<V> for Watch<M, F> {
    fn watch(&mut self, view: &V, cycle: u64) {
        let ports = (self.sample)(view);
        self.ports(&ports, cycle);
    }
    fn reset(&mut self) {
        self.forget();
    }
    fn finish(&mut self) {
        self.close();
    }
    fn report(&self) -> Report {
        self.summary()
    }
}
