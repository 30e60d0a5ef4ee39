//! `rx_place` against `heddle_model::rx::place`, in lockstep, at 64 and 512 bits, before a memory of the
//! test's own.

use heddle_testbench::duts::{RxPlace, RxPlace512};
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Report, Setup};
use heddle_testbench::monitors::rx_place::{PlaceMonitor, Ports};
use heddle_testbench::rows::Place;
use heddle_testbench::{wide, Dut};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::marker::PhantomData;

/// The payload port, whose width the data width sets.
trait Lanes: Dut {
    fn drive_payload(&mut self, bytes: &[u8]);
}

impl Lanes for RxPlace {
    fn drive_payload(&mut self, bytes: &[u8]) {
        self.set_d_data(u64::from_le_bytes(bytes.try_into().expect("8 lanes")));
    }
}

impl Lanes for RxPlace512 {
    fn drive_payload(&mut self, bytes: &[u8]) {
        self.set_d_data(&wide::from_bytes(bytes));
    }
}

struct PlaceBench<D> {
    rng: ChaCha8Rng,
    requests: Driver<Place>,
    payloads: Driver<Vec<u8>>,
    responses: Driver<u8>,
    ready: [Pace; 3],
    /// Payload beats still to be sent.
    owed: usize,
    /// Bursts whose address, and whose last beat, memory has.
    addressed: u64,
    written: u64,
    answered: u64,
    transactions: u64,
    dut: PhantomData<D>,
}

fn request(rng: &mut ChaCha8Rng) -> Place {
    let near = [0, 1, 0xff8, 0xfff][rng.gen_range(0..4)] + rng.gen_range(0..0x100);
    let address = match rng.gen_range(0..8) {
        0 => 0u64.wrapping_sub(rng.gen_range(1..200)),
        1..=3 => rng.gen::<u64>() << 12 | near,
        4 => rng.gen::<u64>() << 6,
        _ => rng.gen(),
    };
    let len = match rng.gen_range(0..40) {
        0 => rng.gen_range(0..=8192),
        1..=4 => 0,
        5..=8 => 1024,
        9..=20 => rng.gen_range(1..=9),
        _ => rng.gen_range(1..200),
    };
    Place {
        address,
        len,
        conn: rng.gen(),
        path: rng.gen(),
        stream: rng.gen(),
        msn: rng.gen_range(0..1 << 24),
        message_len: rng.gen(),
    }
}

macro_rules! bench {
    ($dut:ident, $lanes:literal) => {
        impl Bench for PlaceBench<$dut> {
            type Dut = $dut;
            type Monitor = PlaceMonitor;
            const RESETS: bool = true;

            fn new(setup: &Setup) -> Self {
                Self {
                    rng: setup.rng("requests"),
                    requests: Driver::new(setup.idle("w")),
                    payloads: Driver::new(setup.idle("d")),
                    responses: Driver::new(setup.back("response")),
                    ready: ["address", "write", "b"].map(|name| setup.back(name)),
                    owed: 0,
                    addressed: 0,
                    written: 0,
                    answered: 0,
                    transactions: setup.transactions,
                    dut: PhantomData,
                }
            }

            fn monitor(_: &Setup) -> Self::Monitor {
                PlaceMonitor::new($lanes)
            }

            fn drive(&mut self, dut: &mut $dut, _: &Self::Monitor) {
                let (rng, left) = (&mut self.rng, self.requests.sent() < self.transactions);
                let place = self.requests.offer(|| left.then(|| request(rng)));
                dut.noise("w_", &mut self.rng);
                dut.set_w_valid(place.is_some());
                if let Some(place) = place {
                    dut.set_w_request(&place.pack());
                }
                let rng = &mut self.rng;
                let owed = self.owed > 0;
                let beat = self.payloads.offer(|| owed.then(|| (0..$lanes).map(|_| rng.gen()).collect()));
                dut.noise("d_", &mut self.rng);
                dut.set_d_valid(beat.is_some());
                if let Some(beat) = beat {
                    dut.drive_payload(beat);
                }
                let rng = &mut self.rng;
                let due = self.answered < self.addressed.min(self.written);
                let response = self.responses.offer(|| {
                    due.then(|| if rng.gen_ratio(1, 16) { rng.gen_range(2..4) } else { rng.gen_range(0..2) })
                });
                let response = response.copied();
                dut.set_m_axi_bvalid(response.is_some());
                dut.set_m_axi_bresp(response.unwrap_or_else(|| self.rng.gen_range(0..4)));
                dut.set_m_axi_awready(self.ready[0].go());
                dut.set_m_axi_wready(self.ready[1].go());
                dut.set_b_ready(self.ready[2].go());
            }

            fn ports(dut: &$dut) -> Ports {
                Ports::sample(dut)
            }

            fn settle(&mut self, ports: &Ports) {
                if let Some(place) = ports.w.crossing() {
                    self.owed += usize::from(place.len).div_ceil($lanes);
                }
                self.owed -= usize::from(ports.d.crossing().is_some());
                self.addressed += u64::from(ports.address.crossing().is_some());
                self.written += u64::from(ports.write.crossing().is_some_and(|write| write.last));
                self.answered += u64::from(ports.response.crossing().is_some());
                self.requests.settle(&ports.w);
                self.payloads.settle(&ports.d);
                self.responses.settle(&ports.response);
            }

            fn done(&self) -> bool {
                self.requests.sent() == self.transactions
            }

            fn reset(&mut self) {
                self.requests.reset();
                self.payloads.reset();
                self.responses.reset();
                self.owed = 0;
                (self.addressed, self.written, self.answered) = (0, 0, 0);
            }
        }
    };
}

bench!(RxPlace, 8);
bench!(RxPlace512, 64);

fn examine(report: &Report) {
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[
        ("empty", 500),
        ("one burst, aligned", 100),
        ("one burst, unaligned", 2000),
        ("several bursts", 500),
        ("a beat more than the payload", 500),
        ("placed", 5000),
        ("memory error", 300),
        ("eight bursts in flight", 100),
        ("data before address", 100),
    ]);
    assert_eq!(*report.latency["write"].start(), 3);
    assert_eq!(*report.latency["address"].start(), 4);
    assert_eq!(*report.latency["b"].start(), 3);
}

#[test]
fn payloads_land_byte_for_byte_and_are_reported_in_order_at_64_bits() {
    examine(&matrix::<PlaceBench<RxPlace>>(250));
}

#[test]
fn payloads_land_byte_for_byte_and_are_reported_in_order_at_512_bits() {
    examine(&matrix::<PlaceBench<RxPlace512>>(250));
}
