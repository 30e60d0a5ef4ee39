//! Step 1 of the parser: the Ethernet header. Registers the beat, counts, finds tag and EtherType.
//! Latency 1 cycle, a beat per cycle, never stalls. Doc `docs/blocks/rx-parse.md`.

use super::layout::IP_START;
use heddle_wire::net::{ETHERTYPE_IPV4, ETHERTYPE_IPV6, ETHERTYPE_VLAN};
use rust_hdl::prelude::*;

/// Ethernet step: `W` data bits, `B` bytes, `LB` = log2 B, `NW` bits of beat counter (`NW + LB` = 17).
#[derive(LogicBlock)]
pub struct Eth<const W: usize, const B: usize, const LB: usize, const NW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// Frame bytes, byte 0 in bits 7 to 0.
    pub s_tdata: Signal<In, Bits<W>>,
    /// Bytes that count: all, but in the last beat the leading ones, at least one.
    pub s_tkeep: Signal<In, Bits<B>>,
    /// A beat.
    pub s_tvalid: Signal<In, Bit>,
    /// Last beat of the frame.
    pub s_tlast: Signal<In, Bit>,
    /// At the last beat: the MAC found the frame bad.
    pub s_tuser: Signal<In, Bit>,
    /// The beat, one cycle later, with all below.
    pub valid: Signal<Out, Bit>,
    /// First beat of the frame.
    pub first: Signal<Out, Bit>,
    /// Last beat of the frame.
    pub last: Signal<Out, Bit>,
    /// The MAC found the frame bad.
    pub bad: Signal<Out, Bit>,
    /// Frame bytes.
    pub data: Signal<Out, Bits<W>>,
    /// Bytes that count.
    pub keep: Signal<Out, Bits<B>>,
    /// Number of the beat in the frame, 15 for all later ones too.
    pub n: Signal<Out, Bits<4>>,
    /// Frame bytes up to and with this beat, minus 1: exact below 2^17 - B, never falls.
    pub end: Signal<Out, Bits<17>>,
    /// A tag; known from the beat that holds byte 13 on.
    pub tag: Signal<Out, Bit>,
    /// IPv6, behind the tag if there is one; known from the beat that holds the EtherType on.
    pub v6: Signal<Out, Bit>,
    /// Neither IPv4 nor IPv6; known as `v6`.
    pub unknown: Signal<Out, Bit>,
    /// With `last`: too short for its Ethernet header.
    pub short: Signal<Out, Bit>,

    valid1: DFF<Bit>,
    first1: DFF<Bit>,
    last1: DFF<Bit>,
    bad1: DFF<Bit>,
    data1: DFF<Bits<W>>,
    keep1: DFF<Bits<B>>,
    top1: DFF<Bits<LB>>,
    n1: DFF<Bits<4>>,
    beat1: DFF<Bits<NW>>,
    tag1: DFF<Bit>,
    v6_1: DFF<Bit>,
    unknown1: DFF<Bit>,
    open: DFF<Bit>,

    n0: Signal<Local, Bits<4>>,
    beat0: Signal<Local, Bits<NW>>,
    ends: Signal<Local, Bits<B>>,
    top0: Signal<Local, Bits<LB>>,
    outer: Signal<Local, Bits<16>>,
    inner: Signal<Local, Bits<16>>,
    tag0: Signal<Local, Bit>,
    length1: Signal<Local, Bits<17>>,

    outer_beat: Constant<Bits<4>>,
    outer_shift: Constant<Bits<10>>,
    inner_beat: Constant<Bits<4>>,
    inner_shift: Constant<Bits<10>>,
    vlan: Constant<Bits<16>>,
    ipv4: Constant<Bits<16>>,
    ipv6: Constant<Bits<16>>,
    top_bits: Constant<Bits<5>>,
    plain_end: Constant<Bits<17>>,
    tagged_end: Constant<Bits<17>>,
}

