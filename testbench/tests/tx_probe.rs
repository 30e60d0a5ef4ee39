//! `tx_probe` against `heddle_model::tx::probe`, in lockstep.
//!
//! The model gets the events in the order that the block's log shows, with the tick of that cycle; what the
//! events are comes from the inputs alone, and scans have to go round.

use heddle_model::tx::probe::ProbeRow;
use heddle_model::tx::rto::MAX_INTERVAL_TICKS;
use heddle_testbench::duts::TxProbe;
use heddle_testbench::lockstep::{
    matrix, Bench, Channel, Check, Driver, Input, Link, Monitor, Output, Pace, Setup,
};
use heddle_testbench::Dut;
use heddle_wire::Time32;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

const CONNECTIONS: u8 = 16;
const PATHS: u8 = 4;

#[derive(Clone, Debug, PartialEq)]
struct News {
    conn: u8,
    waiting: bool,
    progress: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Question {
    path: u8,
    repeat: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Log {
    kind: u8,
    conn: u8,
}

struct Ports {
    now: u32,
    o: Link<(u8, u32)>,
    w: Link<News>,
    u: Link<Question>,
    log: Link<Log>,
}

struct ProbeMonitor {
    rto0: u32,
    rows: Vec<ProbeRow>,
    /// Questions since the last progress.
    asked: Vec<u32>,
    scan: u8,
    /// Cycles without an event while the block is free to scan.
    idle: u32,
    reports: VecDeque<(u8, u32)>,
    news: VecDeque<News>,
    o: Input<(u8, u32)>,
    w: Input<News>,
    u: Output<Question>,
}

impl ProbeMonitor {
    fn new(rto0: u32) -> Self {
        Self {
            rto0,
            rows: vec![ProbeRow::new(rto0); CONNECTIONS.into()],
            asked: vec![0; CONNECTIONS.into()],
            scan: 0,
            idle: 0,
            reports: VecDeque::new(),
            news: VecDeque::new(),
            o: Input::request("o"),
            w: Input::request("w"),
            u: Output::side("u"),
        }
    }

    fn commit(&mut self, log: &Log, now: Time32, check: &mut Check) {
        let conn = usize::from(log.conn);
        match log.kind {
            0 => match self.reports.pop_front().filter(|(path, _)| path / PATHS == log.conn) {
                Some((_, rto)) => {
                    check.cover("measured");
                    self.rows[conn].on_rto(rto);
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
        self.scan = (self.scan + 1) % CONNECTIONS;
        let row = &mut self.rows[usize::from(log.conn)];
        let deadline = row.deadline();
        if let Some((local, repeat)) = row.expired(now, PATHS.into()) {
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
            self.u.expect(Question { path: log.conn * PATHS + local, repeat }, check);
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
            self.commit(log, Time32::new(ports.now), check);
        }
        let still = ports.log.crossing().is_none() && ports.u.offered().is_none();
        self.idle = if still { self.idle + 1 } else { 0 };
        // The longest event has 27 doublings.
        if self.idle > 50 {
            check.mismatch("log", "no scan");
        }
        self.u.compare(&ports.u, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.o, &self.w, &self.u]
    }

    fn reset(&mut self) {
        let Self { o, w, u, rto0, .. } = self;
        o.reset();
        w.reset();
        u.reset();
        *self = Self { o: o.clone(), w: w.clone(), u: u.clone(), ..Self::new(*rto0) };
    }
}

fn rto0(setup: &Setup) -> u32 {
    let mut rng = setup.rng("config");
    [1, 25_000, MAX_INTERVAL_TICKS, rng.gen_range(1..=MAX_INTERVAL_TICKS)][rng.gen_range(0..4)]
}

struct ProbeBench {
    rng: ChaCha8Rng,
    rto0: u32,
    reports: Pace,
    reports_sent: u64,
    /// Cycles since the last report.
    gap: u32,
    news: Driver<News>,
    u_ready: Pace,
    now: u32,
    /// Cycles for which time stands still.
    still: u32,
    transactions: u64,
}

impl ProbeBench {
    /// Some connections see much.
    fn conn(rng: &mut ChaCha8Rng) -> u8 {
        if rng.gen() {
            rng.gen_range(0..3)
        } else {
            rng.gen_range(0..CONNECTIONS)
        }
    }

    fn time(&mut self, monitor: &ProbeMonitor) {
        if self.still > 0 {
            self.still -= 1;
            return;
        }
        self.now = self.now.wrapping_add(self.rng.gen_range(0..3));
        if !self.done() && self.rng.gen_ratio(1, 8) {
            // On to about the tick at which a timer runs out.
            let deadline = monitor.rows[usize::from(Self::conn(&mut self.rng))].deadline();
            let gap = deadline.map_or(0, |at| at.minus(1).distance_from(Time32::new(self.now)));
            if gap <= MAX_INTERVAL_TICKS {
                self.now = self.now.wrapping_add(gap + self.rng.gen_range(0..2));
                // Long enough for the scan to come round.
                self.still = if self.rng.gen_ratio(1, 4) { 70 } else { 0 };
            }
        }
    }
}

impl Bench for ProbeBench {
    type Dut = TxProbe;
    type Monitor = ProbeMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        let mut rng = setup.rng("events");
        Self {
            rto0: rto0(setup),
            now: rng.gen(),
            still: 0,
            rng,
            reports: setup.idle("o"),
            reports_sent: 0,
            gap: 0,
            news: Driver::new(setup.idle("w")),
            u_ready: setup.back("u"),
            transactions: setup.transactions,
        }
    }

    fn monitor(setup: &Setup) -> ProbeMonitor {
        ProbeMonitor::new(rto0(setup))
    }

    fn drive(&mut self, dut: &mut TxProbe, monitor: &ProbeMonitor) {
        self.time(monitor);
        dut.set_now(self.now);
        dut.set_rto0(self.rto0);
        self.gap += 1;
        let report = self.reports_sent < self.transactions && self.gap >= 7 && self.reports.go();
        dut.set_o_valid(report);
        dut.set_o_path(Self::conn(&mut self.rng) * PATHS + self.rng.gen_range(0..PATHS));
        let rto = [self.rng.gen_range(1..=MAX_INTERVAL_TICKS), self.rng.gen_range(1..5000)];
        dut.set_o_rto(rto[self.rng.gen_range(0..2)]);
        let (rng, left) = (&mut self.rng, self.news.sent() < self.transactions);
        let news = self.news.offer(|| {
            (left && rng.gen_ratio(1, 16)).then(|| {
                let conn = Self::conn(rng);
                // Connection 0 makes no progress and waits for long.
                let (waiting, progress) = match conn {
                    0 => (rng.gen_ratio(31, 32), false),
                    _ => (rng.gen_ratio(3, 4), rng.gen_ratio(1, 3)),
                };
                News { conn, waiting, progress }
            })
        });
        dut.set_w_valid(news.is_some());
        match news {
            Some(news) => {
                dut.set_w_conn(news.conn);
                dut.set_w_waiting(news.waiting);
                dut.set_w_progress(news.progress);
            }
            None => dut.noise("w_", &mut self.rng),
        }
        dut.set_u_ready(self.u_ready.go());
    }

    fn ports(dut: &TxProbe) -> Ports {
        Ports {
            now: dut.now(),
            o: Link::pulse(dut.o_valid(), || (dut.o_path(), dut.o_rto())),
            w: Link::new(dut.w_valid(), dut.w_ready(), || News {
                conn: dut.w_conn(),
                waiting: dut.w_waiting(),
                progress: dut.w_progress(),
            }),
            u: Link::new(dut.u_valid(), dut.u_ready(), || Question {
                path: dut.u_path(),
                repeat: dut.u_repeat(),
            }),
            log: Link::pulse(dut.log_valid(), || Log { kind: dut.log_kind(), conn: dut.log_conn() }),
        }
    }

    fn settle(&mut self, ports: &Ports) {
        self.news.settle(&ports.w);
        if ports.o.crossing().is_some() {
            self.reports_sent += 1;
            self.gap = 0;
        }
    }

    fn done(&self) -> bool {
        self.reports_sent >= self.transactions && self.news.sent() >= self.transactions
    }

    fn reset(&mut self) {
        self.news.reset();
        // The block that measures is reset too: it tells nothing for some cycles.
        self.gap = 0;
    }
}

#[test]
fn questions_come_after_one_rto_then_doubling_on_path_after_path() {
    let report = matrix::<ProbeBench>(200);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("measured", 5000), ("stopped", 1000), ("restarted", 1000), ("started", 500)]);
    report.demand(&[("not put off", 500), ("asked", 500), ("asked again", 500), ("due to the tick", 100)]);
    report.demand(&[("a second", 100), ("more questions than doublings", 1)]);
}
