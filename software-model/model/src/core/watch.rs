//! An observer's view of one connection: which of its packets are declared lost, and why.
//!
//! Nothing depends on it, and a core that watches no connection does nothing for it.

use super::Core;
use crate::tx::path::{LossReason, TxOp, TxPathIn, TxPathOut, TxPathRow};
use crate::tx::route::Cause;
use heddle_wire::Psn;
use std::collections::VecDeque;
use std::ops::Range;

/// A packet that is declared lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Path index, {connection, path of the connection}.
    pub path: u16,
    /// Which of its packets.
    pub psn: Psn,
    /// Why.
    pub reason: LossReason,
}

/// What is watched, and the losses that were not told of yet.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    paths: Range<u16>,
    losses: VecDeque<Loss>,
}

impl Watch {
    /// An operation on a path, watched or not.
    pub(super) fn apply(&mut self, row: &mut TxPathRow, input: &TxPathIn) -> TxPathOut {
        let before = *row;
        let result = row.apply(input);
        let may_lose = matches!(input.op, TxOp::Ack | TxOp::VoluntaryTimeout | TxOp::Dead);
        if may_lose && self.paths.contains(&input.path) {
            let found = row.lost() & !before.lost();
            let loss = |psn| Loss { path: input.path, psn, reason: before.loss_reason(input, psn) };
            self.losses.extend(found.psns_from(row.base()).map(loss));
        }
        result
    }

    fn name(&mut self, path: u16, cause: Cause) {
        for loss in self.losses.iter_mut().filter(|loss| loss.path == path) {
            if let LossReason::Dead(named) = &mut loss.reason {
                *named = cause;
            }
        }
    }
}

impl Core {
    /// Paths of each connection.
    pub fn paths(&self) -> u16 {
        self.config.paths as u16
    }

    /// Notes from now on which packets of this connection, and of no other, are declared lost.
    pub fn watch(&mut self, conn: u16) {
        let (first, paths) = (u32::from(conn) * self.config.paths, self.config.paths);
        let paths = first as u16..(first + paths) as u16;
        self.watch = Some(Box::new(Watch { paths, losses: VecDeque::new() }));
    }

    /// The oldest loss of the watched connection that was not told of yet. What led to it is the last thing
    /// that the core was called for, if this was asked until there was none after every call before.
    pub fn loss(&mut self) -> Option<Loss> {
        self.watch.as_mut()?.losses.pop_front()
    }

    /// The path engine does not know why a route is dead.
    pub(super) fn name_death(&mut self, path: u16, cause: Cause) {
        if let Some(watch) = &mut self.watch {
            watch.name(path, cause);
        }
    }
}
