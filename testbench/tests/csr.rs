//! `csr` against `heddle_model::csr`: a control plane that does everything, in any order, while events come in.

use heddle_model::csr::{Csr as Model, CsrConfig, Effect};
use heddle_rtl::config::named;
use heddle_testbench::duts::Csr;
use heddle_testbench::lockstep::seeds;
use heddle_testbench::Dut;
use heddle_wire::registers::{ADDRESS_BITS, REGISTERS};
use heddle_wire::setup::SetupTable;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const TRANSACTIONS: u32 = 4_000;
/// Cycles after which a reset's clearing is over: 64 paths on either side, then 1,024 messages.
const BOOT_CYCLES: u32 = 64 * 8 + 1_024 + 64;

/// What left the block towards the tables.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    table: SetupTable,
    index: u32,
    fields: Vec<u64>,
}

struct World {
    dut: Csr,
    model: Model,
    rng: ChaCha8Rng,
    rows: Vec<Row>,
    seeds: Vec<u32>,
    /// Paths made new by a reset, on the receive and on the transmit side.
    swept: [Vec<u32>; 2],
    counter: u8,
    replay: String,
}

/// What a counter reads as in this test.
fn count(index: u8, traffic: bool) -> u32 {
    u32::from(index).wrapping_mul(0x0101_0101) ^ if traffic { 0x5A00_0000 } else { 0 }
}

impl World {
    fn new(seed: u64) -> Self {
        let config = named::gbe();
        let sizes = 4 << 20 | 2 << 16 | 2 << 12 | 4 << 8 | 6 << 4 | 10;
        let clock = 1 << 16 | 16 << 10 | 64;
        let model = CsrConfig {
            connections: config.connections(),
            paths: config.connections() * config.paths(),
            regions: config.regions(),
            sizes: [sizes, clock],
        };
        let replay = format!("replay: SEED={seed} cargo test -p heddle-testbench --test csr");
        let mut dut = Csr::power_on(seed as u32);
        dut.set_plane_up(0xFFFF);
        dut.set_rx_error(false);
        dut.set_tx_error(false);
        dut.set_wqe_bad(false);
        dut.set_s_axil_awvalid(false);
        dut.set_s_axil_wvalid(false);
        dut.set_s_axil_arvalid(false);
        dut.reset(3);
        Self {
            dut,
            model: Model::new(model, 0xFFFF),
            rng: ChaCha8Rng::seed_from_u64(seed),
            rows: Vec::new(),
            seeds: Vec::new(),
            swept: Default::default(),
            counter: 0,
            replay,
        }
    }

    /// One cycle, with what the other blocks do.
    fn cycle(&mut self) {
        let ready = (self.rng.gen(), self.rng.gen());
        self.dut.set_rx_path_ready(ready.0);
        self.dut.set_tx_path_ready(ready.1);
        // The counters answer a cycle later.
        self.dut.set_drop_count(count(self.counter, false));
        self.dut.set_traffic_count(count(self.counter & 31, true));
        self.dut.eval();
        self.counter = self.dut.count_index();
        if self.dut.ready() {
            self.collect(ready);
        } else {
            // Paths made new: the first PSN is 0.
            if self.dut.rx_path_valid() && ready.0 {
                assert_eq!(self.dut.rx_path_psn(), 0, "{}", self.replay);
                self.swept[0].push(self.dut.rx_path_index());
            }
            if self.dut.tx_path_valid() && ready.1 {
                assert_eq!(self.dut.tx_path_psn(), 0, "{}", self.replay);
                self.swept[1].push(self.dut.tx_path_index());
            }
        }
        if self.dut.seed_we() {
            self.seeds.push(self.dut.seed());
        }
        self.dut.tick();
    }

    fn collect(&mut self, ready: (bool, bool)) {
        let dut = &self.dut;
        let low = |words: &[u32]| words.iter().map(|&word| u64::from(word)).collect::<Vec<_>>();
        let index = dut.set_index();
        let mut row = |table, index, fields| self.rows.push(Row { table, index, fields });
        if dut.set_rx_connection() {
            row(SetupTable::RxConnection, index, low(dut.rx_connection().as_slice()));
        }
        if dut.set_tx_connection() {
            row(SetupTable::TxConnection, index, low(dut.tx_connection().as_slice()));
        }
        if dut.set_route() {
            row(SetupTable::Route, index, vec![dut.route().into()]);
        }
        if dut.set_region() {
            row(SetupTable::Region, index, low(dut.region().as_slice()));
        }
        if dut.rx_path_valid() && ready.0 {
            row(SetupTable::RxPath, dut.rx_path_index(), vec![dut.rx_path_psn().into()]);
        }
        if dut.tx_path_valid() && ready.1 {
            row(SetupTable::TxPath, dut.tx_path_index(), vec![dut.tx_path_psn().into()]);
        }
    }

