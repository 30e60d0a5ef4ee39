//! `tx_rto` against `heddle_model::tx::rto` and `heddle_model::lfsr`, in lockstep.

use heddle_model::tx::rto::{RtoConfig, RtoRow, MAX_INTERVAL_TICKS};
use heddle_testbench::duts::TxRto;
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Setup};
use heddle_testbench::monitors::tx_rto::{Ports, RtoMonitor, Sent};
use heddle_testbench::tx_rows::Sample;
use heddle_testbench::Dut;
use heddle_wire::Time32;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

const PATHS: u16 = 64;

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
    /// The block has room for good ACKs.
    room: bool,
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
            let deadline = monitor.rows()[usize::from(Self::path(&mut self.rng))].deadline();
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
            room: false,
            transactions: setup.transactions,
        }
    }

    fn monitor(_: &Setup) -> RtoMonitor {
        RtoMonitor::new(PATHS)
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
        let acks = self.acks_sent < self.transactions && self.room && self.rng.gen_ratio(1, 8);
        dut.set_t_valid(acks && self.acks.go());
        dut.set_t_sample(&Self::sample(&mut self.rng).pack());
        let (rng, now, left) = (&mut self.rng, self.now, self.packets.sent() < 3 * self.transactions);
        let sent = self.packets.offer(|| {
            (left && rng.gen_ratio(1, 4)).then(|| {
                let path = Self::path(rng);
                let row = &monitor.rows()[usize::from(path)];
                let kinds = match (row.awaits_send(), row.deadline()) {
                    (true, _) => [0, 1, 2, 2, 2, 3, 3, 3],
                    (false, Some(_)) => [0, 0, 0, 1, 1, 1, 2, 3],
                    (false, None) => [0, 0, 0, 0, 0, 1, 2, 3],
                };
                let kind = kinds[rng.gen_range(0..8)];
                Sent { path: path.into(), kind, now: now.wrapping_sub(rng.gen_range(0..40)) }
            })
        });
        dut.set_s_valid(sent.is_some());
        match sent {
            Some(sent) => {
                dut.set_s_path(sent.path as u8);
                dut.set_s_kind(sent.kind);
                dut.set_s_now(sent.now);
            }
            None => dut.noise("s_", &mut self.rng),
        }
        dut.set_e_ready(self.e_ready.go());
    }

    fn ports(dut: &TxRto) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.room = ports.room;
        self.packets.settle(&ports.s);
        self.acks_sent += u64::from(ports.t.crossing().is_some());
    }

    fn done(&self) -> bool {
        self.acks_sent >= self.transactions && self.packets.sent() >= 3 * self.transactions
    }

    fn reset(&mut self) {
        self.packets.reset();
        self.cycle = 0;
        self.room = false;
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
    report.demand(&[("the first packet in flight", 500), ("sent with nothing in flight", 500)]);
    report.demand(&[("another packet sent while one is awaited", 200), ("a second", 50)]);
    report.demand(&[("resend", 200), ("probe", 200), ("dead", 200), ("due to the tick", 100)]);
    report.demand(&[("more deaths than doublings", 1)]);
    assert_eq!(report.latency["o"], 3..=3);
}
