//! Step 2 of the parser: aligns the frame to its transport header. Latency 1 cycle for the aligned beat,
//! 2 for the payload stream (1 more for a last beat that the alignment adds). Doc
//! `docs/blocks/rx-parse.md`.
//!
//! A frame's aligned beats are at most as many as its own, as the first of them is never payload: so an
//! added last beat leaves in the cycle of the next frame's first beat, and nothing ever stalls.

use super::layout::{BEAT_ZERO, TRANSPORT_START};
use heddle_wire::net::Ipv6Header;
use rust_hdl::prelude::*;

/// Aligner: `W` data bits, `B` bytes.
#[derive(LogicBlock)]
pub struct Align<const W: usize, const B: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// A beat of the frame.
    pub valid: Signal<In, Bit>,
    /// Last beat of the frame.
    pub last: Signal<In, Bit>,
    /// Frame bytes, byte 0 in bits 7 to 0.
    pub data: Signal<In, Bits<W>>,
    /// Bytes that count.
    pub keep: Signal<In, Bits<B>>,
    /// Number of the beat in the frame, saturated at 15.
    pub n: Signal<In, Bits<4>>,
    /// Layout of the frame: 0 IPv4, 1 IPv4 behind a tag, 2 IPv6, 3 IPv6 behind a tag.
    pub layout: Signal<In, Bits<2>>,

    /// Number of the aligned beat that ends in the beat of the cycle before; [`BEAT_ZERO`] is the
    /// transport header's first.
    pub a_beat: Signal<Out, Bits<5>>,
    /// That aligned beat in network order: byte 0 in the top bits.
    pub a_data: Signal<Out, Bits<W>>,
    /// With `a_beat == BEAT_ZERO - 1`: the transport header's first two bytes, the first in bits 7 to 0.
    pub a_ahead: Signal<Out, Bits<16>>,
    /// A beat from the transport header on.
    pub p_valid: Signal<Out, Bit>,
    /// Last beat of the frame.
    pub p_last: Signal<Out, Bit>,
    /// Bytes, the transport header's first in bits 7 to 0 of the first beat.
    pub p_data: Signal<Out, Bits<W>>,
    /// Bytes that count.
    pub p_keep: Signal<Out, Bits<B>>,
    /// Number of the aligned beat.
    pub p_beat: Signal<Out, Bits<5>>,

    hold2: DFF<Bits<W>>,
    hold_keep2: DFF<Bits<B>>,
    layout2: DFF<Bits<2>>,
    data2: DFF<Bits<W>>,
    keep2: DFF<Bits<B>>,
    beat2: DFF<Bits<5>>,
    inside2: DFF<Bit>,
    last2: DFF<Bit>,
    rest2: DFF<Bit>,
    rest3: DFF<Bit>,
    rest_data3: DFF<Bits<W>>,
    rest_keep3: DFF<Bits<B>>,
    rest_beat3: DFF<Bits<5>>,
    valid3: DFF<Bit>,
    last3: DFF<Bit>,
    data3: DFF<Bits<W>>,
    keep3: DFF<Bits<B>>,
    beat3: DFF<Bits<5>>,

    aligned: Signal<Local, Bits<W>>,
    aligned_keep: Signal<Local, Bits<B>>,
    ahead: Signal<Local, Bits<W>>,
    ahead_keep: Signal<Local, Bits<B>>,
    network: Signal<Local, Bits<W>>,
    remaining: Signal<Local, Bits<W>>,
    more: Signal<Local, Bit>,
    beat: Signal<Local, Bits<5>>,
    carries: Signal<Local, Bit>,
    touches: Signal<Local, Bit>,

    /// By layout: bits and bytes before the transport header in its beat, and the rest of the beat.
    down: [Constant<Bits<10>>; 4],
    up: [Constant<Bits<10>>; 4],
    keep_down: [Constant<Bits<7>>; 4],
    keep_up: [Constant<Bits<7>>; 4],
    /// By layout: beat that holds the transport header's first byte, and what turns a beat number into
    /// that of an aligned beat.
    start: [Constant<Bits<4>>; 4],
    offset: [Constant<Bits<5>>; 4],
    /// By layout: the frame may end in the beat before that one with a whole IP header.
    lonely: [Constant<Bit>; 4],
    before_header: Constant<Bits<5>>,
    low_byte: Constant<Bits<W>>,
}

