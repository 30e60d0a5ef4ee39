//! Whole cores with memories on a network of planes, event by event.

use crate::evidence::{Evidence, Left};
use crate::rows::{rows, End};
use heddle_model::core::{Core, CoreConfig};
use heddle_model::memory::Memory;
use heddle_model::rx::access::Region;
use heddle_model::tx::framer::Route;
use heddle_model::tx::msg::{Completion, WorkRequest};
use heddle_wire::{Opcode, PacketType, Psn, Time32};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::net::Ipv4Addr;

/// Bytes per tick of a port: 100 Gb/s.
const BYTES_PER_TICK: u64 = 100;
/// Bytes of preamble, FCS and gap.
const OVERHEAD: u64 = 24;
/// One way, in ticks: 10 us there and back.
pub const DELAY: u64 = 600;
/// Byte of memory that nothing was written to.
pub const BLANK: u8 = 0xA5;
/// Regions: index and tag of the one that every host has.
pub const REGION: u32 = 2;
pub const KEY: u32 = REGION << 16 | 0x1234;
/// What a work request can ask for.
pub const REQUESTS: [Opcode; 7] = [
    Opcode::Write,
    Opcode::WriteImm,
    Opcode::Send,
    Opcode::SendImm,
    Opcode::ReadReq,
    Opcode::FetchAdd,
    Opcode::CmpSwap,
];
/// Where that region lies in the host's memory; in front and behind is memory of nobody.
pub const BASE: u64 = 4096 + 5;
pub const LENGTH: u64 = 1 << 20;
const DOMAIN: u16 = 3;

/// The region that every host has.
pub fn region() -> Region {
    Region {
        valid: true,
        tag: KEY & 0xFFFF,
        base: BASE,
        length: LENGTH,
        remote_write: true,
        remote_read: true,
        remote_atomic: true,
        domain: DOMAIN,
    }
}

/// Memory of one host, from address 0.
pub struct Host {
    pub bytes: Vec<u8>,
    /// It answers with an error.
    pub fails: bool,
}

impl Memory for Host {
    fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        let at = address as usize;
        if !self.fails {
            self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        }
        !self.fails
    }
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> bool {
        let at = address as usize;
        bytes.copy_from_slice(&self.bytes[at..at + bytes.len()]);
        !self.fails
    }
}

/// What happens to frames; probabilities, except `dead`.
#[derive(Clone, Debug, Default)]
pub struct Network {
    pub loss: f64,
    pub ack_loss: f64,
    pub reorder: f64,
    pub duplicate: f64,
    /// One bit of the UDP payload is another.
    pub corrupt: f64,
    /// Planes that lose everything.
    pub dead: [bool; 16],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Arrival(u64),
    Port,
    Timer,
}

/// A connection of two cores: (core, connection index) of each end.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub ends: [(usize, u16); 2],
    pub tags: [u16; 2],
}

/// Somebody on the network who sees what arrives and adds frames of his own.
pub trait Intruder {
    /// A frame of the peer has just arrived.
    fn on_arrival(&mut self, core: &mut Core, host: &mut Host, now: Time32, frame: &[u8]);
}

pub struct World {
    pub cores: Vec<Core>,
    pub hosts: Vec<Host>,
    pub completions: Vec<VecDeque<Completion>>,
    pub network: Network,
    pub tick: u64,
    /// Frames sent, by type.
    pub sent: [u64; 16],
    pub config: CoreConfig,
    pub intruder: Option<Box<dyn Intruder>>,
    pub evidence: Evidence,
    /// FNV-1a over every frame sent, with its sender and time.
    pub digest: u64,
    rng: ChaCha8Rng,
    events: BinaryHeap<Reverse<(u64, usize, What)>>,
    frames: std::collections::BTreeMap<u64, (u8, Vec<u8>)>,
    number: u64,
    port_free: Vec<u64>,
    timers: Vec<u64>,
}

/// The clock starts here, so that it wraps soon.
const START: u32 = 0u32.wrapping_sub(100_000);

