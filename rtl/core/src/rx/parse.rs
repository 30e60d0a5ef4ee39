//! Receive parser: Ethernet with at most one tag, IPv4 without options or IPv6, UDP, transport header.
//!
//! A beat per cycle, whatever follows whatever; never stalls. `h_valid` comes 5 cycles after a frame's
//! last beat, with its one reason. The header fields are there 5 cycles after the beat that completes
//! them (`early` says so) and stay until `h_valid`. The payload stream leaves 3 cycles behind its bytes,
//! 4 for a last beat that the alignment adds; the ICRC stream 2.
//!
//! Assumes: `tkeep` is all ones but in the last beat, where it is ones from byte 0 on, at least one.
//! Reasons: docs/protocol.md section 4. Model `rx::parse`. Doc `docs/blocks/rx-parse.md`.

mod align;
mod check;
mod checksum;
mod chunk;
mod eth;
mod kind;
pub mod layout;
mod mask;
mod pick;
mod reason;
mod words;

use align::Align;
use check::Check;
use checksum::Checksum;
use eth::Eth;
use kind::Kind;
pub(crate) use mask::{bits_where, Mask};
use reason::Reason;
use rust_hdl::prelude::*;
use words::Words;

/// The parser at 64 data bits (`tiny`, `gbe`).
pub type Parse64 = Parse<64, 8, 3, 14, 9, 2, 64, 6>;
/// The parser at 512 data bits (`dc100`).
pub type Parse512 = Parse<512, 64, 6, 11, 2, 16, 384, 1>;

/// Parser of `W` data bits: `B` bytes, `LB` = log2 B, `NW` = 17 - LB bits of beat counter, `NB` beats up
/// to frame byte 65, `PS` = W / 32, header words in `HN` chunks of `HB` bits.
#[derive(LogicBlock)]
pub struct Parse<
    const W: usize,
    const B: usize,
    const LB: usize,
    const NW: usize,
    const NB: usize,
    const PS: usize,
    const HB: usize,
    const HN: usize,
> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// UDP port of the transport; stable while frames arrive.
    pub cfg_port: Signal<In, Bits<16>>,

    /// Frame bytes from the Ethernet header on, without FCS; byte 0 in bits 7 to 0.
    pub s_axis_tdata: Signal<In, Bits<W>>,
    /// Bytes that count.
    pub s_axis_tkeep: Signal<In, Bits<B>>,
    /// A beat; it is always taken.
    pub s_axis_tvalid: Signal<In, Bit>,
    /// Last beat of the frame.
    pub s_axis_tlast: Signal<In, Bit>,
    /// At the last beat: the MAC found the frame bad.
    pub s_axis_tuser: Signal<In, Bit>,

    /// The frame goes on, and its header fields are complete.
    pub early: Signal<Out, Bit>,
    /// One pulse per frame, in order: everything below is final.
    pub h_valid: Signal<Out, Bit>,
    /// With `h_valid`: number of the drop reason, 0 for none.
    pub h_drop: Signal<Out, Bits<8>>,
    /// IPv6. This and the fields below: from `early` to `h_valid` where `h_drop` is 0.
    pub h_v6: Signal<Out, Bit>,
    /// Source address; IPv4 in the low 32 bits, zeros above.
    pub h_src: Signal<Out, Bits<128>>,
    /// Congestion experienced.
    pub h_ce: Signal<Out, Bit>,
    /// Transport header words, word 0 in the top 32 bits: 12 of DATA and ACK, 10 of an ACK without SACK words,
    /// 8 of NAK, 5 of PROBE, 4 of RESET; the others are arbitrary.
    pub h_words: Signal<Out, Bits<384>>,
    /// Bytes of UDP payload: from the transport header to the ICRC, both included.
    pub h_paylen: Signal<Out, Bits<16>>,

    /// A beat from the transport header on; a frame that ends before it has none.
    pub p_tvalid: Signal<Out, Bit>,
    /// Last beat of the frame.
    pub p_tlast: Signal<Out, Bit>,
    /// The transport header's first byte in bits 7 to 0 of the first beat.
    pub p_tdata: Signal<Out, Bits<W>>,
    /// Bytes that count.
    pub p_tkeep: Signal<Out, Bits<B>>,

    /// A beat for the ICRC engine, one per beat of the frame.
    pub c_valid: Signal<Out, Bit>,
    /// The IP header starts in this beat.
    pub c_first: Signal<Out, Bit>,
    /// Last beat of the frame.
    pub c_last: Signal<Out, Bit>,
    /// With `c_first`: 1 it starts at byte 14 mod B, 2 at byte 18 mod B.
    pub c_skip: Signal<Out, Bits<2>>,
    /// With `c_last`: bytes of the beat, 0 for all B.
    pub c_tail: Signal<Out, Bits<LB>>,
    /// Masked bytes, zeros outside of the packet from `c_first` on.
    pub c_data: Signal<Out, Bits<W>>,

    eth: Eth<W, B, LB, NW>,
    align: Align<W, B>,
    mask: Mask<W, B, LB, NB>,
    checksum: Checksum<W, NB, PS>,
    check: Check<W>,
    kind: Kind,
    words: Words<W, B, HB, HN>,
    reason: Reason,

    layout: Signal<Local, Bits<2>>,
    v6_2: DFF<Bit>,
}

