//! Skid buffer: breaks both paths of a valid/ready link with registers.
//!
//! Latency 1 cycle, one transfer per cycle, two words of state.
use crate::ModuleName;
use rust_hdl::prelude::*;

/// A link stage whose `in_ready`, `out_valid` and `out_data` all come from registers.
#[derive(LogicBlock)]
pub struct Skid<T: Synth> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: empties the buffer; `in_ready` is low in the cycle after it.
    pub rst: Signal<In, Bit>,
    /// `in_data` is there.
    pub in_valid: Signal<In, Bit>,
    /// `in_data` is taken at the edge if it is there. Registered.
    pub in_ready: Signal<Out, Bit>,
    /// Word in.
    pub in_data: Signal<In, T>,
    /// `out_data` is there. Registered.
    pub out_valid: Signal<Out, Bit>,
    /// The consumer takes `out_data` at the edge.
    pub out_ready: Signal<In, Bit>,
    /// Word out. Registered, stable until taken.
    pub out_data: Signal<Out, T>,
    ready: DFF<Bit>,
    valid: DFF<Bit>,
    data: DFF<T>,
    spare_valid: DFF<Bit>,
    spare: DFF<T>,
    take: Signal<Local, Bit>,
    hold: Signal<Local, Bit>,
    module_name: ModuleName,
}

impl<T: Synth> Default for Skid<T> {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            rst: Default::default(),
            in_valid: Default::default(),
            in_ready: Default::default(),
            in_data: Default::default(),
            out_valid: Default::default(),
            out_ready: Default::default(),
            out_data: Default::default(),
            ready: Default::default(),
            valid: Default::default(),
            data: Default::default(),
            spare_valid: Default::default(),
            spare: Default::default(),
            take: Default::default(),
            hold: Default::default(),
            module_name: ModuleName::new(format!("skid_{}", T::BITS)),
        }
    }
}

impl<T: Synth> Logic for Skid<T> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, ready, valid, data, spare_valid, spare);
        self.in_ready.next = self.ready.q.val();
        self.out_valid.next = self.valid.q.val();
        self.out_data.next = self.data.q.val();
        self.take.next = self.in_valid.val() & self.ready.q.val();

        self.hold.next = self.spare_valid.q.val();
        if !self.valid.q.val() | self.out_ready.val() {
            self.valid.d.next = self.take.val() | self.spare_valid.q.val();
            self.hold.next = false;
            if self.spare_valid.q.val() {
                self.data.d.next = self.spare.q.val();
            } else {
                self.data.d.next = self.in_data.val();
            }
        } else if self.take.val() {
            self.spare.d.next = self.in_data.val();
            self.hold.next = true;
        }
        if self.rst.val() {
            self.valid.d.next = false;
            self.hold.next = false;
        }
        self.spare_valid.d.next = self.hold.val();
        self.ready.d.next = !self.hold.val() & !self.rst.val();
    }
}
