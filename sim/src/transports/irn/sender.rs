//! The sending half of a queue pair: selective repeat.
//!
//! WRITEs, requests for READs and answers to READs are packets of one PSN space, each acknowledged.
//! Transmissions are numbered; one counts as lost when a number has come that is `reorder` higher. Without
//! reordering that is IRN's rule, a packet beyond it is known to have come; with spraying the distance is
//! what keeps packets that took a longer way from being taken for lost.

use super::body::{Ack, Data, End};
use super::settings::Config;
use heddle_wire::Psn;
use std::collections::VecDeque;

/// Doublings of the timer at most.
const MOST_DOUBLINGS: u8 = 8;

/// What is to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Work {
    /// Payload.
    pub(super) bytes: u32,
    pub(super) end: End,
}

#[derive(Clone, Copy, Debug)]
struct Placed {
    work: Work,
    first: Psn,
    past: Psn,
}

/// What is known of a PSN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Free,
    Flight,
    Lost,
    Come,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// Its last transmission.
    number: u64,
    state: State,
    resent: bool,
}

/// A packet to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) psn: Psn,
    pub(super) number: u64,
    pub(super) data: Data,
    pub(super) again: bool,
}

#[derive(Debug)]
pub(super) struct Sender {
    work: VecDeque<Placed>,
    /// The work that `next` belongs to.
    cursor: usize,
    una: Psn,
    next: Psn,
    slots: Vec<Slot>,
    in_flight: u32,
    /// Packets that may be in flight since the last expiry.
    allowed: u32,
    lost: u32,
    /// Transmissions in their order, and what waits to be sent again; both may name what is settled by now.
    flight: VecDeque<(Psn, u64)>,
    again: VecDeque<Psn>,
    /// Transmissions so far, and the highest that has come.
    sent: u64,
    come: u64,
    /// READs asked for and not wholly answered, oldest first: message, parts.
    reads: VecDeque<(u32, u32)>,
    expiries: u8,
}

impl Sender {
    pub(super) fn new(first: Psn) -> Self {
        Self {
            work: VecDeque::new(),
            cursor: 0,
            una: first,
            next: first,
            slots: Vec::new(),
            in_flight: 0,
            allowed: u32::MAX,
            lost: 0,
            flight: VecDeque::new(),
            again: VecDeque::new(),
            sent: 0,
            come: 0,
            reads: VecDeque::new(),
            expiries: 0,
        }
    }

    pub(super) fn post(&mut self, work: Work, config: &Config) {
        if self.slots.is_empty() {
            self.slots = vec![Slot::default(); config.span as usize];
        }
        let first = self.work.back().map_or(self.next, |placed| placed.past);
        let packets = work.bytes.div_ceil(config.mtu).max(1);
        self.work.push_back(Placed { work, first, past: first.plus(packets) });
    }

    /// Whether something is sent and not known to have come.
    pub(super) fn is_waiting(&self) -> bool {
        self.una != self.next
    }

    /// Expiries in a row double the timer.
    pub(super) fn timeout(&self, config: &Config) -> crate::time::Ps {
        let timeout = config.timeouts[usize::from(self.in_flight >= config.few)];
        crate::time::Ps(timeout.0 << self.expiries.min(MOST_DOUBLINGS))
    }

    /// The answer to the oldest READ has come.
    pub(super) fn on_read_done(&mut self) {
        self.reads.pop_front();
    }

    pub(super) fn can_send(&self, config: &Config) -> bool {
        let room = self.in_flight < config.window && self.next.distance_from(self.una) < config.reach;
        let work = || self.work.get(self.cursor);
        let ready =
            |placed: &Placed| !matches!(placed.work.end, End::Read(..)) || self.reads.len() < config.reads;
        let allowed = self.in_flight < self.allowed;
        allowed && (self.lost > 0 || room && work().is_some_and(ready))
    }

    fn slot(&mut self, psn: Psn) -> &mut Slot {
        let mask = self.slots.len() - 1;
        &mut self.slots[psn.get() as usize & mask]
    }

    fn is_open(&self, psn: Psn) -> bool {
        psn.is_within(self.una, self.next.distance_from(self.una))
    }

    /// The next packet, if [`Self::can_send`]: what is lost goes first.
    pub(super) fn send(&mut self, config: &Config) -> Option<Request> {
        while let Some(psn) = self.again.pop_front() {
            if !self.is_open(psn) || self.slot(psn).state != State::Lost {
                continue;
            }
            let from = psn.distance_from(self.una);
            let at = self.work.partition_point(|placed| placed.past.distance_from(self.una) <= from);
            let placed = *self.work.get(at)?;
            self.lost -= 1;
            return Some(self.transmit(psn, &placed, true, config));
        }
        let placed = *self.work.get(self.cursor)?;
        let psn = self.next;
        self.next = psn.next();
        self.cursor += usize::from(self.next == placed.past);
        if let End::Read(id, of, _) = placed.work.end {
            self.reads.push_back((id, of));
        }
        Some(self.transmit(psn, &placed, false, config))
    }

