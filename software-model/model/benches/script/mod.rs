//! A long WRITE between two cores, recorded: what each core is given, event by event, to be given to it again.

#[path = "../../tests/shared/rows.rs"]
mod rows;

use heddle_model::core::{CongestionConfig, Core, CoreConfig};
use heddle_model::memory::Memory;
use heddle_model::operations::Operations;
use heddle_model::rx::access::{Region, KEY_TAG_BITS};
use heddle_model::tx::framer::Route;
use heddle_model::tx::msg::WorkRequest;
use heddle_model::tx::route::RouteConfig;
use heddle_wire::{Opcode, PacketType, Psn, Time32};
use rows::{rows, End};
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::ops::Range;

/// One way, in packets.
const DELAY: usize = 25;
/// Every so many DATA packets one is lost.
const LOSE_EVERY: u64 = 101;
const TAG: u32 = 0x1234;

/// A buffer that stands for all of memory: what counts is that bytes are copied.
pub struct Buffer(Box<[u8; 1 << 13]>);

impl Buffer {
    pub fn new() -> Self {
        Self(Box::new([0x5A; 1 << 13]))
    }
}

impl Memory for Buffer {
    fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        let at = address as usize % 4096;
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
        true
    }
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> bool {
        let at = address as usize % 4096;
        bytes.copy_from_slice(&self.0[at..at + bytes.len()]);
        true
    }
}

/// What a core is given.
pub enum Event {
    Receive(Vec<u8>),
    /// Asked for a frame; there was one or not.
    Transmit(bool),
    Advance,
}

/// A core in the middle of a transfer and what it is given from there on.
pub struct Script {
    pub core: Core,
    pub events: Vec<(Time32, Event)>,
    /// DATA packets that it sends or receives in these events.
    pub packets: u64,
}

impl Script {
    /// Gives these events to `core`, a clone of the script's that has had those before. `bytes` holds the frames that it sends.
    pub fn replay(&self, core: &mut Core, memory: &mut Buffer, bytes: &mut Vec<u8>, part: Range<usize>) {
        for (now, event) in &self.events[part] {
            match event {
                Event::Receive(frame) => core.receive(*now, frame, memory),
                Event::Transmit(there) => {
                    assert_eq!(core.transmit_into(*now, memory, bytes).is_some(), *there);
                }
                Event::Advance => core.advance(*now),
            }
        }
    }
}

fn core(own: usize, slice_log2: u32) -> Core {
    // 100 Gb/s, a round trip of about 10 us, four planes: everything on.
    let congestion = CongestionConfig::new(125_000, 1_250, 4).expect("good values");
    let routes = RouteConfig::new(4).expect("four planes");
    let mut core = Core::new(CoreConfig {
        connections: 1,
        slice_log2,
        operations: Operations::ALL,
        congestion: Some(congestion),
        routes: Some(routes),
        life: true,
        ..CoreConfig::default()
    });
    let end = |n: usize| End { address: Ipv4Addr::new(10, 0, 0, n as u8 + 1), conn: 0, tag: 1 + n as u16 };
    let (receive, transmit) = rows(&end(own), &end(1 - own), 0);
    assert!(core.set_connection(0, receive, transmit));
    for path in 0..4 {
        let route = Route { plane: path as u8, src_port: 50_000 + path };
        assert!(core.set_path(path, Psn::new(9), Psn::new(9), route, Time32::new(0)));
    }
    let region =
        Region { valid: true, tag: TAG, base: 0, length: 1 << 40, remote_write: true, ..Region::default() };
    assert!(core.set_region(0, region));
    core
}

struct Side {
    core: Core,
    memory: Buffer,
    log: Vec<(Time32, Event)>,
    /// What is on its way to it: a slot per step.
    line: VecDeque<Vec<Vec<u8>>>,
}

/// The scripts of sender and receiver: `steps` frame times behind `warm_up` of them.
pub fn record(slice_log2: u32, warm_up: u64, steps: u64) -> [Script; 2] {
    let mut sides = [0, 1].map(|own| Side {
        core: core(own, slice_log2),
        memory: Buffer::new(),
        log: Vec::new(),
        line: (0..DELAY).map(|_| Vec::new()).collect(),
    });
    let request = WorkRequest {
        opcode: Opcode::Write.code(),
        rkey: TAG & ((1 << KEY_TAG_BITS) - 1),
        length: 1 << 31,
        ..WorkRequest::default()
    };
    sides[0].core.submit(request);
    let frame_ticks = (1u32 << slice_log2).div_ceil(100);
    let (mut start, mut packets, mut data) = ([None, None], [0, 0], 0u64);
    for step in 0..warm_up + steps {
        if step == warm_up {
            for (side, start) in sides.iter_mut().zip(&mut start) {
                side.log.clear();
                *start = Some(side.core.clone());
            }
            packets = [0, 0];
        }
        let now = Time32::new(step as u32 * frame_ticks);
        for n in 0..2 {
            for frame in sides[n].line.pop_front().unwrap_or_default() {
                let side = &mut sides[n];
                side.core.receive(now, &frame, &mut side.memory);
                packets[n] += u64::from(is_data(&frame));
                side.log.push((now, Event::Receive(frame)));
            }
            let side = &mut sides[n];
            side.core.advance(now);
            side.log.push((now, Event::Advance));
            let mut sent = Vec::new();
            // A frame time carries one DATA frame, or all ACKs that there are.
            loop {
                let frame = side.core.transmit(now, &mut side.memory);
                side.log.push((now, Event::Transmit(frame.is_some())));
                let Some(frame) = frame else { break };
                let is_data = is_data(&frame.bytes);
                packets[n] += u64::from(is_data);
                data += u64::from(is_data);
                if !is_data || data % LOSE_EVERY != 0 {
                    sent.push(frame.bytes);
                }
                if is_data {
                    break;
                }
            }
            sides[1 - n].line.push_back(sent);
        }
    }
    let mut sides = sides.into_iter().zip(start).zip(packets);
    [(); 2].map(|()| {
        let ((side, start), packets) = sides.next().expect("two sides");
        Script { core: start.expect("a warm core"), events: side.log, packets }
    })
}

/// Byte 42 is the first of the transport header of an untagged IPv4 frame.
fn is_data(frame: &[u8]) -> bool {
    frame[42] & 15 == PacketType::Data.code()
}
