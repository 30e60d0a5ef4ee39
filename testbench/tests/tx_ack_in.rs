//! `tx_ack_in` against `heddle_model::tx::ack_in`, in lockstep. The test stands in for the path engine: its
//! verdicts are random.

use heddle_model::tx::ack_in::{judge, submit, PendingAck};
use heddle_model::tx::path::{AckVerdict, TxOp, TxPathOut};
use heddle_testbench::duts::TxAckIn;
use heddle_testbench::lockstep::{
    matrix, Bench, Channel, Check, Driver, Input, Link, Monitor, Output, Pace, Setup,
};
use heddle_testbench::rows::Located;
use heddle_testbench::tx_rows::{Done, Sample};
use heddle_testbench::Dut;
use heddle_wire::{Ack, Common, Msn, Psn, Time32};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

#[derive(Clone, Debug, PartialEq)]
struct Operation {
    path: u8,
    cum: u32,
    high: u32,
    route: u8,
    ts: u32,
    now: u32,
}

#[derive(Clone, Debug, PartialEq)]
struct Verdict {
    op: u8,
    bad: u8,
    newly: u16,
    inflight: u16,
}

struct Ports {
    now: u32,
    room: bool,
    k: Link<Located>,
    d: Link<u64>,
    sk: Link<u64>,
    i: Link<Operation>,
    r: Link<Verdict>,
    n: Link<Done>,
    t: Link<Sample>,
    drop: Link<u8>,
}

struct AckInMonitor {
    frames: VecDeque<(Located, u32)>,
    beats: VecDeque<u64>,
    pending: VecDeque<(PendingAck, u16)>,
    /// Neither a result nor a report of these has left.
    open: usize,
    k: Input<Located>,
    d: Input<u64>,
    sk: Output<u64>,
    i: Output<Operation>,
    n: Output<Done>,
    t: Output<Sample>,
    drop: Output<u8>,
}

impl AckInMonitor {
    fn new() -> Self {
        Self {
            frames: VecDeque::new(),
            beats: VecDeque::new(),
            pending: VecDeque::new(),
            open: 0,
            k: Input::request("k"),
            d: Input::side("d"),
            sk: Output::side("sk"),
            i: Output::answer("i"),
            n: Output::side("n"),
            t: Output::side("t"),
            drop: Output::side("drop"),
        }
    }

    /// An ACK whose payload is complete.
    fn submit(&mut self, frame: &Located, now: u32, check: &mut Check) {
        let mut bytes: Vec<u8> = frame.words.iter().flat_map(|word| word.to_be_bytes()).collect();
        bytes.extend(self.beats.drain(..3).flat_map(u64::to_le_bytes));
        let common = Common::parse(bytes[..16].try_into().unwrap());
        let ack = Ack::parse(bytes[16..].try_into().unwrap());
        let path = common.dst_conn % 16 * 4 + u16::from(common.path % 4);
        let (operation, pending) = submit(common.dst_conn, path, &common, &ack, Time32::new(now));
        check.cover(match ack.hold {
            u16::MAX => "hold saturated",
            hold if u32::from(hold) > now.wrapping_sub(common.timestamp.get()) => "hold beyond the trip",
            _ => "round trip",
        });
        operation.sack.words().into_iter().for_each(|word| self.sk.expect(word, check));
        let operation = Operation {
            path: operation.path as u8,
            cum: operation.cum.get(),
            high: operation.high.get(),
            route: operation.route,
            ts: operation.ts.get(),
            now: operation.now.get(),
        };
        self.i.expect(operation, check);
        self.pending.push_back((pending, path));
    }

    fn judge(&mut self, verdict: &Verdict, check: &mut Check) {
        let Some((pending, path)) = self.pending.pop_front() else {
            return check.mismatch("r", "the bench answers an operation that is none");
        };
        let bad = [AckVerdict::Good, AckVerdict::Invalid, AckVerdict::Stale][usize::from(verdict.bad)];
        let result = TxPathOut {
            op: TxOp::Ack,
            path,
            ok: verdict.bad == 0,
            bad,
            base: Psn::new(0),
            next: Psn::new(0),
            route: 0,
            psn: None,
            newly: verdict.newly,
            inflight: verdict.inflight,
            waiting: 0,
            lost: false,
            now: Time32::new(0),
        };
        let news = judge(&pending, &result);
        if let Some((conn, stream, msn)) = news.done {
            self.n.expect(Done { conn, stream, msn: Msn::get(msn) }, check);
        } else {
            self.open -= 1;
        }
        match news.reason {
            Some(reason) => {
                check.cover(reason.name());
                self.drop.expect(reason as u8, check);
            }
            None => {
                check.cover("good");
                let (newly, inflight) = (verdict.newly, verdict.inflight);
                // Without a round trip the field means nothing.
                self.t.expect(Sample { path, rtt: news.rtt_ticks, newly, inflight }, check);
            }
        }
    }
}

