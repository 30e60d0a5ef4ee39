//! `tx_wqe` at 64 and 512 bits against `heddle_model::tx::wqe`, in lockstep.

use heddle_testbench::duts::{TxWqe, TxWqe512};
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Report, Setup};
use heddle_testbench::monitors::tx_wqe::{Beat, Ports, TxWqeMonitor};
use heddle_testbench::views::TxWqeView;
use heddle_testbench::{wide, Dut};
use rand::{Rng, RngCore};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::marker::PhantomData;

/// A block of some width.
trait WqeDut: Dut + TxWqeView {
    const BYTES: usize;
    fn drive(&mut self, beat: Option<&Beat>, ready: bool, rng: &mut ChaCha8Rng);
}

macro_rules! wqe_dut {
    ($dut:ident, $bytes:literal, |$beat:ident| $from:expr) => {
        impl WqeDut for $dut {
            const BYTES: usize = $bytes;
            fn drive(&mut self, beat: Option<&Beat>, ready: bool, rng: &mut ChaCha8Rng) {
                self.noise("s_axis_wqe_t", rng);
                self.set_s_axis_wqe_tvalid(beat.is_some());
                if let Some(beat) = beat {
                    let $beat: [u8; $bytes] = beat.bytes[..].try_into().expect("a full beat");
                    self.set_s_axis_wqe_tdata($from);
                    self.set_s_axis_wqe_tlast(beat.last);
                }
                self.set_w_ready(ready);
            }
        }
    };
}

wqe_dut!(TxWqe, 8, |beat| u64::from_le_bytes(beat));
wqe_dut!(TxWqe512, 64, |beat| &wide::from_bytes(&beat));

struct WqeBench<D> {
    rng: ChaCha8Rng,
    beats: VecDeque<Beat>,
    packets: u64,
    s: Driver<Beat>,
    ready: Pace,
    transactions: u64,
    dut: PhantomData<D>,
}

impl<D: WqeDut> WqeBench<D> {
    /// A record, or a packet shorter or longer by any number of beats, up to many records long.
    fn packet(rng: &mut ChaCha8Rng) -> VecDeque<Beat> {
        let record = 64 / D::BYTES;
        let count = match rng.gen_range(0..8) {
            0 => rng.gen_range(1..=2 * record + 1),
            1 => record + 1,
            2 => record * rng.gen_range(1..6),
            _ => record,
        };
        let mut bytes = vec![0; count * D::BYTES];
        rng.fill_bytes(&mut bytes);
        let beat = |(at, bytes): (usize, &[u8])| Beat { bytes: bytes.to_vec(), last: at + 1 == count };
        bytes.chunks(D::BYTES).enumerate().map(beat).collect()
    }
}

impl<D: WqeDut> Bench for WqeBench<D> {
    type Dut = D;
    type Monitor = TxWqeMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        Self {
            rng: setup.rng(&format!("packets {} {} {}", setup.idle, setup.back, setup.resets)),
            beats: VecDeque::new(),
            packets: 0,
            s: Driver::new(setup.idle("s")),
            ready: setup.back("w"),
            transactions: setup.transactions,
            dut: PhantomData,
        }
    }

    fn monitor(_: &Setup) -> TxWqeMonitor {
        TxWqeMonitor::default()
    }

    fn drive(&mut self, dut: &mut D, _: &TxWqeMonitor) {
        if self.beats.is_empty() && self.packets < self.transactions {
            self.packets += 1;
            self.beats = Self::packet(&mut self.rng);
        }
        let beats = &mut self.beats;
        let beat = self.s.offer(|| beats.pop_front());
        dut.drive(beat, self.ready.go(), &mut self.rng);
    }

    fn ports(dut: &D) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.s.settle(&ports.s);
    }

    fn done(&self) -> bool {
        self.packets == self.transactions && self.beats.is_empty() && self.s.made() == self.s.sent()
    }

    fn reset(&mut self) {
        self.s.reset();
        self.beats.clear();
    }
}

fn lockstep<D: WqeDut>() -> Report {
    let report = matrix::<WqeBench<D>>(200);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("record", 5_000), ("too long", 1_000)]);
    assert_eq!((&report.latency["w"], &report.latency["bad"]), (&(1..=1), &(1..=1)));
    report
}

#[test]
fn a_record_is_its_packet_and_no_other_packet_shifts_those_behind_it_at_64_bits() {
    lockstep::<TxWqe>().demand(&[("too short", 300)]);
}

#[test]
fn a_record_is_its_packet_and_no_other_packet_shifts_those_behind_it_at_512_bits() {
    lockstep::<TxWqe512>();
}
