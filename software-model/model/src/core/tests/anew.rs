//! A connection that begins anew is as the first of a new core: nothing of its earlier lives is left.

use super::rows::{rows, End};
use super::Host;
use crate::core::{CongestionConfig, Core, CoreConfig};
use crate::operations::Operations;
use crate::rx::access::Region;
use crate::rx::recv::Receive;
use crate::tx::framer::Route;
use crate::tx::msg::WorkRequest;
use crate::tx::route::RouteConfig;
use heddle_wire::{Opcode, Psn, Time32};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeSet, VecDeque};
use std::net::Ipv4Addr;

const PATHS: u16 = 4;
const PLANES: u8 = 4;
/// Bytes of a host's memory, all of them the peer's to use.
const MEMORY: u64 = 1 << 16;
/// One way, in ticks.
const DELAY: u32 = 400;
const LIVES: u16 = 4;
/// Region 0 and its tag.
const KEY: u32 = 7;

pub(super) fn new_core() -> Core {
    let routes = RouteConfig::with_times(PLANES, 5_000, 500_000).expect("good times");
    let mut core = Core::new(CoreConfig {
        connections: 1,
        paths: PATHS.into(),
        regions: 1,
        receives: 16,
        operations: Operations::ALL,
        congestion: Some(CongestionConfig::new(125_000, 1_250, 4).expect("good values")),
        routes: Some(routes),
        life: true,
        ..CoreConfig::default()
    });
    let all = Region {
        valid: true,
        tag: KEY,
        base: 0,
        length: MEMORY,
        remote_write: true,
        remote_read: true,
        remote_atomic: true,
        domain: 3,
    };
    assert!(core.set_region(0, all));
    core
}

/// Sets side `own` up for the life with this number.
pub(super) fn open(core: &mut Core, own: usize, life: u16, psn: Psn, now: Time32) {
    let end = |side: usize| End {
        address: Ipv4Addr::new(10, 0, 0, side as u8 + 1),
        conn: 0,
        tag: 0x100 * life + side as u16,
    };
    let (receive, transmit) = rows(&end(own), &end(1 - own), 3);
    assert!(core.set_connection(0, receive, transmit));
    for path in 0..PATHS {
        let route = Route { plane: path as u8 % PLANES, src_port: 49_152 + path };
        assert!(core.set_path(path, psn, psn, route, now));
    }
}

/// All that a connection is to a core, but what the port or the core keeps for everybody: counters, the random register, the port's load.
fn state(core: &Core) -> Vec<(&'static str, String)> {
    let congestion = core.congestion.as_ref().expect("it is on");
    let rerouting = core.rerouting.as_ref().expect("it is on");
    // A path's generations tell old deadlines from new ones: they go on.
    let ack = format!("{:#?}", core.ack);
    let ack: Vec<&str> = ack.lines().filter(|line| !line.contains("generation")).collect();
    // Connections come before what is counted of the port.
    let hint = format!("{:#?}", congestion.hint);
    let hint = hint.split("light_bytes").next().unwrap_or_default().to_owned();
    vec![
        ("connections", format!("{:#?}", core.connections)),
        ("paths", format!("{:#?}", core.rows)),
        ("rx messages", format!("{:#?}", core.rx_msg)),
        ("receives", format!("{:#?}", core.recv)),
        ("ack", ack.join("\n")),
        ("ack_build", format!("{:#?}", core.ack_build)),
        ("tx messages", format!("{:#?}", core.tx_msg)),
        ("respond", format!("{:#?}", core.respond)),
        ("turns", format!("{:#?}", core.turns)),
        ("sched", format!("{:#?}", core.sched)),
        ("probe", format!("{:#?}", core.probe)),
        ("queues", format!("{:?} {:?} {:?} {:?}", core.ack_queue, core.expiries, core.questions, core.jobs)),
        ("framer", format!("{:#?}", core.framer)),
        ("pace", format!("{:#?}", congestion.rows)),
        ("held", format!("{:?} {:?}", congestion.held, congestion.expired)),
        ("starts", format!("{:?} {:?}", congestion.starts, congestion.asked)),
        ("hint", hint),
        ("routes", format!("{rerouting:#?}")),
    ]
}