impl World {
    pub fn new(cores: usize, config: CoreConfig, network: Network, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let make = |_| Core::new(CoreConfig { seed: rng.gen(), ..config });
        let mut all: Vec<Core> = (0..cores).map(make).collect();
        assert!(all.iter_mut().all(|core| core.set_region(REGION, region())));
        let host = || Host { bytes: vec![BLANK; (BASE + LENGTH + 4096) as usize], fails: false };
        Self {
            cores: all,
            hosts: (0..cores).map(|_| host()).collect(),
            completions: vec![VecDeque::new(); cores],
            network,
            tick: 0,
            sent: [0; 16],
            config,
            intruder: None,
            evidence: Evidence::default(),
            digest: 0xcbf2_9ce4_8422_2325,
            rng,
            events: BinaryHeap::new(),
            frames: Default::default(),
            number: 0,
            port_free: vec![0; cores],
            timers: vec![u64::MAX; cores],
        }
    }

    pub fn now(&self) -> Time32 {
        Time32::new((self.tick as u32).wrapping_add(START))
    }

    fn address(core: usize) -> Ipv4Addr {
        Ipv4Addr::new(10, 0, 0, core as u8 + 1)
    }

    /// Sets a connection up at both ends, path p on plane p mod `planes`; whether both took it.
    pub fn connect(&mut self, link: &Link, planes: u8) -> bool {
        let (now, paths) = (self.now(), self.config.paths as u16);
        // Half of them wrap soon.
        let mut psn = || {
            let least = if self.rng.gen() { 0xFF_FFC0 } else { 0 };
            Psn::new(self.rng.gen_range(least..1 << 24))
        };
        let first: Vec<[Psn; 2]> = (0..paths).map(|_| [psn(), psn()]).collect();
        let end = |own: usize| {
            let (core, conn) = link.ends[own];
            End { address: Self::address(core), conn, tag: link.tags[own] }
        };
        let ends = [end(0), end(1)];
        let mut taken = true;
        for own in 0..2 {
            let (core, conn) = link.ends[own];
            let (receive, transmit) = rows(&ends[own], &ends[1 - own], DOMAIN);
            self.evidence.forget(core, ends[1 - own].conn);
            taken = taken && self.cores[core].set_connection(conn, receive, transmit);
            for local in 0..if taken { paths } else { 0 } {
                let route = Route { plane: (local % u16::from(planes)) as u8, src_port: 49152 + local };
                let psn = first[usize::from(local)];
                let path = conn * paths + local;
                taken &= self.cores[core].set_path(path, psn[1 - own], psn[own], route, now);
            }
            self.stir(core);
        }
        taken
    }

    /// A WRITE from one end of a connection to the other: the region's bytes from `at` on, to the same place there.
    pub fn write(
        &self,
        link: &Link,
        end: usize,
        wr_id: u64,
        stream: u8,
        at: u64,
        length: u32,
    ) -> WorkRequest {
        assert!(at + u64::from(length) <= LENGTH);
        let conn = link.ends[end].1;
        let (opcode, local, remote) = (Opcode::Write.code(), BASE + at, BASE + at);
        WorkRequest {
            wr_id,
            opcode,
            conn,
            stream,
            local,
            remote,
            rkey: KEY,
            length,
            ..WorkRequest::default()
        }
    }

    /// A READ from one end of a connection: the peer's region from `at` on, to the same place here.
    pub fn read(&self, link: &Link, end: usize, wr_id: u64, stream: u8, at: u64, length: u32) -> WorkRequest {
        WorkRequest { opcode: Opcode::ReadReq.code(), ..self.write(link, end, wr_id, stream, at, length) }
    }

    pub fn submit(&mut self, core: usize, request: WorkRequest) -> bool {
        let taken = self.cores[core].accepts(&request);
        if taken {
            self.cores[core].submit(request);
            self.stir(core);
        }
        taken
    }

    /// Something was done to the core: it may have something to send, or another timer.
    pub fn stir(&mut self, core: usize) {
        if self.tick >= self.port_free[core] {
            self.events.push(Reverse((self.tick, core, What::Port)));
        }
        self.watch(core);
    }

    fn watch(&mut self, core: usize) {
        let (now, tick) = (self.now(), self.tick);
        if let Some(at) = self.cores[core].next_deadline() {
            let at = if at.is_ahead(now) { tick + u64::from(at.distance_from(now)) } else { tick };
            if at < self.timers[core] {
                self.timers[core] = at;
                self.events.push(Reverse((at, core, What::Timer)));
            }
        }
    }

