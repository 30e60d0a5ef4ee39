//! The requester of a queue pair: go-back-N.
//!
//! PSNs: `una` <= `next` <= `end`; what lies between `una` and `end` was sent and is not known to have come.
//! A READ takes a PSN for each packet of its answer. ACKs cover WRITEs only; a READ moves on with its
//! answers, in order. A NAK, or an answer beyond a gap, makes it go back to `una`: once per gap, then only
//! the timer helps. Source: IBTA volume 1, sections 9.7.2 to 9.7.5 and 9.9.2.

use super::body::{What, Write};
use super::settings::Config;
use crate::endpoint::Verb;
use crate::time::Ps;
use crate::transports::parts::Part;
use heddle_wire::Psn;
use std::collections::VecDeque;

/// A part with its PSNs.
#[derive(Clone, Copy, Debug)]
struct Work {
    part: Part,
    first: Psn,
    packets: u32,
}

impl Work {
    fn end(&self) -> Psn {
        self.first.plus(self.packets)
    }
}

/// What the requester asks its host to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Heard {
    /// Something new has come: the timer starts again.
    pub(super) progress: bool,
    /// It goes back: the timer starts with the next packet.
    pub(super) back: bool,
    /// Message bytes that are new here.
    pub(super) bytes: u32,
    /// Message bytes came that were here.
    pub(super) duplicate: bool,
    /// Refused.
    pub(super) refused: bool,
}

/// A packet to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) psn: Psn,
    pub(super) what: What,
    /// First packet of its part.
    pub(super) first: bool,
    /// Sent before.
    pub(super) again: bool,
}

#[derive(Debug)]
pub(super) struct Requester {
    work: VecDeque<Work>,
    una: Psn,
    next: Psn,
    end: Psn,
    /// The work that `next` belongs to.
    cursor: usize,
    /// PSN after the last READ that was sent: the window counts from here, or from `una`.
    window_from: Psn,
    /// READs sent, not wholly answered.
    reads: u32,
    /// The gap that was asked for.
    gap: Option<Psn>,
    /// Expiries in a row.
    expiries: u8,
    /// Packets since an ACK was asked for, and when that was.
    unasked: u32,
    asked_at: Ps,
}

impl Requester {
    pub(super) fn new(first: Psn) -> Self {
        Self {
            work: VecDeque::new(),
            una: first,
            next: first,
            end: first,
            cursor: 0,
            window_from: first,
            reads: 0,
            gap: None,
            expiries: 0,
            unasked: 0,
            asked_at: Ps::ZERO,
        }
    }

    pub(super) fn post(&mut self, part: Part, mtu: u32) {
        let first = self.work.back().map_or(self.una, Work::end);
        self.work.push_back(Work { part, first, packets: part.bytes.div_ceil(mtu).max(1) });
    }

    /// Whether something is sent and not known to have come.
    pub(super) fn is_waiting(&self) -> bool {
        self.una != self.end
    }

    fn in_window(&self) -> u32 {
        self.next.distance_from(self.una.serial_max(self.window_from))
    }

    pub(super) fn can_send(&self, config: &Config) -> bool {
        self.work.get(self.cursor).is_some_and(|work| match work.part.verb {
            Verb::Write => self.next.is_behind(self.window_from) || self.in_window() < config.window,
            Verb::Read => self.reads < config.reads,
        })
    }

    /// The next packet, if [`Self::can_send`].
    pub(super) fn send(&mut self, now: Ps, config: &Config) -> Option<Request> {
        let work = *self.work.get(self.cursor)?;
        let (psn, done) = (self.next, self.next.distance_from(work.first));
        let left = work.part.bytes - done * config.mtu;
        let again = psn.is_behind(self.end);
        let what = match work.part.verb {
            Verb::Read => {
                self.next = work.end();
                self.window_from = self.next;
                self.reads += 1;
                What::Read { bytes: left }
            }
            Verb::Write => {
                self.next = psn.next();
                let ends = (self.next == work.end()).then_some((work.part.id, work.part.of));
                // Asked for before the window is closed, and so often that the timer of a slow queue pair
                // does not run out.
                let late = now - self.asked_at > Ps(config.timeout.0 / 4);
                let ack_req = ends.is_some()
                    || self.unasked + 1 >= config.ack_every
                    || late
                    || self.in_window() >= config.window;
                What::Write(Write { bytes: left.min(config.mtu), ends, ack_req })
            }
        };
        self.unasked += 1;
        if !matches!(what, What::Write(Write { ack_req: false, .. })) {
            (self.unasked, self.asked_at) = (0, now);
        }
        self.cursor += usize::from(self.next == work.end());
        self.end = self.end.serial_max(self.next);
        Some(Request { psn, what, first: done == 0, again })
    }

