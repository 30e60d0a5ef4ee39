//! Ports, memory and registers of the ACK builder.

use crate::generated::wire::{ack, ack_form, common, packet_type, HEADER_BITS, VERSION};
use heddle_emit::prims::SdpRamNc;
use rust_hdl::prelude::*;

/// Bits of an ACK: 18 words.
pub const ACK_BITS: usize = 18 * 32;
/// From a position in the vector of 12 header words to one in the vector of 18.
pub(super) const BELOW: u64 = ACK_BITS as u64 - HEADER_BITS;

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
    /// How many of them are sent: 18, or 10 when no bit of the SACK is set.
    pub g_count: Signal<Out, Bits<5>>,
    /// Per connection: the next ack_seq.
    pub(super) seqs: SdpRamNc<Bits<16>, CW>,
    pub(super) clear: DFF<Bits<CC>>,
    pub(super) step: DFF<Bits<3>>,
    pub(super) path: DFF<Bits<PW>>,
    pub(super) seq: DFF<Bits<16>>,
    pub(super) look: DFF<Bit>,
    pub(super) question: DFF<Bit>,
    pub(super) age: DFF<Bits<4>>,
    pub(super) lanes: [DFF<Bits<64>>; 4],
    pub(super) collected: DFF<Bit>,
    pub(super) looked: DFF<Bit>,
    pub(super) answered: DFF<Bit>,
    pub(super) cum: DFF<Bits<24>>,
    pub(super) high: DFF<Bits<24>>,
    pub(super) ce: DFF<Bits<16>>,
    pub(super) dup: DFF<Bits<16>>,
    pub(super) arrivals: DFF<Bits<16>>,
    pub(super) ts: DFF<Bits<32>>,
    pub(super) route: DFF<Bits<8>>,
    pub(super) at: DFF<Bits<32>>,
    pub(super) stream: DFF<Bits<8>>,
    pub(super) done: DFF<Bits<24>>,
    pub(super) more: DFF<Bit>,
    pub(super) known_at: DFF<Bits<32>>,
    pub(super) held: DFF<Bits<32>>,
    pub(super) hold: DFF<Bits<16>>,
    /// A bit of the snapshot is set.
    pub(super) gap: DFF<Bit>,
    pub(super) clearing: Signal<Local, Bit>,
    pub(super) window: Signal<Local, Bit>,
    pub(super) take: Signal<Local, Bit>,
    pub(super) conn: Signal<Local, Bits<CW>>,
    pub(super) number: Signal<Local, Bits<8>>,
    pub(super) row: Signal<Local, Bit>,
    pub(super) turned: [Signal<Local, Bits<64>>; 4],
    pub(super) form: Signal<Local, Bits<576>>,
    pub(super) head: Signal<Local, Bits<576>>,
    pub(super) tail: Signal<Local, Bits<576>>,
    pub(super) sack: Signal<Local, Bits<576>>,
    pub(super) rows_end: Constant<Bits<CC>>,
    pub(super) path_bits: Constant<Bits<5>>,
    pub(super) path_mask: Constant<Bits<8>>,
    pub(super) first_age: Constant<Bits<4>>,
    pub(super) end_age: Constant<Bits<4>>,
    pub(super) longest: Constant<Bits<32>>,
    pub(super) version: Constant<Bits<576>>,
    pub(super) kind: Constant<Bits<576>>,
    pub(super) no_sack: Constant<Bits<576>>,
    pub(super) full_count: Constant<Bits<5>>,
    pub(super) short_count: Constant<Bits<5>>,
    pub(super) at_path: Constant<Bits<10>>,
    pub(super) at_route: Constant<Bits<10>>,
    pub(super) at_psn: Constant<Bits<10>>,
    pub(super) at_timestamp: Constant<Bits<10>>,
    pub(super) at_cum: Constant<Bits<10>>,
    pub(super) at_hold: Constant<Bits<10>>,
    pub(super) at_ce: Constant<Bits<10>>,
    pub(super) at_seq: Constant<Bits<10>>,
    pub(super) at_dup: Constant<Bits<10>>,
    pub(super) at_stream: Constant<Bits<10>>,
    pub(super) at_msn: Constant<Bits<10>>,
    pub(super) at_arrivals: Constant<Bits<10>>,
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
            g_count: Default::default(),
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
            gap: Default::default(),
            clearing: Default::default(),
            window: Default::default(),
            take: Default::default(),
            conn: Default::default(),
            number: Default::default(),
            row: Default::default(),
            turned: Default::default(),
            form: Default::default(),
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
            no_sack: put(ack_form::NO_SACK, common::OPCODE_LSB),
            full_count: Constant::new((ACK_BITS as u64 / 32).to_bits()),
            short_count: Constant::new(((ACK_BITS as u64 - 256) / 32).to_bits()),
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
