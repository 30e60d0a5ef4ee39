//! Step 2 of the parser, for the ICRC: what the fabric may change becomes ones, what is not the packet
//! zeros. Latency 1 cycle, a beat per cycle, never stalls. Doc `docs/blocks/rx-parse.md`.

use super::layout::IP_START;
use heddle_wire::icrc::{IPV4_MASKED, IPV6_MASKED};
use rust_hdl::prelude::*;

/// Mask step: `W` data bits, `B` bytes, `LB` = log2 B, `NB` beats up to the end of the longest UDP header.
#[derive(LogicBlock)]
pub struct Mask<const W: usize, const B: usize, const LB: usize, const NB: usize> {
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
    /// Highest byte that counts.
    pub top: Signal<In, Bits<LB>>,
    /// Number of the beat in the frame, saturated at 15.
    pub n: Signal<In, Bits<4>>,
    /// A tag.
    pub tag: Signal<In, Bit>,
    /// Layout of the frame: 0 IPv4, 1 IPv4 behind a tag, 2 IPv6, 3 IPv6 behind a tag.
    pub layout: Signal<In, Bits<2>>,
    /// A beat for the ICRC engine.
    pub c_valid: Signal<Out, Bit>,
    /// The IP header starts in this beat.
    pub c_first: Signal<Out, Bit>,
    /// Last beat of the frame.
    pub c_last: Signal<Out, Bit>,
    /// Where it starts, as the ICRC engine counts: 1 byte 14 mod B, 2 byte 18 mod B.
    pub c_skip: Signal<Out, Bits<2>>,
    /// Bytes of a last beat, 0 for all.
    pub c_tail: Signal<Out, Bits<LB>>,
    /// Masked bytes, byte 0 in bits 7 to 0.
    pub c_data: Signal<Out, Bits<W>>,

    valid2: DFF<Bit>,
    first2: DFF<Bit>,
    last2: DFF<Bit>,
    skip2: DFF<Bits<2>>,
    tail2: DFF<Bits<LB>>,
    data2: DFF<Bits<W>>,

    first: Signal<Local, Bit>,
    ones: Signal<Local, Bits<W>>,
    kept: Signal<Local, Bits<W>>,
    own_first: Signal<Local, Bits<W>>,

    /// By beat: the bits that become ones, by layout.
    ones_ipv4: [Constant<Bits<W>>; NB],
    ones_ipv4_tag: [Constant<Bits<W>>; NB],
    ones_ipv6: [Constant<Bits<W>>; NB],
    ones_ipv6_tag: [Constant<Bits<W>>; NB],
    /// The bits of the first beat that belong to the packet.
    own: Constant<Bits<W>>,
    own_tag: Constant<Bits<W>>,
    /// The beat in which the IP header starts.
    start: Constant<Bits<4>>,
    start_tag: Constant<Bits<4>>,
    /// Ones in byte k.
    whole: [Constant<Bits<W>>; B],
}

impl<const W: usize, const B: usize, const LB: usize, const NB: usize> Default for Mask<W, B, LB, NB> {
    fn default() -> Self {
        let ones = |tag: usize, v6: bool| {
            std::array::from_fn(|beat| Constant::new(ones_of_beat::<W>(IP_START[tag], v6, beat)))
        };
        let own = |tag: usize| Constant::new(bits_where::<W>(|bit| bit / 8 >= IP_START[tag] % B));
        let start = |tag: usize| Constant::new(bits((IP_START[tag] / B) as LiteralType));
        Self {
            clk: Default::default(),
            rst: Default::default(),
            valid: Default::default(),
            last: Default::default(),
            data: Default::default(),
            keep: Default::default(),
            top: Default::default(),
            n: Default::default(),
            tag: Default::default(),
            layout: Default::default(),
            c_valid: Default::default(),
            c_first: Default::default(),
            c_last: Default::default(),
            c_skip: Default::default(),
            c_tail: Default::default(),
            c_data: Default::default(),
            valid2: Default::default(),
            first2: Default::default(),
            last2: Default::default(),
            skip2: Default::default(),
            tail2: Default::default(),
            data2: Default::default(),
            first: Default::default(),
            ones: Default::default(),
            kept: Default::default(),
            own_first: Default::default(),
            ones_ipv4: ones(0, false),
            ones_ipv4_tag: ones(1, false),
            ones_ipv6: ones(0, true),
            ones_ipv6_tag: ones(1, true),
            own: own(0),
            own_tag: own(1),
            start: start(0),
            start_tag: start(1),
            whole: std::array::from_fn(|k| Constant::new(bits_where::<W>(|bit| bit / 8 == k))),
        }
    }
}

/// The bits at the positions for which `is_one` holds.
pub fn bits_where<const W: usize>(is_one: impl Fn(usize) -> bool) -> Bits<W> {
    (0..W).fold(bits(0), |word: Bits<W>, bit| word.replace_bit(bit, is_one(bit)))
}

/// The bits of a frame's beat that the ICRC takes as ones, for a frame whose IP header starts at byte `ip`.
fn ones_of_beat<const W: usize>(ip: usize, v6: bool, beat: usize) -> Bits<W> {
    bits_where(|bit| {
        let Some(byte) = (beat * (W / 8) + bit / 8).checked_sub(ip) else { return false };
        match v6 {
            false => IPV4_MASKED.contains(&byte),
            // Of byte 0 the four bits behind the version.
            true => IPV6_MASKED.contains(&byte) || (byte == 0 && bit % 8 < 4),
        }
    })
}

impl<const W: usize, const B: usize, const LB: usize, const NB: usize> Logic for Mask<W, B, LB, NB> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, valid2, first2, last2, skip2, tail2, data2);
        self.ones.next = 0.into();
        for b in 0..NB {
            if self.n.val() == b.to_bits() {
                self.ones.next = self.ones_ipv4[b].val();
                if self.layout.val() == 1 {
                    self.ones.next = self.ones_ipv4_tag[b].val();
                }
                if self.layout.val() == 2 {
                    self.ones.next = self.ones_ipv6[b].val();
                }
                if self.layout.val() == 3 {
                    self.ones.next = self.ones_ipv6_tag[b].val();
                }
            }
        }
        self.first.next = self.n.val() == self.start.val();
        self.kept.next = 0.into();
        for k in 0..B {
            if self.keep.val().get_bit(k) {
                self.kept.next = self.kept.val() | self.whole[k].val();
            }
        }
        self.own_first.next = self.own.val();
        if self.tag.val() {
            self.first.next = self.n.val() == self.start_tag.val();
            self.own_first.next = self.own_tag.val();
        }
        if self.first.val() {
            self.kept.next = self.kept.val() & self.own_first.val();
        }

        self.valid2.d.next = self.valid.val() & !self.rst.val();
        self.first2.d.next = self.first.val();
        self.last2.d.next = self.last.val();
        self.skip2.d.next = 1.into();
        if self.tag.val() {
            self.skip2.d.next = 2.into();
        }
        self.tail2.d.next = self.top.val() + 1;
        self.data2.d.next = (self.data.val() | self.ones.val()) & self.kept.val();
        self.c_valid.next = self.valid2.q.val();
        self.c_first.next = self.first2.q.val();
        self.c_last.next = self.last2.q.val();
        self.c_skip.next = self.skip2.q.val();
        self.c_tail.next = self.tail2.q.val();
        self.c_data.next = self.data2.q.val();
    }
}
