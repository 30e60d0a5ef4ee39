//! What is tried, and cores set up for it.

use crate::frames::Lie;
use crate::rows::{rows, End};
use heddle_model::core::{CongestionConfig, Core, CoreConfig};
use heddle_model::operations::Operations;
use heddle_model::rx::access::{Region, KEY_TAG_BITS};
use heddle_model::tx::framer::Route;
use heddle_model::tx::msg::WorkRequest;
use heddle_model::tx::route::RouteConfig;
use heddle_wire::{Opcode, Psn, Time32};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::net::Ipv4Addr;

/// A microsecond in ps.
pub const US: u64 = 1_000_000;
/// Bytes of a packet's payload.
pub const SLICE: u64 = 4096;
/// Bytes that a full packet takes of the wire.
pub const PACKET: u64 = 4214;
/// Bytes that 100 Gb/s bring in 10 us.
pub const CAPACITY: u32 = 125_000;
const PATHS: u16 = 4;
const KEY_TAG: u32 = 0x77;
const RECEIVER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
/// Ticks at time 0: timestamps wrap 5 us later.
const START: u32 = 0u32.wrapping_sub(625);

/// A message: its sender, when it is handed in, in ps, its packets, and whether the receiver reads it (else the sender writes it).
#[derive(Clone, Copy, Debug)]
pub struct Message {
    pub sender: usize,
    pub at: u64,
    pub packets: u64,
    pub read: bool,
}

impl Message {
    /// A WRITE.
    pub fn write(sender: usize, at: u64, packets: u64) -> Self {
        Self { sender, at, packets, read: false }
    }
}

/// What is tried.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Seed of everything random.
    pub seed: u64,
    pub messages: Vec<Message>,
    pub senders: usize,
    /// Planes over which each sender's paths are spread, in the same order for all; together they bring what the one port does.
    pub planes: u8,
    /// Bytes that the switch holds.
    pub buffer: u64,
    /// Bytes beyond which it marks.
    pub ecn: u64,
    /// Share of frames lost to the receiver, and of ACKs lost to the senders.
    pub loss: (f64, f64),
    /// A sender whose port takes so many ps per byte; 80 is 100 Gb/s.
    pub slow: Option<(usize, u64)>,
    /// What the receiver says in place of its hints, and in which share of its ACKs.
    pub lie: Option<(Lie, f64)>,
}

impl Plan {
    /// A buffer of 1 MB that marks at 100 kB.
    pub fn new(senders: usize, messages: Vec<Message>, seed: u64) -> Self {
        Self {
            seed,
            messages,
            senders,
            planes: 1,
            buffer: 1_000_000,
            ecn: 100_000,
            loss: (0.0, 0.0),
            slow: None,
            lie: None,
        }
    }

    /// `senders` start at random within 5 us, each with one message of so many packets.
    pub fn incast(senders: usize, packets: u64, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let message = |sender| Message::write(sender, rng.gen_range(0..5 * US), packets);
        Self::new(senders, (0..senders).map(message).collect(), seed)
    }

    /// When the last message is handed in.
    pub fn last_start(&self) -> u64 {
        self.messages.iter().map(|message| message.at).max().unwrap_or(0)
    }
}

/// Time as a core sees it.
pub fn tick(now: u64) -> Time32 {
    Time32::new(START.wrapping_add((now / 8_000) as u32))
}

fn sender_address(n: usize) -> Ipv4Addr {
    Ipv4Addr::new(10, 1, (n >> 8) as u8, n as u8)
}

/// The sender whose address a frame is sent to.
pub fn sender_of(frame: &[u8]) -> usize {
    usize::from(frame[32]) << 8 | usize::from(frame[33])
}

fn core(connections: u32, planes: u8, seed: u32) -> Core {
    let congestion = CongestionConfig::new(CAPACITY, 1250, 4)
        .and_then(|congestion| congestion.with_plane_capacity(CAPACITY / u32::from(planes)));
    Core::new(CoreConfig {
        connections,
        paths: PATHS.into(),
        slice_log2: SLICE.ilog2(),
        regions: 2,
        seed,
        operations: Operations::ALL,
        congestion: Some(congestion.expect("values of the protocol")),
        routes: (planes > 1).then(|| RouteConfig::new(planes).expect("planes that can be")),
        ..CoreConfig::default()
    })
}

fn set_up(
    core: &mut Core,
    planes: u8,
    (conn, peer_conn): (u16, u16),
    (src, dst): (Ipv4Addr, Ipv4Addr),
    psns: [u32; 8],
) {
    let [own, peer] = [(src, conn), (dst, peer_conn)].map(|(address, conn)| End { address, conn, tag: 1 });
    let (receive, transmit) = rows(&own, &peer, 1);
    assert!(core.set_connection(conn, receive, transmit));
    for path in 0..PATHS {
        let index = conn * PATHS + path;
        let route = Route { plane: (path % u16::from(planes)) as u8, src_port: 49_152 + index };
        let psn = |at: u16| Psn::new(psns[usize::from(at)]);
        assert!(core.set_path(index, psn(path), psn(PATHS + path), route, tick(0)));
    }
}

/// A core for each sender, and that of the receiver behind them.
pub fn cores(plan: &Plan, rng: &mut ChaCha8Rng) -> Vec<Core> {
    let count = plan.senders;
    let mut receiver = core((count as u32).next_power_of_two(), plan.planes, rng.gen());
    // All addresses of all senders, to be written here and read there.
    let length = (count as u64) << 32;
    let region = Region { valid: true, tag: KEY_TAG, length, domain: 1, ..Region::default() };
    assert!(receiver.set_region(1, Region { remote_write: true, ..region }));
    let mut cores: Vec<Core> = (0..count)
        .map(|n| {
            let mut psns: [u32; 8] = rng.gen();
            let mut sender = core(1, plan.planes, rng.gen());
            assert!(sender.set_region(1, Region { remote_read: true, ..region }));
            set_up(&mut sender, plan.planes, (0, n as u16), (sender_address(n), RECEIVER), psns);
            psns.rotate_left(4);
            set_up(&mut receiver, plan.planes, (n as u16, 0), (RECEIVER, sender_address(n)), psns);
            sender
        })
        .collect();
    cores.push(receiver);
    cores
}

/// The work request of message `number`: from and to `address`.
pub fn request(number: usize, message: &Message, address: u64) -> WorkRequest {
    let opcode = if message.read { Opcode::ReadReq } else { Opcode::Write };
    WorkRequest {
        wr_id: number as u64,
        opcode: opcode.code(),
        conn: if message.read { message.sender as u16 } else { 0 },
        stream: (number % 4) as u8,
        local: address,
        remote: address,
        rkey: 1 << KEY_TAG_BITS | KEY_TAG,
        length: (message.packets * SLICE) as u32,
        ..WorkRequest::default()
    }
}
