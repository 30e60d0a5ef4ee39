//! The ICRC engine at 64 and 512 bits against its model, in lockstep; behind the parser; and against
//! words by hand.

use heddle_testbench::duts::{Icrc, Icrc512, Parse, Parse512};
use heddle_testbench::frames::{RawFrame, Shape};
use heddle_testbench::lockstep::{matrix, Bench, Driver, Report, Setup};
use heddle_testbench::monitors::icrc::{beats, Beat, IcrcDut, IcrcMonitor, Ports};
use heddle_testbench::monitors::parse::{self, ParseDut};
use heddle_testbench::vectors;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::marker::PhantomData;

/// Random packets, half of them with their own ICRC at the end, a quarter of those spoiled by one bit.
struct Packets {
    rng: ChaCha8Rng,
    beats: VecDeque<Beat>,
    left: u64,
}

impl Packets {
    fn next(&mut self, width: usize) -> Option<Beat> {
        if self.beats.is_empty() && self.left > 0 {
            self.left -= 1;
            let packet = self.packet(width);
            self.beats.extend(beats(&packet, self.rng.gen_range(0..3), width));
        }
        self.beats.pop_front()
    }

    fn packet(&mut self, width: usize) -> Vec<u8> {
        let rng = &mut self.rng;
        // One beat and a bit more are the cases at the edge.
        let most = if rng.gen() { 2 * width } else { 600 };
        let mut bytes = vec![0; rng.gen_range(1..=most)];
        rng.fill_bytes(&mut bytes);
        if rng.gen() {
            let icrc = heddle_model::icrc::on_packet(&bytes).icrc;
            bytes.extend(icrc.to_le_bytes());
            if rng.gen_ratio(1, 4) {
                let bit = rng.gen_range(0..8 * bytes.len());
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
        bytes
    }
}

struct IcrcBench<D> {
    packets: Packets,
    source: Driver<Beat>,
    rng: ChaCha8Rng,
    dut: PhantomData<D>,
}

/// A generator of its own for each pair of patterns, so that no two runs send the same.
fn own_rng(setup: &Setup) -> ChaCha8Rng {
    setup.rng(&format!("packets {} {} {}", setup.idle, setup.back, setup.resets))
}

impl<D: IcrcDut> Bench for IcrcBench<D> {
    type Dut = D;
    type Monitor = IcrcMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        let left = setup.transactions;
        let packets = Packets { rng: own_rng(setup), beats: VecDeque::new(), left };
        Self { packets, source: Driver::new(setup.idle("in")), rng: setup.rng("noise"), dut: PhantomData }
    }

    fn monitor(_: &Setup) -> IcrcMonitor {
        IcrcMonitor::new(D::BYTES)
    }

    fn drive(&mut self, dut: &mut D, _: &IcrcMonitor) {
        let beat = self.source.offer(|| self.packets.next(D::BYTES));
        dut.drive(beat, &mut self.rng);
    }

    fn ports(dut: &D) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.source.settle(&ports.input);
    }

    fn done(&self) -> bool {
        self.packets.left == 0 && self.packets.beats.is_empty() && self.source.made() == self.source.sent()
    }

    fn reset(&mut self) {
        self.source.reset();
        self.packets.beats.clear();
    }
}

fn lockstep<D: IcrcDut>(word_latency: u64) -> Report {
    let report = matrix::<IcrcBench<D>>(200);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("good", 3_000), ("bad", 3_000)]);
    // A reset loses words later than verdicts, so a few more of them: at most those under way.
    let words = report.channels["w"];
    assert!(words <= report.compared && words + 100 > report.compared, "{words} words, {}", report.compared);
    assert_eq!(report.latency["k"], 3..=3);
    assert_eq!(report.latency["w"], word_latency..=word_latency);
    report
}

#[test]
fn verdict_and_word_are_those_of_the_model_at_64_bits() {
    lockstep::<Icrc>(5);
}

#[test]
fn verdict_and_word_are_those_of_the_model_at_512_bits() {
    lockstep::<Icrc512>(8);
}

/// Sends beats without a gap; gives every verdict and word.
fn run<D: IcrcDut>(all: &[Beat]) -> (Vec<bool>, Vec<u32>) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut dut = D::new();
    dut.reset(2);
    let (mut verdicts, mut words) = (Vec::new(), Vec::new());
    for cycle in 0..all.len() + 20 {
        dut.drive(all.get(cycle), &mut rng);
        dut.eval();
        let ports = Ports::sample(&dut);
        verdicts.extend(ports.k.crossing());
        words.extend(ports.w.crossing());
        dut.tick();
    }
    (verdicts, words)
}

fn catalogue<D: IcrcDut>() {
    // CRC-32 check values from the published catalogue of CRC parameters and RFC 3720 style patterns
    // computed with zlib: "123456789"; 32 zeros; 32 ones; 0 to 31.
    let cases: [(Vec<u8>, u32); 4] = [
        (b"123456789".to_vec(), 0xcbf4_3926),
        (vec![0; 32], 0x190a_55ad),
        (vec![0xff; 32], 0xff6c_ab0b),
        ((0..32).collect(), 0x9126_7e8a),
    ];
    let mut compared = 0;
    for (bytes, want) in &cases {
        for skip in 0..3 {
            let mut whole = bytes.clone();
            whole.extend(want.to_le_bytes());
            let all: Vec<_> = [beats(bytes, skip, D::BYTES), beats(&whole, skip, D::BYTES)].concat();
            let (verdicts, words) = run::<D>(&all);
            assert_eq!((verdicts, words[0]), (vec![false, true], *want), "{bytes:02x?} skip {skip}");
            compared += 1;
        }
    }
    assert_eq!(compared, 12);
}

