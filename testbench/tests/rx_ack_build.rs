//! `rx_ack_build` against `heddle_model::rx::ack_build`, in lockstep, beside a path engine and messages of
//! the test's own.

use heddle_testbench::duts::RxAckBuild;
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Setup};
use heddle_testbench::monitors::rx_ack_build::{BuildMonitor, Ports, Row};
use heddle_testbench::Dut;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// From an operation's transfer to its first snapshot word, and to its result. Source: the receive path
/// engine.
const SNAPSHOT: u64 = 4;
const RESULT: u64 = 12;

/// An operation in the path engine.
struct Operation {
    age: u64,
    op: u8,
    first: u8,
    words: [u64; 4],
}

struct BuildBench {
    rng: ChaCha8Rng,
    requests: Driver<u16>,
    look_ready: Pace,
    report_ready: Pace,
    frame_ready: Pace,
    operations: VecDeque<Operation>,
    /// Cycles since the path engine took something.
    since: u64,
    /// Cycles until the question's answer.
    answer_in: Option<u32>,
    now: u32,
    transactions: u64,
}

impl BuildBench {
    fn row(&mut self, op: u8) -> Row {
        let rng = &mut self.rng;
        let held =
            [0, 1, 0xfffe, 0xffff, 0x1_0000, rng.gen_range(0..0x2_0000), rng.gen()][rng.gen_range(0..7)];
        Row {
            op,
            cum: rng.gen_range(0..1 << 24),
            high: rng.gen_range(0..1 << 24),
            counts: rng.gen(),
            ts: rng.gen(),
            route: rng.gen(),
            at: self.now.wrapping_sub(held),
        }
    }

    /// The path engine's outputs in this cycle.
    fn engine(&mut self, dut: &mut RxAckBuild) {
        self.since += 1;
        self.operations.iter_mut().for_each(|operation| operation.age += 1);
        let word = self.operations.iter().find(|o| (SNAPSHOT..SNAPSHOT + 4).contains(&o.age));
        let word = word.map(|o| ((o.first + (o.age - SNAPSHOT) as u8) % 4, o.words));
        dut.noise("z_", &mut self.rng);
        dut.set_z_valid(word.is_some());
        if let Some((index, words)) = word {
            dut.set_z_index(index);
            dut.set_z_word(words[usize::from(index)]);
        }
        let done = self.operations.front().filter(|o| o.age == RESULT).map(|o| o.op);
        dut.noise("o_", &mut self.rng);
        dut.set_o_valid(done.is_some());
        if let Some(op) = done {
            self.operations.pop_front();
            let row = self.row(op);
            dut.set_o_op(row.op);
            dut.set_o_cum(row.cum);
            dut.set_o_high(row.high);
            dut.set_o_ce(row.counts[0]);
            dut.set_o_dup(row.counts[1]);
            dut.set_o_arrivals(row.counts[2]);
            dut.set_o_ts(row.ts);
            dut.set_o_route(row.route);
            dut.set_o_at(row.at);
        }
    }
}

/// A snapshot: often empty, at times with a single bit, the SACK words' first and last among them.
fn snapshot(rng: &mut ChaCha8Rng) -> [u64; 4] {
    let mut words = [0; 4];
    match rng.gen_range(0..4) {
        0 | 1 => {}
        2 => {
            let bit = [0, 255, rng.gen_range(0..256)][rng.gen_range(0..3)];
            words[bit / 64] = 1 << (bit % 64);
        }
        _ => words = rng.gen(),
    }
    words
}

impl Bench for BuildBench {
    type Dut = RxAckBuild;
    type Monitor = BuildMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        let mut rng = setup.rng("requests");
        let now = 0u32.wrapping_sub(rng.gen_range(0..10_000));
        Self {
            rng,
            requests: Driver::new(setup.idle("r")),
            look_ready: setup.back("l"),
            report_ready: setup.back("report"),
            frame_ready: setup.back("g"),
            operations: VecDeque::new(),
            since: 0,
            answer_in: None,
            now,
            transactions: setup.transactions,
        }
    }

    fn monitor(_: &Setup) -> BuildMonitor {
        BuildMonitor::new(16, 4)
    }

    fn drive(&mut self, dut: &mut RxAckBuild, _: &BuildMonitor) {
        self.now = self.now.wrapping_add(1);
        dut.set_now(self.now);
        let (rng, left) = (&mut self.rng, self.requests.sent() < self.transactions);
        let request = self.requests.offer(|| left.then(|| rng.gen_range(0..64u8).into()));
        let request = request.map(|path| *path as u8);
        dut.set_r_valid(request.is_some());
        dut.set_r_path(request.unwrap_or_else(|| self.rng.gen_range(0..64)));
        self.engine(dut);
        // One operation every four cycles: a LOOK when it may, else often one of someone else.
        dut.set_l_ready(self.since >= 4 && self.look_ready.go());
        dut.set_report_ready(self.answer_in.is_none() && self.report_ready.go());
        let answer = self.answer_in == Some(0);
        self.answer_in = self.answer_in.and_then(|left| left.checked_sub(1));
        dut.noise("answer_", &mut self.rng);
        dut.set_answer_valid(answer);
        dut.set_g_ready(self.frame_ready.go());
    }

    fn ports(dut: &RxAckBuild) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        let look = ports.l.crossing().is_some();
        let other = !look && self.since >= 4 && self.rng.gen_ratio(1, 3);
        if look || other {
            let op = if look { 2 } else { [0, 1, 3][self.rng.gen_range(0..3)] };
            let (first, words) = (self.rng.gen_range(0..4), snapshot(&mut self.rng));
            self.operations.push_back(Operation { age: 0, op, first, words });
            self.since = 0;
        }
        if ports.report.crossing().is_some() {
            self.answer_in = Some(self.rng.gen_range(0..40));
        }
        self.requests.settle(&ports.r);
    }

    fn done(&self) -> bool {
        self.requests.sent() == self.transactions
    }

    fn reset(&mut self) {
        self.requests.reset();
        self.operations.clear();
        self.answer_in = None;
    }
}

#[test]
fn every_request_becomes_the_ack_of_its_path() {
    let report = matrix::<BuildBench>(300);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("hold", 1000), ("no hold", 1000), ("again", 1000)]);
    report.demand(&[("SACK words", 2000), ("no SACK words", 2000)]);
    assert_eq!(report.latency["g"], 3..=3);
    assert_eq!(report.latency["again"], 2..=2);
}
