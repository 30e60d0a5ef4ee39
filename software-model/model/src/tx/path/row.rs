//! The row of a transmit path and the rules of section 5 on it.

use super::{AckVerdict, TxPathIn, MAX_ECHO_AGE_TICKS, WINDOW};
use crate::map::RingMap;
use heddle_wire::{Psn, Time32};

/// State of one path.
///
/// At all times `old` is a subset of `resent`, `lost & resent` and `acked & (lost | resent)` are empty, every
/// map lies in [base, next), next - base is at most 256 and route_first is in [base, next].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TxPathRow {
    base: Psn,
    next: Psn,
    route: u8,
    /// First PSN whose first transmission went on the current route.
    route_first: Psn,
    acked: RingMap,
    /// Waiting to be resent.
    lost: RingMap,
    /// Resent, and not known received or lost again.
    resent: RingMap,
    /// The earlier of two rounds of resends.
    old: RingMap,
    /// When the last new packet was sent.
    tn: Time32,
    /// When the last resend was sent.
    t1: Time32,
    /// When the last resend in `old` was sent.
    t0: Time32,
}

impl TxPathRow {
    pub(super) fn init(first: Psn, now: Time32) -> Self {
        Self { base: first, next: first, route_first: first, tn: now, t1: now, t0: now, ..Self::default() }
    }

    pub(crate) fn base(&self) -> Psn {
        self.base
    }

    pub(crate) fn next(&self) -> Psn {
        self.next
    }

    /// The packets waiting to be resent.
    pub(crate) fn lost(&self) -> RingMap {
        self.lost
    }

    pub(crate) fn route(&self) -> u8 {
        self.route
    }

    /// Packets sent and not known received, 0 to 256.
    pub(crate) fn inflight(&self) -> u16 {
        // `acked` lies in [base, next).
        (self.next.distance_from(self.base) - self.acked.count()) as u16
    }

    /// Packets waiting to be resent, 0 to 256.
    pub(crate) fn waiting(&self) -> u16 {
        self.lost.count() as u16
    }

    /// The four maps `acked`, `lost`, `resent`, `old`, for checks of the invariants.
    pub fn maps(&self) -> [RingMap; 4] {
        [self.acked, self.lost, self.resent, self.old]
    }

    fn sent_from(&self, first: Psn) -> RingMap {
        RingMap::range(first, self.next.distance_from(first))
    }

    fn unacked(&self) -> RingMap {
        self.sent_from(self.base) & !self.acked
    }

    // REQ-TX-1: stale before invalid; neither changes anything.
    pub(super) fn judge(&self, ack: &TxPathIn) -> AckVerdict {
        let behind = ack.cum.is_behind(self.base);
        let ahead_of_now = ack.ts.is_ahead(ack.now) || ack.now.distance_from(ack.ts) > MAX_ECHO_AGE_TICKS;
        if behind || ahead_of_now {
            return AckVerdict::Stale;
        }
        let span = self.next.distance_from(self.base);
        let advance = ack.cum.distance_from(self.base);
        if advance > span {
            return AckVerdict::Invalid;
        }
        let left = span - advance;
        let sackable = || RingMap::range(ack.cum.plus(1), left.saturating_sub(1));
        let high_in_range = ack.high.distance_from(ack.cum.minus(1)) <= left;
        match high_in_range && (ack.sack.is_empty() || (ack.sack & !sackable()).is_empty()) {
            true => AckVerdict::Good,
            false => AckVerdict::Invalid,
        }
    }

    /// Takes a good ACK; returns the number of packets newly known received.
    pub(super) fn take(&mut self, ack: &TxPathIn) -> u16 {
        let behind_cum = RingMap::range(self.base, ack.cum.distance_from(self.base));
        let received = self.acked | behind_cum | ack.sack;
        let newly = received & !self.acked;

        let found = self.proven_lost(ack) & !received & !self.lost & !self.resent;
        self.resent &= !received;
        self.old &= !received;
        let lost_again = self.close_rounds(ack);
        self.lost = (self.lost | found | lost_again) & !received;

        // REQ-TX-11: everything behind cum is forgotten.
        self.base = ack.cum;
        self.acked = received & !behind_cum;
        if self.route_first.is_behind(self.base) {
            self.route_first = self.base;
        }
        newly.count() as u16
    }

    /// PSNs whose first transmission is proven lost, if it is neither received nor followed by a resend: a
    /// packet sent later on the same route has arrived.
    fn proven_lost(&self, ack: &TxPathIn) -> RingMap {
        // REQ-TX-3: the echo is of a packet sent after the newest first transmission.
        if ack.route == self.route && ack.ts.is_ahead(self.tn) {
            return self.sent_from(self.route_first);
        }
        // REQ-TX-2: p + reorder < the highest received.
        let end = ack.high.minus(ack.reorder.into());
        // Where nothing is received beyond cum, everything up to `high` is received.
        match ack.high.is_behind(ack.cum) || end.is_behind(self.route_first) {
            true => RingMap::EMPTY,
            false => RingMap::range(self.route_first, end.distance_from(self.route_first)),
        }
    }

    /// REQ-TX-4: resends proven lost leave their round, and an empty `old` takes over all of `resent`.
    fn close_rounds(&mut self, ack: &TxPathIn) -> RingMap {
        let lost_again = match ack.route == self.route {
            true if ack.ts.is_ahead(self.t1) => self.resent,
            true if ack.ts.is_ahead(self.t0) => self.old,
            _ => RingMap::EMPTY,
        };
        self.resent &= !lost_again;
        self.old &= !lost_again;
        if self.old.is_empty() {
            self.old = self.resent;
            self.t0 = self.t1;
        }
        lost_again
    }

    // REQ-TX-5: the lowest lost packet first.
    pub(super) fn resend(&mut self, now: Time32) -> Option<Psn> {
        let psn = self.lost.first_from(self.base)?;
        self.mark_resent(psn, self.old.is_empty(), now);
        Some(psn)
    }

    // REQ-TX-6: the highest unreceived packet; whether `old` is empty is judged before it leaves.
    pub(super) fn expire(&mut self, now: Time32) -> Option<Psn> {
        let psn = self.unacked().last_from(self.base)?;
        let opens_round = self.old.is_empty();
        self.old.clear(psn);
        self.mark_resent(psn, opens_round, now);
        Some(psn)
    }

    fn mark_resent(&mut self, psn: Psn, opens_round: bool, now: Time32) {
        self.lost.clear(psn);
        self.resent.set(psn);
        self.t1 = now;
        if opens_round {
            self.old = RingMap::of(psn);
            self.t0 = now;
        }
    }

    // REQ-TX-7: next and tn change together, and never beyond base + 256.
    pub(super) fn send(&mut self, now: Time32) -> Option<Psn> {
        if self.next.distance_from(self.base) >= WINDOW {
            return None;
        }
        let psn = self.next;
        self.next = psn.plus(1);
        self.tn = now;
        Some(psn)
    }

    // REQ-TX-8
    pub(super) fn change_route(&mut self) {
        self.route = self.route.wrapping_add(1);
        self.route_first = self.next;
        self.resent = RingMap::EMPTY;
        self.old = RingMap::EMPTY;
    }

    // REQ-TX-9: what was resent since the change travels on the new route, and is left to evidence.
    pub(super) fn give_up_old_route(&mut self) {
        let before_change = RingMap::range(self.base, self.route_first.distance_from(self.base));
        self.lost |= before_change & !self.acked & !self.resent;
    }

    // REQ-TX-10
    pub(super) fn die(&mut self) {
        self.lost = self.unacked();
        self.change_route();
    }
}
