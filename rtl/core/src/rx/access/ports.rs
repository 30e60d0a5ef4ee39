//! Ports, memory and registers of the access check.

use super::super::rows::{LocatedFrame, OrderEntry, PlaceRequest};
use crate::generated::wire::rows::Region;
use crate::generated::wire::{drop, flag, opcode, packet_type};
use heddle_emit::prims::SdpRam;
use rust_hdl::prelude::*;

/// The block: 2^`RW` regions (`RC` = `RW` + 1), 2^`CW` connections, 2^`SW` streams, `QW` = `CW` + `SW`.
#[derive(LogicBlock)]
pub struct RxAccess<const RW: usize, const RC: usize, const CW: usize, const SW: usize, const QW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: no region is set up.
    pub rst: Signal<In, Bit>,
    /// Pulse: the control plane writes a region. Ignored while regions are cleared.
    pub cfg_we: Signal<In, Bit>,
    /// Region index.
    pub cfg_region: Signal<In, Bits<RW>>,
    /// Its row.
    pub cfg_row: Signal<In, Region>,
    /// A looked-up frame is offered.
    pub c_valid: Signal<In, Bit>,
    /// It is taken.
    pub c_ready: Signal<Out, Bit>,
    /// The frame.
    pub c_frame: Signal<In, LocatedFrame>,
    /// DropReason number against it, 0 = none.
    pub c_drop: Signal<In, Bits<8>>,
    /// Stream whose `done` is looked up: {connection, stream}.
    pub q_stream: Signal<Out, Bits<QW>>,
    /// Leading complete messages of the stream asked for in the cycle before.
    pub q_done: Signal<In, Bits<24>>,
    /// An order entry is offered: one per frame, in order.
    pub o_valid: Signal<Out, Bit>,
    /// It is taken.
    pub o_ready: Signal<In, Bit>,
    /// The entry.
    pub o_entry: Signal<Out, OrderEntry>,
    /// A DATA or PROBE packet is offered to the path engine.
    pub p_valid: Signal<Out, Bit>,
    /// It is taken.
    pub p_ready: Signal<In, Bit>,
    /// It is a PROBE.
    pub p_probe: Signal<Out, Bit>,
    /// The look-ups found a fault.
    pub p_fault: Signal<Out, Bit>,
    /// An ACK is offered.
    pub k_valid: Signal<Out, Bit>,
    /// It is taken.
    pub k_ready: Signal<In, Bit>,
    /// The frame offered at `p` or `k`.
    pub a_frame: Signal<Out, LocatedFrame>,
    pub(super) regions: SdpRam<Region, RW>,
    pub(super) clear: DFF<Bits<RC>>,
    pub(super) step: DFF<Bits<3>>,
    pub(super) frame: DFF<LocatedFrame>,
    pub(super) drop: DFF<Bits<8>>,
    pub(super) region: DFF<Region>,
    pub(super) done: DFF<Bits<24>>,
    pub(super) left: DFF<Bits<32>>,
    pub(super) misplaced: DFF<Bit>,
    pub(super) len: DFF<Bits<16>>,
    pub(super) last: DFF<Bit>,
    pub(super) fault: DFF<Bits<8>>,
    pub(super) outside_slots: DFF<Bit>,
    pub(super) wrong_key: DFF<Bit>,
    pub(super) end: DFF<Bits<65>>,
    pub(super) limit: DFF<Bits<65>>,
    pub(super) below: DFF<Bit>,
    pub(super) beyond: DFF<Bit>,
    pub(super) odd_slice: DFF<Bit>,
    pub(super) clearing: Signal<Local, Bit>,
    pub(super) take: Signal<Local, Bit>,
    pub(super) write_row: Signal<Local, Region>,
    pub(super) in_words: Signal<Local, Bits<384>>,
    pub(super) words: Signal<Local, Bits<384>>,
    pub(super) kind: Signal<Local, Bits<4>>,
    pub(super) flags: Signal<Local, Bits<8>>,
    pub(super) stream: Signal<Local, Bits<8>>,
    pub(super) offset: Signal<Local, Bits<32>>,
    pub(super) length: Signal<Local, Bits<32>>,
    pub(super) address: Signal<Local, Bits<64>>,
    pub(super) key: Signal<Local, Bits<32>>,
    pub(super) ahead: Signal<Local, Bits<24>>,
    pub(super) padded: Signal<Local, Bits<16>>,
    pub(super) place: Signal<Local, PlaceRequest>,
    pub(super) is_data: Signal<Local, Bit>,
    pub(super) is_probe: Signal<Local, Bit>,
    pub(super) is_ack: Signal<Local, Bit>,
    pub(super) rows_end: Constant<Bits<RC>>,
    pub(super) stream_bits: Constant<Bits<5>>,
    pub(super) stream_mask: Constant<Bits<8>>,
    pub(super) key_mask: Constant<Bits<32>>,
    pub(super) slice: Constant<Bits<32>>,
    pub(super) slice_mask: Constant<Bits<32>>,
    pub(super) slots: Constant<Bits<24>>,
    pub(super) data: Constant<Bits<4>>,
    pub(super) probe: Constant<Bits<4>>,
    pub(super) ack: Constant<Bits<4>>,
    pub(super) write: Constant<Bits<8>>,
    pub(super) last_mask: Constant<Bits<8>>,
    pub(super) unsupported: Constant<Bits<8>>,
    pub(super) not_built: Constant<Bits<8>>,
    pub(super) no_stream: Constant<Bits<8>>,
    pub(super) no_slot: Constant<Bits<8>>,
    pub(super) no_slice: Constant<Bits<8>>,
    pub(super) no_key: Constant<Bits<8>>,
    pub(super) no_right: Constant<Bits<8>>,
    pub(super) no_bounds: Constant<Bits<8>>,
}

