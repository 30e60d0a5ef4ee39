//! Receive gate: whole frames in, or ignored, as the control register says.
//!
//! No latency. A frame that began while the core was off, or before its reset, is taken and thrown away beat by beat, whatever room
//! there is; one that began while it was on goes on to its end. Doc `docs/core.md`.

use rust_hdl::prelude::*;

/// The block.
#[derive(LogicBlock, Default)]
pub struct RxGate {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: the next beat begins a frame.
    pub rst: Signal<In, Bit>,
    /// The other blocks are reset: what is left of a frame is ignored.
    pub clear: Signal<In, Bit>,
    /// Frames are received.
    pub enable: Signal<In, Bit>,
    /// There is room behind the parser.
    pub room: Signal<In, Bit>,
    /// A beat is offered by the MAC.
    pub s_valid: Signal<In, Bit>,
    /// It is taken.
    pub s_ready: Signal<Out, Bit>,
    /// It is its frame's last.
    pub s_last: Signal<In, Bit>,
    /// A beat goes on.
    pub p_valid: Signal<Out, Bit>,
    /// It is its frame's first.
    pub p_first: Signal<Out, Bit>,
    inside: DFF<Bit>,
    taking: DFF<Bit>,
    on: Signal<Local, Bit>,
    ready: Signal<Local, Bit>,
}

impl Logic for RxGate {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, inside, taking);
        self.on.next = self.enable.val();
        if self.inside.q.val() {
            self.on.next = self.taking.q.val();
        }
        self.ready.next = self.room.val() | !self.on.val();
        self.s_ready.next = self.ready.val();
        self.p_valid.next = self.s_valid.val() & self.room.val() & self.on.val();
        self.p_first.next = self.s_valid.val() & self.room.val() & self.on.val() & !self.inside.q.val();
        if self.s_valid.val() & self.ready.val() {
            self.inside.d.next = !self.s_last.val();
            self.taking.d.next = self.on.val();
        }
        if self.clear.val() {
            self.taking.d.next = false;
        }
        if self.rst.val() {
            self.inside.d.next = false;
        }
    }
}
