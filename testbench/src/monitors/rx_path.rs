//! The receive path engine's monitor: its model, and its timing rules; for both engines.

mod ports;
mod situations;

pub use ports::{operation, Ports, Row, Verdict, Words};

use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use heddle_model::rx::path::{RxOp, RxPathIn, RxPathOut, RxPathRow};
use heddle_model::Psn;
use std::collections::VecDeque;

/// How an engine times its operations, cycles from the input transfer. Source: docs/architecture.md.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// To the next operation, of another path.
    pub interval: u64,
    /// To the next operation of the same path.
    pub same_path: u64,
}

impl Timing {
    /// Of the engine with 64 lanes.
    pub const NARROW: Self = Self { interval: 4, same_path: 12 };
    /// Of the engine with 256 lanes.
    pub const WIDE: Self = Self { interval: 1, same_path: 7 };
}

/// The model's side of the engine; `WIDE`: the snapshot comes at once.
#[derive(Debug)]
pub struct PathMonitor<const WIDE: bool> {
    timing: Timing,
    input: Input<RxPathIn>,
    v: Output<Verdict>,
    z: Output<Words>,
    out: Output<Row>,
    rows: Vec<RxPathRow>,
    last: Vec<Option<RxPathOut>>,
    taken: Option<u64>,
    taken_of: Vec<Option<u64>>,
    flying: VecDeque<(u64, usize)>,
    used: Vec<bool>,
    unused: usize,
}

impl<const WIDE: bool> PathMonitor<WIDE> {
    /// A monitor of an engine with `paths` paths.
    pub fn new(paths: usize) -> Self {
        Self {
            timing: if WIDE { Timing::WIDE } else { Timing::NARROW },
            input: Input::request("in").chosen_anew(),
            v: Output::side("v"),
            z: Output::side("z"),
            out: Output::answer("out"),
            rows: vec![RxPathRow::default(); paths],
            last: vec![None; paths],
            taken: None,
            taken_of: vec![None; paths],
            flying: VecDeque::new(),
            used: vec![false; paths],
            unused: paths,
        }
    }

    /// What the path's last operation answered; none while the path is undefined.
    pub fn last(&self, path: usize) -> Option<&RxPathOut> {
        self.last[path].as_ref()
    }

    /// The path's lowest PSN after `from` that is not received.
    pub fn hole_after(&self, path: usize, from: Psn) -> Option<Psn> {
        let mut row = self.rows[path];
        let look = row.apply(&RxPathIn { op: RxOp::Look, ..RxPathIn::default() });
        let mut free = !look.before;
        free.clear(look.cum);
        free.first_from(from)
    }

    /// `in_ready` is low while, and only while, the interval or an operation of the path asks for it.
    fn check_ready(&self, link: &Link<RxPathIn>, check: &mut Check) {
        let Some(op) = link.offered() else { return };
        let since = |cycle: Option<u64>| cycle.map_or(u64::MAX, |c| check.cycle() - c);
        let interval = since(self.taken) >= self.timing.interval;
        let same_path = since(self.taken_of[usize::from(op.path)]) >= self.timing.same_path;
        let ready = link.crossing().is_some();
        if ready != (interval && same_path) {
            let text = format!("ready {ready}, interval over {interval}, path free {same_path}");
            check.mismatch("in", text);
        }
    }

    fn take(&mut self, op: &RxPathIn, check: &mut Check) {
        let path = usize::from(op.path);
        self.timed(path, check);
        let before = self.last[path];
        let result = self.rows[path].apply(op);
        self.last[path] = Some(result);
        self.flying.push_back((check.cycle(), path));
        self.cover(op, before.as_ref(), &result, check);
        if let Some(class) = result.class {
            self.v.expect(Verdict { class: class as u8 }, check);
        }
        let words = result.before.words();
        if WIDE {
            let all = (0..4).map(|word| (word as u8, words[word])).collect();
            self.z.expect(all, check);
        } else {
            let first = op.psn.get() as usize >> 6;
            for word in (first..first + 4).map(|word| word % 4) {
                self.z.expect(vec![(word as u8, words[word])], check);
            }
        }
        self.out.expect(Row::of(&result), check);
    }

    fn timed(&mut self, path: usize, check: &mut Check) {
        let cycle = check.cycle();
        if self.taken.is_some_and(|c| cycle - c == self.timing.interval) {
            check.cover("taken at the interval");
        }
        if self.taken_of[path].is_some_and(|c| cycle - c == self.timing.same_path) {
            check.cover("taken when the path was free again");
        }
        self.taken = Some(cycle);
        self.taken_of[path] = Some(cycle);
    }

    fn cover(&mut self, op: &RxPathIn, before: Option<&RxPathOut>, after: &RxPathOut, check: &mut Check) {
        self.unused -= usize::from(!std::mem::replace(&mut self.used[usize::from(op.path)], true));
        if self.unused == 0 {
            check.cover("every path was used");
            self.used.fill(false);
            self.unused = self.used.len();
        }
        situations::cover(op, before, after, check);
    }
}

impl<const WIDE: bool> Monitor for PathMonitor<WIDE> {
    const NAME: &'static str = if WIDE { "rx_path_wide" } else { "rx_path" };
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        self.check_ready(&ports.input, check);
        if let Some(op) = self.input.take(&ports.input, check) {
            self.take(&op, check);
        }
        self.v.compare(&ports.v, check);
        self.z.compare(&ports.z, check);
        self.out.compare(&ports.out, check);
        if ports.out.crossing().is_some() {
            self.flying.pop_front();
        }
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.input, &self.v, &self.z, &self.out]
    }

    /// Paths with an operation under way are undefined until INIT; the others keep their state.
    fn reset(&mut self) {
        self.input.reset();
        self.v.reset();
        self.z.reset();
        self.out.reset();
        self.flying.drain(..).for_each(|(_, path)| self.last[path] = None);
        self.taken = None;
        self.taken_of.fill(None);
    }
}
