//! Two cores, their memories, and a wire between them.

use heddle_rtl::config::{named, Config};
use heddle_testbench::host::{AxiLatency, Backing, Clocked, CorePins, Host, Registers};
use heddle_testbench::lockstep::Watchers;
use heddle_testbench::monitors::core::{watchers, Core};
use heddle_wire::registers::Counter;
use heddle_wire::setup::{Key, Region, Route, RxConnection, SetupTable, TxConnection};
use heddle_wire::{Opcode, Status, WorkRequest};

/// Bytes from an address on.
pub struct Bytes {
    base: u64,
    bytes: Vec<u8>,
}

impl Backing for Bytes {
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
        let at = address.wrapping_sub(self.base) as usize;
        let from = at.checked_add(bytes.len()).and_then(|end| self.bytes.get(at..end));
        from.map(|from| bytes.copy_from_slice(from)).is_some()
    }

    fn write(&mut self, address: u64, bytes: &[u8], strobe: u64) -> bool {
        let at = address.wrapping_sub(self.base) as usize;
        (0..bytes.len())
            .filter(|lane| strobe >> lane & 1 == 1)
            .all(|lane| self.bytes.get_mut(at.wrapping_add(lane)).map(|byte| *byte = bytes[lane]).is_some())
    }
}

/// What the wire does to frames.
pub struct Wire {
    /// Every so many-th frame is lost, 0 for none.
    pub lose_every: u64,
}

/// What a run showed.
pub struct Seen {
    /// Transactions inside of both cores that were compared with the model's.
    pub compared: u64,
    /// Traffic counters of both cores, read over AXI4-Lite.
    traffic: [[u32; 2]; Counter::LIMIT],
}

impl Seen {
    /// A traffic counter of the sender (0) or the receiver (1).
    pub fn counted(&self, counter: Counter, side: usize) -> u32 {
        self.traffic[usize::from(counter.code())][side]
    }
}

/// Cycles within which the message is done.
const PATIENCE: u64 = 4_000_000;
/// Cycles after which nothing is under way any more.
const SILENCE: u64 = 3_000;

/// A core, and the model beside each of its blocks.
pub struct Side<D: CorePins + Core> {
    host: Host<D, Bytes>,
    watchers: Watchers<D>,
}

impl<D: CorePins + Core> Clocked for Side<D> {
    type Core = D;
    type Memory = Bytes;

    fn host(&mut self) -> &mut Host<D, Bytes> {
        &mut self.host
    }

    fn clock(&mut self) {
        let watchers = &mut self.watchers;
        self.host.cycle(|core| watchers.watch(core, core.cycle()));
    }
}

/// Two cores.
pub struct Pair<D: CorePins + Core> {
    sides: [Side<D>; 2],
    len: usize,
    wire: Wire,
}

const BASE: [u64; 2] = [0x1_0000_0000, 0x2_0000_0000];
const OFFSET: u64 = 4096 - 13;

fn config<D: CorePins>() -> Config {
    let name = D::NAME.strip_prefix("core_").unwrap();
    named::by_name(name).unwrap()
}

impl<D: CorePins + Core> Pair<D> {
    pub fn new(seed: u32, len: usize, wire: Wire) -> Self {
        let config = config::<D>();
        let fill =
            |n: usize| (0..len + 16384).map(|i| if n == 0 { (i * 7 + i / 256) as u8 } else { 0 }).collect();
        let sides = [0, 1].map(|n| {
            let memory = Bytes { base: BASE[n], bytes: fill(n) };
            let host = Host::<D, Bytes>::new(seed + n as u32, memory, AxiLatency::default());
            let mut side = Side { host, watchers: watchers(&config) };
            set_up(&mut side, &config, n).unwrap();
            side
        });
        Self { sides, len, wire }
    }

