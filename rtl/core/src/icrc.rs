//! ICRC engine: CRC-32 over beats, one beat per cycle, for checking (`k`) and for making (`w`) the word.
//!
//! Bytes that are not part of the packet (before its start in the first beat, after its end in the last)
//! must come as zeros. Leading zeros are undone by the starting register, trailing zeros by comparing
//! with the residue moved on by as many zeros (`k`), or by stepping the register back over them (`w`).
//! So every beat is a whole beat to the register's loop, which holds one 32 x 32 matrix whatever the
//! width.
//!
//! `k` leaves 3 cycles after the last beat, `w` 2 + log2(bytes per beat): 5 at 64 bit, 8 at 512. Never
//! stalls. Model `icrc`. Doc `docs/blocks/icrc.md`.

pub mod matrix;
mod unstep;

use rust_hdl::prelude::*;
use unstep::Unstep;

/// The engine at 64 data bits (`tiny`, `gbe`).
pub type Icrc64 = Icrc<64, 8, 3, 1>;
/// The engine at 512 data bits (`dc100`).
pub type Icrc512 = Icrc<512, 64, 6, 8>;

/// ICRC engine of `W` data bits: `B` bytes, `LB` = log2 B, `G` = W / 64 partial sums.
#[derive(LogicBlock)]
pub struct Icrc<const W: usize, const B: usize, const LB: usize, const G: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// A beat.
    pub in_valid: Signal<In, Bit>,
    /// The packet starts in this beat.
    pub in_first: Signal<In, Bit>,
    /// The packet ends in this beat.
    pub in_last: Signal<In, Bit>,
    /// With `in_first`: 0 the packet starts at byte 0 of the beat; 1 at byte 14 mod B; 2 at byte 18 mod B.
    pub in_skip: Signal<In, Bits<2>>,
    /// With `in_last`: bytes of the beat up to the packet's end, 0 for all B.
    pub in_tail: Signal<In, Bits<LB>>,
    /// The beat, byte 0 in bits 7 to 0; zeros outside of the packet.
    pub in_data: Signal<In, Bits<W>>,
    /// One pulse per `in_last`: the packet included its ICRC, was it right?
    pub k_valid: Signal<Out, Bit>,
    /// With `k_valid`. False too for a last beat without a first one.
    pub k_good: Signal<Out, Bit>,
    /// One pulse per `in_last`.
    pub w_valid: Signal<Out, Bit>,
    /// With `w_valid`: the ICRC of the packet; its bits 7 to 0 are sent first.
    pub w_icrc: Signal<Out, Bits<32>>,

    valid1: DFF<Bit>,
    first1: DFF<Bit>,
    last1: DFF<Bit>,
    skip1: DFF<Bits<2>>,
    zeros1: DFF<Bits<LB>>,
    part1: [DFF<Bits<32>>; G],
    open2: DFF<Bit>,
    closed2: DFF<Bit>,
    last2: DFF<Bit>,
    zeros2: DFF<Bits<LB>>,
    crc2: DFF<Bits<32>>,
    k_valid3: DFF<Bit>,
    k_good3: DFF<Bit>,
    back: [Unstep; LB],
    w_valid3: [DFF<Bit>; LB],
    w_zeros3: [DFF<Bits<LB>>; LB],

    masked: [Signal<Local, Bits<W>>; 32],
    part: [Signal<Local, Bits<32>>; G],
    sum: Signal<Local, Bits<32>>,
    from: Signal<Local, Bits<32>>,
    stepped: Signal<Local, Bits<32>>,
    want: Signal<Local, Bits<32>>,

    data_row: [Constant<Bits<W>>; 32],
    step_row: [Constant<Bits<32>>; 32],
    start: [Constant<Bits<32>>; 3],
    residue: [Constant<Bits<32>>; B],
}

impl<const W: usize, const B: usize, const LB: usize, const G: usize> Default for Icrc<W, B, LB, G> {
    fn default() -> Self {
        const { assert!(W == 8 * B && B == 1 << LB && W == 64 * G, "widths of the ICRC engine disagree") };
        let word = |value: u32| Constant::new(bits(value.into()));
        Self {
            clk: Default::default(),
            rst: Default::default(),
            in_valid: Default::default(),
            in_first: Default::default(),
            in_last: Default::default(),
            in_skip: Default::default(),
            in_tail: Default::default(),
            in_data: Default::default(),
            k_valid: Default::default(),
            k_good: Default::default(),
            w_valid: Default::default(),
            w_icrc: Default::default(),
            valid1: Default::default(),
            first1: Default::default(),
            last1: Default::default(),
            skip1: Default::default(),
            zeros1: Default::default(),
            part1: std::array::from_fn(|_| Default::default()),
            open2: Default::default(),
            closed2: Default::default(),
            last2: Default::default(),
            zeros2: Default::default(),
            crc2: Default::default(),
            k_valid3: Default::default(),
            k_good3: Default::default(),
            back: std::array::from_fn(|k| Unstep::new(1 << k)),
            w_valid3: std::array::from_fn(|_| Default::default()),
            w_zeros3: std::array::from_fn(|_| Default::default()),
            masked: std::array::from_fn(|_| Default::default()),
            part: std::array::from_fn(|_| Default::default()),
            sum: Default::default(),
            from: Default::default(),
            stepped: Default::default(),
            want: Default::default(),
            data_row: std::array::from_fn(|i| Constant::new(data_row::<W>(i, B))),
            step_row: std::array::from_fn(|i| word(matrix::row(i, |r| matrix::after_zeros(r, B)))),
            start: [0, 14, 18].map(|skip| word(matrix::before_zeros(matrix::ONES, skip % B))),
            residue: std::array::from_fn(|zeros| word(matrix::after_zeros(matrix::residue(), zeros))),
        }
    }
}

