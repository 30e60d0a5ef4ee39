//! The receive path engine and the acknowledgements around it.

use super::channel::Channel;
use super::oracle::Oracle;
use super::sender::{Ack, Packet, Sender};
use super::PATHS;
use heddle_model::map::RingMap;
use heddle_model::rx::ack::{AckConfig, AckTrigger};
use heddle_model::rx::path::{RxClass, RxOp, RxPathIn, RxPathOut, RxPathRow};
use heddle_testbench::duts::RxPath;
use heddle_testbench::Dut;
use heddle_wire::{Flag, Flags};
use std::collections::VecDeque;

/// The engine, its model, and what waits for it.
pub struct Receiver {
    dut: RxPath,
    rows: Vec<RxPathRow>,
    trigger: AckTrigger,
    waiting: VecDeque<RxPathIn>,
    asked: VecDeque<u16>,
    looking: usize,
    /// Operations in the engine with the model's answers.
    expected: VecDeque<(RxPathIn, RxPathOut)>,
    verdicts: VecDeque<RxClass>,
    words: VecDeque<(u8, u64)>,
    snapshot: VecDeque<(u8, u64)>,
    pub crossed: u64,
    pub compared: u64,
}

impl Receiver {
    /// Every path made new at the sender's first PSN.
    pub fn new(seed: u64, sender: &Sender) -> Self {
        let mut dut = RxPath::power_on(seed as u32);
        dut.reset(2);
        let init = |path: usize| RxPathIn {
            op: RxOp::Init,
            path: path as u16,
            psn: sender.first(path),
            ..RxPathIn::default()
        };
        Self {
            dut,
            rows: vec![RxPathRow::default(); PATHS],
            trigger: AckTrigger::new(PATHS as u16, AckConfig::DEFAULT),
            waiting: (0..PATHS).map(init).collect(),
            asked: VecDeque::new(),
            looking: 0,
            expected: VecDeque::new(),
            verdicts: VecDeque::new(),
            words: VecDeque::new(),
            snapshot: VecDeque::new(),
            crossed: 0,
            compared: 0,
        }
    }

    /// One clock cycle.
    pub fn cycle(
        &mut self,
        cycle: u64,
        data: &mut Channel<Packet>,
        acks: &mut Channel<Ack>,
        oracle: &mut Oracle,
    ) {
        let now = Sender::time(cycle);
        while let Some(packet) = data.receive(cycle) {
            self.waiting.push_back(RxPathIn {
                op: if packet.probe { RxOp::Probe } else { RxOp::Data },
                path: packet.path as u16,
                psn: packet.psn,
                ce: false,
                fault: false,
                flags: if packet.ack_req { Flags::NONE.with(Flag::AckReq) } else { Flags::NONE },
                ts: packet.ts,
                route: packet.route,
                now,
            });
        }
        self.asked.extend(self.trigger.on_tick(now));
        // ACKs are looked for one at a time, so that a snapshot's words are those of the one LOOK.
        if self.looking == 0 && !self.waiting.front().is_some_and(|op| op.op == RxOp::Init) {
            if let Some(path) = self.asked.pop_front() {
                self.trigger.on_taken(path);
                self.looking += 1;
                self.waiting.push_front(RxPathIn { op: RxOp::Look, path, now, ..RxPathIn::default() });
            }
        }
        self.drive();
        self.dut.eval();
        if self.dut.in_valid() && self.dut.in_ready() {
            self.take();
        }
        self.verdict();
        self.snapshot();
        if self.dut.out_valid() {
            self.result(cycle, acks, oracle);
        }
        self.dut.tick();
    }

    fn drive(&mut self) {
        self.dut.set_in_valid(!self.waiting.is_empty());
        let Some(op) = self.waiting.front() else { return };
        self.dut.set_in_op(op.op as u8);
        self.dut.set_in_path(op.path as u8);
        self.dut.set_in_psn(op.psn.get());
        self.dut.set_in_ce(op.ce);
        self.dut.set_in_fault(op.fault);
        self.dut.set_in_flags(op.flags.bits());
        self.dut.set_in_ts(op.ts.get());
        self.dut.set_in_route(op.route);
        self.dut.set_in_now(op.now.get());
    }

