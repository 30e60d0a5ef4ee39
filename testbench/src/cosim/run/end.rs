//! How a run ends: figures, or a diagnosis.

use super::super::engine::{Difference, Engine};
use super::super::error::RunError;
use super::super::observer::Observer;
use super::super::oracle::{FirstLoss, Judgement};
use super::super::tally::{Network, Tally};
use super::{side, Outcome, Run};
use crate::link::Link;

impl<E: Engine, O: Observer> Run<'_, E, O> {
    pub(super) fn stalled(&self, cycle: u64) -> RunError {
        let [forth, back] = self.links.each_ref().map(Link::in_flight);
        let waits = self.hosts.iter().enumerate();
        let waits: Vec<_> = waits
            .map(|(n, host)| format!("{}: {}", side(self.scenario, n), host.engine.waits_for()))
            .collect();
        let open: Vec<_> = self.oracles.iter().flatten().map(|oracle| oracle.outstanding_text()).collect();
        let open: Vec<_> = open.into_iter().filter(|text| !text.is_empty()).collect();
        let submitted: usize = self.hosts.iter().map(|host| host.submitted()).sum();
        let diagnosis = format!(
            "{} of {} work requests are completed ({}), {submitted} were taken; {}; \
             {forth} and {back} frames under way; not acknowledged, as far as the sender has heard: {}",
            self.check.completed(),
            self.plan.requests(),
            self.check.missing_text(),
            waits.join("; "),
            if open.is_empty() { "nothing".to_owned() } else { open.join("; ") },
        );
        RunError::Stalled { since: self.progress, cycle, diagnosis }
    }

    /// Everything that was asked has ended, some of it with an error.
    pub(super) fn ended(&self) -> RunError {
        let failure = self.check.failure().cloned().unwrap_or_default();
        let [failed, receives] = self.check.failed();
        RunError::Ended {
            cycle: self.cycle,
            side: side(self.scenario, failure.host),
            connection: failure.connection,
            wr_id: failure.wr_id,
            status: failure.status,
            taken: self.hosts.iter().map(|host| host.submitted()).sum(),
            completed: self.check.completed(),
            failed,
            receives,
        }
    }

    pub(super) fn outcome(&self) -> Result<Outcome, RunError> {
        for (n, host) in self.hosts.iter().enumerate() {
            let (side, trespasses, errors) =
                (side(self.scenario, n), host.engine.memory().trespasses(), host.engine.errors());
            if trespasses > 0 {
                return Err(RunError::Trespass { side, trespasses });
            }
            if errors > 0 {
                return Err(RunError::Core { side, errors });
            }
        }
        let completed = self.completed.unwrap_or(self.cycle);
        let verified = self.check.finish(|n| self.hosts[n].engine.memory(), self.hosts.len());
        let wrong = verified.wrong.clone();
        let report = Tally {
            scenario: self.scenario,
            plan: self.plan,
            verified,
            judgement: Judgement::sum(self.oracles.iter().flatten().map(|oracle| *oracle.judgement())),
            counters: self.hosts.iter().map(|host| host.engine.counters()).collect(),
            comparisons: self.hosts.iter().map(|host| host.engine.comparisons()).collect(),
            network: Network {
                peak: self.links.iter().flat_map(Link::peaks).max().unwrap_or(0),
                ..self.network
            },
            ended: &self.ended,
            first_beat: self.first_beat.unwrap_or(completed),
            completed,
        }
        .report();
        let first_loss = self.oracles.iter().flatten().filter_map(|oracle| oracle.first_loss());
        let first_loss: Option<FirstLoss> = first_loss.min_by_key(|loss| loss.lost_at);
        Ok(Outcome { report, first_loss, end: self.cycle, wrong, differences: self.differences() })
    }

    pub(super) fn differences(&self) -> Vec<(String, Difference)> {
        let hosts = self.hosts.iter().enumerate();
        hosts
            .flat_map(|(n, host)| {
                host.engine.differences().into_iter().map(move |one| (side(self.scenario, n), one))
            })
            .collect()
    }
}
