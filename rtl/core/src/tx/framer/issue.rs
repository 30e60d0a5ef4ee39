//! Second step of the framer: a composed frame as beats, what is header and what is payload still apart.
//!
//! A frame is loaded in the cycle of the last beat of the one before; latency 1 cycle from `step` to
//! `out_valid`. A frame of a connection that is not set up leaves nothing: its payload is taken out of the
//! buffer, a beat per cycle.
//! Doc `docs/blocks/tx-framer.md`.

use super::rows::{BeatNotes, ComposedFrame};
use crate::rx::parse::bits_where;
use rust_hdl::prelude::*;

/// Bits of `head`.
const HEAD_BITS: usize = 1120;

/// The step: `W` data bits, `B` bytes, `LB` = log2 B.
#[derive(LogicBlock)]
pub struct Issue<const W: usize, const B: usize, const LB: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// A frame is offered.
    pub in_valid: Signal<In, Bit>,
    /// It is taken.
    pub in_ready: Signal<Out, Bit>,
    /// The frame; its payload is complete in the buffer.
    pub in_frame: Signal<In, ComposedFrame>,
    /// It is not sent.
    pub in_void: Signal<In, Bit>,
    /// A payload beat is there.
    pub y_valid: Signal<In, Bit>,
    /// It is taken.
    pub y_ready: Signal<Out, Bit>,
    /// Byte 0 in the low lane.
    pub y_data: Signal<In, Bits<W>>,
    /// Beats may leave.
    pub go: Signal<In, Bit>,
    /// A beat.
    pub out_valid: Signal<Out, Bit>,
    /// Its header bytes, the first in the low lane, zeros behind them.
    pub out_head: Signal<Out, Bits<W>>,
    /// A payload beat that starts behind the last header word, zeros when there is none. Byte 0 in the low
    /// lane.
    pub out_payload: Signal<Out, Bits<W>>,
    /// Byte of a beat at which payload beats start.
    pub out_start: Signal<Out, Bits<6>>,
    /// What goes with the beat.
    pub out_notes: Signal<Out, BeatNotes>,

    active: DFF<Bit>,
    unset: DFF<Bit>,
    head: DFF<Bits<HEAD_BITS>>,
    words: DFF<Bits<6>>,
    beats: DFF<Bits<16>>,
    left: DFF<Bits<16>>,
    keep: DFF<Bits<B>>,
    start: DFF<Bits<6>>,
    rest: DFF<Bits<4>>,
    layout: DFF<Bits<2>>,
    plane: DFF<Bits<4>>,
    valid1: DFF<Bit>,
    head1: DFF<Bits<W>>,
    payload1: DFF<Bits<W>>,
    start1: DFF<Bits<6>>,
    notes1: DFF<BeatNotes>,

    sending: Signal<Local, Bit>,
    step: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
    load: Signal<Local, Bit>,
    in_payload: Signal<Local, Bit>,
    lanes: Signal<Local, Bits<W>>,
    kept: Signal<Local, Bits<W>>,
    payload: Signal<Local, Bits<W>>,
    next_keep: Signal<Local, Bits<B>>,
    place: Signal<Local, Bits<2>>,
    notes: Signal<Local, BeatNotes>,

    below: Constant<Bits<11>>,
    beat_bits: Constant<Bits<11>>,
    beat_words: Constant<Bits<6>>,
    /// Bits of the k-th step of turning a beat's bytes round, and those that move up.
    turn: [Constant<Bits<10>>; LB],
    lower: [Constant<Bits<W>>; LB],
    /// Ones in byte k.
    whole: [Constant<Bits<W>>; B],
}

impl<const W: usize, const B: usize, const LB: usize> Default for Issue<W, B, LB> {
    fn default() -> Self {
        let number = |n: usize| n as LiteralType;
        Self {
            clk: Default::default(),
            rst: Default::default(),
            in_valid: Default::default(),
            in_ready: Default::default(),
            in_frame: Default::default(),
            in_void: Default::default(),
            y_valid: Default::default(),
            y_ready: Default::default(),
            y_data: Default::default(),
            go: Default::default(),
            out_valid: Default::default(),
            out_head: Default::default(),
            out_payload: Default::default(),
            out_start: Default::default(),
            out_notes: Default::default(),
            active: Default::default(),
            unset: Default::default(),
            head: Default::default(),
            words: Default::default(),
            beats: Default::default(),
            left: Default::default(),
            keep: Default::default(),
            start: Default::default(),
            rest: Default::default(),
            layout: Default::default(),
            plane: Default::default(),
            valid1: Default::default(),
            head1: Default::default(),
            payload1: Default::default(),
            start1: Default::default(),
            notes1: Default::default(),
            sending: Default::default(),
            step: Default::default(),
            last: Default::default(),
            load: Default::default(),
            in_payload: Default::default(),
            lanes: Default::default(),
            kept: Default::default(),
            payload: Default::default(),
            next_keep: Default::default(),
            place: Default::default(),
            notes: Default::default(),
            below: Constant::new(bits(number(HEAD_BITS - W))),
            beat_bits: Constant::new(bits(number(W))),
            beat_words: Constant::new(bits(number(B / 4))),
            turn: std::array::from_fn(|k| Constant::new(bits(8 << k))),
            lower: std::array::from_fn(|k| Constant::new(bits_where(|bit| bit >> (3 + k) & 1 == 0))),
            whole: std::array::from_fn(|k| Constant::new(bits_where(|bit| bit / 8 == k))),
        }
    }
}