    /// Every WRITE before `to` has come. Who is done is told to `done`.
    fn acknowledge(&mut self, to: Psn, mut done: impl FnMut(Part)) -> bool {
        let before = self.una;
        while let Some(work) = self.work.front() {
            if work.part.verb == Verb::Read || !self.una.is_behind(to) {
                break;
            }
            if to.distance_from(self.una) < work.end().distance_from(self.una) {
                self.una = to;
                break;
            }
            self.una = work.end();
            done(work.part);
            self.pop();
        }
        self.moved(before)
    }

    fn pop(&mut self) {
        self.work.pop_front();
        self.cursor = self.cursor.saturating_sub(1);
    }

    /// `una` has moved, or not.
    fn moved(&mut self, before: Psn) -> bool {
        if self.una == before {
            return false;
        }
        self.expiries = 0;
        if self.next.is_behind(self.una) {
            self.next = self.una;
        }
        if self.window_from.is_behind(self.una) {
            self.window_from = self.una;
        }
        true
    }

    fn go_back(&mut self) {
        self.next = self.una;
        self.window_from = self.una;
        self.cursor = 0;
        self.reads = 0;
    }

    /// Answers are missing from `una` on.
    fn ask_again(&mut self) -> bool {
        if self.gap == Some(self.una) {
            return false;
        }
        self.gap = Some(self.una);
        self.go_back();
        true
    }

    /// Whether a PSN was sent and is not known to have come.
    fn is_open(&self, psn: Psn) -> bool {
        psn.is_within(self.una, self.end.distance_from(self.una))
    }

    pub(super) fn on_ack(&mut self, psn: Psn, done: impl FnMut(Part)) -> Heard {
        if !self.is_open(psn) {
            return Heard::default();
        }
        let progress = self.acknowledge(psn.next(), done);
        // It stands before a READ that the responder has answered: the answer is lost.
        let back = self.una != psn.next() && self.ask_again();
        Heard { progress, back, ..Heard::default() }
    }

    pub(super) fn on_nak(&mut self, psn: Psn, done: impl FnMut(Part)) -> Heard {
        if !self.is_open(psn) {
            return Heard::default();
        }
        let progress = self.acknowledge(psn, done);
        let back = self.next != self.una;
        self.go_back();
        Heard { progress, back, ..Heard::default() }
    }

    pub(super) fn on_response(&mut self, psn: Psn, bytes: u32, mut done: impl FnMut(Part)) -> Heard {
        if !self.is_open(psn) {
            let duplicate = psn.is_behind(self.una);
            return Heard { duplicate, refused: !duplicate, ..Heard::default() };
        }
        let progress = self.acknowledge(psn, &mut done);
        let Some(work) = self.work.front().copied().filter(|_| self.una == psn) else {
            return Heard { progress, back: self.ask_again(), refused: true, ..Heard::default() };
        };
        let before = self.una;
        self.una = psn.next();
        if self.una == work.end() {
            self.reads = self.reads.saturating_sub(1);
            done(work.part);
            self.pop();
        }
        self.moved(before);
        Heard { progress: true, bytes, ..Heard::default() }
    }

    /// The timer has expired. `false`: once too often.
    pub(super) fn on_expiry(&mut self, config: &Config) -> bool {
        if self.expiries >= config.retries {
            return false;
        }
        self.expiries += 1;
        self.go_back();
        true
    }

    /// It has failed: everything that it was to do.
    pub(super) fn fail(&mut self) -> impl Iterator<Item = Part> + '_ {
        (self.una, self.next) = (self.end, self.end);
        self.cursor = 0;
        self.work.drain(..).map(|work| work.part)
    }
}
