//! Time: ticks of 8 ns from clock cycles.
//!
//! `now` is (cycles since `rst` x factor) >> shift, modulo 2^32. A reset of the core by software does not stop it. Doc `docs/core.md`.

use crate::config::TickScale;
use rust_hdl::prelude::*;

/// The block.
#[derive(LogicBlock)]
pub struct Tick {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: time is 0.
    pub rst: Signal<In, Bit>,
    /// Ticks of 8 ns.
    pub now: Signal<Out, Bits<32>>,
    scaled: DFF<Bits<40>>,
    factor: Constant<Bits<40>>,
    shift: Constant<Bits<6>>,
}

impl Tick {
    /// Ticks at this clock.
    pub fn new(scale: TickScale) -> Self {
        Self {
            clk: Default::default(),
            rst: Default::default(),
            now: Default::default(),
            scaled: Default::default(),
            factor: Constant::new(u64::from(scale.factor).to_bits()),
            shift: Constant::new(u64::from(scale.shift).to_bits()),
        }
    }
}

impl Logic for Tick {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, scaled);
        self.scaled.d.next = self.scaled.q.val() + self.factor.val();
        if self.rst.val() {
            self.scaled.d.next = 0.into();
        }
        self.now.next = bit_cast::<32, 40>(self.scaled.q.val() >> self.shift.val());
    }
}
