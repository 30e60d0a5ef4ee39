//! `rx_ack` against `heddle_model::rx::ack`, in lockstep; the order of events is the block's log, what they
//! are comes from its inputs.

use heddle_model::rx::ack::AckConfig;
use heddle_testbench::duts::RxAck;
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Setup};
use heddle_testbench::monitors::rx_ack::{AckMonitor, Arrival, Ports};
use heddle_testbench::Dut;
use heddle_wire::{Flag, Flags};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

const PATHS: u16 = 64;

struct AckBench {
    rng: ChaCha8Rng,
    arrivals: Driver<Arrival>,
    ready: Pace,
    delay: u16,
    now: u32,
    /// The request taken last, which may leave news of another stream.
    taken: Option<u16>,
    sent: u64,
    transactions: u64,
    /// Since reset.
    cycles: u64,
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
            path: Self::path(rng).into(),
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
            cycles: 0,
        }
    }

    fn monitor(_: &Setup) -> AckMonitor {
        // T comes by the port.
        AckMonitor::new(PATHS, AckConfig::new(4, 1, 64).expect("in range"))
    }

    fn drive(&mut self, dut: &mut RxAck, monitor: &AckMonitor) {
        self.now = self.now.wrapping_add(1);
        dut.set_now(self.now);
        dut.set_cfg_delay(self.delay);
        // The path engine and the messages are slower than this block in the long run: its queues do not
        // overflow. Nothing is heard in the cycle after reset.
        let (rng, left) = (&mut self.rng, self.sent < self.transactions && self.cycles > 0);
        let waiting = monitor.waiting();
        let room = waiting.arrivals < 12;
        let arrival = self.arrivals.offer(|| (left && room).then(|| Self::arrival(rng)));
        let arrival = arrival.cloned();
        dut.noise("a_", &mut self.rng);
        dut.set_a_valid(arrival.is_some());
        if let Some(arrival) = arrival {
            dut.set_a_op(arrival.op);
            dut.set_a_path(arrival.path as u8);
            dut.set_a_class(arrival.class);
            dut.set_a_flags(arrival.flags);
            dut.set_a_open(arrival.open);
            dut.set_a_close(arrival.close);
        }
        let message = left && waiting.messages < 6 && self.rng.gen_ratio(1, 24);
        dut.set_m_valid(message);
        dut.set_m_path(Self::path(&mut self.rng));
        // The builder asks once more at the earliest some cycles after it took the request, and then takes
        // the next.
        let heard = waiting.taken == 0 && waiting.again == 0;
        let again = self.taken.filter(|_| heard && self.rng.gen_ratio(1, 8));
        dut.set_r_ready(self.ready.go() && self.taken.is_none());
        dut.set_again_valid(again.is_some());
        dut.set_again_path(again.map_or_else(|| self.rng.gen_range(0..64), |path| path as u8));
        if again.is_some() {
            self.taken = None;
        }
    }

    fn ports(dut: &RxAck) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.cycles += 1;
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
        self.cycles = 0;
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
