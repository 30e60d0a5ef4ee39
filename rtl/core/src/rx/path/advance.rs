//! Finds where cum goes when the PSN at cum is accepted; a part of the receive path engine.
//!
//! The words of a path arrive in ring order from the word of cum (which is then the PSN's), in normal form,
//! before the operation. The new cum is the first slot after cum that is not received: in the first word
//! above cum, else in the next three words, else in the first word from its bottom on (a full turn ends at
//! cum's own slot, whose bit is 0). Words in cycles 4..=7, result in cycle 10. The result is meaningful only
//! if the PSN was at cum.

use super::first_zero::FirstZero;
use rust_hdl::prelude::*;

/// First zero in ring order from a PSN, one word of 64 slots per cycle.
#[derive(LogicBlock, Default)]
pub struct Advance {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Cycle 4: place of the PSN in the first word, psn[5:0].
    pub place: Signal<In, Bits<6>>,
    /// Cycles 4..=7: number of the word in the ring.
    pub index: Signal<In, Bits<2>>,
    /// Cycles 4..=7: the word.
    pub word: Signal<In, Bits<64>>,
    /// An operation is in cycle 6.
    pub in_cycle6: Signal<In, Bit>,
    /// Cycle 10: the slot found, the low 8 bits of the new cum.
    pub slot: Signal<Out, Bits<8>>,
    /// Cycle 10: the search went past slot 255, so that the new cum is on the next lap.
    pub wrap: Signal<Out, Bit>,
    above: [FirstZero; 4],
    whole: [FirstZero; 4],
    any_above5: DFF<Bits<4>>,
    any_whole5: DFF<Bits<4>>,
    first_above5: DFF<Bits<16>>,
    first_whole5: DFF<Bits<16>>,
    index5: DFF<Bits<2>>,
    any_above6: DFF<Bit>,
    any_whole6: DFF<Bit>,
    place_above6: DFF<Bits<6>>,
    place_whole6: DFF<Bits<6>>,
    index6: DFF<Bits<2>>,
    found7: DFF<Bit>,
    turned7: DFF<Bit>,
    wrap7: DFF<Bit>,
    index7: DFF<Bits<2>>,
    place7: DFF<Bits<6>>,
    group: Signal<Local, Bits<3>>,
    lane: Signal<Local, Bits<3>>,
    below: Signal<Local, Bits<8>>,
    own: Signal<Local, Bits<8>>,
    up_to: Signal<Local, Bits<8>>,
    beyond: Signal<Local, Bits<64>>,
    any_above: Signal<Local, Bits<4>>,
    any_whole: Signal<Local, Bits<4>>,
    place_above: Signal<Local, Bits<6>>,
    place_whole: Signal<Local, Bits<6>>,
    turned: Signal<Local, Bit>,
}

impl Logic for Advance {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module rx_path_advance");
        dff_setup!(
            self,
            clk,
            any_above5,
            any_whole5,
            first_above5,
            first_whole5,
            index5,
            any_above6,
            any_whole6,
            place_above6,
            place_whole6,
            index6,
            found7,
            turned7,
            wrap7,
            index7,
            place7
        );
        // Cycles 4..=7: first zeros of four groups of 16; `above` takes the slots up to the PSN's as
        // received, which only makes sense in the first word.
        self.group.next = self.place.val().get_bits::<3>(3);
        self.lane.next = self.place.val().get_bits::<3>(0);
        self.below.next = !(bits::<8>(0xFF) << self.group.val());
        self.own.next = bits::<8>(1) << self.group.val();
        self.up_to.next = !(bits::<8>(0xFE) << self.lane.val());
        self.beyond.next = self.word.val();
        for g in 0..8 {
            for k in 0..8 {
                if self.below.val().get_bit(g) | (self.own.val().get_bit(g) & self.up_to.val().get_bit(k)) {
                    self.beyond.next = self.beyond.val().replace_bit(8 * g + k, true);
                }
            }
        }
        self.any_above.next = 0.into();
        self.any_whole.next = 0.into();
        for k in 0..4 {
            self.above[k].lanes.next = self.beyond.val().get_bits::<16>(16 * k);
            self.whole[k].lanes.next = self.word.val().get_bits::<16>(16 * k);
            self.any_above.next = self.any_above.val().replace_bit(k, self.above[k].any.val());
            self.any_whole.next = self.any_whole.val().replace_bit(k, self.whole[k].any.val());
        }
        self.any_above5.d.next = self.any_above.val();
        self.any_whole5.d.next = self.any_whole.val();
        self.first_above5.d.next = bit_cast::<16, 4>(self.above[0].first.val())
            | (bit_cast::<16, 4>(self.above[1].first.val()) << 4)
            | (bit_cast::<16, 4>(self.above[2].first.val()) << 8)
            | (bit_cast::<16, 4>(self.above[3].first.val()) << 12);
        self.first_whole5.d.next = bit_cast::<16, 4>(self.whole[0].first.val())
            | (bit_cast::<16, 4>(self.whole[1].first.val()) << 4)
            | (bit_cast::<16, 4>(self.whole[2].first.val()) << 8)
            | (bit_cast::<16, 4>(self.whole[3].first.val()) << 12);
        self.index5.d.next = self.index.val();

