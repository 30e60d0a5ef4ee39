//! `tx_build` against `heddle_model::tx::build`, in lockstep, at 64 and 512 bits, before a memory and a
//! message block of the test's own.

#[path = "tx_build/messages.rs"]
mod messages;

use heddle_model::tx::sched::Job;
use heddle_testbench::duts::{TxBuild, TxBuild512};
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Report, Setup};
use heddle_testbench::monitors::tx_build::rows::{pack_job, Question, ReadBeat, Request};
use heddle_testbench::monitors::tx_build::{BuildConfig, Ports, TxBuildMonitor};
use heddle_testbench::{wide, Dut};
use messages::{byte, Anything, Messages, Mix, Sink, Small, Stream};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::marker::PhantomData;

/// The ports whose width the data width sets, in bytes.
trait Lanes: Dut {
    const CONFIG: BuildConfig;
    fn drive_read(&mut self, bytes: &[u8]);
}

impl Lanes for TxBuild {
    const CONFIG: BuildConfig = BuildConfig { conn_bits: 4, local_bits: 2, slice_log2: 10, lanes: 8 };
    fn drive_read(&mut self, bytes: &[u8]) {
        self.set_m_axi_rdata(u64::from_le_bytes(bytes.try_into().expect("8 lanes")));
    }
}

impl Lanes for TxBuild512 {
    const CONFIG: BuildConfig = BuildConfig { conn_bits: 4, local_bits: 2, slice_log2: 12, lanes: 64 };
    fn drive_read(&mut self, bytes: &[u8]) {
        self.set_m_axi_rdata(&wide::from_bytes(bytes));
    }
}

/// A beat that memory will send.
struct Owed {
    /// Not before this cycle.
    at: u64,
    address: u64,
    resp: u8,
}

struct BuildBench<D, M> {
    rng: ChaCha8Rng,
    seed: u64,
    messages: Messages,
    jobs: Driver<Job>,
    beats: Driver<ReadBeat>,
    /// (not before this cycle, message)
    questions: VecDeque<(u64, Question)>,
    owed: VecDeque<Owed>,
    /// l, ar, g, y.
    ready: [Pace; 4],
    sink: Sink,
    /// Payload beats of the packets taken, and those taken.
    announced: usize,
    arrived: usize,
    cycle: u64,
    transactions: u64,
    of: PhantomData<(D, M)>,
}

fn beats(len: u16, lanes: usize) -> usize {
    usize::from(len).div_ceil(lanes)
}

macro_rules! bench {
    ($dut:ident) => {
        impl<M: Mix> Bench for BuildBench<$dut, M> {
            type Dut = $dut;
            type Monitor = TxBuildMonitor;
            const RESETS: bool = true;

            fn new(setup: &Setup) -> Self {
                Self {
                    rng: setup.rng("jobs"),
                    seed: setup.seed,
                    messages: Messages::new(setup.rng("messages"), <$dut>::CONFIG.slice_log2),
                    jobs: Driver::new(setup.idle("j")),
                    beats: Driver::new(setup.idle("r")),
                    questions: VecDeque::new(),
                    owed: VecDeque::new(),
                    ready: ["l", "ar", "g", "y"].map(|name| setup.back(name)),
                    sink: M::SINKS[setup.rng("sink").gen_range(0..M::SINKS.len())],
                    announced: 0,
                    arrived: 0,
                    cycle: 0,
                    transactions: setup.transactions,
                    of: PhantomData,
                }
            }

            fn monitor(setup: &Setup) -> TxBuildMonitor {
                let seed = setup.seed;
                TxBuildMonitor::with_memory(<$dut>::CONFIG, Box::new(move |address| byte(seed, address)))
            }

            fn drive(&mut self, dut: &mut $dut, _: &TxBuildMonitor) {
                self.cycle += 1;
                let (messages, left) = (&mut self.messages, self.jobs.sent() < self.transactions);
                let job = self.jobs.offer(|| left.then(|| M::job(messages)));
                dut.noise("j_", &mut self.rng);
                dut.set_j_valid(job.is_some());
                if let Some(job) = job {
                    dut.set_j_job(&pack_job(job));
                }
                let due = self.questions.front().is_some_and(|(at, _)| *at <= self.cycle);
                let asked = due.then(|| self.questions.pop_front()).flatten();
                dut.noise("l_", &mut self.rng);
                dut.set_l_answer(asked.is_some());
                if let Some((_, question)) = asked {
                    let answer = self.messages.answer(&question);
                    dut.set_l_live(answer.live);
                    dut.set_l_row(&answer.pack());
                }
                let (owed, cycle, seed) = (&mut self.owed, self.cycle, self.seed);
                let beat = self.beats.offer(|| {
                    let due = owed.front().is_some_and(|beat| beat.at <= cycle);
                    let Owed { address, resp, .. } = due.then(|| owed.pop_front()).flatten()?;
                    let lanes = (0..<$dut>::CONFIG.lanes as u64).map(|n| address.wrapping_add(n));
                    Some(ReadBeat { bytes: lanes.map(|at| byte(seed, at)).collect(), resp })
                });
                // `rlast` is noise.
                dut.noise("m_axi_r", &mut self.rng);
                dut.set_m_axi_rvalid(beat.is_some());
                if let Some(ReadBeat { bytes, resp }) = beat {
                    dut.drive_read(bytes);
                    dut.set_m_axi_rresp(*resp);
                }
                dut.set_l_ready(self.ready[0].go());
                dut.set_m_axi_arready(self.ready[1].go());
                // Registers are behind `g`: it is offered from the start of the cycle.
                let offered = dut.g_valid().then(|| Request::unpack(dut.g_frame()).len);
                let wanted = self.announced + beats(offered.unwrap_or(0), <$dut>::CONFIG.lanes);
                let complete = !matches!(self.sink, Sink::PayloadFirst) || self.arrived >= wanted;
                let known = !matches!(self.sink, Sink::PacketFirst) || self.arrived < self.announced;
                dut.set_g_ready(self.ready[2].go() & complete);
                dut.set_y_ready(self.ready[3].go() & known);
            }

            fn ports(dut: &$dut) -> Ports {
                Ports::sample(dut)
            }

            fn settle(&mut self, ports: &Ports) {
                if let Some(question) = ports.l.crossing() {
                    self.questions.push_back((self.cycle + M::answer(&mut self.rng), *question));
                }
                if let Some(burst) = ports.ar.crossing() {
                    let fails = M::fails(&mut self.rng).then(|| self.rng.gen_range(0..burst.beats));
                    let at = self.cycle + M::latency(&mut self.rng);
                    for n in 0..burst.beats {
                        let address = burst.address.wrapping_add(u64::from(n) * <$dut>::CONFIG.lanes as u64);
                        let resp = self.rng.gen_range(0..2) | if fails == Some(n) { 2 } else { 0 };
                        self.owed.push_back(Owed { at, address, resp });
                    }
                }
                if let Some(packet) = ports.g.crossing() {
                    self.announced += beats(packet.len, <$dut>::CONFIG.lanes);
                }
                self.arrived += usize::from(ports.y.crossing().is_some());
                self.jobs.settle(&ports.j);
                self.beats.settle(&ports.r);
                if let Some(job) = ports.j.crossing() {
                    self.messages.taken(job);
                }
            }

            fn done(&self) -> bool {
                let memory = self.owed.is_empty() && self.beats.made() == self.beats.sent();
                self.jobs.sent() == self.transactions && self.questions.is_empty() && memory
            }

            fn reset(&mut self) {
                self.jobs.reset();
                self.beats.reset();
                self.questions.clear();
                self.owed.clear();
                (self.announced, self.arrived) = (0, 0);
                self.messages.reset();
            }
        }
    };
}

