//! The transmit path engine and a plain scheduler around it: a fixed cwnd, timers with one fixed RTO, two routes per path.

use super::channel::{Channel, Network};
use super::oracle::{Cause, Oracle};
use super::PATHS;
use heddle_model::map::RingMap;
use heddle_model::tx::path::{TxOp, TxPathIn, TxPathOut, TxPathRow};
use heddle_testbench::duts::TxPath;
use heddle_testbench::Dut;
use heddle_wire::{Psn, Time32};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Packets in flight per path.
const CWND: u16 = 256;

/// A packet on its way.
#[derive(Clone, Debug)]
pub struct Packet {
    pub path: usize,
    pub psn: Psn,
    pub ts: Time32,
    pub route: u8,
    pub ack_req: bool,
    pub probe: bool,
}

/// An acknowledgement on its way.
#[derive(Clone, Debug)]
pub struct Ack {
    pub path: usize,
    pub cum: Psn,
    pub high: Psn,
    pub route: u8,
    pub ts: Time32,
    pub sack: RingMap,
}

#[derive(Clone, Copy, Default)]
struct Path {
    left: u32,
    base: Psn,
    next: Psn,
    inflight: u16,
    waiting: u16,
    /// An operation other than an ACK is in the engine.
    busy: bool,
    deadline: Option<u64>,
    expiries: u32,
    /// When a voluntary change may be followed by giving the old route up.
    drain: Option<u64>,
}

/// The engine, its model, and the scheduler.
pub struct Sender {
    dut: TxPath,
    rows: Vec<TxPathRow>,
    rng: ChaCha8Rng,
    paths: Vec<Path>,
    first: Vec<Psn>,
    queue: VecDeque<TxPathIn>,
    words: VecDeque<u64>,
    expected: VecDeque<TxPathOut>,
    route_changes: bool,
    rto: u64,
    turn: usize,
    pub crossed: u64,
    pub compared: u64,
    pub most_in_flight: u16,
}

