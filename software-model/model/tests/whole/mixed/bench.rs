//! Two sides that ask everything of each other, and what each has seen.

use super::plan::{memory, scribble, Effect, Op, Plan, Planner, Private};
use crate::world::{Link, Network, World};
use heddle_model::core::{CongestionConfig, Core, CoreConfig};
use heddle_model::operations::Operations;
use heddle_model::tx::msg::{Completion, WorkRequest};
use heddle_model::tx::route::RouteConfig;
use heddle_wire::serial::{Msn, Seq16};
use heddle_wire::{DropReason, Opcode, Status};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

const LINK: Link = Link { ends: [(0, 1), (1, 2)], tags: [0x1111, 0x2222] };
/// 1 s.
const LIMIT: u64 = 125_000_000;

/// What a side has seen of its own plan and of the other's.
struct Side {
    plan: Plan,
    /// Requests not yet handed in, and handed in and not completed, per stream.
    waiting: Vec<VecDeque<usize>>,
    out: Vec<VecDeque<usize>>,
    /// Messages that the other side's receives are still to complete with, per stream.
    messages: Vec<VecDeque<usize>>,
    /// The other side's receives that are not posted yet.
    unposted: VecDeque<usize>,
    /// Values of the shared counter that were seen.
    counted: Vec<u64>,
    completed: usize,
    received: usize,
}

impl Side {
    fn new(plan: Plan, streams: u8) -> Self {
        let of = |wanted: &dyn Fn(&Op) -> bool| {
            let stream = |stream| {
                let mine = plan.ops.iter().enumerate();
                mine.filter(|(_, op)| op.request.stream == stream && wanted(op)).map(|(at, _)| at).collect()
            };
            (0..streams).map(stream).collect::<Vec<VecDeque<usize>>>()
        };
        let (waiting, messages) = (of(&|_| true), of(&|op| op.opcode().consumes_receive()));
        let out = vec![VecDeque::new(); usize::from(streams)];
        let unposted = (0..plan.receives.len()).collect();
        Self { plan, waiting, out, messages, unposted, counted: vec![], completed: 0, received: 0 }
    }

    fn is_over(&self) -> bool {
        self.completed == self.plan.ops.len() && self.received == self.plan.receives.len()
    }
}

pub struct Bench {
    world: World,
    sides: [Side; 2],
    /// Memory as it must be at the end.
    want: [Vec<u8>; 2],
    first: Msn,
    planes: Vec<(u64, usize, bool)>,
    carriers: bool,
    sparse: bool,
    rng: ChaCha8Rng,
    seed: u64,
}

pub struct Shape {
    pub network: Network,
    pub streams: u32,
    pub count: u64,
    /// Receives that can be posted at a time.
    pub receives: u32,
    /// Where msn and receives start.
    pub first: (u32, u16),
    /// Congestion control on.
    pub hints: bool,
    /// Paths may leave their routes.
    pub routes: bool,
    /// Planes that die and come back: tick, plane, whether it is dead from then on.
    pub planes: Vec<(u64, usize, bool)>,
    /// The cores are told of it at once.
    pub carriers: bool,
    /// Little is asked for at a time, with pauses up to 4 s.
    pub sparse: bool,
}

impl Default for Shape {
    fn default() -> Self {
        let (network, streams, count, receives, first) = (Network::default(), 16, 300, 64, (0, 0));
        let (hints, routes, planes, carriers, sparse) = (false, false, vec![], false, false);
        Self { network, streams, count, receives, first, hints, routes, planes, carriers, sparse }
    }
}

impl Bench {
    pub fn new(shape: Shape, seed: u64) -> Self {
        let Shape { network, streams, count, receives, first, hints, routes, planes, carriers, sparse } =
            shape;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (slots, operations) = (64 / streams, Operations::ALL);
        let config = CoreConfig {
            connections: 4,
            streams,
            slots,
            receives,
            operations,
            routes: routes.then(|| RouteConfig::new(4).expect("four planes")),
            congestion: hints.then(|| CongestionConfig::new(125_000, 1250, 4).expect("100 Gb/s")),
            life: true,
            ..Default::default()
        };
        let mut world = World::new(2, config, network, seed);
        for core in &mut world.cores {
            let config = CoreConfig { seed: rng.gen(), ..config };
            *core = Core::starting_at(config, Msn::new(first.0), Seq16::new(first.1));
            assert!(core.set_region(crate::world::REGION, crate::world::region()));
        }
        let memories = [0, 1].map(|_| memory(&mut rng));
        let mut private = [Private::new(), Private::new()];
        let mut want = memories.clone();
        let mut sides = vec![];
        for own in 0..2 {
            let (a, b) = private.split_at_mut(1);
            let (mine, other) = if own == 0 { (&mut a[0], &mut b[0]) } else { (&mut b[0], &mut a[0]) };
            let both = (&memories[own][..], &memories[1 - own][..]);
            let planner = Planner::new(&mut rng, both, mine, streams as u8);
            let plan = planner.plan(LINK.ends[own].1, count, other);
            let places = [(own, &plan.own), (1 - own, &plan.peer)];
            for (host, (at, bytes)) in
                places.iter().flat_map(|(host, all)| all.iter().map(|one| (*host, one)))
            {
                want[host][*at as usize..][..bytes.len()].copy_from_slice(bytes);
            }
            sides.push(Side::new(plan, streams as u8));
        }
        for (host, bytes) in world.hosts.iter_mut().zip(memories) {
            host.bytes = bytes;
        }
        assert!(world.connect(&LINK, 4));
        let sides = sides.try_into().unwrap_or_else(|_| unreachable!("two sides"));
        Self { world, sides, want, first: Msn::new(first.0), planes, carriers, sparse, rng, seed }
    }

