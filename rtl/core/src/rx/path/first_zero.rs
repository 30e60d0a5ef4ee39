//! First zero of 16 bits, combinational; a part of both receive path engines.

use rust_hdl::prelude::*;

/// Finds the lowest clear bit of a group of 16 lanes.
#[derive(LogicBlock, Default)]
pub struct FirstZero {
    /// The lanes.
    pub lanes: Signal<In, Bits<16>>,
    /// At least one lane is clear.
    pub any: Signal<Out, Bit>,
    /// Number of the lowest clear lane; 0 when none is.
    pub first: Signal<Out, Bits<4>>,
}

impl Logic for FirstZero {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module rx_path_first_zero");
        self.any.next = !self.lanes.val().all();
        self.first.next = 0.into();
        for k in 0..16 {
            if !self.lanes.val().get_bit(15 - k) {
                self.first.next = (15 - k).to_bits();
            }
        }
    }
}
