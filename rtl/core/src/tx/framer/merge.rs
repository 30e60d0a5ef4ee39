//! Third step of the framer: payload behind the headers, and the beats two bytes on.
//!
//! Headers start with two bytes of zeros, so that every word lies within a beat; the frame's beats are those
//! from the third byte on. Latency 2 cycles to a frame's last beat; another beat leaves with the one that
//! follows it.
//! Doc `docs/blocks/tx-framer.md`.

use super::rows::BeatNotes;
use crate::rx::parse::bits_where;
use rust_hdl::prelude::*;

/// The step: `W` data bits, `B` bytes, `LB` = log2 B.
#[derive(LogicBlock)]
pub struct Merge<const W: usize, const B: usize, const LB: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// A beat.
    pub in_valid: Signal<In, Bit>,
    /// Its header bytes, zeros behind them.
    pub in_head: Signal<In, Bits<W>>,
    /// A payload beat, zeros when there is none.
    pub in_payload: Signal<In, Bits<W>>,
    /// Byte of the beat at which the payload beat starts; the rest of it is in the next beat.
    pub in_start: Signal<In, Bits<6>>,
    /// What goes with the beat.
    pub in_notes: Signal<In, BeatNotes>,
    /// A beat of the frame.
    pub out_valid: Signal<Out, Bit>,
    /// Its bytes, byte 0 in the low lane, zeros behind them.
    pub out_data: Signal<Out, Bits<W>>,
    /// What goes with the beat.
    pub out_notes: Signal<Out, BeatNotes>,

    valid2: DFF<Bit>,
    data2: DFF<Bits<W>>,
    carry2: DFF<Bits<W>>,
    notes2: DFF<BeatNotes>,
    valid3: DFF<Bit>,
    data3: DFF<Bits<W>>,
    notes3: DFF<BeatNotes>,

    turned: Signal<Local, Bits<W>>,
    early: Signal<Local, Bits<W>>,
    place3: Signal<Local, Bits<2>>,
    last3: Signal<Local, Bit>,
    leave: Signal<Local, Bit>,

    /// Bits of the k-th step of a rotation, and what is left of the beat.
    up: [Constant<Bits<10>>; LB],
    down: [Constant<Bits<10>>; LB],
    whole: [Constant<Bits<W>>; B],
    /// Bits of a beat without its first two bytes.
    ahead: Constant<Bits<10>>,
}

impl<const W: usize, const B: usize, const LB: usize> Default for Merge<W, B, LB> {
    fn default() -> Self {
        let number = |n: usize| n as LiteralType;
        Self {
            clk: Default::default(),
            rst: Default::default(),
            in_valid: Default::default(),
            in_head: Default::default(),
            in_payload: Default::default(),
            in_start: Default::default(),
            in_notes: Default::default(),
            out_valid: Default::default(),
            out_data: Default::default(),
            out_notes: Default::default(),
            valid2: Default::default(),
            data2: Default::default(),
            carry2: Default::default(),
            notes2: Default::default(),
            valid3: Default::default(),
            data3: Default::default(),
            notes3: Default::default(),
            turned: Default::default(),
            early: Default::default(),
            place3: Default::default(),
            last3: Default::default(),
            leave: Default::default(),
            up: std::array::from_fn(|k| Constant::new(bits(8 << k))),
            down: std::array::from_fn(|k| Constant::new(bits(number(W - (8 << k))))),
            whole: std::array::from_fn(|k| Constant::new(bits_where(|bit| bit / 8 == k))),
            ahead: Constant::new(bits(number(W - 16))),
        }
    }
}

impl<const W: usize, const B: usize, const LB: usize> Logic for Merge<W, B, LB> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, valid2, data2, carry2, notes2, valid3, data3, notes3);

        // Payload goes round to where it starts; what comes round to before that belongs to the next beat.
        self.turned.next = self.in_payload.val();
        for k in 0..LB {
            if self.in_start.val().get_bit(k) {
                self.turned.next =
                    (self.turned.val() << self.up[k].val()) | (self.turned.val() >> self.down[k].val());
            }
        }
        self.early.next = 0.into();
        for k in 0..B {
            if self.in_start.val() > k.to_bits() {
                self.early.next = self.early.val() | self.whole[k].val();
            }
        }
        self.valid2.d.next = self.in_valid.val() & !self.rst.val();
        if self.in_valid.val() {
            self.data2.d.next =
                self.in_head.val() | self.carry2.q.val() | (self.turned.val() & !self.early.val());
            self.carry2.d.next = self.turned.val() & self.early.val();
            self.notes2.d.next = self.in_notes.val();
        }

        // A beat ends with the first two bytes of the next; a last one does not wait for those.
        self.place3.next = self.notes3.q.val().place;
        self.last3.next = self.place3.val().get_bit(0);
        self.leave.next = self.valid3.q.val() & (self.valid2.q.val() | self.last3.val());
        self.out_valid.next = self.leave.val();
        self.out_data.next = self.data3.q.val() >> 16;
        if !self.last3.val() {
            self.out_data.next = (self.data3.q.val() >> 16) | (self.data2.q.val() << self.ahead.val());
        }
        self.out_notes.next = self.notes3.q.val();
        if self.leave.val() {
            self.valid3.d.next = false;
        }
        if self.valid2.q.val() {
            self.valid3.d.next = true;
            self.data3.d.next = self.data2.q.val();
            self.notes3.d.next = self.notes2.q.val();
        }
        if self.rst.val() {
            self.carry2.d.next = 0.into();
            self.valid3.d.next = false;
        }
    }
}
