//! Every way a register meets the kernel: moved into the clocked block, split from a mixed statement, or
//! with a net of its own; rust-hdl's `DFF` and `Reg`; resets.
use heddle_emit::prims::Reg;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Registers {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub go: Signal<In, Bit>,
    pub sel: Signal<In, Bits<2>>,
    pub a: Signal<In, Bits<16>>,
    pub o_held: Signal<Out, Bits<16>>,
    pub o_count: Signal<Out, Bits<16>>,
    pub o_split: Signal<Out, Bits<16>>,
    pub o_split_next: Signal<Out, Bits<16>>,
    pub o_stepped: Signal<Out, Bits<16>>,
    pub o_deep: Signal<Out, Bits<16>>,
    pub o_flag: Signal<Out, Bit>,
    pub o_reset_value: Signal<Out, Bits<16>>,
    pub o_enabled: Signal<Out, Bits<16>>,
    pub o_driven_enable: Signal<Out, Bits<16>>,
    held: DFF<Bits<16>>,
    count: DFF<Bits<16>>,
    split: DFF<Bits<16>>,
    stepped: DFF<Bits<16>>,
    deep: DFF<Bits<16>>,
    flag: DFF<Bit>,
    reset_value: Reg<Bits<16>>,
    enabled: Reg<Bits<16>>,
    driven_enable: Reg<Bits<16>>,
    step: Signal<Local, Bits<16>>,
    next: Signal<Local, Bits<16>>,
    active: Signal<Local, Bit>,
}

impl Default for Registers {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            rst: Default::default(),
            go: Default::default(),
            sel: Default::default(),
            a: Default::default(),
            o_held: Default::default(),
            o_count: Default::default(),
            o_split: Default::default(),
            o_split_next: Default::default(),
            o_stepped: Default::default(),
            o_deep: Default::default(),
            o_flag: Default::default(),
            o_reset_value: Default::default(),
            o_enabled: Default::default(),
            o_driven_enable: Default::default(),
            held: Default::default(),
            count: Default::default(),
            split: Default::default(),
            stepped: Default::default(),
            deep: Default::default(),
            flag: Default::default(),
            reset_value: Reg::new(bits(0xBEEF)),
            enabled: Reg::new(bits(7)),
            driven_enable: Reg::new(bits(9)),
            step: Default::default(),
            next: Default::default(),
            active: Default::default(),
        }
    }
}

impl Logic for Registers {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, held, count, split, stepped, deep, flag);
        // Nothing but a register: moves into the clocked block.
        if self.go.val() {
            self.held.d.next = self.a.val();
        }
        self.count.d.next = self.count.q.val() + 1;
        // A register and a Local in one small statement: divided.
        self.next.next = self.split.q.val();
        if self.go.val() {
            self.split.d.next = self.split.q.val() + self.a.val();
            self.next.next = self.split.q.val() ^ self.a.val();
        }
        // Reads a value that is assigned again later: has a net of its own.
        self.step.next = self.a.val() + 1;
        self.stepped.d.next = self.step.val();
        if self.go.val() {
            self.step.next = self.step.val() + 2;
        }
        // Too many conditions to divide.
        self.active.next = false;
        if self.sel.val() == 0 {
            if self.go.val() {
                self.deep.d.next = self.a.val();
            } else if self.a.val().any() {
                self.deep.d.next = self.deep.q.val() + 3;
                self.active.next = true;
            }
        } else if self.sel.val() == 2 {
            self.deep.d.next = !self.deep.q.val();
        }
        self.flag.d.next = self.active.val() & self.go.val();

        self.reset_value.clk.next = self.clk.val();
        self.reset_value.rst.next = self.rst.val();
        self.reset_value.en.next = true;
        self.reset_value.d.next = self.reset_value.q.val() + self.a.val();
        self.enabled.clk.next = self.clk.val();
        self.enabled.rst.next = self.rst.val();
        self.enabled.en.next = self.go.val();
        self.enabled.d.next = self.a.val();
        self.driven_enable.clk.next = self.clk.val();
        self.driven_enable.rst.next = self.rst.val() & self.go.val();
        self.driven_enable.en.next = self.sel.val() == 1;
        self.driven_enable.d.next = self.a.val() - 1;

        if self.rst.val() {
            self.held.d.next = 0.into();
            self.count.d.next = 5.into();
            self.split.d.next = 0.into();
            self.deep.d.next = 1.into();
        }

        self.o_held.next = self.held.q.val();
        self.o_count.next = self.count.q.val();
        self.o_split.next = self.split.q.val();
        self.o_split_next.next = self.next.val();
        self.o_stepped.next = self.stepped.q.val() ^ self.step.val();
        self.o_deep.next = self.deep.q.val();
        self.o_flag.next = self.flag.q.val();
        self.o_reset_value.next = self.reset_value.q.val();
        self.o_enabled.next = self.enabled.q.val();
        self.o_driven_enable.next = self.driven_enable.q.val();
    }
}
