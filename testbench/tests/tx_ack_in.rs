//! `tx_ack_in` against `heddle_model::tx::ack_in`, in lockstep. The test stands in for the path engine: its
//! verdicts are random.

use heddle_testbench::duts::TxAckIn;
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Setup};
use heddle_testbench::monitors::tx_ack_in::{AckInMonitor, Ports};
use heddle_testbench::rows::Located;
use heddle_testbench::Dut;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

struct AckInBench {
    rng: ChaCha8Rng,
    frames: Driver<Located>,
    beats: Driver<u64>,
    /// Payload beats of frames made, not offered yet.
    payload: VecDeque<u64>,
    /// Cycles in which the path engine answers.
    due: VecDeque<u64>,
    sk_ready: Pace,
    i_ready: Pace,
    n_ready: Pace,
    now: u32,
    cycle: u64,
    transactions: u64,
}

impl AckInBench {
    fn frame(rng: &mut ChaCha8Rng, now: u32) -> Located {
        let mut words: [u32; 12] = std::array::from_fn(|_| rng.gen());
        // Without SACK words half of the time; what stands in their place is then anything.
        let short = rng.gen::<bool>();
        words[0] = words[0] & 0xff00_ff00 | u32::from(short) << 16 | rng.gen_range(0..4u32);
        if !short && rng.gen_ratio(1, 4) {
            words[10..].fill(0);
        }
        words[1] = rng.gen_range(0..16u32) << 16 | words[1] & 0xffff;
        let trip = [rng.gen_range(0..4), rng.gen_range(0..0x2_0000), rng.gen()][rng.gen_range(0..3)];
        words[3] = now.wrapping_sub(trip);
        let hold = [0xffff, 0, trip & 0xffff, (trip + 1) & 0xffff, rng.gen_range(0..0xffff)];
        words[5] = hold[rng.gen_range(0..5)] << 16 | words[5] & 0xffff;
        Located { words, ce: rng.gen(), len: if short { 0 } else { 24 }, domain: rng.gen() }
    }
}

impl Bench for AckInBench {
    type Dut = TxAckIn;
    type Monitor = AckInMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        let mut rng = setup.rng("acks");
        Self {
            now: rng.gen(),
            rng,
            frames: Driver::new(setup.idle("k")),
            beats: Driver::new(setup.idle("d")),
            payload: VecDeque::new(),
            due: VecDeque::new(),
            sk_ready: setup.back("sk"),
            i_ready: setup.back("i"),
            n_ready: setup.back("n"),
            cycle: 0,
            transactions: setup.transactions,
        }
    }

    fn monitor(_: &Setup) -> AckInMonitor {
        AckInMonitor::new(16, 4)
    }

    fn drive(&mut self, dut: &mut TxAckIn, _: &AckInMonitor) {
        self.cycle += 1;
        self.now = self.now.wrapping_add(self.rng.gen_range(0..3));
        dut.set_now(self.now);
        dut.set_t_room(self.rng.gen_ratio(7, 8));
        let (rng, now, payload) = (&mut self.rng, self.now, &mut self.payload);
        let left = self.frames.sent() < self.transactions;
        let frame = self.frames.offer(|| {
            left.then(|| {
                let frame = Self::frame(rng, now);
                let empty = rng.gen_ratio(1, 4);
                payload.extend((0..frame.len / 8).map(|_| if empty { 0 } else { rng.gen::<u64>() }));
                frame
            })
        });
        dut.set_k_valid(frame.is_some());
        match frame {
            Some(frame) => dut.set_k_frame(&frame.pack()),
            None => dut.noise("k_", &mut self.rng),
        }
        let beat = self.beats.offer(|| self.payload.pop_front());
        dut.set_d_valid(beat.is_some());
        match beat {
            Some(beat) => dut.set_d_data(*beat),
            None => dut.noise("d_", &mut self.rng),
        }
        dut.set_sk_ready(self.sk_ready.go());
        dut.set_i_ready(self.i_ready.go());
        // At times the message block takes nothing for long enough that 8 reports wait.
        dut.set_n_ready(self.n_ready.go() && self.cycle % 512 > 160);
        // The path engine: results of ACKs in order, those of other operations between them.
        let answers = self.due.front().is_some_and(|due| *due <= self.cycle);
        if answers {
            self.due.pop_front();
        }
        let other = self.rng.gen_ratio(1, 4);
        dut.set_r_valid(answers || other);
        dut.set_r_op(if answers { 0 } else { self.rng.gen_range(1..8) });
        dut.set_r_bad(self.rng.gen_range(0..3));
        dut.set_r_newly(self.rng.gen_range(0..257));
        dut.set_r_inflight(self.rng.gen_range(0..257));
    }

    fn ports(dut: &TxAckIn) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.frames.settle(&ports.k);
        self.beats.settle(&ports.d);
        if ports.i.crossing().is_some() {
            // The engine's latency is 20; it takes one operation every 4 cycles.
            let earliest = self.due.back().map_or(0, |last| last + 4);
            self.due.push_back(earliest.max(self.cycle + 20));
        }
    }

    fn done(&self) -> bool {
        self.frames.sent() == self.transactions && self.due.is_empty() && self.payload.is_empty()
    }

    fn reset(&mut self) {
        self.frames.reset();
        self.beats.reset();
        self.payload.clear();
        self.due.clear();
    }
}

#[test]
fn an_ack_is_handed_to_the_path_engine_and_believed_as_far_as_its_verdict_allows() {
    let report = matrix::<AckInBench>(150);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("good", 2000), ("ack_stale", 2000), ("ack_invalid", 2000)]);
    report.demand(&[("hold saturated", 1000), ("hold beyond the trip", 500), ("round trip", 1000)]);
    report.demand(&[("SACK words", 2000), ("no SACK words", 2000), ("SACK words, all zeros", 100)]);
    report.demand(&[("8 under way", 50), ("result of another operation", 1000)]);
    assert_eq!(*report.latency["i"].start(), 5);
    assert_eq!((&report.latency["t"], &report.latency["drop"]), (&(1..=1), &(1..=1)));
    assert_eq!(*report.latency["n"].start(), 3);
}
