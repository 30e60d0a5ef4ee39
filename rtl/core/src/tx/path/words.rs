//! The four map words of an operation, one per cycle, in ring order from the word of the new `base`:
//! ranges to masks, old planes to new ones.

use super::find::FirstOf4;
use super::lanes::Lanes;
use super::row::{Planes, Rules, Visit, WordSum};
use super::span::{Span, SpanDecode, SpanMask};
use rust_hdl::prelude::*;

/// Word pipeline. A word's ranges are decoded in cycle b + i; its planes arrive with `planes` in b + 1 +
/// i, leave with `written` in b + 3 + i and are summed up in `sum` in b + 6 + i.
#[derive(LogicBlock, Default)]
pub struct Words {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Ranges and rules.
    pub visit: Signal<In, Visit>,
    /// Step of this cycle, 0 to 3.
    pub step: Signal<In, Bits<2>>,
    /// Number of its word: that of `base` in step 0.
    pub word: Signal<Out, Bits<2>>,
    /// This is the first word of the operation.
    pub is_first: Signal<In, Bit>,
    /// SACK word of this cycle's word.
    pub sack: Signal<In, Bits<64>>,
    /// Planes of the word before.
    pub planes: Signal<In, Planes>,
    /// Planes to write back.
    pub written: Signal<Out, Planes>,
    /// What the word sums up to.
    pub sum: Signal<Out, WordSum>,
    clear: SpanDecode,
    mark: SpanDecode,
    open: SpanDecode,
    clear_q: DFF<Span>,
    mark_q: DFF<Span>,
    open_q: DFF<Span>,
    sack_q: DFF<Bits<64>>,
    hit_group_q: DFF<Bits<4>>,
    hit_lane_q: DFF<Bits<16>>,
    beyond_q: DFF<Bits<4>>,
    meets_q: DFF<Bits<4>>,
    lane_q: DFF<Bits<16>>,
    rules_1: DFF<Rules>,
    rules_2: DFF<Rules>,
    clear_mask: SpanMask,
    mark_mask: SpanMask,
    open_mask: SpanMask,
    lanes: [Lanes; 4],
    lost_ahead: FirstOf4,
    lost_behind: FirstOf4,
    open_ahead: FirstOf4,
    open_behind: FirstOf4,
    newly_1: DFF<Bits<7>>,
    newly_2: DFF<Bits<7>>,
    waiting_1: DFF<Bits<7>>,
    waiting_2: DFF<Bits<7>>,
    resent_1: DFF<Bit>,
    resent_2: DFF<Bit>,
    old_1: DFF<Bit>,
    old_2: DFF<Bit>,
    rules: Signal<Local, Rules>,
    hit_at: Signal<Local, Bits<8>>,
    base: Signal<Local, Bits<8>>,
    at: Signal<Local, Bits<2>>,
    base_group: Signal<Local, Bits<2>>,
    acked: Signal<Local, Bits<64>>,
    resent: Signal<Local, Bits<64>>,
    mixed: Signal<Local, Bits<64>>,
}

impl Logic for Words {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_words");
        dff_setup!(self, clk, clear_q, mark_q, open_q, sack_q, hit_group_q, hit_lane_q);
        dff_setup!(self, clk, beyond_q, meets_q, lane_q, rules_1, rules_2);
        dff_setup!(self, clk, newly_1, newly_2, waiting_1, waiting_2, resent_1, resent_2, old_1, old_2);
        self.lost_ahead.clk.next = self.clk.val();
        self.lost_behind.clk.next = self.clk.val();
        self.open_ahead.clk.next = self.clk.val();
        self.open_behind.clk.next = self.clk.val();

