//! Takes operations: one per cycle, one per path at a time; a part of the wide receive path engine.
//!
//! Carries what came with each operation along with it, to the cycle in which it is used: a port's number is
//! its cycle, counted from the input transfer (cycle 0). A path is free again in the cycle after its row is
//! written, cycle 6.

use rust_hdl::prelude::*;

/// Scoreboard and delays for 2^`PW` paths.
#[derive(LogicBlock, Default)]
pub struct WideIssue<const PW: usize> {
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
    /// An operation is in cycle 3.
    pub valid3: Signal<Out, Bit>,
    /// An operation is in cycle 6: done.
    pub valid6: Signal<Out, Bit>,
    /// Cycle 2: operation.
    pub op2: Signal<Out, Bits<2>>,
    /// Cycle 3: operation.
    pub op3: Signal<Out, Bits<2>>,
    /// Cycle 4: operation.
    pub op4: Signal<Out, Bits<2>>,
    /// Cycle 5: operation.
    pub op5: Signal<Out, Bits<2>>,
    /// Cycle 6: operation.
    pub op6: Signal<Out, Bits<2>>,
    /// Cycle 3: path index.
    pub path3: Signal<Out, Bits<PW>>,
    /// Cycle 6: path index.
    pub path6: Signal<Out, Bits<PW>>,
    /// Cycle 1: PSN.
    pub psn1: Signal<Out, Bits<24>>,
    /// Cycle 2: PSN.
    pub psn2: Signal<Out, Bits<24>>,
    /// Cycle 4: PSN.
    pub psn4: Signal<Out, Bits<24>>,
    /// Cycle 3: a fault was found.
    pub fault3: Signal<Out, Bit>,
    /// Cycle 5: CE-marked.
    pub ce5: Signal<Out, Bit>,
    /// Cycle 6: flags.
    pub flags6: Signal<Out, Bits<8>>,
    /// Cycle 5: timestamp.
    pub ts5: Signal<Out, Bits<32>>,
    /// Cycle 5: route.
    pub route5: Signal<Out, Bits<8>>,
    /// Cycle 5: arrival time.
    pub now5: Signal<Out, Bits<32>>,
    live1: DFF<Bit>,
    live2: DFF<Bit>,
    live3: DFF<Bit>,
    live4: DFF<Bit>,
    live5: DFF<Bit>,
    live6: DFF<Bit>,
    path_1: DFF<Bits<PW>>,
    path_2: DFF<Bits<PW>>,
    path_3: DFF<Bits<PW>>,
    path_4: DFF<Bits<PW>>,
    path_5: DFF<Bits<PW>>,
    path_6: DFF<Bits<PW>>,
    op_1: DFF<Bits<2>>,
    op_2: DFF<Bits<2>>,
    op_3: DFF<Bits<2>>,
    op_4: DFF<Bits<2>>,
    op_5: DFF<Bits<2>>,
    op_6: DFF<Bits<2>>,
    psn_1: DFF<Bits<24>>,
    psn_2: DFF<Bits<24>>,
    psn_3: DFF<Bits<24>>,
    psn_4: DFF<Bits<24>>,
    fault_1: DFF<Bit>,
    fault_2: DFF<Bit>,
    fault_3: DFF<Bit>,
    ce_1: DFF<Bit>,
    ce_2: DFF<Bit>,
    ce_3: DFF<Bit>,
    ce_4: DFF<Bit>,
    ce_5: DFF<Bit>,
    flags_1: DFF<Bits<8>>,
    flags_2: DFF<Bits<8>>,
    flags_3: DFF<Bits<8>>,
    flags_4: DFF<Bits<8>>,
    flags_5: DFF<Bits<8>>,
    flags_6: DFF<Bits<8>>,
    ts_1: DFF<Bits<32>>,
    ts_2: DFF<Bits<32>>,
    ts_3: DFF<Bits<32>>,
    ts_4: DFF<Bits<32>>,
    ts_5: DFF<Bits<32>>,
    route_1: DFF<Bits<8>>,
    route_2: DFF<Bits<8>>,
    route_3: DFF<Bits<8>>,
    route_4: DFF<Bits<8>>,
    route_5: DFF<Bits<8>>,
    now_1: DFF<Bits<32>>,
    now_2: DFF<Bits<32>>,
    now_3: DFF<Bits<32>>,
    now_4: DFF<Bits<32>>,
    now_5: DFF<Bits<32>>,
    written: Signal<Local, Bit>,
    busy: Signal<Local, Bit>,
    ready: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
}

