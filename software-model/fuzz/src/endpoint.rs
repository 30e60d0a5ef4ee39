//! An endpoint with everything on, and a program of bytes that does things to it: frames that a peer might send and frames that none
//! would, work requests, receives, time, planes, ends and new beginnings.
//!
//! Whatever the program, at every step: memory outside of what the host gave is not written; every frame received is counted once; a
//! request ends at most once. At the end every request has ended exactly once, and nothing lands after.

use heddle_model::core::{CongestionConfig, Core, CoreConfig};
use heddle_model::memory::Memory;
use heddle_model::operations::Operations;
use heddle_model::rx::access::Region;
use heddle_model::rx::conn::RxConnRow;
use heddle_model::rx::recv::Receive;
use heddle_model::tx::framer::{Route, TxConnRow};
use heddle_model::tx::msg::WorkRequest;
use heddle_model::tx::route::RouteConfig;
use heddle_wire::header::{Ack, Data, Nak, Probe};
use heddle_wire::kinds::PayloadRule;
use heddle_wire::{
    Body, Flags, Frame, Hint, Ip, Ipv4, Msn, Opcode, Packet, ParseConfig, Psn, Sack, Seq16, Time32,
};
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::ops::Range;

const CONNECTIONS: u16 = 2;
const PATHS: u16 = 4;
const DOMAIN: u16 = 7;
const KEY_TAG: u32 = 0x5EED;
const OWN: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const PEER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
const FIRST: Psn = Psn::new(0xFF_FFF0);
const START: Time32 = Time32::new(u32::MAX - 5_000);
/// Regions: index, first byte, bytes.
const REGIONS: [(u32, Range<u64>); 2] = [(1, 0x1000..0x3000), (2, 0x8001..0x8105)];
/// Sinks of receives and answers, and sources, lie in here.
const OWN_MEMORY: Range<u64> = 0x1_0000..0x2_0000;

/// The host's memory: no bytes, but what may be written.
#[derive(Default)]
struct Guard {
    /// Sinks of receives and answers, by the number of what they were given with, until that has ended.
    sinks: BTreeMap<u64, Range<u64>>,
    fails: bool,
    /// Nothing may land any more.
    over: bool,
}

impl Memory for Guard {
    fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        let end = address.checked_add(bytes.len() as u64).expect("a write around the end of memory");
        let regions = REGIONS.iter().map(|(_, range)| range);
        let inside =
            regions.chain(self.sinks.values()).any(|range| range.start <= address && end <= range.end);
        assert!(inside || bytes.is_empty(), "{address:#x}..{end:#x} was written");
        assert!(!self.over || bytes.is_empty(), "{address:#x} was written after the end");
        !self.fails
    }
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> bool {
        bytes.iter_mut().zip(address..).for_each(|(byte, at)| *byte = at as u8);
        !self.fails
    }
}

/// The program, read from the front; zeros at its end.
struct Program<'a>(&'a [u8]);

impl Program<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }
    fn number(&mut self, bytes: usize) -> u64 {
        (0..bytes).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }
    /// Mostly one of a few values, at times any.
    fn near(&mut self, base: u64, bytes: usize) -> u64 {
        match self.byte() {
            choice @ 0..=239 => base.wrapping_add(u64::from(choice % 16)).wrapping_sub(4),
            _ => self.number(bytes),
        }
    }
}

struct Endpoint {
    core: Core,
    memory: Guard,
    now: Time32,
    tags: [u16; CONNECTIONS as usize],
    /// Requests and receives owed a completion, by number.
    owed: BTreeMap<u64, ()>,
    next_id: u64,
    frame: Vec<u8>,
}

impl Endpoint {
    fn new() -> Self {
        let core = Core::new(CoreConfig {
            connections: CONNECTIONS.into(),
            paths: PATHS.into(),
            regions: 4,
            receives: 16,
            operations: Operations::ALL,
            life: true,
            ..full()
        });
        let mut endpoint = Self {
            core,
            memory: Guard::default(),
            now: START,
            tags: [0x1000, 0x2000],
            owed: BTreeMap::new(),
            next_id: 0,
            frame: Vec::new(),
        };
        for (index, range) in REGIONS {
            let region = Region {
                valid: true,
                tag: KEY_TAG,
                base: range.start,
                length: range.end - range.start,
                remote_write: true,
                remote_read: index == 1,
                remote_atomic: index == 1,
                domain: DOMAIN,
            };
            assert!(endpoint.core.set_region(index, region));
        }
        (0..CONNECTIONS).for_each(|conn| assert!(endpoint.open(conn)));
        endpoint
    }

