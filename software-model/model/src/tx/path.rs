//! Transmit path: which packets of a path are acknowledged, lost, resent, and which to resend next.
//!
//! Mirrors the transmit path engine operation for operation; docs/blocks/tx-path.md holds the widths and
//! examples. Assumes that a path's first operation is INIT. When to resend, expire or change route is decided
//! elsewhere.

use crate::map::{RingMap, WINDOW};
use heddle_wire::{Psn, Time32};

mod loss;
mod row;
pub use loss::LossReason;
pub use row::TxPathRow;

/// Oldest echo an ACK may carry. Source: section 5, "default 2^21 ticks, 17 ms".
pub const MAX_ECHO_AGE_TICKS: u32 = 1 << 21;

/// What is asked of the engine, 3 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TxOp {
    /// An ACK has arrived.
    #[default]
    Ack = 0,
    /// The lowest lost packet is being resent.
    Resend = 1,
    /// The path's timer has expired, and the highest unreceived packet is being resent.
    Expire = 2,
    /// The path changes to another route, whose packets may overtake those of the old one.
    Voluntary = 3,
    /// What travelled on the route before a voluntary change has had its time.
    VoluntaryTimeout = 4,
    /// The route is dead: everything unreceived is lost, and the path changes to another route.
    Dead = 5,
    /// A new packet is being sent.
    Sent = 6,
    /// The path starts anew.
    Init = 7,
}

/// The verdict on an ACK, 2 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AckVerdict {
    /// Taken; also the value of every operation that is no ACK.
    #[default]
    Good = 0,
    /// It speaks of packets that were never sent: nothing in it is believed.
    Invalid = 1,
    /// cum is behind base, or its echo is too old or ahead of now: its path fields are ignored.
    Stale = 2,
}

/// One operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TxPathIn {
    /// Operation.
    pub op: TxOp,
    /// Path index.
    pub path: u16,
    /// ACK: lowest PSN not received. INIT: the first PSN.
    pub cum: Psn,
    /// ACK: highest PSN received, cum - 1 if none is beyond cum.
    pub high: Psn,
    /// ACK: the echoed route.
    pub route: u8,
    /// ACK: the echoed timestamp.
    pub ts: Time32,
    /// Time of the operation; of RESEND, EXPIRE and SENT the timestamp that the packet carries.
    pub now: Time32,
    /// ACK: packets by which the path may reorder.
    pub reorder: u8,
    /// ACK: the received PSNs in (cum, cum + 256).
    pub sack: RingMap,
}

/// The result of one operation; all state is that after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TxPathOut {
    /// Operation.
    pub op: TxOp,
    /// Path index.
    pub path: u16,
    /// ACK: it was good. RESEND: something was lost. EXPIRE: something was unreceived. SENT: the window had
    /// room. Otherwise true.
    pub ok: bool,
    /// Why an ACK was not taken.
    pub bad: AckVerdict,
    /// Lowest PSN not known received; `base + 256` limits `next`.
    pub base: Psn,
    /// The next new PSN.
    pub next: Psn,
    /// Current route.
    pub route: u8,
    /// RESEND, EXPIRE, SENT, if ok: the PSN to send.
    pub psn: Option<Psn>,
    /// Packets newly known received, 0 to 256.
    pub newly: u16,
    /// Packets sent and not known received, 0 to 256.
    pub inflight: u16,
    /// Packets waiting to be resent, 0 to 256.
    pub waiting: u16,
    /// Whether any is waiting.
    pub lost: bool,
    /// The operation's time.
    pub now: Time32,
}

impl TxPathRow {
    /// Applies one operation to this path.
    pub fn apply(&mut self, input: &TxPathIn) -> TxPathOut {
        let (mut bad, mut newly, mut psn, mut ok) = (AckVerdict::Good, 0, None, true);
        match input.op {
            TxOp::Ack => {
                bad = self.judge(input);
                ok = bad == AckVerdict::Good;
                if ok {
                    newly = self.take(input);
                }
            }
            TxOp::Resend => {
                psn = self.resend(input.now);
                ok = psn.is_some();
            }
            TxOp::Expire => {
                psn = self.expire(input.now);
                ok = psn.is_some();
            }
            TxOp::Sent => {
                psn = self.send(input.now);
                ok = psn.is_some();
            }
            TxOp::Voluntary => self.change_route(),
            TxOp::VoluntaryTimeout => self.give_up_old_route(),
            TxOp::Dead => self.die(),
            TxOp::Init => *self = Self::init(input.cum, input.now),
        }
        TxPathOut {
            op: input.op,
            path: input.path,
            ok,
            bad,
            base: self.base(),
            next: self.next(),
            route: self.route(),
            psn,
            newly,
            inflight: self.inflight(),
            waiting: self.waiting(),
            lost: self.waiting() > 0,
            now: input.now,
        }
    }
}

/// All transmit paths of an endpoint: the engine.
#[derive(Clone, Debug)]
pub struct TxPaths {
    rows: Vec<TxPathRow>,
}

impl TxPaths {
    /// `paths` paths, none of them initialised.
    pub fn new(paths: u16) -> Self {
        Self { rows: vec![TxPathRow::default(); paths.into()] }
    }

    /// The state of one path.
    ///
    /// # Panics
    /// If the engine has no such path.
    pub fn row(&self, path: u16) -> &TxPathRow {
        &self.rows[usize::from(path)]
    }

    /// Applies one operation.
    ///
    /// # Panics
    /// If the engine has no path `input.path`: path numbers are checked with the connection, before this
    /// block.
    pub fn apply(&mut self, input: &TxPathIn) -> TxPathOut {
        self.rows[usize::from(input.path)].apply(input)
    }
}

#[cfg(test)]
mod tests;
