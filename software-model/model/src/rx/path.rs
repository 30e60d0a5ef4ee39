//! Receive path: decides accept, duplicate, out of window or fault for each packet, and records arrivals.
//!
//! Mirrors the receive path engine operation for operation; docs/blocks/rx-path.md holds the widths and
//! examples. Assumes that a path's first operation is INIT, and that a PROBE that tests another plane arrives
//! as LOOK.

use crate::map::{RingMap, WINDOW};
use heddle_wire::{Flags, Psn, Time32};

/// What is asked of the engine, 2 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RxOp {
    /// A DATA packet has arrived.
    #[default]
    Data = 0,
    /// A PROBE has arrived: the echo follows it, nothing is counted.
    Probe = 1,
    /// Only the state is asked for.
    Look = 2,
    /// The path starts anew: `psn` is the first PSN it will receive.
    Init = 3,
}

/// The verdict on a DATA packet, 2 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RxClass {
    /// First arrival: its bit is set and its payload may be placed.
    Accept = 0,
    /// Received before.
    Duplicate = 1,
    /// Neither received before nor within the window of 256 from cum.
    OutOfWindow = 2,
    /// It would be accepted, but its look-ups carried a fault; its bit stays clear.
    Fault = 3,
}

/// One operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RxPathIn {
    /// Operation.
    pub op: RxOp,
    /// Path index.
    pub path: u16,
    /// DATA: the packet's PSN. INIT: the first PSN.
    pub psn: Psn,
    /// DATA: the packet was CE-marked.
    pub ce: bool,
    /// DATA: the look-ups found a fault.
    pub fault: bool,
    /// The packet's flags, passed through to the output.
    pub flags: Flags,
    /// DATA, PROBE: the packet's timestamp.
    pub ts: Time32,
    /// DATA, PROBE: the packet's route.
    pub route: u8,
    /// Arrival time.
    pub now: Time32,
}

/// The result of one operation; all state is that after it, except `before`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RxPathOut {
    /// Operation.
    pub op: RxOp,
    /// Path index.
    pub path: u16,
    /// Verdict; DATA only.
    pub class: Option<RxClass>,
    /// The flags given.
    pub flags: Flags,
    /// Lowest PSN not received.
    pub cum: Psn,
    /// Highest PSN received; cum - 1 when none is beyond cum.
    pub high: Psn,
    /// A gap opened: accepted beyond high + 1.
    pub open: bool,
    /// A gap closed: cum moved by more than one.
    pub close: bool,
    /// CE-marked arrivals, wraps at 2^16.
    pub ce: u16,
    /// Duplicates, wraps at 2^16.
    pub dup: u16,
    /// Arrivals (accepted and duplicate), wraps at 2^16.
    pub arrivals: u16,
    /// Echo: timestamp of the newest arrival.
    pub ts: Time32,
    /// Echo: route of the newest arrival.
    pub route: u8,
    /// When the newest arrival came.
    pub at: Time32,
    /// Snapshot before the operation: bit `p mod 256` for each received `p` in (cum, cum + 256). Of INIT:
    /// empty.
    pub before: RingMap,
}

/// State of one path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RxPathRow {
    cum: Psn,
    high: Psn,
    received: RingMap,
    ce: u16,
    dup: u16,
    arrivals: u16,
    ts: Time32,
    route: u8,
    at: Time32,
}

impl RxPathRow {
    fn init(first: Psn) -> Self {
        Self { cum: first, high: first.minus(1), ..Self::default() }
    }

    /// Route of the newest arrival.
    pub(crate) fn route(&self) -> u8 {
        self.route
    }

    // REQ-RX-1: duplicate or out of window first, then the fault that the look-ups carried, then accept.
    fn classify(&self, psn: Psn, fault: bool) -> RxClass {
        if psn.is_behind(self.cum) {
            return RxClass::Duplicate;
        }
        if psn.distance_from(self.cum) >= WINDOW {
            return RxClass::OutOfWindow;
        }
        match (self.received.get(psn), fault) {
            (true, _) => RxClass::Duplicate,
            (false, true) => RxClass::Fault,
            (false, false) => RxClass::Accept,
        }
    }

    // REQ-RX-2: the bit is set, and cum advances to the first zero in ring order, in one step.
    // REQ-RX-3: a gap opens beyond high + 1, and closes when cum moves by more than one.
    fn accept(&mut self, psn: Psn) -> (bool, bool) {
        let open = self.high.plus(1).is_behind(psn);
        if self.high.is_behind(psn) {
            self.high = psn;
        }
        self.received.set(psn);
        let run = (!self.received).first_from(self.cum).map_or(WINDOW, |zero| zero.distance_from(self.cum));
        self.received &= !RingMap::range(self.cum, run);
        self.cum = self.cum.plus(run);
        (open, run > 1)
    }

    fn echo(&mut self, input: &RxPathIn) {
        self.ts = input.ts;
        self.route = input.route;
        self.at = input.now;
    }

    // REQ-RX-4: accepted packets and duplicates are arrivals; nothing else changes the row.
    fn data(&mut self, input: &RxPathIn) -> (RxClass, bool, bool) {
        let class = self.classify(input.psn, input.fault);
        if !matches!(class, RxClass::Accept | RxClass::Duplicate) {
            return (class, false, false);
        }
        self.echo(input);
        self.arrivals = self.arrivals.wrapping_add(1);
        self.ce = self.ce.wrapping_add(input.ce.into());
        if class == RxClass::Duplicate {
            self.dup = self.dup.wrapping_add(1);
            return (class, false, false);
        }
        let (open, close) = self.accept(input.psn);
        (class, open, close)
    }

    /// Applies one operation to this path.
    pub fn apply(&mut self, input: &RxPathIn) -> RxPathOut {
        let mut before = self.received;
        let (class, open, close) = match input.op {
            RxOp::Data => {
                let (class, open, close) = self.data(input);
                (Some(class), open, close)
            }
            // REQ-RX-5: a PROBE moves the echo and counts nothing.
            RxOp::Probe => {
                self.echo(input);
                (None, false, false)
            }
            RxOp::Look => (None, false, false),
            RxOp::Init => {
                *self = Self::init(input.psn);
                before = RingMap::EMPTY;
                (None, false, false)
            }
        };
        RxPathOut {
            op: input.op,
            path: input.path,
            class,
            flags: input.flags,
            cum: self.cum,
            high: self.high,
            open,
            close,
            ce: self.ce,
            dup: self.dup,
            arrivals: self.arrivals,
            ts: self.ts,
            route: self.route,
            at: self.at,
            before,
        }
    }
}

/// All receive paths of an endpoint: the engine.
#[derive(Clone, Debug)]
pub struct RxPaths {
    rows: Vec<RxPathRow>,
}

impl RxPaths {
    /// `paths` paths, none of them initialised.
    pub fn new(paths: u16) -> Self {
        Self { rows: vec![RxPathRow::default(); paths.into()] }
    }

    /// Applies one operation.
    ///
    /// # Panics
    /// If the engine has no path `input.path`: path numbers are checked with the connection, before this
    /// block.
    pub fn apply(&mut self, input: &RxPathIn) -> RxPathOut {
        self.rows[usize::from(input.path)].apply(input)
    }
}

#[cfg(test)]
mod tests;
