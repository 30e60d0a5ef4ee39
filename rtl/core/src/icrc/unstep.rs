//! One optional step back of the CRC register over zero bytes. Latency 1 cycle, one register per cycle.
//! Doc `docs/blocks/icrc.md`.

use super::matrix;
use rust_hdl::prelude::*;

/// Takes `2^k` zero bytes back out of a CRC register, when `back` is set.
#[derive(LogicBlock)]
pub struct Unstep {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Step back in this cycle.
    pub back: Signal<In, Bit>,
    /// Register before the step.
    pub d: Signal<In, Bits<32>>,
    /// Register after it, one cycle later.
    pub q: Signal<Out, Bits<32>>,
    crc: DFF<Bits<32>>,
    stepped: Signal<Local, Bits<32>>,
    row: [Constant<Bits<32>>; 32],
}

impl Unstep {
    /// A step over `bytes` zero bytes.
    pub fn new(bytes: usize) -> Self {
        Self {
            clk: Default::default(),
            back: Default::default(),
            d: Default::default(),
            q: Default::default(),
            crc: Default::default(),
            stepped: Default::default(),
            row: std::array::from_fn(|i| {
                Constant::new(bits(matrix::row(i, |r| matrix::before_zeros(r, bytes)).into()))
            }),
        }
    }
}

impl Logic for Unstep {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, crc);
        self.stepped.next = 0.into();
        for i in 0..32 {
            self.stepped.next = self.stepped.val().replace_bit(i, (self.d.val() & self.row[i].val()).xor());
        }
        self.crc.d.next = self.d.val();
        if self.back.val() {
            self.crc.d.next = self.stepped.val();
        }
        self.q.next = self.crc.q.val();
    }
}
