//! A block inside another, as it is in a core: what views are tested with.

use heddle_emit::Emitter;
use heddle_rtl::designs::Design;
use heddle_rtl::rx::rows::{OrderEntry, PlaceRequest};
use heddle_rtl::rx::verdict::RxVerdict;
use rust_hdl::prelude::*;

/// The receive verdict behind ports of the same names, with wrong wiring to be switched on.
#[derive(LogicBlock, Default)]
pub struct Wrapped {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    /// The order entry is shown to the block, and taken, only while `w_ready` is high: its offer goes back.
    fault_inside: Signal<In, Bit>,
    /// The block believes that its requests are always taken: they are lost on the way.
    fault_outside: Signal<In, Bit>,
    o_valid: Signal<In, Bit>,
    o_ready: Signal<Out, Bit>,
    o_entry: Signal<In, OrderEntry>,
    v_valid: Signal<In, Bit>,
    v_class: Signal<In, Bits<2>>,
    x_valid: Signal<Out, Bit>,
    x_take: Signal<Out, Bit>,
    x_ack: Signal<Out, Bit>,
    w_valid: Signal<Out, Bit>,
    w_ready: Signal<In, Bit>,
    w_request: Signal<Out, PlaceRequest>,
    drop_valid: Signal<Out, Bit>,
    drop_reason: Signal<Out, Bits<8>>,
    open: Signal<Local, Bit>,
    verdict: RxVerdict,
}

impl Logic for Wrapped {
    #[hdl_gen]
    fn update(&mut self) {
        self.verdict.clk.next = self.clk.val();
        self.verdict.rst.next = self.rst.val();
        self.open.next = self.w_ready.val() | !self.fault_inside.val();
        self.verdict.o_valid.next = self.o_valid.val() & self.open.val();
        self.verdict.o_entry.next = self.o_entry.val();
        self.o_ready.next = self.verdict.o_ready.val() & self.open.val();
        self.verdict.v_valid.next = self.v_valid.val();
        self.verdict.v_class.next = self.v_class.val();
        self.x_valid.next = self.verdict.x_valid.val();
        self.x_take.next = self.verdict.x_take.val();
        self.x_ack.next = self.verdict.x_ack.val();
        self.w_valid.next = self.verdict.w_valid.val();
        self.w_request.next = self.verdict.w_request.val();
        self.verdict.w_ready.next = self.w_ready.val() | self.fault_outside.val();
        self.drop_valid.next = self.verdict.drop_valid.val();
        self.drop_reason.next = self.verdict.drop_reason.val();
    }
}

/// The design `wrapped_verdict`, which is like `rx_verdict` inside and outside.
///
/// # Panics
/// When it is not emitted.
pub fn design() -> Design {
    let mut uut = Wrapped::default();
    uut.connect_all();
    match Emitter::new().top("wrapped_verdict", &uut, &[]) {
        Ok(netlist) => {
            Design::new("wrapped_verdict", netlist).view("verdict", "rx_verdict").like("rx_verdict")
        }
        Err(error) => panic!("wrapped_verdict is not emitted: {error}"),
    }
}
