//! `rx_verdict` against `heddle_model::rx::verdict`, in lockstep.

use heddle_testbench::duts::RxVerdict;
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Setup};
use heddle_testbench::monitors::rx_verdict::{Ports, VerdictMonitor};
use heddle_testbench::rows::{Order, Place};
use heddle_testbench::Dut;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

struct VerdictBench {
    rng: ChaCha8Rng,
    entries: Driver<Order>,
    verdict_pace: Pace,
    ready: Pace,
    transactions: u64,
}

impl Bench for VerdictBench {
    type Dut = RxVerdict;
    type Monitor = VerdictMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        Self {
            rng: setup.rng("entries"),
            entries: Driver::new(setup.idle("o")),
            verdict_pace: setup.idle("v"),
            ready: setup.back("w"),
            transactions: setup.transactions,
        }
    }

    fn monitor(_: &Setup) -> VerdictMonitor {
        VerdictMonitor::default()
    }

    fn drive(&mut self, dut: &mut RxVerdict, monitor: &VerdictMonitor) {
        let (rng, left) = (&mut self.rng, self.entries.sent() < self.transactions);
        let entry = self.entries.offer(|| {
            left.then(|| {
                let kind = [1, 1, 1, 0, 2, 3][rng.gen_range(0..6)];
                let place = Place {
                    address: rng.gen(),
                    len: rng.gen(),
                    conn: rng.gen(),
                    path: rng.gen(),
                    stream: rng.gen(),
                    msn: rng.gen_range(0..1 << 24),
                    message_len: rng.gen(),
                };
                Order { kind, reason: rng.gen_range(1..64), place }
            })
        });
        dut.set_o_valid(entry.is_some());
        match entry {
            Some(entry) => dut.set_o_entry(&entry.pack()),
            None => dut.noise("o_", &mut self.rng),
        }
        // The path engine answers what entered the order before this cycle.
        dut.set_v_valid(monitor.owed() > 0 && self.verdict_pace.go());
        dut.set_v_class(self.rng.gen_range(0..4));
        dut.set_w_ready(self.ready.go());
    }

    fn ports(dut: &RxVerdict) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.entries.settle(&ports.o);
    }

    fn done(&self) -> bool {
        self.entries.sent() == self.transactions
    }

    fn reset(&mut self) {
        self.entries.reset();
    }
}

#[test]
fn payloads_go_on_or_are_skipped_in_the_order_of_their_frames() {
    let report = matrix::<VerdictBench>(1000);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("place", 500), ("drop", 500), ("ack", 500), ("skip", 500)]);
}
