//! `tx_probe` against `heddle_model::tx::probe`, in lockstep.

use heddle_model::tx::rto::MAX_INTERVAL_TICKS;
use heddle_testbench::duts::TxProbe;
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Setup};
use heddle_testbench::monitors::tx_probe::{News, Ports, ProbeMonitor};
use heddle_testbench::Dut;
use heddle_wire::Time32;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

const CONNECTIONS: u8 = 16;
const PATHS: u8 = 4;

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
            let deadline = monitor.rows()[usize::from(Self::conn(&mut self.rng))].deadline();
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

    fn monitor(_: &Setup) -> ProbeMonitor {
        ProbeMonitor::new(CONNECTIONS.into(), PATHS.into())
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
                News { conn: conn.into(), waiting, progress }
            })
        });
        dut.set_w_valid(news.is_some());
        match news {
            Some(news) => {
                dut.set_w_conn(news.conn as u8);
                dut.set_w_waiting(news.waiting);
                dut.set_w_progress(news.progress);
            }
            None => dut.noise("w_", &mut self.rng),
        }
        dut.set_u_ready(self.u_ready.go());
    }

    fn ports(dut: &TxProbe) -> Ports {
        Ports::sample(dut)
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
