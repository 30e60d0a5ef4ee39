//! What an expiry or a question of a path leads to: whether an expiry asks (REQ-TX-16), else which operation, the path's row
//! after it, and the job of a PROBE. Combinational.

use super::super::rows::{JobRow, SchedConn, SchedPath};
use rust_hdl::prelude::*;

/// log2 of the packets queued for each in flight with which an expiry asks instead of resending.
const PLENTY_BITS: u64 = 2;

/// The part, for connections of 2^`LW` paths.
#[derive(LogicBlock)]
pub struct Ask<const LW: usize> {
    /// The path.
    pub path: Signal<In, Bits<16>>,
    /// Its row.
    pub row: Signal<In, SchedPath>,
    /// The row of its connection.
    pub conn_row: Signal<In, SchedConn>,
    /// Time, ticks of 8 ns.
    pub now: Signal<In, Bits<32>>,
    /// Of an expiry: 0 resend, 1 probe, 2 dead.
    pub kind: Signal<In, Bits<2>>,
    /// It is a question, and no expiry.
    pub question: Signal<In, Bit>,
    /// Of a question: the stream.
    pub stream: Signal<In, Bits<8>>,
    /// Of a question: asked before.
    pub repeat: Signal<In, Bit>,
    /// The expiry asks.
    pub asks: Signal<Out, Bit>,
    /// The operation of an expiry that does not: EXPIRE 2 or DEAD 5.
    pub op: Signal<Out, Bits<3>>,
    /// The path's row after the expiry.
    pub expired: Signal<Out, SchedPath>,
    /// The job of who asks.
    pub job: Signal<Out, JobRow>,
    of: Signal<Local, SchedPath>,
    with: Signal<Local, SchedConn>,
    plenty: Signal<Local, Bits<18>>,
    probes: Signal<Local, Bit>,
    after: Signal<Local, SchedPath>,
    made: Signal<Local, JobRow>,
    plenty_bits: Constant<Bits<4>>,
}

impl<const LW: usize> Default for Ask<LW> {
    fn default() -> Self {
        Self {
            path: Default::default(),
            row: Default::default(),
            conn_row: Default::default(),
            now: Default::default(),
            kind: Default::default(),
            question: Default::default(),
            stream: Default::default(),
            repeat: Default::default(),
            asks: Default::default(),
            op: Default::default(),
            expired: Default::default(),
            job: Default::default(),
            of: Default::default(),
            with: Default::default(),
            plenty: Default::default(),
            probes: Default::default(),
            after: Default::default(),
            made: Default::default(),
            plenty_bits: Constant::new((LW as u64 + PLENTY_BITS).to_bits()),
        }
    }
}

impl<const LW: usize> Logic for Ask<LW> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_sched_ask");
        self.of.next = self.row.val();
        self.with.next = self.conn_row.val();
        self.plenty.next = bit_cast::<18, 9>(self.of.val().inflight) << self.plenty_bits.val();
        self.probes.next = (self.kind.val() == 1)
            | ((self.kind.val() == 0)
                & self.with.val().work
                & (bit_cast::<18, 16>(self.with.val().left) >= self.plenty.val()));
        self.asks.next = self.probes.val();
        self.op.next = 2.into();
        if self.kind.val() == 2 {
            self.op.next = 5.into();
        }
        // A PROBE leaves the engine free, and where nothing is in flight no progress could come any more.
        self.after.next = self.row.val();
        self.after.next.expired = self.of.val().expired | !self.probes.val() | self.of.val().inflight.any();
        self.after.next.busy = !self.probes.val();
        self.expired.next = self.after.val();

        self.made.next.kind = 3.into();
        self.made.next.path = self.path.val();
        self.made.next.psn = 0.into();
        self.made.next.route = self.of.val().route;
        self.made.next.now = self.now.val();
        self.made.next.ack_req = false;
        self.made.next.stream = 0.into();
        self.made.next.msn = 0.into();
        self.made.next.index = 0.into();
        // In the place of a resend it asks as loudly.
        self.made.next.repeat = self.of.val().expired | (self.kind.val() == 0);
        if self.question.val() {
            self.made.next.stream = self.stream.val();
            self.made.next.repeat = self.repeat.val();
        }
        self.job.next = self.made.val();
    }
}
