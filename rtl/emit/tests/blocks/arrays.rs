//! Loops over arrays of Locals, constants, registers and blocks; wide vectors; generic widths.
use rust_hdl::prelude::*;

/// Parity of `d` under each mask, computed over `W` bits; a rotating bank of registers.
#[derive(LogicBlock)]
pub struct Arrays<const W: usize, const LANES: usize> {
    pub clk: Signal<In, Clock>,
    pub d: Signal<In, Bits<W>>,
    pub shift: Signal<In, Bit>,
    pub o_parity: Signal<Out, Bits<LANES>>,
    pub o_ones: Signal<Out, Bits<11>>,
    pub o_reversed: Signal<Out, Bits<W>>,
    pub o_last: Signal<Out, Bits<W>>,
    pub o_prefix: Signal<Out, Bits<8>>,
    mask: [Constant<Bits<W>>; LANES],
    bank: [DFF<Bits<W>>; LANES],
    prefix: [Signal<Local, Bits<8>>; LANES],
    parity: Signal<Local, Bits<LANES>>,
    ones: Signal<Local, Bits<11>>,
    reversed: Signal<Local, Bits<W>>,
}

impl<const W: usize, const LANES: usize> Arrays<W, LANES> {
    pub fn new(mask: [Bits<W>; LANES]) -> Self {
        Self {
            clk: Default::default(),
            d: Default::default(),
            shift: Default::default(),
            o_parity: Default::default(),
            o_ones: Default::default(),
            o_reversed: Default::default(),
            o_last: Default::default(),
            o_prefix: Default::default(),
            mask: mask.map(Constant::new),
            bank: array_init::array_init(|_| Default::default()),
            prefix: array_init::array_init(|_| Default::default()),
            parity: Default::default(),
            ones: Default::default(),
            reversed: Default::default(),
        }
    }
}

impl<const W: usize, const LANES: usize> Logic for Arrays<W, LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.parity.next = 0.into();
        for k in 0..LANES {
            self.parity.next = self.parity.val().replace_bit(k, (self.d.val() & self.mask[k].val()).xor());
        }
        self.o_parity.next = self.parity.val();

        self.ones.next = 0.into();
        self.reversed.next = 0.into();
        for n in 0..W {
            self.ones.next = self.ones.val() + self.d.val().get_bit(n);
            self.reversed.next = self.reversed.val() << 1;
            self.reversed.next = self.reversed.val() + self.d.val().get_bit(n);
        }
        self.o_ones.next = self.ones.val();
        self.o_reversed.next = self.reversed.val();

        for k in 0..LANES {
            self.bank[k].clock.next = self.clk.val();
            self.bank[k].d.next = self.bank[k].q.val();
            if self.shift.val() {
                if k == 0 {
                    self.bank[k].d.next = self.d.val();
                } else {
                    self.bank[k].d.next = self.bank[k - 1].q.val();
                }
            }
        }
        self.o_last.next = self.bank[3].q.val();

        self.prefix[0].next = self.d.val().get_bits::<8>(0);
        for k in 1..LANES {
            self.prefix[k].next =
                self.prefix[k - 1].val() + self.d.val().get_bits::<8>(k * 4) + (k * 3).to_bits();
        }
        self.o_prefix.next = self.prefix[3].val();
    }
}
