//! `tx_framer` at 64 and 512 bits against `heddle_model::tx::framer`, and so against the wire codec's frames
//! byte for byte, in lockstep; and against frames of another implementation.

use heddle_model::tx::framer::Route;
use heddle_testbench::duts::{TxFramer, TxFramer512};
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Report, Setup};
use heddle_testbench::monitors::tx_framer::{FramerMonitor, Own, Ports, Row};
use heddle_testbench::tx_rows::Request;
use heddle_testbench::vectors::{self, Vector};
use heddle_testbench::views::TxFramerView;
use heddle_testbench::{wide, Dut};
use heddle_wire::{Opcode, PacketType};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::marker::PhantomData;

const CONNECTIONS: u16 = 16;
const PATHS: u16 = 4;

/// A framer of either width.
trait FramerDut: Dut + TxFramerView {
    /// Bytes per beat.
    const BYTES: usize;
    /// Drives the registers.
    fn set_own(&mut self, own: &Own);
    /// Writes a connection row and a route in this cycle, or not.
    fn control(&mut self, row: Option<&(u16, Row)>, route: Option<(u16, Route)>);
    /// Offers a packet at `a`, or none.
    fn offer_a(&mut self, request: Option<&Request>);
    /// Offers a packet at `b`, or none.
    fn offer_b(&mut self, request: Option<&Request>);
    /// Offers a beat at `y`, or none.
    fn offer_y(&mut self, beat: Option<&Vec<u8>>);
    /// Whether the MAC takes a beat.
    fn set_tready(&mut self, ready: bool);
}

macro_rules! framer_dut {
    ($dut:ty, $bytes:literal, |$given:ident| $from_bytes:expr) => {
        impl FramerDut for $dut {
            const BYTES: usize = $bytes;

            fn set_own(&mut self, own: &Own) {
                let number = |bytes: &[u8]| bytes.iter().fold(0u128, |n, byte| n << 8 | u128::from(*byte));
                self.set_own_mac(number(&own.mac) as u64);
                self.set_own_ipv4(number(&own.v4) as u32);
                self.set_own_ipv6(&wide::from_u128(number(&own.v6)));
                self.set_hops(own.hops);
                self.set_data_dscp(own.data_dscp);
                self.set_ack_dscp(own.ack_dscp);
                self.set_port(own.port);
            }

            fn control(&mut self, row: Option<&(u16, Row)>, route: Option<(u16, Route)>) {
                self.set_cfg_conn_we(row.is_some());
                if let Some((conn, row)) = row {
                    self.set_cfg_conn(*conn as _);
                    self.set_cfg_conn_row(&row.pack());
                }
                self.set_cfg_route_we(route.is_some());
                if let Some((path, route)) = route {
                    self.set_cfg_route(path as _);
                    self.set_cfg_route_row(u32::from(route.plane) | u32::from(route.src_port) << 8);
                }
            }

            fn offer_a(&mut self, request: Option<&Request>) {
                self.set_a_valid(request.is_some());
                request.into_iter().for_each(|request| self.set_a_frame(&request.pack()));
            }

            fn offer_b(&mut self, request: Option<&Request>) {
                self.set_b_valid(request.is_some());
                request.into_iter().for_each(|request| self.set_b_frame(&request.pack()));
            }

            fn offer_y(&mut self, beat: Option<&Vec<u8>>) {
                self.set_y_valid(beat.is_some());
                if let Some(beat) = beat {
                    let mut $given: [u8; $bytes] = [0; $bytes];
                    $given.copy_from_slice(beat);
                    self.set_y_data($from_bytes);
                }
            }

            fn set_tready(&mut self, ready: bool) {
                self.set_m_axis_tx_tready(ready);
            }
        }
    };
}

framer_dut!(TxFramer, 8, |bytes| u64::from_le_bytes(bytes));
framer_dut!(TxFramer512, 64, |bytes| &wide::from_bytes(&bytes));

