//! `tx_msg` against `heddle_model::tx::msg`, in lockstep: 4 streams from message 0; 16 streams and 1 stream whose numbers wrap.

#[path = "tx_msg/dut.rs"]
mod dut;

use dut::MsgDut;
use heddle_model::tx::wqe;
use heddle_testbench::duts::{TxMsg, TxMsg1, TxMsg16};
use heddle_testbench::lockstep::{matrix_with, Bench, Driver, Pace, Plan, Report, Setup};
use heddle_testbench::monitors::tx_msg::{LookUp, Ports, SetUp, TxMsgMonitor};
use heddle_testbench::tx_rows::Done;
use heddle_testbench::{wide, Dut};
use heddle_wire::WorkRequest;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::marker::PhantomData;

/// Cycles from one question of the scheduler for a slice to the next, at least.
const SCHEDULER_CYCLES: u32 = 16;

/// Cycles from one connection's set-up to the next after a reset.
const SET_UP_CYCLES: u64 = 12;

struct MsgBench<D> {
    rng: ChaCha8Rng,
    w: Driver<[u8; 64]>,
    s: Driver<u16>,
    n: Driver<Done>,
    v: Driver<(u16, bool)>,
    l: Driver<LookUp>,
    readies: [Pace; 3],
    /// Connections that have said they have something to slice, as the scheduler remembers them.
    work: Vec<bool>,
    /// The connection whose slice is awaited.
    awaited: Option<usize>,
    /// Cycles until the scheduler can ask for another slice.
    gap: u32,
    /// The stream that the request on offer waits for.
    blocking: Option<(u16, u8)>,
    /// Cycles since reset.
    cycles: u64,
    transactions: u64,
    dut: PhantomData<D>,
}

impl<D: MsgDut> MsgBench<D> {
    const CONNECTIONS: u16 = D::SIZES.config.connections as u16;
    const STREAMS: u8 = D::SIZES.config.streams as u8;

    /// The last connection is for messages that take for ever; the first ones see much.
    fn conn(rng: &mut ChaCha8Rng) -> u16 {
        match rng.gen_range(0..4) {
            0 => rng.gen_range(0..Self::CONNECTIONS - 1),
            _ => rng.gen_range(0..2),
        }
    }

    fn stream(rng: &mut ChaCha8Rng) -> u8 {
        match rng.gen_range(0..24) {
            0 => rng.gen(),
            1..=12 => rng.gen_range(0..Self::STREAMS) & 1,
            _ => rng.gen_range(0..Self::STREAMS),
        }
    }

    fn length(rng: &mut ChaCha8Rng) -> u32 {
        let slice = 1 << D::SIZES.config.slice_log2;
        let slices = slice * rng.gen_range(0..6);
        match rng.gen_range(0..8) {
            0 => 0,
            1 => slices,
            2 => slices + 1,
            3 => slices + slice - 1,
            4 => rng.gen_range(0..40 * slice),
            _ => rng.gen_range(0..slice),
        }
    }

    fn request(rng: &mut ChaCha8Rng, monitor: &TxMsgMonitor) -> Option<[u8; 64]> {
        let mut request = WorkRequest {
            opcode: heddle_wire::Opcode::Write.code(),
            flags: rng.gen::<u8>() & 0xFE | u8::from(rng.gen_ratio(1, 32)),
            conn: Self::conn(rng),
            stream: Self::stream(rng),
            reserved0: rng.gen(),
            reserved1: rng.gen(),
            wr_id: rng.gen(),
            local_address: rng.gen(),
            remote_address: rng.gen(),
            length: Self::length(rng),
            rkey: rng.gen(),
            imm: rng.gen(),
            reserved2: rng.gen(),
            operand: rng.gen(),
            compare: rng.gen(),
        };
        match rng.gen_range(0..40) {
            0 => request.opcode = rng.gen(),
            1 => request.conn = rng.gen(),
            2 => request.conn |= 1 << rng.gen_range(0..16),
            // Longer than can be numbered, or not: as far as a slice allows.
            3 if D::SIZES.config.slice_log2 < 10 => {
                request.length = (1u32 << (22 + D::SIZES.config.slice_log2)) + rng.gen_range(1..300);
            }
            4 | 5 => {
                request.conn = Self::CONNECTIONS - 1;
                request.stream = rng.gen_range(0..Self::STREAMS);
                let most = (1u64 << (22 + D::SIZES.config.slice_log2)).min(u32::MAX.into()) as u32;
                request.length = [most, rng.gen_range(most / 2..=most)][rng.gen_range(0..2)];
            }
            _ => {}
        }
        // Messages that take for ever never make room for others.
        if request.conn == Self::CONNECTIONS - 1 {
            let outstanding = monitor.model.outstanding(request.conn, request.stream);
            request.flags &= 0xFE;
            if outstanding == D::SIZES.config.slots {
                return None;
            }
        }
        Some(request.emit())
    }