    /// Moves the bytes as one message, and compares everything.
    pub fn run(mut self) -> Seen {
        let key = Key { index: 1, tag: 0xBEEF };
        let request = WorkRequest {
            opcode: Opcode::Write.code(),
            conn: 1,
            stream: 1,
            wr_id: 77,
            local_address: BASE[0] + OFFSET,
            remote_address: BASE[1] + OFFSET + 3,
            length: self.len as u32,
            rkey: u32::from_be_bytes(key.emit()),
            ..WorkRequest::default()
        };
        assert!(self.sides[0].host.submit(&request));
        let (mut frames, mut completed) = (0, false);
        for _ in 0..PATIENCE {
            for n in [0, 1] {
                self.sides[n].clock();
                while let Some(frame) = self.sides[n].host.sent() {
                    frames += 1;
                    if self.wire.lose_every == 0 || frames % self.wire.lose_every != 0 {
                        self.sides[1 - n].host.deliver(frame.plane, &frame.bytes);
                    }
                }
            }
            if let Some(completion) = self.sides[0].host.completion() {
                assert_eq!((completion.status, completion.wr_id), (Status::Success.code(), 77));
                completed = true;
                break;
            }
        }
        // What is under way then arrives and is answered.
        (0..SILENCE).for_each(|_| self.sides.iter_mut().for_each(Clocked::clock));
        assert!(completed, "no completion after {frames} frames");
        let at = OFFSET as usize;
        let (from, to) = (&self.sides[0].host.memory().bytes, &self.sides[1].host.memory().bytes);
        assert!(from[at..at + self.len] == to[at + 3..at + 3 + self.len], "the bytes are there");
        assert!(to[..at + 3].iter().chain(&to[at + 3 + self.len..]).all(|&byte| byte == 0), "nothing else");
        let mut seen = Seen { compared: 0, traffic: [[0; 2]; Counter::LIMIT] };
        for (n, side) in self.sides.iter_mut().enumerate() {
            let totals = side.watchers.totals();
            assert_eq!(totals.mismatches, 0, "core {n}: {:#?}", side.watchers.reports());
            assert_eq!(totals.crossed, totals.compared + totals.explained, "core {n}");
            seen.compared += totals.compared;
            for counter in Counter::ALL {
                let at = counter.code().into();
                seen.traffic[at as usize][n] = side.read_at("traffic", at).unwrap();
            }
        }
        seen
    }
}

fn set_up<D: CorePins + Core>(
    host: &mut Side<D>,
    config: &Config,
    own: usize,
) -> Result<(), heddle_testbench::host::Refused> {
    let peer = 1 - own;
    let address = |n: usize| {
        let mut bytes = [0; 16];
        bytes[12..].copy_from_slice(&[10, 0, 0, n as u8 + 1]);
        bytes
    };
    host.wait_idle()?;
    host.write("own_mac_high", 0x0200)?;
    host.write("own_mac_low", own as u32 + 1)?;
    host.write("own_ipv4", 0x0A00_0001 + own as u32)?;
    host.write("cwnd", 64 << 8)?;
    let conn = 1u32;
    for path in 0..config.paths() {
        let index = conn * config.paths() + path;
        let psn = 0xFF_FFF0 + path;
        host.set_up(SetupTable::TxPath, index, &psn.to_be_bytes())?;
        host.set_up(SetupTable::RxPath, index, &psn.to_be_bytes())?;
        let route = Route { plane: path as u8, src_port: 0xC000 + path as u16, ..Route::default() };
        host.set_up(SetupTable::Route, index, &route.emit())?;
    }
    let transmit = TxConnection {
        valid: 1,
        peer_conn: 1,
        peer_tag: 0x1111 * (peer as u16 + 1),
        peer_address: address(peer),
        peer_mac_high: 0x0200,
        peer_mac_low: peer as u32 + 1,
        ..TxConnection::default()
    };
    host.set_up(SetupTable::TxConnection, conn, &transmit.emit())?;
    let receive = RxConnection {
        valid: 1,
        tag: 0x1111 * (own as u16 + 1),
        pd: 5,
        peer_address: address(peer),
        ..RxConnection::default()
    };
    host.set_up(SetupTable::RxConnection, conn, &receive.emit())?;
    let region = Region {
        valid: 1,
        remote_write: 1,
        tag: 0xBEEF,
        pd: 5,
        base: BASE[own],
        length: host.host.memory().bytes.len() as u64,
        ..Region::default()
    };
    host.set_up(SetupTable::Region, 1, &region.emit())?;
    host.write("control", 1)
}
