//! The receive parser at 64 and 512 bits against its model, in lockstep, and both against vectors of
//! another implementation.
//!
//! The long run: `COUNT=200000 cargo test --release -p heddle-testbench --test rx_parse spoiled` (COUNT
//! frames per width and seed).

use heddle_model::rx::parse::{on_frame, ParseHeader, ParseIn};
use heddle_testbench::duts::{Parse, Parse512};
use heddle_testbench::frames::{RawFrame, Shape};
use heddle_testbench::lockstep::{matrix, Bench, Driver, Report, Setup};
use heddle_testbench::monitors::parse::{beats, Beat, ParseDut, ParseMonitor, Ports, Verdict};
use heddle_testbench::vectors::{self, Vector};
use heddle_wire::{AckForm, DropReason, PacketType};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::marker::PhantomData;

const PORT: u16 = heddle_wire::header::DEFAULT_PORT;
/// Pairs of stall patterns for each seed, those with resets included.
const RUNS: u64 = 28;

/// Half of the frames are good, half of them spoiled.
struct Frames {
    rng: ChaCha8Rng,
    beats: VecDeque<Beat>,
    left: u64,
    most: usize,
}

impl Frames {
    fn next(&mut self, width: usize) -> Option<Beat> {
        if self.beats.is_empty() && self.left > 0 {
            self.left -= 1;
            let shape = Shape::random(&mut self.rng, self.most);
            let frame = match self.rng.gen() {
                true => RawFrame::good(&shape, PORT, &mut self.rng),
                false => RawFrame::spoiled(&shape, PORT, &mut self.rng),
            };
            self.beats.extend(beats(&frame.bytes, frame.bad, width));
        }
        self.beats.pop_front()
    }
}

struct ParseBench<D> {
    frames: Frames,
    source: Driver<Beat>,
    rng: ChaCha8Rng,
    dut: PhantomData<D>,
}

/// A generator of its own for each pair of patterns, so that no two runs send the same.
fn own_rng(setup: &Setup) -> ChaCha8Rng {
    setup.rng(&format!("frames {} {} {}", setup.idle, setup.back, setup.resets))
}

impl<D: ParseDut> Bench for ParseBench<D> {
    type Dut = D;
    type Monitor = ParseMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        // Runs with resets need frames that fit between two of them.
        let most = if setup.resets { 64 } else { 2048 };
        let left = setup.transactions;
        let frames = Frames { rng: own_rng(setup), beats: VecDeque::new(), left, most };
        Self { frames, source: Driver::new(setup.idle("s")), rng: setup.rng("noise"), dut: PhantomData }
    }

    fn monitor(_: &Setup) -> ParseMonitor {
        ParseMonitor::new(D::BYTES)
    }

    fn drive(&mut self, dut: &mut D, _: &ParseMonitor) {
        let beat = self.source.offer(|| self.frames.next(D::BYTES));
        dut.drive(PORT, beat, &mut self.rng);
    }

    fn ports(dut: &D) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.source.settle(&ports.s);
    }

    fn done(&self) -> bool {
        self.frames.left == 0 && self.frames.beats.is_empty() && self.source.made() == self.source.sent()
    }

    fn reset(&mut self) {
        self.source.reset();
        self.frames.beats.clear();
    }
}

fn spoiled<D: ParseDut>() -> Report {
    let count = match std::env::var("COUNT") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("COUNT={text} is not a number")),
        Err(_) => 100 * RUNS,
    };
    let report = matrix::<ParseBench<D>>(count.div_ceil(RUNS));
    assert_eq!(report.crossed, report.compared + report.explained());
    // One masked packet per verdict (it leaves first, so a reset may lose the verdict alone), and a payload
    // per accepted frame.
    let masked = report.channels["c"];
    let most = report.compared + report.explained();
    assert!(masked >= report.compared && masked <= most, "{masked}, not {} to {most}", report.compared);
    assert!(report.channels["p"] >= report.cover("accepted"));
    assert!(report.partial || report.compared + 1_000 > count, "{} of {count} frames", report.compared);
    for reason in DropReason::ALL.iter().filter(|reason| reason.code() < 20) {
        report.demand(&[(reason.name(), 20)]);
    }
    report.demand(&[
        ("accepted", count / 4),
        ("announced", count / 4),
        ("announced header compared", count / 8),
        ("ACK", 100),
        ("ACK without SACK words", 100),
    ]);
    assert_eq!(report.latency["h"], 5..=5);
    assert_eq!(report.latency["early"], 5..=5);
    assert_eq!(report.latency["p"], 3..=4);
    assert_eq!(report.latency["c"], 2..=2);
    report
}

