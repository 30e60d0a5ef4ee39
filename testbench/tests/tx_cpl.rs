//! `tx_cpl` at 64 and 512 bits against the records that go in, in lockstep.

use heddle_model::tx::cpl;
use heddle_model::tx::msg::Completion;
use heddle_testbench::duts::{TxCpl, TxCpl512};
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Setup};
use heddle_testbench::monitors::tx_cpl::{Ports, TxCplMonitor};
use heddle_testbench::views::TxCplView;
use heddle_testbench::{wide, Dut};
use heddle_wire::{Msn, Status};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::marker::PhantomData;

/// A block of some width.
trait CplDut: Dut + TxCplView {
    const BYTES: usize;
    fn drive(&mut self, record: Option<&[u8; 32]>, ready: bool, rng: &mut ChaCha8Rng);
}

macro_rules! cpl_dut {
    ($dut:ident, $bytes:literal) => {
        impl CplDut for $dut {
            const BYTES: usize = $bytes;
            fn drive(&mut self, record: Option<&[u8; 32]>, ready: bool, rng: &mut ChaCha8Rng) {
                self.noise("cpl_", rng);
                self.set_cpl_valid(record.is_some());
                if let Some(record) = record {
                    self.set_cpl_record(&wide::from_bytes(record));
                }
                self.set_m_axis_cpl_tready(ready);
            }
        }
    };
}

cpl_dut!(TxCpl, 8);
cpl_dut!(TxCpl512, 64);

struct CplBench<D> {
    rng: ChaCha8Rng,
    cpl: Driver<[u8; 32]>,
    ready: Pace,
    transactions: u64,
    dut: PhantomData<D>,
}

impl<D: CplDut> Bench for CplBench<D> {
    type Dut = D;
    type Monitor = TxCplMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        Self {
            rng: setup.rng(&format!("records {} {} {}", setup.idle, setup.back, setup.resets)),
            cpl: Driver::new(setup.idle("cpl")),
            ready: setup.back("m"),
            transactions: setup.transactions,
            dut: PhantomData,
        }
    }

    fn monitor(_: &Setup) -> TxCplMonitor {
        TxCplMonitor::new(D::BYTES)
    }

    fn drive(&mut self, dut: &mut D, _: &TxCplMonitor) {
        let (rng, left) = (&mut self.rng, self.cpl.sent() < self.transactions);
        let record = self.cpl.offer(|| {
            left.then(|| {
                cpl::record(&Completion {
                    wr_id: rng.gen(),
                    conn: rng.gen(),
                    stream: rng.gen(),
                    opcode: rng.gen(),
                    status: Status::ALL[rng.gen_range(0..Status::ALL.len())],
                    byte_len: rng.gen(),
                    msn: Msn::new(rng.gen()),
                    receive: rng.gen(),
                    imm: rng.gen(),
                })
            })
        });
        dut.drive(record, self.ready.go(), rng);
    }

    fn ports(dut: &D) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.cpl.settle(&ports.cpl);
    }

    fn done(&self) -> bool {
        self.cpl.sent() == self.transactions
    }

    fn reset(&mut self) {
        self.cpl.reset();
    }
}

fn lockstep<D: CplDut>(interval: f64) {
    let report = matrix::<CplBench<D>>(300);
    assert_eq!(report.crossed, report.explained());
    // A record that a reset cuts short, or swallows, has fewer beats.
    let beats = 32u64.div_ceil(D::BYTES as u64);
    assert!((report.compared * beats..=report.crossed * beats).contains(&report.channels["m"]));
    report.demand(&[("record", 8_000)]);
    assert_eq!(report.interval["cpl"], interval);
}

#[test]
fn a_record_is_one_packet_at_64_bits() {
    lockstep::<TxCpl>(5.0);
}

#[test]
fn a_record_is_one_packet_at_512_bits() {
    lockstep::<TxCpl512>(2.0);
}
