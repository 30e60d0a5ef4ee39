//! The sending end: the transmit path engine and its timers, with the simplest scheduler that obeys section
//! 5.

use crate::net::Route;
use crate::plan::{Plan, TICK};
use crate::receiver::{Ack, Packet};
use crate::routes::Routes;
use crate::truth::{Judge, PathTruth, Tally};
use heddle_model::map::{RingMap, WINDOW};
use heddle_model::tx::path::{AckVerdict, TxOp, TxPathIn, TxPathOut, TxPaths};
use heddle_model::tx::reorder::ReorderRow;
use heddle_model::tx::rto::{Expiry, RtoConfig, RtoRow, SentAs};
use heddle_model::{Flag, Flags, Psn, Time32};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const RTO: RtoConfig = RtoConfig::DEFAULT;

/// What the scheduler keeps of each path.
struct Path {
    rto: RtoRow,
    reorder: ReorderRow,
    /// The newest count of arrivals: counters of an older ACK are not looked at.
    arrivals: u16,
    /// Packets; grows by what is newly acknowledged, as nothing here marks congestion.
    cwnd: u16,
    /// The engine's last result: base, next, packets in flight and waiting.
    seen: TxPathOut,
    /// What the timer asked for; sent while the timer waits for it.
    expiry: Expiry,
    probed: bool,
    /// Without progress since the last change of route there is no voluntary one.
    may_change_route: bool,
    /// Which packet of the transfer travels under each PSN.
    index: [u32; WINDOW as usize],
    truth: PathTruth,
}

pub struct Sender {
    plan: Plan,
    engine: TxPaths,
    paths: Vec<Path>,
    pub routes: Routes,
    rng: ChaCha8Rng,
    queued: u32,
    sent: u32,
    pub acked: u32,
    turn: usize,
}

impl Sender {
    pub fn new(plan: &Plan, first: impl Fn(u16) -> Psn, ticks: Time32) -> Self {
        let mut engine = TxPaths::new(plan.paths);
        let paths = (0..plan.paths).map(|path| {
            let init = TxPathIn { op: TxOp::Init, path, cum: first(path), now: ticks, ..TxPathIn::default() };
            let mut seen = engine.apply(&init);
            // The route count starts close to its wrap.
            for _ in 0..255 - plan.routes_before_wrap {
                seen = engine.apply(&TxPathIn { op: TxOp::Voluntary, ..init });
            }
            Path {
                rto: RtoRow::default(),
                reorder: ReorderRow::default(),
                arrivals: 0,
                cwnd: plan.cwnd,
                seen,
                expiry: Expiry::Probe,
                probed: false,
                may_change_route: false,
                index: [0; WINDOW as usize],
                truth: PathTruth::default(),
            }
        });
        Self {
            paths: paths.collect(),
            engine,
            routes: Routes::new(plan),
            rng: ChaCha8Rng::seed_from_u64(plan.seed ^ 0x7365_6e64_6572_0000),
            queued: if plan.gated { plan.message.min(plan.packets) } else { plan.packets },
            sent: 0,
            acked: 0,
            turn: 0,
            plan: plan.clone(),
        }
    }

    pub fn is_done(&self) -> bool {
        self.acked == self.plan.packets
    }

    /// One operation of the engine; `judge` is who answers for the packets that it takes for lost.
    fn apply(&mut self, input: TxPathIn, judge: Judge, tally: &mut Tally) -> TxPathOut {
        let before = self.engine.row(input.path).maps();
        let out = self.engine.apply(&input);
        let after = self.engine.row(input.path).maps();
        let path = &mut self.paths[usize::from(input.path)];
        let mut taken_for_lost = after[1] & !before[1];
        if let (TxOp::Expire, Some(psn)) = (input.op, out.psn) {
            taken_for_lost = RingMap::of(psn) & !before[1];
        }
        path.truth.judged(taken_for_lost, judge, tally);
        match input.op {
            TxOp::Resend => path.reorder.on_resend(),
            TxOp::Expire => path.reorder.on_given_up(1),
            TxOp::VoluntaryTimeout | TxOp::Dead => path.reorder.on_given_up(out.waiting),
            _ => {}
        }
        path.seen = out;
        check(&out, after, tally);
        out
    }

    fn simple(&mut self, op: TxOp, path: usize, now: Time32, tally: &mut Tally) -> TxPathOut {
        self.apply(TxPathIn { op, path: path as u16, now, ..TxPathIn::default() }, Judge::Timer, tally)
    }

