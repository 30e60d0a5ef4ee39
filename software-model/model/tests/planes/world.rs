//! Two whole cores and the planes between them: ports that serialise, delays, losses, and planes that die and
//! come back.

use crate::plan::{Fault, Plan, What, KEY_TAG, REGION, SLICE};
use crate::setup::set_up;
use heddle_model::core::{Core, CoreConfig, Departing};
use heddle_model::memory::Memory;
use heddle_model::rx::access::KEY_TAG_BITS;
use heddle_model::tx::msg::{Completion, WorkRequest};
use heddle_model::Time32;
use heddle_wire::Opcode;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Picoseconds.
pub type Ps = u64;
pub const US: Ps = 1_000_000;
pub const TICK: Ps = 8_000;
/// Bits per second of each plane's port.
pub const PLANE_RATE: u64 = 25_000_000_000;
/// One-way delay of a plane without its port.
pub const DELAY: Ps = 4_200_000;
/// Preamble, FCS and gap around a frame.
const AROUND_BYTES: u64 = 24;
/// Byte of an untagged IPv4 frame at which its transport header starts.
const TRANSPORT: usize = 42;
pub const CONN: u16 = 1;
/// A round trip without queues: delays both ways, a full packet and an ACK at a plane's rate.
pub const BASE_RTT: Ps = 2 * DELAY + (4_210 + 138) * 8 * 1_000_000_000_000 / PLANE_RATE;

/// Memory of one host, from address 0.
struct Host(Vec<u8>);

impl Memory for Host {
    fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        let at = address as usize;
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
        true
    }
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> bool {
        let at = address as usize;
        bytes.copy_from_slice(&self.0[at..at + bytes.len()]);
        true
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Arrive {
        to: usize,
        plane: u8,
        bytes: Vec<u8>,
    },
    /// A core may have something to send, or its time has come.
    Look {
        at: usize,
    },
    Carrier {
        plane: u8,
        up: bool,
    },
    /// Messages that waited may be submitted.
    Resume,
}

pub struct World {
    plan: Plan,
    pub cores: [Core; 2],
    hosts: [Host; 2],
    rng: ChaCha8Rng,
    events: BinaryHeap<Reverse<(Ps, u64, Event)>>,
    number: u64,
    /// Frames sent by both.
    pub sent: u64,
    pub now: Ps,
    /// When each core's port towards each plane is free.
    free: [[Ps; 16]; 2],
    look: [Ps; 2],
    /// DATA packets that were placed, by microsecond.
    pub placed: Vec<u32>,
    /// When the sender's count of dead routes grew last.
    pub last_death: Ps,
    /// When its count of expiries did.
    pub last_expiry: Ps,
    pub completions: Vec<(Ps, Completion)>,
    pub requests: u64,
}

impl World {
    pub fn new(plan: &Plan) -> Self {
        Self::with_config(plan, |config| config)
    }

