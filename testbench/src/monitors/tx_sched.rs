//! The scheduler's monitor: results, work, expiries and questions in, operations and jobs out. The order of
//! events is the block's log; what they are comes from its inputs. What waits must come in the order of priority
//! of docs/blocks/tx-sched.md, and must come.

mod ports;
pub mod rows;

pub use ports::{Operation, Ports, Question, Request};

use crate::lockstep::{Channel, Check, Input, Monitor, Output};
use heddle_model::tx::path::{TxOp, TxPathOut};
use heddle_model::tx::rto::Expiry;
use heddle_model::tx::sched::{Expired, Issue, Job, Sched, SchedConfig};
use heddle_wire::Time32;
use rows::ported;
use std::collections::{BTreeSet, VecDeque};

/// The model's side.
#[derive(Debug)]
pub struct SchedMonitor {
    config: SchedConfig,
    model: Sched,
    /// With the cycle in which it came.
    results: VecDeque<(u64, TxPathOut)>,
    works: VecDeque<(u64, u16)>,
    /// Paths made new since the reset.
    made: BTreeSet<u16>,
    /// Since when a resend waits.
    resends_since: Option<u64>,
    /// A slice is asked for: the scheduler waits for whoever makes it.
    asks: bool,
    /// Cycles in which the block did nothing although it could.
    idle: u32,
    /// How many there may be.
    patience: u32,
    r: Input<TxPathOut>,
    q: Input<u16>,
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
            made: BTreeSet::new(),
            resends_since: None,
            asks: false,
            idle: 0,
            // A row is cleared per cycle after a reset; a scan takes three cycles per path.
            patience: config.connections * config.paths + 3 * config.paths + 64,
            r: Input::request("r"),
            q: Input::request("q"),
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
                let Some((_, result)) = self.results.pop_front() else {
                    return check.mismatch("log", "no result waits");
                };
                check.cover("result");
                if result.op == TxOp::Init {
                    self.made.insert(result.path);
                }
                self.r.explain("committed");
                if result.next.distance_from(result.base) == 256 {
                    check.cover(match result.op {
                        TxOp::Sent => "the last of the window",
                        _ => "the window is full",
                    });
                }
                if (result.op == TxOp::Expire && !result.ok)
                    || (result.op == TxOp::Dead && result.inflight == 0)
                {
                    check.cover("an expiry found nothing in flight");
                }
                self.log.explain("a result");
                if let Some(job) = self.model.on_result(&result) {
                    self.j.expect(ported(job), check);
                }
            }
            1 => {
                let Some((_, conn)) = self.works.pop_front() else {
                    return check.mismatch("log", "no work waits");
                };
                check.cover("work");
                self.q.explain("committed");
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
                if !self.made.contains(&path) {
                    check.cover("an expiry before INIT");
                }
                if expiry == Expiry::Resend && self.model.expiry_asks(path, expiry) {
                    check.cover("a PROBE for a resend");
                }
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
                if self.resends_since.is_some_and(|since| check.cycle() > since + CHOICE) {
                    check.mismatch("log", "a new packet is chosen while a resend waits");
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

/// Cycles from what waits to the event that must not be chosen before it: through the FIFO, and from the choice to
/// the log.
const CHOICE: u64 = 8;

impl SchedMonitor {
    /// Results come before all else, work before all but results.
    fn order(&self, kind: u8, check: &mut Check) {
        let waits = |since: Option<u64>| since.is_some_and(|since| check.cycle() > since + CHOICE);
        let result = kind > 0 && waits(self.results.front().map(|first| first.0));
        let work = kind > 1 && waits(self.works.front().map(|first| first.0));
        if result || work {
            let what = if result { "a result" } else { "news of work" };
            check.mismatch("log", format!("event {kind} is chosen while {what} waits"));
        }
    }

    /// What can be done is done.
    fn liveness(&mut self, ports: &Ports, check: &mut Check) {
        if ports.s.crossing().is_some() {
            self.asks = true;
        }
        if ports.t.crossing().is_some() {
            self.asks = false;
        }
        let chooses = self.model.may_issue() && (self.model.has_resends() || self.model.has_ready());
        let waits = !self.results.is_empty() || !self.works.is_empty() || chooses;
        let offers =
            ports.i.offered().is_some() || ports.s.offered().is_some() || ports.j.offered().is_some();
        let moves = ports.log.crossing().is_some() || offers || self.asks;
        self.idle = if waits && !moves { self.idle + 1 } else { 0 };
        if self.idle == self.patience {
            check.mismatch(
                "log",
                format!("nothing was done for {} cycles, and there is something to do", self.idle),
            );
        }
    }
}

impl Monitor for SchedMonitor {
    const NAME: &'static str = "tx_sched";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        let cycle = check.cycle();
        self.results.extend(self.r.take(&ports.r, check).map(|result| (cycle, result)));
        self.works.extend(self.q.take(&ports.q, check).map(|conn| (cycle, conn)));
        if let Some(kind) = self.log.take(&ports.log, check) {
            self.model.set_cwnd(ports.cwnd.into());
            self.order(kind, check);
            self.event(kind, ports, check);
        }
        if let Some(slice) = ports.t.crossing() {
            self.model.served(*slice);
        }
        self.i.compare(&ports.i, check);
        self.s.compare(&ports.s, check);
        self.j.compare(&ports.j, check);
        self.resends_since = self.model.has_resends().then(|| self.resends_since.unwrap_or(cycle));
        self.liveness(ports, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.r, &self.q, &self.log, &self.i, &self.s, &self.j]
    }

    /// The block clears its rows.
    fn reset(&mut self) {
        self.r.reset();
        self.q.reset();
        self.log.reset();
        self.i.reset();
        self.s.reset();
        self.j.reset();
        self.model = Sched::new(self.config);
        self.results.clear();
        self.works.clear();
        self.made.clear();
        (self.resends_since, self.asks, self.idle) = (None, false, 0);
    }
}
