//! FIFO and skid buffer of heddle-emit: nothing lost, added, changed or reordered under any stall pattern, and the
//! FIFO's count follows.

use heddle_testbench::duts::{PrimFifo, PrimSkid};
use heddle_testbench::lockstep::{
    matrix, Bench, Channel, Check, Driver, Input, Link, Monitor, Output, Pace, Setup,
};
use heddle_testbench::Dut;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::marker::PhantomData;

/// Ports that both have, and what the FIFO shows besides.
trait Queue: Dut {
    /// Words that it holds.
    const CAPACITY: u64;
    fn offer(&mut self, word: Option<u64>, rng: &mut ChaCha8Rng);
    fn take(&mut self, ready: bool);
    fn input(&self) -> Link<u64>;
    fn output(&self) -> Link<u64>;
    fn level(&self) -> Option<(u64, bool)>;
}

macro_rules! queue {
    ($dut:ty, $capacity:expr, |$it:ident| $level:expr) => {
        impl Queue for $dut {
            const CAPACITY: u64 = $capacity;
            fn offer(&mut self, word: Option<u64>, rng: &mut ChaCha8Rng) {
                self.set_in_valid(word.is_some());
                match word {
                    Some(word) => self.set_in_data(word),
                    None => self.noise("in_", rng),
                }
            }
            fn take(&mut self, ready: bool) {
                self.set_out_ready(ready);
            }
            fn input(&self) -> Link<u64> {
                Link::new(self.in_valid(), self.in_ready(), || self.in_data())
            }
            fn output(&self) -> Link<u64> {
                Link::new(self.out_valid(), self.out_ready(), || self.out_data())
            }
            fn level(&self) -> Option<(u64, bool)> {
                let $it = self;
                $level
            }
        }
    };
}

queue!(PrimFifo, 16, |it| Some((it.count().into(), it.almost_full())));
queue!(PrimSkid, 2, |_it| None);

struct Ports {
    input: Link<u64>,
    output: Link<u64>,
    level: Option<(u64, bool)>,
}

struct QueueMonitor {
    input: Input<u64>,
    output: Output<u64>,
    inside: u64,
    capacity: u64,
}

impl Monitor for QueueMonitor {
    const NAME: &'static str = "queue";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some((count, almost)) = ports.level {
            if (count, almost) != (self.inside, self.inside >= 12) {
                check.mismatch("count", format!("rtl {count} ({almost}), model {}", self.inside));
            }
        }
        if let Some(word) = self.input.take(&ports.input, check) {
            self.output.expect(word, check);
            self.inside += 1;
        }
        self.output.compare(&ports.output, check);
        self.inside -= u64::from(ports.output.crossing().is_some());
        if self.inside > self.capacity {
            check.mismatch("level", format!("{} words inside, capacity {}", self.inside, self.capacity));
        }
        if self.inside == self.capacity {
            check.cover("full");
        }
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.input, &self.output]
    }

    fn reset(&mut self) {
        self.input.reset();
        self.output.reset();
        self.inside = 0;
    }
}

struct QueueBench<D> {
    rng: ChaCha8Rng,
    source: Driver<u64>,
    ready: Pace,
    transactions: u64,
    dut: PhantomData<D>,
}

impl<D: Queue> Bench for QueueBench<D> {
    type Dut = D;
    type Monitor = QueueMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        let (source, ready) = (Driver::new(setup.idle("in")), setup.back("out"));
        Self { rng: setup.rng("words"), source, ready, transactions: setup.transactions, dut: PhantomData }
    }

    fn monitor(_: &Setup) -> QueueMonitor {
        let (input, output) = (Input::request("in"), Output::answer("out"));
        QueueMonitor { input, output, inside: 0, capacity: D::CAPACITY }
    }

    fn drive(&mut self, dut: &mut D, _: &QueueMonitor) {
        let (rng, left) = (&mut self.rng, self.source.sent() < self.transactions);
        let word = self.source.offer(|| left.then(|| rng.gen_range(0..1 << 36))).copied();
        dut.offer(word, &mut self.rng);
        dut.take(self.ready.go());
    }

    fn ports(dut: &D) -> Ports {
        Ports { input: dut.input(), output: dut.output(), level: dut.level() }
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

#[test]
fn fifo_keeps_words_and_order_and_counts_them() {
    let report = matrix::<QueueBench<PrimFifo>>(1_000);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("full", 1_000)]);
    // Latency and rate that its document states.
    assert_eq!((*report.latency["out"].start(), report.interval["out"]), (3, 1.0));
}

#[test]
fn skid_buffer_keeps_words_and_order() {
    let report = matrix::<QueueBench<PrimSkid>>(1_000);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("full", 1_000)]);
    // Latency and rate that its document states.
    assert_eq!((*report.latency["out"].start(), report.interval["out"]), (1, 1.0));
}
