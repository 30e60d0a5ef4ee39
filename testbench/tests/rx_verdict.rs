//! `rx_verdict` against `heddle_model::rx::verdict`, in lockstep.

use heddle_model::rx::path::RxClass;
use heddle_model::rx::verdict::{Outcome, Verdict, Waiting};
use heddle_testbench::duts::RxVerdict;
use heddle_testbench::lockstep::{
    matrix, Bench, Channel, Check, Driver, Input, Link, Monitor, Output, Pace, Setup,
};
use heddle_testbench::rows::{Order, Place};
use heddle_testbench::Dut;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

#[derive(Clone, Debug, PartialEq)]
struct Disposition {
    take: bool,
    ack: bool,
}

struct Ports {
    o: Link<Order>,
    v: Link<u8>,
    x: Link<Disposition>,
    w: Link<Place>,
    drop: Link<u8>,
}

struct VerdictMonitor {
    model: Verdict<Place>,
    /// DATA entries whose verdict the bench still owes.
    owed: u32,
    o: Input<Order>,
    x: Output<Disposition>,
    w: Output<Place>,
    drop: Output<u8>,
}

impl Monitor for VerdictMonitor {
    const NAME: &'static str = "rx_verdict";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(class) = ports.v.crossing() {
            self.owed -= 1;
            let class =
                [RxClass::Accept, RxClass::Duplicate, RxClass::OutOfWindow, RxClass::Fault][*class as usize];
            self.model.on_verdict(class);
        }
        if let Some(order) = self.o.take(&ports.o, check) {
            self.owed += u32::from(order.kind == 1);
            let waiting = match order.kind {
                0 => Waiting::Drop(order.reason),
                1 => Waiting::Data(order.reason),
                2 => Waiting::Ack,
                _ => Waiting::Probe,
            };
            self.model.on_order(waiting, order.place);
        }
        while let Some((outcome, place)) = self.model.next_outcome() {
            let (take, ack) = (matches!(outcome, Outcome::Place | Outcome::Ack), outcome == Outcome::Ack);
            self.x.expect(Disposition { take, ack }, check);
            match outcome {
                Outcome::Place => self.w.expect(place, check),
                Outcome::Drop(reason) => self.drop.expect(reason, check),
                Outcome::Ack | Outcome::Skip => {}
            }
            check.cover(match outcome {
                Outcome::Place => "place",
                Outcome::Ack => "ack",
                Outcome::Skip => "skip",
                Outcome::Drop(_) => "drop",
            });
        }
        self.x.compare(&ports.x, check);
        self.w.compare(&ports.w, check);
        self.drop.compare(&ports.drop, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.o, &self.x, &self.w, &self.drop]
    }

    fn reset(&mut self) {
        self.model = Verdict::default();
        self.owed = 0;
        self.o.reset();
        self.x.reset();
        self.w.reset();
        self.drop.reset();
    }
}

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
        VerdictMonitor {
            model: Verdict::default(),
            owed: 0,
            o: Input::request("o"),
            x: Output::answer("x"),
            w: Output::side("w"),
            drop: Output::side("drop"),
        }
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
        dut.set_v_valid(monitor.owed > 0 && self.verdict_pace.go());
        dut.set_v_class(self.rng.gen_range(0..4));
        dut.set_w_ready(self.ready.go());
    }

    fn ports(dut: &RxVerdict) -> Ports {
        Ports {
            o: Link::new(dut.o_valid(), dut.o_ready(), || Order::unpack(dut.o_entry())),
            v: Link::pulse(dut.v_valid(), || dut.v_class()),
            x: Link::pulse(dut.x_valid(), || Disposition { take: dut.x_take(), ack: dut.x_ack() }),
            w: Link::new(dut.w_valid(), dut.w_ready(), || Place::unpack(dut.w_request())),
            drop: Link::pulse(dut.drop_valid(), || dut.drop_reason()),
        }
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
