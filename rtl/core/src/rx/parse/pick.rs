//! One field of the aligned stream. Combinational.

use super::layout;
use rust_hdl::prelude::*;

/// Takes `N` bits at a fixed place out of aligned beats of `W` bits in network order.
#[derive(LogicBlock)]
pub struct Pick<const W: usize, const N: usize> {
    /// Number of the aligned beat.
    pub beat: Signal<In, Bits<5>>,
    /// The beat, its byte 0 in the top bits.
    pub data: Signal<In, Bits<W>>,
    /// The field is in this beat.
    pub hit: Signal<Out, Bit>,
    /// With `hit`: the field.
    pub value: Signal<Out, Bits<N>>,
    at_beat: Constant<Bits<5>>,
    shift: Constant<Bits<10>>,
}

impl<const W: usize, const N: usize> Pick<W, N> {
    /// The field that starts `distance` bytes behind the transport header's first byte; it must not
    /// cross a beat.
    pub fn new(distance: isize) -> Self {
        Self::within(distance, 0)
    }

    /// The field that starts `skip` bits into that byte.
    pub fn within(distance: isize, skip: usize) -> Self {
        let (beat, byte) = layout::place(distance, W / 8);
        let shift = W.checked_sub(8 * byte + skip + N).expect("the field crosses a beat");
        Self {
            beat: Default::default(),
            data: Default::default(),
            hit: Default::default(),
            value: Default::default(),
            at_beat: Constant::new(bits(beat as LiteralType)),
            shift: Constant::new(bits(shift as LiteralType)),
        }
    }
}

impl<const W: usize, const N: usize> Logic for Pick<W, N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.hit.next = self.beat.val() == self.at_beat.val();
        self.value.next = bit_cast::<N, W>(self.data.val() >> self.shift.val());
    }
}
