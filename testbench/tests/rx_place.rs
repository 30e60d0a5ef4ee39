//! `rx_place` against `heddle_model::rx::place`, in lockstep, at 64 and 512 bits, before a memory of the
//! test's own.

use heddle_model::rx::place::{bursts, Beat, BOUNDARY};
use heddle_testbench::duts::{RxPlace, RxPlace512};
use heddle_testbench::lockstep::{
    matrix, Bench, Channel, Check, Driver, Input, Link, Monitor, Output, Pace, Report, Setup,
};
use heddle_testbench::placed::Placed;
use heddle_testbench::rows::Place;
use heddle_testbench::{wide, Dut};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::marker::PhantomData;

#[derive(Clone, Debug, PartialEq)]
struct Address {
    address: u64,
    beats: u16,
    id: u8,
    size: u8,
    burst: u8,
}

/// Lanes that are not written are 0.
#[derive(Clone, Debug, PartialEq)]
struct Write {
    data: Vec<u8>,
    strobe: u64,
    last: bool,
}

struct Ports {
    w: Link<Place>,
    d: Link<Vec<u8>>,
    address: Link<Address>,
    write: Link<Write>,
    response: Link<u8>,
    b: Link<Placed>,
}

/// A request under way.
struct Packet {
    place: Place,
    payload: Vec<u8>,
    /// Beats that the payload is not there for yet, with "last of its burst".
    beats: VecDeque<(Beat, bool)>,
    unanswered: usize,
    ok: bool,
    /// What memory was told: (address, byte) in the order of the beats.
    landed: Vec<(u64, u8)>,
    unwritten: usize,
}

struct PlaceMonitor<const K: usize> {
    packets: VecDeque<Packet>,
    /// Seen by memory and not yet joined.
    addresses: VecDeque<Address>,
    writes: VecDeque<Write>,
    beat: u64,
    in_flight: u32,
    w: Input<Place>,
    d: Input<Vec<u8>>,
    response: Input<u8>,
    address: Output<Address>,
    write: Output<Write>,
    b: Output<Placed>,
}

impl<const K: usize> PlaceMonitor<K> {
    fn request(&mut self, place: Place, check: &mut Check) {
        let plan = bursts(place.address, place.len, K);
        for burst in &plan {
            let (beats, size) = (burst.beats.len() as u16, K.ilog2() as u8);
            self.address.expect(Address { address: burst.address, beats, id: 0, size, burst: 1 }, check);
        }
        check.cover(match (plan.len(), place.address % K as u64) {
            (0, _) => "empty",
            (1, 0) => "one burst, aligned",
            (1, _) => "one burst, unaligned",
            _ => "several bursts",
        });
        let unanswered = plan.len();
        let beats: VecDeque<_> = plan
            .into_iter()
            .flat_map(|burst| {
                let last = burst.beats.len() - 1;
                burst.beats.into_iter().enumerate().map(move |(n, beat)| (beat, n == last))
            })
            .collect();
        let (payload, landed, unwritten) = (Vec::new(), Vec::new(), beats.len());
        let taken = usize::from(place.len).div_ceil(K);
        if beats.len() > taken {
            check.cover("a beat more than the payload");
        }
        self.packets.push_back(Packet { place, payload, beats, unanswered, ok: true, landed, unwritten });
    }

    fn payload(&mut self, beat: &[u8], check: &mut Check) {
        let packet = self.packets.iter_mut().find(|p| p.payload.len() < p.place.len.into());
        let Some(packet) = packet else {
            return check.mismatch("d", "a payload beat is taken without a request");
        };
        packet.payload.extend_from_slice(beat);
        while packet.beats.front().is_some_and(|(beat, _)| beat.bytes.end <= packet.payload.len()) {
            let (beat, last) = packet.beats.pop_front().expect("just seen");
            let (data, strobe) = (beat.data(&packet.payload, K), beat.strobe);
            self.write.expect(Write { data, strobe, last }, check);
        }
    }

    /// Memory joins addresses and beats, whichever comes first.
    fn store(&mut self, check: &mut Check) {
        while let (Some(burst), Some(write)) = (self.addresses.front(), self.writes.front()) {
            let at = burst.address.wrapping_add(self.beat * K as u64);
            if at / BOUNDARY != burst.address / BOUNDARY {
                check.mismatch("address", format!("a burst goes on over 4 KiB to {at:#x}"));
            }
            let Some(packet) = self.packets.iter_mut().find(|p| p.unwritten > 0) else {
                return check.mismatch("write", "a beat of no packet");
            };
            let lanes = (0..K).filter(|lane| write.strobe >> lane & 1 == 1);
            packet.landed.extend(lanes.map(|lane| (at.wrapping_add(lane as u64), write.data[lane])));
            packet.unwritten -= 1;
            self.beat += 1;
            if write.last != (self.beat == u64::from(burst.beats)) {
                check.mismatch("write", format!("last is {} in beat {}", write.last, self.beat));
            }
            if write.last {
                self.beat = 0;
                self.addresses.pop_front();
            }
            self.writes.pop_front();
        }
    }

    fn answer(&mut self, response: u8, check: &mut Check) {
        let Some(packet) = self.packets.iter_mut().find(|p| p.unanswered > 0) else {
            return check.mismatch("response", "a response to no burst");
        };
        packet.unanswered -= 1;
        packet.ok &= response < 2;
        self.in_flight -= 1;
    }

