//! The plan with the verdict on the SACK words: what is done to the four map words, what the row becomes.

use super::row::{Outcome, Plan, Rules, Scalars, Visit};
use rust_hdl::prelude::*;

/// A visit to the maps, registered at `load` and held for four cycles.
#[derive(LogicBlock, Default)]
pub struct Visitor {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Take the plan.
    pub load: Signal<In, Bit>,
    /// Plan.
    pub plan: Signal<In, Plan>,
    /// Row, but for what an ACK's `cum` moves.
    pub row: Signal<In, Scalars>,
    /// A SACK bit lies outside `(cum, next)`.
    pub outside: Signal<In, Bit>,
    /// Ranges and rules for the map words.
    pub visit: Signal<Out, Visit>,
    /// The row after the operation, but for `inflight` and `t0` of an ACK.
    pub scalars: Signal<Out, Scalars>,
    /// What is reported.
    pub outcome: Signal<Out, Outcome>,
    visit_q: DFF<Visit>,
    scalars_q: DFF<Scalars>,
    outcome_q: DFF<Outcome>,
    v: Signal<Local, Visit>,
    s: Signal<Local, Scalars>,
    o: Signal<Local, Outcome>,
    rules: Signal<Local, Rules>,
    base: Signal<Local, Bits<24>>,
    cum: Signal<Local, Bits<24>>,
    psn: Signal<Local, Bits<24>>,
    ok: Signal<Local, Bit>,
}

impl Logic for Visitor {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_visit");
        dff_setup!(self, clk, visit_q, scalars_q, outcome_q);
        self.ok.next = self.plan.val().ok & !(self.plan.val().is_ack & self.outside.val());
        self.base.next = self.row.val().base;
        self.cum.next = self.plan.val().cum;
        self.psn.next = self.plan.val().psn;

        self.o.next.op = self.plan.val().op;
        self.o.next.ok = self.ok.val();
        self.o.next.bad = 0.into();
        if self.plan.val().stale {
            self.o.next.bad = 2.into();
        } else if self.plan.val().is_ack & !self.ok.val() {
            self.o.next.bad = 1.into();
        }
        self.o.next.acked = self.plan.val().is_ack & self.ok.val();
        self.o.next.psn = self.psn.val();
        self.o.next.now = self.plan.val().now;

        self.s.next = self.row.val();
        if self.plan.val().move_base & self.ok.val() {
            self.s.next.base = self.cum.val();
        }
        if self.plan.val().move_first & self.ok.val() {
            self.s.next.first = self.cum.val();
        }

        self.v.next.base = bit_cast::<8, 24>(self.s.val().base);
        self.v.next.end = bit_cast::<8, 24>(self.s.val().next_psn);
        // INIT clears from base to base: everything.
        self.v.next.clear_from = bit_cast::<8, 24>(self.base.val());
        self.v.next.clear_to = bit_cast::<8, 24>(self.base.val());
        if self.plan.val().is_ack {
            self.v.next.clear_to = bit_cast::<8, 24>(self.cum.val());
        }
        self.v.next.clear_en = self.plan.val().clear_en & self.ok.val();
        self.v.next.mark_from = self.plan.val().mark_from;
        self.v.next.mark_to = self.plan.val().mark_to;
        self.v.next.mark_en = self.plan.val().mark_en & self.ok.val();
        self.v.next.open_en = self.plan.val().open_before;
        if self.ok.val() {
            self.v.next.open_en = self.plan.val().open_after;
        }
        self.v.next.hit_at = bit_cast::<8, 24>(self.psn.val());
        self.v.next.hit = self.plan.val().hit;

        self.rules.next.sack = self.plan.val().is_ack & self.ok.val();
        self.rules.next.take_resent = self.plan.val().take_resent & self.ok.val();
        self.rules.next.take_old = self.plan.val().take_old & self.ok.val();
        self.rules.next.forget = self.plan.val().forget;
        self.rules.next.force = self.plan.val().force;
        self.rules.next.start_old = self.plan.val().old_empty;
        self.rules.next.sync = self.plan.val().sync;
        self.v.next.rules = self.rules.val();

        if self.load.val() {
            self.visit_q.d.next = self.v.val();
            self.scalars_q.d.next = self.s.val();
            self.outcome_q.d.next = self.o.val();
        }
        self.visit.next = self.visit_q.q.val();
        self.scalars.next = self.scalars_q.q.val();
        self.outcome.next = self.outcome_q.q.val();
    }
}
