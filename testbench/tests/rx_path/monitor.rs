//! The receive path engine's links, its model in lockstep, and its timing rules; for both engines.

use heddle_model::rx::path::{RxClass, RxOp, RxPathIn, RxPathOut, RxPathRow};
use heddle_model::Psn;
use heddle_testbench::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use std::collections::VecDeque;

/// Paths of the engines under test.
pub const PATHS: usize = 64;
const OPS: [RxOp; 4] = [RxOp::Data, RxOp::Probe, RxOp::Look, RxOp::Init];

/// How an engine times its operations, cycles from the input transfer. Source: docs/architecture.md.
pub struct Timing {
    /// To the next operation, of another path.
    pub interval: u64,
    /// To the next operation of the same path.
    pub same_path: u64,
}

/// An early verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    pub class: u8,
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub op: u8,
    pub path: u16,
    pub class: u8,
    pub flags: u8,
    pub cum: u32,
    pub high: u32,
    pub open: bool,
    pub close: bool,
    pub ce: u16,
    pub dup: u16,
    pub arrivals: u16,
    pub ts: u32,
    pub route: u8,
    pub at: u32,
}

/// Words of a snapshot that come in one cycle, with their numbers.
pub type Words = Vec<(u8, u64)>;

/// The links in one cycle.
pub struct Ports {
    pub input: Link<RxPathIn>,
    pub v: Link<Verdict>,
    pub z: Link<Words>,
    pub out: Link<Row>,
}

/// The model's side of the engine; `WIDE`: the snapshot comes at once.
pub struct PathMonitor<const WIDE: bool> {
    timing: Timing,
    input: Input<RxPathIn>,
    v: Output<Verdict>,
    z: Output<Words>,
    out: Output<Row>,
    rows: [RxPathRow; PATHS],
    last: [Option<RxPathOut>; PATHS],
    taken: Option<u64>,
    taken_of: [Option<u64>; PATHS],
    flying: VecDeque<(u64, usize)>,
    used: u64,
}

impl<const WIDE: bool> PathMonitor<WIDE> {
    pub fn new(timing: Timing) -> Self {
        Self {
            timing,
            input: Input::request("in"),
            v: Output::side("v"),
            z: Output::side("z"),
            out: Output::answer("out"),
            rows: [RxPathRow::default(); PATHS],
            last: [None; PATHS],
            taken: None,
            taken_of: [None; PATHS],
            flying: VecDeque::new(),
            used: 0,
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
        self.out.expect(row(&result), check);
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
        self.used |= 1 << op.path;
        if self.used == u64::MAX {
            check.cover("every path was used");
            self.used = 0;
        }
        check.cover(match op.op {
            RxOp::Data => "DATA",
            RxOp::Probe => "PROBE",
            RxOp::Look => "LOOK",
            RxOp::Init => "INIT",
        });
        let (Some(class), Some(before)) = (after.class, before) else { return };
        check.cover(match (class, op.fault) {
            (RxClass::Accept, _) => "accept",
            (RxClass::Duplicate, false) => "duplicate",
            (RxClass::Duplicate, true) => "duplicate with a fault",
            (RxClass::OutOfWindow, false) => "out of window",
            (RxClass::OutOfWindow, true) => "out of window with a fault",
            (RxClass::Fault, _) => "fault",
        });
        cover_distance(op.psn.distance_from(before.cum), check);
        cover_advance(before.cum, after, check);
    }
}

fn cover_distance(distance: u32, check: &mut Check) {
    const HALF: u32 = 1 << 23;
    let seen = [
        (0, "distance 0"),
        (1, "distance 1"),
        (254, "distance 254"),
        (255, "distance 255"),
        (256, "distance 256"),
        (257, "distance 257"),
        (258, "distance 258"),
        (HALF - 1, "distance 2^23 - 1"),
        (HALF, "distance 2^23"),
        (HALF + 1, "distance 2^23 + 1"),
        (Psn::MASK, "distance -1"),
    ];
    seen.iter().filter(|(d, _)| *d == distance).for_each(|(_, name)| check.cover(name));
}

fn cover_advance(from: Psn, after: &RxPathOut, check: &mut Check) {
    match after.cum.distance_from(from) {
        0 => {}
        1 => check.cover("cum moves by 1"),
        256 => check.cover("cum moves over the whole window"),
        192..=255 => check.cover("cum moves by 192 to 255"),
        64..=191 => check.cover("cum moves by 64 to 191"),
        _ => check.cover("cum moves by 2 to 63"),
    }
    if after.cum.get() < from.get() {
        check.cover("cum wraps at 2^24");
    }
    if after.cum.get() >> 8 != from.get() >> 8 {
        check.cover("cum enters another lap");
    }
    if after.open {
        check.cover("a gap opens");
    }
    if after.close {
        check.cover("a gap closes");
    }
}

fn row(out: &RxPathOut) -> Row {
    Row {
        op: out.op as u8,
        path: out.path,
        class: out.class.map_or(0, |class| class as u8),
        flags: out.flags.bits(),
        cum: out.cum.get(),
        high: out.high.get(),
        open: out.open,
        close: out.close,
        ce: out.ce,
        dup: out.dup,
        arrivals: out.arrivals,
        ts: out.ts.get(),
        route: out.route,
        at: out.at.get(),
    }
}

/// The operation with this number on the port.
pub fn operation(number: u8) -> RxOp {
    OPS[usize::from(number)]
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
        self.taken_of = [None; PATHS];
    }
}
