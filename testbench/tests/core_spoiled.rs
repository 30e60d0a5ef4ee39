//! A whole core under 200,000 frames that are wrong in one place, in some, or everywhere, and every kind cut at
//! every byte: nothing outside of the region is written, nothing hangs, as many are dropped for each reason as by
//! the golden model's core, and every block answers as its model does.

mod core_world;

use core_world::{config, Side, BASE};
use heddle_model::core::{Core, CoreConfig};
use heddle_model::memory::Memory;
use heddle_model::rx::access::Region;
use heddle_model::rx::ack::AckConfig;
use heddle_model::rx::conn::RxConnRow;
use heddle_model::tx::framer::{Route, TxConnRow};
use heddle_model::tx::rto::RtoConfig;
use heddle_testbench::duts::CoreGbe;
use heddle_testbench::frames::{RawFrame, Shape};
use heddle_testbench::host::{Clocked, Registers};
use heddle_testbench::Dut;
use heddle_wire::header::DEFAULT_PORT;
use heddle_wire::setup::Key;
use heddle_wire::{
    Ack, Body, Data, DropReason, Flag, Flags, Frame, Ip, Ipv4, Opcode, Packet, Probe, Psn, Time32,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::net::Ipv4Addr;

/// Frames per seed.
const FRAMES: u64 = 200_000;
/// Bytes of the memory; the region is all of it but the guards.
const MEMORY: usize = 1 << 16;
const GUARD: u64 = 4096;
const TAG: u16 = 0x2222;
/// A message so long that it is never whole: what a frame is dropped for does not hang on when another was placed.
const LENGTH: u32 = (1 << 30) + 36;

/// The model's memory.
struct Bytes(Vec<u8>);

impl Memory for Bytes {
    fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        let at = address.wrapping_sub(BASE[1]) as usize;
        let to = at.checked_add(bytes.len()).and_then(|end| self.0.get_mut(at..end));
        bytes.is_empty() || to.map(|to| to.copy_from_slice(bytes)).is_some()
    }

    fn read(&mut self, _: u64, _: &mut [u8]) -> bool {
        false
    }
}

fn model() -> Core {
    let config = config::<CoreGbe>();
    let mut core = Core::new(CoreConfig {
        connections: config.connections(),
        paths: config.paths(),
        streams: config.streams(),
        slots: config.slots(),
        slice_log2: config.slice_bytes().ilog2(),
        regions: config.regions(),
        cwnd: 64,
        port: DEFAULT_PORT,
        ack: AckConfig::DEFAULT,
        rto: RtoConfig::DEFAULT,
        seed: 1,
        ..CoreConfig::default()
    });
    let receive = RxConnRow { valid: true, tag: TAG, v6: false, peer: 0x0A00_0001, domain: 5 };
    let transmit = TxConnRow {
        peer_conn: 1,
        peer_tag: 0x1111,
        dst_mac: [2, 0, 0, 0, 0, 1],
        src_mac: [2, 0, 0, 0, 0, 2],
        vlan: None,
        src: Ipv4Addr::new(10, 0, 0, 2).into(),
        dst: Ipv4Addr::new(10, 0, 0, 1).into(),
        hops: 64,
        data_dscp: 26,
        ack_dscp: 48,
    };
    assert!(core.set_connection(1, receive, transmit));
    let region = Region {
        valid: true,
        tag: 0xBEEF,
        base: BASE[1],
        length: MEMORY as u64,
        remote_write: true,
        domain: 5,
        ..Region::default()
    };
    assert!(core.set_region(1, region));
    for path in 0..4 {
        let (first, route) = (first(path), Route { plane: path, src_port: 0xC000 + u16::from(path) });
        assert!(core.set_path(4 + u16::from(path), first, first, route, Time32::new(0)));
    }
    core
}

fn first(path: u8) -> Psn {
    Psn::new(0xFF_FFF0 + u32::from(path))
}

/// A peer that mostly says what it may, at the time `now`.
struct Peer {
    rng: ChaCha8Rng,
    next: [Psn; 4],
}

