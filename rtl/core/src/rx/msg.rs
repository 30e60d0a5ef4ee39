//! Receive messages: counts the bytes that memory has accepted, advances `done` in stream order, and tells
//! ACKs of it.
//!
//! One packet every 6 cycles; 8 when it completes the message at `done`, and 2 more for each further message
//! that `done` then passes. Pulses `m` and `e` come 5 cycles after `b`. A report takes 2^(`QW` - `CW`) + 4
//! cycles from question to answer. Asks are taken before reports, and reports before packets; what crosses
//! earlier counts earlier. `q_done` is the value of the cycle before; it is at most one packet behind.
//! For 2^`AW` cycles after `rst` the memories are cleared, `b_ready` and `report_ready` are low, and asks
//! wait; those in the cycle after `rst` are lost.
//! Assumes: packets were let through once and lie in [done, done + M); no more than 16 asks wait.
//! Model `rx::msg`. Doc `docs/blocks/rx-msg.md`.

mod ports;
mod report;
mod rows;

pub use ports::RxMsg;

use rust_hdl::prelude::*;

/// Error code: memory answered a write with an error.
pub const ERROR_MEMORY: u64 = 1;
/// Error code: two lengths of one message, or more bytes than it has.
pub const ERROR_LENGTH: u64 = 2;

