//! Verdict on one DATA packet; a part of both receive path engines.
//!
//! Distances are taken in cycle 2 of an operation, the classes in cycle 3, outputs are valid in cycle 4; one
//! operation per cycle. `psn - high` is 10 bits: an accepted PSN is in [cum, cum + 256) and high in [cum - 1,
//! cum + 256), so that it lies in -255..=256; for other packets the result is not used.

use rust_hdl::prelude::*;

/// Classifies a packet against its path's window.
#[derive(LogicBlock, Default)]
pub struct Verdict {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Cycle 2: the packet's PSN.
    pub psn: Signal<In, Bits<24>>,
    /// Cycle 2: lowest PSN not received.
    pub cum: Signal<In, Bits<24>>,
    /// Cycle 2: the low bits of the highest PSN received.
    pub high: Signal<In, Bits<10>>,
    /// Cycle 3: the slot of the PSN is set, on the packet's own lap.
    pub received: Signal<In, Bit>,
    /// Cycle 3: this is DATA; else the outputs speak of no packet: class 0, not accepted, no duplicate.
    pub data: Signal<In, Bit>,
    /// Cycle 3: the look-ups found a fault.
    pub fault: Signal<In, Bit>,
    /// Cycle 4: 0 accept, 1 duplicate, 2 out of window, 3 fault.
    pub decision: Signal<Out, Bits<2>>,
    /// Cycle 4: the packet is DATA and accepted.
    pub accept: Signal<Out, Bit>,
    /// Cycle 4: the packet is DATA and a duplicate.
    pub duplicate: Signal<Out, Bit>,
    /// Cycle 4: accepted at cum, which advances.
    pub advance: Signal<Out, Bit>,
    /// Cycle 4: accepted beyond high.
    pub highest: Signal<Out, Bit>,
    /// Cycle 4: a gap opens: accepted beyond high + 1.
    pub open: Signal<Out, Bit>,
    ahead3: DFF<Bits<24>>,
    beyond3: DFF<Bits<10>>,
    class4: DFF<Bits<2>>,
    accept4: DFF<Bit>,
    duplicate4: DFF<Bit>,
    advance4: DFF<Bit>,
    highest4: DFF<Bit>,
    open4: DFF<Bit>,
    in_window: Signal<Local, Bit>,
    repeated: Signal<Local, Bit>,
    accepted: Signal<Local, Bit>,
    higher: Signal<Local, Bit>,
}

impl Logic for Verdict {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module rx_path_verdict");
        dff_setup!(self, clk, ahead3, beyond3, class4, accept4, duplicate4, advance4, highest4, open4);
        // Cycle 2: serial distances.
        self.ahead3.d.next = self.psn.val() - self.cum.val();
        self.beyond3.d.next = self.psn.val().get_bits::<10>(0) - self.high.val();

        // Cycle 3. REQ-RX-1: duplicate or out of window first, then the fault that the look-ups carried, then
        // accept.
        self.in_window.next = !self.ahead3.q.val().get_bits::<16>(8).any();
        self.repeated.next = self.ahead3.q.val().get_bit(23) | (self.in_window.val() & self.received.val());
        self.accepted.next =
            self.data.val() & self.in_window.val() & !self.received.val() & !self.fault.val();
        self.class4.d.next = 0.into();
        if self.data.val() {
            if self.repeated.val() {
                self.class4.d.next = 1.into();
            } else if !self.in_window.val() {
                self.class4.d.next = 2.into();
            } else if self.fault.val() {
                self.class4.d.next = 3.into();
            }
        }
        self.accept4.d.next = self.accepted.val();
        self.duplicate4.d.next = self.data.val() & self.repeated.val();
        self.advance4.d.next = self.accepted.val() & !self.ahead3.q.val().get_bits::<8>(0).any();
        // REQ-RX-3: a gap opens beyond high + 1.
        self.higher.next = self.accepted.val() & !self.beyond3.q.val().get_bit(9);
        self.highest4.d.next = self.higher.val();
        self.open4.d.next = self.higher.val() & self.beyond3.q.val().get_bits::<8>(1).any();

        // Cycle 4.
        self.decision.next = self.class4.q.val();
        self.accept.next = self.accept4.q.val();
        self.duplicate.next = self.duplicate4.q.val();
        self.advance.next = self.advance4.q.val();
        self.highest.next = self.highest4.q.val();
        self.open.next = self.open4.q.val();
    }
}