fn data_row<const W: usize>(out: usize, bytes: usize) -> Bits<W> {
    matrix::data_row(out, bytes).enumerate().fold(bits(0), |mask: Bits<W>, (k, b)| mask.replace_bit(k, b))
}

impl<const W: usize, const B: usize, const LB: usize, const G: usize> Logic for Icrc<W, B, LB, G> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clk, valid1, first1, last1, skip1, zeros1, open2, closed2, last2, zeros2, crc2, k_valid3,
            k_good3
        );

        // Stage 1: what the data adds to the register, in partial sums of 64 data bits.
        self.valid1.d.next = self.in_valid.val() & !self.rst.val();
        self.first1.d.next = self.in_first.val();
        self.last1.d.next = self.in_last.val();
        self.skip1.d.next = self.in_skip.val();
        self.zeros1.d.next = 0 - self.in_tail.val();
        for i in 0..32 {
            self.masked[i].next = self.in_data.val() & self.data_row[i].val();
        }
        for g in 0..G {
            self.part1[g].clock.next = self.clk.val();
            self.part[g].next = 0.into();
            for i in 0..32 {
                self.part[g].next =
                    self.part[g].val().replace_bit(i, self.masked[i].val().get_bits::<64>(g * 64).xor());
            }
            self.part1[g].d.next = self.part[g].val();
        }

        // Stage 2: the loop.
        self.sum.next = 0.into();
        for g in 0..G {
            self.sum.next = self.sum.val() ^ self.part1[g].q.val();
        }
        self.from.next = self.crc2.q.val();
        if self.first1.q.val() {
            self.from.next = self.start[0].val();
            for k in 1..3 {
                if self.skip1.q.val() == k.to_bits() {
                    self.from.next = self.start[k].val();
                }
            }
        }
        self.stepped.next = 0.into();
        for i in 0..32 {
            self.stepped.next =
                self.stepped.val().replace_bit(i, (self.from.val() & self.step_row[i].val()).xor());
        }
        self.last2.d.next = self.valid1.q.val() & self.last1.q.val() & !self.rst.val();
        self.zeros2.d.next = self.zeros1.q.val();
        if self.valid1.q.val() {
            self.crc2.d.next = self.stepped.val() ^ self.sum.val();
            // The verdict of a last beat whose packet never began must not depend on what came before.
            self.open2.d.next = self.first1.q.val() | (self.open2.q.val() & !self.closed2.q.val());
            self.closed2.d.next = self.last1.q.val();
        }
        if self.rst.val() {
            self.open2.d.next = false;
        }

        // Stage 3, checking: the residue, moved on by the zeros that filled the last beat.
        self.want.next = self.residue[0].val();
        for k in 1..B {
            if self.zeros2.q.val() == k.to_bits() {
                self.want.next = self.residue[k].val();
            }
        }
        self.k_valid3.d.next = self.last2.q.val() & !self.rst.val();
        self.k_good3.d.next = self.open2.q.val() & (self.crc2.q.val() == self.want.val());
        self.k_valid.next = self.k_valid3.q.val();
        self.k_good.next = self.k_good3.q.val();

        // Stages 3 to 2 + LB, making: back over those zeros, one power of two per stage.
        for k in 0..LB {
            self.back[k].clk.next = self.clk.val();
            self.w_valid3[k].clock.next = self.clk.val();
            self.w_zeros3[k].clock.next = self.clk.val();
        }
        self.back[0].d.next = self.crc2.q.val();
        self.back[0].back.next = self.zeros2.q.val().get_bit(0);
        self.w_valid3[0].d.next = self.last2.q.val() & !self.rst.val();
        self.w_zeros3[0].d.next = self.zeros2.q.val();
        for k in 1..LB {
            self.back[k].d.next = self.back[k - 1].q.val();
            self.back[k].back.next = self.w_zeros3[k - 1].q.val().get_bit(k);
            self.w_valid3[k].d.next = self.w_valid3[k - 1].q.val() & !self.rst.val();
            self.w_zeros3[k].d.next = self.w_zeros3[k - 1].q.val();
        }
        for k in 0..LB {
            // The last assignment stands: the last stage.
            self.w_valid.next = self.w_valid3[k].q.val();
            self.w_icrc.next = !self.back[k].q.val();
        }
    }
}