impl<const PW: usize> Logic for WideIssue<PW> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module rx_path_wide_issue");
        dff_setup!(
            self, clk, live1, live2, live3, live4, live5, live6, path_1, path_2, path_3, path_4, path_5,
            path_6, op_1, op_2, op_3, op_4, op_5, op_6, psn_1, psn_2, psn_3, psn_4, fault_1, fault_2,
            fault_3, ce_1, ce_2, ce_3, ce_4, ce_5, flags_1, flags_2, flags_3, flags_4, flags_5, flags_6,
            ts_1, ts_2, ts_3, ts_4, ts_5, route_1, route_2, route_3, route_4, route_5, now_1, now_2, now_3,
            now_4, now_5
        );
        self.written.next = self.live6.q.val() & (self.path_6.q.val() == self.in_path.val());
        self.busy.next = (self.live1.q.val() & (self.path_1.q.val() == self.in_path.val()))
            | (self.live2.q.val() & (self.path_2.q.val() == self.in_path.val()))
            | (self.live3.q.val() & (self.path_3.q.val() == self.in_path.val()))
            | (self.live4.q.val() & (self.path_4.q.val() == self.in_path.val()))
            | (self.live5.q.val() & (self.path_5.q.val() == self.in_path.val()))
            | self.written.val();
        self.ready.next = !self.rst.val() & !self.busy.val();
        self.in_ready.next = self.ready.val();
        self.taken.next = self.in_valid.val() & self.ready.val();
        self.row_written.next = self.written.val();
        self.live1.d.next = self.taken.val();
        self.live2.d.next = self.live1.q.val() & !self.rst.val();
        self.live3.d.next = self.live2.q.val() & !self.rst.val();
        self.live4.d.next = self.live3.q.val() & !self.rst.val();
        self.live5.d.next = self.live4.q.val() & !self.rst.val();
        self.live6.d.next = self.live5.q.val() & !self.rst.val();
        self.valid3.next = self.live3.q.val();
        self.valid6.next = self.live6.q.val();

        self.path_1.d.next = self.in_path.val();
        self.path_2.d.next = self.path_1.q.val();
        self.path_3.d.next = self.path_2.q.val();
        self.path_4.d.next = self.path_3.q.val();
        self.path_5.d.next = self.path_4.q.val();
        self.path_6.d.next = self.path_5.q.val();
        self.path3.next = self.path_3.q.val();
        self.path6.next = self.path_6.q.val();

        self.op_1.d.next = self.in_op.val();
        self.op_2.d.next = self.op_1.q.val();
        self.op_3.d.next = self.op_2.q.val();
        self.op_4.d.next = self.op_3.q.val();
        self.op_5.d.next = self.op_4.q.val();
        self.op_6.d.next = self.op_5.q.val();
        self.op2.next = self.op_2.q.val();
        self.op3.next = self.op_3.q.val();
        self.op4.next = self.op_4.q.val();
        self.op5.next = self.op_5.q.val();
        self.op6.next = self.op_6.q.val();

        self.psn_1.d.next = self.in_psn.val();
        self.psn_2.d.next = self.psn_1.q.val();
        self.psn_3.d.next = self.psn_2.q.val();
        self.psn_4.d.next = self.psn_3.q.val();
        self.psn1.next = self.psn_1.q.val();
        self.psn2.next = self.psn_2.q.val();
        self.psn4.next = self.psn_4.q.val();

        self.fault_1.d.next = self.in_fault.val();
        self.fault_2.d.next = self.fault_1.q.val();
        self.fault_3.d.next = self.fault_2.q.val();
        self.fault3.next = self.fault_3.q.val();

        self.ce_1.d.next = self.in_ce.val();
        self.ce_2.d.next = self.ce_1.q.val();
        self.ce_3.d.next = self.ce_2.q.val();
        self.ce_4.d.next = self.ce_3.q.val();
        self.ce_5.d.next = self.ce_4.q.val();
        self.ce5.next = self.ce_5.q.val();

        self.flags_1.d.next = self.in_flags.val();
        self.flags_2.d.next = self.flags_1.q.val();
        self.flags_3.d.next = self.flags_2.q.val();
        self.flags_4.d.next = self.flags_3.q.val();
        self.flags_5.d.next = self.flags_4.q.val();
        self.flags_6.d.next = self.flags_5.q.val();
        self.flags6.next = self.flags_6.q.val();

        self.ts_1.d.next = self.in_ts.val();
        self.ts_2.d.next = self.ts_1.q.val();
        self.ts_3.d.next = self.ts_2.q.val();
        self.ts_4.d.next = self.ts_3.q.val();
        self.ts_5.d.next = self.ts_4.q.val();
        self.ts5.next = self.ts_5.q.val();

        self.route_1.d.next = self.in_route.val();
        self.route_2.d.next = self.route_1.q.val();
        self.route_3.d.next = self.route_2.q.val();
        self.route_4.d.next = self.route_3.q.val();
        self.route_5.d.next = self.route_4.q.val();
        self.route5.next = self.route_5.q.val();

        self.now_1.d.next = self.in_now.val();
        self.now_2.d.next = self.now_1.q.val();
        self.now_3.d.next = self.now_2.q.val();
        self.now_4.d.next = self.now_3.q.val();
        self.now_5.d.next = self.now_4.q.val();
        self.now5.next = self.now_5.q.val();
    }
}
