//! The operation taken, and its row once it is read.

use super::row::{Cache, Request, Row, Scalars};
use rust_hdl::prelude::*;

/// Registers of an operation: from `take` on without its row, from `load` on with it.
#[derive(LogicBlock, Default)]
pub struct Intake {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Take `offered`.
    pub take: Signal<In, Bit>,
    /// The operation offered.
    pub offered: Signal<In, Request>,
    /// Its reorder guard, packets.
    pub reorder: Signal<In, Bits<8>>,
    /// The row has been read.
    pub load: Signal<In, Bit>,
    /// The row.
    pub read: Signal<In, Row>,
    /// Operation.
    pub request: Signal<Out, Request>,
    /// Highest PSN received, less the reorder guard.
    pub limit: Signal<Out, Bits<24>>,
    /// Low bits of `cum + 1`.
    pub behind_cum: Signal<Out, Bits<9>>,
    /// Numbers of the row.
    pub scalars: Signal<Out, Scalars>,
    /// What the row knows of the maps.
    pub cache: Signal<Out, Cache>,
    offered_q: DFF<Request>,
    reorder_q: DFF<Bits<8>>,
    request_q: DFF<Request>,
    limit_q: DFF<Bits<24>>,
    behind_q: DFF<Bits<9>>,
    scalars_q: DFF<Scalars>,
    cache_q: DFF<Cache>,
}

impl Logic for Intake {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_intake");
        dff_setup!(self, clk, offered_q, reorder_q, request_q, limit_q, behind_q, scalars_q, cache_q);
        if self.take.val() {
            self.offered_q.d.next = self.offered.val();
            self.reorder_q.d.next = self.reorder.val();
        }
        // A block RAM's output is slow: a register and nothing else. Beside it, what needs no row.
        if self.load.val() {
            self.request_q.d.next = self.offered_q.q.val();
            self.limit_q.d.next = self.offered_q.q.val().high - bit_cast::<24, 8>(self.reorder_q.q.val());
            self.behind_q.d.next = bit_cast::<9, 24>(self.offered_q.q.val().cum) + 1;
            self.scalars_q.d.next = self.read.val().scalars;
            self.cache_q.d.next = self.read.val().cache;
        }
        self.request.next = self.request_q.q.val();
        self.limit.next = self.limit_q.q.val();
        self.behind_cum.next = self.behind_q.q.val();
        self.scalars.next = self.scalars_q.q.val();
        self.cache.next = self.cache_q.q.val();
    }
}
