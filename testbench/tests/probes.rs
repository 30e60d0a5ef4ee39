//! A block inside another, watched through probes by the monitor that a test of the block alone would use.

use heddle_testbench::duts::DemoFifo;
use heddle_testbench::lockstep::{Channel, Check, Input, Link, Monitor, Output, Watch, Watcher, Watchers};
use heddle_testbench::{wide, Dut};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Words of the storage: what goes in comes out, in order.
struct StoreMonitor {
    pushed: Input<u128>,
    popped: Output<u128>,
}

struct Ports {
    pushed: Link<u128>,
    popped: Link<u128>,
}

impl StoreMonitor {
    fn new() -> Self {
        Self { pushed: Input::request("push"), popped: Output::answer("pop") }
    }
}

impl Monitor for StoreMonitor {
    const NAME: &'static str = "demo_store";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(word) = self.pushed.take(&ports.pushed, check) {
            self.popped.expect(word, check);
        }
        self.popped.compare(&ports.popped, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.pushed, &self.popped]
    }

    fn reset(&mut self) {
        self.pushed.reset();
        self.popped.reset();
    }
}

/// The storage's links, seen through the FIFO around it.
fn inside(fifo: &DemoFifo) -> Ports {
    let (ready, pop) = (fifo.probe_store_ready(), fifo.probe_store_pop());
    Ports {
        pushed: Link::new(fifo.probe_store_push(), ready, || wide::to_u128(fifo.probe_store_din())),
        popped: Link::new(fifo.probe_store_valid(), pop, || wide::to_u128(fifo.probe_store_dout())),
    }
}

/// The FIFO's own links; its step is 0, so it passes words on as the storage does.
fn outside(fifo: &DemoFifo) -> Ports {
    let word = |data, last: bool| wide::to_u128(data) | u128::from(last) << 100;
    Ports {
        pushed: Link::new(fifo.in_valid(), fifo.in_ready(), || word(fifo.in_data(), fifo.in_last())),
        popped: Link::new(fifo.out_valid(), fifo.out_ready(), || word(fifo.out_data(), fifo.out_last())),
    }
}

/// Runs 2,000 cycles, with one reset, under both monitors, and lets what is inside leave.
fn run(fault: u8) -> Watchers<DemoFifo> {
    let (mut fifo, mut watchers) = (DemoFifo::new(), Watchers::default());
    watchers.add(Watch::new(StoreMonitor::new(), inside));
    watchers.add(Watch::new(StoreMonitor::new(), outside));
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    fifo.reset(2);
    fifo.set_step(0);
    fifo.set_fault(fault);
    let mut offer = None;
    for cycle in 0..2_000 {
        if cycle == 1_000 {
            watchers.reset();
            fifo.reset(1);
        }
        let draining = cycle >= 1_980;
        offer = offer.or_else(|| (!draining && rng.gen()).then(|| rng.gen::<u128>() >> 28));
        fifo.set_in_valid(offer.is_some());
        fifo.set_in_data(&wide::from_u128(offer.unwrap_or(0)));
        fifo.set_out_ready(rng.gen() || draining);
        fifo.eval();
        watchers.watch(&fifo, fifo.cycle());
        offer = offer.filter(|_| !fifo.in_ready());
        fifo.tick();
    }
    watchers.finish();
    watchers
}

#[test]
fn the_same_monitor_sees_the_same_words_inside_and_outside() {
    let watchers = run(0);
    let (totals, reports) = (watchers.totals(), watchers.reports());
    assert_eq!((totals.mismatches, totals.crossed), (0, totals.compared + totals.explained), "{reports:?}");
    assert!(reports[0].compared > 500, "{reports:?}");
    assert_eq!(reports[0].compared, reports[1].compared);
    assert!(totals.explained > 0, "words inside at the reset: {reports:?}");
}

#[test]
fn a_fault_outside_the_block_is_found_by_the_monitor_outside_only() {
    let reports = run(1).reports();
    assert_eq!(reports[0].mismatches, 0);
    assert!(reports[1].mismatches > 0);
    assert_eq!(reports[1].first.as_ref().unwrap().channel, "pop");
}

#[test]
fn words_left_inside_at_the_end_are_mismatches() {
    let mut early = Watch::new(StoreMonitor::new(), |link: &Link<u128>| Ports {
        pushed: link.clone(),
        popped: Link::pulse(false, || 0),
    });
    early.watch(&Link::pulse(true, || 7), 1);
    early.finish();
    assert!(early.report().first.unwrap().what.contains("left at the end: pop: 0 compared, 1 expected"));
}
