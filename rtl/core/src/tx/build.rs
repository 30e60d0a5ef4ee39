//! Packet builder: from the scheduler's jobs to transport headers and the payload behind them.
//!
//! Latency without waiting: 2 cycles from `j` to `l`, 6 from the answer to `m_axi_arvalid`, 8 from a payload's last beat of
//! memory to `y` and `g` (9 when that beat gives two), 8 from the answer of an empty slice to `g`. A job takes 5 cycles and those
//! from `l` to its answer. Jobs, reads and the way out overlap: at most 4 packets are inside. One beat per cycle; one idle cycle per
//! packet at `y`, and at `r` for an unaligned payload with as many beats as memory sends.
//! Assumes: at most one job of a path and PSN is between `j` and `l`; a slice lies in its message.
//! Model `tx::build`. Doc `docs/blocks/tx-build.md`.

mod drain;
mod gather;
mod header;
mod ports;
mod read;
mod rows;

pub use ports::TxBuild;

use rust_hdl::prelude::*;

// Steps: 0 idle, 1 record, 2 question, 3 answer, 4 addresses, 5 packet.
impl<
        const W: usize,
        const K: usize,
        const CW: usize,
        const LW: usize,
        const PW: usize,
        const RA: usize,
        const A: usize,
    > Logic for TxBuild<W, K, CW, LW, PW, RA, A>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clk, step, taken, given, freed, job, record, live, message, offset, local, len, last
        );
        dff_setup!(self, clk, error, error_conn, sent, sent_as, sent_bytes);
        self.records.clk.next = self.clk.val();
        self.reader.clk.next = self.clk.val();
        self.reader.rst.next = self.rst.val();
        self.gatherer.clk.next = self.clk.val();
        self.gatherer.rst.next = self.rst.val();
        self.drain.clk.next = self.clk.val();
        self.drain.rst.next = self.rst.val();
        self.packets.clk.next = self.clk.val();
        self.packets.rst.next = self.rst.val();

        // A job is taken when at most 3 packets are inside, and a quarter of the buffer is free. The record of a new
        // packet is written; that of another is read, for a question in vain.
        self.offered.next = self.j_job.val();
        self.free.next = (self.step.q.val() == 0)
            & ((self.taken.q.val() - self.given.q.val()) < 4)
            & ((self.taken.q.val() - self.freed.q.val()) < 4);
        self.j_ready.next = self.free.val();
        self.take.next = self.free.val() & self.j_valid.val();
        self.at.next = (bit_cast::<RA, PW>(self.offered.val().path.get_bits::<PW>(0)) << 8)
            | bit_cast::<RA, 8>(self.offered.val().psn.get_bits::<8>(0));
        self.written.next.stream = self.offered.val().stream;
        self.written.next.msn = self.offered.val().msn;
        self.written.next.index = self.offered.val().index;
        self.records.we.next = self.take.val() & !self.offered.val().kind.any();
        self.records.waddr.next = self.at.val();
        self.records.wdata.next = self.written.val();
        self.records.re.next = self.take.val() & self.offered.val().kind.any();
        self.records.raddr.next = self.at.val();
        if self.take.val() {
            self.job.d.next = self.j_job.val();
            self.record.d.next = self.written.val();
            self.live.d.next = false;
            self.taken.d.next = self.taken.q.val() + 1;
            self.step.d.next = 1.into();
        }

        // Which slice: of a resend as its record says. A question has none.
        self.known.next = self.job.q.val();
        if self.step.q.val() == 1 {
            self.step.d.next = 2.into();
            if (self.known.val().kind == 1) | (self.known.val().kind == 2) {
                self.record.d.next = self.records.rdata.val();
            }
            if self.known.val().kind == 3 {
                self.step.d.next = 5.into();
            }
        }

        // Its message.
        self.sought.next = self.record.q.val();
        self.l_valid.next = self.step.q.val() == 2;
        self.l_conn.next = bit_cast::<CW, 16>(self.known.val().path >> self.local_bits.val());
        self.l_stream.next = self.sought.val().stream;
        self.l_msn.next = self.sought.val().msn;
        if (self.step.q.val() == 2) & self.l_ready.val() {
            self.step.d.next = 3.into();
        }
        if (self.step.q.val() == 3) & self.l_answer.val() {
            self.live.d.next = self.l_live.val();
            self.message.d.next = self.l_row.val();
            self.step.d.next = 4.into();
        }

        // Where the slice lies. Addresses wrap at 2^64.
        self.row.next = self.message.q.val();
        self.before.next = bit_cast::<32, 22>(self.sought.val().index) << self.slice_bits.val();
        self.left.next = self.row.val().length - self.before.val();
        if self.step.q.val() == 4 {
            self.offset.d.next = self.before.val();
            self.message.d.next.remote = self.row.val().remote + bit_cast::<64, 32>(self.before.val());
            self.local.d.next = self.row.val().local + bit_cast::<64, 32>(self.before.val());
            self.last.d.next = self.left.val() <= self.slice.val();
            self.len.d.next = bit_cast::<16, 32>(self.slice.val());
            if self.left.val() <= self.slice.val() {
                self.len.d.next = bit_cast::<16, 32>(self.left.val());
            }
            self.step.d.next = 5.into();
        }

        // The packet, and the read of its payload.
        self.header.job.next = self.job.q.val();
        self.header.record.next = self.record.q.val();
        self.header.live.next = self.live.q.val();
        self.header.message.next = self.message.q.val();
        self.header.offset.next = self.offset.q.val();
        self.header.len.next = self.len.q.val();
        self.header.last.next = self.last.q.val();
        self.made.next = self.header.packet.val();
        self.reads.next = (self.step.q.val() == 5) & self.made.val().len.any();
        self.push.next = (self.step.q.val() == 5) & (self.reader.in_ready.val() | !self.made.val().len.any());
        self.request.next.address = self.local.q.val();
        self.request.next.len = self.made.val().len;
        self.request.next.slot = (self.taken.q.val() - 1).get_bits::<2>(0);
        self.reader.in_valid.next = self.reads.val();
        self.reader.in_request.next = self.request.val();
        self.packets.in_valid.next = self.push.val();
        self.packets.in_data.next = self.made.val();
        self.drain.packet_valid.next = self.push.val();
        self.drain.packet_len.next = self.made.val().len;
        if self.push.val() {
            self.step.d.next = 0.into();
        }

        // Memory.
        self.burst.next = self.reader.ar_burst.val();
        self.m_axi_arvalid.next = self.reader.ar_valid.val();
        self.m_axi_araddr.next = self.burst.val().address;
        self.m_axi_arlen.next = self.burst.val().beats;
        self.m_axi_arid.next = 0.into();
        self.m_axi_arsize.next = self.lg.val();
        self.m_axi_arburst.next = self.incr.val();
        self.reader.ar_ready.next = self.m_axi_arready.val();
        self.gatherer.gather_valid.next = self.reader.gather_valid.val();
        self.gatherer.gather.next = self.reader.gather.val();
        self.gatherer.r_valid.next = self.m_axi_rvalid.val();
        self.gatherer.r_data.next = self.m_axi_rdata.val();
        self.gatherer.r_resp.next = self.m_axi_rresp.val();
        self.m_axi_rready.next = self.gatherer.r_ready.val();
        self.drain.we.next = self.gatherer.we.val();
        self.drain.waddr.next = self.gatherer.waddr.val();
        self.drain.wdata.next = self.gatherer.wdata.val();
        self.drain.done_valid.next = self.gatherer.done_valid.val();
        self.drain.done_good.next = self.gatherer.done_good.val();
        self.y_valid.next = self.drain.y_valid.val();
        self.y_data.next = self.drain.y_data.val();
        self.drain.y_ready.next = self.y_ready.val();
        if self.drain.freed.val() {
            self.freed.d.next = self.freed.q.val() + 1;
        }

        // The oldest packet goes once its payload is whole; one that memory failed goes nowhere.
        self.head.next = self.packets.out_data.val();
        self.judged.next = self.packets.out_valid.val() & self.drain.verdict_valid.val();
        self.offer.next = self.judged.val() & self.drain.verdict_good.val();
        self.refuse.next = self.judged.val() & !self.drain.verdict_good.val();
        self.give.next = (self.offer.val() & self.g_ready.val()) | self.refuse.val();
        self.packets.out_ready.next = self.give.val();
        self.drain.verdict_ready.next = self.give.val();
        self.frame.next.path = self.head.val().path;
        self.frame.next.words = bit_cast::<576, 384>(self.head.val().words) << self.unused_words.val();
        self.frame.next.count = 12.into();
        if self.head.val().kind == 3 {
            self.frame.next.count = 5.into();
        }
        self.frame.next.len = self.head.val().len;
        self.g_valid.next = self.offer.val();
        self.g_frame.next = self.frame.val();
        if self.give.val() {
            self.given.d.next = self.given.q.val() + 1;
        }
        self.error.d.next = self.refuse.val();
        self.error_conn.d.next = bit_cast::<CW, 16>(self.head.val().path >> self.local_bits.val());
        self.e_valid.next = self.error.q.val();
        self.e_conn.next = self.error_conn.q.val();
        self.sent.d.next = self.offer.val() & self.g_ready.val();
        self.sent_as.d.next = self.head.val().kind;
        self.sent_bytes.d.next = self.head.val().len;
        self.sent_valid.next = self.sent.q.val();
        self.sent_kind.next = self.sent_as.q.val();
        self.sent_len.next = self.sent_bytes.q.val();
        if self.rst.val() {
            self.step.d.next = 0.into();
            self.taken.d.next = 0.into();
            self.given.d.next = 0.into();
            self.freed.d.next = 0.into();
            self.error.d.next = false;
            self.sent.d.next = false;
        }
    }
}
