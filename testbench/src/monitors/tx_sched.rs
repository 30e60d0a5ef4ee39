//! The scheduler's monitor: results, work, expiries and questions in, operations and jobs out. The order of
//! events is the block's log; what they are comes from its inputs.

mod ports;
pub mod rows;

pub use ports::{Operation, Ports, Question, Request};

use crate::lockstep::{Channel, Check, Input, Monitor, Output};
use heddle_model::tx::path::TxPathOut;
use heddle_model::tx::rto::Expiry;
use heddle_model::tx::sched::{Expired, Issue, Job, Sched, SchedConfig};
use heddle_wire::Time32;
use rows::ported;
use std::collections::VecDeque;

/// The model's side.
#[derive(Debug)]
pub struct SchedMonitor {
    config: SchedConfig,
    model: Sched,
    results: VecDeque<TxPathOut>,
    works: VecDeque<u16>,
    log: Input<u8>,
    i: Output<Operation>,
    s: Output<u16>,
    j: Output<Job>,
}

impl SchedMonitor {
    /// A monitor of a scheduler; cwnd is what the port says.
    pub fn new(config: SchedConfig) -> Self {
        Self {
            config,
            model: Sched::new(config),
            results: VecDeque::new(),
            works: VecDeque::new(),
            log: Input::request("log"),
            i: Output::answer("i"),
            s: Output::side("s"),
            j: Output::side("j"),
        }
    }

    fn expect(&mut self, issue: Issue, check: &mut Check) {
        self.i.expect(Operation { op: issue.op as u8, path: issue.path }, check);
    }

    fn event(&mut self, kind: u8, ports: &Ports, check: &mut Check) {
        let now = Time32::new(ports.now);
        match kind {
            0 => {
                let Some(result) = self.results.pop_front() else {
                    return check.mismatch("log", "no result waits");
                };
                check.cover("result");
                self.log.explain("a result");
                if let Some(job) = self.model.on_result(&result) {
                    self.j.expect(ported(job), check);
                }
            }
            1 => {
                let Some(conn) = self.works.pop_front() else {
                    return check.mismatch("log", "no work waits");
                };
                check.cover("work");
                self.log.explain("news of work");
                self.model.on_work(conn);
            }
            2 => {
                let Some(&Request { path, kind }) = ports.e.crossing() else {
                    return check.mismatch("log", "an expiry is taken that does not cross");
                };
                if !self.model.takes_expiry(path) {
                    check.mismatch("log", "an expiry is taken while its path is busy");
                }
                let expiry = [Expiry::Resend, Expiry::Probe, Expiry::Dead][usize::from(kind)];
                check.cover(["expire", "expiry probe", "dead"][usize::from(kind)]);
                match self.model.on_expiry(path, expiry, now) {
                    Expired::Issue(issue) => self.expect(issue, check),
                    Expired::Job(job) => {
                        self.log.explain("a PROBE");
                        self.j.expect(job, check);
                    }
                }
            }
            3 => {
                let Some(&Question { path, stream, repeat }) = ports.u.crossing() else {
                    return check.mismatch("log", "a question is taken that does not cross");
                };
                if !self.model.takes_expiry(path) {
                    check.mismatch("log", "a question is taken while its path is busy");
                }
                check.cover("question");
                self.log.explain("a PROBE");
                self.j.expect(self.model.on_question(path, stream, repeat, now), check);
            }
            4 => {
                let issue = self.model.next_resend();
                check.cover(if issue.is_some() { "resend" } else { "no resend" });
                match issue {
                    Some(issue) => self.expect(issue, check),
                    None => self.log.explain("nothing to resend"),
                }
            }
            _ => {
                // New packets are chosen only when no resend waits.
                if self.model.has_resends() {
                    check.cover("a resend came while a new packet was chosen");
                }
                let issue = self.model.next_new();
                check.cover(if issue.is_some() { "new" } else { "no usable path" });
                match issue {
                    Some(issue) => {
                        self.s.expect(issue.path / self.config.paths as u16, check);
                        self.expect(issue, check);
                    }
                    None => self.log.explain("no usable path"),
                }
            }
        }
    }
}

impl Monitor for SchedMonitor {
    const NAME: &'static str = "tx_sched";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        self.results.extend(ports.r.crossing());
        self.works.extend(ports.q.crossing());
        if let Some(kind) = self.log.take(&ports.log, check) {
            self.model.set_cwnd(ports.cwnd.into());
            self.event(kind, ports, check);
        }
        if let Some(slice) = ports.t.crossing() {
            self.model.served(*slice);
        }
        self.i.compare(&ports.i, check);
        self.s.compare(&ports.s, check);
        self.j.compare(&ports.j, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.log, &self.i, &self.s, &self.j]
    }

    /// The block clears its rows.
    fn reset(&mut self) {
        self.log.reset();
        self.i.reset();
        self.s.reset();
        self.j.reset();
        self.model = Sched::new(self.config);
        self.results.clear();
        self.works.clear();
    }
}
