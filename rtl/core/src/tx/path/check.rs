//! Compares an operation with its row: where the ACK lies in the window and in time, and whether its SACK
//! words stay inside (REQ-TX-1). Subtractions in one cycle, their signs in the next; the four words one
//! per cycle beside that.

use super::row::{Request, Scalars, Verdict};
use super::span::{Span, SpanDecode, SpanMask};
use rust_hdl::prelude::*;

/// Verdict on an operation. `request` and row hold for four cycles, c to c + 3; `verdict` is valid from c
/// + 2 on for four cycles, `outside` in c + 5.
#[derive(LogicBlock, Default)]
pub struct Check {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The operation.
    pub request: Signal<In, Request>,
    /// Its row.
    pub row: Signal<In, Scalars>,
    /// Highest PSN received, less the reorder guard.
    pub limit: Signal<In, Bits<24>>,
    /// Low bits of `cum + 1`.
    pub behind_cum: Signal<In, Bits<9>>,
    /// Ticks an echoed timestamp may be old.
    pub max_age: Signal<In, Bits<32>>,
    /// Word of this cycle, 0 to 3.
    pub word: Signal<In, Bits<2>>,
    /// SACK word of this cycle.
    pub sack: Signal<In, Bits<64>>,
    /// High in cycle c + 2.
    pub fresh: Signal<In, Bit>,
    /// Where the ACK lies.
    pub verdict: Signal<Out, Verdict>,
    /// A SACK bit lies outside `(cum, next)`.
    pub outside: Signal<Out, Bit>,
    cum_base: DFF<Bits<24>>,
    next_cum: DFF<Bits<24>>,
    high_cum: DFF<Bits<24>>,
    next_high: DFF<Bits<24>>,
    limit_first: DFF<Bits<24>>,
    cum_first: DFF<Bits<24>>,
    age: DFF<Bits<32>>,
    since_tn: DFF<Bits<32>>,
    since_t1: DFF<Bits<32>>,
    since_t0: DFF<Bits<32>>,
    same_route: DFF<Bit>,
    flags: DFF<Verdict>,
    decode: SpanDecode,
    span: DFF<Span>,
    mask: SpanMask,
    sack_q: DFF<Bits<64>>,
    group_out: DFF<Bits<4>>,
    seen_out: DFF<Bit>,
    next_low: Signal<Local, Bits<9>>,
    cum_low: Signal<Local, Bits<9>>,
    stray: [Signal<Local, Bits<16>>; 4],
    strays: Signal<Local, Bits<4>>,
}

impl Logic for Check {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_check");
        dff_setup!(self, clk, cum_base, next_cum, high_cum, next_high, limit_first, cum_first);
        dff_setup!(self, clk, age, since_tn, since_t1, since_t0, same_route, flags);
        dff_setup!(self, clk, span, sack_q, group_out, seen_out);

        // Differences, serial: the top bit is the sign.
        self.cum_base.d.next = self.request.val().cum - self.row.val().base;
        self.next_cum.d.next = self.row.val().next_psn - self.request.val().cum;
        self.high_cum.d.next = self.request.val().high - self.request.val().cum;
        // next - 1 - high
        self.next_high.d.next = self.row.val().next_psn + !self.request.val().high;
        self.limit_first.d.next = self.limit.val() - self.row.val().first;
        self.cum_first.d.next = self.request.val().cum - self.row.val().first;
        self.age.d.next = self.request.val().now - self.request.val().ts;
        self.since_tn.d.next = self.request.val().ts - self.row.val().tn;
        self.since_t1.d.next = self.request.val().ts - self.row.val().t1;
        self.since_t0.d.next = self.request.val().ts - self.row.val().t0;
        self.same_route.d.next = self.request.val().route == self.row.val().route;

        // Signs. An age ahead of now is a huge unsigned one. high - cum may be -1, all ones.
        self.flags.d.next.stale = self.cum_base.q.val().get_bit(23) | (self.age.q.val() > self.max_age.val());
        self.flags.d.next.invalid = self.next_cum.q.val().get_bit(23)
            | self.next_high.q.val().get_bit(23)
            | (self.high_cum.q.val().get_bit(23) & !self.high_cum.q.val().all());
        self.flags.d.next.same_route = self.same_route.q.val();
        self.flags.d.next.after_tn = !self.since_tn.q.val().get_bit(31) & self.since_tn.q.val().any();
        self.flags.d.next.after_t1 = !self.since_t1.q.val().get_bit(31) & self.since_t1.q.val().any();
        self.flags.d.next.after_t0 = !self.since_t0.q.val().get_bit(31) & self.since_t0.q.val().any();
        self.flags.d.next.limit_past = !self.limit_first.q.val().get_bit(23) & self.limit_first.q.val().any();
        self.flags.d.next.cum_past = !self.cum_first.q.val().get_bit(23);
        self.verdict.next = self.flags.q.val();

        // SACK words against (cum, next): empty when next is cum or cum + 1.
        self.next_low.next = bit_cast::<9, 24>(self.row.val().next_psn);
        self.cum_low.next = bit_cast::<9, 24>(self.request.val().cum);
        self.decode.from.next = bit_cast::<8, 9>(self.behind_cum.val());
        self.decode.to.next = bit_cast::<8, 9>(self.next_low.val());
        self.decode.en.next =
            (self.next_low.val() != self.cum_low.val()) & (self.next_low.val() != self.behind_cum.val());
        self.decode.word.next = self.word.val();
        self.span.d.next = self.decode.span.val();
        self.sack_q.d.next = self.sack.val();
        self.mask.span.next = self.span.q.val();
        self.strays.next = 0.into();
        for g in 0..4 {
            self.stray[g].next = self.sack_q.q.val().get_bits::<16>(g * 16) & !self.mask.lanes[g].val();
            self.strays.next = self.strays.val().replace_bit(g, self.stray[g].val().any());
        }
        self.group_out.d.next = self.strays.val();
        self.outside.next = self.seen_out.q.val() | self.group_out.q.val().any();
        self.seen_out.d.next = self.outside.val();
        if self.fresh.val() {
            self.seen_out.d.next = self.group_out.q.val().any();
        }
    }
}
