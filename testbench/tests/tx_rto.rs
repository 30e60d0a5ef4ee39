//! `tx_rto` against `heddle_model::tx::rto` and `heddle_model::lfsr`, in lockstep.
//!
//! The model gets the events in the order that the block's log shows, with the tick of that cycle; what the
//! events are comes from the inputs alone, and scans have to go round.

use heddle_model::lfsr::Lfsr;
use heddle_model::tx::rto::{Expiry, RtoConfig, RtoRow, MAX_INTERVAL_TICKS};
use heddle_testbench::duts::TxRto;
use heddle_testbench::lockstep::{
    matrix, Bench, Channel, Check, Driver, Input, Link, Monitor, Output, Pace, Setup,
};
use heddle_testbench::tx_rows::Sample;
use heddle_testbench::Dut;
use heddle_wire::Time32;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

const PATHS: usize = 64;

#[derive(Clone, Debug, PartialEq)]
struct Sent {
    path: u8,
    awaited: bool,
    now: u32,
}

#[derive(Clone, Debug, PartialEq)]
struct Log {
    kind: u8,
    path: u8,
}

struct Ports {
    now: u32,
    room: bool,
    seed: Link<u32>,
    t: Link<Sample>,
    s: Link<Sent>,
    e: Link<(u8, u8)>,
    o: Link<(u8, u32)>,
    log: Link<Log>,
}

struct RtoMonitor {
    config: RtoConfig,
    rows: Vec<RtoRow>,
    deaths: Vec<u32>,
    lfsr: Lfsr,
    scan: u8,
    room: bool,
    /// Cycles without an event while the block is free to scan.
    idle: u32,
    samples: VecDeque<Sample>,
    sent: VecDeque<Sent>,
    t: Input<Sample>,
    s: Input<Sent>,
    e: Output<(u8, u8)>,
    o: Output<(u8, u32)>,
}

impl RtoMonitor {
    fn new(config: RtoConfig) -> Self {
        Self {
            config,
            rows: vec![RtoRow::default(); PATHS],
            deaths: vec![0; PATHS],
            lfsr: Lfsr::new(1),
            scan: 0,
            room: false,
            idle: 0,
            samples: VecDeque::new(),
            sent: VecDeque::new(),
            t: Input::request("t"),
            s: Input::request("s"),
            e: Output::side("e"),
            o: Output::answer("o"),
        }
    }

    fn on_ack(&mut self, log: &Log, now: Time32, check: &mut Check) {
        let Some(sample) = self.samples.pop_front().filter(|s| s.path == log.path.into()) else {
            return check.mismatch("log", format!("{log:?} is not the next ACK"));
        };
        let row = &mut self.rows[usize::from(log.path)];
        check.cover(match sample.rtt {
            None => "no sample",
            Some(rtt) if rtt >> 21 != 0 => "impossible sample",
            Some(_) if row.srtt_ticks().is_none() => "first sample",
            Some(_) => "sample",
        });
        row.on_ack(sample.rtt, sample.newly, sample.inflight, now, &self.config);
        check.cover(match (sample.newly, sample.inflight) {
            (0, _) => "no progress",
            (_, 0) => "all received",
            _ => "progress",
        });
        if sample.newly > 0 {
            self.deaths[usize::from(log.path)] = 0;
        }
        self.o.expect((log.path, row.rto_ticks(&self.config)), check);
    }

    fn on_sent(&mut self, log: &Log, check: &mut Check) {
        let Some(sent) = self.sent.pop_front().filter(|s| s.path == log.path) else {
            return check.mismatch("log", format!("{log:?} is not the next packet sent"));
        };
        let (row, random) = (&mut self.rows[usize::from(log.path)], self.lfsr.next16());
        check.cover(match (row.awaits_send(), sent.awaited) {
            (true, false) => "another packet sent while one is awaited",
            (true, true) => "the awaited packet sent",
            _ => "sent",
        });
        row.on_sent(sent.awaited, Time32::new(sent.now), &self.config, random);
        if row.deadline().is_some_and(|at| at.distance_from(Time32::new(sent.now)) == MAX_INTERVAL_TICKS) {
            check.cover("a second");
        }
        self.s.explain("committed");
    }

