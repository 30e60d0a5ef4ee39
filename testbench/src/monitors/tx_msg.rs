//! Transmit messages: the model fed in the order in which the events cross, at most one per cycle.

mod ports;

pub use ports::{LookUp, News, Ports, Question, SetUp};

use crate::lockstep::{Channel, Check, Input, Link, Monitor, Output};
use crate::tx_rows::{Cut, Done, Message};
use heddle_model::tx::cpl;
use heddle_model::tx::msg::{Slice, Submitted, TxMsg, TxMsgConfig, WorkRequest};
use heddle_model::tx::wqe;
use heddle_wire::{DropReason, Msn};
use std::collections::VecDeque;

/// Cycles from a `cfg` to the first transfer of a request that it counts for.
const SET_UP_CYCLES: u64 = 3;

/// Cycles after which a request that may be taken is: other events have priority.
const IDLE_CYCLES: u32 = 1_000;

/// Sizes of a block under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The model's.
    pub config: TxMsgConfig,
    /// First message of every stream.
    pub first: u32,
}

impl Sizes {
    fn model(&self) -> TxMsg {
        TxMsg::starting_at(self.config, Msn::new(self.first))
    }

    /// Cycles after a reset in which rows are cleared.
    pub fn clearing_cycles(&self) -> u64 {
        u64::from(self.config.connections * self.config.streams)
    }
}

/// The model's side.
#[derive(Debug)]
pub struct TxMsgMonitor {
    /// Of the block.
    pub sizes: Sizes,
    /// The model, after the events until now.
    pub model: TxMsg,
    /// Cycles since reset.
    pub cycles: u64,
    set_ups: VecDeque<(u64, SetUp)>,
    /// Cycles for which the request on offer could have been taken, while no completion waited.
    idle: u32,
    w: Input<[u8; 64]>,
    s: Input<u16>,
    n: Input<Done>,
    v: Input<(u16, bool)>,
    l: Input<LookUp>,
    q: Output<u16>,
    t: Output<Cut>,
    drop: Output<u8>,
    cpl: Output<[u8; 32]>,
    p: Output<News>,
    u: Output<Question>,
    row: Output<Option<Message>>,
}

impl TxMsgMonitor {
    /// A monitor of a block of these sizes.
    pub fn new(sizes: Sizes) -> Self {
        Self {
            sizes,
            model: sizes.model(),
            cycles: 0,
            set_ups: VecDeque::new(),
            idle: 0,
            w: Input::request("w"),
            s: Input::request("s"),
            n: Input::request("n"),
            v: Input::request("v"),
            l: Input::request("l"),
            q: Output::side("q"),
            t: Output::answer("t"),
            drop: Output::answer("drop"),
            cpl: Output::side("cpl"),
            p: Output::side("p"),
            u: Output::answer("u"),
            row: Output::answer("row"),
        }
    }

    /// Set-ups count from a fixed number of cycles on; while rows are cleared they are ignored.
    fn set_up(&mut self, link: &Link<SetUp>, check: &mut Check) {
        if let Some(&set_up) = link.crossing().filter(|_| self.cycles > self.sizes.clearing_cycles()) {
            self.set_ups.push_back((self.cycles + SET_UP_CYCLES, set_up));
            check.cover(if set_up.valid { "set up" } else { "taken down" });
        }
        while let Some((_, set_up)) = self.set_ups.front().filter(|(from, _)| *from <= self.cycles) {
            self.model.set_valid(set_up.conn, set_up.valid);
            self.set_ups.pop_front();
        }
    }

    fn request(&mut self, record: &[u8; 64], check: &mut Check) {
        let request = wqe::request(record);
        if !self.model.accepts(&request) {
            check.mismatch("w", format!("{request:x?} is taken, and must wait"));
            return;
        }
        let marks = self.model.marks(request.conn, request.stream);
        match self.model.submit(request) {
            Submitted::Refused(completion) => {
                check.cover(self.refusal(&request));
                self.w.explain("refused");
                self.cpl.expect(cpl::record(&completion), check);
            }
            Submitted::Queued { wakes } => {
                self.w.explain("queued");
                self.cover_queued(&request, check);
                if marks.is_some_and(|marks| marks.head == Msn::new(0) && self.sizes.first != 0) {
                    check.cover("message number wrapped");
                }
                if wakes {
                    self.q.expect(request.conn, check);
                }
            }
        }
    }