struct Pair {
    cores: [Core; 2],
    hosts: [Host; 2],
    wire: VecDeque<(Time32, usize, u8, Vec<u8>)>,
    now: Time32,
    rng: ChaCha8Rng,
    loss: f64,
    /// How often a port is not free.
    busy: f64,
    dead: [bool; PLANES as usize],
    /// Numbers of requests and receives that have not ended, and how many there were.
    owed: [BTreeSet<u64>; 2],
    asked: u64,
    /// Memory of a side as it was when its connection had ended.
    ended: [Option<Vec<u8>>; 2],
}

impl Pair {
    /// Nothing is left to be sent but RESETs.
    fn assert_quiet(&self, own: usize) {
        let core = &self.cores[own];
        let queues = (&core.ack_queue, &core.expiries, &core.questions, &core.jobs);
        assert_eq!(format!("{queues:?}"), "([], [], [], [])", "side {own}");
        assert!(core.is_idle(), "side {own}");
        let life = format!("{:?}", core.life);
        assert!(life.contains("waiting: []"), "no NAK: {life}");
        let rerouting = core.rerouting.as_ref().expect("it is on");
        let tests = format!("{:?}", rerouting.tests);
        assert_eq!((rerouting.copies.len(), tests.as_str()), (0, "PlaneTests { due: [], answers: [] }"));
        let congestion = core.congestion.as_ref().expect("it is on");
        assert_eq!((congestion.starts.len(), congestion.asked.len()), (0, 0), "side {own}");
        assert_eq!((congestion.held.contains(&true), congestion.expired[0]), (false, 0), "side {own}");
    }

    /// What has ended: each once, and everything when its connection has.
    fn look(&mut self) {
        for own in 0..2 {
            while let Some(done) = self.cores[own].completion() {
                assert!(
                    self.owed[own].remove(&done.wr_id),
                    "{done:?} has ended before, or was never asked for"
                );
            }
            if self.cores[own].ended().is_some() {
                assert!(self.owed[own].is_empty(), "{:?} never end", self.owed[own]);
                self.assert_quiet(own);
                let life = format!("{:?}", self.cores[own].life);
                assert!(!life.contains(", false)"), "a RESET that is not an answer: {life}");
                let before = self.ended[own].replace(self.hosts[own].0.clone());
                assert_eq!(before, None, "it ends once");
            }
        }
    }

    fn step(&mut self) {
        self.now = self.now.plus(25);
        let now = self.now;
        while self.wire.front().is_some_and(|(at, ..)| !at.is_ahead(now)) {
            let Some((_, to, plane, bytes)) = self.wire.pop_front() else { break };
            self.cores[to].receive_on(now, plane, &bytes, &mut self.hosts[to]);
        }
        for own in 0..2 {
            self.cores[own].advance(now);
            self.look();
            if self.rng.gen_bool(self.busy) {
                continue;
            }
            let Some(out) = self.cores[own].transmit(now, &mut self.hosts[own]) else { continue };
            if !self.dead[usize::from(out.plane)] && !self.rng.gen_bool(self.loss) {
                self.wire.push_back((now.plus(DELAY), 1 - own, out.plane, out.bytes));
            }
        }
    }