    fn on_scan(&mut self, log: &Log, now: Time32, check: &mut Check) {
        if log.path != self.scan {
            check.mismatch("log", format!("scan of {}, not of {}", log.path, self.scan));
        }
        self.scan = (self.scan + 1) % PATHS as u8;
        let row = &mut self.rows[usize::from(log.path)];
        if !row.is_due(now) {
            return;
        }
        if row.deadline() == Some(now) {
            check.cover("due to the tick");
        }
        let random = self.lfsr.next16();
        let kind = match row.expired(now, &self.config, random) {
            Some(Expiry::Resend) => ("resend", 0),
            Some(Expiry::Probe) => ("probe", 1),
            Some(Expiry::Dead) => ("dead", 2),
            None => return check.mismatch("log", "due, but nothing expired"),
        };
        check.cover(kind.0);
        let deaths = &mut self.deaths[usize::from(log.path)];
        *deaths += u32::from(kind.1 == 2);
        if *deaths > 32 {
            check.cover("more deaths than doublings");
        }
        self.e.expect((log.path, kind.1), check);
    }
}

impl Monitor for RtoMonitor {
    const NAME: &'static str = "tx_rto";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        self.room = ports.room;
        if let Some(seed) = ports.seed.crossing() {
            self.lfsr = Lfsr::new(*seed);
        }
        self.samples.extend(self.t.take(&ports.t, check));
        self.sent.extend(self.s.take(&ports.s, check));
        let now = Time32::new(ports.now);
        match ports.log.crossing() {
            Some(log @ Log { kind: 0, .. }) => self.on_ack(log, now, check),
            Some(log @ Log { kind: 1, .. }) => self.on_sent(log, check),
            Some(log) => self.on_scan(log, now, check),
            None => {}
        }
        let still = ports.log.crossing().is_none() && ports.e.offered().is_none();
        self.idle = if still { self.idle + 1 } else { 0 };
        // The longest event has 26 doublings; the rows are cleared for 64 cycles.
        if self.idle > 80 {
            check.mismatch("log", "no scan");
        }
        self.e.compare(&ports.e, check);
        self.o.compare(&ports.o, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.t, &self.s, &self.e, &self.o]
    }

    fn reset(&mut self) {
        self.rows = vec![RtoRow::default(); PATHS];
        self.deaths = vec![0; PATHS];
        self.lfsr = Lfsr::new(1);
        self.scan = 0;
        self.idle = 0;
        self.room = false;
        self.samples.clear();
        self.sent.clear();
        self.t.reset();
        self.s.reset();
        self.e.reset();
        self.o.reset();
    }
}

fn config(setup: &Setup) -> RtoConfig {
    let mut rng = setup.rng("config");
    let delay = [1, 250, rng.gen_range(1..=u16::MAX)][rng.gen_range(0..3)];
    let rto0 = [1, 25_000, MAX_INTERVAL_TICKS, rng.gen_range(1..=MAX_INTERVAL_TICKS)];
    RtoConfig::new(delay, rto0[rng.gen_range(0..4)]).unwrap()
}

struct RtoBench {
    rng: ChaCha8Rng,
    ack_delay: u16,
    rto0: u32,
    acks: Pace,
    acks_sent: u64,
    packets: Driver<Sent>,
    e_ready: Pace,
    now: u32,
    /// Cycles for which time stands still.
    still: u32,
    /// Since reset.
    cycle: u64,
    transactions: u64,
}

impl RtoBench {
    /// Some paths see much, path 0 never progress.
    fn path(rng: &mut ChaCha8Rng) -> u8 {
        [0, rng.gen_range(0..6), rng.gen_range(0..PATHS as u8)][rng.gen_range(0..3)]
    }

    fn sample(rng: &mut ChaCha8Rng) -> Sample {
        let path = u16::from(Self::path(rng));
        let rtt = [rng.gen_range(0..2000), rng.gen_range(0..1 << 21), (1 << 21) - 1, 1 << 21, rng.gen()];
        let rtt = rng.gen_ratio(3, 4).then(|| rtt[[0, 0, 0, 1, 2, 3, 4][rng.gen_range(0..7)]]);
        // Path 0 never progresses, path 1 never has a round trip: both ladders are climbed.
        let newly = if path == 0 || rng.gen_ratio(1, 3) { 0 } else { rng.gen_range(1..=256) };
        let rtt = rtt.filter(|_| path != 1);
        Sample { path, rtt, newly, inflight: if rng.gen() { 0 } else { rng.gen_range(0..=256) } }
    }

    fn time(&mut self, monitor: &RtoMonitor) {
        if self.still > 0 {
            self.still -= 1;
            return;
        }
        self.now = self.now.wrapping_add(self.rng.gen_range(0..3));
        if !self.done() && self.rng.gen_ratio(1, 12) {
            // On to about the tick at which a path expires.
            let deadline = monitor.rows[usize::from(Self::path(&mut self.rng))].deadline();
            let gap = deadline.map_or(0, |at| at.minus(1).distance_from(Time32::new(self.now)));
            if gap <= MAX_INTERVAL_TICKS {
                self.now = self.now.wrapping_add(gap + self.rng.gen_range(0..2));
                // Long enough for the scan to come round.
                self.still = if self.rng.gen_ratio(1, 4) { 270 } else { 0 };
            }
        }
    }
}