    fn report(rng: &mut ChaCha8Rng, monitor: &TxMsgMonitor, blocking: Option<(u16, u8)>) -> Done {
        let any = (Self::conn(rng), Self::stream(rng));
        if rng.gen_ratio(1, 4) {
            // All of a stream, until nothing of the connection waits.
            let of = |stream| monitor.model.marks(any.0, stream).filter(|marks| marks.cur != marks.done);
            if let Some((stream, marks)) = (0..Self::STREAMS).find_map(|s| Some((s, of(s)?))) {
                return Done { conn: any.0, stream, msn: marks.cur.get() };
            }
        }
        let (conn, stream) = blocking.filter(|_| rng.gen()).unwrap_or(any);
        let msn = monitor.model.marks(conn, stream).map_or(0, |marks| {
            let cut = marks.cur.distance_from(marks.done);
            let step = match rng.gen_range(0..16) {
                0 => 0,
                1 => cut + rng.gen_range(1..5),
                2 => cut + 1,
                3 => 0u32.wrapping_sub(rng.gen_range(1..70)),
                4 => (1 << 23) - rng.gen_range(0..2),
                5 => rng.gen(),
                6..=9 => cut.min(1),
                10..=12 => cut,
                _ => rng.gen_range(0..=cut),
            };
            marks.done.plus(step).get()
        });
        Done { conn, stream, msn }
    }

    fn look_up(rng: &mut ChaCha8Rng, monitor: &TxMsgMonitor) -> LookUp {
        let (conn, stream) = (Self::conn(rng), Self::stream(rng));
        let msn = monitor.model.marks(conn, stream).map_or(0, |marks| {
            let queued = marks.head.distance_from(marks.done);
            let step = match rng.gen_range(0..8) {
                0 => rng.gen(),
                1 => queued,
                2 => u32::MAX,
                3 => rng.gen_range(0..100u32).wrapping_sub(50),
                _ => rng.gen_range(0..=queued),
            };
            marks.done.plus(step).get()
        });
        LookUp { conn, stream, msn }
    }

    /// Every connection is set up in turn, with time for requests that come too early; later some are taken down
    /// for a while.
    fn set_up(&mut self) -> Option<SetUp> {
        let rng = &mut self.rng;
        let Some(since) = self.cycles.checked_sub(D::SIZES.clearing_cycles() + 1) else {
            let conn = rng.gen_range(0..Self::CONNECTIONS);
            return rng.gen_ratio(1, 8).then_some(SetUp { conn, valid: true });
        };
        let (conn, valid) = ((since / SET_UP_CYCLES) as u16, true);
        if conn < Self::CONNECTIONS {
            return (since % SET_UP_CYCLES == SET_UP_CYCLES - 1).then_some(SetUp { conn, valid });
        }
        let (conn, valid) = (Self::conn(rng), rng.gen_ratio(5, 6));
        rng.gen_ratio(1, 64).then_some(SetUp { conn, valid })
    }
}

