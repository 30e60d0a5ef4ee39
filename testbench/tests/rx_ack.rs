//! `rx_ack` against `heddle_model::rx::ack`, in lockstep; the order of events is the block's log, what they
//! are comes from its inputs.

use heddle_model::map::RingMap;
use heddle_model::rx::ack::{AckConfig, AckTrigger};
use heddle_model::rx::path::{RxClass, RxOp, RxPathOut};
use heddle_testbench::duts::RxAck;
use heddle_testbench::lockstep::{
    matrix, Bench, Channel, Check, Driver, Input, Link, Monitor, Output, Pace, Setup,
};
use heddle_testbench::Dut;
use heddle_wire::{Flag, Flags, Psn, Time32};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

const PATHS: u16 = 64;
/// Cycles that a due deadline may wait behind everything else.
const PATIENCE: u32 = 200;

#[derive(Clone, Debug, PartialEq)]
struct Arrival {
    op: u8,
    path: u8,
    class: u8,
    flags: u8,
    open: bool,
    close: bool,
}

impl Arrival {
    /// LOOK, INIT and faults are no events for this block.
    fn counts(&self) -> bool {
        self.op == 1 || (self.op == 0 && self.class != 3)
    }

    fn result(&self) -> RxPathOut {
        RxPathOut {
            op: [RxOp::Data, RxOp::Probe, RxOp::Look, RxOp::Init][usize::from(self.op)],
            path: self.path.into(),
            class: (self.op == 0).then(|| {
                [RxClass::Accept, RxClass::Duplicate, RxClass::OutOfWindow, RxClass::Fault]
                    [usize::from(self.class)]
            }),
            flags: Flags::from_bits(self.flags),
            cum: Psn::new(0),
            high: Psn::new(0),
            open: self.open,
            close: self.close,
            ce: 0,
            dup: 0,
            arrivals: 0,
            ts: Time32::new(0),
            route: 0,
            at: Time32::new(0),
            before: RingMap::default(),
        }
    }
}

struct Ports {
    now: u32,
    a: Link<Arrival>,
    m: Link<u8>,
    again: Link<u8>,
    r: Link<u8>,
    log: Option<u8>,
}

struct AckMonitor {
    config: AckConfig,
    model: AckTrigger,
    arrivals: VecDeque<Arrival>,
    messages: VecDeque<u8>,
    again: VecDeque<u8>,
    taken: VecDeque<u8>,
    cycles: u64,
    a: Input<Arrival>,
    m: Input<u8>,
    once_more: Input<u8>,
    r: Output<u8>,
}

impl AckMonitor {
    /// The event that the block commits, out of what has come in.
    fn commit(&mut self, kind: u8, now: Time32, check: &mut Check) {
        let request = match kind {
            0 => {
                let Some(path) = self.taken.pop_front() else {
                    return check.mismatch("log", "a request is taken off the books that was not taken");
                };
                self.model.on_taken(path.into());
                return;
            }
            1 => self.again.pop_front().map(|path| self.model.demand(path.into())),
            2 => self.messages.pop_front().map(|path| self.model.demand(path.into())),
            3 => self.arrivals.pop_front().map(|arrival| self.model.on_result(&arrival.result(), now)),
            _ => {
                let before = self.model.next_deadline();
                let request = self.model.on_tick(now);
                if self.model.next_deadline() == before {
                    check.mismatch("log", format!("no deadline is due at {now:?}: {before:?}"));
                }
                check.cover(if request.is_some() { "deadline" } else { "overtaken deadline" });
                self.expect(request, check);
                return;
            }
        };
        let Some(request) = request else {
            return check.mismatch("log", format!("an event of kind {kind} that did not come in"));
        };
        let outcome = if request.is_some() { "requested" } else { "merged, or waits" };
        match kind {
            1 => self.once_more.explain(outcome),
            2 => self.m.explain(outcome),
            _ => self.a.explain(outcome),
        }
        check.cover(match (kind, request.is_some()) {
            (1, _) => "again",
            (2, true) => "message",
            (2, false) => "message, merged",
            (_, true) => "arrival, requested",
            (_, false) => "arrival, waits",
        });
        self.expect(request, check);
    }

    fn expect(&mut self, request: Option<u16>, check: &mut Check) {
        if let Some(path) = request {
            self.r.expect(path as u8, check);
        }
    }
}

impl Monitor for AckMonitor {
    const NAME: &'static str = "rx_ack";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        self.cycles += 1;
        let now = Time32::new(ports.now);
        if let Some(kind) = ports.log {
            self.commit(kind, now, check);
        }
        if let Some(arrival) = self.a.take(&ports.a, check) {
            match arrival.counts() {
                true => self.arrivals.push_back(arrival),
                false => self.a.explain("no arrival"),
            }
        }
        if let Some(path) = self.m.take(&ports.m, check) {
            self.messages.push_back(path);
        }
        if let Some(path) = self.once_more.take(&ports.again, check) {
            self.again.push_back(path);
        }
        self.r.compare(&ports.r, check);
        self.taken.extend(ports.r.crossing());
        if self.model.next_deadline().is_some_and(|at| now.minus(PATIENCE).is_ahead(at)) {
            check.mismatch("log", format!("{:?} is long due at {now:?}", self.model.next_deadline()));
        }
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.a, &self.m, &self.once_more, &self.r]
    }

    fn reset(&mut self) {
        self.model = AckTrigger::new(PATHS, self.config);
        self.arrivals.clear();
        self.messages.clear();
        self.again.clear();
        self.taken.clear();
        self.cycles = 0;
        self.a.reset();
        self.m.reset();
        self.once_more.reset();
        self.r.reset();
    }
}

