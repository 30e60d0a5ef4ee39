//! `rx_hold` at 64 and 512 bits against `heddle_model::rx::hold`, in lockstep, with the timing of the parser
//! and the ICRC engine.

use heddle_testbench::duts::{RxHold, RxHold512};
use heddle_testbench::lockstep::{matrix, Bench, Pace, Report, Setup};
use heddle_testbench::monitors::rx_hold::{Headers, HoldMonitor, Ports};
use heddle_testbench::rows::Held;
use heddle_testbench::views::RxHoldView;
use heddle_testbench::{wide, Dut};
use rand::{Rng, RngCore};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::marker::PhantomData;

/// Slice size of the designs.
const SLICE: u16 = 1024;
/// Transport bytes that are not stored: header words 0 to 11, and the ICRC.
const AROUND: u16 = 52;
/// Where the transport header starts: IPv4 and IPv6, without and with a tag.
const STARTS: [usize; 4] = [42, 46, 62, 66];
/// Cycles from a beat at the MAC to the packet's beat that it completes, and to one of what is left of it.
const ALIGNED: usize = 3;
const REST: usize = 4;
/// Cycles from a frame's last beat to its headers and its verdict.
const VERDICT: usize = 5;

/// A hold of either width.
trait HoldDut: Dut + RxHoldView {
    /// Bytes per beat.
    const BYTES: usize;
    /// A frame's first beat enters the parser in this cycle, or not.
    fn set_first(&mut self, plane: Option<u8>);
    /// Headers in this cycle, or none.
    fn set_headers(&mut self, headers: Option<&Headers>);
    /// A beat of a packet in this cycle, or none, and whether it is the packet's last.
    fn set_beat(&mut self, beat: Option<&(Vec<u8>, bool)>);
    /// A verdict in this cycle, or none.
    fn set_verdict(&mut self, good: Option<bool>);
    /// A random disposition in this cycle, or none.
    fn set_disposition(&mut self, given: bool);
    /// Whether `f` and `d` are taken.
    fn set_ready(&mut self, frame: bool, data: bool);
}

macro_rules! hold_dut {
    ($dut:ty, $bytes:literal, |$given:ident| $from_bytes:expr) => {
        impl HoldDut for $dut {
            const BYTES: usize = $bytes;

            fn set_first(&mut self, plane: Option<u8>) {
                self.set_s_first(plane.is_some());
                plane.into_iter().for_each(|plane| self.set_s_plane(plane));
            }

            fn set_headers(&mut self, headers: Option<&Headers>) {
                self.set_h_valid(headers.is_some());
                if let Some(headers) = headers {
                    self.set_h_drop(headers.drop);
                    self.set_h_v6(headers.frame.v6);
                    self.set_h_src(&wide::from_u128(headers.frame.src));
                    self.set_h_ce(headers.frame.ce);
                    self.set_h_words(&wide::from_be_words(&headers.frame.words));
                    self.set_h_paylen(headers.paylen);
                }
            }

            fn set_beat(&mut self, beat: Option<&(Vec<u8>, bool)>) {
                self.set_p_tvalid(beat.is_some());
                if let Some((bytes, last)) = beat {
                    let mut $given: [u8; $bytes] = [0; $bytes];
                    $given.copy_from_slice(bytes);
                    self.set_p_tdata($from_bytes);
                    self.set_p_tlast(*last);
                }
            }

            fn set_verdict(&mut self, good: Option<bool>) {
                self.set_k_valid(good.is_some());
                good.into_iter().for_each(|good| self.set_k_good(good));
            }

            fn set_disposition(&mut self, given: bool) {
                self.set_x_valid(given);
            }

            fn set_ready(&mut self, frame: bool, data: bool) {
                self.set_f_ready(frame);
                self.set_d_ready(data);
            }
        }
    };
}

hold_dut!(RxHold, 8, |bytes| u64::from_le_bytes(bytes));
hold_dut!(RxHold512, 64, |bytes| &wide::from_bytes(&bytes));

/// What the parser and the ICRC engine say in one cycle.
#[derive(Default)]
struct Cycle {
    beat: Option<(Vec<u8>, bool)>,
    headers: Option<Headers>,
    good: Option<bool>,
}

/// A frame on its way from the MAC.
struct Frame {
    start: usize,
    /// From the transport header on.
    packet: Vec<u8>,
    /// Bytes of the frame.
    len: usize,
    /// Beats that the MAC has sent.
    sent: usize,
    headers: Headers,
    good: bool,
}

impl Frame {
    /// A RESET that is kept: the shortest frame there is, one beat of 512 bits.
    fn shortest(rng: &mut ChaCha8Rng) -> Self {
        let frame = Self::random(rng);
        let headers = Headers { drop: 0, paylen: 20, ..frame.headers };
        let mut packet = vec![0; 20];
        rng.fill_bytes(&mut packet);
        Self { start: STARTS[0], packet, len: STARTS[0] + 20, headers, good: true, ..frame }
    }

    fn random(rng: &mut ChaCha8Rng) -> Self {
        let (drop, good) = (if rng.gen_ratio(1, 6) { rng.gen_range(1..20) } else { 0 }, rng.gen_ratio(6, 7));
        let start = STARTS[rng.gen_range(0..4)];
        // Whole packets: RESET, PROBE, NAK, ACK, DATA; then any length; then none.
        let paylen = match rng.gen_range(0..16) {
            0 | 1 => 20,
            2 | 3 => 24,
            4 => 36,
            5 => AROUND + 24,
            6 => AROUND,
            7 | 8 => AROUND + rng.gen_range(1..=20),
            9 => AROUND + rng.gen_range(SLICE + 1..3000),
            10 => AROUND + SLICE,
            _ => AROUND + rng.gen_range(1..=SLICE),
        };
        let len = if drop != 0 && rng.gen() { rng.gen_range(1..=start) } else { start + usize::from(paylen) };
        let mut packet = vec![0; len.saturating_sub(start)];
        rng.fill_bytes(&mut packet);
        let words = std::array::from_fn(|_| rng.gen());
        let frame = Held { words, src: rng.gen(), v6: rng.gen(), ce: rng.gen(), ..Held::default() };
        // What a refused frame says of its length means nothing.
        let paylen = if drop != 0 && rng.gen() { rng.gen() } else { paylen };
        Self { start, packet, len, sent: 0, headers: Headers { drop, frame, paylen }, good }
    }

