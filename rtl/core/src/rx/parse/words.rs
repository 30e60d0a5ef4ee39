//! Steps 3 to 5 of the parser: the header as the look-ups want it. Latency 3 cycles behind the aligned
//! beat, never stalls. Every output keeps its value until the same field of a later frame. Doc
//! `docs/blocks/rx-parse.md`.

use super::chunk::Chunk;
use super::layout::{ipv4, ipv6, BEAT_ZERO};
use super::pick::Pick;
use heddle_wire::kinds::PacketType;
use heddle_wire::net::ECN_CE;
use heddle_wire::packet::Packet;
use rust_hdl::prelude::*;

/// Bytes of transport header that `h_words` holds.
pub const WORDS_BYTES: usize = 48;

/// Header words: `W` data bits, `B` bytes; the words come in `HN` chunks of `HB` bits, 384 in all.
#[derive(LogicBlock)]
pub struct Words<const W: usize, const B: usize, const HB: usize, const HN: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// Number of the aligned beat.
    pub a_beat: Signal<In, Bits<5>>,
    /// The aligned beat, byte 0 in the top bits.
    pub a_data: Signal<In, Bits<W>>,
    /// IPv6, with the aligned beat.
    pub v6: Signal<In, Bit>,
    /// UDP length, one cycle behind the aligned beat that holds it.
    pub udp_length: Signal<In, Bits<16>>,
    /// The type field, one cycle behind the aligned beat before the transport header.
    pub kind: Signal<In, Bits<4>>,
    /// A beat of the payload stream.
    pub p_valid: Signal<In, Bit>,
    /// Last beat of the frame.
    pub p_last: Signal<In, Bit>,
    /// Bytes, byte 0 in bits 7 to 0.
    pub p_data: Signal<In, Bits<W>>,
    /// Number of its aligned beat.
    pub p_beat: Signal<In, Bits<5>>,

    /// The header is complete and the frame goes on.
    pub early: Signal<Out, Bit>,
    /// IPv6.
    pub h_v6: Signal<Out, Bit>,
    /// Source address; IPv4 in the low 32 bits, zeros above.
    pub h_src: Signal<Out, Bits<128>>,
    /// Congestion experienced.
    pub h_ce: Signal<Out, Bit>,
    /// Transport header words 0 to 11, word 0 in the top bits.
    pub h_words: Signal<Out, Bits<384>>,
    /// UDP payload in bytes.
    pub h_paylen: Signal<Out, Bits<16>>,

    beat3: DFF<Bits<5>>,
    data3: DFF<Bits<W>>,
    v6_3: DFF<Bit>,
    beat4: DFF<Bits<5>>,
    data4: DFF<Bits<W>>,
    v6_4: DFF<Bit>,
    length4: DFF<Bits<16>>,
    early4: DFF<Bit>,
    early5: DFF<Bit>,
    v6_5: DFF<Bit>,
    high5: DFF<Bits<64>>,
    low5: DFF<Bits<64>>,
    ce5: DFF<Bit>,
    length5: DFF<Bits<16>>,
    chunk: [Chunk<HB>; HN],

    source4: Pick<W, 32>,
    ecn4: Pick<W, 2>,
    source_high6: Pick<W, 64>,
    source_low6: Pick<W, 64>,
    ecn6: Pick<W, 2>,

    network: Signal<Local, Bits<W>>,
    remaining: Signal<Local, Bits<W>>,
    part: Signal<Local, Bits<HB>>,
    words: Signal<Local, Bits<384>>,
    complete: Signal<Local, Bits<5>>,

    low_byte: Constant<Bits<W>>,
    below_chunk: Constant<Bits<10>>,
    chunk_bits: Constant<Bits<9>>,
    ce: Constant<Bits<2>>,
    udp_header: Constant<Bits<16>>,
    /// Number of the aligned beat that completes the header words.
    complete_full: Constant<Bits<5>>,
    complete_nak: Constant<Bits<5>>,
    complete_reset: Constant<Bits<5>>,
    nak_type: Constant<Bits<4>>,
    reset_type: Constant<Bits<4>>,
    zero: Constant<Bits<5>>,
}

