//! `tx_sched` against `heddle_model::tx::sched`, in lockstep. The path engine behind it is the model's,
//! with a delay of its own.

use heddle_model::map::RingMap;
use heddle_model::tx::msg::Slice;
use heddle_model::tx::path::{TxOp, TxPathIn, TxPathOut, TxPathRow};
use heddle_model::tx::sched::SchedConfig;
use heddle_testbench::bits::Packer;
use heddle_testbench::duts::TxSched;
use heddle_testbench::lockstep::{matrix_with, Bench, Pace, Plan, Setup};
use heddle_testbench::monitors::tx_sched::rows::{op, pack64, pack_result};
use heddle_testbench::monitors::tx_sched::{Ports, Question, Request, SchedMonitor};
use heddle_testbench::Dut;
use heddle_wire::{Msn, Psn, Time32};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

const CWND: u32 = 5;
const CONFIG: SchedConfig = SchedConfig { connections: 16, paths: 4, cwnd: CWND };

struct SchedBench {
    rng: ChaCha8Rng,
    idle: Pace,
    i_ready: Pace,
    s_ready: Pace,
    j_ready: Pace,
    rows: Vec<TxPathRow>,
    /// Results on their way out of the path engine: cycles left, result.
    engine: VecDeque<(u32, TxPathOut)>,
    expiry: Option<Request>,
    question: Option<Question>,
    queued: Vec<u32>,
    slice: Option<Slice>,
    now: u32,
    cycles: u64,
    /// The path engine takes an operation every 4 cycles.
    free_at: u64,
    made: u32,
    /// Paths made new since the last reset.
    inits: u16,
    /// The block has room for results.
    room: bool,
    events: u64,
    transactions: u64,
}

impl SchedBench {
    fn apply(&mut self, input: &TxPathIn) {
        self.free_at = self.cycles + 4;
        let result = self.rows[usize::from(input.path)].apply(input);
        self.engine.push_back((20, result));
    }

    /// An ACK for a path: some of what is in flight, with holes. On every eighth path the packet at the base is
    /// lost again and again, and all behind it has arrived: its window fills while little is in flight.
    fn acknowledge(&mut self, path: u16) {
        let stuck = path % 8 == 5 && self.rng.gen_ratio(15, 16);
        if stuck {
            let row = &mut self.rows[usize::from(path)];
            let sent = TxPathIn { op: TxOp::Sent, path, now: Time32::new(self.now), ..TxPathIn::default() };
            let least = self.rng.gen_range(240..=256);
            let span = |out: TxPathOut| out.next.distance_from(out.base);
            while span(row.apply(&sent)) < least {}
        }
        let row = &self.rows[usize::from(path)];
        let mut probe = *row;
        let state = probe.apply(&TxPathIn { op: TxOp::Resend, path, ..TxPathIn::default() });
        let span = state.next.distance_from(state.base);
        let advance = if stuck { 0 } else { self.rng.gen_range(0..=span.min(3)) };
        let cum = state.base.plus(advance);
        let mut sack = RingMap::default();
        let mut high = cum.minus(1);
        for ahead in 1..span.saturating_sub(advance) {
            if stuck || self.rng.gen() {
                high = cum.plus(ahead);
                sack.set(high);
            }
        }
        let (ts, now) =
            (Time32::new(self.now.wrapping_sub(self.rng.gen_range(0..500))), Time32::new(self.now));
        let input =
            TxPathIn { op: TxOp::Ack, path, cum, high, route: state.route, ts, now, reorder: 0, sack };
        self.apply(&input);
    }
}

