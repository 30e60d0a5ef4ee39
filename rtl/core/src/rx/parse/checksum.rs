//! Steps 2 to 4 of the parser: the IPv4 header checksum. Latency 3 cycles, a beat per cycle, never stalls.
//! Doc `docs/blocks/rx-parse.md`.
//!
//! A ones' complement sum does not depend on the order of the bytes in its words, so the words are taken
//! as the stream has them.

use super::layout::IP_START;
use super::mask::bits_where;
use heddle_wire::net::Ipv4Header;
use rust_hdl::prelude::*;

/// Checksum step: `W` data bits, `NB` beats up to the end of a tagged IPv4 header at least, `PS` = W /
/// 32 pairs of words.
#[derive(LogicBlock)]
pub struct Checksum<const W: usize, const NB: usize, const PS: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// A beat of the frame.
    pub valid: Signal<In, Bit>,
    /// First beat of the frame.
    pub first: Signal<In, Bit>,
    /// Frame bytes, byte 0 in bits 7 to 0.
    pub data: Signal<In, Bits<W>>,
    /// Number of the beat in the frame, saturated at 15.
    pub n: Signal<In, Bits<4>>,
    /// A tag.
    pub tag: Signal<In, Bit>,
    /// The header's sum up to that beat is not all ones.
    pub bad: Signal<Out, Bit>,

    pair2: [Pair; PS],
    valid2: DFF<Bit>,
    first2: DFF<Bit>,
    sum3: DFF<Bits<20>>,
    bad4: DFF<Bit>,

    mask: Signal<Local, Bits<W>>,
    words: Signal<Local, Bits<W>>,
    from: Signal<Local, Bits<20>>,
    add: Signal<Local, Bits<20>>,

    /// By beat: the bits of the IPv4 header, without and with a tag.
    header: [Constant<Bits<W>>; NB],
    header_tag: [Constant<Bits<W>>; NB],
}

impl<const W: usize, const NB: usize, const PS: usize> Default for Checksum<W, NB, PS> {
    fn default() -> Self {
        const { assert!(W == 32 * PS, "widths of the checksum step disagree") };
        let header = |tag: usize| {
            std::array::from_fn(|beat| {
                Constant::new(bits_where::<W>(|bit| {
                    let byte = beat * (W / 8) + bit / 8;
                    (IP_START[tag]..IP_START[tag] + Ipv4Header::BYTES).contains(&byte)
                }))
            })
        };
        Self {
            clk: Default::default(),
            valid: Default::default(),
            first: Default::default(),
            data: Default::default(),
            n: Default::default(),
            tag: Default::default(),
            bad: Default::default(),
            pair2: std::array::from_fn(|_| Default::default()),
            valid2: Default::default(),
            first2: Default::default(),
            sum3: Default::default(),
            bad4: Default::default(),
            mask: Default::default(),
            words: Default::default(),
            from: Default::default(),
            add: Default::default(),
            header: header(0),
            header_tag: header(1),
        }
    }
}

impl<const W: usize, const NB: usize, const PS: usize> Logic for Checksum<W, NB, PS> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, valid2, first2, sum3, bad4);
        self.mask.next = 0.into();
        for b in 0..NB {
            if self.n.val() == b.to_bits() {
                self.mask.next = self.header[b].val();
                if self.tag.val() {
                    self.mask.next = self.header_tag[b].val();
                }
            }
        }
        self.words.next = self.data.val() & self.mask.val();
        for k in 0..PS {
            self.pair2[k].clk.next = self.clk.val();
            self.pair2[k].a.next = self.words.val().get_bits::<16>(k * 32);
            self.pair2[k].b.next = self.words.val().get_bits::<16>(k * 32 + 16);
        }
        self.valid2.d.next = self.valid.val();
        self.first2.d.next = self.first.val();

        self.from.next = self.sum3.q.val();
        if self.first2.q.val() {
            self.from.next = 0.into();
        }
        self.add.next = 0.into();
        for k in 0..PS {
            self.add.next = self.add.val() + self.pair2[k].sum.val();
        }
        if self.valid2.q.val() {
            self.sum3.d.next = self.from.val() + self.add.val();
        }

        // Ten words: the carries are at most 9, so low + carries is 0xffff exactly when it needs no
        // carry of its own, which is when the low word is the complement of the carries.
        self.bad4.d.next = !self.sum3.q.val().get_bits::<12>(4).all()
            | (self.sum3.q.val().get_bits::<4>(0) != !self.sum3.q.val().get_bits::<4>(16));
        self.bad.next = self.bad4.q.val();
    }
}

/// Registered sum of two words.
#[derive(LogicBlock, Default)]
pub struct Pair {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// One word.
    pub a: Signal<In, Bits<16>>,
    /// The other.
    pub b: Signal<In, Bits<16>>,
    /// Their sum, one cycle later.
    pub sum: Signal<Out, Bits<20>>,
    sum2: DFF<Bits<17>>,
}

impl Logic for Pair {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, sum2);
        self.sum2.d.next = bit_cast::<17, 16>(self.a.val()) + bit_cast::<17, 16>(self.b.val());
        self.sum.next = bit_cast::<20, 17>(self.sum2.q.val());
    }
}
