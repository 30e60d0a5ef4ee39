//! Transmit scheduler: which path sends what next.
//!
//! A sequential machine that does one thing at a time, in this order of priority: results of the path engine, news of work,
//! expiries, questions, resends, new packets. Its decisions are a function of the order in which it took its events, and
//! `log_*` shows that order. Cycles per event: result, work, expiry, question and resend 3, new packet 4 + 3 x 2^`LW` and the wait for
//! `t_valid` (6 with a tx msg that has nothing else to do); then 1 or more until the operation or the job is taken. At most 4
//! operations of it are in the path engine. After `rst`, 2^`PW` cycles clear the rows.
//! Assumes: operations of others enter the path engine only while `r_room`, the scheduler's own always, one every 4
//! cycles; one `q` pulse per connection until it is served empty.
//! Model `tx::sched`. Doc `docs/blocks/tx-sched.md`.

mod ask;
mod choose;
mod job;
mod ports;
mod renew;
mod turn;

pub use ports::TxSched;

use rust_hdl::prelude::*;

// States: 0 idle; 1, 2 result; 4, 5 work; 6, 7 expiry; 8, 9 question; 10, 11 resend; 12 to 16, 19, 20 new; 17 issue; 18 job.
impl<const CW: usize, const CC: usize, const LW: usize, const PW: usize, const PC: usize> Logic
    for TxSched<CW, CC, LW, PW, PC>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clk, clear, state, flying, path, conn, op, row, conn_row, job, has_job, ack_req, room
        );
        self.choose.clk.next = self.clk.val();
        self.paths.clk.next = self.clk.val();
        self.conns.clk.next = self.clk.val();
        self.results.clk.next = self.clk.val();
        self.works.clk.next = self.clk.val();
        self.resends.clk.next = self.clk.val();
        self.ready.clk.next = self.clk.val();
        self.pending.clk.next = self.clk.val();
        self.results.rst.next = self.rst.val();
        self.works.rst.next = self.rst.val();
        self.resends.rst.next = self.rst.val();
        self.ready.rst.next = self.rst.val();
        self.pending.rst.next = self.rst.val();

        self.results.in_valid.next = self.r_valid.val();
        self.results.in_data.next = self.r_result.val();
        self.room.d.next = !self.results.almost_full.val();
        self.r_room.next = self.room.q.val();
        self.works.in_valid.next = self.q_valid.val();
        self.works.in_data.next = self.q_conn.val();

        // What a state may drive stands still unless it does.
        self.results.out_ready.next = false;
        self.works.out_ready.next = false;
        self.resends.out_ready.next = false;
        self.ready.out_ready.next = false;
        self.pending.out_ready.next = false;
        self.resends.in_valid.next = false;
        self.resends.in_data.next = self.path.q.val();
        self.ready.in_valid.next = false;
        self.ready.in_data.next = self.conn.q.val();
        self.pending.in_valid.next = false;
        self.pend.next.ack_req = self.ack_req.q.val();
        self.pend.next.slice = self.t_slice.val();
        self.e_ready.next = false;
        self.u_ready.next = false;
        self.i_valid.next = self.state.q.val() == 17;
        self.i_op.next = self.op.q.val();
        self.i_path.next = self.path.q.val();
        self.s_valid.next = self.state.q.val() == 15;
        self.s_conn.next = self.conn.q.val();
        self.j_valid.next = self.state.q.val() == 18;
        self.j_job.next = self.job.q.val();
        self.log_valid.next = false;
        self.log_kind.next = 0.into();
        self.paths.re.next = false;
        self.paths.raddr.next = self.path.q.val();
        self.paths.we.next = false;
        self.paths.waddr.next = self.path.q.val();
        self.write_path.next = self.row.q.val();
        self.conns.re.next = false;
        self.conns.raddr.next = self.conn.q.val();
        self.conns.we.next = false;
        self.conns.waddr.next = self.conn.q.val();
        self.write_conn.next = self.conn_row.q.val();

        // What the row read, or the row just made of a result, allows.
        self.head.next = self.results.out_data.val();
        self.read_row.next = self.paths.rdata.val();
        self.usable.next = !self.row.q.val().busy
            & !self.row.q.val().expired
            & (self.row.q.val().span != 256)
            & (self.row.q.val().inflight < self.cwnd.val());
        self.network.next = self.row.q.val().inflight - self.row.q.val().waiting;

        self.renew.result.next = self.results.out_data.val();
        self.renew.row.next = self.paths.rdata.val();
        self.maker.result.next = self.results.out_data.val();
        self.maker.pending.next = self.pending.out_data.val();

        self.ask.path.next = bit_cast::<16, PW>(self.path.q.val());
        self.ask.row.next = self.row.q.val();
        self.ask.conn_row.next = self.conn_row.q.val();
        self.ask.now.next = self.now.val();
        self.ask.kind.next = self.e_kind.val();
        self.ask.question.next = self.state.q.val() == 9;
        self.ask.stream.next = self.u_stream.val();
        self.ask.repeat.next = self.u_repeat.val();
        self.choose.start.next = self.state.q.val() == 12;
        self.choose.first.next = self.conn_row.q.val().start;
        self.choose.judge.next = self.state.q.val() == 14;
        self.choose.row.next = self.row.q.val();
        self.choose.usable.next = self.usable.val();
        self.choose.cwnd.next = self.cwnd.val();

        // Idle: the first event in order of priority; its rows are read.
        self.turn.result_valid.next = self.results.out_valid.val();
        self.turn.result_path.next = self.head.val().path;
        self.turn.work_valid.next = self.works.out_valid.val();
        self.turn.work_conn.next = self.works.out_data.val();
        self.turn.may_issue.next = self.flying.q.val() < 4;
        self.turn.expiry_valid.next = self.e_valid.val();
        self.turn.expiry_path.next = self.e_path.val();
        self.turn.question_valid.next = self.u_valid.val();
        self.turn.question_path.next = self.u_path.val();
        self.turn.resend_valid.next = self.resends.out_valid.val();
        self.turn.resend_path.next = self.resends.out_data.val();
        self.turn.ready_valid.next = self.ready.out_valid.val();
        self.turn.ready_conn.next = self.ready.out_data.val();
        if self.state.q.val() == 0 {
            self.path.d.next = self.turn.path.val();
            self.paths.re.next = self.turn.of_path.val();
            self.paths.raddr.next = self.turn.path.val();
            self.conn.d.next = self.turn.conn.val();
            self.conns.re.next = self.turn.of_conn.val();
            self.conns.raddr.next = self.turn.conn.val();
            self.state.d.next = self.turn.state.val();
        }

        // Result: the new row; then the queues that it leads to; then its job.
        if self.state.q.val() == 1 {
            self.row.d.next = self.renew.renewed.val();
            self.conn_row.d.next = self.conns.rdata.val();
            self.job.d.next = self.maker.job.val();
            self.has_job.d.next = self.renew.ours.val() & self.head.val().ok & (self.head.val().op != 5);
            self.results.out_ready.next = true;
            self.log_valid.next = true;
            if self.renew.ours.val() {
                self.pending.out_ready.next = true;
                self.flying.d.next = self.flying.q.val() - 1;
            }
            self.state.d.next = 2.into();
        }
        if self.state.q.val() == 2 {
            self.paths.we.next = true;
            if self.row.q.val().waiting.any() & !self.row.q.val().queued {
                self.write_path.next.queued = true;
                self.resends.in_valid.next = true;
            }
            // A connection that found no usable path is woken by the path that becomes usable.
            if self.usable.val() & self.conn_row.q.val().work & !self.conn_row.q.val().queued {
                self.write_conn.next.queued = true;
                self.conns.we.next = true;
                self.ready.in_valid.next = true;
            }
            self.state.d.next = 0.into();
            if self.has_job.q.val() {
                self.state.d.next = 18.into();
            }
        }

        // Work: the connection is ready.
        if self.state.q.val() == 4 {
            self.conn_row.d.next = self.conns.rdata.val();
            self.works.out_ready.next = true;
            self.log_valid.next = true;
            self.log_kind.next = 1.into();
            self.state.d.next = 5.into();
        }
        if self.state.q.val() == 5 {
            self.conns.we.next = true;
            self.write_conn.next.work = true;
            self.write_conn.next.queued = true;
            self.ready.in_valid.next = !self.conn_row.q.val().queued;
            self.state.d.next = 0.into();
        }

        // Expiry: no new data until progress. It waits while the path is busy. REQ-TX-16: a PROBE instead of a resend where plenty is
        // queued.
        if self.state.q.val() == 6 {
            self.row.d.next = self.read_row.val();
            self.conn_row.d.next = self.conns.rdata.val();
            self.state.d.next = 7.into();
        }
        if self.state.q.val() == 7 {
            self.state.d.next = 0.into();
            if !self.row.q.val().busy {
                self.e_ready.next = true;
                self.log_valid.next = true;
                self.log_kind.next = 2.into();
                self.paths.we.next = true;
                self.write_path.next = self.ask.expired.val();
                self.op.d.next = self.ask.op.val();
                self.job.d.next = self.ask.job.val();
                self.state.d.next = 18.into();
                if !self.ask.asks.val() {
                    self.pend.next.ack_req = true;
                    self.pending.in_valid.next = true;
                    self.state.d.next = 17.into();
                }
            }
        }

        // Question: a PROBE at once.
        if self.state.q.val() == 8 {
            self.row.d.next = self.read_row.val();
            self.state.d.next = 9.into();
        }
        if self.state.q.val() == 9 {
            self.state.d.next = 0.into();
            if !self.row.q.val().busy {
                self.u_ready.next = true;
                self.log_valid.next = true;
                self.log_kind.next = 3.into();
                self.job.d.next = self.ask.job.val();
                self.state.d.next = 18.into();
            }
        }

        // Resend: the path comes back to the queue with its next result.
        if self.state.q.val() == 10 {
            self.row.d.next = self.read_row.val();
            self.resends.out_ready.next = true;
            self.log_valid.next = true;
            self.log_kind.next = 4.into();
            self.state.d.next = 11.into();
        }
        if self.state.q.val() == 11 {
            self.paths.we.next = true;
            self.write_path.next.queued = false;
            self.state.d.next = 0.into();
            if !self.row.q.val().busy
                & self.row.q.val().waiting.any()
                & (self.network.val() < self.cwnd.val())
            {
                self.write_path.next.busy = true;
                self.pend.next.ack_req = self.row.q.val().waiting == 1;
                self.pending.in_valid.next = true;
                self.op.d.next = 1.into();
                self.state.d.next = 17.into();
            }
        }

        // New packet: scan the connection's paths from a rotating start for the most free cwnd; the first wins.
        if self.state.q.val() == 12 {
            self.conn_row.d.next = self.conns.rdata.val();
            self.ready.out_ready.next = true;
            self.log_valid.next = true;
            self.log_kind.next = 5.into();
            self.state.d.next = 13.into();
        }
        if self.state.q.val() == 13 {
            self.paths.re.next = true;
            self.paths.raddr.next = (bit_cast::<PW, CW>(self.conn.q.val()) << self.local_bits.val())
                | bit_cast::<PW, LW>(self.choose.local.val());
            self.state.d.next = 19.into();
        }
        if self.state.q.val() == 19 {
            self.row.d.next = self.read_row.val();
            self.state.d.next = 14.into();
        }
        if self.state.q.val() == 14 {
            self.state.d.next = 13.into();
            if self.choose.last.val() {
                self.state.d.next = 20.into();
            }
        }
        if self.state.q.val() == 20 {
            self.conns.we.next = true;
            self.write_conn.next.queued = false;
            self.state.d.next = 0.into();
            if self.choose.found.val() {
                self.write_conn.next.work = false;
                self.write_conn.next.start = bit_cast::<8, LW>(self.choose.best.val() + 1);
                self.conn_row.d.next = self.write_conn.val();
                self.path.d.next = (bit_cast::<PW, CW>(self.conn.q.val()) << self.local_bits.val())
                    | bit_cast::<PW, LW>(self.choose.best.val());
                self.row.d.next = self.choose.best_row.val();
                // The packet that takes the last of cwnd or window asks for an ACK.
                self.ack_req.d.next = self.choose.takes_last.val();
                self.op.d.next = 6.into();
                self.state.d.next = 15.into();
            }
        }
        // Its slice.
        if (self.state.q.val() == 15) & self.s_ready.val() {
            self.paths.we.next = true;
            self.write_path.next.busy = true;
            self.state.d.next = 16.into();
        }
        if (self.state.q.val() == 16) & self.t_valid.val() {
            self.pending.in_valid.next = true;
            self.conns.we.next = true;
            self.write_conn.next.left = self.t_left.val();
            if self.t_slice.val().more {
                self.write_conn.next.work = true;
                self.write_conn.next.queued = true;
                self.ready.in_valid.next = true;
            }
            self.state.d.next = 17.into();
        }

        // Issue, and job: offered until taken.
        if (self.state.q.val() == 17) & self.i_ready.val() {
            self.flying.d.next = self.flying.q.val() + 1;
            self.state.d.next = 0.into();
        }
        if (self.state.q.val() == 18) & self.j_ready.val() {
            self.state.d.next = 0.into();
        }

        // After reset every path waits for its INIT.
        self.clearing.next = self.clear.q.val() != self.rows_end.val();
        if self.clearing.val() {
            self.clear.d.next = self.clear.q.val() + 1;
            self.state.d.next = 0.into();
            self.results.out_ready.next = false;
            self.works.out_ready.next = false;
            self.paths.re.next = false;
            self.conns.re.next = false;
            self.paths.we.next = true;
            self.paths.waddr.next = bit_cast::<PW, PC>(self.clear.q.val());
            self.conns.we.next = true;
            self.conns.waddr.next = bit_cast::<CW, PC>(self.clear.q.val());
            self.write_path.next.inflight = 0.into();
            self.write_path.next.waiting = 0.into();
            self.write_path.next.span = 0.into();
            self.write_path.next.base = 0.into();
            self.write_path.next.route = 0.into();
            self.write_path.next.busy = false;
            self.write_path.next.expired = true;
            self.write_path.next.queued = false;
            self.write_conn.next.work = false;
            self.write_conn.next.queued = false;
            self.write_conn.next.start = 0.into();
            self.write_conn.next.left = 0.into();
        }
        self.pending.in_data.next = self.pend.val();
        self.paths.wdata.next = self.write_path.val();
        self.conns.wdata.next = self.write_conn.val();
        if self.rst.val() {
            self.clear.d.next = 0.into();
            self.state.d.next = 0.into();
            self.flying.d.next = 0.into();
            self.room.d.next = false;
        }
    }
}
