//! `rx_hold` against `heddle_model::rx::hold`, in lockstep.

use heddle_model::rx::hold::Hold;
use heddle_testbench::duts::RxHold;
use heddle_testbench::lockstep::{matrix, Bench, Channel, Check, Input, Link, Monitor, Output, Pace, Setup};
use heddle_testbench::rows::Held;
use heddle_testbench::{wide, Dut};
use heddle_wire::DropReason;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Slice size of the design.
const SLICE: u16 = 1024;
/// Transport bytes before the stored ones: header words 0 to 11.
const HEADER: u16 = 48;
/// Cycles from the MAC's beat to the parser's: what is inside when `room` falls.
const PIPELINE: usize = 8;

#[derive(Clone, Debug, PartialEq)]
struct Headers {
    drop: u8,
    frame: Held,
    paylen: u16,
}

#[derive(Clone, Debug, PartialEq)]
struct Beat {
    data: u64,
    last: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Disposition {
    take: bool,
    ack: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Payload {
    data: u64,
    ack: bool,
}

struct Ports {
    first: Link<u8>,
    h: Link<Headers>,
    p: Link<Beat>,
    k: Link<bool>,
    f: Link<Held>,
    x: Link<Disposition>,
    d: Link<Payload>,
    drop: Link<u8>,
    room: bool,
}

struct HoldMonitor {
    model: Hold,
    planes: VecDeque<u8>,
    headers: VecDeque<Headers>,
    beats: Vec<u64>,
    kept: VecDeque<Vec<u64>>,
    taken: u64,
    disposed: u64,
    room: VecDeque<bool>,
    k: Input<bool>,
    f: Output<Held>,
    d: Output<Payload>,
    drop: Output<u8>,
}

impl HoldMonitor {
    fn new() -> Self {
        Self {
            model: Hold::new(SLICE),
            planes: VecDeque::new(),
            headers: VecDeque::new(),
            beats: vec![],
            kept: VecDeque::new(),
            taken: 0,
            disposed: 0,
            room: VecDeque::from([false; PIPELINE]),
            k: Input::request("k"),
            f: Output::answer("f"),
            d: Output::side("d"),
            drop: Output::side("drop"),
        }
    }

    fn frame(&mut self, good: bool, check: &mut Check) {
        let (Some(plane), Some(headers)) = (self.planes.pop_front(), self.headers.pop_front()) else {
            return check.mismatch("k", "a frame without beats or headers: the bench is wrong");
        };
        let beats: Vec<u64> = std::mem::take(&mut self.beats).into_iter().skip(6).collect();
        let len = headers.paylen.saturating_sub(HEADER + 4);
        let bytes: Vec<u8> = beats.iter().flat_map(|beat| beat.to_le_bytes()).collect();
        let stored = if headers.drop == 0 { &bytes[..usize::from(len)] } else { &bytes[..] };
        match self.model.on_frame(headers.drop, stored, good) {
            Ok(()) => {
                check.cover("kept");
                self.f.expect(Held { plane, len, ..headers.frame }, check);
                self.kept.push_back(beats[..usize::from(len.div_ceil(8))].to_vec());
            }
            Err(reason) => {
                check.cover(DropReason::from_code(reason).map_or("?", |reason| reason.name()));
                self.k.explain("dropped");
                self.drop.expect(reason, check);
            }
        }
    }
}

impl Monitor for HoldMonitor {
    const NAME: &'static str = "rx_hold";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        self.planes.extend(ports.first.crossing());
        self.headers.extend(ports.h.crossing().cloned());
        self.beats.extend(ports.p.crossing().map(|beat| beat.data));
        if let Some(good) = self.k.take(&ports.k, check) {
            self.frame(good, check);
        }
        if let Some(x) = ports.x.crossing() {
            self.disposed += 1;
            let payload = self.model.dispose(x.take);
            let beats = self.kept.pop_front().unwrap_or_default();
            check.cover(if x.take { "taken" } else { "skipped" });
            if let Some(payload) = payload {
                assert_eq!(payload.len().div_ceil(8), beats.len());
                beats.into_iter().for_each(|data| self.d.expect(Payload { data, ack: x.ack }, check));
            }
        }
        self.taken += u64::from(ports.f.crossing().is_some());
        self.room.pop_front();
        self.room.push_back(ports.room);
        if !ports.room {
            check.cover("no room");
        }
        self.f.compare(&ports.f, check);
        self.d.compare(&ports.d, check);
        self.drop.compare(&ports.drop, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.k, &self.f, &self.d, &self.drop]
    }

    fn reset(&mut self) {
        let (mut k, mut f, mut d, mut drop) = (
            std::mem::replace(&mut self.k, Input::request("k")),
            std::mem::replace(&mut self.f, Output::answer("f")),
            std::mem::replace(&mut self.d, Output::side("d")),
            std::mem::replace(&mut self.drop, Output::side("drop")),
        );
        k.reset();
        f.reset();
        d.reset();
        drop.reset();
        *self = Self { k, f, d, drop, ..Self::new() };
    }
}

/// What the parser and the ICRC say about one frame, cycle by cycle.
struct Script {
    lead: u32,
    beats: VecDeque<Beat>,
    headers: Option<Headers>,
    /// The headers come with the verdict; else right behind the header beats.
    late: bool,
}

struct HoldBench {
    rng: ChaCha8Rng,
    pace: Pace,
    f_ready: Pace,
    x_pace: Pace,
    d_ready: Pace,
    script: Option<Script>,
    verdict: Option<(u32, bool, Option<Headers>)>,
    frames: u64,
    transactions: u64,
}

impl HoldBench {
    fn script(rng: &mut ChaCha8Rng) -> Script {
        let payload = match rng.gen_range(0..10) {
            0 => 0,
            1 => 24,
            2 => rng.gen_range(1025..3000u16),
            3 => SLICE,
            _ => rng.gen_range(1..=SLICE),
        };
        let short = rng.gen_ratio(1, 6);
        let paylen = if short { [20, 24, 36, 48, 51][rng.gen_range(0..5)] } else { HEADER + payload + 4 };
        let drop = if rng.gen_ratio(1, 8) { rng.gen_range(1..20) } else { 0 };
        let none = drop != 0 && rng.gen();
        let count = if none { 0 } else { paylen.div_ceil(8) };
        let beats = (1..=count).map(|n| Beat { data: rng.gen(), last: n == count }).collect();
        let frame = Held {
            words: std::array::from_fn(|_| rng.gen()),
            src: rng.gen(),
            v6: rng.gen(),
            ce: rng.gen(),
            ..Held::default()
        };
        // What a refused frame says of its length means nothing.
        let paylen = if drop != 0 && rng.gen() { rng.gen() } else { paylen };
        let headers = Headers { drop, frame, paylen };
        Script { lead: 5, beats, headers: Some(headers), late: short || none || rng.gen() }
    }