    /// The oldest packets that are wholly answered: each byte is where it belongs, and nothing else was
    /// written.
    fn finish(&mut self, check: &mut Check) {
        while let Some(packet) = self.packets.front().filter(|p| p.unanswered == 0) {
            let Place { address, len, .. } = packet.place;
            let want = (0..u64::from(len)).map(|n| address.wrapping_add(n));
            if !packet.landed.iter().copied().eq(want.zip(packet.payload.iter().copied())) {
                check.mismatch("memory", format!("{len} bytes at {address:#x} are not what memory was told"));
            }
            check.cover(if packet.ok { "placed" } else { "memory error" });
            self.b.expect(Placed::of(&packet.place, packet.ok), check);
            self.packets.pop_front();
        }
    }
}

impl<const K: usize> Monitor for PlaceMonitor<K> {
    const NAME: &'static str = "rx_place";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(place) = self.w.take(&ports.w, check) {
            self.request(place, check);
        }
        if let Some(beat) = self.d.take(&ports.d, check) {
            self.payload(&beat, check);
        }
        self.address.compare(&ports.address, check);
        self.write.compare(&ports.write, check);
        if let Some(address) = ports.address.crossing() {
            self.in_flight += 1;
            self.addresses.push_back(address.clone());
            check.cover(if self.in_flight == 8 { "eight bursts in flight" } else { "fewer in flight" });
            if self.in_flight > 8 {
                check.mismatch("address", format!("{} bursts in flight", self.in_flight));
            }
        }
        if let Some(write) = ports.write.crossing() {
            if self.addresses.is_empty() {
                check.cover("data before address");
            }
            self.writes.push_back(write.clone());
        }
        self.store(check);
        if let Some(response) = self.response.take(&ports.response, check) {
            self.answer(response, check);
        }
        self.finish(check);
        self.b.compare(&ports.b, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.w, &self.d, &self.response, &self.address, &self.write, &self.b]
    }

    fn reset(&mut self) {
        self.packets.clear();
        self.addresses.clear();
        self.writes.clear();
        (self.beat, self.in_flight) = (0, 0);
        self.w.reset();
        self.d.reset();
        self.response.reset();
        self.address.reset();
        self.write.reset();
        self.b.reset();
    }
}

/// The ports whose width the data width sets, in bytes.
trait Lanes: Dut {
    fn drive_payload(&mut self, bytes: &[u8]);
    fn payload(&self) -> Vec<u8>;
    fn write(&self) -> (Vec<u8>, u64);
}

impl Lanes for RxPlace {
    fn drive_payload(&mut self, bytes: &[u8]) {
        self.set_d_data(u64::from_le_bytes(bytes.try_into().expect("8 lanes")));
    }
    fn payload(&self) -> Vec<u8> {
        self.d_data().to_le_bytes().to_vec()
    }
    fn write(&self) -> (Vec<u8>, u64) {
        (self.m_axi_wdata().to_le_bytes().to_vec(), self.m_axi_wstrb().into())
    }
}

impl Lanes for RxPlace512 {
    fn drive_payload(&mut self, bytes: &[u8]) {
        self.set_d_data(&wide::from_bytes(bytes));
    }
    fn payload(&self) -> Vec<u8> {
        wide::to_bytes(self.d_data())
    }
    fn write(&self) -> (Vec<u8>, u64) {
        (wide::to_bytes(self.m_axi_wdata()), self.m_axi_wstrb())
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
            type Monitor = PlaceMonitor<$lanes>;
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
                PlaceMonitor {
                    packets: VecDeque::new(),
                    addresses: VecDeque::new(),
                    writes: VecDeque::new(),
                    beat: 0,
                    in_flight: 0,
                    w: Input::request("w"),
                    d: Input::side("d"),
                    response: Input::side("response"),
                    address: Output::side("address"),
                    write: Output::side("write"),
                    b: Output::answer("b"),
                }
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
                let address = || Address {
                    address: dut.m_axi_awaddr(),
                    beats: u16::from(dut.m_axi_awlen()) + 1,
                    id: u8::from(dut.m_axi_awid()),
                    size: dut.m_axi_awsize(),
                    burst: dut.m_axi_awburst(),
                };
                let write = || {
                    let (mut data, strobe) = dut.write();
                    let blank = |(lane, byte): (usize, &mut u8)| {
                        if strobe >> lane & 1 == 0 {
                            *byte = 0;
                        }
                    };
                    data.iter_mut().enumerate().for_each(blank);
                    Write { data, strobe, last: dut.m_axi_wlast() }
                };
                Ports {
                    w: Link::new(dut.w_valid(), dut.w_ready(), || Place::unpack(dut.w_request())),
                    d: Link::new(dut.d_valid(), dut.d_ready(), || dut.payload()),
                    address: Link::new(dut.m_axi_awvalid(), dut.m_axi_awready(), address),
                    write: Link::new(dut.m_axi_wvalid(), dut.m_axi_wready(), write),
                    response: Link::new(dut.m_axi_bvalid(), dut.m_axi_bready(), || dut.m_axi_bresp()),
                    b: Link::new(dut.b_valid(), dut.b_ready(), || Placed::unpack(dut.b_placed())),
                }
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