impl<const W: usize, const B: usize, const HB: usize, const HN: usize> Default for Words<W, B, HB, HN> {
    fn default() -> Self {
        const {
            assert!(
                W == 8 * B && HB * HN == 8 * WORDS_BYTES && (HB == W || HN == 1),
                "chunks of the header words disagree"
            )
        };
        let number = |n: usize| n as LiteralType;
        let complete = |kind: PacketType| {
            let bytes = Packet::header_bytes(kind, 0).min(WORDS_BYTES);
            Constant::new(bits(number(BEAT_ZERO + (bytes - 1) / B)))
        };
        Self {
            clk: Default::default(),
            rst: Default::default(),
            a_beat: Default::default(),
            a_data: Default::default(),
            v6: Default::default(),
            udp_length: Default::default(),
            kind: Default::default(),
            p_valid: Default::default(),
            p_last: Default::default(),
            p_data: Default::default(),
            p_beat: Default::default(),
            early: Default::default(),
            h_v6: Default::default(),
            h_src: Default::default(),
            h_ce: Default::default(),
            h_words: Default::default(),
            h_paylen: Default::default(),
            beat3: Default::default(),
            data3: Default::default(),
            v6_3: Default::default(),
            beat4: Default::default(),
            data4: Default::default(),
            v6_4: Default::default(),
            length4: Default::default(),
            early4: Default::default(),
            early5: Default::default(),
            v6_5: Default::default(),
            high5: Default::default(),
            low5: Default::default(),
            ce5: Default::default(),
            length5: Default::default(),
            chunk: std::array::from_fn(|_| Default::default()),
            source4: Pick::new(ipv4(12)),
            // The last two bits of TOS; the two behind the DSCP of the traffic class, which starts in
            // byte 0.
            ecn4: Pick::within(ipv4(1), 6),
            source_high6: Pick::new(ipv6(8)),
            source_low6: Pick::new(ipv6(16)),
            ecn6: Pick::within(ipv6(1), 2),
            network: Default::default(),
            remaining: Default::default(),
            part: Default::default(),
            words: Default::default(),
            complete: Default::default(),
            low_byte: Constant::new(bits(0xff)),
            below_chunk: Constant::new(bits(number(W - HB))),
            chunk_bits: Constant::new(bits(if HN == 1 { 0 } else { number(HB) })),
            ce: Constant::new(bits(ECN_CE.into())),
            udp_header: Constant::new(bits(number(heddle_wire::net::UdpHeader::BYTES))),
            complete_full: complete(PacketType::Data),
            complete_nak: complete(PacketType::Nak),
            complete_reset: complete(PacketType::Reset),
            nak_type: Constant::new(bits(PacketType::Nak.code().into())),
            reset_type: Constant::new(bits(PacketType::Reset.code().into())),
            zero: Constant::new(bits(number(BEAT_ZERO))),
        }
    }
}

impl<const W: usize, const B: usize, const HB: usize, const HN: usize> Logic for Words<W, B, HB, HN> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, beat3, data3, v6_3, beat4, data4, v6_4, length4, early4, early5, v6_5);
        dff_setup!(self, clk, high5, low5, ce5, length5);

        // The address leaves late, so that it is still there when the frame's verdict is: the next frame
        // may follow at once.
        self.beat3.d.next = self.a_beat.val();
        self.data3.d.next = self.a_data.val();
        self.v6_3.d.next = self.v6.val();
        self.beat4.d.next = self.beat3.q.val();
        self.data4.d.next = self.data3.q.val();
        self.v6_4.d.next = self.v6_3.q.val();
        self.v6_5.d.next = self.v6_4.q.val();
        self.length4.d.next = self.udp_length.val() - self.udp_header.val();
        self.length5.d.next = self.length4.q.val();

        self.source4.beat.next = self.beat4.q.val();
        self.source4.data.next = self.data4.q.val();
        self.ecn4.beat.next = self.beat4.q.val();
        self.ecn4.data.next = self.data4.q.val();
        self.source_high6.beat.next = self.beat4.q.val();
        self.source_high6.data.next = self.data4.q.val();
        self.source_low6.beat.next = self.beat4.q.val();
        self.source_low6.data.next = self.data4.q.val();
        self.ecn6.beat.next = self.beat4.q.val();
        self.ecn6.data.next = self.data4.q.val();
        if self.v6_4.q.val() {
            if self.source_high6.hit.val() {
                self.high5.d.next = self.source_high6.value.val();
            }
            if self.source_low6.hit.val() {
                self.low5.d.next = self.source_low6.value.val();
            }
            if self.ecn6.hit.val() {
                self.ce5.d.next = self.ecn6.value.val() == self.ce.val();
            }
        } else {
            if self.source4.hit.val() {
                self.high5.d.next = 0.into();
                self.low5.d.next = bit_cast::<64, 32>(self.source4.value.val());
            }
            if self.ecn4.hit.val() {
                self.ce5.d.next = self.ecn4.value.val() == self.ce.val();
            }
        }

        self.network.next = 0.into();
        self.remaining.next = self.p_data.val();
        for _k in 0..B {
            self.network.next = (self.network.val() << 8) | (self.remaining.val() & self.low_byte.val());
            self.remaining.next = self.remaining.val() >> 8;
        }
        self.part.next = bit_cast::<HB, W>(self.network.val() >> self.below_chunk.val());
        self.words.next = 0.into();
        for k in 0..HN {
            self.chunk[k].clk.next = self.clk.val();
            self.chunk[k].data.next = self.part.val();
            self.chunk[k].take.next =
                self.p_valid.val() & (self.p_beat.val() == self.zero.val() + k.to_bits());
            self.words.next = (self.words.val() << self.chunk_bits.val()) | self.chunk[k].word.val();
        }
        self.complete.next = self.complete_full.val();
        if self.kind.val() == self.nak_type.val() {
            self.complete.next = self.complete_nak.val();
        }
        if self.kind.val() == self.reset_type.val() {
            self.complete.next = self.complete_reset.val();
        }
        self.early4.d.next = self.p_valid.val()
            & !self.p_last.val()
            & (self.p_beat.val() == self.complete.val())
            & !self.rst.val();
        self.early5.d.next = self.early4.q.val() & !self.rst.val();

        self.early.next = self.early5.q.val();
        self.h_v6.next = self.v6_5.q.val();
        self.h_src.next =
            (bit_cast::<128, 64>(self.high5.q.val()) << 64) | bit_cast::<128, 64>(self.low5.q.val());
        self.h_ce.next = self.ce5.q.val();
        self.h_words.next = self.words.val();
        self.h_paylen.next = self.length5.q.val();
    }
}
