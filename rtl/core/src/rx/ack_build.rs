//! ACK builder: from a request to the ACK that tells the path's state; where there is no gap, without SACK
//! words.
//!
//! The LOOK and the question for the stream to report are offered 2 cycles after `r`; `g_valid` comes 3 cycles
//! after the later answer (17 after `r` with the engine of 64 lanes and 4 streams, 25 with the wide one and 16,
//! when nobody stalls). `hold` runs to the cycle in which that answer comes. One ACK at a time.
//! Assumes: the four snapshot words come from a fixed cycle after the LOOK was taken on (4 with the engine of
//! 64 lanes, 7 with the wide one), one per cycle, and nobody else LOOKs. For 2^`CW` cycles after `rst` the rows
//! are cleared and `r_ready` is low.
//! Model `rx::ack_build`. Doc `docs/blocks/rx-ack-build.md`.

mod ports;

pub use ports::{RxAckBuild, ACK_BITS};

use crate::generated::wire::{ack, ack_form};
use ports::BELOW;
use rust_hdl::prelude::*;

// The SACK fills the words behind the last field, 10 to 17: bit i is bit i mod 32 of word 10 + i / 32.
const _: () = assert!(ack::RESERVED_LSB + BELOW as usize == 256 && ack_form::SACK == 0);