    pub fn with_config(plan: &Plan, change: impl Fn(CoreConfig) -> CoreConfig) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(plan.seed);
        let mut cores = [0, 1].map(|_| Core::new(change(plan.config(rng.next_u32()))));
        let memory = plan.memory();
        let mut source = vec![0; memory];
        rng.fill_bytes(&mut source);
        let start = time(0);
        cores.iter_mut().enumerate().for_each(|(n, core)| set_up(core, n, plan, start));
        let mut world = Self {
            plan: plan.clone(),
            cores,
            hosts: [Host(source), Host(vec![0; memory])],
            rng,
            events: BinaryHeap::new(),
            number: 0,
            sent: 0,
            now: 0,
            free: [[0; 16]; 2],
            look: [Ps::MAX; 2],
            placed: vec![0; 100_000],
            last_death: 0,
            last_expiry: 0,
            completions: vec![],
            requests: 0,
        };
        for fault in &plan.faults {
            if fault.what == What::Carrier {
                world.push(fault.from, Event::Carrier { plane: fault.plane, up: false });
                world.push(fault.until, Event::Carrier { plane: fault.plane, up: true });
            }
        }
        if let Some((_, until)) = plan.pause {
            world.push(until, Event::Resume);
        }
        world.look_at(0, 0);
        world
    }

    /// Path index of the connection's path `local`.
    pub fn path(&self, local: u16) -> u16 {
        CONN * self.plan.paths + local
    }

    /// The plane on which path `local` of the sender travels.
    pub fn plane_of(&self, local: u16) -> u8 {
        self.cores[0].telemetry(self.path(local)).route.plane
    }

    /// Paths of the sender on each plane.
    pub fn populations(&self) -> Vec<usize> {
        let on = |plane| (0..self.plan.paths).filter(|&local| self.plane_of(local) == plane).count();
        (0..self.plan.planes).map(on).collect()
    }

    /// Runs until `end`, or until everything is done and nothing moves any more.
    pub fn run(&mut self, end: Ps) {
        while let Some(Reverse((at, _, _))) = self.events.peek() {
            if *at > end {
                break;
            }
            let Some(Reverse((at, _, event))) = self.events.pop() else { break };
            self.now = at;
            match event {
                Event::Arrive { to, plane, bytes } => self.arrive(to, plane, &bytes),
                Event::Look { at } if self.look[at] == self.now => self.send(at),
                Event::Look { .. } => {}
                Event::Resume => self.look_at(0, self.now),
                Event::Carrier { plane, up } => {
                    self.cores.iter_mut().for_each(|core| _ = core.set_plane(plane, up, time(at)));
                    (0..2).for_each(|n| self.look_at(n, self.now));
                }
            }
        }
        self.now = end;
    }

    /// Both cores have been asked for something from outside.
    pub fn wake(&mut self) {
        (0..2).for_each(|n| self.look_at(n, self.now));
    }

    /// Runs until every message has a completion, at most until `end`.
    pub fn finish(&mut self, end: Ps) {
        while (self.completions.len() as u64) < self.plan.messages && self.now < end {
            self.run((self.now + 50 * US).min(end));
        }
    }

    /// Bits per second placed between two times.
    pub fn goodput(&self, from: Ps, to: Ps) -> u64 {
        let (from, to) = ((from / US) as usize, (to / US) as usize);
        let packets: u32 = self.placed[from..to].iter().sum();
        u64::from(packets) * u64::from(SLICE) * 8 * 1_000_000 / (to - from) as u64
    }

    /// Whether the receiver's memory is the sender's.
    pub fn memory_is_equal(&self) -> bool {
        self.hosts[0].0 == self.hosts[1].0
    }

    fn push(&mut self, at: Ps, event: Event) {
        self.number += 1;
        self.events.push(Reverse((at, self.number, event)));
    }

    fn look_at(&mut self, n: usize, at: Ps) {
        if at < self.look[n] {
            self.look[n] = at;
            self.push(at, Event::Look { at: n });
        }
    }

    fn arrive(&mut self, to: usize, plane: u8, bytes: &[u8]) {
        let before = self.cores[to].counters().accepted;
        self.cores[to].receive_on(time(self.now), plane, bytes, &mut self.hosts[to]);
        let placed = self.cores[to].counters().accepted - before;
        if let Some(bucket) = self.placed.get_mut((self.now / US) as usize) {
            *bucket += placed as u32;
        }
        self.look_at(to, self.now);
    }

    /// One frame of core `n`, and when to look again.
    fn send(&mut self, n: usize) {
        self.look[n] = Ps::MAX;
        let now = time(self.now);
        self.submit();
        let before = self.cores[0].counters().clone();
        self.cores[n].advance(now);
        let mut bytes = Vec::new();
        let sent = self.cores[n].transmit_into(now, &mut self.hosts[n], &mut bytes);
        let after = self.cores[0].counters();
        if after.dead_routes > before.dead_routes {
            self.last_death = self.now;
        }
        if after.expiries > before.expiries {
            self.last_expiry = self.now;
        }
        let at = self.now;
        self.completions.extend(std::iter::from_fn(|| self.cores[0].completion()).map(|c| (at, c)));
        if let Some(Departing { plane, .. }) = sent {
            // The core's own output is as fast as all planes together.
            let on_wire = (bytes.len() as u64 + AROUND_BYTES) * 8 * 1_000_000_000_000;
            self.look_at(n, self.now + on_wire / (PLANE_RATE * u64::from(self.plan.planes)));
            self.depart(n, plane, bytes, on_wire / PLANE_RATE);
        } else if let Some(deadline) = self.cores[n].next_deadline() {
            let ticks = deadline.signed_distance_from(now).max(0) as u64;
            self.look_at(n, (self.now / TICK + ticks.max(1)) * TICK);
        }
    }

    /// A frame goes through its plane's port, unless the plane swallows it.
    fn depart(&mut self, n: usize, plane: u8, mut bytes: Vec<u8>, on_wire: Ps) {
        self.sent += 1;
        let port = &mut self.free[n][usize::from(plane)];
        let left = (*port).max(self.now) + on_wire;
        *port = left;
        let is_data = bytes[TRANSPORT] & 15 == 1;
        let from_sender = n == 0;
        let swallowed = |f: &Fault| {
            f.plane == plane && (f.from..f.until).contains(&left) && f.covers(from_sender, bytes.len())
        };
        let loss = if is_data { self.plan.loss } else { self.plan.ack_loss };
        if self.plan.faults.iter().any(swallowed) || self.rng.gen_bool(loss) {
            return;
        }
        let src_port = u16::from_be_bytes([bytes[34], bytes[35]]);
        if is_data && self.plan.marks(plane, src_port) {
            mark_ce(&mut bytes);
        }
        let late = if self.rng.gen_bool(self.plan.reorder) { self.rng.gen_range(0..3 * US) } else { 0 };
        let detour = self.plan.detour.filter(|(from, _)| left >= *from).map_or(0, |(_, longer)| longer);
        let delay = DELAY + u64::from(plane) * 50_000 + self.plan.longer(src_port) + detour;
        self.push(left + delay + late, Event::Arrive { to: 1 - n, plane, bytes });
    }

    fn submit(&mut self) {
        let first = self.plan.pause.filter(|(_, until)| self.now < *until).map(|(first, _)| first);
        while self.requests < first.unwrap_or(self.plan.messages)
            && (!self.plan.life || self.cores[0].is_open(CONN))
        {
            let (n, length) = (self.requests, self.plan.message);
            let request = WorkRequest {
                wr_id: n,
                opcode: Opcode::Write.code(),
                conn: CONN,
                stream: (n % 4) as u8,
                local: n * u64::from(length),
                remote: n * u64::from(length),
                rkey: REGION << KEY_TAG_BITS | KEY_TAG,
                length,
                ..WorkRequest::default()
            };
            if !self.cores[0].accepts(&request) {
                return;
            }
            self.cores[0].submit(request);
            self.requests += 1;
        }
    }
}

/// The clock of both cores wraps 1 ms after the start.
pub fn time(now: Ps) -> Time32 {
    Time32::new(0u32.wrapping_sub(125_000).wrapping_add((now / TICK) as u32))
}

/// Sets CE in an untagged IPv4 frame, as a switch does.
fn mark_ce(bytes: &mut [u8]) {
    let old = u32::from(u16::from_be_bytes([bytes[14], bytes[15]]));
    bytes[15] |= 3;
    let new = u32::from(u16::from_be_bytes([bytes[14], bytes[15]]));
    // RFC 1624: HC' = ~(~HC + ~m + m').
    let sum = u32::from(u16::from_be_bytes([bytes[24], bytes[25]])) ^ 0xFFFF;
    let sum = sum + (old ^ 0xFFFF) + new;
    let sum = (sum & 0xFFFF) + (sum >> 16);
    let sum = (sum & 0xFFFF) + (sum >> 16);
    bytes[24..26].copy_from_slice(&(sum as u16 ^ 0xFFFF).to_be_bytes());
}