impl Bench for RtoBench {
    type Dut = TxRto;
    type Monitor = RtoMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        let mut rng = setup.rng("events");
        // What the model's configuration says of a path without samples and of one with a round trip of no
        // ticks.
        let config = config(setup);
        let mut row = RtoRow::default();
        row.on_ack(Some(0), 0, 0, Time32::new(0), &config);
        Self {
            ack_delay: (row.rto_ticks(&config) / 2) as u16,
            rto0: config.rto0_ticks(),
            now: rng.gen(),
            still: 0,
            rng,
            acks: setup.idle("t"),
            acks_sent: 0,
            packets: Driver::new(setup.idle("s")),
            e_ready: setup.back("e"),
            cycle: 0,
            transactions: setup.transactions,
        }
    }

    fn monitor(setup: &Setup) -> RtoMonitor {
        RtoMonitor::new(config(setup))
    }

    fn drive(&mut self, dut: &mut TxRto, monitor: &RtoMonitor) {
        self.cycle += 1;
        self.time(monitor);
        dut.set_now(self.now);
        dut.set_ack_delay(self.ack_delay);
        dut.set_rto0(self.rto0);
        let seed = [0, 1, self.rng.gen()][self.rng.gen_range(0..3)];
        dut.set_seed(seed);
        dut.set_seed_we(self.cycle == 5);
        let acks = self.acks_sent < self.transactions && monitor.room && self.rng.gen_ratio(1, 8);
        dut.set_t_valid(acks && self.acks.go());
        dut.set_t_sample(&Self::sample(&mut self.rng).pack());
        let (rng, now, left) = (&mut self.rng, self.now, self.packets.sent() < 3 * self.transactions);
        let sent = self.packets.offer(|| {
            (left && rng.gen_ratio(1, 4)).then(|| {
                let path = Self::path(rng);
                let awaited = match monitor.rows[usize::from(path)].awaits_send() {
                    true => rng.gen_ratio(3, 4),
                    false => rng.gen_ratio(1, 8),
                };
                Sent { path, awaited, now: now.wrapping_sub(rng.gen_range(0..40)) }
            })
        });
        dut.set_s_valid(sent.is_some());
        match sent {
            Some(sent) => {
                dut.set_s_path(sent.path);
                dut.set_s_awaited(sent.awaited);
                dut.set_s_now(sent.now);
            }
            None => dut.noise("s_", &mut self.rng),
        }
        dut.set_e_ready(self.e_ready.go());
    }

    fn ports(dut: &TxRto) -> Ports {
        Ports {
            now: dut.now(),
            room: dut.t_room(),
            seed: Link::pulse(dut.seed_we(), || dut.seed()),
            t: Link::pulse(dut.t_valid(), || Sample::unpack(dut.t_sample())),
            s: Link::new(dut.s_valid(), dut.s_ready(), || Sent {
                path: dut.s_path(),
                awaited: dut.s_awaited(),
                now: dut.s_now(),
            }),
            e: Link::new(dut.e_valid(), dut.e_ready(), || (dut.e_path(), dut.e_kind())),
            o: Link::pulse(dut.o_valid(), || (dut.o_path(), dut.o_rto())),
            log: Link::pulse(dut.log_valid(), || Log { kind: dut.log_kind(), path: dut.log_path() }),
        }
    }

    fn settle(&mut self, ports: &Ports) {
        self.packets.settle(&ports.s);
        self.acks_sent += u64::from(ports.t.crossing().is_some());
    }

    fn done(&self) -> bool {
        self.acks_sent >= self.transactions && self.packets.sent() >= 3 * self.transactions
    }

    fn reset(&mut self) {
        self.packets.reset();
        self.cycle = 0;
    }
}

#[test]
fn timers_run_expire_back_off_and_stop_as_the_model_says_to_the_tick() {
    let report = matrix::<RtoBench>(300);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[
        ("first sample", 200),
        ("sample", 2000),
        ("impossible sample", 500),
        ("no sample", 1000),
    ]);
    report.demand(&[("no progress", 2000), ("all received", 1000), ("progress", 1000)]);
    report.demand(&[("sent", 1000), ("the awaited packet sent", 500)]);
    report.demand(&[("another packet sent while one is awaited", 200), ("a second", 50)]);
    report.demand(&[("resend", 200), ("probe", 200), ("dead", 200), ("due to the tick", 100)]);
    report.demand(&[("more deaths than doublings", 1)]);
    assert_eq!(report.latency["o"], 3..=3);
}
