//! Cycles: latency, intervals, and what an ACK waits for.

use super::{offer, LATENCY, PATHS};
use heddle_model::tx::path::{TxOp, TxPathIn};
use heddle_testbench::duts::TxPath;
use heddle_testbench::Dut;
use std::collections::VecDeque;

/// Cycles between operations on different paths. Source: docs/architecture.md.
const INTERVAL: u64 = 4;

/// Runs `ops`, offered as fast as they are taken, with SACK words as fast as they are taken; gives the
/// cycles in which they were taken and in which their results came.
fn cycles(ops: &[TxPathIn]) -> (Vec<u64>, Vec<u64>) {
    let mut dut = TxPath::new();
    dut.reset(2);
    let mut words: VecDeque<u64> =
        ops.iter().filter(|op| op.op == TxOp::Ack).flat_map(|op| op.sack.words()).collect();
    let mut ops = ops.iter().peekable();
    let (mut taken, mut done) = (Vec::new(), Vec::new());
    for _ in 0..10_000 {
        dut.set_in_valid(ops.peek().is_some());
        ops.peek().into_iter().for_each(|op| offer(&mut dut, op));
        dut.set_sk_valid(!words.is_empty());
        dut.set_sk_word(words.front().copied().unwrap_or_default());
        dut.eval();
        if dut.in_valid() && dut.in_ready() {
            taken.push(dut.cycle());
            ops.next();
        }
        if dut.sk_valid() && dut.sk_ready() {
            words.pop_front();
        }
        if dut.out_valid() {
            done.push(dut.cycle());
        }
        dut.tick();
    }
    (taken, done)
}

fn gaps(cycles: &[u64]) -> Vec<u64> {
    cycles.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn operations_on_different_paths_are_taken_every_4_cycles_and_answered_20_later() {
    let on = |path: usize, op| TxPathIn { op, path: path as u16, ..TxPathIn::default() };
    let ops: Vec<_> =
        (0..200).map(|i| on(i % PATHS, if i < PATHS { TxOp::Init } else { TxOp::Sent })).collect();
    let (taken, done) = cycles(&ops);
    assert_eq!((taken.len(), done.len()), (200, 200));
    assert!(gaps(&taken).iter().all(|gap| *gap == INTERVAL), "{taken:?}");
    assert!(taken.iter().zip(&done).all(|(t, d)| d - t == LATENCY));
}

#[test]
fn acks_on_different_paths_are_taken_every_4_cycles_with_their_sack_words() {
    let on = |path: usize, op| TxPathIn { op, path: path as u16, ..TxPathIn::default() };
    let ops: Vec<_> =
        (0..200).map(|i| on(i % PATHS, if i < PATHS { TxOp::Init } else { TxOp::Ack })).collect();
    let (taken, done) = cycles(&ops);
    assert_eq!((taken.len(), done.len()), (200, 200));
    assert!(gaps(&taken).iter().all(|gap| *gap == INTERVAL), "{taken:?}");
}

#[test]
fn operations_on_one_path_are_taken_every_20_cycles() {
    let ops: Vec<_> = (0..50)
        .map(|i| TxPathIn {
            op: if i == 0 { TxOp::Init } else { TxOp::Sent },
            path: 9,
            ..TxPathIn::default()
        })
        .collect();
    let (taken, done) = cycles(&ops);
    assert_eq!((taken.len(), done.len()), (50, 50));
    assert!(gaps(&taken).iter().all(|gap| *gap == LATENCY), "{taken:?}");
}

#[test]
fn an_ack_is_not_taken_before_its_four_sack_words() {
    let mut dut = TxPath::new();
    dut.reset(2);
    offer(&mut dut, &TxPathIn::default());
    for word in 0..4 {
        for _ in 0..9 {
            dut.eval();
            assert!(!dut.in_ready(), "taken with {word} words");
            dut.tick();
        }
        dut.set_sk_valid(true);
        dut.eval();
        assert!(dut.sk_ready());
        dut.tick();
        dut.set_sk_valid(false);
    }
    let wait = (0..8).position(|_| {
        dut.eval();
        let ready = dut.in_ready();
        dut.tick();
        ready
    });
    assert!(wait.is_some_and(|cycles| cycles < 4), "{wait:?}");
}