impl<
        const W: usize,
        const B: usize,
        const LB: usize,
        const NW: usize,
        const NB: usize,
        const PS: usize,
        const HB: usize,
        const HN: usize,
    > Default for Parse<W, B, LB, NW, NB, PS, HB, HN>
{
    fn default() -> Self {
        const { assert!(layout::TRANSPORT_START[3] <= NB * B, "the masks of the ICRC need more beats") };
        Self {
            clk: Default::default(),
            rst: Default::default(),
            cfg_port: Default::default(),
            s_axis_tdata: Default::default(),
            s_axis_tkeep: Default::default(),
            s_axis_tvalid: Default::default(),
            s_axis_tlast: Default::default(),
            s_axis_tuser: Default::default(),
            early: Default::default(),
            h_valid: Default::default(),
            h_drop: Default::default(),
            h_v6: Default::default(),
            h_src: Default::default(),
            h_ce: Default::default(),
            h_words: Default::default(),
            h_paylen: Default::default(),
            p_tvalid: Default::default(),
            p_tlast: Default::default(),
            p_tdata: Default::default(),
            p_tkeep: Default::default(),
            c_valid: Default::default(),
            c_first: Default::default(),
            c_last: Default::default(),
            c_skip: Default::default(),
            c_tail: Default::default(),
            c_data: Default::default(),
            eth: Default::default(),
            align: Default::default(),
            mask: Default::default(),
            checksum: Default::default(),
            check: Default::default(),
            kind: Default::default(),
            words: Default::default(),
            reason: Default::default(),
            layout: Default::default(),
            v6_2: Default::default(),
        }
    }
}