    /// Perhaps an event, which the model sees too.
    fn event(&mut self) {
        match self.rng.gen_range(0..12) {
            0 => {
                let up = self.rng.gen();
                self.dut.set_plane_up(up);
                self.model.on_planes(up);
            }
            1 => {
                let (conn, code) = (self.rng.gen(), self.rng.gen_range(1..=2));
                self.dut.set_rx_error(true);
                self.dut.set_rx_error_conn(conn);
                self.dut.set_rx_error_code(code);
                self.model.on_error(conn, if code == 1 { 7 } else { 4 });
            }
            2 => {
                let conn = self.rng.gen();
                self.dut.set_tx_error(true);
                self.dut.set_tx_error_conn(conn);
                self.model.on_error(conn, 7);
            }
            3 => {
                self.dut.set_wqe_bad(true);
                self.model.on_bad_request();
            }
            _ => return,
        }
        self.cycle();
        self.dut.set_rx_error(false);
        self.dut.set_tx_error(false);
        self.dut.set_wqe_bad(false);
        self.cycle();
    }

    fn write(&mut self, address: u32, value: u32, strobe: u8) -> bool {
        let (mut address_waits, mut data_waits) = (self.rng.gen_range(0..3), self.rng.gen_range(0..3));
        let patience = self.rng.gen_range(0..3);
        self.dut.set_s_axil_awaddr(address as u16);
        self.dut.set_s_axil_wdata(value);
        self.dut.set_s_axil_wstrb(strobe);
        loop {
            self.dut.set_s_axil_awvalid(address_waits == 0);
            self.dut.set_s_axil_wvalid(data_waits == 0);
            self.dut.eval();
            let taken = self.dut.s_axil_awready() && self.dut.s_axil_wready();
            assert!(!taken || address_waits + data_waits == 0, "{}", self.replay);
            self.cycle();
            (address_waits, data_waits) = (address_waits.max(1) - 1, data_waits.max(1) - 1);
            if taken {
                break;
            }
        }
        self.dut.set_s_axil_awvalid(false);
        self.dut.set_s_axil_wvalid(false);
        self.dut.set_s_axil_bready(false);
        for _ in 0..patience {
            self.cycle();
        }
        self.dut.eval();
        assert!(self.dut.s_axil_bvalid(), "the answer waits; {}", self.replay);
        let refused = match self.dut.s_axil_bresp() {
            0 => false,
            2 => true,
            other => panic!("bresp {other}"),
        };
        self.dut.set_s_axil_bready(true);
        self.cycle();
        self.dut.set_s_axil_bready(false);
        refused
    }

    fn read(&mut self, address: u32) -> u32 {
        self.dut.set_s_axil_araddr(address as u16);
        self.dut.set_s_axil_arvalid(true);
        self.dut.eval();
        assert!(self.dut.s_axil_arready(), "{}", self.replay);
        self.cycle();
        self.dut.set_s_axil_arvalid(false);
        self.dut.set_s_axil_rready(false);
        for _ in 0..3 + self.rng.gen_range(0..3) {
            self.cycle();
        }
        self.dut.eval();
        assert!(self.dut.s_axil_rvalid() && self.dut.s_axil_rresp() == 0, "{}", self.replay);
        let value = self.dut.s_axil_rdata();
        self.dut.set_s_axil_rready(true);
        self.cycle();
        value
    }

    /// What the tables must get of a row.
    fn expected(table: SetupTable, index: u32, words: &[u32; 8]) -> Row {
        let address = |at: usize| [words[at + 3], words[at + 2], words[at + 1], words[at]];
        let vector = |fields: &[(u32, u32)]| {
            // (bits, value), the first field lowest, in words of 32 bits.
            let (mut out, mut at) = (vec![0u64; 8], 0u32);
            for &(bits, value) in fields {
                for bit in 0..bits {
                    out[(at / 32) as usize] |= u64::from(value >> bit & 1) << (at % 32);
                    at += 1;
                }
            }
            out.truncate(at.div_ceil(32) as usize);
            out
        };
        let w = words;
        let fields = match table {
            SetupTable::RxPath | SetupTable::TxPath => vec![u64::from(w[0] & 0xFF_FFFF)],
            SetupTable::Route => vec![u64::from(w[0] >> 24 | (w[0] & 0xFFFF) << 8)],
            SetupTable::RxConnection => {
                let peer = address(2).map(|word| (32, word));
                let head = [(1, w[0] >> 31), (1, w[0] >> 30), (16, w[0]), (16, w[1] >> 16)];
                vector(&[&head[..], &peer].concat())
            }
            SetupTable::TxConnection => {
                let flags = [(1, w[0] >> 31), (1, w[0] >> 30), (1, w[0] >> 29)];
                let peer = address(2).map(|word| (32, word));
                let ids = [(16, w[0]), (16, w[1] >> 16), (16, w[1])];
                vector(&[&flags[..], &ids, &peer, &[(16, w[6]), (32, w[7])]].concat())
            }
            SetupTable::Region => {
                let rights = [(1, w[0] >> 31), (1, w[0] >> 30), (1, w[0] >> 29), (1, w[0] >> 28)];
                let rest = [(16, w[0]), (16, w[1] >> 16), (32, w[3]), (32, w[2]), (32, w[5]), (32, w[4])];
                vector(&[&rights[..], &rest].concat())
            }
        };
        Row { table, index, fields }
    }
}