    fn transmit(&mut self, psn: Psn, placed: &Placed, again: bool, config: &Config) -> Request {
        self.sent += 1;
        self.in_flight += 1;
        let number = self.sent;
        *self.slot(psn) = Slot { number, state: State::Flight, resent: again };
        // As published, only the timer finds that a resend is lost.
        if !(again && config.published) {
            self.flight.push_back((psn, number));
        }
        let left = placed.work.bytes.saturating_sub(psn.distance_from(placed.first) * config.mtu);
        let data = Data {
            bytes: left.min(config.mtu),
            response: matches!(placed.work.end, End::Response(..)),
            end: (psn.next() == placed.past).then_some(placed.work.end),
        };
        Request { psn, number, data, again }
    }

    /// A packet has come. Whether that is news.
    fn settle(&mut self, psn: Psn, config: &Config) -> bool {
        let slot = self.slot(psn);
        let Slot { number, state, resent } = *slot;
        slot.state = State::Come;
        match state {
            State::Flight => self.in_flight -= 1,
            State::Lost => self.lost -= 1,
            State::Come | State::Free => return false,
        }
        self.allowed = self.allowed.saturating_add(1);
        // Without the number in the ACK nobody knows which transmission of a packet has come.
        if config.published && !resent {
            self.come = self.come.max(number);
        }
        true
    }

    /// An ACK or NACK. What is done is told to `done`. Whether something new has come.
    pub(super) fn on_ack(
        &mut self,
        psn: Psn,
        number: u64,
        ack: &Ack,
        config: &Config,
        mut done: impl FnMut(End),
    ) -> bool {
        let mut progress = false;
        if ack.cum.distance_from(self.una) <= self.next.distance_from(self.una) {
            let mut come = self.una;
            while come != ack.cum {
                progress |= self.settle(come, config);
                come = come.next();
            }
        }
        if config.published {
            progress |= !psn.is_behind(ack.cum) && self.is_open(psn) && self.settle(psn, config);
        } else {
            let (base, mut word) = (Psn::new(psn.get() & !63), ack.word);
            while word != 0 {
                let psn = base.plus(word.trailing_zeros());
                word &= word - 1;
                progress |= self.is_open(psn) && self.settle(psn, config);
            }
            self.come = self.come.max(number.min(self.sent));
        }
        if progress {
            self.expiries = 0;
            self.move_on(&mut done);
        }
        self.find_lost(config);
        progress
    }

    /// `una` moves to the first PSN that is not known to have come: the ACK whose `cum` says so may be lost.
    fn move_on(&mut self, done: &mut impl FnMut(End)) {
        while self.una != self.next && self.slot(self.una).state == State::Come {
            let una = self.una;
            self.slot(una).state = State::Free;
            self.una = una.next();
        }
        while let Some(placed) = self.work.front().filter(|placed| !self.una.is_behind(placed.past)) {
            done(placed.work.end);
            self.work.pop_front();
            self.cursor = self.cursor.saturating_sub(1);
        }
    }

    fn find_lost(&mut self, config: &Config) {
        while let Some(&(psn, number)) = self.flight.front() {
            let open = self.is_open(psn);
            let slot = self.slot(psn);
            if open && slot.number == number && slot.state == State::Flight {
                if number + config.reorder > self.come {
                    return;
                }
                self.lose(psn);
            }
            self.flight.pop_front();
        }
    }

    fn lose(&mut self, psn: Psn) {
        self.slot(psn).state = State::Lost;
        self.in_flight -= 1;
        self.lost += 1;
        self.again.push_back(psn);
    }

    /// The timer has expired: what is in flight is lost. `false`: once too often.
    pub(super) fn on_expiry(&mut self, config: &Config) -> bool {
        if self.expiries >= config.retries {
            return false;
        }
        self.expiries += 1;
        let mut psn = self.una;
        while psn != self.next {
            if self.slot(psn).state == State::Flight {
                self.lose(psn);
            }
            psn = psn.next();
        }
        self.flight.clear();
        if !config.published {
            self.allowed = 1;
        }
        true
    }

    /// It has failed: the messages that it was to move, with their parts.
    pub(super) fn fail(&mut self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let begun = std::mem::take(&mut self.cursor);
        self.next = self.una;
        (self.lost, self.in_flight) = (0, 0);
        let work = self.work.drain(..).enumerate().filter_map(move |(at, placed)| match placed.work.end {
            End::Write(id, of) => Some((id, of)),
            End::Read(id, of, _) => (at >= begun).then_some((id, of)),
            End::Response(..) => None,
        });
        self.reads.drain(..).chain(work)
    }
}
