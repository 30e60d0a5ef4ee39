//! The completion on offer, and the walk over the messages that a report has completed.

use crate::generated::wire::{completion, opcode, status};
use rust_hdl::prelude::*;

// The kernel's literals are these positions.
const _: () =
    assert!(completion::STATUS_LSB == 0 && completion::OPCODE_LSB == 8 && completion::CONN_LSB == 16);
const _: () = assert!(completion::STREAM_LSB == 32 && completion::WR_ID_LSB == 64);
const _: () = assert!(completion::BYTE_COUNT_LSB == 128 && completion::MSN_LSB == 192);

/// The part, for 2^`CW` connections.
#[derive(LogicBlock)]
pub struct Completions<const CW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: nothing is on offer, no walk.
    pub rst: Signal<In, Bit>,
    /// Pulse: messages are complete; not while `walking`.
    pub start: Signal<In, Bit>,
    /// Their connection.
    pub start_conn: Signal<In, Bits<CW>>,
    /// Their stream.
    pub start_stream: Signal<In, Bits<8>>,
    /// The first of them.
    pub start_msn: Signal<In, Bits<24>>,
    /// How many, at least 1.
    pub start_count: Signal<In, Bits<7>>,
    /// Some are not told of.
    pub walking: Signal<Out, Bit>,
    /// Their connection.
    pub conn: Signal<Out, Bits<CW>>,
    /// Their stream.
    pub stream: Signal<Out, Bits<8>>,
    /// The next of them.
    pub msn: Signal<Out, Bits<24>>,
    /// No completion is on offer.
    pub free: Signal<Out, Bit>,
    /// Pulse: the next message is told of; only while `walking` and `free`.
    pub tell: Signal<In, Bit>,
    /// Its work request's number.
    pub tell_wr_id: Signal<In, Bits<64>>,
    /// Its bytes.
    pub tell_bytes: Signal<In, Bits<32>>,
    /// Pulse: a request is refused; only while `free` and not `walking`.
    pub refuse: Signal<In, Bit>,
    /// Opcode of the request.
    pub refuse_opcode: Signal<In, Bits<8>>,
    /// Connection that it names.
    pub refuse_conn: Signal<In, Bits<16>>,
    /// Stream that it names.
    pub refuse_stream: Signal<In, Bits<8>>,
    /// Its number.
    pub refuse_wr_id: Signal<In, Bits<64>>,
    /// A completion is offered.
    pub cpl_valid: Signal<Out, Bit>,
    /// It is taken.
    pub cpl_ready: Signal<In, Bit>,
    /// The record.
    pub cpl_record: Signal<Out, Bits<256>>,
    walk_conn: DFF<Bits<CW>>,
    walk_stream: DFF<Bits<8>>,
    walk_msn: DFF<Bits<24>>,
    walk_left: DFF<Bits<7>>,
    full: DFF<Bit>,
    status: DFF<Bits<8>>,
    opcode: DFF<Bits<8>>,
    cpl_conn: DFF<Bits<16>>,
    cpl_stream: DFF<Bits<8>>,
    wr_id: DFF<Bits<64>>,
    bytes: DFF<Bits<32>>,
    cpl_msn: DFF<Bits<24>>,
    write: Constant<Bits<8>>,
    success: Constant<Bits<8>>,
    invalid: Constant<Bits<8>>,
}

impl<const CW: usize> Default for Completions<CW> {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            rst: Default::default(),
            start: Default::default(),
            start_conn: Default::default(),
            start_stream: Default::default(),
            start_msn: Default::default(),
            start_count: Default::default(),
            walking: Default::default(),
            conn: Default::default(),
            stream: Default::default(),
            msn: Default::default(),
            free: Default::default(),
            tell: Default::default(),
            tell_wr_id: Default::default(),
            tell_bytes: Default::default(),
            refuse: Default::default(),
            refuse_opcode: Default::default(),
            refuse_conn: Default::default(),
            refuse_stream: Default::default(),
            refuse_wr_id: Default::default(),
            cpl_valid: Default::default(),
            cpl_ready: Default::default(),
            cpl_record: Default::default(),
            walk_conn: Default::default(),
            walk_stream: Default::default(),
            walk_msn: Default::default(),
            walk_left: Default::default(),
            full: Default::default(),
            status: Default::default(),
            opcode: Default::default(),
            cpl_conn: Default::default(),
            cpl_stream: Default::default(),
            wr_id: Default::default(),
            bytes: Default::default(),
            cpl_msn: Default::default(),
            write: Constant::new(opcode::WRITE.to_bits()),
            success: Constant::new(status::SUCCESS.to_bits()),
            invalid: Constant::new(status::INVALID_REQUEST.to_bits()),
        }
    }
}

impl<const CW: usize> Logic for Completions<CW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, walk_conn, walk_stream, walk_msn, walk_left);
        dff_setup!(self, clk, full, status, opcode, cpl_conn, cpl_stream, wr_id, bytes, cpl_msn);
        self.walking.next = self.walk_left.q.val().any();
        self.conn.next = self.walk_conn.q.val();
        self.stream.next = self.walk_stream.q.val();
        self.msn.next = self.walk_msn.q.val();
        self.free.next = !self.full.q.val();
        self.cpl_valid.next = self.full.q.val();
        self.cpl_record.next = bit_cast::<256, 8>(self.status.q.val())
            | (bit_cast::<256, 8>(self.opcode.q.val()) << 8)
            | (bit_cast::<256, 16>(self.cpl_conn.q.val()) << 16)
            | (bit_cast::<256, 8>(self.cpl_stream.q.val()) << 32)
            | (bit_cast::<256, 64>(self.wr_id.q.val()) << 64)
            | (bit_cast::<256, 32>(self.bytes.q.val()) << 128)
            | (bit_cast::<256, 24>(self.cpl_msn.q.val()) << 192);
        if self.cpl_ready.val() {
            self.full.d.next = false;
        }
        if self.start.val() {
            self.walk_conn.d.next = self.start_conn.val();
            self.walk_stream.d.next = self.start_stream.val();
            self.walk_msn.d.next = self.start_msn.val();
            self.walk_left.d.next = self.start_count.val();
        }
        if self.tell.val() {
            self.walk_msn.d.next = self.walk_msn.q.val() + 1;
            self.walk_left.d.next = self.walk_left.q.val() - 1;
            self.full.d.next = true;
            self.status.d.next = self.success.val();
            self.opcode.d.next = self.write.val();
            self.cpl_conn.d.next = bit_cast::<16, CW>(self.walk_conn.q.val());
            self.cpl_stream.d.next = self.walk_stream.q.val();
            self.wr_id.d.next = self.tell_wr_id.val();
            self.bytes.d.next = self.tell_bytes.val();
            self.cpl_msn.d.next = self.walk_msn.q.val();
        }
        if self.refuse.val() {
            self.full.d.next = true;
            self.status.d.next = self.invalid.val();
            self.opcode.d.next = self.refuse_opcode.val();
            self.cpl_conn.d.next = self.refuse_conn.val();
            self.cpl_stream.d.next = self.refuse_stream.val();
            self.wr_id.d.next = self.refuse_wr_id.val();
            self.bytes.d.next = 0.into();
            self.cpl_msn.d.next = 0.into();
        }
        if self.rst.val() {
            self.walk_left.d.next = 0.into();
            self.full.d.next = false;
        }
    }
}
