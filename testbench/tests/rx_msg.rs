//! `rx_msg` against `heddle_model::rx::msg`, in lockstep.

use heddle_model::rx::msg::{Counted, Placed as ModelPlaced, RxMsg as Model, RxMsgConfig, RxMsgError};
use heddle_testbench::duts::RxMsg;
use heddle_testbench::lockstep::{
    matrix, Bench, Channel, Check, Driver, Input, Link, Monitor, Output, Pace, Setup,
};
use heddle_testbench::placed::Placed;
use heddle_testbench::Dut;
use heddle_wire::Msn;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

const CONFIG: RxMsgConfig = RxMsgConfig { connections: 16, streams: 4, slots: 16 };
/// Cycles in which the block clears its memories.
const CLEARING: u64 = 1024;

#[derive(Clone, Debug, PartialEq)]
struct Answer {
    stream: u8,
    done: u32,
    more: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Failure {
    conn: u8,
    code: u8,
}

struct Ports {
    b: Link<Placed>,
    ask: Link<(u8, u8)>,
    report: Link<u8>,
    answer: Link<Answer>,
    m: Link<u8>,
    e: Link<Failure>,
    q_stream: u8,
    q_done: u32,
}

struct MsgMonitor {
    model: Model,
    /// A packet is being counted: `done` may still be the one before it.
    busy: Option<(u8, u32)>,
    /// Looked up in the cycle before: the stream, and every `done` that may be the answer.
    asked: Option<(u8, Vec<u32>)>,
    cycles: u64,
    b: Input<Placed>,
    ask: Input<(u8, u8)>,
    report: Input<u8>,
    answer: Output<Answer>,
    m: Output<u8>,
    e: Output<Failure>,
}

impl MsgMonitor {
    fn done(&self, index: u8) -> u32 {
        self.model.done(u16::from(index / 4), index % 4).get()
    }

    fn placed(&mut self, placed: &Placed, check: &mut Check) {
        let index = placed.conn as u8 * 4 + placed.stream;
        let before = self.done(index);
        let &Placed { conn, stream, message_len, len, path, ok, .. } = placed;
        let msn = Msn::new(placed.msn);
        let counted = self.model.on_placed(&ModelPlaced { conn, stream, msn, message_len, len, path, ok });
        let code = |error| Failure { conn: conn as u8, code: error as u8 };
        match counted {
            Counted::Partial => check.cover("partial"),
            Counted::Complete => self.m.expect(conn as u8 * 4 + path, check),
            Counted::Error(error) => self.e.expect(code(error), check),
        }
        check.cover(match (counted, self.done(index).wrapping_sub(before) & 0xff_ffff) {
            (Counted::Complete, 0) => "complete, out of order",
            (Counted::Complete, 1) => "complete, in order",
            (Counted::Complete, _) => "complete, and others behind it",
            (Counted::Error(RxMsgError::Memory), _) => "memory error",
            (Counted::Error(RxMsgError::Length), _) => "length error",
            (Counted::Partial, _) => "not yet",
        });
        self.busy = Some((index, before));
    }

    fn look_up(&mut self, ports: &Ports, check: &mut Check) {
        if let Some((index, allowed)) = self.asked.take() {
            if !allowed.contains(&ports.q_done) {
                let got = ports.q_done;
                check.mismatch("q", format!("done of {index:#x}: rtl {got:#x}, model {allowed:x?}"));
            }
            check.cover(if allowed.len() == 1 { "look-up, settled" } else { "look-up of a changing stream" });
        }
        if self.cycles > CLEARING {
            let mut allowed = vec![self.done(ports.q_stream)];
            allowed.extend(self.busy.filter(|busy| busy.0 == ports.q_stream).map(|busy| busy.1));
            allowed.dedup();
            self.asked = Some((ports.q_stream, allowed));
        }
    }
}

impl Monitor for MsgMonitor {
    const NAME: &'static str = "rx_msg";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        self.cycles += 1;
        // The block takes something again, so the packet before is counted.
        if ports.b.crossing().is_some() || ports.report.crossing().is_some() {
            self.busy = None;
        }
        self.look_up(ports, check);
        if let Some((conn, stream)) = self.ask.take(&ports.ask, check) {
            self.model.ask(conn.into(), stream);
            check.cover(if stream < 4 { "ask" } else { "ask for an unknown stream" });
        }
        if let Some(conn) = self.report.take(&ports.report, check) {
            let (stream, done, more) = self.model.report(conn.into());
            check.cover(if more { "report, and more" } else { "report" });
            self.answer.expect(Answer { stream, done: done.get(), more }, check);
        }
        if let Some(placed) = self.b.take(&ports.b, check) {
            self.placed(&placed, check);
        }
        self.answer.compare(&ports.answer, check);
        self.m.compare(&ports.m, check);
        self.e.compare(&ports.e, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.b, &self.ask, &self.report, &self.answer, &self.m, &self.e]
    }