fn own(setup: &Setup) -> Own {
    let mut rng = setup.rng("own");
    let (mac, v4, v6, hops, port) = (rng.gen(), rng.gen(), rng.gen(), rng.gen(), rng.gen());
    // All ones and all zeros are the corners of the checksum.
    let v4 = [v4, [0xff; 4], [0; 4]][rng.gen_range(0..3)];
    Own { mac, v4, v6, hops, data_dscp: rng.gen_range(0..64), ack_dscp: rng.gen_range(0..64), port }
}

fn row(rng: &mut ChaCha8Rng) -> Row {
    let v6 = rng.gen();
    let peer = if v6 { rng.gen() } else { u128::from([rng.gen(), 0, u32::MAX][rng.gen_range(0..3)]) };
    let (peer_conn, peer_tag, mac) = (rng.gen(), rng.gen(), rng.gen());
    let tag = rng.gen::<bool>().then(|| rng.gen());
    Row { valid: rng.gen_ratio(7, 8), v6, tag, peer_conn, peer_tag, peer, mac }
}

struct FramerBench<D> {
    rng: ChaCha8Rng,
    own: Own,
    acks: Driver<Request>,
    packets: Driver<Request>,
    /// Made with its payload, not offered yet: payload may come long before its packet.
    next: Option<Request>,
    payload: VecDeque<Vec<u8>>,
    beats: Driver<Vec<u8>>,
    ready: Pace,
    /// Since reset.
    cycle: u64,
    transactions: u64,
    dut: PhantomData<D>,
}

/// Header words of a packet: random where they count, and behind those that count.
fn words(rng: &mut ChaCha8Rng, kind: PacketType, opcode: u8) -> [u32; 18] {
    let mut words: [u32; 18] = std::array::from_fn(|_| rng.gen());
    words[0] = 1 << 28 | u32::from(kind.code()) << 24 | u32::from(opcode) << 16 | words[0] & 0xffff;
    // Reserved bits are 0.
    match kind {
        PacketType::Data => words[11] &= 0xffff_0000,
        PacketType::Ack => words[9] &= 0xffff_0000,
        PacketType::Nak | PacketType::Probe => words[4] &= 0xff00_0000,
        PacketType::Reset => {}
    }
    words
}

impl<D: FramerDut> FramerBench<D> {
    fn ack(rng: &mut ChaCha8Rng) -> Request {
        let (ack, short) = ((PacketType::Ack, 0, 18), (PacketType::Ack, 1, 10));
        let (nak, reset) = ((PacketType::Nak, 0, 8), (PacketType::Reset, 0, 4));
        let (kind, opcode, count) = [ack, short, nak, reset][rng.gen_range(0..4)];
        // What `len` says of a packet without payload is ignored.
        Request {
            path: rng.gen_range(0..CONNECTIONS * PATHS),
            words: words(rng, kind, opcode),
            count,
            len: rng.gen(),
        }
    }

    fn packet(rng: &mut ChaCha8Rng, payload: &mut VecDeque<Vec<u8>>) -> Request {
        let path = rng.gen_range(0..CONNECTIONS * PATHS);
        if rng.gen_ratio(1, 4) {
            return Request { path, words: words(rng, PacketType::Probe, 0), count: 5, len: 0 };
        }
        let width = D::BYTES as u16;
        let len = match rng.gen_range(0..5) {
            0 => 0,
            1 => rng.gen_range(1..64),
            2 => rng.gen_range(0..256) * 4,
            3 => rng.gen_range(1..4) * width,
            _ => 1024,
        };
        for _ in 0..len.div_ceil(width) {
            payload.push_back((0..width).map(|_| rng.gen()).collect());
        }
        let words = words(rng, PacketType::Data, Opcode::Write.code());
        Request { path, words, count: 12, len }
    }

    fn control(&mut self, dut: &mut D) {
        let rng = &mut self.rng;
        dut.noise("cfg_", rng);
        // The rows are cleared for 64 cycles after reset; set-up comes later than that.
        let set_up = self.cycle > 70;
        let row = (set_up && (self.cycle < 200 || rng.gen_ratio(1, 30)))
            .then(|| (rng.gen_range(0..CONNECTIONS), row(rng)));
        let route = (set_up && rng.gen_ratio(1, 4)).then(|| {
            let route = Route { plane: rng.gen_range(0..16), src_port: rng.gen() };
            (rng.gen_range(0..CONNECTIONS * PATHS), route)
        });
        dut.control(row.as_ref(), route);
        dut.set_own(&self.own);
    }
}