    /// The next packet for a port of `plane`: expiries, then resends, then new packets by most free cwnd.
    pub fn next(&mut self, plane: u32, now: Time32, tally: &mut Tally) -> Option<(Packet, Route)> {
        let count = self.paths.len();
        let order: Vec<usize> = (0..count).map(|i| (self.turn + i) % count).collect();
        let on_plane = |i: &usize| self.routes.plane_of(*i) == plane;
        let of_plane: Vec<usize> = order.into_iter().filter(on_plane).collect();
        let expired = of_plane.iter().find(|i| self.paths[**i].rto.awaits_send());
        let resending = of_plane.iter().find(|i| {
            let path = &self.paths[**i];
            path.seen.waiting > 0 && path.seen.inflight - path.seen.waiting < path.cwnd
        });
        let (path, packet) = if let Some(&i) = expired {
            (i, self.answer_expiry(i, now, tally))
        } else if let Some(&i) = resending {
            let out = self.simple(TxOp::Resend, i, now, tally);
            (i, self.resend(i, &out, out.waiting == 0, now, tally))
        } else {
            let i = self.most_free(&of_plane)?;
            (i, self.send_new(i, now, tally))
        };
        self.turn = (path + 1) % count;
        let sent_as = match (expired, resending) {
            (Some(_), _) => SentAs::Awaited,
            (None, Some(_)) => SentAs::Resend,
            (None, None) => SentAs::New,
        };
        let random = self.rng.gen();
        self.paths[path].rto.on_sent(sent_as, now, &RTO, random);
        Some((packet, self.routes.of(path)))
    }

    fn most_free(&self, of_plane: &[usize]) -> Option<usize> {
        if self.sent == self.queued {
            return None;
        }
        let free = |i: usize| {
            let path = &self.paths[i];
            let room = path.seen.next.distance_from(path.seen.base) < WINDOW;
            let free = path.cwnd.saturating_sub(path.seen.inflight);
            if room && path.rto.usable() {
                free
            } else {
                0
            }
        };
        let best = of_plane.iter().map(|i| free(*i)).max()?;
        of_plane.iter().copied().find(|i| best > 0 && free(*i) == best)
    }

    fn packet(&self, path: usize, psn: Option<Psn>, flags: &[Option<Flag>], now: Time32) -> Packet {
        let index = psn.map_or(0, |psn| self.paths[path].index[usize::from(psn.ring_index())]);
        let flags: Flags = flags.iter().flatten().copied().collect();
        let route_count = self.paths[path].seen.route;
        Packet { path: path as u16, psn, index, flags, ts: now, route_count }
    }

    fn answer_expiry(&mut self, path: usize, now: Time32, tally: &mut Tally) -> Packet {
        if self.paths[path].expiry == Expiry::Probe {
            tally.probes += 1;
            let repeat = std::mem::replace(&mut self.paths[path].probed, true).then_some(Flag::Retx);
            return self.packet(path, None, &[repeat], now);
        }
        let out = self.simple(TxOp::Expire, path, now, tally);
        self.resend(path, &out, true, now, tally)
    }

    fn resend(&mut self, path: usize, out: &TxPathOut, ask: bool, now: Time32, tally: &mut Tally) -> Packet {
        tally.resends += 1;
        if !out.ok {
            tally.violation(format!("{:?} found nothing to resend", out.op));
        }
        self.packet(path, out.psn, &[Some(Flag::Retx), ask.then_some(Flag::AckReq)], now)
    }

    fn send_new(&mut self, path: usize, now: Time32, tally: &mut Tally) -> Packet {
        let out = self.simple(TxOp::Sent, path, now, tally);
        let Some(psn) = out.psn else {
            tally.violation("the window was full".to_owned());
            return self.packet(path, None, &[], now);
        };
        let state = &mut self.paths[path];
        state.index[usize::from(psn.ring_index())] = self.sent;
        self.sent += 1;
        let last_of_cwnd = out.inflight >= state.cwnd || out.next.distance_from(out.base) == WINDOW;
        let last_queued = self.queued - self.sent < self.paths.len() as u32;
        let last = self.sent % self.plan.message == 0 || self.sent == self.plan.packets;
        let flags = [(last_of_cwnd || last_queued).then_some(Flag::AckReq), last.then_some(Flag::Last)];
        self.packet(path, Some(psn), &flags, now)
    }

    /// The fate of the transmission just handed out.
    pub fn left(&mut self, packet: &Packet, lost: bool, tally: &mut Tally) {
        if let Some(psn) = packet.psn {
            self.paths[usize::from(packet.path)].truth.sent(psn, lost, tally);
        }
    }

