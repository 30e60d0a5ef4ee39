//! `rx_ack_build` against `heddle_model::rx::ack_build`, in lockstep, beside a path engine and messages of
//! the test's own.

use heddle_model::map::RingMap;
use heddle_model::rx::ack_build::{AckBuild, AckPacket};
use heddle_model::rx::path::{RxOp, RxPathOut};
use heddle_testbench::duts::RxAckBuild;
use heddle_testbench::lockstep::{
    matrix, Bench, Channel, Check, Driver, Input, Link, Monitor, Output, Pace, Setup,
};
use heddle_testbench::Dut;
use heddle_wire::{Flags, Msn, Psn, Time32};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// From an operation's transfer to its first snapshot word, and to its result. Source: the receive path
/// engine.
const SNAPSHOT: u64 = 4;
const RESULT: u64 = 12;
/// Cycles from a request to LOOK result and answer at the very most.
const PATIENCE: u32 = 5000;

#[derive(Clone, Debug, PartialEq)]
struct Row {
    op: u8,
    cum: u32,
    high: u32,
    counts: [u16; 3],
    ts: u32,
    route: u8,
    at: u32,
}

#[derive(Clone, Debug, PartialEq)]
struct Answer {
    stream: u8,
    done: u32,
    more: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Words {
    path: u8,
    words: [u32; 18],
}

impl Words {
    fn of(packet: &AckPacket) -> Self {
        let mut bytes = packet.common.emit().to_vec();
        bytes.extend(packet.ack.emit());
        let word = |n: usize| u32::from_be_bytes(bytes[4 * n..4 * n + 4].try_into().expect("four bytes"));
        Self { path: packet.path as u8, words: std::array::from_fn(word) }
    }
}

struct Ports {
    now: u32,
    r: Link<u8>,
    l: Link<u8>,
    z: Link<(u8, u64)>,
    o: Link<Row>,
    report: Link<u8>,
    answer: Link<Answer>,
    again: Link<u8>,
    g: Link<Words>,
}

struct BuildMonitor {
    model: AckBuild,
    path: u8,
    /// Cycles since the request, until its ACK is known.
    waiting: Option<u32>,
    snapshots: VecDeque<(u8, u64)>,
    look: Option<RxPathOut>,
    reported: Option<Answer>,
    r: Input<u8>,
    o: Input<Row>,
    answer: Input<Answer>,
    l: Output<u8>,
    report: Output<u8>,
    again: Output<u8>,
    g: Output<Words>,
}

impl BuildMonitor {
    /// The snapshot words of the oldest operation.
    fn snapshot(&mut self) -> RingMap {
        let mut map = RingMap::default();
        for (index, word) in self.snapshots.drain(..4) {
            (0..64)
                .filter(|bit| word >> bit & 1 == 1)
                .for_each(|bit| map.set(Psn::new(u32::from(index) * 64 + bit)));
        }
        map
    }

    fn result(&mut self, row: &Row) {
        let before = self.snapshot();
        if row.op == 2 {
            self.look = Some(RxPathOut {
                op: RxOp::Look,
                path: self.path.into(),
                class: None,
                flags: Flags::NONE,
                cum: Psn::new(row.cum),
                high: Psn::new(row.high),
                open: false,
                close: false,
                ce: row.counts[0],
                dup: row.counts[1],
                arrivals: row.counts[2],
                ts: Time32::new(row.ts),
                route: row.route,
                at: Time32::new(row.at),
                before,
            });
        }
    }
}

impl Monitor for BuildMonitor {
    const NAME: &'static str = "rx_ack_build";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(path) = self.r.take(&ports.r, check) {
            self.path = path;
            self.waiting = Some(0);
            self.l.expect(path, check);
            self.report.expect(path / 4, check);
        }
        self.snapshots.extend(ports.z.crossing());
        if let Some(row) = self.o.take(&ports.o, check) {
            self.result(&row);
        }
        if let Some(answer) = self.answer.take(&ports.answer, check) {
            self.reported = Some(answer);
        }
        if let (Some(look), Some(answer)) = (self.look, self.reported.clone()) {
            let now = Time32::new(ports.now);
            check.cover(match now.distance_from(look.at) {
                0..=0xfffe => "hold",
                _ => "no hold",
            });
            let packet = self.model.build(&look, (answer.stream, Msn::new(answer.done)), now);
            self.g.expect(Words::of(&packet), check);
            if answer.more {
                check.cover("again");
                self.again.expect(self.path, check);
            }
            (self.look, self.reported, self.waiting) = (None, None, None);
        }
        // Other operations go on for ever, so the harness would not see it hang.
        self.waiting = self.waiting.map(|cycles| cycles + 1);
        if self.waiting == Some(PATIENCE) {
            check.mismatch("g", format!("no LOOK and answer {PATIENCE} cycles after the request"));
        }
        self.l.compare(&ports.l, check);
        self.report.compare(&ports.report, check);
        self.again.compare(&ports.again, check);
        self.g.compare(&ports.g, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.r, &self.o, &self.answer, &self.l, &self.report, &self.again, &self.g]
    }

    fn reset(&mut self) {
        self.model = AckBuild::new(16, 4);
        self.snapshots.clear();
        (self.look, self.reported, self.waiting) = (None, None, None);
        self.r.reset();
        self.o.reset();
        self.answer.reset();
        self.l.reset();
        self.report.reset();
        self.again.reset();
        self.g.reset();
    }
}