impl<const CW: usize, const QW: usize, const AW: usize, const AC: usize, const PW: usize> Logic
    for RxMsg<CW, QW, AW, AC, PW>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clk, clear, step, packet, index, slot, stream, left, differs, in_order, wrong, whole
        );
        dff_setup!(self, clk, next_complete);
        self.slots.clk.next = self.clk.val();
        self.streams.clk.next = self.clk.val();
        self.dones.clk.next = self.clk.val();
        self.report.clk.next = self.clk.val();
        self.report.rst.next = self.rst.val();
        self.asks.clk.next = self.clk.val();
        self.asks.rst.next = self.rst.val();

        // Asks queue up, so that what was asked before a question counts before it.
        self.ask_known.next = !(self.ask_stream.val() & self.stream_over.val()).any();
        self.ask_index.next = (bit_cast::<QW, CW>(self.ask_conn.val()) << self.stream_bits.val())
            | (bit_cast::<QW, 8>(self.ask_stream.val()) & self.stream_mask.val());
        self.asks.in_valid.next = self.ask_valid.val() & self.ask_known.val();
        self.asks.in_data.next = self.ask_index.val();

        self.clearing.next = self.clear.q.val() != self.rows_end.val();
        self.idle.next = (self.step.q.val() == 0) & !self.clearing.val();
        self.take_ask.next = self.idle.val() & self.asks.out_valid.val();
        self.asks.out_ready.next = self.idle.val();
        self.may_report.next = self.idle.val() & !self.asks.count.val().any() & !self.ask_valid.val();
        self.report_ready.next = self.may_report.val();
        self.take_report.next = self.may_report.val() & self.report_valid.val();
        self.b_ready.next = self.idle.val() & !self.asks.out_valid.val() & !self.report_valid.val();
        self.take_packet.next =
            self.idle.val() & !self.asks.out_valid.val() & !self.report_valid.val() & self.b_valid.val();

        // Memories: quiet unless a step says otherwise.
        self.at.next = (bit_cast::<AW, QW>(self.index.q.val()) << self.slot_bits.val())
            | (bit_cast::<AW, 24>(self.packet.q.val().msn) & self.slot_mask.val());
        self.done.next = self.stream.q.val().done;
        self.at_done.next = (bit_cast::<AW, QW>(self.index.q.val()) << self.slot_bits.val())
            | (bit_cast::<AW, 24>(self.done.val()) & self.slot_mask.val());
        self.done_next.next = self.done.val() + 1;
        self.at_next.next = (bit_cast::<AW, QW>(self.index.q.val()) << self.slot_bits.val())
            | (bit_cast::<AW, 24>(self.done_next.val()) & self.slot_mask.val());
        self.new_slot.next.valid = false;
        self.new_slot.next.complete = false;
        self.new_slot.next.message_len = 0.into();
        self.new_slot.next.bytes = 0.into();
        self.slots.re.next = false;
        self.slots.raddr.next = self.at.val();
        self.slots.we.next = false;
        self.slots.waddr.next = self.at.val();
        self.streams.re.next = false;
        self.streams.raddr.next = self.index.q.val();
        self.streams.we.next = false;
        self.streams.waddr.next = self.index.q.val();
        self.new_stream.next = self.stream.q.val();
        self.dones.we.next = false;
        self.m_valid.next = false;
        self.e_valid.next = false;

        // Step 0: an ask, a question or a packet.
        if self.take_packet.val() {
            self.packet.d.next = self.b_placed.val();
            self.index.d.next = (bit_cast::<QW, 16>(self.b_placed.val().conn) << self.stream_bits.val())
                | (bit_cast::<QW, 8>(self.b_placed.val().stream) & self.stream_mask.val());
            self.step.d.next = 1.into();
        }
        if self.take_report.val() {
            self.step.d.next = 8.into();
        }
        if self.take_ask.val() {
            self.index.d.next = self.asks.out_data.val();
            self.step.d.next = 9.into();
        }

        // Packet, step 1: read the stream and the slot.
        if self.step.q.val() == 1 {
            self.slots.re.next = true;
            self.streams.re.next = true;
            self.step.d.next = 2.into();
        }
        if self.step.q.val() == 2 {
            self.slot.d.next = self.slots.rdata.val();
            self.stream.d.next = self.streams.rdata.val();
            self.step.d.next = 3.into();
        }
        // Step 3: the first packet of a message gives its length. A message that was done since access looked has
        // left its slot to another.
        self.closed.next =
            ((self.packet.q.val().msn - self.done.val()) >> bit_cast::<24, 5>(self.slot_bits.val())).any();
        if self.step.q.val() == 3 {
            self.in_order.d.next = self.packet.q.val().msn == self.done.val();
            self.differs.d.next = self.closed.val()
                | self.slot.q.val().complete
                | (self.slot.q.val().valid
                    & (self.slot.q.val().message_len != self.packet.q.val().message_len));
            self.left.d.next = self.slot.q.val().message_len - self.slot.q.val().bytes;
            if !self.slot.q.val().valid & !self.closed.val() {
                self.left.d.next = self.packet.q.val().message_len;
                self.slot.d.next.valid = true;
                self.slot.d.next.complete = false;
                self.slot.d.next.message_len = self.packet.q.val().message_len;
                self.slot.d.next.bytes = 0.into();
            }
            self.step.d.next = 4.into();
        }
        if self.step.q.val() == 4 {
            self.wrong.d.next =
                self.differs.q.val() | (bit_cast::<32, 16>(self.packet.q.val().len) > self.left.q.val());
            self.whole.d.next = bit_cast::<32, 16>(self.packet.q.val().len) == self.left.q.val();
            self.step.d.next = 5.into();
        }
        // Step 5: count, unless something is wrong. The message at `done` makes room at once, any other waits
        // for its turn.
        self.memory.next = !self.packet.q.val().ok;
        self.counted.next = self.slot.q.val().bytes + bit_cast::<32, 16>(self.packet.q.val().len);
        self.m_path.next = (bit_cast::<PW, 16>(self.packet.q.val().conn) << self.path_bits.val())
            | bit_cast::<PW, 8>(self.packet.q.val().path);
        self.e_conn.next = bit_cast::<CW, 16>(self.packet.q.val().conn);
        self.e_code.next = self.error_length.val();
        if self.memory.val() {
            self.e_code.next = self.error_memory.val();
        }
        if self.step.q.val() == 5 {
            self.slots.we.next = !self.memory.val();
            self.new_slot.next = self.slot.q.val();
            self.step.d.next = 0.into();
            if self.memory.val() | self.wrong.q.val() {
                self.e_valid.next = true;
            } else {
                self.new_slot.next.bytes = self.counted.val();
                if self.whole.q.val() {
                    self.m_valid.next = true;
                    self.new_slot.next.complete = true;
                    if self.in_order.q.val() {
                        self.new_slot.next.valid = false;
                        self.new_slot.next.complete = false;
                        self.stream.d.next.done = self.done_next.val();
                        self.slots.re.next = true;
                        self.slots.raddr.next = self.at_next.val();
                        self.step.d.next = 6.into();
                    }
                }
            }
        }
        // Steps 6 and 7: is the message now at `done` complete too? Then it also makes room.
        if self.step.q.val() == 6 {
            self.next_complete.d.next = self.slots.rdata.val().complete;
            self.step.d.next = 7.into();
        }
        if self.step.q.val() == 7 {
            if self.next_complete.q.val() {
                self.slots.we.next = true;
                self.slots.waddr.next = self.at_done.val();
                self.stream.d.next.done = self.done_next.val();
                self.slots.re.next = true;
                self.slots.raddr.next = self.at_next.val();
                self.step.d.next = 6.into();
            } else {
                self.streams.we.next = true;
                self.dones.we.next = true;
                self.step.d.next = 0.into();
            }
        }

        // Question, step 8: the answer comes, and what it says counts as reported.
        self.report.start.next = self.take_report.val();
        self.report.conn.next = self.report_conn.val();
        self.report.rdata.next = self.streams.rdata.val();
        if self.report.re.val() {
            self.streams.re.next = true;
            self.streams.raddr.next = self.report.raddr.val();
        }
        self.answer_valid.next = self.report.finish.val();
        self.answer_stream.next = bit_cast::<8, QW>(self.report.chosen.val() & self.stream_mask.val());
        self.reported.next = self.report.row.val();
        self.answer_done.next = self.reported.val().done;
        self.answer_more.next = self.report.more.val();
        if self.report.finish.val() {
            self.new_stream.next = self.reported.val();
            self.new_stream.next.reported = self.reported.val().done;
            self.new_stream.next.asked = false;
            self.streams.we.next = true;
            self.streams.waddr.next = self.report.chosen.val();
            self.step.d.next = 0.into();
        }

        // Ask, steps 9 to 11: mark the stream.
        if self.step.q.val() == 9 {
            self.streams.re.next = true;
            self.step.d.next = 10.into();
        }
        if self.step.q.val() == 10 {
            self.stream.d.next = self.streams.rdata.val();
            self.step.d.next = 11.into();
        }
        if self.step.q.val() == 11 {
            self.new_stream.next.asked = true;
            self.streams.we.next = true;
            self.step.d.next = 0.into();
        }

        // After reset every row is made new; the last stream counts as reported last.
        self.report.clear.next = self.clearing.val();
        self.report.clear_conn.next = bit_cast::<CW, AC>(self.clear.q.val());
        if self.clearing.val() {
            self.clear.d.next = self.clear.q.val() + 1;
            self.slots.we.next = true;
            self.slots.waddr.next = bit_cast::<AW, AC>(self.clear.q.val());
            self.streams.we.next = true;
            self.streams.waddr.next = bit_cast::<QW, AC>(self.clear.q.val());
            self.new_stream.next.done = 0.into();
            self.new_stream.next.reported = 0.into();
            self.new_stream.next.asked = false;
            self.dones.we.next = true;
        }
        self.slots.wdata.next = self.new_slot.val();
        self.streams.wdata.next = self.new_stream.val();
        self.dones.waddr.next = self.index.q.val();
        if self.clearing.val() {
            self.dones.waddr.next = bit_cast::<QW, AC>(self.clear.q.val());
        }
        self.dones.wdata.next = self.new_stream.val().done;
        self.dones.re.next = true;
        self.dones.raddr.next = self.q_stream.val();
        self.q_done.next = self.dones.rdata.val();
        if self.rst.val() {
            self.clear.d.next = 0.into();
            self.step.d.next = 0.into();
        }
    }
}