impl<const W: usize, const B: usize, const LB: usize> Logic for Issue<W, B, LB> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, active, unset, head, words, beats, left, keep, start, rest, layout, plane);
        dff_setup!(self, clk, valid1, head1, payload1, start1, notes1);
        self.sending.next = self.active.q.val() & !self.unset.q.val();
        self.step.next = self.sending.val() & self.go.val();
        self.last.next = self.left.q.val() == 1;
        self.in_payload.next = self.words.q.val() < self.beat_words.val();

        // The next beat of headers, its bytes turned round.
        self.lanes.next = bit_cast::<W, 1120>(self.head.q.val() >> self.below.val());
        for k in 0..LB {
            self.lanes.next = ((self.lanes.val() & self.lower[k].val()) << self.turn[k].val())
                | ((self.lanes.val() >> self.turn[k].val()) & self.lower[k].val());
        }

        // The next beat of payload.
        self.y_ready.next = self.active.q.val()
            & self.beats.q.val().any()
            & (self.unset.q.val() | (self.go.val() & self.in_payload.val()));
        self.kept.next = 0.into();
        for k in 0..B {
            if self.keep.q.val().get_bit(k) {
                self.kept.next = self.kept.val() | self.whole[k].val();
            }
        }
        self.payload.next = self.y_data.val();
        if self.beats.q.val() == 1 {
            self.payload.next = self.y_data.val() & self.kept.val();
        }
        if !self.in_payload.val() | !self.beats.q.val().any() {
            self.payload.next = 0.into();
        }

        // The ICRC's four bytes end the frame: in its last beat, or half in the last but one.
        self.place.next = 0.into();
        if self.last.val() {
            self.place.next = 1.into();
        }
        if !self.rest.q.val().any() {
            if self.last.val() {
                self.place.next = 3.into();
            }
            if self.left.q.val() == 2 {
                self.place.next = 2.into();
            }
        }
        self.notes.next.place = self.place.val();
        self.notes.next.rest = self.rest.q.val();
        self.notes.next.layout = self.layout.q.val();
        self.notes.next.plane = self.plane.q.val();
        self.valid1.d.next = self.step.val() & !self.rst.val();
        self.head1.d.next = self.lanes.val();
        self.payload1.d.next = self.payload.val();
        self.start1.d.next = self.start.q.val();
        self.notes1.d.next = self.notes.val();
        self.out_valid.next = self.valid1.q.val();
        self.out_head.next = self.head1.q.val();
        self.out_payload.next = self.payload1.q.val();
        self.out_start.next = self.start1.q.val();
        self.out_notes.next = self.notes1.q.val();

        // One beat on.
        if self.step.val() {
            self.head.d.next = self.head.q.val() << self.beat_bits.val();
            self.words.d.next = self.words.q.val() - self.beat_words.val();
            if self.in_payload.val() {
                self.words.d.next = 0.into();
                if self.beats.q.val().any() {
                    self.beats.d.next = self.beats.q.val() - 1;
                }
            }
            self.left.d.next = self.left.q.val() - 1;
            if self.last.val() {
                self.active.d.next = false;
            }
        }
        if self.active.q.val() & self.unset.q.val() {
            if !self.beats.q.val().any() {
                self.active.d.next = false;
            } else {
                if self.y_valid.val() {
                    self.beats.d.next = self.beats.q.val() - 1;
                }
            }
        }

        // The next frame follows the last beat of this one.
        self.load.next = !self.active.q.val() | (self.step.val() & self.last.val());
        self.in_ready.next = self.load.val();
        self.next_keep.next = 0.into();
        for k in 0..B {
            if (self.in_frame.val().tail > k.to_bits()) | !self.in_frame.val().tail.any() {
                self.next_keep.next = self.next_keep.val().replace_bit(k, true);
            }
        }
        if self.load.val() & self.in_valid.val() {
            self.active.d.next = true;
            self.unset.d.next = self.in_void.val();
            self.head.d.next = self.in_frame.val().head;
            self.words.d.next = self.in_frame.val().words;
            self.beats.d.next = self.in_frame.val().beats;
            self.left.d.next = self.in_frame.val().left;
            self.keep.d.next = self.next_keep.val();
            self.start.d.next = (self.in_frame.val().words & (self.beat_words.val() - 1)) << 2;
            self.rest.d.next = self.in_frame.val().rest;
            self.layout.d.next = self.in_frame.val().layout;
            self.plane.d.next = self.in_frame.val().plane;
        }
        if self.rst.val() {
            self.active.d.next = false;
        }
    }
}