impl Peer {
    fn good(&mut self, now: Time32) -> Frame {
        let path = self.rng.gen_range(0..4u8);
        let next = self.next[usize::from(path)];
        let psn = match self.rng.gen_range(0..10) {
            0 => next.minus(self.rng.gen_range(1..40)),
            1 => next.plus(self.rng.gen_range(1..300)),
            _ => {
                self.next[usize::from(path)] = next.plus(1);
                next
            }
        };
        let timestamp = Time32::new(now.get().wrapping_sub(self.rng.gen_range(100..1 << 20)));
        let body = match self.rng.gen_range(0..8) {
            0 => Body::Probe(Probe { stream: self.rng.gen_range(0..4), reserved: 0 }),
            // Nothing was ever sent: base = next.
            1 => Body::Ack(Ack { cum: first(path), ..Ack::default() }),
            _ => {
                let offset = LENGTH - 36;
                let header = Data {
                    stream: self.rng.gen_range(0..4),
                    offset,
                    length: LENGTH,
                    address: BASE[1] + GUARD + self.rng.gen_range(0..MEMORY as u64 - 2 * GUARD - 36),
                    key: u32::from_be_bytes(Key { index: 1, tag: 0xBEEF }.emit()),
                    ..Data::default()
                };
                let payload = (0..36).map(|_| self.rng.gen()).collect();
                Body::Data { opcode: Opcode::Write, header, payload }
            }
        };
        let (psn, flags) = match body {
            Body::Ack(_) => (first(path).minus(1), Flags::NONE),
            Body::Data { .. } => (psn, Flags::NONE.with(Flag::Last)),
            _ => (Psn::new(0), Flags::NONE),
        };
        let packet = Packet { flags, path, dst_conn: 1, tag: TAG, route: 0, psn, timestamp, body };
        let (src, dst) = (Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2));
        let ip =
            Ip::V4(Ipv4 { dscp: 26, ecn: self.rng.gen_range(0..4), identification: 0, ttl: 64, src, dst });
        Frame {
            dst_mac: [2, 0, 0, 0, 0, 2],
            src_mac: [2, 0, 0, 0, 0, 1],
            vlan: None,
            ip,
            src_port: 0xC000,
            dst_port: DEFAULT_PORT,
            udp_checksum: 0,
            packet,
        }
    }

    /// One field is another value; the ICRC is right.
    fn lie(&mut self, frame: &mut Frame) {
        let rng = &mut self.rng;
        let packet = &mut frame.packet;
        match rng.gen_range(0..8) {
            0 => packet.dst_conn = rng.gen_range(0..20),
            1 => packet.tag = rng.gen(),
            2 => packet.path = rng.gen_range(0..8),
            3 => packet.psn = Psn::new(rng.gen_range(0..1 << 24)),
            4 => packet.timestamp = Time32::new(packet.timestamp.get().wrapping_add(1 << 30)),
            5 => {
                frame.ip = Ip::V4(Ipv4 {
                    dscp: 0,
                    ecn: 0,
                    identification: 0,
                    ttl: 1,
                    src: Ipv4Addr::from(rng.gen::<u32>()),
                    dst: Ipv4Addr::new(10, 0, 0, 2),
                })
            }
            _ => match &mut packet.body {
                Body::Data { opcode, header, payload } => match rng.gen_range(0..8) {
                    0 => *opcode = [Opcode::Send, Opcode::WriteImm, Opcode::ReadResp][rng.gen_range(0..3)],
                    1 => header.stream = rng.gen(),
                    2 => header.msn = header.msn.plus(rng.gen_range(0..1 << 24)),
                    3 => header.offset = rng.gen::<u32>() & !1023,
                    4 => header.address = rng.gen(),
                    5 => header.key = rng.gen::<u32>() & 0x3F_FFFF,
                    6 => header.address = BASE[1].wrapping_sub(rng.gen_range(1..40)),
                    _ => payload.truncate(4 * rng.gen_range(0..9)),
                },
                Body::Ack(ack) => match rng.gen_range(0..3) {
                    0 => ack.cum = Psn::new(rng.gen_range(0..1 << 24)),
                    1 => ack.sack.set(Psn::new(rng.gen_range(0..1 << 24))),
                    _ => ack.done_msn = ack.done_msn.plus(rng.gen_range(1..1 << 20)),
                },
                _ => packet.flags = Flags::from_bits(rng.gen()),
            },
        }
    }
}

struct Run {
    side: Side<CoreGbe>,
    core: Core,
    memory: Bytes,
    sent: u64,
}