struct AckBench {
    rng: ChaCha8Rng,
    arrivals: Driver<Arrival>,
    ready: Pace,
    delay: u16,
    now: u32,
    /// The request taken last, which may leave news of another stream.
    taken: Option<u8>,
    sent: u64,
    transactions: u64,
}

/// T of a run: short, as the default, or so long that the queue of deadlines fills.
fn delay(setup: &Setup) -> u16 {
    [20, 250, 5000][setup.rng("delay").gen_range(0..3)]
}

impl AckBench {
    fn path(rng: &mut ChaCha8Rng) -> u8 {
        if rng.gen_ratio(1, 3) {
            rng.gen_range(0..64)
        } else {
            rng.gen_range(0..3) * 21
        }
    }

    fn arrival(rng: &mut ChaCha8Rng) -> Arrival {
        let odd = |rng: &mut ChaCha8Rng| rng.gen_ratio(1, 40);
        let ack_req = Flags::NONE.with(Flag::AckReq).bits();
        let flags = rng.gen::<u8>() & !ack_req;
        let op = if rng.gen_ratio(1, 10) { rng.gen_range(0..4) } else { 0 };
        let class = if rng.gen_ratio(1, 20) { rng.gen_range(0..4) } else { 0 };
        Arrival {
            op,
            path: Self::path(rng),
            class: if op == 0 { class } else { 0 },
            flags: if odd(rng) { flags | ack_req } else { flags },
            open: op == 0 && odd(rng),
            close: op == 0 && odd(rng),
        }
    }
}

impl Bench for AckBench {
    type Dut = RxAck;
    type Monitor = AckMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        let mut rng = setup.rng("arrivals");
        let now = 0u32.wrapping_sub(rng.gen_range(0..10_000));
        Self {
            rng,
            arrivals: Driver::new(setup.idle("a")),
            ready: setup.back("r"),
            delay: delay(setup),
            now,
            taken: None,
            sent: 0,
            transactions: setup.transactions,
        }
    }

    fn monitor(setup: &Setup) -> AckMonitor {
        let config = AckConfig::new(4, delay(setup), 64).expect("in range");
        AckMonitor {
            config,
            model: AckTrigger::new(PATHS, config),
            arrivals: VecDeque::new(),
            messages: VecDeque::new(),
            again: VecDeque::new(),
            taken: VecDeque::new(),
            cycles: 0,
            a: Input::request("a"),
            m: Input::request("m"),
            once_more: Input::request("again"),
            r: Output::side("r"),
        }
    }

    fn drive(&mut self, dut: &mut RxAck, monitor: &AckMonitor) {
        self.now = self.now.wrapping_add(1);
        dut.set_now(self.now);
        dut.set_cfg_delay(self.delay);
        // The path engine and the messages are slower than this block in the long run: its queues do not
        // overflow. Nothing is heard in the cycle after reset.
        let (rng, left) = (&mut self.rng, self.sent < self.transactions && monitor.cycles > 0);
        let room = monitor.arrivals.len() < 12;
        let arrival = self.arrivals.offer(|| (left && room).then(|| Self::arrival(rng)));
        let arrival = arrival.cloned();
        dut.noise("a_", &mut self.rng);
        dut.set_a_valid(arrival.is_some());
        if let Some(arrival) = arrival {
            dut.set_a_op(arrival.op);
            dut.set_a_path(arrival.path);
            dut.set_a_class(arrival.class);
            dut.set_a_flags(arrival.flags);
            dut.set_a_open(arrival.open);
            dut.set_a_close(arrival.close);
        }
        let message = left && monitor.messages.len() < 6 && self.rng.gen_ratio(1, 24);
        dut.set_m_valid(message);
        dut.set_m_path(Self::path(&mut self.rng));
        // The builder asks once more at the earliest some cycles after it took the request, and then takes
        // the next.
        let heard = monitor.taken.is_empty() && monitor.again.is_empty();
        let again = self.taken.filter(|_| heard && self.rng.gen_ratio(1, 8));
        dut.set_r_ready(self.ready.go() && self.taken.is_none());
        dut.set_again_valid(again.is_some());
        dut.set_again_path(again.unwrap_or_else(|| self.rng.gen_range(0..64)));
        if again.is_some() {
            self.taken = None;
        }
    }

    fn ports(dut: &RxAck) -> Ports {
        let arrival = || Arrival {
            op: dut.a_op(),
            path: dut.a_path(),
            class: dut.a_class(),
            flags: dut.a_flags(),
            open: dut.a_open(),
            close: dut.a_close(),
        };
        Ports {
            now: dut.now(),
            a: Link::pulse(dut.a_valid(), arrival),
            m: Link::pulse(dut.m_valid(), || dut.m_path()),
            again: Link::pulse(dut.again_valid(), || dut.again_path()),
            r: Link::new(dut.r_valid(), dut.r_ready(), || dut.r_path()),
            log: dut.log_valid().then(|| dut.log_kind()),
        }
    }

    fn settle(&mut self, ports: &Ports) {
        self.sent += u64::from(ports.a.crossing().is_some());
        self.arrivals.settle(&ports.a);
        if let Some(path) = ports.r.crossing() {
            self.taken = self.rng.gen_ratio(1, 3).then_some(*path);
        }
    }

    fn done(&self) -> bool {
        self.sent == self.transactions
    }

    fn reset(&mut self) {
        self.arrivals.reset();
        self.taken = None;
    }
}

#[test]
fn acks_are_requested_when_the_rules_say_and_never_twice_for_a_path() {
    let report = matrix::<AckBench>(1500);
    assert_eq!(report.crossed, report.explained());
    report.demand(&[
        ("again", 500),
        ("message", 500),
        ("message, merged", 100),
        ("arrival, requested", 3000),
        ("arrival, waits", 3000),
        ("deadline", 300),
        ("overtaken deadline", 300),
    ]);
}
