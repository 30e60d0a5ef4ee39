//! The harness itself: a correct FIFO passes, each known defect of it is reported for what it is.

use heddle_testbench::duts::DemoFifo;
use heddle_testbench::lockstep::{
    matrix, Bench, Channel, Check, Driver, Input, Link, Monitor, Output, Pace, Setup,
};
use heddle_testbench::{wide, Dut};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::panic::catch_unwind;

#[derive(Clone, Debug, PartialEq)]
struct Beat {
    data: u128,
    last: bool,
}

struct Ports {
    input: Link<Beat>,
    output: Link<Beat>,
    step: u8,
}

struct FifoMonitor {
    input: Input<Beat>,
    output: Output<Beat>,
}

impl Monitor for FifoMonitor {
    const NAME: &'static str = "demo_fifo";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(beat) = self.input.take(&ports.input, check) {
            let data = beat.data.wrapping_add(ports.step.into()) & ((1 << 100) - 1);
            check.cover(if data < beat.data { "wrap" } else { "no wrap" });
            self.output.expect(Beat { data, ..beat }, check);
        }
        self.output.compare(&ports.output, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.input, &self.output]
    }

    fn reset(&mut self) {
        self.input.reset();
        self.output.reset();
    }
}

struct FifoBench<const FAULT: u8> {
    rng: ChaCha8Rng,
    source: Driver<Beat>,
    ready: Pace,
    transactions: u64,
}

impl<const FAULT: u8> Bench for FifoBench<FAULT> {
    type Dut = DemoFifo;
    type Monitor = FifoMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        let (source, ready) = (Driver::new(setup.idle("in")), setup.back("out"));
        Self { rng: setup.rng("beats"), source, ready, transactions: setup.transactions }
    }

    fn monitor(_: &Setup) -> FifoMonitor {
        FifoMonitor { input: Input::request("in"), output: Output::answer("out") }
    }

    fn drive(&mut self, dut: &mut DemoFifo, _: &FifoMonitor) {
        let (rng, left) = (&mut self.rng, self.transactions > self.source.sent());
        let beat = self.source.offer(|| left.then(|| random_beat(rng)));
        dut.set_in_valid(beat.is_some());
        match beat {
            Some(beat) => {
                dut.set_in_data(&wide::from_u128(beat.data));
                dut.set_in_last(beat.last);
            }
            None => dut.noise("in_", &mut self.rng),
        }
        dut.set_fault(FAULT);
        dut.set_step(self.rng.gen_range(0..128));
        dut.set_out_ready(self.ready.go());
    }

    fn ports(dut: &DemoFifo) -> Ports {
        let beat = |data, last| Beat { data: wide::to_u128(data), last };
        Ports {
            input: Link::new(dut.in_valid(), dut.in_ready(), || beat(dut.in_data(), dut.in_last())),
            output: Link::new(dut.out_valid(), dut.out_ready(), || beat(dut.out_data(), dut.out_last())),
            step: dut.step(),
        }
    }

    fn settle(&mut self, ports: &Ports) {
        self.source.settle(&ports.input);
    }

    fn done(&self) -> bool {
        self.source.sent() == self.transactions
    }

    fn reset(&mut self) {
        self.source.reset();
    }
}

fn random_beat(rng: &mut ChaCha8Rng) -> Beat {
    let all = rng.gen::<u128>() >> 28;
    Beat { data: if rng.gen_ratio(1, 4) { all | !0 >> 32 << 4 } else { all }, last: rng.gen() }
}

#[test]
fn a_correct_fifo_passes_and_every_beat_is_accounted_for() {
    let report = matrix::<FifoBench<0>>(500);
    // 25 pairs, 2 runs with sinks that wait for an offer and 3 with resets, for each seed.
    assert_eq!(report.crossed, report.compared + report.explained());
    assert!(report.partial || report.crossed % (30 * 500) == 0, "{report:?}");
    assert!(report.partial || report.explained() > 0, "resets caught beats under way: {report:?}");
    report.demand(&[("wrap", 100), ("no wrap", 100)]);
    assert_eq!(*report.latency["out"].start(), 1, "offered in the cycle after the transfer");
}