    fn count(&self) -> u64 {
        self.sides.iter().map(|side| side.plan.ops.len() as u64).sum()
    }

    fn submit(&mut self, own: usize) {
        let side = &mut self.sides[own];
        for (waiting, out) in side.waiting.iter_mut().zip(&mut side.out) {
            // Where there are pauses, one now and then.
            let most = if self.sparse { self.rng.gen_ratio(1, 8).into() } else { usize::MAX };
            for _ in 0..most {
                let Some(&at) = waiting.front() else { break };
                if !self.world.submit(own, side.plan.ops[at].request) {
                    break;
                }
                out.push_back(at);
                waiting.pop_front();
            }
        }
    }

    /// The other side posts some of its receives, sometimes none for long.
    fn post(&mut self, own: usize) {
        let (peer, conn) = LINK.ends[1 - own];
        let some = if self.rng.gen_ratio(1, 4) { self.rng.gen_range(0..6) } else { 0 };
        for _ in 0..some {
            let side = &mut self.sides[own];
            let Some(&at) = side.unposted.front() else { return };
            if !self.world.cores[peer].post_receive(conn, side.plan.receives[at]) {
                return;
            }
            side.unposted.pop_front();
            self.world.stir(peer);
        }
    }

    fn completions(&mut self, own: usize) {
        while let Some(done) = self.world.completions[own].pop_front() {
            assert_eq!((done.status, done.conn), (Status::Success, LINK.ends[own].1), "seed {}", self.seed);
            if done.receive {
                self.received(own, &done);
            } else {
                self.completed(own, &done);
            }
        }
    }

    /// Messages of a stream are numbered in the order of its requests.
    fn number(&self, own: usize, at: usize) -> Msn {
        let ops = &self.sides[own].plan.ops;
        let before = ops[..at].iter().filter(|op| op.request.stream == ops[at].request.stream).count();
        self.first.plus(before as u32)
    }

    fn completed(&mut self, own: usize, done: &Completion) {
        let stream = usize::from(done.stream);
        let at = self.sides[own].out[stream].pop_front().expect("a request of the stream is out");
        let (seed, number) = (self.seed, self.number(own, at));
        let ops = &self.sides[own].plan.ops;
        let op = &ops[at];
        let WorkRequest { wr_id, opcode, local, length, .. } = op.request;
        let told = (done.wr_id, done.opcode, done.byte_len, done.msn);
        assert_eq!(told, (wr_id, opcode, length, number), "stream {stream}, seed {seed}");
        let hosts = &mut self.world.hosts;
        match &op.effect {
            Effect::Target(target, bytes) => {
                let got = &hosts[1 - own].bytes[*target as usize..][..bytes.len()];
                // In a pause a fenced WRITE may have landed on it before its completion is looked at.
                let again =
                    |later: &usize| matches!(ops[*later].effect, Effect::Target(to, _) if to == *target);
                let over = self.sparse && self.sides[own].out[stream].iter().any(again);
                assert!(got == bytes || over, "{:?}, seed {seed}", op.request);
            }
            Effect::Message(_) => {}
            Effect::Sink(bytes) if bytes.is_empty() => {}
            Effect::Sink(bytes) => {
                let got = &hosts[own].bytes[local as usize..][..bytes.len()];
                assert!(got == bytes, "{:?}, seed {seed}: {got:x?} {bytes:x?}", op.request);
            }
            Effect::Shared => {
                let got = &hosts[own].bytes[local as usize..][..8];
                let value = u64::from_le_bytes(got.try_into().expect("8 bytes"));
                self.sides[own].counted.push(value);
            }
        }
        scribble(&mut hosts[own].bytes, local, length);
        self.sides[own].completed += 1;
    }

