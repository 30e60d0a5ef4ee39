//! Transmit path engine in lockstep with the model, under histories of lossy paths (see
//! `tx_path/history.rs`).

#[path = "tx_path/examples.rs"]
mod examples;
#[path = "tx_path/history.rs"]
mod history;
#[path = "tx_path/timing.rs"]
mod timing;

use heddle_model::tx::path::{TxOp, TxPathIn};
use heddle_testbench::duts::TxPath;
use heddle_testbench::lockstep::{matrix, Bench, Driver, Setup};
use heddle_testbench::monitors::tx_path::situations::SITUATIONS;
use heddle_testbench::monitors::tx_path::{Engine, Ports};
use heddle_testbench::Dut;
use history::History;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

const PATHS: usize = 64;
/// Cycles from the transfer of an operation to its result. Source: docs/architecture.md.
const LATENCY: u64 = 20;

/// Operations per run.
const TRANSACTIONS: u64 = 6_000;

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
        Engine::new(PATHS)
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
        Ports::sample(dut)
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