        // Cycles 5..=8: first zero of the word.
        self.place_above.next = bit_cast::<6, 4>(self.first_above5.q.val().get_bits::<4>(12)) | 48;
        if self.any_above5.q.val().get_bit(2) {
            self.place_above.next = bit_cast::<6, 4>(self.first_above5.q.val().get_bits::<4>(8)) | 32;
        }
        if self.any_above5.q.val().get_bit(1) {
            self.place_above.next = bit_cast::<6, 4>(self.first_above5.q.val().get_bits::<4>(4)) | 16;
        }
        if self.any_above5.q.val().get_bit(0) {
            self.place_above.next = bit_cast::<6, 4>(self.first_above5.q.val().get_bits::<4>(0));
        }
        self.place_whole.next = bit_cast::<6, 4>(self.first_whole5.q.val().get_bits::<4>(12)) | 48;
        if self.any_whole5.q.val().get_bit(2) {
            self.place_whole.next = bit_cast::<6, 4>(self.first_whole5.q.val().get_bits::<4>(8)) | 32;
        }
        if self.any_whole5.q.val().get_bit(1) {
            self.place_whole.next = bit_cast::<6, 4>(self.first_whole5.q.val().get_bits::<4>(4)) | 16;
        }
        if self.any_whole5.q.val().get_bit(0) {
            self.place_whole.next = bit_cast::<6, 4>(self.first_whole5.q.val().get_bits::<4>(0));
        }
        self.any_above6.d.next = self.any_above5.q.val().any();
        self.any_whole6.d.next = self.any_whole5.q.val().any();
        self.place_above6.d.next = self.place_above.val();
        self.place_whole6.d.next = self.place_whole.val();
        self.index6.d.next = self.index5.q.val();

        // Cycles 6..=9: the first hit in ring order stays. Until there is one, the answer is the first word's
        // own first zero, one lap on.
        self.turned.next = self.turned7.q.val() | !self.index6.q.val().any();
        self.turned7.d.next = self.turned.val();
        if self.in_cycle6.val() {
            self.turned7.d.next = false;
            self.found7.d.next = self.any_above6.q.val();
            self.wrap7.d.next = !self.any_above6.q.val();
            self.index7.d.next = self.index6.q.val();
            self.place7.d.next = self.place_whole6.q.val();
            if self.any_above6.q.val() {
                self.place7.d.next = self.place_above6.q.val();
            }
        } else if !self.found7.q.val() & self.any_whole6.q.val() {
            self.found7.d.next = true;
            self.wrap7.d.next = self.turned.val();
            self.index7.d.next = self.index6.q.val();
            self.place7.d.next = self.place_whole6.q.val();
        }

        // Cycle 10.
        self.slot.next = (bit_cast::<8, 2>(self.index7.q.val()) << 6) | bit_cast::<8, 6>(self.place7.q.val());
        self.wrap.next = self.wrap7.q.val();
    }
}
