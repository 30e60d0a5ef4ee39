//! `rx_conn` against `heddle_model::rx::conn`, in lockstep.

use heddle_model::rx::conn::RxConnRow;
use heddle_testbench::bits::Packer;
use heddle_testbench::duts::RxConn;
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Setup};
use heddle_testbench::monitors::rx_conn::{ConnMonitor, Ports};
use heddle_testbench::rows::Held;
use heddle_testbench::Dut;
use heddle_wire::PacketType;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

struct ConnBench {
    rng: ChaCha8Rng,
    frames: Driver<Held>,
    ready: Pace,
    transactions: u64,
    rows: Vec<RxConnRow>,
    write: Option<(u8, RxConnRow)>,
    cycle: u64,
}

impl ConnBench {
    /// A frame that is right in most ways.
    fn frame(rng: &mut ChaCha8Rng, rows: &[RxConnRow]) -> Held {
        let conn = rng.gen_range(0..16u16);
        let row = rows[usize::from(conn)];
        let odd = |rng: &mut ChaCha8Rng| rng.gen_ratio(1, 10);
        let mut words: [u32; 12] = std::array::from_fn(|_| rng.gen());
        let kind = PacketType::ALL[rng.gen_range(0..5)].code();
        let path = if odd(rng) { rng.gen() } else { rng.gen_range(0..4u8) };
        words[0] = 1 << 28 | u32::from(kind) << 24 | words[0] & 0xff_ff00 | u32::from(path);
        let conn = if odd(rng) { rng.gen() } else { conn };
        let tag = if odd(rng) { row.tag ^ 1 << rng.gen_range(0..16) } else { row.tag };
        words[1] = u32::from(conn) << 16 | u32::from(tag);
        let src = if odd(rng) { row.peer ^ 1 << rng.gen_range(0..128) } else { row.peer };
        let v6 = row.v6 != odd(rng);
        Held { words, src, v6, ce: rng.gen(), plane: rng.gen_range(0..16), len: rng.gen() }
    }
}

impl Bench for ConnBench {
    type Dut = RxConn;
    type Monitor = ConnMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        Self {
            rng: setup.rng("frames"),
            frames: Driver::new(setup.idle("f")),
            ready: setup.back("c"),
            transactions: setup.transactions,
            rows: vec![RxConnRow::default(); 16],
            write: None,
            cycle: 0,
        }
    }

    fn monitor(_: &Setup) -> ConnMonitor {
        ConnMonitor::new(16, 4)
    }

    fn drive(&mut self, dut: &mut RxConn, _: &ConnMonitor) {
        self.cycle += 1;
        let (rng, rows, left) = (&mut self.rng, &self.rows, self.frames.sent() < self.transactions);
        let frame = self.frames.offer(|| left.then(|| Self::frame(rng, rows)));
        dut.set_f_valid(frame.is_some());
        match frame {
            Some(frame) => dut.set_f_frame(&frame.pack()),
            None => dut.noise("f_", &mut self.rng),
        }
        // The rows are cleared for 16 cycles after reset; set-up comes later than that.
        self.write = (self.cycle > 20 && self.rng.gen_ratio(1, 8)).then(|| {
            let row = RxConnRow {
                valid: self.rng.gen_ratio(7, 8),
                tag: self.rng.gen(),
                v6: self.rng.gen(),
                peer: self.rng.gen(),
                domain: self.rng.gen(),
            };
            (self.rng.gen_range(0..16), row)
        });
        dut.noise("cfg_", &mut self.rng);
        dut.set_cfg_we(self.write.is_some());
        if let Some((conn, row)) = self.write {
            dut.set_cfg_conn(conn);
            let packer = Packer::default().put(1, row.valid).put(1, row.v6).put(16, row.tag);
            dut.set_cfg_row(&packer.put(16, row.domain).put(128, row.peer).finish());
            self.rows[usize::from(conn)] = row;
        }
        dut.set_c_ready(self.ready.go());
    }

    fn ports(dut: &RxConn) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.frames.settle(&ports.f);
    }

    fn done(&self) -> bool {
        self.frames.sent() == self.transactions
    }

    fn reset(&mut self) {
        self.frames.reset();
        self.rows = vec![RxConnRow::default(); 16];
        self.cycle = 0;
    }
}

#[test]
fn every_frame_gets_its_connection_or_its_first_reason() {
    let report = matrix::<ConnBench>(400);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[
        ("found", 1000),
        ("connection", 500),
        ("tag", 300),
        ("source_address", 300),
        ("path", 100),
    ]);
    assert_eq!(*report.latency["c"].start(), 3);
}
