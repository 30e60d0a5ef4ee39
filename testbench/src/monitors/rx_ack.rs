//! The ACK triggers' monitor: arrivals, complete messages and other streams' news in, requests out. The
//! order of events is the block's log; what they are comes from its inputs.

use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::views::RxAckView;
use heddle_model::map::RingMap;
use heddle_model::rx::ack::{AckConfig, AckTrigger};
use heddle_model::rx::path::{RxClass, RxOp, RxPathOut};
use heddle_wire::{Flags, Psn, Time32};
use std::collections::VecDeque;

/// Ticks that a due deadline may wait behind everything else.
const PATIENCE: u32 = 200;

/// A result of the receive path engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrival {
    /// Operation.
    pub op: u8,
    /// Path index.
    pub path: u16,
    /// Class of a DATA packet.
    pub class: u8,
    /// Flags of the packet.
    pub flags: u8,
    /// A gap opened.
    pub open: bool,
    /// A gap closed.
    pub close: bool,
}

impl Arrival {
    /// LOOK, INIT and faults are no events for this block.
    fn counts(&self) -> bool {
        self.op == 1 || (self.op == 0 && self.class != 3)
    }

    fn result(&self) -> RxPathOut {
        RxPathOut {
            op: [RxOp::Data, RxOp::Probe, RxOp::Look, RxOp::Init][usize::from(self.op)],
            path: self.path,
            class: (self.op == 0).then(|| {
                [RxClass::Accept, RxClass::Duplicate, RxClass::OutOfWindow, RxClass::Fault]
                    [usize::from(self.class)]
            }),
            flags: Flags::from_bits(self.flags),
            cum: Psn::new(0),
            high: Psn::new(0),
            open: self.open,
            close: self.close,
            ce: 0,
            dup: 0,
            arrivals: 0,
            ts: Time32::new(0),
            route: 0,
            at: Time32::new(0),
            before: RingMap::default(),
        }
    }
}

/// The block's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// Ticks.
    pub now: u32,
    /// T in ticks.
    pub delay: u16,
    /// Result of the path engine.
    pub a: Link<Arrival>,
    /// A message is complete, on this path.
    pub m: Link<u16>,
    /// Another stream has news, on this path.
    pub again: Link<u16>,
    /// Path to acknowledge.
    pub r: Link<u16>,
    /// Kind of the event that is committed.
    pub log: Option<u8>,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl RxAckView) -> Self {
        let arrival = || Arrival {
            op: view.a_op().u8(),
            path: view.a_path().u16(),
            class: view.a_class().u8(),
            flags: view.a_flags().u8(),
            open: view.a_open().bit(),
            close: view.a_close().bit(),
        };
        Self {
            now: view.now().u32(),
            delay: view.cfg_delay().u16(),
            a: Link::pulse(view.a_valid().bit(), arrival),
            m: Link::pulse(view.m_valid().bit(), || view.m_path().u16()),
            again: Link::pulse(view.again_valid().bit(), || view.again_path().u16()),
            r: Link::new(view.r_valid().bit(), view.r_ready().bit(), || view.r_path().u16()),
            log: view.log_valid().bit().then(|| view.log_kind().u8()),
        }
    }
}

/// Events that came in and are not committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Arrivals.
    pub arrivals: usize,
    /// Complete messages.
    pub messages: usize,
    /// Other streams' news.
    pub again: usize,
    /// Requests taken.
    pub taken: usize,
}

/// The model's side.
#[derive(Debug)]
pub struct AckMonitor {
    paths: u16,
    config: AckConfig,
    model: AckTrigger,
    arrivals: VecDeque<Arrival>,
    messages: VecDeque<u16>,
    again: VecDeque<u16>,
    taken: VecDeque<u16>,
    a: Input<Arrival>,
    m: Input<u16>,
    once_more: Input<u16>,
    r: Output<u16>,
}

impl AckMonitor {
    /// A monitor of the triggers of `paths`; T is what the port says.
    pub fn new(paths: u16, config: AckConfig) -> Self {
        Self {
            paths,
            config,
            model: AckTrigger::new(paths, config),
            arrivals: VecDeque::new(),
            messages: VecDeque::new(),
            again: VecDeque::new(),
            taken: VecDeque::new(),
            a: Input::request("a"),
            m: Input::request("m"),
            once_more: Input::request("again"),
            r: Output::side("r"),
        }
    }

    /// What waits in the block's queues.
    pub fn waiting(&self) -> Waiting {
        let (arrivals, messages) = (self.arrivals.len(), self.messages.len());
        Waiting { arrivals, messages, again: self.again.len(), taken: self.taken.len() }
    }

    /// The event that the block commits, out of what has come in.
    fn commit(&mut self, kind: u8, now: Time32, check: &mut Check) {
        let request = match kind {
            0 => {
                let Some(path) = self.taken.pop_front() else {
                    return check.mismatch("log", "a request is taken off the books that was not taken");
                };
                self.model.on_taken(path);
                return;
            }
            1 => self.again.pop_front().map(|path| self.model.demand(path)),
            2 => self.messages.pop_front().map(|path| self.model.demand(path)),
            3 => self.arrivals.pop_front().map(|arrival| self.model.on_result(&arrival.result(), now)),
            _ => {
                let before = self.model.next_deadline();
                let request = self.model.on_tick(now);
                if self.model.next_deadline() == before {
                    check.mismatch("log", format!("no deadline is due at {now:?}: {before:?}"));
                }
                check.cover(if request.is_some() { "deadline" } else { "overtaken deadline" });
                self.expect(request, check);
                return;
            }
        };
        let Some(request) = request else {
            return check.mismatch("log", format!("an event of kind {kind} that did not come in"));
        };
        let outcome = if request.is_some() { "requested" } else { "merged, or waits" };
        match kind {
            1 => self.once_more.explain(outcome),
            2 => self.m.explain(outcome),
            _ => self.a.explain(outcome),
        }
        check.cover(match (kind, request.is_some()) {
            (1, _) => "again",
            (2, true) => "message",
            (2, false) => "message, merged",
            (_, true) => "arrival, requested",
            (_, false) => "arrival, waits",
        });
        self.expect(request, check);
    }

    fn expect(&mut self, request: Option<u16>, check: &mut Check) {
        if let Some(path) = request {
            self.r.expect(path, check);
        }
    }
}

impl Monitor for AckMonitor {
    const NAME: &'static str = "rx_ack";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        let now = Time32::new(ports.now);
        if let Some(kind) = ports.log {
            self.model.set_delay_ticks(ports.delay);
            self.commit(kind, now, check);
        }
        if let Some(arrival) = self.a.take(&ports.a, check) {
            match arrival.counts() {
                true => self.arrivals.push_back(arrival),
                false => self.a.explain("no arrival"),
            }
        }
        if let Some(path) = self.m.take(&ports.m, check) {
            self.messages.push_back(path);
        }
        if let Some(path) = self.once_more.take(&ports.again, check) {
            self.again.push_back(path);
        }
        self.r.compare(&ports.r, check);
        self.taken.extend(ports.r.crossing());
        if self.model.next_deadline().is_some_and(|at| now.minus(PATIENCE).is_ahead(at)) {
            check.mismatch("log", format!("{:?} is long due at {now:?}", self.model.next_deadline()));
        }
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![&self.a, &self.m, &self.once_more, &self.r]
    }

    fn reset(&mut self) {
        self.model = AckTrigger::new(self.paths, self.config);
        self.arrivals.clear();
        self.messages.clear();
        self.again.clear();
        self.taken.clear();
        self.a.reset();
        self.m.reset();
        self.once_more.reset();
        self.r.reset();
    }
}