#[test]
fn good_and_spoiled_frames_are_parsed_as_the_model_does_at_64_bits() {
    spoiled::<Parse>();
}

#[test]
fn good_and_spoiled_frames_are_parsed_as_the_model_does_at_512_bits() {
    spoiled::<Parse512>();
}

/// Sends frames without a gap and gives every verdict with its cycle, counted from the first beat.
fn back_to_back<D: ParseDut>(frames: &[RawFrame]) -> Vec<(u64, Verdict)> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut dut = D::new();
    dut.reset(2);
    let all: Vec<Beat> = frames.iter().flat_map(|f| beats(&f.bytes, f.bad, D::BYTES)).collect();
    let mut verdicts = Vec::new();
    for cycle in 0..all.len() + 20 {
        dut.drive(PORT, all.get(cycle), &mut rng);
        dut.eval();
        verdicts.extend(Ports::sample(&dut).h.crossing().map(|v| (cycle as u64, v.clone())));
        dut.tick();
    }
    verdicts
}

fn expected(frame: &RawFrame) -> Verdict {
    let out = on_frame(ParseIn { bytes: &frame.bytes, bad: frame.bad, port: PORT });
    Verdict { drop: out.drop.map_or(0, DropReason::code), header: out.header }
}

fn cut_everywhere<D: ParseDut>() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut compared, mut cut) = (0, 0);
    for shape in Shape::every() {
        let whole = RawFrame::good(&shape, PORT, &mut rng);
        let mut frames = Vec::new();
        for end in 1..=whole.bytes.len() {
            frames.push(RawFrame { bytes: whole.bytes[..end].to_vec(), bad: false });
            frames.push(whole.clone());
        }
        let verdicts = back_to_back::<D>(&frames);
        assert_eq!(verdicts.len(), frames.len(), "{shape:?}");
        for (frame, (cycle, verdict)) in frames.iter().zip(&verdicts) {
            assert_eq!(*verdict, expected(frame), "{shape:?} of {} bytes @cycle {cycle}", frame.bytes.len());
            assert_eq!(verdict.drop == 0, frame.bytes.len() == whole.bytes.len(), "{shape:?}: {verdict:x?}");
            compared += 1;
        }
        cut += whole.bytes.len();
    }
    assert_eq!(compared, 2 * cut);
    assert!(cut > 56 * 62, "{cut} frames cut");
}

#[test]
fn frames_of_every_kind_cut_at_every_byte_leave_the_next_one_whole_at_64_bits() {
    cut_everywhere::<Parse>();
}

#[test]
fn frames_of_every_kind_cut_at_every_byte_leave_the_next_one_whole_at_512_bits() {
    cut_everywhere::<Parse512>();
}

fn no_bubble<D: ParseDut>(shapes: &[Shape], beats_each: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let frames: Vec<_> =
        (0..300).map(|i| RawFrame::good(&shapes[i % shapes.len()], PORT, &mut rng)).collect();
    let verdicts = back_to_back::<D>(&frames);
    assert_eq!(verdicts.len(), frames.len());
    for (i, (frame, (cycle, verdict))) in frames.iter().zip(&verdicts).enumerate() {
        assert_eq!(*verdict, expected(frame), "frame {i}");
        assert_eq!(*cycle, ((i + 1) * beats_each - 1 + 5) as u64, "frame {i} of {beats_each} beats");
    }
}