    fn set_headers(dut: &mut RxHold, headers: &Headers) {
        dut.set_h_valid(true);
        dut.set_h_drop(headers.drop);
        dut.set_h_v6(headers.frame.v6);
        dut.set_h_src(&wide::from_u128(headers.frame.src));
        dut.set_h_ce(headers.frame.ce);
        dut.set_h_words(&wide::from_be_words(&headers.frame.words));
        dut.set_h_paylen(headers.paylen);
    }

    /// One cycle of the frame that the parser puts out.
    fn parse(&mut self, dut: &mut RxHold, room: bool) {
        let Some(script) = &mut self.script else { return };
        if script.lead > 0 {
            dut.set_s_first(script.lead == 5);
            script.lead -= 1;
            return;
        }
        let moves = script.beats.is_empty() || (room && self.pace.go());
        if !moves {
            return;
        }
        if let Some(beat) = script.beats.pop_front() {
            dut.set_p_tvalid(true);
            dut.set_p_tdata(beat.data);
            dut.set_p_tlast(beat.last);
        }
        if !script.late && script.beats.len() == 2 {
            if let Some(headers) = script.headers.take() {
                Self::set_headers(dut, &headers);
            }
        }
        if script.beats.is_empty() {
            let headers = script.headers.take();
            self.verdict = Some((self.rng.gen_range(1..4), self.rng.gen_ratio(9, 10), headers));
            self.script = None;
        }
    }
}

impl Bench for HoldBench {
    type Dut = RxHold;
    type Monitor = HoldMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        Self {
            rng: setup.rng("frames"),
            pace: setup.idle("p"),
            f_ready: setup.back("f"),
            x_pace: setup.back("x"),
            d_ready: setup.back("d"),
            script: None,
            verdict: None,
            frames: 0,
            transactions: setup.transactions,
        }
    }

