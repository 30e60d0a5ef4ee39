//! Ranges of the ring as lane masks, one 64-bit word at a time, in two steps: [`SpanDecode`] says per
//! group of 16 lanes whether the range covers it, begins in it or ends in it; [`SpanMask`] spreads that
//! to lanes. A register between the two keeps either short. Both are combinational.

use rust_hdl::prelude::*;

/// A range within one word, decoded to groups (44 bits).
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct Span {
    /// Groups wholly inside.
    pub all: Bits<4>,
    /// The group in which the range begins (and ends, if it is the same one).
    pub first: Bits<4>,
    /// The group in which the range ends, if another.
    pub last: Bits<4>,
    /// Lanes of the first group.
    pub first_lanes: Bits<16>,
    /// Lanes of the last group.
    pub last_lanes: Bits<16>,
}

/// The range `[from, to)` of the ring within word `word`.
#[derive(LogicBlock, Default)]
pub struct SpanDecode {
    /// First ring index.
    pub from: Signal<In, Bits<8>>,
    /// Ring index behind the last; equal to `from` means all 256.
    pub to: Signal<In, Bits<8>>,
    /// The range is not empty.
    pub en: Signal<In, Bit>,
    /// Word, in natural order.
    pub word: Signal<In, Bits<2>>,
    /// The range within the word.
    pub span: Signal<Out, Span>,
    same: Signal<Local, Bit>,
    wrap: Signal<Local, Bit>,
    from_word: Signal<Local, Bits<2>>,
    to_word: Signal<Local, Bits<2>>,
    from_one: Signal<Local, Bits<4>>,
    from_above: Signal<Local, Bits<4>>,
    to_one: Signal<Local, Bits<4>>,
    to_below: Signal<Local, Bits<4>>,
    begins: Signal<Local, Bits<4>>,
    ends: Signal<Local, Bits<4>>,
    above: Signal<Local, Bits<4>>,
    below: Signal<Local, Bits<4>>,
    inside: Signal<Local, Bits<4>>,
    head: Signal<Local, Bits<16>>,
    tail: Signal<Local, Bits<16>>,
    first_lanes: Signal<Local, Bits<16>>,
}

impl Logic for SpanDecode {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_span_decode");
        self.same.next = self.from.val().get_bits::<4>(4) == self.to.val().get_bits::<4>(4);
        self.wrap.next = self.from.val() >= self.to.val();
        self.from_word.next = self.from.val().get_bits::<2>(6);
        self.to_word.next = self.to.val().get_bits::<2>(6);
        self.from_one.next = bits::<4>(1) << self.from.val().get_bits::<2>(4);
        self.from_above.next = (bits::<4>(15) << self.from.val().get_bits::<2>(4)) & !self.from_one.val();
        self.to_one.next = bits::<4>(1) << self.to.val().get_bits::<2>(4);
        self.to_below.next = !(bits::<4>(15) << self.to.val().get_bits::<2>(4));

        self.begins.next = 0.into();
        self.above.next = 0.into();
        if self.word.val() == self.from_word.val() {
            self.begins.next = self.from_one.val();
            self.above.next = self.from_above.val();
        }
        if self.word.val() > self.from_word.val() {
            self.above.next = bits::<4>(15);
        }
        self.ends.next = 0.into();
        self.below.next = 0.into();
        if self.word.val() == self.to_word.val() {
            self.ends.next = self.to_one.val();
            self.below.next = self.to_below.val();
        }
        if self.word.val() < self.to_word.val() {
            self.below.next = bits::<4>(15);
        }
        self.inside.next = self.above.val() & self.below.val();
        if self.wrap.val() {
            self.inside.next = self.above.val() | self.below.val();
        }

        self.head.next = bits::<16>(0xFFFF) << self.from.val().get_bits::<4>(0);
        self.tail.next = !(bits::<16>(0xFFFF) << self.to.val().get_bits::<4>(0));
        self.first_lanes.next = self.head.val();
        if self.same.val() {
            self.first_lanes.next = self.head.val() & self.tail.val();
            if self.wrap.val() {
                self.first_lanes.next = self.head.val() | self.tail.val();
            }
        }

        self.span.next.all = 0.into();
        self.span.next.first = 0.into();
        self.span.next.last = 0.into();
        if self.en.val() {
            self.span.next.all = self.inside.val() & !self.begins.val() & !self.ends.val();
            self.span.next.first = self.begins.val();
            if !self.same.val() {
                self.span.next.last = self.ends.val();
            }
        }
        self.span.next.first_lanes = self.first_lanes.val();
        self.span.next.last_lanes = self.tail.val();
    }
}

/// The lanes of a decoded range, in groups of 16.
#[derive(LogicBlock, Default)]
pub struct SpanMask {
    /// Decoded range.
    pub span: Signal<In, Span>,
    /// Lanes of the groups.
    pub lanes: [Signal<Out, Bits<16>>; 4],
    all: Signal<Local, Bits<4>>,
    first: Signal<Local, Bits<4>>,
    last: Signal<Local, Bits<4>>,
}

impl Logic for SpanMask {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_span_mask");
        self.all.next = self.span.val().all;
        self.first.next = self.span.val().first;
        self.last.next = self.span.val().last;
        for g in 0..4 {
            self.lanes[g].next = 0.into();
            if self.first.val().get_bit(g) {
                self.lanes[g].next = self.span.val().first_lanes;
            }
            if self.last.val().get_bit(g) {
                self.lanes[g].next = self.span.val().last_lanes;
            }
            if self.all.val().get_bit(g) {
                self.lanes[g].next = bits::<16>(0xFFFF);
            }
        }
    }
}