impl<D: MsgDut> Bench for MsgBench<D> {
    type Dut = D;
    type Monitor = TxMsgMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        Self {
            rng: setup.rng(&format!("events {} {} {}", setup.idle, setup.back, setup.resets)),
            w: Driver::new(setup.idle("w")),
            s: Driver::new(setup.idle("s")),
            n: Driver::new(setup.idle("n")),
            v: Driver::new(setup.idle("v")),
            l: Driver::new(setup.idle("l")),
            readies: ["cpl", "p", "u"].map(|name| setup.back(name)),
            work: vec![false; Self::CONNECTIONS.into()],
            awaited: None,
            gap: 0,
            blocking: None,
            cycles: 0,
            transactions: setup.transactions,
            dut: PhantomData,
        }
    }

    fn monitor(_: &Setup) -> TxMsgMonitor {
        TxMsgMonitor::new(D::SIZES)
    }

    fn drive(&mut self, dut: &mut D, monitor: &TxMsgMonitor) {
        self.cycles += 1;
        for prefix in ["cfg_", "s_", "n_", "v_", "l_"] {
            dut.noise(prefix, &mut self.rng);
        }
        let active = !self.done();
        let cfg = if active { self.set_up() } else { None };
        dut.drive_cfg(cfg);
        let rng = &mut self.rng;
        let record = self.w.offer(|| if active { Self::request(rng, monitor) } else { None });
        dut.drive_w(record, rng);
        let waits = record.map(wqe::request).filter(|request| !monitor.model.accepts(request));
        self.blocking = waits.map(|request| (request.conn, request.stream));
        self.gap = self.gap.saturating_sub(1);
        let (work, blocking, gap) = (&self.work, self.blocking, self.gap);
        let conn = self.s.offer(|| {
            let ready: Vec<_> = (0..Self::CONNECTIONS).filter(|&conn| work[usize::from(conn)]).collect();
            let wanted = blocking.map(|(conn, _)| conn).filter(|conn| ready.contains(conn) && rng.gen());
            let go = active && gap == 0 && !ready.is_empty();
            go.then(|| wanted.unwrap_or_else(|| ready[rng.gen_range(0..ready.len())]))
        });
        dut.drive_s(conn.copied());
        let done =
            self.n.offer(|| (active && rng.gen_ratio(1, 12)).then(|| Self::report(rng, monitor, blocking)));
        dut.drive_n(done);
        let paths = Self::CONNECTIONS * D::SIZES.config.paths as u16;
        let question = self.v.offer(|| {
            let path = rng.gen_range(0..paths);
            (active && rng.gen_ratio(1, 40)).then(|| (path, rng.gen()))
        });
        dut.drive_v(question.copied());
        let look_up = self.l.offer(|| (active && rng.gen_ratio(1, 20)).then(|| Self::look_up(rng, monitor)));
        dut.drive_l(look_up.copied());
        let [cpl, p, u] = &mut self.readies;
        dut.drive_ready(cpl.go(), p.go(), u.go());
    }

    fn ports(dut: &D) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.w.settle(&ports.w);
        self.s.settle(&ports.s);
        self.n.settle(&ports.n);
        self.v.settle(&ports.v);
        self.l.settle(&ports.l);
        if let Some(&conn) = ports.s.crossing() {
            self.work[usize::from(conn)] = false;
            self.awaited = Some(conn.into());
            self.gap = SCHEDULER_CYCLES;
        }
        if let Some(cut) = ports.t.crossing() {
            let conn = self.awaited.take().expect("a slice was asked for");
            self.work[conn] |= cut.more;
        }
        if let Some(&conn) = ports.q.crossing() {
            self.work[usize::from(conn)] = true;
        }
    }

    fn done(&self) -> bool {
        self.w.sent() >= self.transactions
    }

    fn reset(&mut self) {
        self.w.reset();
        self.s.reset();
        self.n.reset();
        self.v.reset();
        self.l.reset();
        self.work.iter_mut().for_each(|work| *work = false);
        (self.awaited, self.gap, self.cycles) = (None, 0, 0);
    }
}