    fn monitor(_: &Setup) -> HoldMonitor {
        HoldMonitor::new()
    }

    fn drive(&mut self, dut: &mut RxHold, monitor: &HoldMonitor) {
        for prefix in ["h_", "p_", "k_", "x_", "s_"] {
            dut.noise(prefix, &mut self.rng);
        }
        dut.set_s_first(false);
        dut.set_h_valid(false);
        dut.set_p_tvalid(false);
        dut.set_k_valid(false);
        if let Some((wait, good, headers)) = self.verdict.take() {
            match wait {
                0 => {
                    dut.set_k_valid(true);
                    dut.set_k_good(good);
                    if let Some(headers) = &headers {
                        Self::set_headers(dut, headers);
                    }
                }
                _ => self.verdict = Some((wait - 1, good, headers)),
            }
        }
        if self.script.is_none() && self.frames < self.transactions && monitor.room[0] {
            self.frames += 1;
            self.script = Some(Self::script(&mut self.rng));
        }
        self.parse(dut, monitor.room[0]);
        dut.set_f_ready(self.f_ready.go());
        let owed = monitor.taken > monitor.disposed;
        dut.set_x_valid(owed && self.x_pace.go());
        dut.set_d_ready(self.d_ready.go());
    }

    fn ports(dut: &RxHold) -> Ports {
        let headers = || Headers {
            drop: dut.h_drop(),
            frame: Held {
                words: wide::from_be_words(dut.h_words()),
                src: wide::to_u128(dut.h_src()),
                v6: dut.h_v6(),
                ce: dut.h_ce(),
                ..Held::default()
            },
            paylen: dut.h_paylen(),
        };
        Ports {
            first: Link::pulse(dut.s_first(), || dut.s_plane()),
            h: Link::pulse(dut.h_valid(), headers),
            p: Link::pulse(dut.p_tvalid(), || Beat { data: dut.p_tdata(), last: dut.p_tlast() }),
            k: Link::pulse(dut.k_valid(), || dut.k_good()),
            f: Link::new(dut.f_valid(), dut.f_ready(), || Held::unpack(dut.f_frame())),
            x: Link::pulse(dut.x_valid(), || Disposition { take: dut.x_take(), ack: dut.x_ack() }),
            d: Link::new(dut.d_valid(), dut.d_ready(), || Payload { data: dut.d_data(), ack: dut.d_ack() }),
            drop: Link::pulse(dut.drop_valid(), || dut.drop_reason()),
            room: dut.room(),
        }
    }

    fn settle(&mut self, _: &Ports) {}

    fn done(&self) -> bool {
        self.frames == self.transactions && self.script.is_none() && self.verdict.is_none()
    }

    fn reset(&mut self) {
        self.script = None;
        self.verdict = None;
    }
}

#[test]
fn frames_are_kept_or_dropped_once_and_payloads_leave_whole_and_in_order() {
    let report = matrix::<HoldBench>(60);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("kept", 1000), ("icrc", 100), ("oversize", 100), ("taken", 300), ("skipped", 300)]);
    report.demand(&[("no room", 100), ("ether_type", 1)]);
}