    fn received(&mut self, own: usize, done: &Completion) {
        let stream = usize::from(done.stream);
        let at = self.sides[1 - own].messages[stream].pop_front().expect("a message of the stream");
        let (seed, number) = (self.seed, self.number(1 - own, at));
        let side = &mut self.sides[1 - own];
        let op = &side.plan.ops[at];
        let WorkRequest { opcode, length, imm, .. } = op.request;
        let imm = (opcode != Opcode::Send.code()).then_some(imm);
        let told = (done.opcode, done.byte_len, done.msn, done.imm);
        assert_eq!(told, (opcode, length, number, imm), "stream {stream}, seed {seed}");
        let receive = side.plan.receives.iter().find(|receive| receive.wr_id == done.wr_id);
        let receive = receive.expect("a receive of the plan");
        let memory = &mut self.world.hosts[own].bytes;
        let sink = &memory[receive.address as usize..][..receive.length as usize];
        let filled = match &op.effect {
            Effect::Message(bytes) => bytes.as_slice(),
            _ => &[],
        };
        assert!(sink.starts_with(filled), "{:?}, seed {seed}", op.request);
        let rest = &sink[filled.len()..];
        assert!(rest.iter().all(|byte| *byte == crate::world::BLANK), "{:?}, seed {seed}", op.request);
        scribble(memory, receive.address, receive.length);
        side.received += 1;
    }

    fn run_for(&mut self, ticks: u64) {
        self.world.run_to(self.world.tick + ticks);
        let tick = self.world.tick;
        for (_, plane, dead) in self.planes.clone().into_iter().filter(|(from, ..)| *from <= tick) {
            self.world.network.dead[plane] = dead;
            for own in 0..if self.carriers { 2 } else { 0 } {
                let now = self.world.now();
                self.world.cores[own].set_plane(plane as u8, !dead, now);
                self.world.stir(own);
            }
        }
        self.planes.retain(|(from, ..)| *from > tick);
        (0..2).for_each(|own| self.completions(own));
    }

    /// Nobody asks for anything until all is at rest, or for a while; and then for up to 4 s.
    fn pause(&mut self) {
        let patience = self.world.tick + self.rng.gen_range(0..200_000);
        while self.world.tick < patience && !self.world.rests() {
            self.run_for(500);
        }
        if self.world.rests() {
            let sleep = self.rng.gen_range(0..30);
            self.run_for(1 << sleep);
        }
    }

    /// Runs to the end, and looks at everything; the world for further questions.
    pub fn run(mut self) -> World {
        // With pauses: one of 4 s per request, at most.
        let limit = if self.sparse { 5 * LIMIT * self.count() } else { LIMIT };
        while !self.sides.iter().all(Side::is_over) {
            assert!(self.world.tick < limit, "no end; {}", self.replay());
            for own in 0..2 {
                self.submit(own);
                self.post(own);
            }
            let step = self.rng.gen_range(1..500);
            self.run_for(step);
            if self.sparse {
                self.pause();
            }
        }
        assert!(self.world.settle(LIMIT), "no rest; {}", self.replay());
        for own in 0..2 {
            assert!(self.world.completions[own].is_empty(), "{}", self.replay());
            let (first, count) = self.sides[own].plan.shared;
            let counted = &mut self.sides[own].counted;
            counted.sort_unstable_by_key(|value| value.wrapping_sub(first));
            let all: Vec<u64> = (0..count).map(|n| first.wrapping_add(n)).collect();
            assert_eq!(*counted, all, "seed {}", self.seed);
            let (got, want) = (&self.world.hosts[own].bytes, &self.want[own]);
            let differs = got.iter().zip(want).position(|(a, b)| a != b);
            assert_eq!((differs, got.len()), (None, want.len()), "host {own}; {}", self.replay());
            let core = &self.world.cores[own];
            let c = core.counters();
            assert_eq!((core.error(), c.errors), (None, 0), "{}", self.replay());
            let known = c.accepted + c.acks_received + c.probes_received + c.dropped();
            assert_eq!(c.frames_received, known, "{}", self.replay());
            for &reason in DropReason::ALL {
                let expected = [
                    DropReason::Duplicate,
                    DropReason::OutOfWindow,
                    DropReason::AckStale,
                    DropReason::AckPlaneTest,
                ];
                // A flipped bit is seen by the parser or by the ICRC.
                let spoiled = self.world.network.corrupt > 0.0 && reason <= DropReason::Icrc;
                let fine = spoiled || expected.contains(&reason) || c.drops(reason) == 0;
                assert!(fine, "{} {reason}; {}", c.drops(reason), self.replay());
            }
        }
        self.world
    }

    fn replay(&self) -> String {
        format!(
            "seed {}; replay: SEED={} cargo test -p heddle-model --test whole mixed",
            self.seed, self.seed
        )
    }
}
