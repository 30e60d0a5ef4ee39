//! Receive verdict: joins each frame with what the path engine decided, in order, and lets its payload go or skips it.
//!
//! Latency 1 cycle from the later of order entry at the head and verdict to `x`; one frame per cycle. The only place where the receiver
//! counts drops behind the ICRC: connection, access and path reasons leave here as one `drop` pulse per frame.
//! Assumes: an entry of kind DATA is queued before its verdict comes. Model `rx::verdict`. Doc `docs/blocks/rx-verdict.md`.

use super::rows::{OrderEntry, PlaceRequest};
use crate::generated::wire::drop;
use heddle_emit::prims::Fifo;
use rust_hdl::prelude::*;

/// Kind of an order entry: a frame that is dropped.
pub const KIND_DROP: u64 = 0;
/// Kind of an order entry: a DATA packet, which waits for its verdict.
pub const KIND_DATA: u64 = 1;
/// Kind of an order entry: an ACK, whose words 12 to 17 go on.
pub const KIND_ACK: u64 = 2;
/// Kind of an order entry: a PROBE, without payload.
pub const KIND_PROBE: u64 = 3;

/// The block.
#[derive(LogicBlock)]
pub struct RxVerdict {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: forgets everything.
    pub rst: Signal<In, Bit>,
    /// An order entry is offered.
    pub o_valid: Signal<In, Bit>,
    /// It is taken.
    pub o_ready: Signal<Out, Bit>,
    /// The entry.
    pub o_entry: Signal<In, OrderEntry>,
    /// Pulse: the path engine's verdict on the next DATA packet.
    pub v_valid: Signal<In, Bit>,
    /// 0 accept, 1 duplicate, 2 out of window, 3 fault.
    pub v_class: Signal<In, Bits<2>>,
    /// Pulse: the next frame's disposition.
    pub x_valid: Signal<Out, Bit>,
    /// Its payload goes on.
    pub x_take: Signal<Out, Bit>,
    /// It goes to the acknowledgements.
    pub x_ack: Signal<Out, Bit>,
    /// A payload to place is offered.
    pub w_valid: Signal<Out, Bit>,
    /// It is taken.
    pub w_ready: Signal<In, Bit>,
    /// Where and for which message.
    pub w_request: Signal<Out, PlaceRequest>,
    /// Pulse: a frame was dropped.
    pub drop_valid: Signal<Out, Bit>,
    /// DropReason number.
    pub drop_reason: Signal<Out, Bits<8>>,
    order: Fifo<OrderEntry, 3, 4>,
    verdicts: Fifo<Bits<2>, 3, 4>,
    requests: Fifo<PlaceRequest, 3, 4>,
    head: Signal<Local, OrderEntry>,
    verdict: Signal<Local, Bits<2>>,
    judged: Signal<Local, Bit>,
    accept: Signal<Local, Bit>,
    go: Signal<Local, Bit>,
    duplicate: Constant<Bits<8>>,
    out_of_window: Constant<Bits<8>>,
}

impl Default for RxVerdict {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            rst: Default::default(),
            o_valid: Default::default(),
            o_ready: Default::default(),
            o_entry: Default::default(),
            v_valid: Default::default(),
            v_class: Default::default(),
            x_valid: Default::default(),
            x_take: Default::default(),
            x_ack: Default::default(),
            w_valid: Default::default(),
            w_ready: Default::default(),
            w_request: Default::default(),
            drop_valid: Default::default(),
            drop_reason: Default::default(),
            order: Fifo::new(8),
            verdicts: Fifo::new(8),
            requests: Fifo::new(8),
            head: Default::default(),
            verdict: Default::default(),
            judged: Default::default(),
            accept: Default::default(),
            go: Default::default(),
            duplicate: Constant::new(drop::DUPLICATE.to_bits()),
            out_of_window: Constant::new(drop::OUT_OF_WINDOW.to_bits()),
        }
    }
}

impl Logic for RxVerdict {
    #[hdl_gen]
    fn update(&mut self) {
        self.order.clk.next = self.clk.val();
        self.order.rst.next = self.rst.val();
        self.verdicts.clk.next = self.clk.val();
        self.verdicts.rst.next = self.rst.val();
        self.requests.clk.next = self.clk.val();
        self.requests.rst.next = self.rst.val();
        self.order.in_valid.next = self.o_valid.val();
        self.order.in_data.next = self.o_entry.val();
        self.o_ready.next = self.order.in_ready.val();
        self.verdicts.in_valid.next = self.v_valid.val();
        self.verdicts.in_data.next = self.v_class.val();

        // The head goes when nothing of it is awaited and what it needs has room.
        self.head.next = self.order.out_data.val();
        self.verdict.next = self.verdicts.out_data.val();
        self.judged.next = self.verdicts.out_valid.val() | (self.head.val().kind != 1);
        self.accept.next = (self.head.val().kind == 1) & (self.verdict.val() == 0);
        self.go.next = self.order.out_valid.val()
            & self.judged.val()
            & (self.requests.in_ready.val() | !self.accept.val());
        self.order.out_ready.next = self.go.val();
        self.verdicts.out_ready.next = self.go.val() & (self.head.val().kind == 1);
        self.x_valid.next = self.go.val();
        self.x_take.next = self.accept.val() | (self.head.val().kind == 2);
        self.x_ack.next = self.head.val().kind == 2;
        self.requests.in_valid.next = self.go.val() & self.accept.val();
        self.requests.in_data.next = self.head.val().place;
        self.w_valid.next = self.requests.out_valid.val();
        self.w_request.next = self.requests.out_data.val();
        self.requests.out_ready.next = self.w_ready.val();

        // One reason for each frame that is not taken; a PROBE has none.
        self.drop_valid.next = false;
        self.drop_reason.next = self.head.val().reason;
        if self.head.val().kind == 0 {
            self.drop_valid.next = self.go.val();
        }
        if (self.head.val().kind == 1) & !self.accept.val() {
            self.drop_valid.next = self.go.val();
            if self.verdict.val() == 1 {
                self.drop_reason.next = self.duplicate.val();
            }
            if self.verdict.val() == 2 {
                self.drop_reason.next = self.out_of_window.val();
            }
        }
    }
}