    fn open(&mut self, conn: u16) -> bool {
        let tag = self.tags[usize::from(conn)];
        let receive =
            RxConnRow { valid: true, tag, v6: false, peer: u128::from(u32::from(PEER)), domain: DOMAIN };
        let transmit = TxConnRow {
            peer_conn: conn,
            peer_tag: !tag,
            dst_mac: [2; 6],
            src_mac: [4; 6],
            vlan: None,
            src: OWN.into(),
            dst: PEER.into(),
            hops: 9,
            data_dscp: 10,
            ack_dscp: 46,
        };
        let opened = self.core.set_connection(conn, receive, transmit);
        for local in 0..if opened { PATHS } else { 0 } {
            let route = Route { plane: local as u8, src_port: 50_000 + local };
            assert!(self.core.set_path(conn * PATHS + local, FIRST, FIRST, route, self.now));
        }
        opened
    }

    fn check(&mut self) {
        while let Some(done) = self.core.completion() {
            let owed = self.owed.remove(&done.wr_id);
            assert!(owed.is_some(), "wr_id {} ended twice, or was never asked for", done.wr_id);
            self.memory.sinks.remove(&done.wr_id);
        }
        let c = self.core.counters();
        let known = c.accepted + c.acks_received + c.probes_received + c.naks_received + c.resets_received;
        assert_eq!(c.frames_received, known + c.dropped());
    }

    fn receive(&mut self, plane: u8, bytes: &[u8]) {
        self.core.receive_on(self.now, plane, bytes, &mut self.memory);
        self.check();
    }

    /// Sends what there is, up to `count` frames; every one can be read.
    fn transmit(&mut self, count: usize) {
        for _ in 0..count {
            let mut frame = std::mem::take(&mut self.frame);
            let sent = self.core.transmit_into(self.now, &mut self.memory, &mut frame);
            if sent.is_some() {
                Frame::parse_ref(&frame, ParseConfig::default()).expect("a frame that was sent");
            }
            self.frame = frame;
            self.check();
            if sent.is_none() {
                break;
            }
        }
    }

    fn advance(&mut self, ticks: u32) {
        let end = self.now.plus(ticks);
        // Timers are asked when they are due, as the core demands; a few hundred at most.
        for _ in 0..500 {
            let Some(due) = self.core.next_deadline().filter(|due| !due.is_ahead(end)) else { break };
            if due.is_ahead(self.now) {
                self.now = due;
            }
            self.core.advance(self.now);
            self.transmit(8);
        }
        self.now = end;
        self.core.advance(end);
        self.check();
    }

    fn id(&mut self) -> u64 {
        self.next_id += 1;
        self.owed.insert(self.next_id, ());
        self.next_id
    }

    /// A part of the host's own memory, and its bytes.
    fn place(&mut self, program: &mut Program) -> (u64, u32) {
        let address = OWN_MEMORY.start + program.number(2) % 0x8000;
        let length = match program.byte() {
            0..=99 => program.number(1) as u32,
            _ => (program.number(2) % 0x8000) as u32,
        };
        (address, length)
    }

    fn submit(&mut self, program: &mut Program) {
        let opcode = match program.byte() % 8 {
            0 => Opcode::Write,
            1 => Opcode::WriteImm,
            2 => Opcode::Send,
            3 => Opcode::SendImm,
            4 => Opcode::ReadReq,
            5 => Opcode::FetchAdd,
            6 => Opcode::CmpSwap,
            _ => Opcode::ReadResp,
        };
        let (local, mut length) = self.place(program);
        if matches!(opcode, Opcode::FetchAdd | Opcode::CmpSwap) {
            length = 8;
        }
        let mut request = WorkRequest {
            opcode: opcode.code(),
            fence: program.byte() % 4 == 0,
            conn: u16::from(program.byte() % 3),
            stream: program.byte() % 5,
            local,
            remote: program.near(0x1000, 8),
            rkey: 1 << 16 | KEY_TAG,
            length,
            imm: program.number(4) as u32,
            operand: program.number(1),
            compare: program.number(1),
            ..WorkRequest::default()
        };
        if self.core.accepts(&request) {
            request.wr_id = self.id();
            if matches!(opcode, Opcode::ReadReq | Opcode::FetchAdd | Opcode::CmpSwap) {
                self.memory.sinks.insert(request.wr_id, local..local + u64::from(length));
            }
            self.core.submit(request);
        }
        self.check();
    }

