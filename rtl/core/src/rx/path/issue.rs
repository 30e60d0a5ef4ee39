//! Takes operations: one every 4 cycles, one per path at a time; a part of the receive path engine.
//!
//! Follows each operation by the cycle it is in, counted from its input transfer (cycle 0), and holds what
//! came with it in cycles 1..=4, its path until cycle 12. A path is free again in the cycle after its rows
//! are written, cycle 11.

use rust_hdl::prelude::*;

/// Scoreboard and input registers for 2^`PW` paths.
#[derive(LogicBlock, Default)]
pub struct Issue<const PW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: drops all operations.
    pub rst: Signal<In, Bit>,
    /// An operation is offered.
    pub in_valid: Signal<In, Bit>,
    /// It is taken at the edge if it is offered.
    pub in_ready: Signal<Out, Bit>,
    /// 0 DATA, 1 PROBE, 2 LOOK, 3 INIT.
    pub in_op: Signal<In, Bits<2>>,
    /// Path index.
    pub in_path: Signal<In, Bits<PW>>,
    /// PSN.
    pub in_psn: Signal<In, Bits<24>>,
    /// CE-marked.
    pub in_ce: Signal<In, Bit>,
    /// A fault was found.
    pub in_fault: Signal<In, Bit>,
    /// Flags.
    pub in_flags: Signal<In, Bits<8>>,
    /// Timestamp.
    pub in_ts: Signal<In, Bits<32>>,
    /// Route.
    pub in_route: Signal<In, Bits<8>>,
    /// Arrival time.
    pub in_now: Signal<In, Bits<32>>,
    /// The rows of `in_path` are written in this cycle.
    pub row_written: Signal<Out, Bit>,
    /// An operation is in one of the cycles 1..=3.
    pub moving: Signal<Out, Bit>,
    /// An operation is in cycle 1.
    pub cycle1: Signal<Out, Bit>,
    /// An operation is in cycle 3.
    pub cycle3: Signal<Out, Bit>,
    /// An operation is in cycle 4.
    pub cycle4: Signal<Out, Bit>,
    /// An operation is in one of the cycles 4..=7.
    pub words4: Signal<Out, Bit>,
    /// An operation is in cycle 5.
    pub cycle5: Signal<Out, Bit>,
    /// An operation is in cycle 6.
    pub cycle6: Signal<Out, Bit>,
    /// An operation is in cycle 8.
    pub cycle8: Signal<Out, Bit>,
    /// An operation is in cycle 10.
    pub cycle10: Signal<Out, Bit>,
    /// An operation is in cycle 11.
    pub cycle11: Signal<Out, Bit>,
    /// An operation is in cycle 12: done.
    pub cycle12: Signal<Out, Bit>,
    /// Cycles 1..=4: operation.
    pub op: Signal<Out, Bits<2>>,
    /// Cycles 1..=4: path index.
    pub path: Signal<Out, Bits<PW>>,
    /// Cycles 1..=4: PSN.
    pub psn: Signal<Out, Bits<24>>,
    /// Cycles 1..=4: CE-marked.
    pub ce: Signal<Out, Bit>,
    /// Cycles 1..=4: a fault was found.
    pub fault: Signal<Out, Bit>,
    /// Cycles 1..=4: flags.
    pub flags: Signal<Out, Bits<8>>,
    /// Cycles 1..=4: timestamp.
    pub ts: Signal<Out, Bits<32>>,
    /// Cycles 1..=4: route.
    pub route: Signal<Out, Bits<8>>,
    /// Cycles 1..=4: arrival time.
    pub now: Signal<Out, Bits<32>>,
    /// Cycles 5..=8: path index.
    pub path5: Signal<Out, Bits<PW>>,
    /// Cycles 9..=12: path index.
    pub path9: Signal<Out, Bits<PW>>,
    cycles: DFF<Bits<12>>,
    op1: DFF<Bits<2>>,
    path1: DFF<Bits<PW>>,
    psn1: DFF<Bits<24>>,
    ce1: DFF<Bit>,
    fault1: DFF<Bit>,
    flags1: DFF<Bits<8>>,
    ts1: DFF<Bits<32>>,
    route1: DFF<Bits<8>>,
    now1: DFF<Bits<32>>,
    valid4: DFF<Bit>,
    flight5: DFF<Bit>,
    held5: DFF<Bits<PW>>,
    flight9: DFF<Bit>,
    held9: DFF<Bits<PW>>,
    at: Signal<Local, Bits<13>>,
    pass: Signal<Local, Bit>,
    same9: Signal<Local, Bit>,
    busy: Signal<Local, Bit>,
    ready: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
}