#[test]
fn words_are_those_of_zlib_wherever_the_packet_starts() {
    catalogue::<Icrc>();
    catalogue::<Icrc512>();
}

fn orphan<D: IcrcDut>() {
    let mut whole = b"123456789".to_vec();
    whole.extend(0xcbf4_3926_u32.to_le_bytes());
    let good = beats(&whole, 0, D::BYTES);
    let last = Beat { first: false, ..good[good.len() - 1].clone() };
    let all = [good.clone(), vec![last.clone(), last], good].concat();
    assert_eq!(run::<D>(&all).0, [true, false, false, true]);
}

#[test]
fn last_beat_without_a_first_one_is_never_good() {
    orphan::<Icrc>();
    orphan::<Icrc512>();
}

/// Parser and engine as the core connects them; gives (drop, good) per frame.
fn behind_parser<P: ParseDut, D: IcrcDut>(frames: &[RawFrame], port: u16) -> Vec<(u8, bool)> {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (mut front, mut engine) = (P::new(), D::new());
    front.reset(2);
    engine.reset(2);
    let all: Vec<_> = frames.iter().flat_map(|f| parse::beats(&f.bytes, f.bad, P::BYTES)).collect();
    let mut verdicts = Vec::new();
    for cycle in 0..all.len() + 20 {
        front.drive(port, all.get(cycle), &mut rng);
        front.eval();
        let ports = parse::Ports::sample(&front);
        let beat = ports.c.crossing().map(|c| engine_beat(c, P::BYTES));
        engine.drive(beat.as_ref(), &mut rng);
        engine.eval();
        let k = Ports::sample(&engine).k;
        match (ports.h.crossing(), k.crossing()) {
            (Some(h), Some(good)) => verdicts.push((h.drop, *good)),
            (None, None) => {}
            (h, k) => panic!("verdicts apart @cycle {cycle}: parser {h:x?}, engine {k:?}"),
        }
        front.tick();
        engine.tick();
    }
    verdicts
}

fn engine_beat(c: &parse::OutBeat, width: usize) -> Beat {
    let skip = match (c.first, c.keep.trailing_zeros() as usize) {
        (true, at) if at == 14 % width => 1,
        (true, at) if at == 18 % width => 2,
        _ => 0,
    };
    let end = 64 - c.keep.leading_zeros() as usize;
    Beat { bytes: c.bytes.clone(), first: c.first, last: c.last, skip, tail: (end % width) as u8 }
}

#[test]
fn verdict_comes_in_the_cycle_of_the_frames_verdict_and_is_right() {
    let port = heddle_wire::header::DEFAULT_PORT;
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut frames = Vec::new();
    for n in 0..3_000 {
        let shape = Shape::random(&mut rng, 300);
        frames.push(match n % 2 {
            0 => RawFrame::good(&shape, port, &mut rng),
            _ => RawFrame::spoiled(&shape, port, &mut rng),
        });
    }
    let good =
        |frame: &RawFrame| heddle_wire::Frame::parse(&frame.bytes, heddle_wire::ParseConfig { port }).is_ok();
    for verdicts in
        [behind_parser::<Parse, Icrc>(&frames, port), behind_parser::<Parse512, Icrc512>(&frames, port)]
    {
        assert_eq!(verdicts.len(), frames.len());
        let mut wrong_icrc = 0;
        for (n, (frame, (drop, icrc))) in frames.iter().zip(&verdicts).enumerate() {
            assert_eq!(*drop == 0 && *icrc, good(frame) && !frame.bad, "frame {n}: drop {drop}, {icrc}");
            wrong_icrc += usize::from(*drop == 0 && !icrc);
        }
        assert!(wrong_icrc > 50, "{wrong_icrc} frames with nothing but a wrong ICRC");
    }
}

#[test]
fn icrc_of_another_implementation_is_found_right_and_its_spoiled_ones_wrong() {
    let port = heddle_wire::header::DEFAULT_PORT;
    let vectors: Vec<_> =
        vectors::read("rx_parse.txt").into_iter().filter(|v| v.get("icrc").is_some()).collect();
    let frames: Vec<_> = vectors.iter().map(|v| RawFrame { bytes: v.bytes("frame"), bad: false }).collect();
    for verdicts in
        [behind_parser::<Parse, Icrc>(&frames, port), behind_parser::<Parse512, Icrc512>(&frames, port)]
    {
        assert_eq!((vectors.len(), verdicts.len()), (72, 72));
        for (vector, (drop, good)) in vectors.iter().zip(&verdicts) {
            assert_eq!((*drop, *good), (0, vector.text("icrc") == "good"), "{}", vector.text("name"));
        }
    }
}
