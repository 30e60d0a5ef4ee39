//! Verdict of the hold: a frame's headers and its ICRC, one cycle after the latter. Doc `docs/blocks/rx-
//! hold.md`.

use crate::generated::wire::{drop, HEADER_BITS};
use crate::rx::rows::HeldFrame;
use rust_hdl::prelude::*;

/// Bytes of an ACK behind header word 11: SACK words 2 to 7.
const ACK_TAIL_BYTES: u64 = 24;
const ICRC_BYTES: u64 = 4;

/// The verdict.
#[derive(LogicBlock)]
pub struct Judge {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// Pulse: a frame's headers, not after its `k_valid`, after that of the frame before.
    pub h_valid: Signal<In, Bit>,
    /// DropReason number, 0 = none.
    pub h_drop: Signal<In, Bits<8>>,
    /// The addresses are IPv6.
    pub h_v6: Signal<In, Bit>,
    /// Source address.
    pub h_src: Signal<In, Bits<128>>,
    /// ECN says congestion experienced.
    pub h_ce: Signal<In, Bit>,
    /// Header words 0 to 11, word 0 on top.
    pub h_words: Signal<In, Bits<384>>,
    /// Bytes from the transport header to the ICRC.
    pub h_paylen: Signal<In, Bits<16>>,
    /// Pulse: a frame's ICRC is known.
    pub k_valid: Signal<In, Bit>,
    /// It is right.
    pub k_good: Signal<In, Bit>,
    /// Plane of the frame that is judged.
    pub plane: Signal<In, Bits<4>>,
    /// Pulse: a frame is judged.
    pub known: Signal<Out, Bit>,
    /// With it: the frame is kept.
    pub accept: Signal<Out, Bit>,
    /// With it: beats that are kept, 0 when it is refused.
    pub keep: Signal<Out, Bits<16>>,
    /// The frame.
    pub frame: Signal<Out, HeldFrame>,
    /// DropReason number, 0 when it is kept.
    pub reason: Signal<Out, Bits<8>>,
    header: DFF<HeldFrame>,
    header_drop: DFF<Bits<8>>,
    beats: DFF<Bits<16>>,
    large: DFF<Bit>,
    known1: DFF<Bit>,
    good: DFF<Bit>,
    given: Signal<Local, HeldFrame>,
    verdict: Signal<Local, Bits<8>>,
    kept: Signal<Local, Bit>,
    judged: Signal<Local, HeldFrame>,
    around: Constant<Bits<16>>,
    largest: Constant<Bits<16>>,
    round: Constant<Bits<16>>,
    shift: Constant<Bits<4>>,
    oversize: Constant<Bits<8>>,
    icrc: Constant<Bits<8>>,
}

impl Judge {
    /// A verdict on payloads of at most `slice_bytes` in beats of `beat_bytes`.
    pub fn new(slice_bytes: u64, beat_bytes: u64) -> Self {
        let around = HEADER_BITS / 8 + ICRC_BYTES;
        // An ACK's words 12 to 17 are stored like a payload.
        let longest = slice_bytes.max(ACK_TAIL_BYTES);
        Self {
            clk: Default::default(),
            rst: Default::default(),
            h_valid: Default::default(),
            h_drop: Default::default(),
            h_v6: Default::default(),
            h_src: Default::default(),
            h_ce: Default::default(),
            h_words: Default::default(),
            h_paylen: Default::default(),
            k_valid: Default::default(),
            k_good: Default::default(),
            plane: Default::default(),
            known: Default::default(),
            accept: Default::default(),
            keep: Default::default(),
            frame: Default::default(),
            reason: Default::default(),
            header: Default::default(),
            header_drop: Default::default(),
            beats: Default::default(),
            large: Default::default(),
            known1: Default::default(),
            good: Default::default(),
            given: Default::default(),
            verdict: Default::default(),
            kept: Default::default(),
            judged: Default::default(),
            around: Constant::new(around.to_bits()),
            largest: Constant::new((longest + around).to_bits()),
            // Added modulo 2^16; a length so large that the sum comes round is refused.
            round: Constant::new((beat_bytes.wrapping_sub(1 + around) & 0xffff).to_bits()),
            shift: Constant::new(u64::from(beat_bytes.trailing_zeros()).to_bits()),
            oversize: Constant::new(drop::OVERSIZE.to_bits()),
            icrc: Constant::new(drop::ICRC.to_bits()),
        }
    }
}

impl Logic for Judge {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, header, header_drop, beats, large, known1, good);

        // With the headers: how long, in bytes and beats, and whether too long.
        self.given.next.words = self.h_words.val();
        self.given.next.src = self.h_src.val();
        self.given.next.v6 = self.h_v6.val();
        self.given.next.ce = self.h_ce.val();
        self.given.next.plane = 0.into();
        self.given.next.len = 0.into();
        if self.h_paylen.val() > self.around.val() {
            self.given.next.len = self.h_paylen.val() - self.around.val();
        }
        if self.h_valid.val() {
            self.header.d.next = self.given.val();
            self.header_drop.d.next = self.h_drop.val();
            self.large.d.next = self.h_paylen.val() > self.largest.val();
            self.beats.d.next = 0.into();
            if self.h_paylen.val() > self.around.val() {
                self.beats.d.next = (self.h_paylen.val() + self.round.val()) >> self.shift.val();
            }
        }

        // One cycle after the ICRC: the one reason, or none.
        self.known1.d.next = self.k_valid.val() & !self.rst.val();
        self.good.d.next = self.k_good.val();
        self.verdict.next = 0.into();
        if !self.good.q.val() {
            self.verdict.next = self.icrc.val();
        }
        if self.large.q.val() {
            self.verdict.next = self.oversize.val();
        }
        if self.header_drop.q.val().any() {
            self.verdict.next = self.header_drop.q.val();
        }
        self.kept.next = self.good.q.val() & !self.large.q.val() & !self.header_drop.q.val().any();
        self.judged.next.words = self.header.q.val().words;
        self.judged.next.src = self.header.q.val().src;
        self.judged.next.v6 = self.header.q.val().v6;
        self.judged.next.ce = self.header.q.val().ce;
        self.judged.next.plane = self.plane.val();
        self.judged.next.len = self.header.q.val().len;
        self.known.next = self.known1.q.val();
        self.accept.next = self.known1.q.val() & self.kept.val();
        self.keep.next = 0.into();
        if self.kept.val() {
            self.keep.next = self.beats.q.val();
        }
        self.frame.next = self.judged.val();
        self.reason.next = self.verdict.val();
    }
}