    fn post(&mut self, program: &mut Program) {
        let (address, length) = self.place(program);
        let wr_id = self.id();
        if self.core.post_receive(u16::from(program.byte() % 3), Receive { wr_id, address, length }) {
            self.memory.sinks.insert(wr_id, address..address + u64::from(length));
        } else {
            self.owed.remove(&wr_id);
        }
        self.check();
    }

    /// A packet as a peer might send it, of fields that the program chooses, most of them near to what would be right.
    fn packet(&mut self, program: &mut Program) {
        let conn = u16::from(program.byte() % 3);
        let tag = self.tags.get(usize::from(conn)).copied().unwrap_or(0);
        let tag = if program.byte() % 16 == 0 { program.number(2) as u16 } else { tag };
        let flags = Flags::from_bits(program.byte());
        let path = program.byte() % 5;
        let psn = Psn::new(program.near(u64::from(FIRST.get()), 3) as u32 & 0xFF_FFFF);
        let timestamp = Time32::new(self.now.get().wrapping_sub(program.near(8, 4) as u32));
        let route = program.byte() % 3;
        let mut payload = Vec::new();
        let body = match program.byte() % 8 {
            0..=3 => self.data(program, &mut payload),
            4 | 5 => Body::Ack(Self::ack(program)),
            6 => match program.byte() % 2 {
                0 => Body::Probe(Probe { stream: program.byte() % 6, reserved: 0 }),
                _ => Body::Reset,
            },
            _ => Body::Nak(Nak {
                code: program.byte() % 7,
                reserved: 0,
                offender0: program.number(4) as u32,
                offender1: u32::from(conn) << 16 | u32::from(!tag),
                offender2: u32::from(route) << 24 | psn.get(),
            }),
        };
        let body = match body {
            Body::Data { opcode, header, .. } => Body::Data { opcode, header, payload: &payload[..] },
            Body::Ack(ack) => Body::Ack(ack),
            Body::Nak(nak) => Body::Nak(nak),
            Body::Probe(probe) => Body::Probe(probe),
            Body::Reset => Body::Reset,
        };
        let ecn = program.byte() % 4;
        let ip = Ip::V4(Ipv4 { dscp: 0, ecn, identification: 0, ttl: 9, src: PEER, dst: OWN });
        let packet = Packet { flags, path, dst_conn: conn, tag, route, psn, timestamp, body };
        let [dst_mac, src_mac] = [[4; 6], [2; 6]];
        let dst_port = ParseConfig::default().port;
        let frame =
            Frame { dst_mac, src_mac, vlan: None, ip, src_port: 50_000, dst_port, udp_checksum: 0, packet };
        if let Ok(mut bytes) = frame.emit() {
            if program.byte() % 32 == 31 {
                let at = program.number(2) as usize % bytes.len();
                bytes[at] ^= program.byte();
            }
            self.receive(program.byte() % 4, &bytes);
        }
    }