impl<D: FramerDut> Bench for FramerBench<D> {
    type Dut = D;
    type Monitor = FramerMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        Self {
            rng: setup.rng("packets"),
            own: own(setup),
            acks: Driver::new(setup.idle("a")),
            packets: Driver::new(setup.idle("b")),
            next: None,
            payload: VecDeque::new(),
            beats: Driver::new(setup.idle("y")),
            ready: setup.back("m"),
            cycle: 0,
            transactions: setup.transactions,
            dut: PhantomData,
        }
    }

    fn monitor(_: &Setup) -> FramerMonitor {
        FramerMonitor::new(D::BYTES, CONNECTIONS, PATHS)
    }

    fn drive(&mut self, dut: &mut D, _: &FramerMonitor) {
        self.cycle += 1;
        self.control(dut);
        dut.noise("a_", &mut self.rng);
        dut.noise("b_", &mut self.rng);
        dut.noise("y_", &mut self.rng);
        let (rng, left) = (&mut self.rng, self.acks.sent() < self.transactions);
        dut.offer_a(self.acks.offer(|| (left && rng.gen_ratio(1, 20)).then(|| Self::ack(rng))));
        let (next, payload) = (&mut self.next, &mut self.payload);
        let left = self.transactions - self.packets.sent();
        dut.offer_b(self.packets.offer(|| {
            let now = (left > 0).then(|| next.take().unwrap_or_else(|| Self::packet(rng, payload)));
            *next = (left > 1).then(|| Self::packet(rng, payload));
            now
        }));
        dut.offer_y(self.beats.offer(|| payload.pop_front()));
        dut.set_tready(self.ready.go());
    }

    fn ports(dut: &D) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.acks.settle(&ports.a);
        self.packets.settle(&ports.b);
        self.beats.settle(&ports.y);
    }

    fn done(&self) -> bool {
        self.acks.sent() == self.transactions && self.packets.sent() == self.transactions
    }

    fn reset(&mut self) {
        self.acks.reset();
        self.packets.reset();
        self.beats.reset();
        self.next = None;
        self.payload.clear();
        self.cycle = 0;
    }
}

fn lockstep<D: FramerDut>(latency: u64) -> Report {
    let report = matrix::<FramerBench<D>>(60);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("IPv4", 500), ("IPv4 in a VLAN", 500), ("IPv6", 500), ("IPv6 in a VLAN", 500)]);
    report.demand(&[("ICRC in one beat", 500), ("not set up", 100), ("padded", 100), ("whole words", 100)]);
    report.demand(&[("ACK", 500), ("ACK without SACK words", 500)]);
    assert_eq!(*report.latency["m"].start(), latency);
    report
}

#[test]
fn frames_are_the_codecs_byte_for_byte_and_without_a_gap_at_64_bits() {
    lockstep::<TxFramer>(20).demand(&[("ICRC over two beats", 500)]);
}

#[test]
fn frames_are_the_codecs_byte_for_byte_and_without_a_gap_at_512_bits() {
    lockstep::<TxFramer512>(23).demand(&[("ICRC over two beats", 50)]);
}

/// What a vector's `key` says, zeros before it.
fn bytes<const N: usize>(vector: &Vector, key: &str) -> [u8; N] {
    let given = vector.bytes(key);
    let mut bytes = [0; N];
    bytes[N - given.len()..].copy_from_slice(&given);
    bytes
}

/// The packet of a vector, on the first path of connection `n`, and its payload with what may lie behind it.
fn packet(vector: &Vector, n: u16, width: usize) -> (Request, Vec<Vec<u8>>) {
    let given = vector.bytes("words");
    let word = |i: usize| u32::from_be_bytes(std::array::from_fn(|k| given[4 * i + k]));
    let count = given.len() / 4;
    let words = std::array::from_fn(|i| if i < count { word(i) } else { 0x5a5a_a5a5 });
    let mut payload = vector.get("payload").map_or(Vec::new(), |_| vector.bytes("payload"));
    let request = Request { path: n * PATHS, words, count: count as u8, len: payload.len() as u16 };
    payload.resize(payload.len().next_multiple_of(width), 0xa5);
    (request, payload.chunks(width).map(<[u8]>::to_vec).collect())
}