        // b + i: groups.
        self.base.next = self.visit.val().base;
        self.at.next = self.base.val().get_bits::<2>(6) + self.step.val();
        self.word.next = self.at.val();
        self.clear.from.next = self.visit.val().clear_from;
        self.clear.to.next = self.visit.val().clear_to;
        self.clear.en.next = self.visit.val().clear_en;
        self.clear.word.next = self.at.val();
        self.mark.from.next = self.visit.val().mark_from;
        self.mark.to.next = self.visit.val().mark_to;
        self.mark.en.next = self.visit.val().mark_en;
        self.mark.word.next = self.at.val();
        self.open.from.next = self.base.val();
        self.open.to.next = self.visit.val().end;
        self.open.en.next = self.visit.val().open_en;
        self.open.word.next = self.at.val();
        self.clear_q.d.next = self.clear.span.val();
        self.mark_q.d.next = self.mark.span.val();
        self.open_q.d.next = self.open.span.val();
        self.rules.next = self.visit.val().rules;
        self.rules_1.d.next = self.rules.val();
        self.rules_2.d.next = self.rules_1.q.val();
        self.sack_q.d.next = 0.into();
        if self.rules.val().sack {
            self.sack_q.d.next = self.sack.val();
        }
        self.hit_at.next = self.visit.val().hit_at;
        self.hit_group_q.d.next = 0.into();
        if self.visit.val().hit & (self.at.val() == self.hit_at.val().get_bits::<2>(6)) {
            self.hit_group_q.d.next = bits::<4>(1) << self.hit_at.val().get_bits::<2>(4);
        }
        self.hit_lane_q.d.next = bits::<16>(1) << self.hit_at.val().get_bits::<4>(0);
        // Lanes ahead of base: all, but those below it in the first word.
        self.base_group.next = self.base.val().get_bits::<2>(4);
        self.beyond_q.d.next = 0xF.into();
        self.meets_q.d.next = 0.into();
        if self.is_first.val() {
            self.meets_q.d.next = bits::<4>(1) << self.base_group.val();
            self.beyond_q.d.next = bits::<4>(14) << self.base_group.val();
        }
        self.lane_q.d.next = bits::<16>(0xFFFF) << self.base.val().get_bits::<4>(0);

        // b + 1 + i: lanes.
        self.clear_mask.span.next = self.clear_q.q.val();
        self.mark_mask.span.next = self.mark_q.q.val();
        self.open_mask.span.next = self.open_q.q.val();
        self.acked.next = self.planes.val().acked;
        self.resent.next = self.planes.val().resent;
        self.mixed.next = self.planes.val().mixed;
        for g in 0..4 {
            self.lanes[g].clk.next = self.clk.val();
            self.lanes[g].rules.next = self.rules_2.q.val();
            self.lanes[g].acked.next = self.acked.val().get_bits::<16>(g * 16);
            self.lanes[g].resent.next = self.resent.val().get_bits::<16>(g * 16);
            self.lanes[g].mixed.next = self.mixed.val().get_bits::<16>(g * 16);
            self.lanes[g].clear.next = self.clear_mask.lanes[g].val();
            self.lanes[g].mark.next = self.mark_mask.lanes[g].val();
            self.lanes[g].open.next = self.open_mask.lanes[g].val();
            self.lanes[g].sack.next = self.sack_q.q.val().get_bits::<16>(g * 16);
            self.lanes[g].hit.next = 0.into();
            if self.hit_group_q.q.val().get_bit(g) {
                self.lanes[g].hit.next = self.hit_lane_q.q.val();
            }
            self.lanes[g].ahead.next = 0.into();
            if self.meets_q.q.val().get_bit(g) {
                self.lanes[g].ahead.next = self.lane_q.q.val();
            }
            if self.beyond_q.q.val().get_bit(g) {
                self.lanes[g].ahead.next = 0xFFFF.into();
            }
        }

