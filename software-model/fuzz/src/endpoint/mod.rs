//! An endpoint with everything on, and a program of bytes that does things to it: frames that a peer might send and frames that none
//! would, work requests, receives, time, planes, ends and new beginnings.
//!
//! Whatever the program, at every step: memory outside of what the host gave is not written; every frame received is counted once; a
//! request ends at most once. At the end every request has ended exactly once, and nothing lands after.

mod frames;
mod host;

use heddle_model::core::{CongestionConfig, Core, CoreConfig};
use heddle_model::operations::Operations;
use heddle_model::rx::access::Region;
use heddle_model::rx::conn::RxConnRow;
use heddle_model::rx::recv::Receive;
use heddle_model::tx::framer::{Route, TxConnRow};
use heddle_model::tx::msg::WorkRequest;
use heddle_model::tx::route::RouteConfig;
use heddle_wire::{Frame, Opcode, ParseConfig, Psn, Time32};
use host::{Guard, Program};
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
