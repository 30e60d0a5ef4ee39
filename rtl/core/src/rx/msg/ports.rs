//! Ports, memories and registers of the receive messages.

use super::super::placed::PlacedPacket;
use super::report::Report;
use super::rows::{Slot, Stream};
use super::{ERROR_LENGTH, ERROR_MEMORY};
use heddle_emit::prims::{Fifo, SdpRam, SdpRamNc};
use rust_hdl::prelude::*;

/// The block: 2^`CW` connections, 2^(`QW` - `CW`) streams each, 2^(`AW` - `QW`) slots each, 2^(`PW` - `CW`)
/// paths per connection; `AC` = `AW` + 1.
#[derive(LogicBlock)]
pub struct RxMsg<const CW: usize, const QW: usize, const AW: usize, const AC: usize, const PW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: every stream is at message 0, nothing is received.
    pub rst: Signal<In, Bit>,
    /// A placed packet is offered.
    pub b_valid: Signal<In, Bit>,
    /// It is taken.
    pub b_ready: Signal<Out, Bit>,
    /// The packet.
    pub b_placed: Signal<In, PlacedPacket>,
    /// Look-up: {connection, stream}.
    pub q_stream: Signal<In, Bits<QW>>,
    /// Leading complete messages of the stream asked for in the cycle before.
    pub q_done: Signal<Out, Bits<24>>,
    /// Pulse: a PROBE asks for a stream.
    pub ask_valid: Signal<In, Bit>,
    /// Connection.
    pub ask_conn: Signal<In, Bits<CW>>,
    /// Stream; an unknown one asks for nothing.
    pub ask_stream: Signal<In, Bits<8>>,
    /// An ACK wants to know what to report.
    pub report_valid: Signal<In, Bit>,
    /// The question is taken.
    pub report_ready: Signal<Out, Bit>,
    /// Its connection.
    pub report_conn: Signal<In, Bits<CW>>,
    /// Pulse: the answer to the question taken last.
    pub answer_valid: Signal<Out, Bit>,
    /// The stream to speak of.
    pub answer_stream: Signal<Out, Bits<8>>,
    /// Its leading complete messages.
    pub answer_done: Signal<Out, Bits<24>>,
    /// Another stream of the connection is yet to be reported.
    pub answer_more: Signal<Out, Bit>,
    /// Pulse: a message is complete.
    pub m_valid: Signal<Out, Bit>,
    /// Path that completed it: {connection, path of the connection}.
    pub m_path: Signal<Out, Bits<PW>>,
    /// Pulse: the connection cannot go on.
    pub e_valid: Signal<Out, Bit>,
    /// Connection.
    pub e_conn: Signal<Out, Bits<CW>>,
    /// 1 memory, 2 length.
    pub e_code: Signal<Out, Bits<2>>,
    pub(super) slots: SdpRamNc<Slot, AW>,
    pub(super) streams: SdpRamNc<Stream, QW>,
    pub(super) dones: SdpRam<Bits<24>, QW>,
    pub(super) report: Report<CW, QW>,
    pub(super) asks: Fifo<Bits<QW>, 4, 5>,
    pub(super) clear: DFF<Bits<AC>>,
    pub(super) step: DFF<Bits<4>>,
    pub(super) packet: DFF<PlacedPacket>,
    pub(super) index: DFF<Bits<QW>>,
    pub(super) slot: DFF<Slot>,
    pub(super) stream: DFF<Stream>,
    pub(super) left: DFF<Bits<32>>,
    pub(super) differs: DFF<Bit>,
    pub(super) in_order: DFF<Bit>,
    pub(super) wrong: DFF<Bit>,
    pub(super) whole: DFF<Bit>,
    pub(super) next_complete: DFF<Bit>,
    pub(super) clearing: Signal<Local, Bit>,
    pub(super) idle: Signal<Local, Bit>,
    pub(super) ask_known: Signal<Local, Bit>,
    pub(super) ask_index: Signal<Local, Bits<QW>>,
    pub(super) take_ask: Signal<Local, Bit>,
    pub(super) may_report: Signal<Local, Bit>,
    pub(super) take_report: Signal<Local, Bit>,
    pub(super) take_packet: Signal<Local, Bit>,
    pub(super) at: Signal<Local, Bits<AW>>,
    pub(super) at_done: Signal<Local, Bits<AW>>,
    pub(super) at_next: Signal<Local, Bits<AW>>,
    pub(super) done_next: Signal<Local, Bits<24>>,
    pub(super) done: Signal<Local, Bits<24>>,
    pub(super) closed: Signal<Local, Bit>,
    pub(super) new_slot: Signal<Local, Slot>,
    pub(super) new_stream: Signal<Local, Stream>,
    pub(super) counted: Signal<Local, Bits<32>>,
    pub(super) memory: Signal<Local, Bit>,
    pub(super) reported: Signal<Local, Stream>,
    pub(super) rows_end: Constant<Bits<AC>>,
    pub(super) stream_mask: Constant<Bits<QW>>,
    pub(super) stream_over: Constant<Bits<8>>,
    pub(super) slot_mask: Constant<Bits<AW>>,
    pub(super) stream_bits: Constant<Bits<5>>,
    pub(super) slot_bits: Constant<Bits<5>>,
    pub(super) path_bits: Constant<Bits<5>>,
    pub(super) error_memory: Constant<Bits<2>>,
    pub(super) error_length: Constant<Bits<2>>,
}

