//! What an operation does, as far as its row and the verdict tell: new numbers, ranges to clear and to
//! mark, rounds of resends to give up. The rules of `docs/protocol.md` section 5; only the SACK words are
//! still to be judged.

use super::row::{Cache, Plan, Request, Scalars, Verdict};
use rust_hdl::prelude::*;

/// Plan of an operation, registered at `load`.
#[derive(LogicBlock, Default)]
pub struct Planner {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Take the operation.
    pub load: Signal<In, Bit>,
    /// The operation.
    pub request: Signal<In, Request>,
    /// Its row.
    pub row: Signal<In, Scalars>,
    /// What the row knows of the maps.
    pub cache: Signal<In, Cache>,
    /// Highest PSN received, less the reorder guard.
    pub limit: Signal<In, Bits<24>>,
    /// Where an ACK lies.
    pub verdict: Signal<In, Verdict>,
    /// The plan.
    pub plan: Signal<Out, Plan>,
    /// The row after the operation, but for what an ACK's `cum` moves.
    pub scalars: Signal<Out, Scalars>,
    plan_q: DFF<Plan>,
    scalars_q: DFF<Scalars>,
    p: Signal<Local, Plan>,
    s: Signal<Local, Scalars>,
    is_ack: Signal<Local, Bit>,
    resends: Signal<Local, Bit>,
    reroutes: Signal<Local, Bit>,
    sends: Signal<Local, Bit>,
    full: Signal<Local, Bit>,
    stale: Signal<Local, Bit>,
    old_empty: Signal<Local, Bit>,
    hit: Signal<Local, Bit>,
    hit_at: Signal<Local, Bits<8>>,
    base: Signal<Local, Bits<24>>,
    base_low: Signal<Local, Bits<9>>,
    next_low: Signal<Local, Bits<9>>,
    first_low: Signal<Local, Bits<9>>,
    cum_low: Signal<Local, Bits<9>>,
    covers_all: Signal<Local, Bit>,
    not_empty: Signal<Local, Bit>,
}

impl Logic for Planner {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_plan");
        dff_setup!(self, clk, plan_q, scalars_q);
        self.is_ack.next = self.request.val().op == 0;
        self.resends.next = (self.request.val().op == 1) | (self.request.val().op == 2);
        self.reroutes.next = (self.request.val().op == 3) | (self.request.val().op == 5);
        self.base.next = self.row.val().base;
        // A length is at most 256, so nine bits tell an empty range from a full one.
        self.base_low.next = bit_cast::<9, 24>(self.base.val());
        self.next_low.next = bit_cast::<9, 24>(self.row.val().next_psn);
        self.first_low.next = bit_cast::<9, 24>(self.row.val().first);
        self.cum_low.next = bit_cast::<9, 24>(self.request.val().cum);
        self.not_empty.next = self.next_low.val() != self.base_low.val();
        self.full.next = self.not_empty.val()
            & (bit_cast::<8, 9>(self.next_low.val()) == bit_cast::<8, 9>(self.base_low.val()));
        self.sends.next = (self.request.val().op == 6) & !self.full.val();
        self.stale.next = self.is_ack.val() & self.verdict.val().stale;

        // REQ-TX-5, REQ-TX-6: RESEND takes the lowest lost PSN, EXPIRE the highest unreceived one, both
        // known from the last visit. Whether old is empty is asked before it leaves.
        self.hit_at.next = self.cache.val().open_high;
        self.hit.next = (self.request.val().op == 2) & self.cache.val().open_any;
        if self.request.val().op == 1 {
            self.hit_at.next = self.cache.val().lost_low;
            self.hit.next = self.cache.val().lost_any;
        }
        self.old_empty.next = !self.cache.val().old_any;
        if self.cache.val().sync {
            self.old_empty.next = !self.cache.val().resent_any;
        }

        self.p.next.op = self.request.val().op;
        self.p.next.is_ack = self.is_ack.val();
        self.p.next.stale = self.stale.val();
        self.p.next.ok = true;
        if self.is_ack.val() {
            self.p.next.ok = !self.verdict.val().stale & !self.verdict.val().invalid;
        }
        if self.resends.val() {
            self.p.next.ok = self.hit.val();
        }
        if self.request.val().op == 6 {
            self.p.next.ok = self.sends.val();
        }
        self.p.next.now = self.request.val().now;
        self.p.next.cum = self.request.val().cum;
        self.p.next.move_base = self.is_ack.val() | (self.request.val().op == 7);
        self.p.next.move_first =
            (self.is_ack.val() & self.verdict.val().cum_past) | (self.request.val().op == 7);
        self.p.next.hit = self.hit.val();
        self.p.next.old_empty = self.old_empty.val();
        self.p.next.sync = self.cache.val().sync;

