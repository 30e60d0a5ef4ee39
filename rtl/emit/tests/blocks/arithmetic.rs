//! Everything about widths that rust-hdl's tree leaves implicit.
use rust_hdl::prelude::*;

/// One output per trap.
#[derive(LogicBlock, Default)]
pub struct Arithmetic {
    pub a: Signal<In, Bits<24>>,
    pub b: Signal<In, Bits<24>>,
    pub c: Signal<In, Bits<24>>,
    pub w: Signal<In, Bits<256>>,
    pub v: Signal<In, Bits<256>>,
    pub x: Signal<In, Bits<33>>,
    pub i: Signal<In, Bits<8>>,
    pub j: Signal<In, Bits<3>>,
    pub k: Signal<In, Bit>,
    pub o_precedence: Signal<Out, Bit>,
    pub o_wrapped_difference: Signal<Out, Bit>,
    pub o_wrapped_sum_is_zero: Signal<Out, Bit>,
    pub o_inverted_is_zero: Signal<Out, Bit>,
    pub o_shifted_sum: Signal<Out, Bits<24>>,
    pub o_shifted_increment: Signal<Out, Bits<24>>,
    pub o_cast_sum: Signal<Out, Bits<32>>,
    pub o_cast_inverse: Signal<Out, Bits<32>>,
    pub o_bits_past_top: Signal<Out, Bits<16>>,
    pub o_bits_of_sum: Signal<Out, Bits<9>>,
    pub o_bits_at_top: Signal<Out, Bits<24>>,
    pub o_bit: Signal<Out, Bit>,
    pub o_bit_of_expression: Signal<Out, Bit>,
    pub o_wrapped_index: Signal<Out, Bit>,
    pub o_replaced: Signal<Out, Bits<256>>,
    pub o_replaced_24: Signal<Out, Bits<24>>,
    pub o_bits_at: Signal<Out, Bits<16>>,
    pub o_left: Signal<Out, Bits<256>>,
    pub o_right: Signal<Out, Bits<256>>,
    pub o_literal_shifted: Signal<Out, Bits<64>>,
    pub o_literal_minus: Signal<Out, Bits<24>>,
    pub o_product: Signal<Out, Bits<32>>,
    pub o_plus_bool: Signal<Out, Bits<24>>,
    pub o_isolated: Signal<Out, Bits<256>>,
    pub o_wide_less: Signal<Out, Bit>,
    pub o_reduced: Signal<Out, Bits<4>>,
    pub o_mixed: Signal<Out, Bits<24>>,
    pub o_mixed_bool: Signal<Out, Bit>,
    pub o_x33: Signal<Out, Bits<33>>,
    pub o_constant_compare: Signal<Out, Bit>,
}

#[allow(clippy::precedence, clippy::nonminimal_bool)] // the expressions are what is tested
impl Logic for Arithmetic {
    #[hdl_gen]
    fn update(&mut self) {
        self.o_precedence.next = self.a.val() & self.b.val() == self.c.val();
        self.o_wrapped_difference.next = (self.a.val() - self.b.val()) < 256;
        self.o_wrapped_sum_is_zero.next = (self.a.val() + 1) == 0;
        self.o_inverted_is_zero.next = !self.a.val() == 0;
        self.o_shifted_sum.next = (self.a.val() + self.b.val()) >> self.i.val().get_bits::<2>(0);
        self.o_shifted_increment.next = (self.a.val() + 1) >> 1;
        self.o_cast_sum.next = bit_cast::<32, 24>(self.a.val() + self.b.val());
        self.o_cast_inverse.next = bit_cast::<32, 24>(!self.a.val());
        self.o_bits_past_top.next = self.a.val().get_bits::<16>(12);
        self.o_bits_of_sum.next = (self.a.val() + self.b.val()).get_bits::<9>(7);
        self.o_bits_at_top.next = self.w.val().get_bits::<24>(250);
        self.o_bit.next = self.w.val().get_bit(self.i.val().index());
        self.o_bit_of_expression.next = (self.w.val() ^ self.v.val()).get_bit(self.i.val().index());
        self.o_wrapped_index.next = self.a.val().get_bit((self.j.val() + 3).index());
        self.o_replaced.next = self.w.val().replace_bit(self.i.val().index(), self.k.val());
        self.o_replaced_24.next = self.a.val().replace_bit(self.j.val().index(), self.k.val());
        self.o_bits_at.next = self.w.val().get_bits::<16>(self.i.val().index());
        self.o_left.next = self.w.val() << self.i.val();
        self.o_right.next = self.w.val() >> self.i.val();
        self.o_literal_shifted.next = 1 << self.i.val().get_bits::<6>(0);
        self.o_literal_minus.next = 7 - self.a.val();
        self.o_product.next = bit_cast::<16, 24>(self.a.val()) * bit_cast::<16, 24>(self.b.val());
        self.o_plus_bool.next = self.a.val() + (self.b.val() > self.c.val());
        self.o_isolated.next = self.w.val() & !(self.w.val() - 1);
        self.o_wide_less.next = self.w.val() < self.v.val();
        self.o_reduced.next = 0.into();
        self.o_reduced.next = self.o_reduced.val().replace_bit(0, !self.w.val().any());
        self.o_reduced.next = self.o_reduced.val().replace_bit(1, (!self.j.val()).all());
        self.o_reduced.next = self.o_reduced.val().replace_bit(2, (self.a.val() + self.b.val()).xor());
        self.o_reduced.next = self.o_reduced.val().replace_bit(3, (self.a.val() << 3).any());
        self.o_mixed.next = self.a.val() ^ self.b.val() | self.c.val() & self.a.val() - 1 << 2;
        self.o_mixed_bool.next = self.k.val() & !(self.a.val() > self.b.val())
            | (self.a.val() + self.b.val() == self.c.val()) ^ self.k.val();
        self.o_x33.next = !self.x.val() - bit_cast::<33, 24>(!self.a.val());
        self.o_constant_compare.next = (self.a.val() >= 0) & (self.j.val() <= 7) & (self.i.val() > 3);
    }
}
