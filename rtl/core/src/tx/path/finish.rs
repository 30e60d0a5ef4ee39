//! The row while the maps are worked on, and what becomes of it with their results.

use super::row::{Cache, Outcome, Row, Scalars, Tally};
use rust_hdl::prelude::*;

/// The end of an operation. `scalars` and `outcome` are taken at `load`; 11 cycles after they came, in
/// the cycle before the results leave, `tally` completes them.
#[derive(LogicBlock, Default)]
pub struct Finish {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Next operation.
    pub load: Signal<In, Bit>,
    /// Row, but for `inflight` and `t0` of an ACK.
    pub scalars: Signal<In, Scalars>,
    /// What is reported.
    pub outcome: Signal<In, Outcome>,
    /// Results of the maps.
    pub tally: Signal<In, Tally>,
    /// The row to write.
    pub row: Signal<Out, Row>,
    /// The numbers in it.
    pub out_scalars: Signal<Out, Scalars>,
    /// What is reported.
    pub out_outcome: Signal<Out, Outcome>,
    /// Something is lost.
    pub out_lost: Signal<Out, Bit>,
    /// ACK: PSNs newly received.
    pub out_newly: Signal<Out, Bits<9>>,
    /// PSNs waiting to be resent.
    pub out_waiting: Signal<Out, Bits<9>>,
    scalars_5: DFF<Scalars>,
    outcome_5: DFF<Outcome>,
    scalars_6: DFF<Scalars>,
    outcome_6: DFF<Outcome>,
    scalars_7: DFF<Scalars>,
    outcome_7: DFF<Outcome>,
    cache_7: DFF<Cache>,
    newly_7: DFF<Bits<9>>,
    waiting_7: DFF<Bits<9>>,
    syncs: Signal<Local, Bit>,
}

impl Logic for Finish {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_finish");
        dff_setup!(self, clk, scalars_5, outcome_5, scalars_6, outcome_6, scalars_7, outcome_7);
        dff_setup!(self, clk, cache_7, newly_7, waiting_7);
        if self.load.val() {
            self.scalars_5.d.next = self.scalars.val();
            self.outcome_5.d.next = self.outcome.val();
            self.scalars_6.d.next = self.scalars_5.q.val();
            self.outcome_6.d.next = self.outcome_5.q.val();
        }

        // An ACK that leaves old empty makes it resent, with t0 = t1: the words learn of it at the next
        // visit.
        self.syncs.next = self.outcome_6.q.val().acked & !self.tally.val().old_any;
        self.outcome_7.d.next = self.outcome_6.q.val();
        self.scalars_7.d.next = self.scalars_6.q.val();
        self.newly_7.d.next = 0.into();
        if self.outcome_6.q.val().acked {
            self.scalars_7.d.next.inflight = self.scalars_6.q.val().inflight - self.tally.val().newly;
            self.newly_7.d.next = self.tally.val().newly;
        }
        if self.syncs.val() {
            self.scalars_7.d.next.t0 = self.scalars_6.q.val().t1;
        }
        self.waiting_7.d.next = self.tally.val().waiting;
        self.cache_7.d.next.lost_any = self.tally.val().lost_any;
        self.cache_7.d.next.lost_low = self.tally.val().lost_low;
        self.cache_7.d.next.open_any = self.tally.val().open_any;
        self.cache_7.d.next.open_high = self.tally.val().open_high;
        self.cache_7.d.next.sync = self.syncs.val();
        self.cache_7.d.next.resent_any = self.tally.val().resent_any;
        self.cache_7.d.next.old_any = self.tally.val().old_any;

        self.row.next.scalars = self.scalars_7.q.val();
        self.row.next.cache = self.cache_7.q.val();
        self.out_scalars.next = self.scalars_7.q.val();
        self.out_outcome.next = self.outcome_7.q.val();
        self.out_lost.next = self.cache_7.q.val().lost_any;
        self.out_newly.next = self.newly_7.q.val();
        self.out_waiting.next = self.waiting_7.q.val();
    }
}