    pub fn on_ack(&mut self, ack: &Ack, now: u64, ticks: Time32, tally: &mut Tally) {
        let path = &self.paths[usize::from(ack.path)];
        let guard = self.plan.reorder_guard.unwrap_or(path.reorder.guard(!path.rto.usable()));
        let input = TxPathIn {
            op: TxOp::Ack,
            path: ack.path,
            cum: ack.cum,
            high: ack.high,
            route: ack.route_count,
            ts: ack.ts,
            now: ticks,
            reorder: guard,
            sack: ack.sack,
        };
        let out = self.apply(input, Judge::Evidence, tally);
        match out.bad {
            AckVerdict::Good => {}
            AckVerdict::Stale => tally.stale += 1,
            AckVerdict::Invalid => {
                tally.invalid += 1;
                tally.violation(format!("invalid: {ack:?} against {out:?}"));
            }
        }
        if !out.ok {
            return;
        }
        let state = &mut self.paths[usize::from(ack.path)];
        let elapsed = ticks.distance_from(ack.ts).wrapping_sub(ack.hold.into());
        let sample = (ack.hold != u16::MAX).then_some(elapsed);
        if ack.arrivals.wrapping_sub(state.arrivals) < 1 << 15 {
            state.arrivals = ack.arrivals;
            state.reorder.on_ack(ack.dup_count, out.newly);
        }
        state.rto.on_ack(sample, out.newly, out.inflight, ticks, &RTO);
        if out.newly > 0 {
            state.cwnd = (state.cwnd + out.newly).min(WINDOW as u16);
            state.probed = false;
            state.may_change_route = true;
            if ack.route_count == out.route {
                self.routes.progressed(ack.path.into(), now);
            }
            self.acked += u32::from(out.newly);
            if self.acked == self.queued {
                self.queued = (self.queued + self.plan.message).min(self.plan.packets);
            }
        }
    }

    /// When the timer of `path` expires, if it runs.
    pub fn deadline(&self, path: usize) -> Option<Time32> {
        self.paths[path].rto.deadline()
    }

    /// Looks at the timer of `path`.
    pub fn scan(&mut self, path: usize, now: u64, ticks: Time32, tally: &mut Tally) {
        let random = self.rng.gen();
        let Some(expiry) = self.paths[path].rto.expired(ticks, &RTO, random) else { return };
        tally.expiries += 1;
        self.routes.expired(path, now);
        if expiry == Expiry::Dead {
            tally.deaths += 1;
            self.paths[path].may_change_route = false;
            self.simple(TxOp::Dead, path, ticks, tally);
            self.routes.died(path, now);
        } else {
            self.paths[path].expiry = expiry;
        }
    }

    /// Changes the route of `path` if it may; returns how long the old one has from now on, in picoseconds.
    // REQ-TX-8
    pub fn change_route(&mut self, path: usize, ticks: Time32, tally: &mut Tally) -> Option<u64> {
        let state = &mut self.paths[path];
        if !std::mem::take(&mut state.may_change_route) || !state.rto.usable() {
            return None;
        }
        self.simple(TxOp::Voluntary, path, ticks, tally);
        self.routes.changed(path, self.rng.gen_range(1..=8));
        let rto = u64::from(self.paths[path].rto.rto_ticks(&RTO)) * TICK;
        Some(if self.plan.reorder_acks > 0 { 2 * rto } else { rto })
    }

    pub fn give_up_old_route(&mut self, path: usize, ticks: Time32, tally: &mut Tally) {
        self.simple(TxOp::VoluntaryTimeout, path, ticks, tally);
    }

    /// Whatever is left behind when everything is acknowledged.
    pub fn check_empty(&self, tally: &mut Tally) {
        for (i, path) in self.paths.iter().enumerate() {
            let maps = self.engine.row(i as u16).maps();
            if path.seen.inflight != 0 || path.seen.base != path.seen.next || maps != [RingMap::EMPTY; 4] {
                tally.violation(format!("path {i} ends with {:?} and {maps:?}", path.seen));
            }
        }
    }
}

/// The invariants of a row.
fn check(out: &TxPathOut, [acked, lost, resent, old]: [RingMap; 4], tally: &mut Tally) {
    let span = out.next.distance_from(out.base);
    let flying = if span <= WINDOW { RingMap::range(out.base, span) } else { RingMap::EMPTY };
    let disjoint = (acked & (lost | resent)).is_empty() && (lost & resent).is_empty();
    let inside = ((acked | lost | resent) & !flying).is_empty() && (old & !resent).is_empty();
    if span > WINDOW || !disjoint || !inside || span - acked.count() != u32::from(out.inflight) {
        tally.violation(format!("{out:?}: acked {acked:?} lost {lost:?} resent {resent:?} old {old:?}"));
    }
}