impl<const CW: usize, const QW: usize, const AW: usize, const AC: usize, const PW: usize> Default
    for RxMsg<CW, QW, AW, AC, PW>
{
    fn default() -> Self {
        assert!(QW >= CW && AW > QW && PW > CW, "widths {CW}, {QW}, {AW}, {PW} of indices grow");
        assert_eq!(AC, AW + 1, "the counter over 2^{AW} slots has {} bits, not {AC}", AW + 1);
        let streams = 1u64 << (QW - CW);
        Self {
            clk: Default::default(),
            rst: Default::default(),
            b_valid: Default::default(),
            b_ready: Default::default(),
            b_placed: Default::default(),
            q_stream: Default::default(),
            q_done: Default::default(),
            ask_valid: Default::default(),
            ask_conn: Default::default(),
            ask_stream: Default::default(),
            report_valid: Default::default(),
            report_ready: Default::default(),
            report_conn: Default::default(),
            answer_valid: Default::default(),
            answer_stream: Default::default(),
            answer_done: Default::default(),
            answer_more: Default::default(),
            m_valid: Default::default(),
            m_path: Default::default(),
            e_valid: Default::default(),
            e_conn: Default::default(),
            e_code: Default::default(),
            slots: Default::default(),
            streams: Default::default(),
            dones: Default::default(),
            report: Default::default(),
            asks: Default::default(),
            clear: Default::default(),
            step: Default::default(),
            packet: Default::default(),
            index: Default::default(),
            slot: Default::default(),
            stream: Default::default(),
            left: Default::default(),
            differs: Default::default(),
            in_order: Default::default(),
            wrong: Default::default(),
            whole: Default::default(),
            next_complete: Default::default(),
            clearing: Default::default(),
            idle: Default::default(),
            ask_known: Default::default(),
            ask_index: Default::default(),
            take_ask: Default::default(),
            may_report: Default::default(),
            take_report: Default::default(),
            take_packet: Default::default(),
            at: Default::default(),
            at_done: Default::default(),
            at_next: Default::default(),
            done_next: Default::default(),
            done: Default::default(),
            closed: Default::default(),
            new_slot: Default::default(),
            new_stream: Default::default(),
            counted: Default::default(),
            memory: Default::default(),
            reported: Default::default(),
            rows_end: Constant::new((1u64 << AW).to_bits()),
            stream_mask: Constant::new((streams - 1).to_bits()),
            stream_over: Constant::new((0xFF & !(streams - 1)).to_bits()),
            slot_mask: Constant::new(((1u64 << (AW - QW)) - 1).to_bits()),
            stream_bits: Constant::new(((QW - CW) as u64).to_bits()),
            slot_bits: Constant::new(((AW - QW) as u64).to_bits()),
            path_bits: Constant::new(((PW - CW) as u64).to_bits()),
            error_memory: Constant::new(ERROR_MEMORY.to_bits()),
            error_length: Constant::new(ERROR_LENGTH.to_bits()),
        }
    }
}
