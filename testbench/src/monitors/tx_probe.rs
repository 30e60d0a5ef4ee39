//! The probe timer's monitor: measured RTOs and news of messages in, questions out.
//!
//! The model gets the events in the order that the block's log shows, with the tick of that cycle; what the
//! events are comes from the inputs alone, and scans have to go round.

use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::views::TxProbeView;
use heddle_model::tx::probe::ProbeRow;
use heddle_model::tx::rto::MAX_INTERVAL_TICKS;
use heddle_wire::Time32;
use std::collections::VecDeque;

/// News of a connection's messages.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    /// Connection.
    pub conn: u16,
    /// Some message is wholly sent and not done.
    pub waiting: bool,
    /// `done` advanced.
    pub progress: bool,
}

/// A question.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Path to ask on.
    pub path: u16,
    /// Asked before.
    pub repeat: bool,
}

/// An event that is committed.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// 0 RTO, 1 message, 2 scan.
    pub kind: u8,
    /// Connection.
    pub conn: u16,
}

/// The links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// Ticks.
    pub now: u32,
    /// First interval in ticks.
    pub rto0: u32,
    /// RTO of a path, ticks.
    pub o: Link<(u16, u32)>,
    /// News.
    pub w: Link<News>,
    /// Question.
    pub u: Link<Question>,
    /// Event.
    pub log: Link<Log>,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl TxProbeView) -> Self {
        let news = || News {
            conn: view.w_conn().u16(),
            waiting: view.w_waiting().bit(),
            progress: view.w_progress().bit(),
        };
        let question = || Question { path: view.u_path().u16(), repeat: view.u_repeat().bit() };
        let log = || Log { kind: view.log_kind().u8(), conn: view.log_conn().u16() };
        Self {
            now: view.now().u32(),
            rto0: view.rto0().u32(),
            o: Link::pulse(view.o_valid().bit(), || (view.o_path().u16(), view.o_rto().u32())),
            w: Link::new(view.w_valid().bit(), view.w_ready().bit(), news),
            u: Link::new(view.u_valid().bit(), view.u_ready().bit(), question),
            log: Link::pulse(view.log_valid().bit(), log),
        }
    }
}

/// The model's side.
#[derive(Debug)]
pub struct ProbeMonitor {
    paths: u16,
    rows: Vec<ProbeRow>,
    /// Connections of which a path was measured.
    measured: Vec<bool>,
    /// Questions since the last progress.
    asked: Vec<u32>,
    scan: u16,
    /// Cycles without an event while the block is free to scan.
    idle: u32,
    /// How many there may be.
    patience: u32,
    reports: VecDeque<(u16, u32)>,
    news: VecDeque<News>,
    o: Input<(u16, u32)>,
    w: Input<News>,
    u: Output<Question>,
}

impl ProbeMonitor {
    /// A monitor of the timers of `connections` with `paths` each; the first interval is what the port says.
    pub fn new(connections: u16, paths: u16) -> Self {
        Self {
            paths,
            rows: vec![ProbeRow::new(0); connections.into()],
            measured: vec![false; connections.into()],
            asked: vec![0; connections.into()],
            scan: 0,
            idle: 0,
            // The longest event has 27 doublings; a row is cleared per cycle.
            patience: u32::from(connections).max(34) + 16,
            reports: VecDeque::new(),
            news: VecDeque::new(),
            o: Input::request("o"),
            w: Input::request("w"),
            u: Output::side("u"),
        }
    }

    /// The connections' timers, to guide the stimulus.
    pub fn rows(&self) -> &[ProbeRow] {
        &self.rows
    }

    fn commit(&mut self, log: &Log, now: Time32, check: &mut Check) {
        let conn = usize::from(log.conn);
        match log.kind {
            0 => match self.reports.pop_front().filter(|(path, _)| path / self.paths == log.conn) {
                Some((_, rto)) => {
                    check.cover("measured");
                    self.rows[conn].on_rto(rto);
                    self.measured[conn] = true;
                    self.o.explain("committed");
                }
                None => check.mismatch("log", format!("{log:?} is not the next RTO")),
            },
            1 => match self.news.pop_front().filter(|news| news.conn == log.conn) {
                Some(News { waiting, progress, .. }) => {
                    check.cover(match (waiting, progress, self.rows[conn].deadline()) {
                        (false, _, _) => "stopped",
                        (true, true, _) => "restarted",
                        (true, false, None) => "started",
                        (true, false, Some(_)) => "not put off",
                    });
                    self.asked[conn] *= u32::from(!progress);
                    self.rows[conn].on_message(waiting, progress, now);
                    self.w.explain("committed");
                }
                None => check.mismatch("log", format!("{log:?} is not the next news")),
            },
            _ => self.scan(log, now, check),
        }
    }

    fn scan(&mut self, log: &Log, now: Time32, check: &mut Check) {
        if log.conn != self.scan {
            check.mismatch("log", format!("scan of {}, not of {}", log.conn, self.scan));
        }
        self.scan = (self.scan + 1) % self.rows.len() as u16;
        let row = &mut self.rows[usize::from(log.conn)];
        let deadline = row.deadline();
        if let Some((local, repeat)) = row.expired(now, self.paths.into()) {
            check.cover(if repeat { "asked again" } else { "asked" });
            if deadline == Some(now) {
                check.cover("due to the tick");
            }
            if row.deadline().is_some_and(|at| at.distance_from(now) == MAX_INTERVAL_TICKS) {
                check.cover("a second");
            }
            let asked = &mut self.asked[usize::from(log.conn)];
            *asked += 1;
            if *asked > 32 {
                check.cover("more questions than doublings");
            }
            self.u.expect(Question { path: log.conn * self.paths + u16::from(local), repeat }, check);
        }
    }
}

impl Monitor for ProbeMonitor {
    const NAME: &'static str = "tx_probe";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        self.reports.extend(self.o.take(&ports.o, check));
        self.news.extend(self.w.take(&ports.w, check));
        if let Some(log) = ports.log.crossing() {
            // Until a path is measured, the interval is what the port says.
            if !self.measured[usize::from(log.conn)] {
                self.rows[usize::from(log.conn)].on_rto(ports.rto0);
            }
            self.commit(log, Time32::new(ports.now), check);
        }
        let still = ports.log.crossing().is_none() && ports.u.offered().is_none();
        self.idle = if still { self.idle + 1 } else { 0 };
        if self.idle > self.patience {
            check.mismatch("log", "no scan");
        }
        self.u.compare(&ports.u, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.o, &self.w, &self.u]
    }

    /// The block clears its rows.
    fn reset(&mut self) {
        self.rows.fill(ProbeRow::new(0));
        self.measured.fill(false);
        self.asked.fill(0);
        (self.scan, self.idle) = (0, 0);
        self.reports.clear();
        self.news.clear();
        self.o.reset();
        self.w.reset();
        self.u.reset();
    }
}
