//! Receive connection look-up: is the packet for a living connection, from its peer, on one of its paths?
//!
//! Latency 3 cycles from `f` to `c_valid`, one frame every 4 cycles. Nothing is dropped here: a frame with a reason against it goes on
//! in order with that reason, since its payload must be skipped in order. For 2^`CW` cycles after `rst` the rows are cleared
//! and `f_ready` is low. Model `rx::conn`. Doc `docs/blocks/rx-conn.md`.

use super::rows::{HeldFrame, LocatedFrame};
use crate::generated::wire::rows::RxConnection;
use crate::generated::wire::{common, drop, packet_type};
use heddle_emit::prims::SdpRam;
use rust_hdl::prelude::*;

// The kernel's literals are these positions.
const _: () = assert!(common::DST_CONN_LSB == 336 && common::TAG_LSB == 320);
const _: () = assert!(common::PACKET_TYPE_LSB == 376 && common::PATH_LSB == 352);

/// The block: 2^`CW` connections of 2^`LW` paths; `CC` = `CW` + 1.
#[derive(LogicBlock)]
pub struct RxConn<const CW: usize, const CC: usize, const LW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: no connection is set up.
    pub rst: Signal<In, Bit>,
    /// Pulse: the control plane writes a row. Ignored while rows are cleared.
    pub cfg_we: Signal<In, Bit>,
    /// Connection index.
    pub cfg_conn: Signal<In, Bits<CW>>,
    /// Its row.
    pub cfg_row: Signal<In, RxConnection>,
    /// A frame is offered.
    pub f_valid: Signal<In, Bit>,
    /// It is taken.
    pub f_ready: Signal<Out, Bit>,
    /// The frame.
    pub f_frame: Signal<In, HeldFrame>,
    /// A looked-up frame is offered.
    pub c_valid: Signal<Out, Bit>,
    /// It is taken.
    pub c_ready: Signal<In, Bit>,
    /// The frame, with the domain of its connection.
    pub c_frame: Signal<Out, LocatedFrame>,
    /// DropReason number against it, 0 = none.
    pub c_drop: Signal<Out, Bits<8>>,
    rows: SdpRam<RxConnection, CW>,
    clear: DFF<Bits<CC>>,
    step: DFF<Bits<3>>,
    frame: DFF<HeldFrame>,
    row: DFF<RxConnection>,
    unknown: DFF<Bit>,
    tag_differs: DFF<Bit>,
    source_differs: DFF<Bit>,
    path_differs: DFF<Bit>,
    take: Signal<Local, Bit>,
    clearing: Signal<Local, Bit>,
    in_words: Signal<Local, Bits<384>>,
    words: Signal<Local, Bits<384>>,
    conn: Signal<Local, Bits<16>>,
    kind: Signal<Local, Bits<4>>,
    path: Signal<Local, Bits<8>>,
    write_row: Signal<Local, RxConnection>,
    reason: Signal<Local, Bits<8>>,
    offered: Signal<Local, LocatedFrame>,
    rows_end: Constant<Bits<CC>>,
    conn_mask: Constant<Bits<16>>,
    path_mask: Constant<Bits<8>>,
    reset_kind: Constant<Bits<4>>,
    no_connection: Constant<Bits<8>>,
    wrong_tag: Constant<Bits<8>>,
    wrong_source: Constant<Bits<8>>,
    no_path: Constant<Bits<8>>,
}

impl<const CW: usize, const CC: usize, const LW: usize> Default for RxConn<CW, CC, LW> {
    fn default() -> Self {
        assert_eq!(CC, CW + 1, "the counter over 2^{CW} rows has {} bits, not {CC}", CW + 1);
        Self {
            clk: Default::default(),
            rst: Default::default(),
            cfg_we: Default::default(),
            cfg_conn: Default::default(),
            cfg_row: Default::default(),
            f_valid: Default::default(),
            f_ready: Default::default(),
            f_frame: Default::default(),
            c_valid: Default::default(),
            c_ready: Default::default(),
            c_frame: Default::default(),
            c_drop: Default::default(),
            rows: Default::default(),
            clear: Default::default(),
            step: Default::default(),
            frame: Default::default(),
            row: Default::default(),
            unknown: Default::default(),
            tag_differs: Default::default(),
            source_differs: Default::default(),
            path_differs: Default::default(),
            take: Default::default(),
            clearing: Default::default(),
            in_words: Default::default(),
            words: Default::default(),
            conn: Default::default(),
            kind: Default::default(),
            path: Default::default(),
            write_row: Default::default(),
            reason: Default::default(),
            offered: Default::default(),
            rows_end: Constant::new((1u64 << CW).to_bits()),
            conn_mask: Constant::new((0xFFFF & !((1u64 << CW) - 1)).to_bits()),
            path_mask: Constant::new((0xFF & !((1u64 << LW) - 1)).to_bits()),
            reset_kind: Constant::new(packet_type::RESET.to_bits()),
            no_connection: Constant::new(drop::CONNECTION.to_bits()),
            wrong_tag: Constant::new(drop::TAG.to_bits()),
            wrong_source: Constant::new(drop::SOURCE_ADDRESS.to_bits()),
            no_path: Constant::new(drop::PATH.to_bits()),
        }
    }
}

