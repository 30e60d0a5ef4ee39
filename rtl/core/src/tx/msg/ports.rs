//! Ports, memories and registers of the message block.

use super::super::rows::{DoneEvent, MessageFields, SliceRow};
use super::completions::Completions;
use super::pick::Pick;
use super::rows::{ConnRow, StreamRow};
use crate::generated::wire::{drop, opcode};
use heddle_emit::prims::{SdpRam, SdpRamNc};
use rust_hdl::prelude::*;

/// The block: 2^`CW` connections of 2^(`PW` - `CW`) paths and 2^(`QW` - `CW`) streams (`QC` = `QW` + 1), of
/// 2^(`AW` - `QW`) slots each.
#[derive(LogicBlock)]
pub struct TxMsg<const CW: usize, const PW: usize, const QW: usize, const QC: usize, const AW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: nothing is queued, every stream is at its first message, no connection is set up.
    pub rst: Signal<In, Bit>,
    /// Pulse: the control plane sets whether a connection takes requests. Ignored while rows are cleared.
    pub cfg_we: Signal<In, Bit>,
    /// The connection.
    pub cfg_conn: Signal<In, Bits<CW>>,
    /// It takes requests.
    pub cfg_valid: Signal<In, Bit>,
    /// A work request is offered.
    pub w_valid: Signal<In, Bit>,
    /// It is taken.
    pub w_ready: Signal<Out, Bit>,
    /// The record, byte 0 in the low lane.
    pub w_request: Signal<In, Bits<512>>,
    /// Pulse: a connection that had nothing to slice has.
    pub q_valid: Signal<Out, Bit>,
    /// The connection.
    pub q_conn: Signal<Out, Bits<CW>>,
    /// A slice of a connection that has one is asked for.
    pub s_valid: Signal<In, Bit>,
    /// The question is taken.
    pub s_ready: Signal<Out, Bit>,
    /// The connection.
    pub s_conn: Signal<In, Bits<CW>>,
    /// Pulse: the slice asked for, 6 cycles later.
    pub t_valid: Signal<Out, Bit>,
    /// The slice.
    pub t_slice: Signal<Out, SliceRow>,
    /// Packets of the connection queued behind it, saturated.
    pub t_left: Signal<Out, Bits<16>>,
    /// A report of complete messages is offered.
    pub n_valid: Signal<In, Bit>,
    /// It is taken.
    pub n_ready: Signal<Out, Bit>,
    /// The report.
    pub n_done: Signal<In, DoneEvent>,
    /// Pulse: a report was of no known stream, or beyond what was wholly cut.
    pub drop_valid: Signal<Out, Bit>,
    /// DropReason number.
    pub drop_reason: Signal<Out, Bits<8>>,
    /// A completion is offered.
    pub cpl_valid: Signal<Out, Bit>,
    /// It is taken.
    pub cpl_ready: Signal<In, Bit>,
    /// The record, byte 0 in the low lane.
    pub cpl_record: Signal<Out, Bits<256>>,
    /// News for the probe timer are offered: a message is wholly cut, or `done` advanced.
    pub p_valid: Signal<Out, Bit>,
    /// They are taken.
    pub p_ready: Signal<In, Bit>,
    /// The connection.
    pub p_conn: Signal<Out, Bits<CW>>,
    /// Some message of it is wholly cut and not done.
    pub p_waiting: Signal<Out, Bit>,
    /// `done` advanced.
    pub p_progress: Signal<Out, Bit>,
    /// A question of the probe timer is offered.
    pub v_valid: Signal<In, Bit>,
    /// It is taken.
    pub v_ready: Signal<Out, Bit>,
    /// The path to ask on.
    pub v_path: Signal<In, Bits<PW>>,
    /// Asked before.
    pub v_repeat: Signal<In, Bit>,
    /// A question with its stream is offered.
    pub u_valid: Signal<Out, Bit>,
    /// It is taken.
    pub u_ready: Signal<In, Bit>,
    /// The path to ask on.
    pub u_path: Signal<Out, Bits<PW>>,
    /// The stream to ask about.
    pub u_stream: Signal<Out, Bits<8>>,
    /// Asked before.
    pub u_repeat: Signal<Out, Bit>,
    /// A message is asked for.
    pub l_valid: Signal<In, Bit>,
    /// The question is taken.
    pub l_ready: Signal<Out, Bit>,
    /// Its connection.
    pub l_conn: Signal<In, Bits<CW>>,
    /// Its stream.
    pub l_stream: Signal<In, Bits<8>>,
    /// Its number.
    pub l_msn: Signal<In, Bits<24>>,
    /// Pulse: the answer, 4 cycles later.
    pub l_answer: Signal<Out, Bit>,
    /// The message is queued and not done.
    pub l_live: Signal<Out, Bit>,
    /// What it is; meaningless unless live.
    pub l_row: Signal<Out, MessageFields>,
    pub(super) streams: SdpRamNc<StreamRow, QW>,
    pub(super) conns: SdpRamNc<ConnRow, CW>,
    pub(super) valids: SdpRam<Bit, CW>,
    pub(super) ids: SdpRamNc<Bits<64>, AW>,
    pub(super) fields: SdpRamNc<MessageFields, AW>,
    pub(super) pick: Pick,
    pub(super) completions: Completions<CW>,
    pub(super) clear: DFF<Bits<QC>>,
    pub(super) state: DFF<Bits<4>>,
    pub(super) kind: DFF<Bits<3>>,
    pub(super) conn: DFF<Bits<CW>>,
    pub(super) stream: DFF<Bits<8>>,
    pub(super) msn: DFF<Bits<24>>,
    pub(super) path: DFF<Bits<PW>>,
    pub(super) again: DFF<Bit>,
    pub(super) conn_row: DFF<ConnRow>,
    pub(super) row: DFF<StreamRow>,
    pub(super) message: DFF<MessageFields>,
    pub(super) valid: DFF<Bit>,
    pub(super) ahead: DFF<Bits<24>>,
    pub(super) span: DFF<Bits<24>>,
    pub(super) left: DFF<Bits<29>>,
    pub(super) end: DFF<Bits<33>>,
    pub(super) found: DFF<Bit>,
    pub(super) unknown: DFF<Bit>,
    pub(super) last_index: DFF<Bits<24>>,
    pub(super) slices: DFF<Bits<29>>,
    pub(super) news: DFF<Bit>,
    pub(super) news_conn: DFF<Bits<CW>>,
    pub(super) news_waiting: DFF<Bit>,
    pub(super) news_progress: DFF<Bit>,
    pub(super) question: DFF<Bit>,
    pub(super) question_path: DFF<Bits<PW>>,
    pub(super) question_stream: DFF<Bits<8>>,
    pub(super) question_repeat: DFF<Bit>,
    pub(super) clearing: Signal<Local, Bit>,
    pub(super) idle: Signal<Local, Bit>,
    pub(super) may_slice: Signal<Local, Bit>,
    pub(super) may_ask: Signal<Local, Bit>,
    pub(super) may_complete: Signal<Local, Bit>,
    pub(super) may_done: Signal<Local, Bit>,
    pub(super) may_request: Signal<Local, Bit>,
    pub(super) at_stream: Signal<Local, Bits<QW>>,
    pub(super) at_message: Signal<Local, Bits<AW>>,
    pub(super) candidates: Signal<Local, Bits<16>>,
    pub(super) after: Signal<Local, Bits<4>>,
    pub(super) hot: Signal<Local, Bits<16>>,
    pub(super) slice: Signal<Local, SliceRow>,
    pub(super) whole: Signal<Local, Bit>,
    pub(super) cur_next: Signal<Local, Bits<24>>,
    pub(super) stream_unknown: Signal<Local, Bit>,
    pub(super) beyond: Signal<Local, Bit>,
    pub(super) unfinished: Signal<Local, Bits<7>>,
    pub(super) length: Signal<Local, Bits<32>>,
    pub(super) refused: Signal<Local, Bit>,
    pub(super) blocked: Signal<Local, Bit>,
    pub(super) new_conn: Signal<Local, ConnRow>,
    pub(super) new_row: Signal<Local, StreamRow>,
    pub(super) new_message: Signal<Local, MessageFields>,
    pub(super) first: Constant<Bits<24>>,
    pub(super) rows_end: Constant<Bits<QC>>,
    pub(super) stream_bits: Constant<Bits<4>>,
    pub(super) stream_mask: Constant<Bits<QW>>,
    pub(super) stream_over: Constant<Bits<8>>,
    pub(super) slot_bits: Constant<Bits<4>>,
    pub(super) slot_mask: Constant<Bits<AW>>,
    pub(super) slots: Constant<Bits<24>>,
    pub(super) path_bits: Constant<Bits<4>>,
    pub(super) conn_over: Constant<Bits<16>>,
    pub(super) slice_bits: Constant<Bits<5>>,
    pub(super) tail_over: Constant<Bits<29>>,
    pub(super) left_over: Constant<Bits<29>>,
    pub(super) write: Constant<Bits<8>>,
    pub(super) ack_invalid: Constant<Bits<8>>,
}