impl<
        const W: usize,
        const B: usize,
        const LB: usize,
        const NW: usize,
        const NB: usize,
        const PS: usize,
        const HB: usize,
        const HN: usize,
    > Logic for Parse<W, B, LB, NW, NB, PS, HB, HN>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, v6_2);
        self.eth.clk.next = self.clk.val();
        self.align.clk.next = self.clk.val();
        self.mask.clk.next = self.clk.val();
        self.checksum.clk.next = self.clk.val();
        self.check.clk.next = self.clk.val();
        self.kind.clk.next = self.clk.val();
        self.words.clk.next = self.clk.val();
        self.reason.clk.next = self.clk.val();
        self.eth.rst.next = self.rst.val();
        self.align.rst.next = self.rst.val();
        self.mask.rst.next = self.rst.val();
        self.words.rst.next = self.rst.val();
        self.reason.rst.next = self.rst.val();

        // Cycle 1: Ethernet.
        self.eth.s_tdata.next = self.s_axis_tdata.val();
        self.eth.s_tkeep.next = self.s_axis_tkeep.val();
        self.eth.s_tvalid.next = self.s_axis_tvalid.val();
        self.eth.s_tlast.next = self.s_axis_tlast.val();
        self.eth.s_tuser.next = self.s_axis_tuser.val();
        self.layout.next =
            (bit_cast::<2, 1>(self.eth.v6.val().into()) << 1) | bit_cast::<2, 1>(self.eth.tag.val().into());
        if self.eth.valid.val() {
            self.v6_2.d.next = self.eth.v6.val();
        }

        // Cycle 2: aligned to the transport header; masked for the ICRC.
        self.align.valid.next = self.eth.valid.val();
        self.align.last.next = self.eth.last.val();
        self.align.data.next = self.eth.data.val();
        self.align.keep.next = self.eth.keep.val();
        self.align.n.next = self.eth.n.val();
        self.align.layout.next = self.layout.val();
        self.p_tvalid.next = self.align.p_valid.val();
        self.p_tlast.next = self.align.p_last.val();
        self.p_tdata.next = self.align.p_data.val();
        self.p_tkeep.next = self.align.p_keep.val();

        self.mask.valid.next = self.eth.valid.val();
        self.mask.last.next = self.eth.last.val();
        self.mask.data.next = self.eth.data.val();
        self.mask.keep.next = self.eth.keep.val();
        self.mask.top.next = bit_cast::<LB, 17>(self.eth.end.val());
        self.mask.n.next = self.eth.n.val();
        self.mask.tag.next = self.eth.tag.val();
        self.mask.layout.next = self.layout.val();
        self.c_valid.next = self.mask.c_valid.val();
        self.c_first.next = self.mask.c_first.val();
        self.c_last.next = self.mask.c_last.val();
        self.c_skip.next = self.mask.c_skip.val();
        self.c_tail.next = self.mask.c_tail.val();
        self.c_data.next = self.mask.c_data.val();

        self.checksum.valid.next = self.eth.valid.val();
        self.checksum.first.next = self.eth.first.val();
        self.checksum.data.next = self.eth.data.val();
        self.checksum.n.next = self.eth.n.val();
        self.checksum.tag.next = self.eth.tag.val();

        // Cycle 3: fields of the headers.
        self.check.cfg_port.next = self.cfg_port.val();
        self.check.beat.next = self.align.a_beat.val();
        self.check.data.next = self.align.a_data.val();
        self.check.v6.next = self.v6_2.q.val();
        self.kind.beat.next = self.align.a_beat.val();
        self.kind.ahead.next = self.align.a_ahead.val();

        // Cycles 3 to 5: header words.
        self.words.a_beat.next = self.align.a_beat.val();
        self.words.a_data.next = self.align.a_data.val();
        self.words.v6.next = self.v6_2.q.val();
        self.words.udp_length.next = self.check.udp_length.val();
        self.words.kind.next = self.kind.kind.val();
        self.words.p_valid.next = self.align.p_valid.val();
        self.words.p_last.next = self.align.p_last.val();
        self.words.p_data.next = self.align.p_data.val();
        self.words.p_beat.next = self.align.p_beat.val();
        self.early.next = self.words.early.val();
        self.h_v6.next = self.words.h_v6.val();
        self.h_src.next = self.words.h_src.val();
        self.h_ce.next = self.words.h_ce.val();
        self.h_words.next = self.words.h_words.val();
        self.h_paylen.next = self.words.h_paylen.val();

        // Cycles 2 to 5: the verdict.
        self.reason.valid.next = self.eth.valid.val();
        self.reason.last.next = self.eth.last.val();
        self.reason.bad.next = self.eth.bad.val();
        self.reason.end.next = self.eth.end.val();
        self.reason.layout.next = self.layout.val();
        self.reason.unknown.next = self.eth.unknown.val();
        self.reason.short.next = self.eth.short.val();
        self.reason.ip_version.next = self.check.ip_version.val();
        self.reason.ip_options.next = self.check.ip_options.val();
        self.reason.ip_fragment.next = self.check.ip_fragment.val();
        self.reason.ip_protocol.next = self.check.ip_protocol.val();
        self.reason.ip_payload.next = self.check.ip_payload.val();
        self.reason.udp_port.next = self.check.udp_port.val();
        self.reason.udp_length.next = self.check.udp_length.val();
        self.reason.version.next = self.kind.version.val();
        self.reason.packet_type.next = self.kind.packet_type.val();
        self.reason.opcode.next = self.kind.opcode.val();
        self.reason.want.next = self.kind.want.val();
        self.reason.slice.next = self.kind.slice.val();
        self.reason.ip_checksum.next = self.checksum.bad.val();
        self.h_valid.next = self.reason.h_valid.val();
        self.h_drop.next = self.reason.h_drop.val();
    }
}