    fn reset(&mut self) {
        self.model = Model::new(CONFIG);
        (self.busy, self.asked, self.cycles) = (None, None, 0);
        self.b.reset();
        self.ask.reset();
        self.report.reset();
        self.answer.reset();
        self.m.reset();
        self.e.reset();
    }
}

/// A message being sent to the block in packets.
#[derive(Clone, Debug)]
struct Message {
    msn: u32,
    len: u32,
    sent: u32,
}

struct MsgBench {
    rng: ChaCha8Rng,
    packets: Driver<Placed>,
    questions: Driver<u8>,
    ask: Pace,
    /// Per {connection, stream}: messages by msn mod 16.
    messages: Vec<[Option<Message>; 16]>,
    transactions: u64,
    asks_waiting: u32,
}

impl MsgBench {
    fn packet(rng: &mut ChaCha8Rng, model: &Model, messages: &mut [[Option<Message>; 16]]) -> Option<Placed> {
        // Few streams are hot, so that windows fill and `done` jumps.
        let index = if rng.gen_ratio(7, 8) { rng.gen_range(0..3) * 23 } else { rng.gen_range(0..64usize) };
        let (conn, stream) = ((index / 4) as u16, (index % 4) as u8);
        let done = model.done(conn, stream).get();
        let ahead = if rng.gen_ratio(1, 6) { 0 } else { rng.gen_range(0..16) };
        let msn = (done + ahead) & 0xff_ffff;
        let slot = &mut messages[index][(msn % 16) as usize];
        if slot.as_ref().map(|message| message.msn) != Some(msn) {
            let len = [0, rng.gen_range(1..100), rng.gen_range(1..4000)][rng.gen_range(0..3)];
            *slot = Some(Message { msn, len, sent: 0 });
        }
        let message = slot.as_mut().expect("just filled");
        let fresh = message.sent == 0;
        if message.sent == u32::MAX {
            return None;
        }
        let len = (message.len - message.sent).min(1024) as u16;
        let mut placed =
            Placed { conn, path: rng.gen_range(0..4), stream, msn, message_len: message.len, len, ok: true };
        match rng.gen_range(0..24) {
            0 => placed.ok = false,
            // Another length is an error unless it is the first that is told.
            1 if !fresh => placed.message_len ^= 1 << rng.gen_range(0..32),
            2 if message.len > 0 && len > 0 => placed.len = len.saturating_add(1 + rng.gen_range(0..3000)),
            _ => message.sent += u32::from(len),
        }
        // All of it has been sent: the slot takes another message once `done` has passed this one.
        if message.sent == message.len && placed.ok && placed.len == len {
            message.sent = u32::MAX;
        }
        Some(placed)
    }
}

impl Bench for MsgBench {
    type Dut = RxMsg;
    type Monitor = MsgMonitor;
    const RESETS: bool = true;

    fn new(setup: &Setup) -> Self {
        Self {
            rng: setup.rng("packets"),
            packets: Driver::new(setup.idle("b")),
            questions: Driver::new(setup.back("report")),
            ask: setup.back("ask"),
            messages: vec![Default::default(); 64],
            transactions: setup.transactions,
            asks_waiting: 0,
        }
    }

