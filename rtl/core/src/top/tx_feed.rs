//! Transmit feed: one operation at a time for the transmit path engine, and its results for the scheduler.
//!
//! No latency. A path made new goes first, then ACKs, both while there is room for their results; then the scheduler's own, for
//! which it keeps room. Doc `docs/core.md`.

use crate::tx::rows::PathResult;
use rust_hdl::prelude::*;

/// The block: 2^`PW` paths.
#[derive(LogicBlock, Default)]
pub struct TxFeed<const PW: usize> {
    /// Ticks of 8 ns.
    pub now: Signal<In, Bits<32>>,
    /// The scheduler has room for results that it did not ask for.
    pub room: Signal<In, Bit>,
    /// A path to be made new is offered.
    pub i_valid: Signal<In, Bit>,
    /// It is taken.
    pub i_ready: Signal<Out, Bit>,
    /// The path.
    pub i_path: Signal<In, Bits<PW>>,
    /// Its first PSN.
    pub i_psn: Signal<In, Bits<24>>,
    /// An ACK is offered.
    pub a_valid: Signal<In, Bit>,
    /// It is taken.
    pub a_ready: Signal<Out, Bit>,
    /// Its path.
    pub a_path: Signal<In, Bits<PW>>,
    /// Its cum.
    pub a_cum: Signal<In, Bits<24>>,
    /// Its PSN field.
    pub a_high: Signal<In, Bits<24>>,
    /// Echoed route.
    pub a_route: Signal<In, Bits<8>>,
    /// Echoed timestamp.
    pub a_ts: Signal<In, Bits<32>>,
    /// Its arrival.
    pub a_now: Signal<In, Bits<32>>,
    /// An operation of the scheduler is offered.
    pub s_valid: Signal<In, Bit>,
    /// It is taken.
    pub s_ready: Signal<Out, Bit>,
    /// Which.
    pub s_op: Signal<In, Bits<3>>,
    /// Its path.
    pub s_path: Signal<In, Bits<PW>>,
    /// An operation is offered to the engine.
    pub o_valid: Signal<Out, Bit>,
    /// It is taken.
    pub o_ready: Signal<In, Bit>,
    /// Which.
    pub o_op: Signal<Out, Bits<3>>,
    /// Path.
    pub o_path: Signal<Out, Bits<PW>>,
    /// Lowest PSN not received, or the first PSN.
    pub o_cum: Signal<Out, Bits<24>>,
    /// Highest received.
    pub o_high: Signal<Out, Bits<24>>,
    /// Echoed route.
    pub o_route: Signal<Out, Bits<8>>,
    /// Echoed timestamp.
    pub o_ts: Signal<Out, Bits<32>>,
    /// Time of the operation.
    pub o_now: Signal<Out, Bits<32>>,
    /// From the engine: operation of a result.
    pub e_op: Signal<In, Bits<3>>,
    /// Path.
    pub e_path: Signal<In, Bits<PW>>,
    /// It did what it was asked for.
    pub e_ok: Signal<In, Bit>,
    /// Lowest PSN not acknowledged.
    pub e_base: Signal<In, Bits<24>>,
    /// The next new PSN.
    pub e_next: Signal<In, Bits<24>>,
    /// Route.
    pub e_route: Signal<In, Bits<8>>,
    /// PSN to send.
    pub e_psn: Signal<In, Bits<24>>,
    /// Newly known received.
    pub e_newly: Signal<In, Bits<9>>,
    /// Not known received.
    pub e_inflight: Signal<In, Bits<9>>,
    /// Waiting to be resent.
    pub e_waiting: Signal<In, Bits<9>>,
    /// Time of the operation.
    pub e_now: Signal<In, Bits<32>>,
    /// The result.
    pub r_result: Signal<Out, PathResult>,
    init: Signal<Local, Bit>,
    ack: Signal<Local, Bit>,
}

impl<const PW: usize> Logic for TxFeed<PW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.init.next = self.i_valid.val() & self.room.val();
        self.ack.next = self.a_valid.val() & self.room.val() & !self.i_valid.val();
        self.o_valid.next = self.init.val() | self.ack.val() | self.s_valid.val();
        self.o_op.next = self.s_op.val();
        self.o_path.next = self.s_path.val();
        self.o_now.next = self.now.val();
        self.o_cum.next = self.a_cum.val();
        if self.ack.val() {
            self.o_op.next = 0.into();
            self.o_path.next = self.a_path.val();
            self.o_now.next = self.a_now.val();
        }
        if self.init.val() {
            self.o_op.next = 7.into();
            self.o_path.next = self.i_path.val();
            self.o_cum.next = self.i_psn.val();
        }
        self.o_high.next = self.a_high.val();
        self.o_route.next = self.a_route.val();
        self.o_ts.next = self.a_ts.val();
        self.i_ready.next = self.o_ready.val() & self.init.val();
        self.a_ready.next = self.o_ready.val() & self.ack.val();
        self.s_ready.next = self.o_ready.val() & !self.init.val() & !self.ack.val();

        self.r_result.next.op = self.e_op.val();
        self.r_result.next.path = bit_cast::<16, PW>(self.e_path.val());
        self.r_result.next.ok = self.e_ok.val();
        self.r_result.next.base = self.e_base.val();
        self.r_result.next.next_psn = self.e_next.val();
        self.r_result.next.route = self.e_route.val();
        self.r_result.next.psn = self.e_psn.val();
        self.r_result.next.newly = self.e_newly.val();
        self.r_result.next.inflight = self.e_inflight.val();
        self.r_result.next.waiting = self.e_waiting.val();
        self.r_result.next.now = self.e_now.val();
    }
}