impl Sender {
    /// `packets` to send on each path; PSNs start shortly before the wrap on half of the paths.
    pub fn new(network: Network, seed: u64, packets: u32, route_changes: bool) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x5E4D);
        let mut dut = TxPath::power_on(seed as u32);
        dut.reset(2);
        let first = |path: usize, rng: &mut ChaCha8Rng| match path % 2 {
            0 => Psn::new(Psn::MASK - rng.gen_range(0..packets)),
            _ => Psn::new(rng.gen()),
        };
        let first: Vec<Psn> = (0..PATHS).map(|path| first(path, &mut rng)).collect();
        let init = |path: usize| TxPathIn {
            op: TxOp::Init,
            path: path as u16,
            cum: first[path],
            now: Self::time(0),
            ..TxPathIn::default()
        };
        Self {
            dut,
            rows: vec![TxPathRow::default(); PATHS],
            queue: (0..PATHS).map(init).collect(),
            paths: first
                .iter()
                .map(|&psn| Path { left: packets, base: psn, next: psn, ..Path::default() })
                .collect(),
            first,
            rng,
            words: VecDeque::new(),
            expected: VecDeque::new(),
            route_changes,
            // Above the longest round trip.
            rto: 2 * network.delay[0].max(network.delay[1]) + 3_000,
            turn: 0,
            crossed: 0,
            compared: 0,
            most_in_flight: 0,
        }
    }

    /// Timestamps wrap early in each transfer.
    pub fn time(cycle: u64) -> Time32 {
        Time32::new((cycle as u32).wrapping_sub(20_000))
    }

    /// A path's first PSN.
    pub fn first(&self, path: usize) -> Psn {
        self.first[path]
    }

    /// One clock cycle.
    pub fn cycle(
        &mut self,
        cycle: u64,
        acks: &mut Channel<Ack>,
        data: &mut Channel<Packet>,
        oracle: &mut Oracle,
    ) {
        while let Some(ack) = acks.receive(cycle) {
            self.words.extend(ack.sack.words());
            self.queue.push_back(TxPathIn {
                op: TxOp::Ack,
                path: ack.path as u16,
                cum: ack.cum,
                high: ack.high,
                route: ack.route,
                ts: ack.ts,
                now: Time32::default(),
                reorder: 0,
                sack: ack.sack,
            });
        }
        if self.queue.is_empty() {
            self.schedule(cycle, oracle);
        }
        self.drive(cycle);
        self.dut.eval();
        if self.dut.sk_valid() && self.dut.sk_ready() {
            self.words.pop_front();
        }
        if self.dut.in_valid() && self.dut.in_ready() {
            self.take(cycle);
        }
        if self.dut.out_valid() {
            self.result(cycle, data, oracle);
        }
        self.dut.tick();
    }

    /// Looks at one path: expiry, resend, new packet, route change, in this order.
    fn schedule(&mut self, cycle: u64, oracle: &mut Oracle) {
        self.turn = (self.turn + 1) % PATHS;
        let index = self.turn;
        let path = &mut self.paths[index];
        if path.busy {
            return;
        }
        let change = self.route_changes && path.drain.is_none() && path.inflight > 0 && path.expiries == 0;
        let op = if path.deadline.is_some_and(|at| at <= cycle) {
            path.expiries += 1;
            path.deadline = None;
            if path.expiries % 2 == 0 {
                TxOp::Dead
            } else {
                TxOp::Expire
            }
        } else if path.drain.is_some_and(|at| at <= cycle) {
            TxOp::VoluntaryTimeout
        } else if path.waiting > 0 && path.inflight - path.waiting < CWND {
            TxOp::Resend
        } else if change && self.rng.gen_ratio(1, 50) {
            TxOp::Voluntary
        } else if path.left > 0
            && path.expiries == 0
            && path.inflight < CWND
            && path.next.distance_from(path.base) < 256
        {
            path.left -= 1;
            TxOp::Sent
        } else {
            return;
        };
        match op {
            // Everything unreceived is lost by the timer's word, not by evidence.
            TxOp::Dead | TxOp::VoluntaryTimeout => {
                let span = path.next.distance_from(path.base);
                oracle.on_timer(index, (0..span).map(|n| path.base.plus(n).get()));
                path.drain = None;
            }
            TxOp::Voluntary => path.drain = Some(cycle + self.rto),
            _ => {}
        }
        path.busy = true;
        self.queue.push_back(TxPathIn { op, path: index as u16, ..TxPathIn::default() });
    }

    fn drive(&mut self, cycle: u64) {
        self.dut.set_sk_valid(!self.words.is_empty());
        self.dut.set_sk_word(self.words.front().copied().unwrap_or_default());
        // An ACK's words go before it: none of the words that wait may be its own.
        let acks = self.queue.iter().filter(|op| op.op == TxOp::Ack).count();
        let ready = |op: &TxPathIn| op.op != TxOp::Ack || self.words.len() <= 4 * (acks - 1);
        let front = self.queue.front().filter(|op| ready(op)).copied();
        self.dut.set_in_valid(front.is_some());
        let Some(op) = front else { return };
        self.dut.set_in_op(op.op as u8);
        self.dut.set_in_path(op.path as u8);
        self.dut.set_in_cum(op.cum.get());
        self.dut.set_in_high(op.high.get());
        self.dut.set_in_route(op.route);
        self.dut.set_in_ts(op.ts.get());
        self.dut.set_in_now(Self::time(cycle).get());
        self.dut.set_in_reorder(op.reorder);
    }

    fn take(&mut self, cycle: u64) {
        let Some(mut op) = self.queue.pop_front() else { return };
        op.now = Self::time(cycle);
        self.crossed += 1;
        self.expected.push_back(self.rows[usize::from(op.path)].apply(&op));
    }

    fn result(&mut self, cycle: u64, data: &mut Channel<Packet>, oracle: &mut Oracle) {
        let want = self.expected.pop_front().expect("a result nobody asked for");
        let dut = &self.dut;
        let got = (dut.out_op(), dut.out_path(), dut.out_ok(), dut.out_bad(), dut.out_route());
        let rest = (want.op as u8, want.path as u8, want.ok, want.bad as u8, want.route);
        assert_eq!(got, rest, "{want:?}");
        let got = (dut.out_base(), dut.out_next(), dut.out_inflight(), dut.out_waiting(), dut.out_lost());
        let rest = (want.base.get(), want.next.get(), want.inflight, want.waiting, want.lost);
        assert_eq!(got, rest, "{want:?}");
        let psn = want.psn.map(|psn| psn.get());
        assert!(psn.is_none_or(|psn| psn == dut.out_psn()), "psn {:#x}, {want:?}", dut.out_psn());
        let newly = if want.op == TxOp::Ack && want.ok { dut.out_newly() } else { want.newly };
        assert_eq!((newly, dut.out_now()), (want.newly, want.now.get()), "{want:?}");
        self.compared += 1;
        self.update(cycle, &want);
        if let Some(psn) = want.psn {
            let cause = match want.op {
                TxOp::Sent => Cause::New,
                TxOp::Resend => Cause::Resend,
                _ => Cause::Expiry,
            };
            let path = usize::from(want.path);
            let ack_req = want.op == TxOp::Expire || self.paths[path].left == 0;
            let packet = Packet { path, psn, ts: want.now, route: want.route, ack_req, probe: false };
            // The route decides the plane, so a path's packets are FIFO on each route.
            let delivered = data.send(cycle, usize::from(want.route % 2), packet);
            oracle.on_sent(path, psn.get(), cause, delivered);
        }
    }

    fn update(&mut self, cycle: u64, result: &TxPathOut) {
        let path = &mut self.paths[usize::from(result.path)];
        let progress = result.op == TxOp::Ack && result.ok && (result.newly > 0 || result.base != path.base);
        path.busy &= result.op == TxOp::Ack;
        path.base = result.base;
        path.next = result.next;
        (path.inflight, path.waiting) = (result.inflight, result.waiting);
        self.most_in_flight = self.most_in_flight.max(result.inflight);
        if progress {
            path.expiries = 0;
        }
        if progress || result.psn.is_some() || result.op == TxOp::Dead {
            path.deadline = Some(cycle + (self.rto << path.expiries.min(4)));
        }
        if result.inflight == 0 {
            path.deadline = None;
        }
    }

    /// Every packet is sent and acknowledged.
    pub fn is_done(&self) -> bool {
        let quiet = self.queue.is_empty() && self.expected.is_empty();
        quiet && self.paths.iter().all(|path| path.left == 0 && path.inflight == 0 && !path.busy)
    }

    /// For a failure.
    pub fn state(&self) -> String {
        let open: Vec<_> =
            self.paths.iter().enumerate().filter(|(_, path)| path.left > 0 || path.inflight > 0).collect();
        let first = open.first().map(|(n, p)| {
            format!("path {n}: {} left, {} in flight, {} waiting", p.left, p.inflight, p.waiting)
        });
        format!("sender: {} paths open, {:?}, {} queued", open.len(), first, self.queue.len())
    }
}
