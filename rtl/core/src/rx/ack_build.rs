//! ACK builder: from a request to the ACK that tells the path's state.
//!
//! Latency 18 cycles from `r` to `g_valid` when nobody stalls: the LOOK and the question for the stream to
//! report go out at once, the later answer counts; `hold` runs to the cycle in which it comes. One ACK at a
//! time. Assumes: the four snapshot words come from a fixed cycle after the LOOK was taken on (4 with the engine of 64 lanes,
//! 7 with the wide one), one per cycle, and nobody else LOOKs. For 2^`CW` cycles after `rst` the rows are cleared and `r_ready` is low.
//! Model `rx::ack_build`. Doc `docs/blocks/rx-ack-build.md`.

use crate::generated::wire::{ack, common, packet_type, HEADER_BITS, VERSION};
use heddle_emit::prims::SdpRamNc;
use rust_hdl::prelude::*;

/// Bits of an ACK: 18 words.
pub const ACK_BITS: usize = 18 * 32;
/// From a position in the vector of 12 header words to one in the vector of 18.
const BELOW: u64 = ACK_BITS as u64 - HEADER_BITS;

/// The block: 2^`CW` connections (`CC` = `CW` + 1), 2^`PW` paths.
#[derive(LogicBlock)]
pub struct RxAckBuild<const CW: usize, const CC: usize, const PW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: drops the request, every connection's next ack_seq is 0.
    pub rst: Signal<In, Bit>,
    /// Ticks of 8 ns.
    pub now: Signal<In, Bits<32>>,
    /// An ACK is requested.
    pub r_valid: Signal<In, Bit>,
    /// The request is taken.
    pub r_ready: Signal<Out, Bit>,
    /// Path to acknowledge.
    pub r_path: Signal<In, Bits<PW>>,
    /// A LOOK is offered to the receive path engine.
    pub l_valid: Signal<Out, Bit>,
    /// It is taken.
    pub l_ready: Signal<In, Bit>,
    /// Its path.
    pub l_path: Signal<Out, Bits<PW>>,
    /// Pulse: a snapshot word of any operation.
    pub z_valid: Signal<In, Bit>,
    /// Which of the four.
    pub z_index: Signal<In, Bits<2>>,
    /// Its bits.
    pub z_word: Signal<In, Bits<64>>,
    /// Pulse: an operation is done.
    pub o_valid: Signal<In, Bit>,
    /// Its kind; 2 is LOOK.
    pub o_op: Signal<In, Bits<2>>,
    /// Lowest PSN not received.
    pub o_cum: Signal<In, Bits<24>>,
    /// Highest PSN received.
    pub o_high: Signal<In, Bits<24>>,
    /// CE-marked arrivals.
    pub o_ce: Signal<In, Bits<16>>,
    /// Duplicates.
    pub o_dup: Signal<In, Bits<16>>,
    /// Arrivals.
    pub o_arrivals: Signal<In, Bits<16>>,
    /// Echo: timestamp.
    pub o_ts: Signal<In, Bits<32>>,
    /// Echo: route.
    pub o_route: Signal<In, Bits<8>>,
    /// When the echoed packet came, ticks.
    pub o_at: Signal<In, Bits<32>>,
    /// A question for the stream to report is offered.
    pub report_valid: Signal<Out, Bit>,
    /// It is taken.
    pub report_ready: Signal<In, Bit>,
    /// Its connection.
    pub report_conn: Signal<Out, Bits<CW>>,
    /// Pulse: the answer.
    pub answer_valid: Signal<In, Bit>,
    /// Stream to speak of.
    pub answer_stream: Signal<In, Bits<8>>,
    /// Its leading complete messages.
    pub answer_done: Signal<In, Bits<24>>,
    /// Another stream is yet to be reported.
    pub answer_more: Signal<In, Bit>,
    /// Pulse: one more ACK is wanted, for another stream.
    pub again_valid: Signal<Out, Bit>,
    /// On this path.
    pub again_path: Signal<Out, Bits<PW>>,
    /// An ACK is offered.
    pub g_valid: Signal<Out, Bit>,
    /// It is taken.
    pub g_ready: Signal<In, Bit>,
    /// Its path.
    pub g_path: Signal<Out, Bits<PW>>,
    /// Words 0 to 17, word 0 on top; dst_conn and tag are 0.
    pub g_words: Signal<Out, Bits<576>>,
    /// Per connection: the next ack_seq.
    seqs: SdpRamNc<Bits<16>, CW>,
    clear: DFF<Bits<CC>>,
    step: DFF<Bits<3>>,
    path: DFF<Bits<PW>>,
    seq: DFF<Bits<16>>,
    look: DFF<Bit>,
    question: DFF<Bit>,
    age: DFF<Bits<4>>,
    lanes: [DFF<Bits<64>>; 4],
    collected: DFF<Bit>,
    looked: DFF<Bit>,
    answered: DFF<Bit>,
    cum: DFF<Bits<24>>,
    high: DFF<Bits<24>>,
    ce: DFF<Bits<16>>,
    dup: DFF<Bits<16>>,
    arrivals: DFF<Bits<16>>,
    ts: DFF<Bits<32>>,
    route: DFF<Bits<8>>,
    at: DFF<Bits<32>>,
    stream: DFF<Bits<8>>,
    done: DFF<Bits<24>>,
    more: DFF<Bit>,
    known_at: DFF<Bits<32>>,
    held: DFF<Bits<32>>,
    hold: DFF<Bits<16>>,
    clearing: Signal<Local, Bit>,
    window: Signal<Local, Bit>,
    take: Signal<Local, Bit>,
    conn: Signal<Local, Bits<CW>>,
    number: Signal<Local, Bits<8>>,
    row: Signal<Local, Bit>,
    turned: [Signal<Local, Bits<64>>; 4],
    head: Signal<Local, Bits<576>>,
    tail: Signal<Local, Bits<576>>,
    sack: Signal<Local, Bits<576>>,
    rows_end: Constant<Bits<CC>>,
    path_bits: Constant<Bits<5>>,
    path_mask: Constant<Bits<8>>,
    first_age: Constant<Bits<4>>,
    end_age: Constant<Bits<4>>,
    longest: Constant<Bits<32>>,
    version: Constant<Bits<576>>,
    kind: Constant<Bits<576>>,
    at_path: Constant<Bits<10>>,
    at_route: Constant<Bits<10>>,
    at_psn: Constant<Bits<10>>,
    at_timestamp: Constant<Bits<10>>,
    at_cum: Constant<Bits<10>>,
    at_hold: Constant<Bits<10>>,
    at_ce: Constant<Bits<10>>,
    at_seq: Constant<Bits<10>>,
    at_dup: Constant<Bits<10>>,
    at_stream: Constant<Bits<10>>,
    at_msn: Constant<Bits<10>>,
    at_arrivals: Constant<Bits<10>>,
}

