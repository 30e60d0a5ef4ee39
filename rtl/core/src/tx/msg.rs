//! Transmit messages: takes work requests, cuts them into slices, and completes them in stream order.
//!
//! A sequential machine: look-ups first, then slices, questions, completions, reports of `done`, requests. Events count
//! in the order in which they cross, at most one per cycle. Cycles per event: look-up 5 (answer `l_answer` after 4),
//! slice 9 (`t_valid` after 6), question 5, completion 3, report 5, request 5, taken in its last; one that has to wait is
//! looked at again when there is nothing else to do. A full stream, or a fence, stops the requests behind it, whatever
//! their stream. A completion that is not taken stops reports and requests, nothing else; news and questions that are
//! not taken stop those that would make more of them. `cfg` counts for requests that are taken 3 cycles later or more.
//! For 2^`QW` cycles after `rst` rows are cleared and nothing is taken.
//! Assumes: a slice is asked for only when the connection has one. Model `tx::msg`. Doc `docs/blocks/tx-msg.md`.

mod completions;
mod pick;
mod ports;
mod rows;

pub use ports::TxMsg;

use crate::generated::wire::work_request;
use rust_hdl::prelude::*;

// The kernel's literals are these positions.
const _: () = assert!(work_request::OPCODE_LSB == 0 && work_request::FLAGS_LSB == 8);
const _: () = assert!(work_request::CONN_LSB == 16 && work_request::STREAM_LSB == 32);
const _: () = assert!(work_request::WR_ID_LSB == 64 && work_request::LOCAL_ADDRESS_LSB == 128);
const _: () = assert!(work_request::REMOTE_ADDRESS_LSB == 192 && work_request::LENGTH_LSB == 256);
const _: () = assert!(work_request::RKEY_LSB == 288);