    fn monitor(_: &Setup) -> MsgMonitor {
        MsgMonitor {
            model: Model::new(CONFIG),
            busy: None,
            asked: None,
            cycles: 0,
            b: Input::side("b"),
            ask: Input::side("ask"),
            report: Input::request("report"),
            answer: Output::answer("answer"),
            m: Output::side("m"),
            e: Output::side("e"),
        }
    }

    fn drive(&mut self, dut: &mut RxMsg, monitor: &MsgMonitor) {
        let (rng, messages) = (&mut self.rng, &mut self.messages);
        let left = self.packets.sent() < self.transactions;
        let model = &monitor.model;
        let packet = self.packets.offer(|| if left { Self::packet(rng, model, messages) } else { None });
        let packet = packet.cloned();
        dut.noise("b_", &mut self.rng);
        dut.set_b_valid(packet.is_some());
        if let Some(packet) = packet {
            dut.set_b_placed(&packet.pack());
        }
        // Connections 0, 5 and 11 have the hot streams.
        let rng = &mut self.rng;
        let question = self.questions.offer(|| {
            let conn = [0, 5, 11, rng.gen_range(0..16)][rng.gen_range(0..4)];
            (left && rng.gen_ratio(1, 12)).then_some(conn)
        });
        let question = question.copied();
        dut.set_report_valid(question.is_some());
        dut.set_report_conn(question.unwrap_or_else(|| self.rng.gen_range(0..16)));
        // At most 16 asks may wait for the block; 12 here, then none for a while. None is heard in the cycle
        // after reset.
        let ask = left
            && monitor.cycles > 0
            && self.asks_waiting < 12
            && self.ask.go()
            && self.rng.gen_ratio(1, 16);
        self.asks_waiting += u32::from(ask);
        dut.noise("ask_", &mut self.rng);
        dut.set_ask_valid(ask);
        if self.rng.gen_ratio(7, 8) {
            dut.set_ask_stream(self.rng.gen_range(0..4));
        }
        dut.set_q_stream([0, 23, 46, self.rng.gen_range(0..64)][self.rng.gen_range(0..4)]);
    }

    fn ports(dut: &RxMsg) -> Ports {
        let answer =
            || Answer { stream: dut.answer_stream(), done: dut.answer_done(), more: dut.answer_more() };
        Ports {
            b: Link::new(dut.b_valid(), dut.b_ready(), || Placed::unpack(dut.b_placed())),
            ask: Link::pulse(dut.ask_valid(), || (dut.ask_conn(), dut.ask_stream())),
            report: Link::new(dut.report_valid(), dut.report_ready(), || dut.report_conn()),
            answer: Link::pulse(dut.answer_valid(), answer),
            m: Link::pulse(dut.m_valid(), || dut.m_path()),
            e: Link::pulse(dut.e_valid(), || Failure { conn: dut.e_conn(), code: dut.e_code() }),
            q_stream: dut.q_stream(),
            q_done: dut.q_done(),
        }
    }

    fn settle(&mut self, ports: &Ports) {
        if ports.b.crossing().is_some() {
            // Asks go first, so at most those of the last three cycles still wait.
            self.asks_waiting = 0;
        }
        self.packets.settle(&ports.b);
        self.questions.settle(&ports.report);
    }

    fn done(&self) -> bool {
        self.packets.sent() == self.transactions
    }

    fn reset(&mut self) {
        self.packets.reset();
        self.questions.reset();
        self.messages = vec![Default::default(); 64];
        self.asks_waiting = 0;
    }
}

#[test]
fn bytes_are_counted_done_advances_in_order_and_every_advance_is_reported() {
    let report = matrix::<MsgBench>(600);
    assert_eq!(report.crossed, report.compared + report.explained());
    report.demand(&[
        ("partial", 1000),
        ("complete, in order", 1000),
        ("complete, out of order", 1000),
        ("complete, and others behind it", 300),
        ("memory error", 300),
        ("length error", 300),
        ("ask", 300),
        ("ask for an unknown stream", 30),
        ("report", 300),
        ("report, and more", 100),
        ("look-up, settled", 100_000),
        ("look-up of a changing stream", 300),
    ]);
    assert_eq!(report.latency["m"], 5..=5);
    assert_eq!(report.latency["e"], 5..=5);
    assert_eq!(report.latency["answer"], 8..=8);
}
