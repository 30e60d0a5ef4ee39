//! The rules of a transmit path on one state per packet.

use heddle_model::tx::path::{AckVerdict, TxOp};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Sent once, its fate unknown.
    Flying,
    /// Known lost, to be resent.
    Waiting,
    /// Sent again, its fate unknown; `old`: in the earlier of two rounds.
    Resent {
        old: bool,
    },
    Received,
}

pub struct Ack {
    pub cum: i64,
    pub high: i64,
    pub sack: Vec<i64>,
    pub echo: u64,
    pub route: u64,
    pub reorder: u8,
}

pub struct Naive {
    pub base: i64,
    pub next: i64,
    pub now: u64,
    pub route: u64,
    pub tn: u64,
    pub t1: u64,
    pub t0: u64,
    /// Every packet in base .. next.
    pub slots: BTreeMap<i64, Slot>,
    first_on_route: i64,
}

pub struct Outcome {
    pub ok: bool,
    pub bad: AckVerdict,
    pub psn: Option<i64>,
    pub newly: u16,
}

impl Naive {
    pub fn new(first: i64, now: u64) -> Self {
        // 256 x n, so that the 8-bit route of the wire starts at 0.
        let route = 1 << 20;
        let slots = BTreeMap::new();
        Self { base: first, next: first, now, route, tn: now, t1: now, t0: now, slots, first_on_route: first }
    }

    pub fn outcome(&self) -> Outcome {
        Outcome { ok: true, bad: AckVerdict::Good, psn: None, newly: 0 }
    }

    fn sending(&self, psn: Option<i64>) -> Outcome {
        Outcome { ok: psn.is_some(), psn, ..self.outcome() }
    }

    fn any(&self, slot: Slot) -> bool {
        self.slots.values().any(|s| *s == slot)
    }

    fn change(&mut self, f: impl Fn(i64, Slot) -> Slot) {
        for (p, slot) in &mut self.slots {
            *slot = f(*p, *slot);
        }
    }

    pub fn plain(&mut self, op: TxOp) -> Outcome {
        match op {
            TxOp::Sent => {
                let room = self.next < self.base + 256;
                let psn = room.then_some(self.next);
                if room {
                    self.slots.insert(self.next, Slot::Flying);
                    self.next += 1;
                    self.tn = self.now;
                }
                self.sending(psn)
            }
            TxOp::Resend => {
                let psn = self.slots.iter().find(|(_, slot)| **slot == Slot::Waiting).map(|(p, _)| *p);
                self.resend(psn)
            }
            TxOp::Expire => {
                let psn = self.slots.iter().rev().find(|(_, slot)| **slot != Slot::Received).map(|(p, _)| *p);
                self.resend(psn)
            }
            TxOp::Voluntary => {
                self.leave_route();
                self.outcome()
            }
            TxOp::VoluntaryTimeout => {
                let first = self.first_on_route;
                self.change(|p, slot| if p < first && slot == Slot::Flying { Slot::Waiting } else { slot });
                self.outcome()
            }
            TxOp::Dead => {
                self.change(|_, slot| if slot == Slot::Received { slot } else { Slot::Waiting });
                self.leave_route();
                self.outcome()
            }
            TxOp::Ack | TxOp::Init => panic!("{op:?} has arguments"),
        }
    }

    fn resend(&mut self, psn: Option<i64>) -> Outcome {
        if let Some(p) = psn {
            let opens_round = !self.any(Slot::Resent { old: true });
            self.slots.insert(p, Slot::Resent { old: opens_round });
            self.t1 = self.now;
            if opens_round {
                self.t0 = self.now;
            }
        }
        self.sending(psn)
    }

    /// Resends on the route left are forgotten: they fly like first transmissions.
    fn leave_route(&mut self) {
        self.route += 1;
        self.first_on_route = self.next;
        self.change(|_, slot| if matches!(slot, Slot::Resent { .. }) { Slot::Flying } else { slot });
    }

    fn judge(&self, ack: &Ack) -> AckVerdict {
        if ack.cum < self.base || ack.echo > self.now || ack.echo + (1 << 21) < self.now {
            return AckVerdict::Stale;
        }
        let sent = |p: i64| p < self.next;
        let high_known = ack.high >= ack.cum - 1 && sent(ack.high);
        match ack.cum <= self.next && high_known && ack.sack.iter().all(|p| *p > ack.cum && sent(*p)) {
            true => AckVerdict::Good,
            false => AckVerdict::Invalid,
        }
    }

    pub fn ack(&mut self, ack: &Ack) -> Outcome {
        let bad = self.judge(ack);
        if bad != AckVerdict::Good {
            return Outcome { ok: false, bad, ..self.outcome() };
        }
        let mut newly = 0;
        for (p, slot) in &mut self.slots {
            if (*p < ack.cum || ack.sack.contains(p)) && *slot != Slot::Received {
                *slot = Slot::Received;
                newly += 1;
            }
        }
        let same_route = ack.route == self.route;
        let later = |time: u64| same_route && ack.echo > time;
        let (all_proven, all_again, old_again) = (later(self.tn), later(self.t1), later(self.t0));
        let first = self.first_on_route;
        self.change(|p, slot| match slot {
            Slot::Flying if p >= first && (all_proven || p + i64::from(ack.reorder) < ack.high) => {
                Slot::Waiting
            }
            Slot::Resent { old } if all_again || (old && old_again) => Slot::Waiting,
            other => other,
        });
        if !self.any(Slot::Resent { old: true }) {
            self.change(|_, slot| {
                if slot == (Slot::Resent { old: false }) {
                    Slot::Resent { old: true }
                } else {
                    slot
                }
            });
            self.t0 = self.t1;
        }
        self.slots.retain(|p, _| *p >= ack.cum);
        self.base = ack.cum;
        Outcome { newly, ..self.outcome() }
    }
}