impl<const CW: usize, const PW: usize, const QW: usize, const QC: usize, const AW: usize>
    TxMsg<CW, PW, QW, QC, AW>
{
    /// A block for slices of `slice_bytes`, a power of two.
    ///
    /// # Panics
    /// When the widths are not those of the struct's documentation, or the slice is not one of a configuration.
    pub fn new(slice_bytes: u32) -> Self {
        Self::starting_at(slice_bytes, 0)
    }

    /// A block whose streams start at message `first`: what a test of the wrap needs, which no run from 0 reaches.
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn starting_at(slice_bytes: u32, first: u32) -> Self {
        assert!(CW >= 1 && PW > CW && QW >= CW && QW - CW <= 4 && AW > QW, "widths {CW}, {PW}, {QW}, {AW}");
        assert_eq!((QC, AW), (QW + 1, CW + 6), "derived widths");
        assert!(slice_bytes.is_power_of_two() && (256..=8192).contains(&slice_bytes), "slice {slice_bytes}");
        let (streams, slots) = (1u64 << (QW - CW), 1u64 << (AW - QW));
        Self {
            clk: Default::default(),
            rst: Default::default(),
            cfg_we: Default::default(),
            cfg_conn: Default::default(),
            cfg_valid: Default::default(),
            w_valid: Default::default(),
            w_ready: Default::default(),
            w_request: Default::default(),
            q_valid: Default::default(),
            q_conn: Default::default(),
            s_valid: Default::default(),
            s_ready: Default::default(),
            s_conn: Default::default(),
            t_valid: Default::default(),
            t_slice: Default::default(),
            t_left: Default::default(),
            n_valid: Default::default(),
            n_ready: Default::default(),
            n_done: Default::default(),
            drop_valid: Default::default(),
            drop_reason: Default::default(),
            cpl_valid: Default::default(),
            cpl_ready: Default::default(),
            cpl_record: Default::default(),
            p_valid: Default::default(),
            p_ready: Default::default(),
            p_conn: Default::default(),
            p_waiting: Default::default(),
            p_progress: Default::default(),
            v_valid: Default::default(),
            v_ready: Default::default(),
            v_path: Default::default(),
            v_repeat: Default::default(),
            u_valid: Default::default(),
            u_ready: Default::default(),
            u_path: Default::default(),
            u_stream: Default::default(),
            u_repeat: Default::default(),
            l_valid: Default::default(),
            l_ready: Default::default(),
            l_conn: Default::default(),
            l_stream: Default::default(),
            l_msn: Default::default(),
            l_answer: Default::default(),
            l_live: Default::default(),
            l_row: Default::default(),
            streams: Default::default(),
            conns: Default::default(),
            valids: Default::default(),
            ids: Default::default(),
            fields: Default::default(),
            pick: Default::default(),
            completions: Default::default(),
            clear: Default::default(),
            state: Default::default(),
            kind: Default::default(),
            conn: Default::default(),
            stream: Default::default(),
            msn: Default::default(),
            path: Default::default(),
            again: Default::default(),
            conn_row: Default::default(),
            row: Default::default(),
            message: Default::default(),
            valid: Default::default(),
            ahead: Default::default(),
            span: Default::default(),
            left: Default::default(),
            end: Default::default(),
            found: Default::default(),
            unknown: Default::default(),
            last_index: Default::default(),
            slices: Default::default(),
            news: Default::default(),
            news_conn: Default::default(),
            news_waiting: Default::default(),
            news_progress: Default::default(),
            question: Default::default(),
            question_path: Default::default(),
            question_stream: Default::default(),
            question_repeat: Default::default(),
            clearing: Default::default(),
            idle: Default::default(),
            may_slice: Default::default(),
            may_ask: Default::default(),
            may_complete: Default::default(),
            may_done: Default::default(),
            may_request: Default::default(),
            at_stream: Default::default(),
            at_message: Default::default(),
            candidates: Default::default(),
            after: Default::default(),
            hot: Default::default(),
            slice: Default::default(),
            whole: Default::default(),
            cur_next: Default::default(),
            stream_unknown: Default::default(),
            beyond: Default::default(),
            unfinished: Default::default(),
            length: Default::default(),
            refused: Default::default(),
            blocked: Default::default(),
            new_conn: Default::default(),
            new_row: Default::default(),
            new_message: Default::default(),
            first: Constant::new(u64::from(first).to_bits()),
            rows_end: Constant::new((1u64 << QW).to_bits()),
            stream_bits: Constant::new(((QW - CW) as u64).to_bits()),
            stream_mask: Constant::new((streams - 1).to_bits()),
            stream_over: Constant::new((0xFF & !(streams - 1)).to_bits()),
            slot_bits: Constant::new(((AW - QW) as u64).to_bits()),
            slot_mask: Constant::new((slots - 1).to_bits()),
            slots: Constant::new(slots.to_bits()),
            path_bits: Constant::new(((PW - CW) as u64).to_bits()),
            conn_over: Constant::new((0xFFFF & !((1u64 << CW) - 1)).to_bits()),
            slice_bits: Constant::new((u64::from(slice_bytes.ilog2())).to_bits()),
            tail_over: Constant::new((0x1FFF_FFFF & !((1u64 << (PW - CW)) - 1)).to_bits()),
            left_over: Constant::new(0x1FFF_0000u64.to_bits()),
            write: Constant::new(opcode::WRITE.to_bits()),
            ack_invalid: Constant::new(drop::ACK_INVALID.to_bits()),
        }
    }
}