impl Bench for SchedBench {
    type Dut = TxSched;
    type Monitor = SchedMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        Self {
            rng: setup.rng("events"),
            idle: setup.idle("events"),
            i_ready: setup.back("i"),
            s_ready: setup.back("s"),
            j_ready: setup.back("j"),
            rows: vec![TxPathRow::default(); 64],
            engine: VecDeque::new(),
            expiry: None,
            question: None,
            queued: vec![0; 16],
            slice: None,
            now: 0xFFFF_F000,
            cycles: 0,
            free_at: 0,
            made: 0,
            inits: 0,
            room: false,
            events: 0,
            transactions: setup.transactions,
        }
    }

    fn monitor(_: &Setup) -> SchedMonitor {
        SchedMonitor::new(CONFIG)
    }

    fn drive(&mut self, dut: &mut TxSched, _: &SchedMonitor) {
        self.now = self.now.wrapping_add(1);
        self.cycles += 1;
        for prefix in ["r_", "q_", "e_", "u_", "t_"] {
            dut.noise(prefix, &mut self.rng);
        }
        dut.set_now(self.now);
        dut.set_cwnd(CWND as u16);
        // The engine's results, first in first out.
        self.engine.iter_mut().for_each(|(left, _)| *left = left.saturating_sub(1));
        let result = self.engine.front().filter(|(left, _)| *left == 0).map(|(_, result)| *result);
        dut.set_r_valid(result.is_some());
        if let Some(result) = result {
            self.engine.pop_front();
            dut.set_r_result(&pack_result(&result));
        }
        // New events, once the rows are cleared: every path is made new, then work, ACKs, expiries and
        // questions.
        dut.set_q_valid(false);
        let active = self.cycles > 70 && self.events < self.transactions;
        let engine = self.room && self.cycles >= self.free_at;
        if active && engine && self.idle.go() {
            let path = self.rng.gen_range(0..64u16);
            let kind = self.rng.gen_range(0..8);
            self.events += u64::from(self.inits == 64);
            match kind {
                // Whoever asks on a path that is not new yet makes it no path for the work that waits.
                2 if self.inits <= path && self.expiry.is_none() => {
                    self.expiry = Some(Request { path, kind: 1 });
                }
                2.. if self.inits < 64 => {
                    let (path, now) = (self.inits, Time32::new(self.now));
                    self.inits += 1;
                    let cum = Psn::new(self.rng.gen());
                    self.apply(&TxPathIn { op: TxOp::Init, path, cum, now, ..TxPathIn::default() });
                }
                0 | 1 => {
                    let conn = path / 4;
                    let wakes = self.queued[usize::from(conn)] == 0;
                    let most = if self.rng.gen_ratio(1, 4) { 200 } else { 20 };
                    self.queued[usize::from(conn)] += self.rng.gen_range(1..most);
                    dut.set_q_valid(wakes);
                    dut.set_q_conn(conn as u8);
                }
                2 if self.expiry.is_none() => {
                    self.expiry = Some(Request { path, kind: self.rng.gen_range(0..3) });
                }
                3 if self.question.is_none() => {
                    let (stream, repeat) = (self.rng.gen(), self.rng.gen());
                    self.question = Some(Question { path, stream, repeat });
                }
                _ => self.acknowledge(path),
            }
        }
        dut.set_e_valid(self.expiry.is_some());
        if let Some(Request { path, kind }) = self.expiry {
            dut.set_e_path(path as u8);
            dut.set_e_kind(kind);
        }
        dut.set_u_valid(self.question.is_some());
        if let Some(Question { path, stream, repeat }) = self.question {
            dut.set_u_path(path as u8);
            dut.set_u_stream(stream);
            dut.set_u_repeat(repeat);
        }
        dut.set_t_valid(self.slice.is_some());
        if let Some(slice) = self.slice {
            let packer = Packer::default().put(8, slice.stream).put(24, slice.msn.get()).put(22, slice.index);
            dut.set_t_slice(pack64(packer.put(1, slice.tail).put(1, slice.more).finish()));
            dut.set_t_left(slice.left);
        }
        dut.set_i_ready(self.cycles >= self.free_at && self.i_ready.go());
        dut.set_s_ready(self.s_ready.go());
        dut.set_j_ready(self.j_ready.go());
    }

    fn ports(dut: &TxSched) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.room = ports.room;
        if ports.e.crossing().is_some() {
            self.expiry = None;
        }
        if ports.u.crossing().is_some() {
            self.question = None;
        }
        if let Some(operation) = ports.i.crossing() {
            let (path, now) = (operation.path, Time32::new(ports.now));
            self.apply(&TxPathIn { op: op(operation.op), path, now, ..TxPathIn::default() });
        }
        self.slice = ports.s.crossing().map(|&conn| {
            let left = &mut self.queued[usize::from(conn)];
            *left -= 1;
            self.made += 1;
            Slice {
                conn,
                stream: (self.made % 4) as u8,
                msn: Msn::new(self.made / 7),
                index: self.made % (1 << 22),
                tail: *left < 4,
                more: *left > 0,
                left: Slice::left_of((*left).into()),
                answer: None,
            }
        });
    }

    fn done(&self) -> bool {
        let quiet = self.expiry.is_none() && self.question.is_none() && self.engine.is_empty();
        self.events == self.transactions && quiet
    }

    fn reset(&mut self) {
        self.rows = vec![TxPathRow::default(); 64];
        self.engine.clear();
        (self.expiry, self.question, self.slice) = (None, None, None);
        self.queued = vec![0; 16];
        self.cycles = 0;
        self.free_at = 0;
        self.inits = 0;
        self.room = false;
    }
}

#[test]
fn every_decision_follows_from_the_order_of_the_events() {
    let report = matrix_with::<SchedBench>(&Plan { patience: 30_000, ..Plan::new(500) });
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("result", 5_000), ("work", 100), ("new", 500), ("no usable path", 50)]);
    report.demand(&[("resend", 200), ("no resend", 10), ("question", 100)]);
    report.demand(&[("expire", 50), ("a PROBE for a resend", 20), ("expiry probe", 50), ("dead", 50)]);
    report.demand(&[("the window is full", 20), ("the last of the window", 20)]);
    report.demand(&[("an expiry found nothing in flight", 20), ("an expiry before INIT", 20)]);
}