impl<const CW: usize, const CC: usize, const PW: usize> Default for RxAckBuild<CW, CC, PW> {
    fn default() -> Self {
        Self::new(4)
    }
}

impl<const CW: usize, const CC: usize, const PW: usize> RxAckBuild<CW, CC, PW> {
    /// A builder for an engine whose first snapshot word comes `first_word` cycles after a LOOK is taken, 1 to 11.
    pub fn new(first_word: u64) -> Self {
        assert!((1..=11).contains(&first_word), "snapshot words from cycle {first_word} on");
        assert!(PW > CW && PW <= CW + 8, "a connection has 2^({PW} - {CW}) paths");
        assert_eq!(CC, CW + 1, "the counter over 2^{CW} rows has {} bits, not {CC}", CW + 1);
        let at = |lsb: usize| Constant::new((lsb as u64 + BELOW).to_bits());
        let put = |value: u64, lsb: usize| Constant::new(value.to_bits::<576>() << (lsb as u64 + BELOW));
        Self {
            clk: Default::default(),
            rst: Default::default(),
            now: Default::default(),
            r_valid: Default::default(),
            r_ready: Default::default(),
            r_path: Default::default(),
            l_valid: Default::default(),
            l_ready: Default::default(),
            l_path: Default::default(),
            z_valid: Default::default(),
            z_index: Default::default(),
            z_word: Default::default(),
            o_valid: Default::default(),
            o_op: Default::default(),
            o_cum: Default::default(),
            o_high: Default::default(),
            o_ce: Default::default(),
            o_dup: Default::default(),
            o_arrivals: Default::default(),
            o_ts: Default::default(),
            o_route: Default::default(),
            o_at: Default::default(),
            report_valid: Default::default(),
            report_ready: Default::default(),
            report_conn: Default::default(),
            answer_valid: Default::default(),
            answer_stream: Default::default(),
            answer_done: Default::default(),
            answer_more: Default::default(),
            again_valid: Default::default(),
            again_path: Default::default(),
            g_valid: Default::default(),
            g_ready: Default::default(),
            g_path: Default::default(),
            g_words: Default::default(),
            seqs: Default::default(),
            clear: Default::default(),
            step: Default::default(),
            path: Default::default(),
            seq: Default::default(),
            look: Default::default(),
            question: Default::default(),
            age: Default::default(),
            lanes: Default::default(),
            collected: Default::default(),
            looked: Default::default(),
            answered: Default::default(),
            cum: Default::default(),
            high: Default::default(),
            ce: Default::default(),
            dup: Default::default(),
            arrivals: Default::default(),
            ts: Default::default(),
            route: Default::default(),
            at: Default::default(),
            stream: Default::default(),
            done: Default::default(),
            more: Default::default(),
            known_at: Default::default(),
            held: Default::default(),
            hold: Default::default(),
            clearing: Default::default(),
            window: Default::default(),
            take: Default::default(),
            conn: Default::default(),
            number: Default::default(),
            row: Default::default(),
            turned: Default::default(),
            head: Default::default(),
            tail: Default::default(),
            sack: Default::default(),
            rows_end: Constant::new((1u64 << CW).to_bits()),
            path_bits: Constant::new(((PW - CW) as u64).to_bits()),
            path_mask: Constant::new(((1u64 << (PW - CW)) - 1).to_bits()),
            first_age: Constant::new(first_word.to_bits()),
            end_age: Constant::new((first_word + 4).to_bits()),
            longest: Constant::new(0xFFFFu64.to_bits()),
            version: put(VERSION, common::VERSION_LSB),
            kind: put(packet_type::ACK, common::PACKET_TYPE_LSB),
            at_path: at(common::PATH_LSB),
            at_route: at(common::ROUTE_LSB),
            at_psn: at(common::PSN_LSB),
            at_timestamp: at(common::TIMESTAMP_LSB),
            at_cum: at(ack::CUM_LSB),
            at_hold: at(ack::HOLD_LSB),
            at_ce: at(ack::CE_COUNT_LSB),
            at_seq: at(ack::ACK_SEQ_LSB),
            at_dup: at(ack::DUP_COUNT_LSB),
            at_stream: at(ack::DONE_STREAM_LSB),
            at_msn: at(ack::DONE_MSN_LSB),
            at_arrivals: at(ack::ARRIVALS_LSB),
        }
    }
}

// The SACK fills the words behind the last field, 10 to 17: bit i is bit i mod 32 of word 10 + i / 32.
const _: () = assert!(ack::RESERVED_LSB + BELOW as usize == 256);

impl<const CW: usize, const CC: usize, const PW: usize> Logic for RxAckBuild<CW, CC, PW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, clear, step, path, seq, look, question, age, collected, looked, answered);
        dff_setup!(self, clk, cum, high, ce, dup, arrivals, ts, route, at, stream, done, more);
        dff_setup!(self, clk, known_at, held, hold);
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

        // Step 4: the words. Fields that are 0: opcode, flags, dst_conn, tag, ack_flags, hint, rq_credit.
        self.number.next = bit_cast::<8, PW>(self.path.q.val()) & self.path_mask.val();
        self.head.next = self.version.val()
            | self.kind.val()
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