/// An operation in the path engine.
struct Operation {
    age: u64,
    op: u8,
    first: u8,
}

struct BuildBench {
    rng: ChaCha8Rng,
    requests: Driver<u8>,
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
        let word = word.map(|o| (o.first + (o.age - SNAPSHOT) as u8) % 4);
        dut.noise("z_", &mut self.rng);
        dut.set_z_valid(word.is_some());
        if let Some(index) = word {
            dut.set_z_index(index);
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
        BuildMonitor {
            model: AckBuild::new(16, 4),
            path: 0,
            waiting: None,
            snapshots: VecDeque::new(),
            look: None,
            reported: None,
            r: Input::request("r"),
            o: Input::side("o"),
            answer: Input::side("answer"),
            l: Output::side("l"),
            report: Output::side("report"),
            again: Output::side("again"),
            g: Output::answer("g"),
        }
    }

    fn drive(&mut self, dut: &mut RxAckBuild, _: &BuildMonitor) {
        self.now = self.now.wrapping_add(1);
        dut.set_now(self.now);
        let (rng, left) = (&mut self.rng, self.requests.sent() < self.transactions);
        let request = self.requests.offer(|| left.then(|| rng.gen_range(0..64))).copied();
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
        let row = || Row {
            op: dut.o_op(),
            cum: dut.o_cum(),
            high: dut.o_high(),
            counts: [dut.o_ce(), dut.o_dup(), dut.o_arrivals()],
            ts: dut.o_ts(),
            route: dut.o_route(),
            at: dut.o_at(),
        };
        let answer =
            || Answer { stream: dut.answer_stream(), done: dut.answer_done(), more: dut.answer_more() };
        let words = || {
            let mut words = *dut.g_words();
            words.reverse();
            Words { path: dut.g_path(), words }
        };
        Ports {
            now: dut.now(),
            r: Link::new(dut.r_valid(), dut.r_ready(), || dut.r_path()),
            l: Link::new(dut.l_valid(), dut.l_ready(), || dut.l_path()),
            z: Link::pulse(dut.z_valid(), || (dut.z_index(), dut.z_word())),
            o: Link::pulse(dut.o_valid(), row),
            report: Link::new(dut.report_valid(), dut.report_ready(), || dut.report_conn()),
            answer: Link::pulse(dut.answer_valid(), answer),
            again: Link::pulse(dut.again_valid(), || dut.again_path()),
            g: Link::new(dut.g_valid(), dut.g_ready(), words),
        }
    }

    fn settle(&mut self, ports: &Ports) {
        let look = ports.l.crossing().is_some();
        let other = !look && self.since >= 4 && self.rng.gen_ratio(1, 3);
        if look || other {
            let op = if look { 2 } else { [0, 1, 3][self.rng.gen_range(0..3)] };
            self.operations.push_back(Operation { age: 0, op, first: self.rng.gen_range(0..4) });
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
    assert_eq!(report.latency["g"], 3..=3);
    assert_eq!(report.latency["again"], 2..=2);
}
