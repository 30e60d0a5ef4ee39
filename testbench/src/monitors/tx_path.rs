//! The transmit path engine's monitor: operations and SACK words in, results out.

pub mod situations;

use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::views::TxPathView;
use heddle_model::map::RingMap;
use heddle_model::tx::path::{AckVerdict, TxOp, TxPathIn, TxPathOut, TxPathRow};
use heddle_wire::{Psn, Time32};
use std::collections::VecDeque;

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

/// The links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// SACK word of the next ACK.
    pub sk: Link<u64>,
    /// Operation; its SACK words travel on their own link.
    pub op: Link<TxPathIn>,
    /// Result.
    pub out: Link<TxPathOut>,
}

fn operation(view: &impl TxPathView) -> TxPathIn {
    TxPathIn {
        op: OPS[usize::from(view.in_op().u8())],
        path: view.in_path().u16(),
        cum: Psn::new(view.in_cum().u32()),
        high: Psn::new(view.in_high().u32()),
        route: view.in_route().u8(),
        ts: Time32::new(view.in_ts().u32()),
        now: Time32::new(view.in_now().u32()),
        reorder: view.in_reorder().u8(),
        sack: RingMap::default(),
    }
}

/// The result on the ports.
///
/// # Panics
/// When the verdict is none of the three.
pub fn result(view: &impl TxPathView) -> TxPathOut {
    let (op, ok) = (OPS[usize::from(view.out_op().u8())], view.out_ok().bit());
    let has_psn = ok && matches!(op, TxOp::Resend | TxOp::Expire | TxOp::Sent);
    TxPathOut {
        op,
        path: view.out_path().u16(),
        ok,
        bad: match view.out_bad().u8() {
            0 => AckVerdict::Good,
            1 => AckVerdict::Invalid,
            2 => AckVerdict::Stale,
            other => panic!("out_bad is {other}"),
        },
        base: Psn::new(view.out_base().u32()),
        next: Psn::new(view.out_next().u32()),
        route: view.out_route().u8(),
        psn: has_psn.then(|| Psn::new(view.out_psn().u32())),
        newly: view.out_newly().u16(),
        inflight: view.out_inflight().u16(),
        waiting: view.out_waiting().u16(),
        lost: view.out_lost().bit(),
        now: Time32::new(view.out_now().u32()),
    }
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl TxPathView) -> Self {
        Self {
            sk: Link::new(view.sk_valid().bit(), view.sk_ready().bit(), || view.sk_word().u64()),
            op: Link::new(view.in_valid().bit(), view.in_ready().bit(), || operation(view)),
            out: Link::pulse(view.out_valid().bit(), || result(view)),
        }
    }
}

/// The model's engine.
#[derive(Debug)]
pub struct Engine {
    sk: Input<u64>,
    op: Input<TxPathIn>,
    out: Output<TxPathOut>,
    words: VecDeque<u64>,
    rows: Vec<TxPathRow>,
}

impl Engine {
    /// A monitor of an engine with `paths` paths.
    pub fn new(paths: usize) -> Self {
        Self {
            sk: Input::side("sk"),
            op: Input::request("op").chosen_anew(),
            out: Output::answer("out"),
            words: VecDeque::new(),
            rows: vec![TxPathRow::default(); paths],
        }
    }
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
            situations::cover(&before, row, &op, &out, check);
            self.out.expect(out, check);
        }
        self.words.extend(self.sk.take(&ports.sk, check));
        self.out.compare(&ports.out, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.sk, &self.op, &self.out]
    }

    /// The rows keep what they hold.
    fn reset(&mut self) {
        self.sk.reset();
        self.op.reset();
        self.out.reset();
        self.words.clear();
    }
}