impl<const CW: usize, const CC: usize, const LW: usize> Logic for RxConn<CW, CC, LW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, clear, step, frame, row, unknown, tag_differs, source_differs, path_differs);
        self.rows.clk.next = self.clk.val();

        // Rows are cleared one by one after reset; then the control plane writes them.
        self.clearing.next = self.clear.q.val() != self.rows_end.val();
        self.write_row.next = self.cfg_row.val();
        self.rows.we.next = self.cfg_we.val();
        self.rows.waddr.next = self.cfg_conn.val();
        if self.clearing.val() {
            self.clear.d.next = self.clear.q.val() + 1;
            self.write_row.next.valid = 0.into();
            self.rows.we.next = true;
            self.rows.waddr.next = bit_cast::<CW, CC>(self.clear.q.val());
        }
        self.rows.wdata.next = self.write_row.val();

        // Step 0: take a frame and read its row.
        self.f_ready.next = (self.step.q.val() == 0) & !self.clearing.val();
        self.take.next = self.f_valid.val() & (self.step.q.val() == 0) & !self.clearing.val();
        self.in_words.next = self.f_frame.val().words;
        self.rows.re.next = self.take.val();
        self.rows.raddr.next = self.in_words.val().get_bits::<CW>(336);
        if self.take.val() {
            self.frame.d.next = self.f_frame.val();
            self.step.d.next = 1.into();
        }
        // Step 1: the row leaves the memory.
        if self.step.q.val() == 1 {
            self.row.d.next = self.rows.rdata.val();
            self.step.d.next = 2.into();
        }
        // Step 2: compare.
        self.words.next = self.frame.q.val().words;
        self.conn.next = self.words.val().get_bits::<16>(336);
        self.kind.next = self.words.val().get_bits::<4>(376);
        self.path.next = self.words.val().get_bits::<8>(352);
        if self.step.q.val() == 2 {
            self.unknown.d.next =
                !self.row.q.val().valid.any() | (self.conn.val() & self.conn_mask.val()).any();
            self.tag_differs.d.next = self.words.val().get_bits::<16>(320) != self.row.q.val().tag;
            self.source_differs.d.next = (self.frame.q.val().src != self.row.q.val().peer_address)
                | (self.frame.q.val().v6 != self.row.q.val().v6.any());
            // A RESET names no path.
            self.path_differs.d.next =
                (self.path.val() & self.path_mask.val()).any() & (self.kind.val() != self.reset_kind.val());
            self.step.d.next = 3.into();
        }
        // Step 3: the first thing that is wrong is the reason.
        self.reason.next = 0.into();
        if self.path_differs.q.val() {
            self.reason.next = self.no_path.val();
        }
        if self.source_differs.q.val() {
            self.reason.next = self.wrong_source.val();
        }
        if self.tag_differs.q.val() {
            self.reason.next = self.wrong_tag.val();
        }
        if self.unknown.q.val() {
            self.reason.next = self.no_connection.val();
        }
        self.c_valid.next = self.step.q.val() == 3;
        self.offered.next.words = self.words.val();
        self.offered.next.ce = self.frame.q.val().ce;
        self.offered.next.len = self.frame.q.val().len;
        self.offered.next.domain = self.row.q.val().pd;
        self.c_frame.next = self.offered.val();
        self.c_drop.next = self.reason.val();
        if (self.step.q.val() == 3) & self.c_ready.val() {
            self.step.d.next = 0.into();
        }
        if self.rst.val() {
            self.clear.d.next = 0.into();
            self.step.d.next = 0.into();
        }
    }
}