// Kinds: 0 look-up, 1 slice, 2 question, 3 report, 4 request. States: 0 idle; 1, 2 rows read; 3 differences; 4 stream
// chosen; 5 to 9 slice; 10 question; 11 look-up; 12 report; 13 request; 14, 15 completion.
impl<const CW: usize, const PW: usize, const QW: usize, const QC: usize, const AW: usize> Logic
    for TxMsg<CW, PW, QW, QC, AW>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clk, clear, state, kind, conn, stream, msn, path, again, conn_row, row, message, valid
        );
        dff_setup!(self, clk, ahead, span, left, end, found, unknown, last_index, slices);
        dff_setup!(self, clk, news, news_conn, news_waiting, news_progress);
        dff_setup!(self, clk, question, question_path, question_stream, question_repeat);
        self.completions.clk.next = self.clk.val();
        self.completions.rst.next = self.rst.val();
        self.streams.clk.next = self.clk.val();
        self.conns.clk.next = self.clk.val();
        self.valids.clk.next = self.clk.val();
        self.ids.clk.next = self.clk.val();
        self.fields.clk.next = self.clk.val();

        // Memories: quiet unless a state says otherwise.
        self.clearing.next = self.clear.q.val() != self.rows_end.val();
        self.at_stream.next = (bit_cast::<QW, CW>(self.conn.q.val()) << self.stream_bits.val())
            | (bit_cast::<QW, 8>(self.stream.q.val()) & self.stream_mask.val());
        self.at_message.next = (bit_cast::<AW, QW>(self.at_stream.val()) << self.slot_bits.val())
            | (bit_cast::<AW, 24>(self.msn.q.val()) & self.slot_mask.val());
        self.streams.re.next = (self.state.q.val() == 1) | (self.state.q.val() == 5);
        self.streams.raddr.next = self.at_stream.val();
        self.streams.we.next = false;
        self.streams.waddr.next = self.at_stream.val();
        self.new_row.next = self.row.q.val();
        self.conns.re.next = self.state.q.val() == 1;
        self.conns.raddr.next = self.conn.q.val();
        self.conns.we.next = false;
        self.conns.waddr.next = self.conn.q.val();
        self.new_conn.next = self.conn_row.q.val();
        self.fields.re.next =
            (self.state.q.val() == 1) | (self.state.q.val() == 7) | (self.state.q.val() == 14);
        self.fields.raddr.next = self.at_message.val();
        self.fields.we.next = false;
        self.fields.waddr.next = self.at_message.val();
        self.ids.re.next = self.state.q.val() == 14;
        self.ids.raddr.next = self.at_message.val();
        self.ids.we.next = false;
        self.ids.waddr.next = self.at_message.val();
        self.valids.re.next = true;
        self.valids.raddr.next = self.conn.q.val();
        self.valids.we.next = self.cfg_we.val();
        self.valids.waddr.next = self.cfg_conn.val();
        self.valids.wdata.next = self.cfg_valid.val();
        self.valid.d.next = self.valids.rdata.val();

        // Offers that were taken are gone.
        if self.p_ready.val() {
            self.news.d.next = false;
        }
        if self.u_ready.val() {
            self.question.d.next = false;
        }

        // Idle: the first event in order of priority.
        self.idle.next = (self.state.q.val() == 0) & !self.clearing.val();
        self.may_slice.next = self.idle.val() & !self.l_valid.val() & !self.news.q.val();
        self.may_ask.next = self.idle.val()
            & !self.l_valid.val()
            & !(self.s_valid.val() & !self.news.q.val())
            & !self.question.q.val();
        self.may_complete.next = self.completions.walking.val() & self.completions.free.val();
        self.may_done.next = self.may_slice.val()
            & !self.s_valid.val()
            & !(self.v_valid.val() & !self.question.q.val())
            & !self.completions.walking.val();
        self.may_request.next = !self.completions.walking.val();
        self.l_ready.next = self.idle.val();
        self.s_ready.next = self.may_slice.val();
        self.v_ready.next = self.may_ask.val();
        self.n_ready.next = self.may_done.val();
        if self.idle.val() {
            if self.l_valid.val() {
                self.kind.d.next = 0.into();
                self.conn.d.next = self.l_conn.val();
                self.stream.d.next = self.l_stream.val();
                self.msn.d.next = self.l_msn.val();
                self.state.d.next = 1.into();
            } else if self.may_slice.val() & self.s_valid.val() {
                self.kind.d.next = 1.into();
                self.conn.d.next = self.s_conn.val();
                self.state.d.next = 1.into();
            } else if self.may_ask.val() & self.v_valid.val() {
                self.kind.d.next = 2.into();
                self.conn.d.next = bit_cast::<CW, PW>(self.v_path.val() >> self.path_bits.val());
                self.path.d.next = self.v_path.val();
                self.again.d.next = self.v_repeat.val();
                self.state.d.next = 1.into();
            } else if self.may_complete.val() {
                self.conn.d.next = self.completions.conn.val();
                self.stream.d.next = self.completions.stream.val();
                self.msn.d.next = self.completions.msn.val();
                self.state.d.next = 14.into();
            } else if self.may_done.val() & self.n_valid.val() {
                self.kind.d.next = 3.into();
                self.conn.d.next = bit_cast::<CW, 16>(self.n_done.val().conn);
                self.stream.d.next = self.n_done.val().stream;
                self.msn.d.next = self.n_done.val().msn;
                self.state.d.next = 1.into();
            } else if self.may_request.val() & self.w_valid.val() {
                self.kind.d.next = 4.into();
                self.conn.d.next = bit_cast::<CW, 16>(self.w_request.val().get_bits::<16>(16));
                self.stream.d.next = self.w_request.val().get_bits::<8>(32);
                self.state.d.next = 1.into();
            }
        }

        // Rows; of a request, also the number of its last slice.
        self.length.next = self.w_request.val().get_bits::<32>(256);
        if self.state.q.val() == 1 {
            self.unknown.d.next = (self.w_request.val().get_bits::<8>(0) != self.write.val())
                | (self.w_request.val().get_bits::<16>(16) & self.conn_over.val()).any();
            self.last_index.d.next = 0.into();
            if self.length.val().any() {
                self.last_index.d.next = bit_cast::<24, 32>((self.length.val() - 1) >> self.slice_bits.val());
            }
            self.state.d.next = 2.into();
        }
        if self.state.q.val() == 2 {
            self.conn_row.d.next = self.conns.rdata.val();
            self.row.d.next = self.streams.rdata.val();
            self.message.d.next = self.fields.rdata.val();
            self.slices.d.next = bit_cast::<29, 24>(self.last_index.q.val()) + 1;
            self.state.d.next = 3.into();
            if (self.kind.q.val() == 1) | (self.kind.q.val() == 2) {
                self.state.d.next = 4.into();
            }
        }
        if self.state.q.val() == 3 {
            self.ahead.d.next = self.msn.q.val() - self.row.q.val().done;
            self.span.d.next = self.row.q.val().head - self.row.q.val().done;
            self.state.d.next = 11.into();
            if self.kind.q.val() == 3 {
                self.span.d.next = self.row.q.val().cur - self.row.q.val().done;
                self.state.d.next = 12.into();
            }
            if self.kind.q.val() == 4 {
                self.msn.d.next = self.row.q.val().head;
                self.state.d.next = 13.into();
            }
        }

        // The streams that come into question, in turn behind the one that was chosen last.
        self.candidates.next = self.conn_row.q.val().work;
        self.after.next = self.conn_row.q.val().last;
        if self.kind.q.val() == 2 {
            self.candidates.next = self.conn_row.q.val().waits;
            self.after.next = self.conn_row.q.val().asked;
        }
        self.pick.candidates.next = self.candidates.val();
        self.pick.after.next = self.after.val();
        if self.state.q.val() == 4 {
            self.stream.d.next = bit_cast::<8, 4>(self.pick.at.val());
            self.found.d.next = self.pick.any.val();
            self.left.d.next = self.conn_row.q.val().queued - 1;
            self.state.d.next = 5.into();
            if self.kind.q.val() == 2 {
                self.state.d.next = 10.into();
            }
        }
        self.hot.next = bits::<16>(1) << bit_cast::<4, 8>(self.stream.q.val());

        // Slice: the stream's row, the answer, the message's length, what it leaves.
        if self.state.q.val() == 5 {
            self.state.d.next = 6.into();
        }
        if self.state.q.val() == 6 {
            self.row.d.next = self.streams.rdata.val();
            self.msn.d.next = self.streams.rdata.val().cur;
            self.state.d.next = 7.into();
        }
        self.slice.next.stream = self.stream.q.val();
        self.slice.next.msn = self.row.q.val().cur;
        self.slice.next.index = self.row.q.val().index;
        self.slice.next.tail = !(self.left.q.val() & self.tail_over.val()).any();
        self.slice.next.more = self.left.q.val().any();
        self.t_valid.next = self.state.q.val() == 7;
        self.t_slice.next = self.slice.val();
        self.t_left.next = bit_cast::<16, 29>(self.left.q.val());
        if (self.left.q.val() & self.left_over.val()).any() {
            self.t_left.next = 0xFFFF.into();
        }
        if self.state.q.val() == 7 {
            self.end.d.next = (bit_cast::<33, 22>(self.row.q.val().index) + 1) << self.slice_bits.val();
            self.state.d.next = 8.into();
        }
        if self.state.q.val() == 8 {
            self.message.d.next = self.fields.rdata.val();
            self.state.d.next = 9.into();
        }
        self.whole.next = self.end.q.val() >= bit_cast::<33, 32>(self.message.q.val().length);
        self.cur_next.next = self.row.q.val().cur + 1;
        if self.state.q.val() == 9 {
            self.streams.we.next = true;
            self.new_row.next.index = self.row.q.val().index + 1;
            self.conns.we.next = true;
            self.new_conn.next.last = bit_cast::<4, 8>(self.stream.q.val());
            self.new_conn.next.queued = self.left.q.val();
            if self.whole.val() {
                self.new_row.next.cur = self.cur_next.val();
                self.new_row.next.index = 0.into();
                self.new_conn.next.unfinished = self.conn_row.q.val().unfinished + 1;
                self.new_conn.next.waits = self.conn_row.q.val().waits | self.hot.val();
                if self.cur_next.val() == self.row.q.val().head {
                    self.new_conn.next.work = self.conn_row.q.val().work & !self.hot.val();
                }
                self.news.d.next = true;
                self.news_conn.d.next = self.conn.q.val();
                self.news_waiting.d.next = true;
                self.news_progress.d.next = false;
            }
            self.state.d.next = 0.into();
        }

        // Question: swallowed when no stream waits.
        if self.state.q.val() == 10 {
            if self.found.q.val() {
                self.conns.we.next = true;
                self.new_conn.next.asked = bit_cast::<4, 8>(self.stream.q.val());
                self.question.d.next = true;
                self.question_path.d.next = self.path.q.val();
                self.question_stream.d.next = self.stream.q.val();
                self.question_repeat.d.next = self.again.q.val();
            }
            self.state.d.next = 0.into();
        }

        // Look-up.
        self.stream_unknown.next = (self.stream.q.val() & self.stream_over.val()).any();
        self.l_answer.next = self.state.q.val() == 11;
        self.l_live.next = !self.stream_unknown.val() & (self.ahead.q.val() < self.span.q.val());
        self.l_row.next = self.message.q.val();
        if self.state.q.val() == 11 {
            self.state.d.next = 0.into();
        }

        // Report: what it completes is walked through, behind it.
        self.beyond.next = self.stream_unknown.val()
            | (!self.ahead.q.val().get_bit(23) & (self.ahead.q.val() > self.span.q.val()));
        self.unfinished.next = self.conn_row.q.val().unfinished - bit_cast::<7, 24>(self.ahead.q.val());
        self.drop_valid.next = (self.state.q.val() == 12) & self.beyond.val();
        self.completions.start.next = false;
        self.completions.start_conn.next = self.conn.q.val();
        self.completions.start_stream.next = self.stream.q.val();
        self.completions.start_msn.next = self.row.q.val().done;
        self.completions.start_count.next = bit_cast::<7, 24>(self.ahead.q.val());
        self.drop_reason.next = self.ack_invalid.val();
        if self.state.q.val() == 12 {
            if !self.beyond.val() & !self.ahead.q.val().get_bit(23) & self.ahead.q.val().any() {
                self.streams.we.next = true;
                self.new_row.next.done = self.msn.q.val();
                self.conns.we.next = true;
                self.new_conn.next.unfinished = self.unfinished.val();
                if self.ahead.q.val() == self.span.q.val() {
                    self.new_conn.next.waits = self.conn_row.q.val().waits & !self.hot.val();
                }
                self.news.d.next = true;
                self.news_conn.d.next = self.conn.q.val();
                self.news_waiting.d.next = self.unfinished.val().any();
                self.news_progress.d.next = true;
                self.completions.start.next = true;
            }
            self.state.d.next = 0.into();
        }

        // Request: refused, to be looked at again, or queued.
        self.refused.next = self.unknown.q.val()
            | self.stream_unknown.val()
            | !self.valid.q.val()
            | self.last_index.q.val().get_bits::<2>(22).any();
        self.blocked.next = (self.span.q.val() >= self.slots.val())
            | (self.w_request.val().get_bit(8) & self.span.q.val().any());
        if self.refused.val() {
            self.blocked.next = !self.completions.free.val();
        }
        self.w_ready.next = (self.state.q.val() == 13) & !self.blocked.val();
        self.new_message.next.local = self.w_request.val().get_bits::<64>(128);
        self.new_message.next.remote = self.w_request.val().get_bits::<64>(192);
        self.new_message.next.length = self.length.val();
        self.new_message.next.rkey = self.w_request.val().get_bits::<32>(288);
        self.fields.wdata.next = self.new_message.val();
        self.ids.wdata.next = self.w_request.val().get_bits::<64>(64);
        self.completions.refuse.next = false;
        self.completions.refuse_opcode.next = self.w_request.val().get_bits::<8>(0);
        self.completions.refuse_conn.next = self.w_request.val().get_bits::<16>(16);
        self.completions.refuse_stream.next = self.stream.q.val();
        self.completions.refuse_wr_id.next = self.w_request.val().get_bits::<64>(64);
        self.q_valid.next = false;
        self.q_conn.next = self.conn.q.val();
        if self.state.q.val() == 13 {
            if !self.blocked.val() {
                if self.refused.val() {
                    self.completions.refuse.next = true;
                } else {
                    self.fields.we.next = true;
                    self.ids.we.next = true;
                    self.streams.we.next = true;
                    self.new_row.next.head = self.row.q.val().head + 1;
                    self.conns.we.next = true;
                    self.new_conn.next.queued = self.conn_row.q.val().queued + self.slices.q.val();
                    self.new_conn.next.work = self.conn_row.q.val().work | self.hot.val();
                    self.q_valid.next = !self.conn_row.q.val().queued.any();
                }
            }
            self.state.d.next = 0.into();
        }

        // Completion of the oldest message that is done and not told of.
        if self.state.q.val() == 14 {
            self.state.d.next = 15.into();
        }
        if self.state.q.val() == 15 {
            self.state.d.next = 0.into();
        }
        self.completions.tell.next = self.state.q.val() == 15;
        self.completions.tell_wr_id.next = self.ids.rdata.val();
        self.completions.tell_bytes.next = self.fields.rdata.val().length;
        self.completions.cpl_ready.next = self.cpl_ready.val();
        self.cpl_valid.next = self.completions.cpl_valid.val();
        self.cpl_record.next = self.completions.cpl_record.val();
        self.p_valid.next = self.news.q.val();
        self.p_conn.next = self.news_conn.q.val();
        self.p_waiting.next = self.news_waiting.q.val();
        self.p_progress.next = self.news_progress.q.val();
        self.u_valid.next = self.question.q.val();
        self.u_path.next = self.question_path.q.val();
        self.u_stream.next = self.question_stream.q.val();
        self.u_repeat.next = self.question_repeat.q.val();

        // After reset every row is made new; the first stream is the first to be served.
        if self.clearing.val() {
            self.clear.d.next = self.clear.q.val() + 1;
            self.streams.we.next = true;
            self.streams.waddr.next = bit_cast::<QW, QC>(self.clear.q.val());
            self.new_row.next.head = self.first.val();
            self.new_row.next.cur = self.first.val();
            self.new_row.next.index = 0.into();
            self.new_row.next.done = self.first.val();
            self.conns.we.next = true;
            self.conns.waddr.next = bit_cast::<CW, QC>(self.clear.q.val() >> self.stream_bits.val());
            self.new_conn.next.last = 15.into();
            self.new_conn.next.asked = 15.into();
            self.new_conn.next.work = 0.into();
            self.new_conn.next.waits = 0.into();
            self.new_conn.next.unfinished = 0.into();
            self.new_conn.next.queued = 0.into();
            self.valids.we.next = true;
            self.valids.waddr.next = bit_cast::<CW, QC>(self.clear.q.val() >> self.stream_bits.val());
            self.valids.wdata.next = false;
        }
        self.streams.wdata.next = self.new_row.val();
        self.conns.wdata.next = self.new_conn.val();
        if self.rst.val() {
            self.clear.d.next = 0.into();
            self.state.d.next = 0.into();
            self.news.d.next = false;
            self.question.d.next = false;
        }
    }
}
