//! `rx_hold` against `heddle_model::rx::hold`, in lockstep.

use heddle_testbench::duts::RxHold;
use heddle_testbench::lockstep::{matrix, Bench, Pace, Setup};
use heddle_testbench::monitors::rx_hold::{Beat, Headers, HoldMonitor, Ports, HEADER};
use heddle_testbench::rows::Held;
use heddle_testbench::{wide, Dut};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Slice size of the design.
const SLICE: u16 = 1024;
/// Cycles from the MAC's beat to the parser's: what is inside when `room` falls.
const PIPELINE: usize = 8;

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
    room: VecDeque<bool>,
    /// Frames taken whose disposition is still to be told.
    owed: u64,
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
            room: VecDeque::from([false; PIPELINE]),
            owed: 0,
            frames: 0,
            transactions: setup.transactions,
        }
    }

    fn monitor(_: &Setup) -> HoldMonitor {
        HoldMonitor::new(SLICE)
    }

    fn drive(&mut self, dut: &mut RxHold, _: &HoldMonitor) {
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
        if self.script.is_none() && self.frames < self.transactions && self.room[0] {
            self.frames += 1;
            self.script = Some(Self::script(&mut self.rng));
        }
        self.parse(dut, self.room[0]);
        dut.set_f_ready(self.f_ready.go());
        dut.set_x_valid(self.owed > 0 && self.x_pace.go());
        dut.set_d_ready(self.d_ready.go());
    }

    fn ports(dut: &RxHold) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.room.pop_front();
        self.room.push_back(ports.room);
        self.owed += u64::from(ports.f.crossing().is_some());
        self.owed -= u64::from(ports.x.crossing().is_some());
    }

    fn done(&self) -> bool {
        self.frames == self.transactions && self.script.is_none() && self.verdict.is_none()
    }

    fn reset(&mut self) {
        self.script = None;
        self.verdict = None;
        self.room = VecDeque::from([false; PIPELINE]);
        self.owed = 0;
    }
}

#[test]
fn frames_are_kept_or_dropped_once_and_payloads_leave_whole_and_in_order() {
    let report = matrix::<HoldBench>(60);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("kept", 1000), ("icrc", 100), ("oversize", 100), ("taken", 300), ("skipped", 300)]);
    report.demand(&[("no room", 100), ("ether_type", 1)]);
}