impl<const W: usize, const B: usize, const LB: usize, const NW: usize> Default for Eth<W, B, LB, NW> {
    fn default() -> Self {
        const { assert!(W == 8 * B && B == 1 << LB && LB + NW == 17, "widths of the Ethernet step disagree") };
        let number = |n: usize| bits(n as LiteralType);
        // The EtherType is the last two bytes before the IP header; the stream is little-endian.
        let [outer, inner] = IP_START.map(|ip| ip - 2);
        let on_stream = |ether_type: u16| Constant::new(bits(ether_type.swap_bytes().into()));
        Self {
            clk: Default::default(),
            rst: Default::default(),
            s_tdata: Default::default(),
            s_tkeep: Default::default(),
            s_tvalid: Default::default(),
            s_tlast: Default::default(),
            s_tuser: Default::default(),
            valid: Default::default(),
            first: Default::default(),
            last: Default::default(),
            bad: Default::default(),
            data: Default::default(),
            keep: Default::default(),
            n: Default::default(),
            end: Default::default(),
            tag: Default::default(),
            v6: Default::default(),
            unknown: Default::default(),
            short: Default::default(),
            valid1: Default::default(),
            first1: Default::default(),
            last1: Default::default(),
            bad1: Default::default(),
            data1: Default::default(),
            keep1: Default::default(),
            top1: Default::default(),
            n1: Default::default(),
            beat1: Default::default(),
            tag1: Default::default(),
            v6_1: Default::default(),
            unknown1: Default::default(),
            open: Default::default(),
            n0: Default::default(),
            beat0: Default::default(),
            ends: Default::default(),
            top0: Default::default(),
            outer: Default::default(),
            inner: Default::default(),
            tag0: Default::default(),
            length1: Default::default(),
            outer_beat: Constant::new(bits((outer / B) as LiteralType)),
            outer_shift: Constant::new(bits((8 * (outer % B)) as LiteralType)),
            inner_beat: Constant::new(bits((inner / B) as LiteralType)),
            inner_shift: Constant::new(bits((8 * (inner % B)) as LiteralType)),
            vlan: on_stream(ETHERTYPE_VLAN),
            ipv4: on_stream(ETHERTYPE_IPV4),
            ipv6: on_stream(ETHERTYPE_IPV6),
            top_bits: Constant::new(bits(LB as LiteralType)),
            plain_end: Constant::new(number(IP_START[0] - 1)),
            tagged_end: Constant::new(number(IP_START[1] - 1)),
        }
    }
}

impl<const W: usize, const B: usize, const LB: usize, const NW: usize> Logic for Eth<W, B, LB, NW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, valid1, first1, last1, bad1, data1, keep1, top1, n1, beat1, tag1, v6_1);
        dff_setup!(self, clk, unknown1, open);

        // Counters saturate: a frame without an end must not look like a short one.
        self.n0.next = 0.into();
        self.beat0.next = 0.into();
        if self.open.q.val() {
            self.n0.next = self.n1.q.val();
            if !self.n1.q.val().all() {
                self.n0.next = self.n1.q.val() + 1;
            }
            self.beat0.next = self.beat1.q.val();
            if !self.beat1.q.val().all() {
                self.beat0.next = self.beat1.q.val() + 1;
            }
        }
        // The highest byte kept, as keep is ones up to it.
        self.top0.next = 0.into();
        self.ends.next = self.s_tkeep.val() & !(self.s_tkeep.val() >> 1);
        for k in 0..B {
            if self.ends.val().get_bit(k) {
                self.top0.next = self.top0.val() | k.to_bits();
            }
        }

        self.outer.next = bit_cast::<16, W>(self.s_tdata.val() >> self.outer_shift.val());
        self.inner.next = bit_cast::<16, W>(self.s_tdata.val() >> self.inner_shift.val());
        self.tag0.next = self.tag1.q.val();
        if self.n0.val() == self.outer_beat.val() {
            self.tag0.next = self.outer.val() == self.vlan.val();
        }

        self.valid1.d.next = self.s_tvalid.val() & !self.rst.val();
        if self.s_tvalid.val() {
            self.open.d.next = !self.s_tlast.val();
            self.first1.d.next = !self.open.q.val();
            self.last1.d.next = self.s_tlast.val();
            self.bad1.d.next = self.s_tuser.val();
            self.data1.d.next = self.s_tdata.val();
            self.keep1.d.next = self.s_tkeep.val();
            self.top1.d.next = self.top0.val();
            self.n1.d.next = self.n0.val();
            self.beat1.d.next = self.beat0.val();
            self.tag1.d.next = self.tag0.val();
            if self.n0.val() == self.outer_beat.val() {
                self.v6_1.d.next = self.outer.val() == self.ipv6.val();
                self.unknown1.d.next =
                    (self.outer.val() != self.ipv6.val()) & (self.outer.val() != self.ipv4.val());
            }
            if self.tag0.val() & (self.n0.val() == self.inner_beat.val()) {
                self.v6_1.d.next = self.inner.val() == self.ipv6.val();
                self.unknown1.d.next =
                    (self.inner.val() != self.ipv6.val()) & (self.inner.val() != self.ipv4.val());
            }
        }
        if self.rst.val() {
            self.open.d.next = false;
        }

        self.valid.next = self.valid1.q.val();
        self.first.next = self.first1.q.val();
        self.last.next = self.last1.q.val();
        self.bad.next = self.bad1.q.val();
        self.data.next = self.data1.q.val();
        self.keep.next = self.keep1.q.val();
        self.n.next = self.n1.q.val();
        self.tag.next = self.tag1.q.val();
        self.v6.next = self.v6_1.q.val();
        self.unknown.next = self.unknown1.q.val();
        self.length1.next = (bit_cast::<17, NW>(self.beat1.q.val()) << self.top_bits.val())
            | bit_cast::<17, LB>(self.top1.q.val());
        self.end.next = self.length1.val();
        self.short.next = (self.length1.val() < self.plain_end.val())
            | (self.tag1.q.val() & (self.length1.val() < self.tagged_end.val()));
    }
}
