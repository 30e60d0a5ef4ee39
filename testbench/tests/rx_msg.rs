//! `rx_msg` against `heddle_model::rx::msg`, in lockstep.

use heddle_model::rx::msg::{RxMsg as Model, RxMsgConfig};
use heddle_testbench::duts::RxMsg;
use heddle_testbench::lockstep::{matrix, Bench, Driver, Pace, Setup};
use heddle_testbench::monitors::rx_msg::{MsgMonitor, Ports};
use heddle_testbench::placed::Placed;
use heddle_testbench::Dut;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

const CONFIG: RxMsgConfig = RxMsgConfig { connections: 16, streams: 4, slots: 16 };

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
    questions: Driver<u16>,
    ask: Pace,
    /// Per {connection, stream}: messages by msn mod 16.
    messages: Vec<[Option<Message>; 16]>,
    transactions: u64,
    asks_waiting: u32,
    /// Since reset.
    cycles: u64,
}

impl MsgBench {
    fn packet(rng: &mut ChaCha8Rng, model: &Model, messages: &mut [[Option<Message>; 16]]) -> Option<Placed> {
        // Few streams are hot, so that windows fill and `done` jumps.
        let index = if rng.gen_ratio(7, 8) { rng.gen_range(0..3) * 23 } else { rng.gen_range(0..64usize) };
        let (conn, stream) = ((index / 4) as u16, (index % 4) as u8);
        let done = model.done(conn, stream).get();
        let ahead = if rng.gen_ratio(1, 6) { 0 } else { rng.gen_range(0..16) };
        if rng.gen_ratio(1, 40) {
            // One that was done, or is not open yet, since access looked.
            let msn = [done.wrapping_sub(1 + ahead), done + 16 + ahead][rng.gen_range(0..2)] & 0xff_ffff;
            let (message_len, len) = [(0, 0), (40, 40), (4000, 1024)][rng.gen_range(0..3)];
            return Some(Placed { conn, path: rng.gen_range(0..4), stream, msn, message_len, len, ok: true });
        }
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
            cycles: 0,
        }
    }

    fn monitor(_: &Setup) -> MsgMonitor {
        MsgMonitor::new(CONFIG, 4)
    }

    fn drive(&mut self, dut: &mut RxMsg, monitor: &MsgMonitor) {
        let (rng, messages) = (&mut self.rng, &mut self.messages);
        let left = self.packets.sent() < self.transactions;
        let model = monitor.model();
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
            let conn = [0, 5, 11, rng.gen_range(0..16u8)][rng.gen_range(0..4)];
            (left && rng.gen_ratio(1, 12)).then_some(u16::from(conn))
        });
        let question = question.map(|conn| *conn as u8);
        dut.set_report_valid(question.is_some());
        dut.set_report_conn(question.unwrap_or_else(|| self.rng.gen_range(0..16)));
        // At most 16 asks may wait for the block; 12 here, then none for a while. None is heard in the cycle
        // after reset.
        let ask =
            left && self.cycles > 0 && self.asks_waiting < 12 && self.ask.go() && self.rng.gen_ratio(1, 16);
        self.asks_waiting += u32::from(ask);
        dut.noise("ask_", &mut self.rng);
        dut.set_ask_valid(ask);
        if self.rng.gen_ratio(7, 8) {
            dut.set_ask_stream(self.rng.gen_range(0..4));
        }
        dut.set_q_stream([0, 23, 46, self.rng.gen_range(0..64)][self.rng.gen_range(0..4)]);
    }

    fn ports(dut: &RxMsg) -> Ports {
        Ports::sample(dut)
    }

    fn settle(&mut self, ports: &Ports) {
        self.cycles += 1;
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
        self.cycles = 0;
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
        ("not open", 300),
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