#[test]
fn smallest_frames_back_to_back_take_one_cycle_per_beat() {
    let all = Shape::every();
    let of = |packet_type, tagged, v6| {
        let fits = |s: &&Shape| (s.packet_type, s.tagged, s.v6) == (packet_type, tagged, v6);
        all.iter().filter(fits).copied().collect::<Vec<_>>()
    };
    let acks = |form| {
        let mut acks = of(PacketType::Ack, false, false);
        acks.retain(|shape| shape.form == form);
        acks
    };
    // RESET: 62 bytes without a tag, 66 with one. At 512 bits the first is one beat: a verdict in every
    // cycle.
    no_bubble::<Parse>(&of(PacketType::Reset, false, false), 8);
    no_bubble::<Parse>(&of(PacketType::Reset, true, false), 9);
    no_bubble::<Parse512>(&of(PacketType::Reset, false, false), 1);
    // ACKs of 118 to 142 bytes, without SACK words of 86 to 110; DATA of 94 and more.
    no_bubble::<Parse>(&acks(AckForm::Sack), 15);
    no_bubble::<Parse>(&acks(AckForm::NoSack), 11);
    no_bubble::<Parse512>(&of(PacketType::Ack, false, false), 2);
    no_bubble::<Parse512>(&of(PacketType::Data, false, false), 2);
}

fn every_payload<D: ParseDut>() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let shapes = Shape::every().into_iter().filter(|s| s.packet_type == PacketType::Data);
    let shapes: Vec<_> = shapes.filter(|s| s.opcode.code() == 1).collect();
    let frames: Vec<_> = (0..=512)
        .map(|n| RawFrame::good(&Shape { payload: 4 * n, ..shapes[n % shapes.len()] }, PORT, &mut rng))
        .collect();
    let verdicts = back_to_back::<D>(&frames);
    assert_eq!(verdicts.len(), 513);
    for (n, (frame, (_, verdict))) in frames.iter().zip(&verdicts).enumerate() {
        assert_eq!(*verdict, expected(frame), "payload of {} bytes", 4 * n);
        let paylen = verdict.header.as_ref().map(|h| usize::from(h.paylen));
        assert_eq!(paylen, Some(52 + 4 * n));
    }
}

#[test]
fn every_payload_size_up_to_2048_passes_at_both_widths() {
    every_payload::<Parse>();
    every_payload::<Parse512>();
}

fn verdict_of(vector: &Vector) -> Verdict {
    if let Some(name) = vector.get("drop") {
        let reason = DropReason::ALL.iter().find(|r| r.name() == name);
        let drop = reason.unwrap_or_else(|| panic!("no reason is called {name}")).code();
        return Verdict { drop, header: None };
    }
    let words = vector.text("words").split(' ').map(|word| u32::from_str_radix(word, 16));
    let header = ParseHeader {
        v6: vector.number("v6") == 1,
        src: u128::from_str_radix(vector.text("src"), 16).expect("hexadecimal"),
        ce: vector.number("ce") == 1,
        words: words.collect::<Result<_, _>>().expect("hexadecimal"),
        paylen: vector.number("paylen") as u16,
    };
    Verdict { drop: 0, header: Some(header) }
}

#[test]
fn frames_of_another_implementation_are_judged_as_it_says() {
    let vectors = vectors::read("rx_parse.txt");
    let frame = |v: &Vector| RawFrame { bytes: v.bytes("frame"), bad: v.get("mac") == Some("bad") };
    let frames: Vec<RawFrame> = vectors.iter().map(frame).collect();
    let (narrow, wide) = (back_to_back::<Parse>(&frames), back_to_back::<Parse512>(&frames));
    assert_eq!((vectors.len(), narrow.len(), wide.len()), (121, 121, 121));
    let mut icrc_compared = 0;
    for (i, vector) in vectors.iter().enumerate() {
        let (name, want) = (vector.text("name"), verdict_of(vector));
        assert_eq!(expected(&frames[i]), want, "model: {name}");
        assert_eq!(narrow[i].1, want, "64 bits: {name}");
        assert_eq!(wide[i].1, want, "512 bits: {name}");
        if let Some(icrc) = vector.get("icrc") {
            let out = on_frame(ParseIn { bytes: &frames[i].bytes, bad: false, port: PORT });
            assert_eq!(heddle_model::icrc::on_packet(&out.masked).good, icrc == "good", "model: {name}");
            icrc_compared += 1;
        }
    }
    assert_eq!(icrc_compared, 72);
}