    /// The MAC sends one more beat: what comes of it goes into the cycles ahead. False after the last.
    fn step(&mut self, width: usize, ahead: &mut VecDeque<Cycle>, rng: &mut ChaCha8Rng) -> bool {
        let (first, offset, sent) = (self.start / width, self.start % width, self.sent);
        self.sent += 1;
        let last = self.sent * width >= self.len;
        let end = self.len - sent * width;
        let mut put = |number: usize, cycles: usize| {
            let mut bytes: Vec<u8> = self.packet.iter().skip(number * width).take(width).copied().collect();
            let ends = (number + 1) * width >= self.packet.len();
            bytes.resize_with(width, || rng.gen());
            ahead[cycles].beat = Some((bytes, ends));
        };
        // A packet's beat ends in the beat of the frame behind the one in which it starts.
        if sent > first {
            put(sent - first - 1, ALIGNED);
        }
        if last && sent >= first && end > offset {
            put(sent - first, REST);
        }
        if last {
            (ahead[VERDICT].headers, ahead[VERDICT].good) = (Some(self.headers.clone()), Some(self.good));
        }
        !last
    }
}

struct HoldBench<D> {
    rng: ChaCha8Rng,
    pace: Pace,
    f_ready: Pace,
    x_pace: Pace,
    d_ready: Pace,
    frame: Option<Frame>,
    /// More of the shortest frames, one behind the other: they fill the places for frames, not the ring.
    burst: u32,
    /// This cycle and those after it.
    ahead: VecDeque<Cycle>,
    /// Frames taken whose disposition is still to be told.
    owed: u64,
    frames: u64,
    transactions: u64,
    dut: PhantomData<D>,
}

impl<D> HoldBench<D> {
    fn silence() -> VecDeque<Cycle> {
        (0..=VERDICT).map(|_| Cycle::default()).collect()
    }
}

impl<D: HoldDut> Bench for HoldBench<D> {
    type Dut = D;
    type Monitor = HoldMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        Self {
            rng: setup.rng("frames"),
            pace: setup.idle("s"),
            f_ready: setup.back("f"),
            x_pace: setup.back("x"),
            d_ready: setup.back("d"),
            frame: None,
            burst: 0,
            ahead: Self::silence(),
            owed: 0,
            frames: 0,
            transactions: setup.transactions,
            dut: PhantomData,
        }
    }

    fn monitor(_: &Setup) -> HoldMonitor {
        HoldMonitor::new(D::BYTES, SLICE)
    }

    fn drive(&mut self, dut: &mut D, _: &HoldMonitor) {
        let rng = &mut self.rng;
        for prefix in ["h_", "p_", "k_", "x_", "s_"] {
            dut.noise(prefix, rng);
        }
        let mut plane = None;
        if dut.room().bit() && self.pace.go() {
            if self.frame.is_none() && self.frames < self.transactions {
                self.frames += 1;
                self.burst = match self.burst {
                    0 if rng.gen_ratio(1, 30) => 20,
                    burst => burst.saturating_sub(1),
                };
                let short = self.burst > 0;
                self.frame = Some(if short { Frame::shortest(rng) } else { Frame::random(rng) });
                plane = Some(rng.gen_range(0..16));
            }
            let goes_on = |frame: &mut Frame| frame.step(D::BYTES, &mut self.ahead, rng);
            if !self.frame.as_mut().is_some_and(goes_on) {
                self.frame = None;
            }
        }
        dut.set_first(plane);
        let now = self.ahead.pop_front().unwrap_or_default();
        self.ahead.push_back(Cycle::default());
        dut.set_beat(now.beat.as_ref());
        dut.set_headers(now.headers.as_ref());
        dut.set_verdict(now.good);
        dut.set_disposition(self.owed > 0 && self.x_pace.go());
        dut.set_ready(self.f_ready.go(), self.d_ready.go());
    }

    fn ports(dut: &D) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.owed += u64::from(ports.f.crossing().is_some());
        self.owed -= u64::from(ports.x.crossing().is_some());
    }

    fn done(&self) -> bool {
        let silent = |cycle: &Cycle| cycle.good.is_none() && cycle.beat.is_none();
        self.frames == self.transactions && self.frame.is_none() && self.ahead.iter().all(silent)
    }

    fn reset(&mut self) {
        self.frame = None;
        self.ahead = Self::silence();
        self.owed = 0;
    }
}

fn lockstep<D: HoldDut>() -> Report {
    let report = matrix::<HoldBench<D>>(300);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("kept", 1000), ("icrc", 100), ("oversize", 100), ("taken", 300), ("skipped", 300)]);
    report.demand(&[("no room", 100), ("ether_type", 1)]);
    report
}

#[test]
fn frames_are_kept_or_dropped_once_and_payloads_leave_whole_and_in_order_at_64_bits() {
    lockstep::<RxHold>();
}

#[test]
fn frames_are_kept_or_dropped_once_and_payloads_leave_whole_and_in_order_at_512_bits() {
    lockstep::<RxHold512>().demand(&[("next frame in the cycle of the verdict", 100)]);
}
