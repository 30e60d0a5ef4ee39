//! A path's row after a result of the path engine: what the engine says, and whether the path may take new data
//! again. Combinational.

use super::super::rows::{PathResult, SchedPath};
use rust_hdl::prelude::*;

/// The part.
#[derive(LogicBlock, Default)]
pub struct Renew {
    /// The result.
    pub result: Signal<In, PathResult>,
    /// The row before.
    pub row: Signal<In, SchedPath>,
    /// The row after.
    pub renewed: Signal<Out, SchedPath>,
    /// The scheduler has asked for the operation.
    pub ours: Signal<Out, Bit>,
    of: Signal<Local, PathResult>,
    old: Signal<Local, SchedPath>,
    new: Signal<Local, SchedPath>,
    progress: Signal<Local, Bit>,
}

impl Logic for Renew {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_sched_renew");
        self.of.next = self.result.val();
        self.old.next = self.row.val();
        self.ours.next = (self.of.val().op == 1)
            | (self.of.val().op == 2)
            | (self.of.val().op == 5)
            | (self.of.val().op == 6);
        // Progress is what an ACK newly tells, a path made new, or an expiry that found nothing in flight.
        self.progress.next = (self.of.val().op == 7)
            | ((self.of.val().op == 0)
                & (self.of.val().newly.any() | (self.of.val().base != self.old.val().base)))
            | ((self.of.val().op == 2) & !self.of.val().ok)
            | ((self.of.val().op == 5) & !self.of.val().inflight.any());
        self.new.next.inflight = self.of.val().inflight;
        self.new.next.waiting = self.of.val().waiting;
        self.new.next.span = bit_cast::<9, 24>(self.of.val().next_psn - self.of.val().base);
        self.new.next.base = self.of.val().base;
        self.new.next.route = self.of.val().route;
        self.new.next.busy = self.old.val().busy & (self.of.val().op == 0);
        self.new.next.expired = self.old.val().expired & !self.progress.val();
        self.new.next.queued = self.old.val().queued;
        self.renewed.next = self.new.val();
    }
}
