//! The ACK builder's monitor: requests, results of the path engine and answers of the messages in, ACKs out.

mod ports;

pub use ports::{Answer, Ports, Row, Words};

use crate::lockstep::{Channel, Check, Input, Monitor, Output};
use heddle_model::map::RingMap;
use heddle_model::rx::ack_build::AckBuild;
use heddle_model::rx::path::{RxOp, RxPathOut};
use heddle_wire::{Flags, Msn, Psn, Time32};
use std::collections::VecDeque;

/// Cycles from a request to LOOK result and answer at the very most.
const PATIENCE: u32 = 5000;

/// The model's side.
#[derive(Debug)]
pub struct BuildMonitor {
    connections: u32,
    paths: u32,
    model: AckBuild,
    path: u16,
    /// Cycles since the request, until its ACK is known.
    waiting: Option<u32>,
    snapshots: VecDeque<(u8, u64)>,
    look: Option<RxPathOut>,
    reported: Option<Answer>,
    r: Input<u16>,
    o: Input<Row>,
    answer: Input<Answer>,
    l: Output<u16>,
    report: Output<u16>,
    again: Output<u16>,
    g: Output<Words>,
}

impl BuildMonitor {
    /// A monitor of a builder for `connections` with `paths` each.
    pub fn new(connections: u32, paths: u32) -> Self {
        Self {
            connections,
            paths,
            model: AckBuild::new(connections, paths),
            path: 0,
            waiting: None,
            snapshots: VecDeque::new(),
            look: None,
            reported: None,
            r: Input::request("r"),
            o: Input::side("o"),
            answer: Input::side("answer"),
            l: Output::side("l"),
            report: Output::side("report"),
            again: Output::side("again"),
            g: Output::answer("g"),
        }
    }

    /// The snapshot words of the oldest operation.
    fn snapshot(&mut self) -> RingMap {
        let mut map = RingMap::default();
        for (index, word) in self.snapshots.drain(..self.snapshots.len().min(4)) {
            (0..64)
                .filter(|bit| word >> bit & 1 == 1)
                .for_each(|bit| map.set(Psn::new(u32::from(index) * 64 + bit)));
        }
        map
    }

    fn result(&mut self, row: &Row) {
        let before = self.snapshot();
        if row.op == 2 {
            self.look = Some(RxPathOut {
                op: RxOp::Look,
                path: self.path,
                class: None,
                flags: Flags::NONE,
                cum: Psn::new(row.cum),
                high: Psn::new(row.high),
                open: false,
                close: false,
                ce: row.counts[0],
                dup: row.counts[1],
                arrivals: row.counts[2],
                ts: Time32::new(row.ts),
                route: row.route,
                at: Time32::new(row.at),
                before,
            });
        }
    }
}

impl Monitor for BuildMonitor {
    const NAME: &'static str = "rx_ack_build";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        if let Some(path) = self.r.take(&ports.r, check) {
            self.path = path;
            self.waiting = Some(0);
            self.l.expect(path, check);
            self.report.expect(path / self.paths as u16, check);
        }
        self.snapshots.extend(ports.z.crossing());
        if let Some(row) = self.o.take(&ports.o, check) {
            self.result(&row);
        }
        if let Some(answer) = self.answer.take(&ports.answer, check) {
            self.reported = Some(answer);
        }
        if let (Some(look), Some(answer)) = (self.look, self.reported.clone()) {
            let now = Time32::new(ports.now);
            check.cover(match now.distance_from(look.at) {
                0..=0xfffe => "hold",
                _ => "no hold",
            });
            let packet = self.model.build(&look, (answer.stream, Msn::new(answer.done)), now);
            check.cover(if packet.common.opcode == 0 { "SACK words" } else { "no SACK words" });
            self.g.expect(Words::of(&packet), check);
            if answer.more {
                check.cover("again");
                self.again.expect(self.path, check);
            }
            (self.look, self.reported, self.waiting) = (None, None, None);
        }
        // Other operations go on for ever, so the harness would not see it hang.
        self.waiting = self.waiting.map(|cycles| cycles + 1);
        if self.waiting == Some(PATIENCE) {
            check.mismatch("g", format!("no LOOK and answer {PATIENCE} cycles after the request"));
        }
        self.l.compare(&ports.l, check);
        self.report.compare(&ports.report, check);
        self.again.compare(&ports.again, check);
        self.g.compare(&ports.g, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.r, &self.o, &self.answer, &self.l, &self.report, &self.again, &self.g]
    }

    fn reset(&mut self) {
        self.model = AckBuild::new(self.connections, self.paths);
        self.snapshots.clear();
        (self.look, self.reported, self.waiting) = (None, None, None);
        self.r.reset();
        self.o.reset();
        self.answer.reset();
        self.l.reset();
        self.report.reset();
        self.again.reset();
        self.g.reset();
    }
}