impl<const PW: usize> Logic for Issue<PW> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module rx_path_issue");
        dff_setup!(
            self, clk, cycles, op1, path1, psn1, ce1, fault1, flags1, ts1, route1, now1, valid4, flight5,
            held5, flight9, held9
        );
        // Bit k of `at`: an operation is in cycle k. One is taken when none is in cycles 1..=3, and none of
        // its path in cycles 1..=11.
        self.at.next = bit_cast::<13, 12>(self.cycles.q.val()) << 1;
        self.pass.next = self.at.val().get_bits::<3>(1).any();
        self.same9.next = self.held9.q.val() == self.in_path.val();
        self.busy.next = (self.at.val().get_bit(4) & (self.path1.q.val() == self.in_path.val()))
            | (self.flight5.q.val() & (self.held5.q.val() == self.in_path.val()))
            | (self.flight9.q.val() & self.same9.val());
        self.ready.next = !self.rst.val() & !self.pass.val() & !self.busy.val();
        self.taken.next = self.in_valid.val() & self.ready.val();
        self.in_ready.next = self.ready.val();
        self.row_written.next = self.at.val().get_bit(11) & self.same9.val();
        self.moving.next = self.pass.val();
        self.cycles.d.next = self.at.val().get_bits::<12>(0);
        if self.taken.val() {
            self.cycles.d.next = self.at.val().get_bits::<12>(0) | 1;
        }
        self.valid4.d.next = self.at.val().get_bits::<4>(3).any();
        self.flight5.d.next = self.at.val().get_bits::<4>(4).any();
        self.flight9.d.next = self.at.val().get_bits::<3>(8).any();
        if self.rst.val() {
            self.cycles.d.next = 0.into();
            self.valid4.d.next = false;
            self.flight5.d.next = false;
            self.flight9.d.next = false;
        }

        if !self.pass.val() {
            self.op1.d.next = self.in_op.val();
            self.path1.d.next = self.in_path.val();
            self.psn1.d.next = self.in_psn.val();
            self.ce1.d.next = self.in_ce.val();
            self.fault1.d.next = self.in_fault.val();
            self.flags1.d.next = self.in_flags.val();
            self.ts1.d.next = self.in_ts.val();
            self.route1.d.next = self.in_route.val();
            self.now1.d.next = self.in_now.val();
        }
        if self.at.val().get_bit(4) {
            self.held5.d.next = self.path1.q.val();
        }
        if self.at.val().get_bit(8) {
            self.held9.d.next = self.held5.q.val();
        }

        self.cycle1.next = self.at.val().get_bit(1);
        self.cycle3.next = self.at.val().get_bit(3);
        self.cycle4.next = self.at.val().get_bit(4);
        self.words4.next = self.valid4.q.val();
        self.cycle5.next = self.at.val().get_bit(5);
        self.cycle6.next = self.at.val().get_bit(6);
        self.cycle8.next = self.at.val().get_bit(8);
        self.cycle10.next = self.at.val().get_bit(10);
        self.cycle11.next = self.at.val().get_bit(11);
        self.cycle12.next = self.at.val().get_bit(12);
        self.op.next = self.op1.q.val();
        self.path.next = self.path1.q.val();
        self.psn.next = self.psn1.q.val();
        self.ce.next = self.ce1.q.val();
        self.fault.next = self.fault1.q.val();
        self.flags.next = self.flags1.q.val();
        self.ts.next = self.ts1.q.val();
        self.route.next = self.route1.q.val();
        self.now.next = self.now1.q.val();
        self.path5.next = self.held5.q.val();
        self.path9.next = self.held9.q.val();
    }
}
