//! The job of an operation of the scheduler, from its result and what went with it. Combinational.

use super::super::rows::{JobRow, PathResult, PendingOp, SliceRow};
use rust_hdl::prelude::*;

/// The part.
#[derive(LogicBlock, Default)]
pub struct JobMaker {
    /// The result, of RESEND, EXPIRE or SENT.
    pub result: Signal<In, PathResult>,
    /// What went with the operation.
    pub pending: Signal<In, PendingOp>,
    /// The job.
    pub job: Signal<Out, JobRow>,
    of: Signal<Local, PathResult>,
    with: Signal<Local, PendingOp>,
    slice: Signal<Local, SliceRow>,
    made: Signal<Local, JobRow>,
}

impl Logic for JobMaker {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_sched_job");
        self.of.next = self.result.val();
        self.with.next = self.pending.val();
        self.slice.next = self.with.val().slice;
        self.made.next.kind = 0.into();
        if self.of.val().op == 1 {
            self.made.next.kind = 1.into();
        }
        if self.of.val().op == 2 {
            self.made.next.kind = 2.into();
        }
        self.made.next.path = self.of.val().path;
        self.made.next.psn = self.of.val().psn;
        self.made.next.route = self.of.val().route;
        self.made.next.now = self.of.val().now;
        self.made.next.ack_req = self.with.val().ack_req;
        self.made.next.stream = 0.into();
        self.made.next.msn = 0.into();
        self.made.next.index = 0.into();
        self.made.next.repeat = false;
        if self.of.val().op == 6 {
            self.made.next.ack_req = self.with.val().ack_req | self.slice.val().tail;
            self.made.next.stream = self.slice.val().stream;
            self.made.next.msn = self.slice.val().msn;
            self.made.next.index = self.slice.val().index;
        }
        self.job.next = self.made.val();
    }
}