    /// Somebody does something.
    fn stir(&mut self) {
        let own = self.rng.gen_range(0..2);
        let (core, rng) = (&mut self.cores[own], &mut self.rng);
        let length = if rng.gen() { rng.gen_range(0..3_000) } else { rng.gen_range(0..20_000) };
        match rng.gen_range(0..20) {
            0..=2 => {
                if core.post_receive(0, Receive { wr_id: self.asked, address: 0, length: 20_000 }) {
                    self.owed[own].insert(self.asked);
                    self.asked += 1;
                }
            }
            3 => _ = core.set_plane(rng.gen_range(0..PLANES), rng.gen(), self.now),
            4 => self.dead[rng.gen_range(0..usize::from(PLANES))] = rng.gen(),
            _ => {
                let opcodes = [
                    Opcode::Write,
                    Opcode::WriteImm,
                    Opcode::Send,
                    Opcode::SendImm,
                    Opcode::ReadReq,
                    Opcode::FetchAdd,
                ];
                let opcode = opcodes[rng.gen_range(0..opcodes.len())];
                let request = WorkRequest {
                    wr_id: self.asked,
                    opcode: opcode.code(),
                    fence: rng.gen_ratio(1, 8),
                    stream: rng.gen_range(0..4),
                    remote: 8 * rng.gen_range(0..4_000),
                    rkey: KEY ^ u32::from(rng.gen_ratio(1, 40)),
                    length: if opcode == Opcode::FetchAdd { 8 } else { length },
                    ..WorkRequest::default()
                };
                if core.accepts(&request) {
                    self.owed[own].insert(self.asked);
                    self.asked += 1;
                    core.submit(request);
                }
            }
        }
    }

    /// One life, to its end at both sides.
    fn live(&mut self) {
        self.loss = if self.rng.gen() { self.rng.gen_range(0.0..0.5) } else { 0.0 };
        self.busy = [0.0, 0.9][self.rng.gen_range(0..2)];
        for _ in 0..self.rng.gen_range(1..600) {
            if self.rng.gen_ratio(1, 4) {
                self.stir();
            }
            self.step();
        }
        let (end, rounds) = (self.rng.gen_range(0..2), 1_000_000 / 25);
        if self.cores[end].close(0, self.now) {
            self.assert_quiet(end);
        }
        for round in 0..=2 * rounds {
            // One that has heard of no end makes its own.
            if round == rounds {
                let now = self.now;
                self.cores.iter_mut().for_each(|core| _ = core.close(0, now));
                self.dead = [false; PLANES as usize];
                self.loss = 0.0;
            }
            self.step();
            if self.ended.iter().all(Option::is_some) {
                break;
            }
        }
        self.dead = [false; PLANES as usize];
        for core in &mut self.cores {
            (0..PLANES).for_each(|plane| _ = core.set_plane(plane, true, self.now));
        }
        self.busy = 0.0;
        // What is still on its way, and what waits for the end of its period.
        (0..200).for_each(|_| self.step());
        self.wire.clear();
        for (own, memory) in std::mem::take(&mut self.ended).into_iter().enumerate() {
            assert!(
                memory.is_some_and(|memory| memory == self.hosts[own].0),
                "something landed after the end"
            );
        }
    }
}

/// Requests and receives that it saw the end of.
fn history(seed: u64) -> u64 {
    let mut pair = Pair {
        cores: [new_core(), new_core()],
        hosts: [0, 1].map(|_| Host(vec![0; MEMORY as usize])),
        wire: VecDeque::new(),
        now: Time32::new(0u32.wrapping_sub(1_000)),
        rng: ChaCha8Rng::seed_from_u64(seed),
        loss: 0.0,
        busy: 0.0,
        dead: [false; PLANES as usize],
        owed: Default::default(),
        asked: 0,
        ended: Default::default(),
    };
    for life in 0..LIVES {
        let psn = Psn::new(pair.rng.gen_range(0..1 << 24));
        for own in 0..2 {
            let core = &mut pair.cores[own];
            open(core, own, life, psn, pair.now);
            let mut new = new_core();
            open(&mut new, own, life, psn, pair.now);
            for ((part, is), (_, want)) in state(core).iter().zip(&state(&new)) {
                let differs = is.lines().zip(want.lines()).find(|(is, want)| is != want);
                assert!(
                    is == want,
                    "{part} of life {life}, side {own}: {differs:?}; replay: SEED={seed} cargo test -p heddle-model anew"
                );
            }
        }
        pair.live();
    }
    pair.asked
}

// REQ-CONN-1, REQ-CONN-7
#[test]
fn a_connection_that_begins_anew_has_nothing_of_its_earlier_lives() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    let seeds = seed.map_or(0..24, |seed| seed..seed + 1);
    let ended: u64 = seeds.map(history).sum();
    assert!(seed.is_some() || ended > 3_000, "{ended}");
}