fn lockstep<D: MsgDut>(transactions: u64) -> Report {
    let report = matrix_with::<MsgBench<D>>(&Plan { patience: 30_000, ..Plan::new(transactions) });
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[("set up", 5_000), ("taken down", 1_000), ("full stream", 500), ("fence waits", 500)]);
    report.demand(&[("refused: opcode", 100), ("refused: connection", 100), ("refused: stream", 100)]);
    report.demand(&[("refused: taken down", 100), ("last free slot", 50), ("fence", 50), ("empty", 300)]);
    report.demand(&[("whole slices", 300), ("one byte over", 300), ("one byte less", 300)]);
    report.demand(&[("tail", 1_000), ("not the tail", 1_000), ("more", 1_000), ("no more", 300)]);
    report.demand(&[("more is left than is told", 100)]);
    report.demand(&[
        ("message wholly cut", 3_000),
        ("done beyond what was cut", 500),
        ("done of no stream", 100),
    ]);
    report.demand(&[("done as before", 200), ("done behind", 500), ("done, one message", 500)]);
    report.demand(&[("done, several messages, others wait", 300), ("done, all messages", 20)]);
    report.demand(&[("question", 300), ("question of nothing", 100)]);
    report.demand(&[("look-up, live", 1_000), ("look-up, done", 300), ("look-up, not yet queued", 300)]);
    report
        .demand(&[("look-up of no stream", 100), ("a report behind a completion that is not taken", 1_000)]);
    assert_eq!(report.latency["t"], 6..=6);
    assert_eq!(report.latency["row"], 4..=4);
    report
}

#[test]
fn four_streams_are_those_of_the_model() {
    lockstep::<TxMsg>(600).demand(&[("4 GiB - 1", 20)]);
}

#[test]
fn sixteen_streams_are_those_of_the_model_and_their_numbers_wrap() {
    lockstep::<TxMsg16>(600).demand(&[("refused: too long", 20), ("message number wrapped", 20)]);
}

#[test]
fn a_single_stream_is_that_of_the_model_and_its_numbers_wrap() {
    lockstep::<TxMsg1>(600).demand(&[("4 GiB - 1", 20), ("message number wrapped", 20)]);
}

/// Cycles from one pulse of `seen` to the next, over ten of them, while `dut` is left alone.
fn gaps(dut: &mut TxMsg, seen: impl Fn(&TxMsg) -> bool) -> Vec<u32> {
    let (mut gaps, mut since) = (Vec::new(), None);
    for cycle in 0..200u32 {
        dut.eval();
        if seen(dut) {
            gaps.extend(since.map(|since| cycle - since));
            since = Some(cycle);
        }
        dut.tick();
        if gaps.len() == 9 {
            break;
        }
    }
    gaps
}

#[test]
fn an_event_costs_the_cycles_of_the_page() {
    let mut dut = TxMsg::new();
    dut.drive_cfg(None);
    dut.drive_s(None);
    dut.drive_n(None);
    dut.drive_v(None);
    dut.drive_l(None);
    dut.drive_ready(true, true, true);
    dut.set_w_valid(false);
    dut.reset(2);
    (0..64).for_each(|_| dut.tick());
    dut.drive_cfg(Some(SetUp { conn: 3, valid: true }));
    dut.tick();
    dut.drive_cfg(None);
    let opcode = heddle_wire::Opcode::Write.code();
    let request = |stream, length| WorkRequest { opcode, conn: 3, stream, length, ..Default::default() };
    dut.set_w_valid(true);
    dut.set_w_request(&wide::from_bytes(&request(0, 20 << 10).emit()));
    assert_eq!(gaps(&mut dut, |dut| dut.w_ready()), [5u32; 9]);
    dut.set_w_valid(false);
    dut.drive_s(Some(3));
    assert_eq!(gaps(&mut dut, |dut| dut.t_valid()), [9u32; 9]);
    dut.drive_s(None);
    dut.drive_l(Some(LookUp { conn: 3, stream: 0, msn: 0 }));
    assert_eq!(gaps(&mut dut, |dut| dut.l_answer()), [5u32; 9]);
    dut.drive_l(None);
    // Ten messages are wholly cut, which the probe timer is told; then questions, reports and completions.
    dut.drive_s(Some(3));
    let mut left = 190u32;
    while left > 0 {
        dut.eval();
        left -= u32::from(dut.t_valid());
        dut.tick();
    }
    dut.drive_s(None);
    dut.drive_v(Some((12, false)));
    assert_eq!(gaps(&mut dut, |dut| dut.u_valid()), [6u32; 9]);
    dut.drive_v(None);
    dut.drive_n(Some(&Done { conn: 3, stream: 0, msn: 0 }));
    assert_eq!(gaps(&mut dut, |dut| dut.n_ready()), [5u32; 9]);
    dut.drive_n(Some(&Done { conn: 3, stream: 0, msn: 10 }));
    assert_eq!(gaps(&mut dut, |dut| dut.cpl_valid()), [4u32; 9]);
}