impl<const CW: usize, const CC: usize, const PW: usize> Logic for RxAckBuild<CW, CC, PW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, clear, step, path, seq, look, question, age, collected, looked, answered);
        dff_setup!(self, clk, cum, high, ce, dup, arrivals, ts, route, at, stream, done, more);
        dff_setup!(self, clk, known_at, held, hold, gap);
        self.seqs.clk.next = self.clk.val();

        // Step 0: take a request and read its connection's ack_seq.
        self.clearing.next = self.clear.q.val() != self.rows_end.val();
        self.r_ready.next = (self.step.q.val() == 0) & !self.clearing.val();
        self.take.next = self.r_valid.val() & (self.step.q.val() == 0) & !self.clearing.val();
        self.seqs.re.next = self.take.val();
        self.seqs.raddr.next = bit_cast::<CW, PW>(self.r_path.val() >> self.path_bits.val());
        if self.take.val() {
            self.path.d.next = self.r_path.val();
            self.step.d.next = 1.into();
        }
        // Step 1: ask the path engine and the messages.
        if self.step.q.val() == 1 {
            self.seq.d.next = self.seqs.rdata.val();
            self.look.d.next = true;
            self.question.d.next = true;
            self.collected.d.next = false;
            self.looked.d.next = false;
            self.answered.d.next = false;
            self.gap.d.next = false;
            self.step.d.next = 2.into();
        }
        self.l_valid.next = self.look.q.val();
        self.l_path.next = self.path.q.val();
        self.report_valid.next = self.question.q.val();
        self.conn.next = bit_cast::<CW, PW>(self.path.q.val() >> self.path_bits.val());
        self.report_conn.next = self.conn.val();
        if self.question.q.val() & self.report_ready.val() {
            self.question.d.next = false;
        }
        // Cycles since the LOOK was taken: its snapshot words are those of four of them.
        if self.age.q.val().any() & (self.age.q.val() != self.end_age.val()) {
            self.age.d.next = self.age.q.val() + 1;
        }
        self.window.next =
            (self.age.q.val() >= self.first_age.val()) & (self.age.q.val() < self.end_age.val());
        if self.look.q.val() & self.l_ready.val() {
            self.look.d.next = false;
            self.age.d.next = 1.into();
        }
        for k in 0..4 {
            self.lanes[k].clock.next = self.clk.val();
            self.lanes[k].d.next = self.lanes[k].q.val();
        }
        if self.z_valid.val() & self.window.val() {
            if self.z_word.val().any() {
                self.gap.d.next = true;
            }
            if self.z_index.val() == 0 {
                self.lanes[0].d.next = self.z_word.val();
            }
            if self.z_index.val() == 1 {
                self.lanes[1].d.next = self.z_word.val();
            }
            if self.z_index.val() == 2 {
                self.lanes[2].d.next = self.z_word.val();
            }
            if self.z_index.val() == 3 {
                self.lanes[3].d.next = self.z_word.val();
                self.collected.d.next = true;
            }
        }
        self.row.next = self.o_valid.val() & (self.o_op.val() == 2);
        if self.row.val() {
            self.looked.d.next = true;
            self.cum.d.next = self.o_cum.val();
            self.high.d.next = self.o_high.val();
            self.ce.d.next = self.o_ce.val();
            self.dup.d.next = self.o_dup.val();
            self.arrivals.d.next = self.o_arrivals.val();
            self.ts.d.next = self.o_ts.val();
            self.route.d.next = self.o_route.val();
            self.at.d.next = self.o_at.val();
        }
        if self.answer_valid.val() {
            self.answered.d.next = true;
            self.stream.d.next = self.answer_stream.val();
            self.done.d.next = self.answer_done.val();
            self.more.d.next = self.answer_more.val();
        }
        if self.row.val() | self.answer_valid.val() {
            self.known_at.d.next = self.now.val();
        }
        // Steps 2 to 4: how long the echoed packet has been here; 2^16 - 1 and more mean no sample.
        if (self.step.q.val() == 2) & self.collected.q.val() & self.looked.q.val() & self.answered.q.val() {
            self.held.d.next = self.known_at.q.val() - self.at.q.val();
            self.step.d.next = 3.into();
        }
        self.again_valid.next = (self.step.q.val() == 3) & self.more.q.val();
        self.again_path.next = self.path.q.val();
        if self.step.q.val() == 3 {
            self.hold.d.next = bit_cast::<16, 32>(self.held.q.val());
            if self.held.q.val() > self.longest.val() {
                self.hold.d.next = bit_cast::<16, 32>(self.longest.val());
            }
            self.step.d.next = 4.into();
        }

        // Step 4: the words. Fields that are 0: flags, dst_conn, tag, ack_flags, hint, rq_credit.
        // REQ-ACK-5: those of the SACK when a bit is set, and the opcode that says so.
        self.form.next = self.no_sack.val();
        self.g_count.next = self.short_count.val();
        if self.gap.q.val() {
            self.form.next = 0.into();
            self.g_count.next = self.full_count.val();
        }
        self.number.next = bit_cast::<8, PW>(self.path.q.val()) & self.path_mask.val();
        self.head.next = self.version.val()
            | self.kind.val()
            | self.form.val()
            | (bit_cast::<576, 8>(self.number.val()) << self.at_path.val())
            | (bit_cast::<576, 8>(self.route.q.val()) << self.at_route.val())
            | (bit_cast::<576, 24>(self.high.q.val()) << self.at_psn.val())
            | (bit_cast::<576, 32>(self.ts.q.val()) << self.at_timestamp.val());
        self.tail.next = (bit_cast::<576, 24>(self.cum.q.val()) << self.at_cum.val())
            | (bit_cast::<576, 16>(self.hold.q.val()) << self.at_hold.val())
            | (bit_cast::<576, 16>(self.ce.q.val()) << self.at_ce.val())
            | (bit_cast::<576, 16>(self.seq.q.val()) << self.at_seq.val())
            | (bit_cast::<576, 16>(self.dup.q.val()) << self.at_dup.val())
            | (bit_cast::<576, 8>(self.stream.q.val()) << self.at_stream.val())
            | (bit_cast::<576, 24>(self.done.q.val()) << self.at_msn.val())
            | (bit_cast::<576, 16>(self.arrivals.q.val()) << self.at_arrivals.val());
        for k in 0..4 {
            self.turned[k].next = (self.lanes[k].q.val() << 32) | (self.lanes[k].q.val() >> 32);
        }
        self.sack.next = (bit_cast::<576, 64>(self.turned[0].val()) << 192)
            | (bit_cast::<576, 64>(self.turned[1].val()) << 128)
            | (bit_cast::<576, 64>(self.turned[2].val()) << 64)
            | bit_cast::<576, 64>(self.turned[3].val());
        self.g_valid.next = self.step.q.val() == 4;
        self.g_path.next = self.path.q.val();
        self.g_words.next = self.head.val() | self.tail.val() | self.sack.val();
        self.seqs.we.next = false;
        self.seqs.waddr.next = self.conn.val();
        self.seqs.wdata.next = self.seq.q.val() + 1;
        if (self.step.q.val() == 4) & self.g_ready.val() {
            self.seqs.we.next = true;
            self.step.d.next = 0.into();
        }
        if self.clearing.val() {
            self.clear.d.next = self.clear.q.val() + 1;
            self.seqs.we.next = true;
            self.seqs.waddr.next = bit_cast::<CW, CC>(self.clear.q.val());
            self.seqs.wdata.next = 0.into();
        }
        if self.rst.val() {
            self.clear.d.next = 0.into();
            self.step.d.next = 0.into();
            self.look.d.next = false;
            self.question.d.next = false;
            self.age.d.next = 0.into();
        }
    }
}