/// What the harness says about a defect.
fn verdict<const FAULT: u8>() -> String {
    let panic =
        catch_unwind(|| drop(matrix::<FifoBench<FAULT>>(500))).expect_err("the defect goes unnoticed");
    panic.downcast_ref::<String>().expect("a text").clone()
}

#[test]
fn a_wrong_value_is_reported_with_field_seed_replay_and_waveform() {
    let text = verdict::<1>();
    assert!(text.contains("data: rtl 0x") && text.contains("model 0x"), "{text}");
    assert!(
        text.contains("replay: SEED=1 STALL=never/never cargo test -p heddle-testbench --test harness"),
        "{text}"
    );
    let path = text.split("wave: ").nth(1).expect("a waveform");
    let wave = std::fs::read_to_string(path).unwrap();
    let cycle: u64 = text.split("cycle ").nth(1).unwrap().split('\n').next().unwrap().parse().unwrap();
    assert!(wave.contains(&format!("#{}\n", 10 * cycle)), "the cycle of the difference is in the waveform");
}

#[test]
fn a_lost_beat_is_reported() {
    assert!(verdict::<2>().contains("data: rtl 0x"));
}

#[test]
fn a_repeated_beat_is_reported() {
    assert!(verdict::<3>().contains("out @cycle"));
}

#[test]
fn a_withdrawn_offer_is_reported() {
    assert!(verdict::<4>().contains("valid fell before ready"));
}

#[test]
fn a_changed_payload_is_reported() {
    let text = verdict::<5>();
    assert!(text.contains("payload changed before ready") || text.contains("data: rtl"), "{text}");
}

#[test]
fn a_hang_is_reported_with_the_state_of_every_channel() {
    let text = verdict::<6>();
    assert!(text.contains("hang: no transfer for 20001 cycles"), "{text}");
    assert!(text.contains("in: 100 in, one offered and not taken") && text.contains("in_ready=00"), "{text}");
}

#[test]
fn a_stop_of_the_design_is_reported_with_its_cycle_and_a_waveform() {
    let text = verdict::<8>();
    assert!(text.contains("ran into a $stop in cycle") && text.contains("replay: SEED=1"), "{text}");
    assert!(std::fs::metadata(text.split("wave: ").nth(1).unwrap()).unwrap().len() > 1_000);
}

#[test]
fn an_offer_that_waits_for_ready_is_a_hang() {
    let text = verdict::<9>();
    assert!(text.contains("idle/backpressure never/lazy") && text.contains("hang: no transfer"), "{text}");
}

#[test]
fn a_beat_made_of_an_idle_cycle_is_reported() {
    assert!(verdict::<7>().contains("out @cycle"));
}

#[test]
fn an_output_of_a_run_without_requests_is_a_surplus() {
    let (mut output, mut check) = (Output::answer("out"), Check::default());
    output.compare(&Link::new(true, false, || 7), &mut check);
    assert!(check.first().unwrap().what.contains("model has nothing left to expect"));
}

#[test]
fn a_stream_may_be_ahead_of_its_model_by_the_stated_count_only() {
    let (mut output, mut check) = (Output::side("p").ahead(2), Check::default());
    let beat = |value| Link::pulse(true, move || value);
    output.compare(&beat(1), &mut check);
    output.compare(&beat(2), &mut check);
    assert_eq!(check.mismatches(), 0);
    output.expect(1, &mut check);
    output.expect(3, &mut check);
    assert_eq!(check.first().unwrap().what, "transaction 1: rtl 0x2, model 0x3");
    (0..3).for_each(|i| output.compare(&beat(i), &mut check));
    assert!(check.mismatches() == 2, "the third one ahead");
}

#[test]
fn expectations_wait_in_order() {
    let (mut output, mut check): (Output<u8>, _) = (Output::side("out"), Check::default());
    let mut wanted: VecDeque<u8> = (0..5).collect();
    wanted.iter().for_each(|w| output.expect(*w, &mut check));
    assert_eq!(output.pending(), 5);
    while let Some(next) = wanted.pop_front() {
        output.compare(&Link::pulse(true, || next), &mut check);
    }
    assert_eq!((output.pending(), output.crossed(), check.mismatches()), (0, 5, 0));
}