bench!(TxBuild);
bench!(TxBuild512);

fn examine(report: &Report) {
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("new", 4000), ("resend", 1000), ("expiry", 500), ("question", 300)]);
    report.demand(&[("question repeated", 200), ("resend of a message that is done", 300)]);
    report.demand(&[("new of a message that is done", 50), ("empty", 200), ("one byte", 200)]);
    report.demand(&[("whole slice", 500), ("slice less a byte", 200), ("part of a slice", 1000)]);
    report.demand(&[
        ("one burst, aligned", 150),
        ("two bursts", 500),
        ("over the end of the address space", 100),
    ]);
    report.demand(&[("one burst, as many beats as the payload", 500), ("no read", 200)]);
    report.demand(&[("one burst, a beat more than the payload", 150), ("read error", 200)]);
    report.demand(&[("4 packets inside", 1000), ("sent new", 3000), ("sent again", 300)]);
    report.demand(&[("sent by an expiry", 150), ("sent a PROBE", 1000)]);
    assert_eq!((&report.latency["l"], &report.latency["sent"]), (&(2..=2), &(1..=1)));
    let least = |link| *report.latency[link].start();
    assert_eq!((least("ar"), least("y"), least("g"), least("e")), (6, 8, 8, 9));
}

#[test]
fn packets_and_payloads_are_those_of_their_jobs_at_64_bits() {
    examine(&matrix::<BuildBench<TxBuild, Anything>>(150));
}

#[test]
fn packets_and_payloads_are_those_of_their_jobs_at_512_bits() {
    examine(&matrix::<BuildBench<TxBuild512, Anything>>(150));
}

/// Whole slices, unaligned, from a memory with a latency of 40 cycles: at most `overhead` cycles per packet
/// of `beats`.
fn examine_rate(report: &Report, beats: f64, overhead: f64) {
    report.demand(&[("whole slice", 1000)]);
    let cycles = report.interval["y"] * beats;
    println!("{cycles} cycles per {beats} beats");
    assert!(report.partial || cycles < beats + overhead, "{cycles} cycles per {beats} beats");
}

#[test]
fn whole_slices_from_a_memory_of_40_cycles_leave_with_one_idle_cycle_between_them_at_64_bits() {
    examine_rate(&matrix::<BuildBench<TxBuild, Stream<false>>>(60), 128.0, 1.1);
}

#[test]
fn whole_slices_from_a_memory_of_40_cycles_leave_with_one_idle_cycle_between_them_at_512_bits() {
    let report = matrix::<BuildBench<TxBuild512, Stream<false>>>(60);
    report.demand(&[("8 bursts in flight", 10)]);
    examine_rate(&report, 64.0, 1.1);
}

#[test]
fn a_sink_that_takes_a_packet_behind_its_payload_has_two_idle_cycles_between_whole_slices() {
    examine_rate(&matrix::<BuildBench<TxBuild, Stream<true>>>(60), 128.0, 2.1);
    examine_rate(&matrix::<BuildBench<TxBuild512, Stream<true>>>(60), 64.0, 2.1);
}

#[test]
fn small_packets_leave_every_6_cycles_when_nothing_makes_them_wait() {
    let report = matrix::<BuildBench<TxBuild, Small>>(100);
    report.demand(&[("one byte", 3000)]);
    let cycles = report.interval["g"];
    println!("{cycles} cycles per packet");
    assert!(report.partial || cycles < 6.2, "{cycles} cycles per packet");
}