impl<const RW: usize, const RC: usize, const CW: usize, const SW: usize, const QW: usize>
    RxAccess<RW, RC, CW, SW, QW>
{
    /// A check for slices of `slice_bytes` and `slots` messages in flight per stream.
    ///
    /// # Panics
    /// When `RC` is not `RW` + 1, or `QW` is not `CW` + `SW`.
    pub fn new(slice_bytes: u32, slots: u32) -> Self {
        assert_eq!((RC, QW), (RW + 1, CW + SW), "derived widths");
        Self {
            clk: Default::default(),
            rst: Default::default(),
            cfg_we: Default::default(),
            cfg_region: Default::default(),
            cfg_row: Default::default(),
            c_valid: Default::default(),
            c_ready: Default::default(),
            c_frame: Default::default(),
            c_drop: Default::default(),
            q_stream: Default::default(),
            q_done: Default::default(),
            o_valid: Default::default(),
            o_ready: Default::default(),
            o_entry: Default::default(),
            p_valid: Default::default(),
            p_ready: Default::default(),
            p_probe: Default::default(),
            p_fault: Default::default(),
            k_valid: Default::default(),
            k_ready: Default::default(),
            a_frame: Default::default(),
            regions: Default::default(),
            clear: Default::default(),
            step: Default::default(),
            frame: Default::default(),
            drop: Default::default(),
            region: Default::default(),
            done: Default::default(),
            left: Default::default(),
            misplaced: Default::default(),
            len: Default::default(),
            last: Default::default(),
            fault: Default::default(),
            outside_slots: Default::default(),
            wrong_key: Default::default(),
            end: Default::default(),
            limit: Default::default(),
            below: Default::default(),
            beyond: Default::default(),
            odd_slice: Default::default(),
            clearing: Default::default(),
            take: Default::default(),
            write_row: Default::default(),
            in_words: Default::default(),
            words: Default::default(),
            kind: Default::default(),
            flags: Default::default(),
            stream: Default::default(),
            offset: Default::default(),
            length: Default::default(),
            address: Default::default(),
            key: Default::default(),
            ahead: Default::default(),
            padded: Default::default(),
            place: Default::default(),
            is_data: Default::default(),
            is_probe: Default::default(),
            is_ack: Default::default(),
            rows_end: Constant::new((1u64 << RW).to_bits()),
            stream_bits: Constant::new((SW as u64).to_bits()),
            stream_mask: Constant::new((0xFF & !((1u64 << SW) - 1)).to_bits()),
            key_mask: Constant::new((0xFFFF_FFFF & !((1u64 << (16 + RW)) - 1)).to_bits()),
            slice: Constant::new(u64::from(slice_bytes).to_bits()),
            slice_mask: Constant::new(u64::from(slice_bytes - 1).to_bits()),
            slots: Constant::new(u64::from(slots).to_bits()),
            data: Constant::new(packet_type::DATA.to_bits()),
            probe: Constant::new(packet_type::PROBE.to_bits()),
            ack: Constant::new(packet_type::ACK.to_bits()),
            write: Constant::new(opcode::WRITE.to_bits()),
            last_mask: Constant::new((1u64 << flag::LAST).to_bits()),
            unsupported: Constant::new(drop::UNSUPPORTED.to_bits()),
            not_built: Constant::new(drop::OPERATION.to_bits()),
            no_stream: Constant::new(drop::STREAM.to_bits()),
            no_slot: Constant::new(drop::MSN_WINDOW.to_bits()),
            no_slice: Constant::new(drop::SLICE.to_bits()),
            no_key: Constant::new(drop::KEY.to_bits()),
            no_right: Constant::new(drop::RIGHTS.to_bits()),
            no_bounds: Constant::new(drop::BOUNDS.to_bits()),
        }
    }
}