impl Run {
    fn new(seed: u32) -> Self {
        let memory = vec![0; MEMORY];
        Self { side: Side::new(seed, 1, memory.clone()), core: model(), memory: Bytes(memory), sent: 0 }
    }

    fn now(&self) -> Time32 {
        // A tick is a cycle of this configuration; time began with the reset.
        Time32::new(self.side.host.core().cycle() as u32)
    }

    fn send(&mut self, frame: &[u8]) {
        if frame.is_empty() {
            return;
        }
        self.sent += 1;
        self.side.host.deliver(0, frame);
        self.core.receive(self.now(), frame, &mut self.memory);
        while self.side.host.receives() {
            self.side.clock();
            while self.side.host.sent().is_some() {}
        }
    }

    fn finish(mut self, seed: u64) {
        let replay = format!("replay: SEED={seed} cargo test -p heddle-testbench --test core_spoiled");
        (0..3_000).for_each(|_| self.side.clock());
        self.side.watchers.finish();
        let reports = self.side.watchers.reports();
        let first: Vec<_> = reports.iter().filter_map(|r| Some((r.name, r.first.clone()?))).collect();
        assert!(first.is_empty(), "{first:#?}; {replay}");
        let totals = self.side.watchers.totals();
        assert_eq!(totals.crossed, totals.compared + totals.explained, "{replay}");
        assert!(totals.compared > self.sent, "{totals:?}; {replay}");
        let mut dropped = 0;
        for &reason in DropReason::ALL {
            let (rtl, model) =
                (self.side.read_at("drops", reason as u32).unwrap(), self.core.counters().drops(reason));
            assert_eq!(u64::from(rtl), model, "{}; {replay}", reason.name());
            dropped += model;
        }
        let received = self.side.read_at("traffic", 7).unwrap();
        assert_eq!(u64::from(received), self.sent, "frames received; {replay}");
        assert!(dropped > self.sent / 3, "{dropped} of {} dropped; {replay}", self.sent);
        let memory = &self.side.host.memory().bytes;
        assert!(*memory == self.memory.0, "memory; {replay}");
        let guard = GUARD as usize;
        assert!(memory[..guard].iter().chain(&memory[MEMORY - guard..]).all(|&byte| byte == 0), "{replay}");
        let placed = memory.iter().filter(|&&byte| byte != 0).count();
        assert!(placed > 1_000, "{placed} bytes were placed; {replay}");
    }
}

#[test]
fn spoiled_frames_are_dropped_for_the_models_reason_and_touch_nothing() {
    // The new one, where there is one: a run takes long.
    let seed = *heddle_testbench::lockstep::seeds().last().unwrap();
    let mut run = Run::new(seed as u32);
    let mut peer = Peer { rng: ChaCha8Rng::seed_from_u64(seed), next: [0, 1, 2, 3].map(first) };
    while run.sent < FRAMES {
        let mut frame = peer.good(run.now());
        let bytes = match peer.rng.gen_range(0..8) {
            0 | 1 => frame.emit().unwrap(),
            2..=4 => {
                peer.lie(&mut frame);
                frame.emit().unwrap_or_default()
            }
            5 => {
                let mut bytes = frame.emit().unwrap();
                let at = peer.rng.gen_range(0..bytes.len());
                bytes[at] ^= 1 << peer.rng.gen_range(0..8);
                bytes
            }
            6 => {
                let mut bytes = frame.emit().unwrap();
                bytes.truncate(peer.rng.gen_range(0..bytes.len()));
                bytes
            }
            _ => {
                let shape = Shape::random(&mut peer.rng, 64);
                RawFrame::spoiled(&shape, DEFAULT_PORT, &mut peer.rng).bytes
            }
        };
        run.send(&bytes);
    }
    run.finish(seed);
}

#[test]
fn a_frame_of_each_kind_is_cut_at_every_byte() {
    let mut run = Run::new(7);
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut peer = Peer { rng: ChaCha8Rng::seed_from_u64(8), next: [0, 1, 2, 3].map(first) };
    for shape in Shape::every() {
        let frame = RawFrame::good(&shape, DEFAULT_PORT, &mut rng).bytes;
        (1..=frame.len()).for_each(|len| run.send(&frame[..len]));
    }
    for _ in 0..60 {
        let frame = peer.good(run.now()).emit().unwrap();
        (1..=frame.len()).rev().for_each(|len| run.send(&frame[..len]));
    }
    run.finish(7);
}