        // The PSN of a ring index: its low byte is the index, and a smaller one than base's has wrapped.
        self.p.next.psn = (self.base.val() & 0xFF_FF00) + bit_cast::<24, 8>(self.hit_at.val());
        if self.hit_at.val() < self.base.val().get_bits::<8>(0) {
            self.p.next.psn = (self.base.val() & 0xFF_FF00) + 0x100 + bit_cast::<24, 8>(self.hit_at.val());
        }
        if self.request.val().op == 6 {
            self.p.next.psn = self.row.val().next_psn;
        }

        // REQ-TX-11. Cleared: [base, cum); by INIT everything, which equal indices mean.
        self.p.next.clear_en =
            (self.is_ack.val() & (self.cum_low.val() != self.base_low.val())) | (self.request.val().op == 7);

        // Marked lost. ACK: from first on, to next if the echo is newer than the last new packet
        // (REQ-TX-3), else to the limit (REQ-TX-2). VOLUNTARY_TIMEOUT: what was sent before the change
        // (REQ-TX-9). DEAD: all (REQ-TX-10).
        self.covers_all.next = self.verdict.val().same_route & self.verdict.val().after_tn;
        self.p.next.mark_from = bit_cast::<8, 9>(self.base_low.val());
        self.p.next.mark_to = bit_cast::<8, 9>(self.next_low.val());
        self.p.next.mark_en = (self.request.val().op == 5) & self.not_empty.val();
        if self.request.val().op == 4 {
            self.p.next.mark_to = bit_cast::<8, 9>(self.first_low.val());
            self.p.next.mark_en = self.first_low.val() != self.base_low.val();
        }
        if self.is_ack.val() {
            self.p.next.mark_from = bit_cast::<8, 9>(self.first_low.val());
            self.p.next.mark_en = self.next_low.val() != self.first_low.val();
            if !self.covers_all.val() {
                self.p.next.mark_to = bit_cast::<8, 24>(self.limit.val());
                self.p.next.mark_en = self.verdict.val().limit_past;
            }
        }
        // Rounds of resends: given up by a new route (REQ-TX-8), lost again by a newer echo (REQ-TX-4).
        self.p.next.force = self.request.val().op == 5;
        self.p.next.forget = self.reroutes.val();
        self.p.next.take_resent =
            self.is_ack.val() & self.verdict.val().same_route & self.verdict.val().after_t1;
        self.p.next.take_old = self.is_ack.val()
            & self.verdict.val().same_route
            & !self.verdict.val().after_t1
            & self.verdict.val().after_t0;
        self.p.next.open_before = self.not_empty.val();
        self.p.next.open_after = self.not_empty.val() | (self.request.val().op == 6);
        if self.is_ack.val() {
            self.p.next.open_after = self.next_low.val() != self.cum_low.val();
        }

        self.s.next = self.row.val();
        // REQ-TX-7: next and tn change together, never beyond base + 256.
        if self.sends.val() {
            self.s.next.next_psn = self.row.val().next_psn + 1;
            self.s.next.tn = self.request.val().now;
            self.s.next.inflight = self.row.val().inflight + 1;
        }
        if self.reroutes.val() {
            self.s.next.route = self.row.val().route + 1;
            self.s.next.first = self.row.val().next_psn;
        }
        if self.hit.val() {
            self.s.next.t1 = self.request.val().now;
            if self.old_empty.val() {
                self.s.next.t0 = self.request.val().now;
            }
        }
        if self.request.val().op == 7 {
            self.s.next.next_psn = self.request.val().cum;
            self.s.next.route = 0.into();
            self.s.next.tn = self.request.val().now;
            self.s.next.t1 = self.request.val().now;
            self.s.next.t0 = self.request.val().now;
            self.s.next.inflight = 0.into();
            self.p.next.open_after = false;
        }

        if self.load.val() {
            self.plan_q.d.next = self.p.val();
            self.scalars_q.d.next = self.s.val();
        }
        self.plan.next = self.plan_q.q.val();
        self.scalars.next = self.scalars_q.q.val();
    }
}
