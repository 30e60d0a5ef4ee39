//! From what was watched to the report.

use super::check::Verified;
use super::engine::{Comparisons, EngineCounters};
use super::oracle::Judgement;
use super::plan::Plan;
use super::report::Report;
use super::scenario::Scenario;
use super::setup::RECEIVER;
use crate::link::{Fate, Loss};
use heddle_wire::DropReason;
use std::collections::BTreeMap;

/// What queues and dead planes did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// Frames marked CE.
    pub marked: u64,
    /// Frames for which a queue had no room.
    pub overflows: u64,
    /// Frames that a dead plane lost.
    pub on_dead_planes: u64,
    /// Most bytes in a queue.
    pub peak: u64,
}

impl Network {
    /// A frame was sent.
    pub fn count(&mut self, fate: &Fate) {
        self.marked += u64::from(fate.marked);
        self.overflows += u64::from(fate.lost == Some(Loss::Buffer));
        self.on_dead_planes += u64::from(fate.lost == Some(Loss::Plane));
    }
}

/// Everything that a run has at its end. Lists have an entry per endpoint.
pub struct Tally<'a> {
    /// The run.
    pub scenario: &'a Scenario,
    /// Its work.
    pub plan: &'a Plan,
    /// What the memories say.
    pub verified: Verified,
    /// What the oracle says.
    pub judgement: Judgement,
    /// What the cores counted.
    pub counters: Vec<EngineCounters>,
    /// What was compared inside of the cores.
    pub comparisons: Vec<Comparisons>,
    /// What the network counted.
    pub network: Network,
    /// Cycle of the last completion of its work requests.
    pub ended: &'a [u64],
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
        let Verified { bytes_asked, bytes, sha256_match, receives, .. } = self.verified;
        let judged = &self.judgement;
        let dropped =
            |reason: DropReason| -> u64 { self.counters.iter().map(|one| one.drops[reason as usize]).sum() };
        let drops = DropReason::ALL.iter().map(|&reason| (reason.name(), dropped(reason)));
        let compared = |of: fn(&Comparisons) -> u64| self.comparisons.iter().map(of).sum();
        // A completion comes later than the first beat, so this is never 0; an empty file moves no bits all
        // the same.
        let busy = (self.completed - self.first_beat).max(1);
        let mean = judged.recovery_cycles as f64 / judged.recovered as f64;
        Report {
            config: self.scenario.config().name(),
            seed: self.scenario.seed(),
            file_bytes: bytes_asked,
            bytes_verified: bytes,
            sha256_match,
            cycles: self.completed,
            goodput_bits_per_cycle: 8.0 * bytes_asked as f64 / busy as f64,
            packets_sent: judged.sent,
            packets_resent: judged.resent,
            spurious_resends: judged.spurious_by_evidence,
            spurious_by_timer: judged.spurious_by_timer,
            timer_expiries: self.counters.iter().map(|one| one.timer_expiries).sum(),
            duplicates_received: dropped(DropReason::Duplicate),
            out_of_window: dropped(DropReason::OutOfWindow),
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
            workload: self.plan.name,
            senders: self.scenario.senders(),
            messages: self.plan.requests() as u64,
            receives_completed: receives,
            sender_goodput_bits_per_cycle: self.sender_goodput(),
            ce_marked: self.network.marked,
            buffer_losses: self.network.overflows,
            plane_losses: self.network.on_dead_planes,
            max_queue_bytes: self.network.peak,
        }
    }

    /// Of every sender, from the first beat of the first DATA frame of all to its own last completion.
    fn sender_goodput(&self) -> Vec<f64> {
        let senders = self.plan.hosts.iter().zip(self.ended).enumerate().filter(|(n, _)| *n != RECEIVER);
        senders
            .map(|(_, (host, ended))| {
                let bytes: u64 = host.requests.iter().map(|request| u64::from(request.length)).sum();
                8.0 * bytes as f64 / ended.saturating_sub(self.first_beat).max(1) as f64
            })
            .collect()
    }
}