    fn refusal(&self, request: &WorkRequest) -> &'static str {
        match self.model.marks(request.conn, request.stream) {
            _ if request.opcode != heddle_wire::Opcode::Write.code() => "refused: opcode",
            None if u32::from(request.conn) >= self.sizes.config.connections => "refused: connection",
            None => "refused: stream",
            Some(_) if self.model.slices(request.length) > 1 << 22 => "refused: too long",
            Some(_) => "refused: taken down",
        }
    }

    fn cover_queued(&self, request: &WorkRequest, check: &mut Check) {
        let slice = 1 << self.sizes.config.slice_log2;
        match request.length {
            0 => check.cover("empty"),
            length if length % slice == 0 => check.cover("whole slices"),
            length if length % slice == 1 => check.cover("one byte over"),
            length if length % slice == slice - 1 => check.cover("one byte less"),
            _ => {}
        }
        if request.length == u32::MAX {
            check.cover("4 GiB - 1");
        }
        let outstanding = self.model.outstanding(request.conn, request.stream);
        if outstanding == self.sizes.config.slots {
            check.cover("last free slot");
        }
        if request.fence {
            check.cover("fence");
        }
    }

    fn waiting(&mut self, ports: &Ports, check: &mut Check) {
        let waits = ports.w.offered().filter(|_| ports.w.crossing().is_none()).map(wqe::request);
        let may = waits.is_some_and(|request| self.model.accepts(&request)) && ports.cpl.offered().is_none();
        self.idle = if may { self.idle + 1 } else { 0 };
        if self.idle > IDLE_CYCLES {
            check.mismatch("w", "not taken, though nothing is in its way");
        }
        if let Some(request) = waits.filter(|request| !self.model.accepts(request)) {
            let full = self.model.outstanding(request.conn, request.stream) == self.sizes.config.slots;
            check.cover(if full { "full stream" } else { "fence waits" });
        }
        if ports.cpl.offered().is_some() && ports.cpl.crossing().is_none() && ports.n.offered().is_some() {
            check.cover("a report behind a completion that is not taken");
        }
    }

    fn slice(&mut self, conn: u16, check: &mut Check) {
        let before = self.model.unfinished(conn);
        let Some(Slice { stream, msn, index, tail, more, left, .. }) = self.model.slice(conn) else {
            check.mismatch("s", format!("connection {conn} has no slice"));
            return;
        };
        let msn = msn.get();
        check.cover(if tail { "tail" } else { "not the tail" });
        check.cover(if more { "more" } else { "no more" });
        if left == u16::MAX {
            check.cover("more is left than is told");
        }
        self.t.expect(Cut { stream, msn, index, tail, more, left }, check);
        if self.model.unfinished(conn) > before {
            check.cover("message wholly cut");
            self.p.expect(News { conn, waiting: true, progress: false }, check);
        }
    }

    fn done(&mut self, done: &Done, check: &mut Check) {
        let &Done { conn, stream, msn } = done;
        let marks = self.model.marks(conn, stream);
        match self.model.done(conn, stream, Msn::new(msn)) {
            None => {
                check.cover(if marks.is_some() { "done beyond what was cut" } else { "done of no stream" });
                self.drop.expect(DropReason::AckInvalid as u8, check);
            }
            Some(completions) => {
                let waiting = self.model.waits(conn);
                check.cover(match (completions.len(), waiting) {
                    (0, _) if marks.is_some_and(|marks| marks.done == Msn::new(msn)) => "done as before",
                    (0, _) => "done behind",
                    (1, _) => "done, one message",
                    (_, true) => "done, several messages, others wait",
                    (_, false) => "done, all messages",
                });
                self.n.explain("believed");
                if !completions.is_empty() {
                    self.p.expect(News { conn, waiting, progress: true }, check);
                }
                completions.iter().for_each(|c| self.cpl.expect(cpl::record(c), check));
            }
        }
    }

    fn question(&mut self, path: u16, repeat: bool, check: &mut Check) {
        match self.model.question(path / self.sizes.config.paths as u16) {
            Some(stream) => {
                check.cover("question");
                self.u.expect(Question { path, stream, repeat }, check);
            }
            None => {
                check.cover("question of nothing");
                self.v.explain("swallowed");
            }
        }
    }

    fn look_up(&mut self, look_up: &LookUp, check: &mut Check) {
        let &LookUp { conn, stream, msn } = look_up;
        let found = self.model.look_up(conn, stream, Msn::new(msn));
        let live = found.and_then(|(row, live)| live.then_some(row.request));
        let marks = self.model.marks(conn, stream);
        check.cover(match (live, marks) {
            (Some(_), _) => "look-up, live",
            (None, Some(marks)) if Msn::new(msn).is_behind(marks.done) => "look-up, done",
            (None, Some(_)) => "look-up, not yet queued",
            (None, None) => "look-up of no stream",
        });
        let message = |request: WorkRequest| {
            let WorkRequest { local, remote, length, rkey, .. } = request;
            Message { local, remote, length, rkey }
        };
        self.row.expect(live.map(message), check);
    }
}

impl Monitor for TxMsgMonitor {
    const NAME: &'static str = "tx_msg";
    type Ports = Ports;

    fn cycle(&mut self, ports: &Ports, check: &mut Check) {
        self.cycles += 1;
        self.set_up(&ports.cfg, check);
        let mut events = 0;
        if let Some(look_up) = self.l.take(&ports.l, check) {
            events += 1;
            self.look_up(&look_up, check);
        }
        if let Some(conn) = self.s.take(&ports.s, check) {
            events += 1;
            self.slice(conn, check);
        }
        if let Some((path, repeat)) = self.v.take(&ports.v, check) {
            events += 1;
            self.question(path, repeat, check);
        }
        if let Some(done) = self.n.take(&ports.n, check) {
            events += 1;
            self.done(&done, check);
        }
        if let Some(record) = self.w.take(&ports.w, check) {
            events += 1;
            self.request(&record, check);
        }
        if events > 1 {
            check.mismatch("order", format!("{events} events in one cycle"));
        }
        self.waiting(ports, check);
        self.q.compare(&ports.q, check);
        self.t.compare(&ports.t, check);
        self.drop.compare(&ports.drop, check);
        self.cpl.compare(&ports.cpl, check);
        self.p.compare(&ports.p, check);
        self.u.compare(&ports.u, check);
        self.row.compare(&ports.row, check);
    }

    fn channels(&self) -> Vec<&dyn Channel> {
        vec![
            &self.w, &self.s, &self.n, &self.v, &self.l, &self.q, &self.t, &self.drop, &self.cpl, &self.p,
            &self.u, &self.row,
        ]
    }

    fn reset(&mut self) {
        self.model = self.sizes.model();
        self.cycles = 0;
        self.set_ups.clear();
        self.idle = 0;
        self.w.reset();
        self.s.reset();
        self.n.reset();
        self.v.reset();
        self.l.reset();
        self.q.reset();
        self.t.reset();
        self.drop.reset();
        self.cpl.reset();
        self.p.reset();
        self.u.reset();
        self.row.reset();
    }
}