fn address(rng: &mut ChaCha8Rng) -> u32 {
    if rng.gen_ratio(1, 10) {
        return rng.gen_range(0..1 << ADDRESS_BITS);
    }
    let register = &REGISTERS[rng.gen_range(0..REGISTERS.len())];
    register.address + 4 * rng.gen_range(0..register.count) + u32::from(rng.gen_ratio(1, 20))
}

#[test]
fn reads_writes_rows_and_interrupts_are_the_models() {
    let (mut rows, mut refusals, mut seeds_loaded) = (0, 0, 0);
    for seed in seeds() {
        let mut world = World::new(seed);
        (0..BOOT_CYCLES).for_each(|_| world.cycle());
        assert!(world.dut.ready() && world.rows.is_empty(), "{}", world.replay);
        for _ in 0..TRANSACTIONS {
            world.event();
            let address = address(&mut world.rng);
            if world.rng.gen() {
                let got = world.read(address);
                let counter = (address >> 2 & 0x3F) as u8;
                let want = world.model.read(address).unwrap_or_else(|| match address >> 7 {
                    4 | 5 => count(counter, false),
                    _ => count(counter & 31, true),
                });
                assert_eq!(got, want, "read of {address:#x}; {}", world.replay);
            } else {
                // A reset asked for by software is a test of its own.
                let mut value = world.rng.gen::<u32>();
                if address & !3 == 0x140 {
                    value = world.rng.gen_range(0..8) << 24 | world.rng.gen_range(0..80);
                }
                if address & !3 == 0x098 {
                    value = world.rng.gen_range(0..70_000);
                }
                let value = if address & !3 == 0x020 { value & !2 } else { value };
                let strobe = if world.rng.gen_ratio(1, 8) { world.rng.gen_range(0..16) } else { 0xF };
                let refused = world.write(address, value, strobe);
                let effect = world.model.write(address, value, strobe);
                assert_eq!(refused, effect.is_err(), "write of {value:#x} to {address:#x}; {}", world.replay);
                refusals += u32::from(refused);
                // A path's engine may let its row wait.
                (0..12).for_each(|_| world.cycle());
                let expected = match effect {
                    Ok(Effect::Row { table, index, words }) => vec![World::expected(table, index, &words)],
                    _ => Vec::new(),
                };
                rows += expected.len();
                assert_eq!(world.rows, expected, "{}", world.replay);
                world.rows.clear();
                let loaded = match effect {
                    Ok(Effect::Enabled { seed }) => vec![seed],
                    _ => Vec::new(),
                };
                seeds_loaded += loaded.len();
                assert_eq!(world.seeds, loaded, "{}", world.replay);
                world.seeds.clear();
            }
            world.dut.eval();
            assert_eq!(world.dut.irq(), world.model.irq(), "{}", world.replay);
            assert_eq!(world.dut.enable(), world.model.get("control") & 1 == 1, "{}", world.replay);
            assert_eq!(u32::from(world.dut.cwnd()), world.model.get("cwnd") >> 8, "{}", world.replay);
            assert_eq!(world.dut.own_ipv4(), world.model.get("own_ipv4"), "{}", world.replay);
            assert_eq!(world.dut.rto0(), world.model.get("rto0"), "{}", world.replay);
            assert_eq!(u32::from(world.dut.port()), world.model.get("udp_port"), "{}", world.replay);
        }
    }
    assert!(rows > 50 && refusals > 100 && seeds_loaded > 3, "{rows} {refusals} {seeds_loaded}");
}

#[test]
fn a_reset_makes_every_path_new_and_refuses_commands_until_it_is_over() {
    let mut world = World::new(1);
    for restart in [false, true] {
        if restart {
            world.write(0x050, 0x0A00_0001, 0xF);
            world.model.write(0x050, 0x0A00_0001, 0xF).unwrap();
            world.write(0x020, 3, 0xF);
        }
        while !world.dut.ready() {
            world.cycle();
        }
        for swept in std::mem::take(&mut world.swept) {
            assert_eq!(swept, (0..64).collect::<Vec<u32>>(), "restart {restart}");
        }
    }
    assert_eq!(world.read(0x050), 0x0A00_0001, "registers outlive the core's reset");
    assert_eq!(world.read(0x020), 1);
    // Again, with a command in the middle.
    world.write(0x020, 3, 0xF);
    world.write(0x140, 1 << 24, 0xF);
    assert_eq!((world.read(0x144), world.read(0x028) & 2), (3, 2));
}
