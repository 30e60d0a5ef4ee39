//! The message tracker's monitor: packets placed in; messages complete, errors and answers about `done` out.

use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::placed::Placed;
use crate::views::RxMsgView;
use heddle_model::rx::msg::{Counted, Placed as ModelPlaced, RxMsg as Model, RxMsgConfig, RxMsgError};
use heddle_wire::Msn;

/// What a connection has to report.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Stream.
    pub stream: u8,
    /// Its leading complete messages.
    pub done: u32,
    /// Another stream has news too.
    pub more: bool,
}

/// A connection error.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Connection.
    pub conn: u16,
    /// What is wrong.
    pub code: u8,
}

/// The block's links in one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Ports {
    /// A packet that memory has.
    pub b: Link<Placed>,
    /// A stream is to be reported again: (connection, stream).
    pub ask: Link<(u16, u8)>,
    /// A connection's report is wanted.
    pub report: Link<u16>,
    /// The report.
    pub answer: Link<Answer>,
    /// A message is complete: the path that completed it.
    pub m: Link<u16>,
    /// Connection error.
    pub e: Link<Failure>,
    /// Stream looked up: {connection, stream}.
    pub q_stream: u32,
    /// `done` of the stream looked up in the cycle before.
    pub q_done: u32,
}

impl Ports {
    /// What `view` shows in this cycle.
    pub fn sample(view: &impl RxMsgView) -> Self {
        let answer = || Answer {
            stream: view.answer_stream().u8(),
            done: view.answer_done().u32(),
            more: view.answer_more().bit(),
        };
        let failure = || Failure { conn: view.e_conn().u16(), code: view.e_code().u8() };
        let placed = || Placed::unpack(view.b_placed().words());
        let conn = || view.report_conn().u16();
        Self {
            b: Link::new(view.b_valid().bit(), view.b_ready().bit(), placed),
            ask: Link::pulse(view.ask_valid().bit(), || (view.ask_conn().u16(), view.ask_stream().u8())),
            report: Link::new(view.report_valid().bit(), view.report_ready().bit(), conn),
            answer: Link::pulse(view.answer_valid().bit(), answer),
            m: Link::pulse(view.m_valid().bit(), || view.m_path().u16()),
            e: Link::pulse(view.e_valid().bit(), failure),
            q_stream: view.q_stream().u32(),
            q_done: view.q_done().u32(),
        }
    }
}

/// The model's side.
#[derive(Debug)]
pub struct MsgMonitor {
    config: RxMsgConfig,
    paths: u16,
    model: Model,
    /// A packet is being counted: `done` may still be the one before it.
    busy: Option<(u32, u32)>,
    /// Looked up in the cycle before: the stream, and the one or two `done` that may be the answer.
    asked: Option<(u32, [u32; 2])>,
    cycles: u32,
    b: Input<Placed>,
    ask: Input<(u16, u8)>,
    report: Input<u16>,
    answer: Output<Answer>,
    m: Output<u16>,
    e: Output<Failure>,
}

impl MsgMonitor {
    /// A monitor of a tracker for connections with `paths` each.
    pub fn new(config: RxMsgConfig, paths: u16) -> Self {
        Self {
            config,
            paths,
            model: Model::new(config),
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

    /// The model, to guide the stimulus.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Cycles in which the block clears its memories: one per slot.
    fn clearing(&self) -> u32 {
        self.config.connections * self.config.streams * self.config.slots
    }

    fn done(&self, index: u32) -> u32 {
        let (conn, stream) = (index / self.config.streams, index % self.config.streams);
        self.model.done(conn as u16, stream as u8).get()
    }

    fn placed(&mut self, placed: &Placed, check: &mut Check) {
        let index = u32::from(placed.conn) * self.config.streams + u32::from(placed.stream);
        let before = self.done(index);
        let &Placed { conn, stream, message_len, len, path, ok, .. } = placed;
        let msn = Msn::new(placed.msn);
        let counted = self.model.on_placed(&ModelPlaced {
            conn,
            stream,
            msn,
            message_len,
            len,
            path,
            ok,
            ..ModelPlaced::default()
        });
        if ok && msn.distance_from(Msn::new(before)) >= self.config.slots {
            check.cover("not open");
        }
        let code = |error| Failure { conn, code: error as u8 };
        match counted {
            Counted::Partial => check.cover("partial"),
            Counted::Complete => self.m.expect(conn * self.paths + u16::from(path), check),
            Counted::Error(error) => self.e.expect(code(error), check),
        }
        check.cover(match (counted, self.done(index).wrapping_sub(before) & 0xff_ffff) {
            (Counted::Complete, 0) => "complete, out of order",
            (Counted::Complete, 1) => "complete, in order",
            (Counted::Complete, _) => "complete, and others behind it",
            (Counted::Error(RxMsgError::Memory), _) => "memory error",
            (Counted::Error(RxMsgError::Length | RxMsgError::Withdrawn), _) => "length error",
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
            check.cover(if allowed[0] == allowed[1] {
                "look-up, settled"
            } else {
                "look-up of a changing stream"
            });
        }
        if self.cycles > self.clearing() {
            let done = self.done(ports.q_stream);
            let before = self.busy.filter(|busy| busy.0 == ports.q_stream).map_or(done, |busy| busy.1);
            self.asked = Some((ports.q_stream, [done, before]));
        }
    }
}

impl Monitor for MsgMonitor {
    const NAME: &'static str = "rx_msg";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        self.cycles = self.cycles.saturating_add(1);
        // The block takes something again, so the packet before is counted.
        if ports.b.crossing().is_some() || ports.report.crossing().is_some() {
            self.busy = None;
        }
        self.look_up(ports, check);
        if let Some((conn, stream)) = self.ask.take(&ports.ask, check) {
            self.model.ask(conn, stream);
            let known = u32::from(stream) < self.config.streams;
            check.cover(if known { "ask" } else { "ask for an unknown stream" });
        }
        if let Some(conn) = self.report.take(&ports.report, check) {
            let (stream, done, more) = self.model.report(conn);
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

    /// The block clears its slots and `done`.
    fn reset(&mut self) {
        self.model = Model::new(self.config);
        (self.busy, self.asked, self.cycles) = (None, None, 0);
        self.b.reset();
        self.ask.reset();
        self.report.reset();
        self.answer.reset();
        self.m.reset();
        self.e.reset();
    }
}
