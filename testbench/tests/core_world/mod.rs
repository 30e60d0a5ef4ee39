//! A core in a test: its memory, its set-up as number 0 or 1 of two, and the model beside each of its blocks.

use heddle_rtl::config::{named, Config};
use heddle_testbench::host::{AxiLatency, Backing, Clocked, CorePins, Host, Registers};
use heddle_testbench::lockstep::Watchers;
use heddle_testbench::monitors::core::{watchers, Core};
use heddle_wire::setup::{Region, Route, RxConnection, SetupTable, TxConnection};

/// Bytes from an address on.
pub struct Bytes {
    /// First address.
    pub base: u64,
    /// What is there.
    pub bytes: Vec<u8>,
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

/// A core, and the model beside each of its blocks.
pub struct Side<D: CorePins + Core> {
    /// The core and its world.
    pub host: Host<D, Bytes>,
    /// The monitors.
    pub watchers: Watchers<D>,
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

impl<D: CorePins + Core> Side<D> {
    /// Core `own` of two, set up for a connection with the other.
    pub fn new(seed: u32, own: usize, bytes: Vec<u8>) -> Self {
        let config = config::<D>();
        let memory = Bytes { base: BASE[own], bytes };
        let host = Host::<D, Bytes>::new(seed, memory, AxiLatency::default());
        let mut side = Side { host, watchers: watchers(&config) };
        set_up(&mut side, &config, own).expect("a set-up that the core takes");
        side
    }
}

/// First byte of each core's memory.
pub const BASE: [u64; 2] = [0x1_0000_0000, 0x2_0000_0000];
/// Configuration of a core.
pub fn config<D: CorePins>() -> Config {
    let name = D::NAME.strip_prefix("core_").unwrap();
    named::by_name(name).unwrap()
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