impl Monitor for AckInMonitor {
    const NAME: &'static str = "tx_ack_in";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(beat) = self.d.take(&ports.d, check) {
            self.beats.push_back(beat);
        }
        if let Some(frame) = self.k.take(&ports.k, check) {
            if !ports.room {
                check.mismatch("k", "taken without room for its sample");
            }
            self.open += 1;
            if self.open == 8 {
                check.cover("8 under way");
            }
            if self.open > 8 {
                check.mismatch("k", "more than 8 under way");
            }
            self.frames.push_back((frame, ports.now));
        }
        if self.beats.len() >= 3 {
            if let Some((frame, now)) = self.frames.pop_front() {
                self.submit(&frame, now, check);
            }
        }
        if let Some(verdict) = ports.r.crossing() {
            match verdict.op {
                0 => self.judge(verdict, check),
                _ => check.cover("result of another operation"),
            }
        }
        self.open -= usize::from(ports.n.crossing().is_some());
        self.sk.compare(&ports.sk, check);
        self.i.compare(&ports.i, check);
        self.n.compare(&ports.n, check);
        self.t.compare(&ports.t, check);
        self.drop.compare(&ports.drop, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.k, &self.d, &self.sk, &self.i, &self.n, &self.t, &self.drop]
    }

    fn reset(&mut self) {
        self.frames.clear();
        self.beats.clear();
        self.pending.clear();
        self.open = 0;
        self.k.reset();
        self.d.reset();
        self.sk.reset();
        self.i.reset();
        self.n.reset();
        self.t.reset();
        self.drop.reset();
    }
}

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
        words[0] = words[0] & 0xffff_ff00 | rng.gen_range(0..4u32);
        words[1] = rng.gen_range(0..16u32) << 16 | words[1] & 0xffff;
        let trip = [rng.gen_range(0..4), rng.gen_range(0..0x2_0000), rng.gen()][rng.gen_range(0..3)];
        words[3] = now.wrapping_sub(trip);
        let hold = [0xffff, 0, trip & 0xffff, (trip + 1) & 0xffff, rng.gen_range(0..0xffff)];
        words[5] = hold[rng.gen_range(0..5)] << 16 | words[5] & 0xffff;
        Located { words, ce: rng.gen(), len: 24, domain: rng.gen() }
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
        AckInMonitor::new()
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
                payload.extend((0..3).map(|_| rng.gen::<u64>()));
                Self::frame(rng, now)
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
        let operation = || Operation {
            path: dut.i_path(),
            cum: dut.i_cum(),
            high: dut.i_high(),
            route: dut.i_route(),
            ts: dut.i_ts(),
            now: dut.i_now(),
        };
        let verdict =
            || Verdict { op: dut.r_op(), bad: dut.r_bad(), newly: dut.r_newly(), inflight: dut.r_inflight() };
        Ports {
            now: dut.now(),
            room: dut.t_room(),
            k: Link::new(dut.k_valid(), dut.k_ready(), || Located::unpack(dut.k_frame())),
            d: Link::new(dut.d_valid(), dut.d_ready(), || dut.d_data()),
            sk: Link::new(dut.sk_valid(), dut.sk_ready(), || dut.sk_word()),
            i: Link::new(dut.i_valid(), dut.i_ready(), operation),
            r: Link::pulse(dut.r_valid(), verdict),
            n: Link::new(dut.n_valid(), dut.n_ready(), || Done::unpack(dut.n_done())),
            t: Link::pulse(dut.t_valid(), || Sample::unpack(dut.t_sample())),
            drop: Link::pulse(dut.drop_valid(), || dut.drop_reason()),
        }
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
    report.demand(&[("8 under way", 50), ("result of another operation", 1000)]);
    assert_eq!(*report.latency["i"].start(), 5);
    assert_eq!((&report.latency["t"], &report.latency["drop"]), (&(1..=1), &(1..=1)));
    assert_eq!(*report.latency["n"].start(), 3);
}