    fn data(&self, program: &mut Program, payload: &mut Vec<u8>) -> Body<&'static [u8]> {
        let opcode = Opcode::ALL[usize::from(program.byte()) % Opcode::ALL.len()];
        let slice = 1u32 << CoreConfig::default().slice_log2;
        let length = match program.byte() {
            0..=59 => 0,
            60..=119 => program.number(1) as u32,
            120..=199 => program.number(2) as u32 % (4 * slice),
            _ => program.number(4) as u32,
        };
        let offset = match program.byte() {
            0..=199 => u32::from(program.byte() % 4) * slice,
            _ => program.number(4) as u32,
        };
        let len = match opcode.payload_rule() {
            PayloadRule::Exactly(bytes) => bytes,
            PayloadRule::Slice if program.byte() % 16 == 0 => usize::from(program.byte()) * 4,
            PayloadRule::Slice => length.saturating_sub(offset).min(slice).next_multiple_of(4) as usize,
        };
        payload.resize(len, program.byte());
        let header = Data {
            stream: program.byte() % 5,
            msn: Msn::new(program.near(4, 3) as u32 & 0xFF_FFFF),
            offset,
            length,
            address: program.near(0x1004, 8) & if program.byte() % 4 == 0 { u64::MAX } else { !7 },
            key: (u32::from(program.byte() % 4) << 16) | if program.byte() % 16 == 0 { 0 } else { KEY_TAG },
            imm: program.number(2) as u32,
            rq_index: Seq16::new(program.near(4, 2) as u16),
            reserved: 0,
        };
        Body::Data { opcode, header, payload: &[] }
    }

    fn ack(program: &mut Program) -> Ack {
        let mut lanes = Sack::default().lanes;
        for _ in 0..program.byte() % 4 {
            let bit = program.near(0xF4, 1) as usize % 256;
            lanes[bit / 64] |= 1 << (bit % 64);
        }
        Ack {
            ack_flags: Flags::from_bits(program.byte() & if program.byte() % 2 == 0 { 0 } else { 0x30 }),
            cum: Psn::new(program.near(u64::from(FIRST.get()) + 4, 3) as u32 & 0xFF_FFFF),
            hold: program.near(4, 2) as u16,
            ce_count: Seq16::new(program.near(4, 2) as u16),
            hint: Hint::from_bits(program.number(2) as u16),
            rq_credit: Seq16::new(program.near(4, 2) as u16),
            ack_seq: Seq16::new(program.near(4, 2) as u16),
            dup_count: Seq16::new(program.near(4, 2) as u16),
            done_stream: program.byte() % 5,
            done_msn: Msn::new(program.near(4, 3) as u32 & 0xFF_FFFF),
            arrivals: Seq16::new(program.near(4, 2) as u16),
            reserved: 0,
            sack: Sack { lanes },
        }
    }

    fn step(&mut self, program: &mut Program) {
        match program.byte() % 16 {
            0..=6 => self.packet(program),
            7 => {
                let len = program.number(1) as usize;
                let raw: Vec<u8> = (0..len).map(|_| program.byte()).collect();
                self.receive(0, &raw);
            }
            8 | 9 => self.submit(program),
            10 => self.post(program),
            11 => self.transmit(usize::from(program.byte() % 32)),
            12 => {
                let ticks = program.number(2) as u32;
                self.advance(ticks);
            }
            13 => {
                let ticks = (program.number(2) as u32) << 8;
                self.advance(ticks);
            }
            14 => match program.byte() % 4 {
                0 => self.memory.fails = program.byte() % 8 == 0,
                plane => {
                    self.core.set_plane(plane, program.byte() % 2 == 0, self.now);
                    self.check();
                }
            },
            _ => {
                let conn = u16::from(program.byte() % 2);
                match program.byte() % 2 {
                    0 => _ = self.core.close(conn, self.now),
                    _ => {
                        self.tags[usize::from(conn)] += 1;
                        if !self.open(conn) {
                            self.tags[usize::from(conn)] -= 1;
                        }
                    }
                }
                self.check();
            }
        }
    }

    /// Everything ends: then nothing is owed, and nothing lands any more.
    fn end(mut self, last: &[u8]) {
        self.memory.fails = false;
        for conn in 0..CONNECTIONS {
            self.core.close(conn, self.now);
        }
        self.advance(130_000_000);
        self.transmit(10_000);
        assert!(self.owed.is_empty(), "{} requests never ended", self.owed.len());
        self.memory.over = true;
        self.receive(0, last);
        self.advance(130_000_000);
    }
}

/// Everything that the model has.
fn full() -> CoreConfig {
    // 100 Gb/s, a round trip of 10 us, 4 packets without a hint.
    let congestion = CongestionConfig::new(125_000, 1_250, 4).expect("good values");
    let routes = RouteConfig::with_times(4, 25_000, 2_500_000).expect("good times");
    CoreConfig { congestion: Some(congestion), routes: Some(routes), ..CoreConfig::default() }
}

/// Runs a program; panics when the endpoint breaks a rule.
pub fn run(program: &[u8]) {
    let mut endpoint = Endpoint::new();
    let mut program = Program(program);
    while !program.0.is_empty() {
        endpoint.step(&mut program);
    }
    let last = std::mem::take(&mut endpoint.frame);
    endpoint.end(&last);
}