impl<const W: usize, const B: usize> Default for Align<W, B> {
    fn default() -> Self {
        let number = |n: usize| n as LiteralType;
        let start = TRANSPORT_START.map(|t| t / B);
        let byte = TRANSPORT_START.map(|t| t % B);
        Self {
            clk: Default::default(),
            rst: Default::default(),
            valid: Default::default(),
            last: Default::default(),
            data: Default::default(),
            keep: Default::default(),
            n: Default::default(),
            layout: Default::default(),
            a_beat: Default::default(),
            a_data: Default::default(),
            a_ahead: Default::default(),
            p_valid: Default::default(),
            p_last: Default::default(),
            p_data: Default::default(),
            p_keep: Default::default(),
            p_beat: Default::default(),
            hold2: Default::default(),
            hold_keep2: Default::default(),
            layout2: Default::default(),
            data2: Default::default(),
            keep2: Default::default(),
            beat2: Default::default(),
            inside2: Default::default(),
            last2: Default::default(),
            rest2: Default::default(),
            rest3: Default::default(),
            rest_data3: Default::default(),
            rest_keep3: Default::default(),
            rest_beat3: Default::default(),
            valid3: Default::default(),
            last3: Default::default(),
            data3: Default::default(),
            keep3: Default::default(),
            beat3: Default::default(),
            aligned: Default::default(),
            aligned_keep: Default::default(),
            ahead: Default::default(),
            ahead_keep: Default::default(),
            network: Default::default(),
            remaining: Default::default(),
            more: Default::default(),
            beat: Default::default(),
            carries: Default::default(),
            touches: Default::default(),
            down: byte.map(|b| Constant::new(bits(number(8 * b)))),
            up: byte.map(|b| Constant::new(bits(number(8 * (B - b))))),
            keep_down: byte.map(|b| Constant::new(bits(number(b)))),
            keep_up: byte.map(|b| Constant::new(bits(number(B - b)))),
            start: start.map(|s| Constant::new(bits(number(s)))),
            // Beat n completes aligned beat n - 1 - start; modulo 2^5, as the first ones lie before
            // every field.
            offset: start.map(|s| Constant::new(bits(number((32 + BEAT_ZERO - 1 - s) % 32)))),
            // Only where a beat has room for the longest IP header: there it is all in one aligned beat.
            lonely: start.map(|s| Constant::new(s == 1 && B > Ipv6Header::BYTES)),
            before_header: Constant::new(bits(number(BEAT_ZERO - 1))),
            low_byte: Constant::new(bits(0xff)),
        }
    }
}

impl<const W: usize, const B: usize> Logic for Align<W, B> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, hold2, hold_keep2, layout2, data2, keep2, beat2, inside2, last2, rest2);
        dff_setup!(self, clk, rest3, rest_data3, rest_keep3, rest_beat3, valid3, last3, data3, keep3, beat3);

        // Stage 1 to 2: the aligned beat that this beat completes, from it and the one before.
        self.aligned.next = 0.into();
        self.aligned_keep.next = 0.into();
        self.more.next = false;
        self.beat.next = 0.into();
        self.carries.next = false;
        self.touches.next = false;
        for k in 0..4 {
            if self.layout.val() == k.to_bits() {
                self.aligned.next =
                    (self.hold2.q.val() >> self.down[k].val()) | (self.data.val() << self.up[k].val());
                self.aligned_keep.next = (self.hold_keep2.q.val() >> self.keep_down[k].val())
                    | (self.keep.val() << self.keep_up[k].val());
                self.more.next = (self.keep.val() >> self.keep_down[k].val()).get_bit(0);
                self.beat.next = bit_cast::<5, 4>(self.n.val()) + self.offset[k].val();
                self.carries.next = self.n.val() > self.start[k].val();
                self.touches.next = self.carries.val() | (self.n.val() == self.start[k].val());
                // A frame that ends before the transport header's beat does not complete the aligned
                // beat that holds its whole IP header.
                if self.last.val() & !self.touches.val() & self.lonely[k].val() {
                    self.aligned.next = self.data.val() >> self.down[k].val();
                    self.beat.next = self.before_header.val();
                }
            }
        }
        if self.valid.val() {
            self.hold2.d.next = self.data.val();
            self.hold_keep2.d.next = self.keep.val();
            self.layout2.d.next = self.layout.val();
            self.data2.d.next = self.aligned.val();
            self.keep2.d.next = self.aligned_keep.val();
            self.beat2.d.next = self.beat.val();
        }
        self.inside2.d.next = self.valid.val() & self.carries.val() & !self.rst.val();
        self.last2.d.next = self.last.val() & !self.more.val();
        self.rest2.d.next =
            self.valid.val() & self.touches.val() & self.last.val() & self.more.val() & !self.rst.val();

        self.network.next = 0.into();
        self.remaining.next = self.data2.q.val();
        for _k in 0..B {
            self.network.next = (self.network.val() << 8) | (self.remaining.val() & self.low_byte.val());
            self.remaining.next = self.remaining.val() >> 8;
        }
        self.a_beat.next = self.beat2.q.val();
        self.a_data.next = self.network.val();

        // Stage 2 to 3: what is left of a last beat waits for a cycle.
        self.ahead.next = 0.into();
        self.ahead_keep.next = 0.into();
        for k in 0..4 {
            if self.layout2.q.val() == k.to_bits() {
                self.ahead.next = self.hold2.q.val() >> self.down[k].val();
                self.ahead_keep.next = self.hold_keep2.q.val() >> self.keep_down[k].val();
            }
        }
        self.a_ahead.next = bit_cast::<16, W>(self.ahead.val());
        self.rest3.d.next = self.rest2.q.val() & !self.rst.val();
        self.rest_data3.d.next = self.ahead.val();
        self.rest_keep3.d.next = self.ahead_keep.val();
        self.rest_beat3.d.next = self.beat2.q.val() + 1;

        self.valid3.d.next = (self.inside2.q.val() | self.rest3.q.val()) & !self.rst.val();
        self.last3.d.next = self.last2.q.val();
        self.data3.d.next = self.data2.q.val();
        self.keep3.d.next = self.keep2.q.val();
        self.beat3.d.next = self.beat2.q.val();
        if self.rest3.q.val() {
            self.last3.d.next = true;
            self.data3.d.next = self.rest_data3.q.val();
            self.keep3.d.next = self.rest_keep3.q.val();
            self.beat3.d.next = self.rest_beat3.q.val();
        }
        self.p_valid.next = self.valid3.q.val();
        self.p_last.next = self.last3.q.val();
        self.p_data.next = self.data3.q.val();
        self.p_keep.next = self.keep3.q.val();
        self.p_beat.next = self.beat3.q.val();
    }
}
