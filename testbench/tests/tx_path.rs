//! Transmit path engine in lockstep with the model, under histories of lossy paths (see
//! `tx_path/history.rs`).

#[path = "tx_path/examples.rs"]
mod examples;
#[path = "tx_path/history.rs"]
mod history;
#[path = "tx_path/situations.rs"]
mod situations;
#[path = "tx_path/timing.rs"]
mod timing;

use heddle_model::map::RingMap;
use heddle_model::tx::path::{AckVerdict, TxOp, TxPathIn, TxPathOut, TxPathRow};
use heddle_testbench::duts::TxPath;
use heddle_testbench::lockstep::{
    matrix, Bench, Channel, Check, Driver, Input, Link, Monitor, Output, Setup,
};
use heddle_testbench::Dut;
use heddle_wire::{Psn, Time32};
use history::History;
use rand_chacha::ChaCha8Rng;
use situations::{cover, SITUATIONS};
use std::collections::VecDeque;

const PATHS: usize = 64;
/// Cycles from the transfer of an operation to its result. Source: docs/architecture.md.
const LATENCY: u64 = 20;

/// Operations per run.
const TRANSACTIONS: u64 = 6_000;

const OPS: [TxOp; 8] = [
    TxOp::Ack,
    TxOp::Resend,
    TxOp::Expire,
    TxOp::Voluntary,
    TxOp::VoluntaryTimeout,
    TxOp::Dead,
    TxOp::Sent,
    TxOp::Init,
];

fn offer(dut: &mut TxPath, op: &TxPathIn) {
    dut.set_in_valid(true);
    dut.set_in_op(op.op as u8);
    dut.set_in_path(op.path as u8);
    dut.set_in_cum(op.cum.get());
    dut.set_in_high(op.high.get());
    dut.set_in_route(op.route);
    dut.set_in_ts(op.ts.get());
    dut.set_in_now(op.now.get());
    dut.set_in_reorder(op.reorder);
}

/// The operation on the ports; the SACK words travel on a link of their own.
fn offered(dut: &TxPath) -> TxPathIn {
    TxPathIn {
        op: OPS[usize::from(dut.in_op())],
        path: dut.in_path().into(),
        cum: Psn::new(dut.in_cum()),
        high: Psn::new(dut.in_high()),
        route: dut.in_route(),
        ts: Time32::new(dut.in_ts()),
        now: Time32::new(dut.in_now()),
        reorder: dut.in_reorder(),
        sack: RingMap::default(),
    }
}

fn result(dut: &TxPath) -> TxPathOut {
    let op = OPS[usize::from(dut.out_op())];
    let has_psn = dut.out_ok() && matches!(op, TxOp::Resend | TxOp::Expire | TxOp::Sent);
    TxPathOut {
        op,
        path: dut.out_path().into(),
        ok: dut.out_ok(),
        bad: match dut.out_bad() {
            0 => AckVerdict::Good,
            1 => AckVerdict::Invalid,
            2 => AckVerdict::Stale,
            other => panic!("out_bad is {other}"),
        },
        base: Psn::new(dut.out_base()),
        next: Psn::new(dut.out_next()),
        route: dut.out_route(),
        psn: has_psn.then(|| Psn::new(dut.out_psn())),
        newly: dut.out_newly(),
        inflight: dut.out_inflight(),
        waiting: dut.out_waiting(),
        lost: dut.out_lost(),
        now: Time32::new(dut.out_now()),
    }
}

struct Ports {
    sk: Link<u64>,
    op: Link<TxPathIn>,
    out: Link<TxPathOut>,
}

/// The model's engine.
struct Engine {
    sk: Input<u64>,
    op: Input<TxPathIn>,
    out: Output<TxPathOut>,
    words: VecDeque<u64>,
    rows: Vec<TxPathRow>,
}

impl Monitor for Engine {
    const NAME: &'static str = "tx_path";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        let taken = self.op.take(&ports.op, check);
        if let Some(mut op) = taken {
            if op.op == TxOp::Ack {
                match self.words.drain(..self.words.len().min(4)).collect::<Vec<_>>().try_into() {
                    Ok(words) => op.sack = RingMap::from_words(words),
                    Err(words) => check.mismatch("op", format!("ACK taken with {words:x?} for SACK words")),
                }
            }
            let row = &mut self.rows[usize::from(op.path)];
            let before = *row;
            let out = row.apply(&op);
            cover(&before, row, &op, &out, check);
            self.out.expect(out, check);
        }
        self.words.extend(self.sk.take(&ports.sk, check));
        self.out.compare(&ports.out, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.sk, &self.op, &self.out]
    }

    fn reset(&mut self) {
        self.sk.reset();
        self.op.reset();
        self.out.reset();
        self.words.clear();
    }
}

