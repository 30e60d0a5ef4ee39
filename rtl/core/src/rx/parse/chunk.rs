//! One register of the header words. Latency 1 cycle.

use rust_hdl::prelude::*;

/// Keeps `HB` bits of the header.
#[derive(LogicBlock, Default)]
pub struct Chunk<const HB: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Keep `data`.
    pub take: Signal<In, Bit>,
    /// Header bytes in network order.
    pub data: Signal<In, Bits<HB>>,
    /// What was kept last, zeros above.
    pub word: Signal<Out, Bits<384>>,
    kept: DFF<Bits<HB>>,
}

impl<const HB: usize> Logic for Chunk<HB> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, kept);
        if self.take.val() {
            self.kept.d.next = self.data.val();
        }
        self.word.next = bit_cast::<384, HB>(self.kept.q.val());
    }
}