    fn take(&mut self) {
        let Some(op) = self.waiting.pop_front() else { return };
        let result = self.rows[usize::from(op.path)].apply(&op);
        self.crossed += 1;
        self.verdicts.extend(result.class);
        let words = result.before.words();
        let first = op.psn.get() as usize >> 6;
        self.words.extend((first..first + 4).map(|word| ((word % 4) as u8, words[word % 4])));
        self.expected.push_back((op, result));
    }

    fn verdict(&mut self) {
        if self.dut.v_valid() {
            let class = self.verdicts.pop_front().expect("a verdict nobody asked for");
            assert_eq!(self.dut.v_class(), class as u8, "verdict");
        }
    }

    fn snapshot(&mut self) {
        if self.dut.z_valid() {
            let word = (self.dut.z_index(), self.dut.z_word());
            assert_eq!(Some(word), self.words.pop_front(), "snapshot");
            self.snapshot.push_back(word);
        }
    }

    fn result(&mut self, cycle: u64, acks: &mut Channel<Ack>, oracle: &mut Oracle) {
        let (op, want) = self.expected.pop_front().expect("a result nobody asked for");
        let dut = &self.dut;
        let got = (dut.out_op(), dut.out_path(), dut.out_class(), dut.out_cum(), dut.out_high());
        let class = want.class.map_or(0, |class| class as u8);
        assert_eq!(got, (want.op as u8, want.path as u8, class, want.cum.get(), want.high.get()), "{op:?}");
        let got = (dut.out_open(), dut.out_close(), dut.out_dup(), dut.out_arrivals());
        assert_eq!(got, (want.open, want.close, want.dup, want.arrivals), "{op:?}");
        let got = (dut.out_ts(), dut.out_route(), dut.out_at(), dut.out_flags(), dut.out_ce());
        let rest = (want.ts.get(), want.route, want.at.get(), want.flags.bits(), want.ce);
        assert_eq!(got, rest, "{op:?}");
        self.compared += 1;
        let words: Vec<_> = self.snapshot.drain(..4).collect();
        match (op.op, want.class) {
            (RxOp::Data, Some(RxClass::Accept)) => oracle.on_placed(op.path.into(), op.psn.get()),
            (RxOp::Data, Some(RxClass::Duplicate)) => oracle.on_duplicate(),
            (RxOp::Data, class) => panic!("a sender's packet is {class:?}: {op:?}"),
            (RxOp::Look, _) => self.acknowledge(cycle, acks, &want, &words),
            _ => {}
        }
        self.asked.extend(self.trigger.on_result(&want, op.now));
    }

    fn acknowledge(&mut self, cycle: u64, acks: &mut Channel<Ack>, look: &RxPathOut, words: &[(u8, u64)]) {
        self.looking -= 1;
        let mut sack = [0; 4];
        words.iter().for_each(|&(index, word)| sack[usize::from(index)] = word);
        let ack = Ack {
            path: look.path.into(),
            cum: look.cum,
            high: look.high,
            route: look.route,
            ts: look.ts,
            sack: RingMap::from_words(sack),
        };
        // An ACK travels on either plane, whatever its data did.
        acks.send(cycle, usize::from(look.path) % 2, ack);
    }

    /// Nothing waits and nothing is in the engine.
    pub fn is_done(&self) -> bool {
        self.waiting.is_empty() && self.expected.is_empty() && self.asked.is_empty()
    }

    /// Every map is empty at the end.
    pub fn assert_empty(&mut self, replay: &str) {
        for (path, row) in self.rows.iter_mut().enumerate() {
            let look = row.apply(&RxPathIn { op: RxOp::Look, ..RxPathIn::default() });
            assert!(look.before.is_empty(), "path {path} ends with {:?}; {replay}", look.before);
            assert_eq!(look.high, look.cum.minus(1), "path {path}; {replay}");
        }
    }

    /// For a failure.
    pub fn state(&self) -> String {
        format!("receiver: {} waiting, {} in the engine", self.waiting.len(), self.expected.len())
    }
}