    /// A frame that is at core `to` now, out of nowhere.
    pub fn inject(&mut self, to: usize, bytes: &[u8]) {
        let now = self.now();
        self.cores[to].receive(now, bytes, &mut self.hosts[to]);
        self.stir(to);
    }

    /// Everything up to this tick.
    pub fn run_to(&mut self, end: u64) {
        while let Some(&Reverse((at, core, what))) = self.events.peek().filter(|first| first.0 .0 <= end) {
            self.events.pop();
            self.tick = at;
            let now = self.now();
            match what {
                What::Arrival(number) => {
                    if let Some((plane, bytes)) = self.frames.remove(&number) {
                        self.cores[core].receive_on(now, plane, &bytes, &mut self.hosts[core]);
                        if let Some(intruder) = &mut self.intruder {
                            intruder.on_arrival(&mut self.cores[core], &mut self.hosts[core], now, &bytes);
                        }
                    }
                }
                What::Port => {}
                What::Timer if self.timers[core] == at => {
                    self.timers[core] = u64::MAX;
                    self.cores[core].advance(now);
                }
                What::Timer => continue,
            }
            if at >= self.port_free[core] {
                self.transmit(core);
            }
            while let Some(completion) = self.cores[core].completion() {
                self.completions[core].push_back(completion);
            }
            self.watch(core);
        }
        self.tick = end;
    }

    /// Until every core is idle and nothing is under way, at most for `ticks`; whether it is.
    pub fn settle(&mut self, ticks: u64) -> bool {
        let end = self.tick + ticks;
        while self.tick < end {
            self.run_to((self.tick + 2_000).min(end));
            if self.rests() {
                return true;
            }
        }
        false
    }

    /// Every core is idle, and nothing is under way.
    pub fn rests(&self) -> bool {
        self.frames.is_empty() && self.cores.iter().all(Core::is_idle)
    }

    fn transmit(&mut self, from: usize) {
        let now = self.now();
        let Some(mut out) = self.cores[from].transmit(now, &mut self.hosts[from]) else { return };
        // Bytes 42 and on are the transport header of an untagged IPv4 frame, 33 the last of its destination.
        let (kind, to) = (out.bytes[42] & 15, usize::from(out.bytes[33]) - 1);
        self.sent[usize::from(kind)] += 1;
        let stamp = [self.tick.to_le_bytes(), (from as u64).to_le_bytes()].concat();
        for byte in stamp.iter().chain(&out.bytes) {
            self.digest = (self.digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let busy = (out.bytes.len() as u64 + OVERHEAD).div_ceil(BYTES_PER_TICK);
        self.port_free[from] = self.tick + busy;
        self.events.push(Reverse((self.port_free[from], from, What::Port)));
        let Network { loss, ack_loss, reorder, duplicate, corrupt, dead } = self.network.clone();
        let loss = if kind == PacketType::Ack.code() { ack_loss } else { loss };
        let (lost, late, twice) =
            (self.rng.gen_bool(loss), self.rng.gen_bool(reorder), self.rng.gen_bool(duplicate));
        let extra = self.rng.gen_range(1..2 * DELAY);
        let spoiled = corrupt > 0.0 && self.rng.gen_bool(corrupt);
        let lost = lost || dead[usize::from(out.plane)];
        let header = &out.bytes[42..];
        let left = Left {
            from,
            conn: u16::from_be_bytes([header[4], header[5]]),
            path: header[3],
            route: header[8],
            psn: Psn::new(u32::from_be_bytes([0, header[9], header[10], header[11]])),
            is_data: kind == PacketType::Data.code(),
            lost: lost || spoiled,
        };
        self.evidence.on_sent(&left, out.cause);
        if lost {
            return;
        }
        if spoiled {
            let bit = self.rng.gen_range(42 * 8..out.bytes.len() * 8);
            out.bytes[bit / 8] ^= 1 << (bit % 8);
        }
        let at = self.port_free[from] + DELAY + u64::from(out.plane) * 10;
        self.carry(at + if late { extra } else { 0 }, to, out.plane, out.bytes.clone());
        if twice {
            self.carry(at + extra, to, out.plane, out.bytes);
        }
    }

    fn carry(&mut self, at: u64, to: usize, plane: u8, bytes: Vec<u8>) {
        self.number += 1;
        self.frames.insert(self.number, (plane, bytes));
        self.events.push(Reverse((at, to, What::Arrival(self.number))));
    }
}