        // b + 3 + i: back to the map memory.
        self.written.next.acked = bit_cast::<64, 16>(self.lanes[0].new_acked.val())
            | (bit_cast::<64, 16>(self.lanes[1].new_acked.val()) << 16)
            | (bit_cast::<64, 16>(self.lanes[2].new_acked.val()) << 32)
            | (bit_cast::<64, 16>(self.lanes[3].new_acked.val()) << 48);
        self.written.next.resent = bit_cast::<64, 16>(self.lanes[0].new_resent.val())
            | (bit_cast::<64, 16>(self.lanes[1].new_resent.val()) << 16)
            | (bit_cast::<64, 16>(self.lanes[2].new_resent.val()) << 32)
            | (bit_cast::<64, 16>(self.lanes[3].new_resent.val()) << 48);
        self.written.next.mixed = bit_cast::<64, 16>(self.lanes[0].new_mixed.val())
            | (bit_cast::<64, 16>(self.lanes[1].new_mixed.val()) << 16)
            | (bit_cast::<64, 16>(self.lanes[2].new_mixed.val()) << 32)
            | (bit_cast::<64, 16>(self.lanes[3].new_mixed.val()) << 48);

        // b + 4 + i, b + 5 + i: the first group with something lost; the last one unreceived, so read
        // backwards.
        for g in 0..4 {
            self.lost_ahead.any[g].next = self.lanes[g].lost_ahead.val();
            self.lost_ahead.at[g].next = self.lanes[g].lost_ahead_at.val();
            self.lost_behind.any[g].next = self.lanes[g].lost_behind.val();
            self.lost_behind.at[g].next = self.lanes[g].lost_behind_at.val();
            self.open_ahead.any[g].next = self.lanes[3 - g].open_ahead.val();
            self.open_ahead.at[g].next = self.lanes[3 - g].open_ahead_at.val();
            self.open_behind.any[g].next = self.lanes[3 - g].open_behind.val();
            self.open_behind.at[g].next = self.lanes[3 - g].open_behind_at.val();
        }
        self.newly_1.d.next = (bit_cast::<7, 5>(self.lanes[0].newly.val())
            + bit_cast::<7, 5>(self.lanes[1].newly.val()))
            + (bit_cast::<7, 5>(self.lanes[2].newly.val()) + bit_cast::<7, 5>(self.lanes[3].newly.val()));
        self.newly_2.d.next = self.newly_1.q.val();
        self.waiting_1.d.next = (bit_cast::<7, 5>(self.lanes[0].waiting.val())
            + bit_cast::<7, 5>(self.lanes[1].waiting.val()))
            + (bit_cast::<7, 5>(self.lanes[2].waiting.val()) + bit_cast::<7, 5>(self.lanes[3].waiting.val()));
        self.waiting_2.d.next = self.waiting_1.q.val();
        self.resent_1.d.next = self.lanes[0].resent_any.val()
            | self.lanes[1].resent_any.val()
            | self.lanes[2].resent_any.val()
            | self.lanes[3].resent_any.val();
        self.resent_2.d.next = self.resent_1.q.val();
        self.old_1.d.next = self.lanes[0].old_any.val()
            | self.lanes[1].old_any.val()
            | self.lanes[2].old_any.val()
            | self.lanes[3].old_any.val();
        self.old_2.d.next = self.old_1.q.val();
        self.sum.next.lost_ahead = self.lost_ahead.found.val();
        self.sum.next.lost_ahead_at = (bit_cast::<6, 2>(self.lost_ahead.group.val()) << 4)
            | bit_cast::<6, 4>(self.lost_ahead.lane.val());
        self.sum.next.lost_behind = self.lost_behind.found.val();
        self.sum.next.lost_behind_at = (bit_cast::<6, 2>(self.lost_behind.group.val()) << 4)
            | bit_cast::<6, 4>(self.lost_behind.lane.val());
        self.sum.next.open_ahead = self.open_ahead.found.val();
        self.sum.next.open_ahead_at = (bit_cast::<6, 2>(!self.open_ahead.group.val()) << 4)
            | bit_cast::<6, 4>(self.open_ahead.lane.val());
        self.sum.next.open_behind = self.open_behind.found.val();
        self.sum.next.open_behind_at = (bit_cast::<6, 2>(!self.open_behind.group.val()) << 4)
            | bit_cast::<6, 4>(self.open_behind.lane.val());
        self.sum.next.newly = self.newly_2.q.val();
        self.sum.next.waiting = self.waiting_2.q.val();
        self.sum.next.resent_any = self.resent_2.q.val();
        self.sum.next.old_any = self.old_2.q.val();
    }
}