/// Sends the vectors' packets as fast as they are taken; gives the frames, with planes, and the longest gap
/// between two beats.
fn frames<D: FramerDut>(own: &Own, vectors: &[Vector]) -> (Vec<(u8, Vec<u8>)>, u64) {
    let mut dut = D::new();
    dut.reset(2);
    dut.set_own(own);
    dut.set_tready(true);
    dut.control(None, None);
    dut.offer_a(None);
    dut.offer_b(None);
    dut.offer_y(None);
    (0..70).for_each(|_| dut.tick());
    let (mut frames, mut frame, mut gap, mut longest) = (Vec::new(), Vec::new(), 0, 0);
    let mut payload = VecDeque::new();
    let (mut waiting, mut offered): (_, Option<Request>) = (vectors.iter().zip(0u16..), None);
    for _ in 0..10_000 {
        let mut control = None;
        if offered.is_none() {
            if let Some((vector, n)) = waiting.next() {
                let conn = n % CONNECTIONS;
                let (request, beats) = packet(vector, conn, D::BYTES);
                payload.extend(beats);
                offered = Some(request);
                control = Some((vector, conn));
            }
        }
        let (row, route) = match control {
            None => (None, None),
            Some((vector, conn)) => {
                let number = |key| vector.number(key) as u16;
                let row = Row {
                    valid: true,
                    v6: vector.number("v6") == 1,
                    tag: vector.get("tci").map(|_| number("tci")),
                    peer_conn: number("peer_conn"),
                    peer_tag: number("peer_tag"),
                    peer: u128::from_be_bytes(bytes(vector, "peer")),
                    mac: bytes(vector, "mac"),
                };
                let route = Route { plane: number("plane") as u8, src_port: number("src_port") };
                (Some((conn, row)), Some((conn * PATHS, route)))
            }
        };
        dut.control(row.as_ref(), route);
        dut.offer_b(offered.as_ref());
        dut.offer_y(payload.front());
        dut.eval();
        let ports = Ports::sample(&dut);
        if ports.b.crossing().is_some() {
            offered = None;
        }
        if ports.y.crossing().is_some() {
            payload.pop_front();
        }
        gap += 1;
        if let Some(beat) = ports.m.crossing() {
            if !frames.is_empty() || !frame.is_empty() {
                longest = longest.max(gap);
            }
            gap = 0;
            frame.extend(&beat.lanes[..beat.keep.count_ones() as usize]);
            if beat.last {
                frames.push((beat.plane, std::mem::take(&mut frame)));
            }
        }
        dut.tick();
    }
    (frames, longest)
}

#[test]
fn frames_are_those_of_another_implementation_and_follow_each_other_without_a_gap_at_64_bits() {
    let all = vectors::read("tx_framer.txt");
    let (registers, vectors) = all.split_first().unwrap();
    let own = Own {
        mac: bytes(registers, "mac"),
        v4: bytes(registers, "v4"),
        v6: bytes(registers, "v6"),
        hops: registers.number("hops") as u8,
        data_dscp: registers.number("data_dscp") as u8,
        ack_dscp: registers.number("ack_dscp") as u8,
        port: registers.number("port") as u16,
    };
    let ((narrow, gap), (wide, _)) =
        (frames::<TxFramer>(&own, vectors), frames::<TxFramer512>(&own, vectors));
    assert_eq!((vectors.len(), narrow.len(), wide.len()), (28, 28, 28));
    for (i, vector) in vectors.iter().enumerate() {
        let want = (vector.number("plane") as u8, vector.bytes("frame"));
        assert_eq!(narrow[i], want, "64 bits: {}", vector.text("name"));
        assert_eq!(wide[i], want, "512 bits: {}", vector.text("name"));
    }
    assert_eq!(gap, 1, "cycles from a beat to the next at most");
}