/// Histories of paths on the links of the engine; the SACK words run ahead of the operations as far as
/// they may.
struct Traffic {
    history: History,
    noise: ChaCha8Rng,
    ops: VecDeque<TxPathIn>,
    words: VecDeque<u64>,
    op: Driver<TxPathIn>,
    sk: Driver<u64>,
    transactions: u64,
}

/// Operations made ahead for the sake of their SACK words.
const AHEAD: usize = 24;

impl Traffic {
    fn make(&mut self) {
        if self.op.made() + (self.ops.len() as u64) < self.transactions {
            let op = self.history.step();
            if op.op == TxOp::Ack {
                self.words.extend(op.sack.words());
            }
            self.ops.push_back(op);
        }
    }
}

impl Bench for Traffic {
    type Dut = TxPath;
    type Monitor = Engine;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        // Every pair of patterns has a history of its own.
        let history = format!("history {} {}", setup.idle, setup.back);
        Self {
            history: History::new(setup.rng(&history), PATHS),
            noise: setup.rng("noise"),
            ops: VecDeque::new(),
            words: VecDeque::new(),
            op: Driver::new(setup.idle("op")),
            // The results cannot be stalled; the other pattern is that of the SACK words.
            sk: Driver::new(setup.back("sk")),
            transactions: setup.transactions,
        }
    }

    fn monitor(_: &Setup) -> Engine {
        Engine {
            sk: Input::side("sk"),
            op: Input::request("op"),
            out: Output::answer("out"),
            words: VecDeque::new(),
            rows: vec![TxPathRow::default(); PATHS],
        }
    }

    fn drive(&mut self, dut: &mut TxPath, _: &Engine) {
        while self.ops.is_empty() && self.op.made() < self.transactions {
            self.make();
        }
        let ops = &mut self.ops;
        match self.op.offer(|| ops.pop_front()) {
            Some(op) => offer(dut, op),
            None => {
                dut.set_in_valid(false);
                dut.noise("in_", &mut self.noise);
            }
        }
        while self.words.is_empty() && self.ops.len() < AHEAD {
            let made = self.ops.len();
            self.make();
            if self.ops.len() == made {
                break;
            }
        }
        let words = &mut self.words;
        match self.sk.offer(|| words.pop_front()) {
            Some(word) => {
                dut.set_sk_valid(true);
                dut.set_sk_word(*word);
            }
            None => {
                dut.set_sk_valid(false);
                dut.noise("sk_", &mut self.noise);
            }
        }
    }

    fn ports(dut: &TxPath) -> Ports {
        Ports {
            sk: Link::new(dut.sk_valid(), dut.sk_ready(), || dut.sk_word()),
            op: Link::new(dut.in_valid(), dut.in_ready(), || offered(dut)),
            out: Link::pulse(dut.out_valid(), || result(dut)),
        }
    }

    fn settle(&mut self, ports: &Ports) {
        self.op.settle(&ports.op);
        self.sk.settle(&ports.sk);
    }

    fn done(&self) -> bool {
        self.op.sent() == self.transactions
    }

    fn reset(&mut self) {
        self.history.reset();
        self.ops.clear();
        self.words.clear();
        self.op.reset();
        self.sk.reset();
    }
}

#[test]
fn histories_of_lossy_paths_match_the_model_under_every_stall_pattern() {
    let report = matrix::<Traffic>(TRANSACTIONS);
    let runs = 28 * heddle_testbench::lockstep::seeds().len() as u64;
    assert_eq!(report.crossed, runs * TRANSACTIONS, "operations taken");
    assert_eq!(report.compared + report.explained(), report.crossed);
    assert!(report.explained() < report.crossed / 50, "lost in resets: {:?}", report.reasons);
    assert_eq!(report.channels["out"], report.compared);
    assert_eq!(report.latency["out"], LATENCY..=LATENCY);
    let rare: Vec<_> = SITUATIONS.iter().map(|s| (*s, report.cover(s))).filter(|(_, n)| *n < 20).collect();
    assert!(rare.is_empty(), "hardly seen: {rare:?}\nall: {:#?}", report.covered);
}
