//! From what was watched to the report.

use super::check::Verified;
use super::engine::{Comparisons, EngineCounters};
use super::oracle::Judgement;
use super::report::Report;
use super::scenario::Scenario;
use heddle_wire::DropReason;
use std::collections::BTreeMap;

/// Everything that a run has at its end. Pairs are sender, receiver.
pub struct Tally<'a> {
    /// The run.
    pub scenario: &'a Scenario,
    /// What the memories say.
    pub verified: Verified,
    /// What the oracle says.
    pub judgement: &'a Judgement,
    /// What the cores counted.
    pub counters: [EngineCounters; 2],
    /// What was compared inside of the cores.
    pub comparisons: [Comparisons; 2],
    /// Cycle of the first beat of the first DATA frame.
    pub first_beat: u64,
    /// Cycle of the last completion.
    pub completed: u64,
}

impl Tally<'_> {
    fn explained(&self) -> BTreeMap<String, u64> {
        let mut sums = BTreeMap::new();
        for (reason, count) in self.comparisons.iter().flat_map(|c| &c.explained) {
            *sums.entry(reason.clone()).or_default() += count;
        }
        sums
    }

    /// The figures.
    pub fn report(&self) -> Report {
        let Verified { file_bytes, bytes, sha256_match } = self.verified;
        let judged = self.judgement;
        let [sender, receiver] = &self.counters;
        let both = |reason: DropReason| sender.drops[reason as usize] + receiver.drops[reason as usize];
        let drops = DropReason::ALL.iter().map(|&reason| (reason.name(), both(reason)));
        let compared = |of: fn(&Comparisons) -> u64| self.comparisons.iter().map(of).sum();
        // A completion comes later than the first beat, so this is never 0; an empty file moves no bits all
        // the same.
        let busy = (self.completed - self.first_beat).max(1);
        let mean = judged.recovery_cycles as f64 / judged.recovered as f64;
        Report {
            config: self.scenario.config().name(),
            seed: self.scenario.seed(),
            file_bytes,
            bytes_verified: bytes,
            sha256_match,
            cycles: self.completed,
            goodput_bits_per_cycle: 8.0 * file_bytes as f64 / busy as f64,
            packets_sent: judged.sent,
            packets_resent: judged.resent,
            spurious_resends: judged.spurious_by_evidence,
            spurious_by_timer: judged.spurious_by_timer,
            timer_expiries: sender.timer_expiries,
            duplicates_received: receiver.drops[DropReason::Duplicate as usize],
            out_of_window: receiver.drops[DropReason::OutOfWindow as usize],
            drops: drops.filter(|(_, count)| *count > 0).collect(),
            transactions_crossed: compared(|c| c.crossed),
            transactions_compared: compared(|c| c.compared),
            transactions_explained: self.explained(),
            mismatches: compared(|c| c.mismatches),
            sim_cycles_per_second: 0.0,
            recovery_rtts: (judged.recovered > 0).then(|| mean / self.scenario.round_trip() as f64),
            losses: judged.losses,
            losses_found_by_evidence: judged.found_by_evidence,
            losses_found_after_timer: judged.found_after_timer,
            losses_found_by_timer: judged.found_by_timer,
            max_outstanding: judged.max_outstanding,
        }
    }
}
