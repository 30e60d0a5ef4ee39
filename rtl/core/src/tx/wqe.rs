//! Work requests off the stream: gathers a packet of 64 bytes into one record.
//!
//! Latency 1 cycle from the last beat; one record every 512 / `W` + 1 cycles or more. The stream stalls while a record
//! is not taken. A packet of any other length is discarded as a whole: `bad_valid` 1 cycle after its last beat.
//! Assumes: every beat is full. Model `tx::wqe`. Doc `docs/blocks/tx-wqe.md`.

use rust_hdl::prelude::*;

/// The block, at `W` data bits, 64 or 512.
#[derive(LogicBlock)]
pub struct TxWqe<const W: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: forgets everything. The stream must begin with a packet behind it.
    pub rst: Signal<In, Bit>,
    /// A beat is offered.
    pub s_axis_wqe_tvalid: Signal<In, Bit>,
    /// It is taken.
    pub s_axis_wqe_tready: Signal<Out, Bit>,
    /// The beat, byte 0 in the low lane.
    pub s_axis_wqe_tdata: Signal<In, Bits<W>>,
    /// It is the packet's last.
    pub s_axis_wqe_tlast: Signal<In, Bit>,
    /// A record is offered.
    pub w_valid: Signal<Out, Bit>,
    /// It is taken.
    pub w_ready: Signal<In, Bit>,
    /// The record, byte 0 in the low lane.
    pub w_request: Signal<Out, Bits<512>>,
    /// Pulse: a packet was discarded.
    pub bad_valid: Signal<Out, Bit>,
    record: DFF<Bits<512>>,
    beats: DFF<Bits<4>>,
    full: DFF<Bit>,
    bad: DFF<Bit>,
    take: Signal<Local, Bit>,
    complete: Signal<Local, Bit>,
    wide: Constant<Bit>,
    last_beat: Constant<Bits<4>>,
    beyond: Constant<Bits<4>>,
}

impl<const W: usize> Default for TxWqe<W> {
    fn default() -> Self {
        assert!(W == 64 || W == 512, "data width {W}");
        Self {
            clk: Default::default(),
            rst: Default::default(),
            s_axis_wqe_tvalid: Default::default(),
            s_axis_wqe_tready: Default::default(),
            s_axis_wqe_tdata: Default::default(),
            s_axis_wqe_tlast: Default::default(),
            w_valid: Default::default(),
            w_ready: Default::default(),
            w_request: Default::default(),
            bad_valid: Default::default(),
            record: Default::default(),
            beats: Default::default(),
            full: Default::default(),
            bad: Default::default(),
            take: Default::default(),
            complete: Default::default(),
            wide: Constant::new(W == 512),
            last_beat: Constant::new((512 / W as u64 - 1).to_bits()),
            beyond: Constant::new((512 / W as u64).to_bits()),
        }
    }
}

impl<const W: usize> Logic for TxWqe<W> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, record, beats, full, bad);
        self.s_axis_wqe_tready.next = !self.full.q.val();
        self.take.next = self.s_axis_wqe_tvalid.val() & !self.full.q.val();
        // The count stays where it is beyond a record's end, so that no later beat looks like its last.
        self.complete.next = self.beats.q.val() == self.last_beat.val();
        self.bad.d.next = false;
        if self.take.val() {
            if self.wide.val() {
                self.record.d.next = bit_cast::<512, W>(self.s_axis_wqe_tdata.val());
            } else {
                self.record.d.next =
                    (self.record.q.val() >> 64) | (bit_cast::<512, W>(self.s_axis_wqe_tdata.val()) << 448);
            }
            if self.s_axis_wqe_tlast.val() {
                self.beats.d.next = 0.into();
                self.full.d.next = self.complete.val();
                self.bad.d.next = !self.complete.val();
            } else if self.beats.q.val() != self.beyond.val() {
                self.beats.d.next = self.beats.q.val() + 1;
            }
        }
        self.w_valid.next = self.full.q.val();
        self.w_request.next = self.record.q.val();
        if self.full.q.val() & self.w_ready.val() {
            self.full.d.next = false;
        }
        self.bad_valid.next = self.bad.q.val();
        if self.rst.val() {
            self.beats.d.next = 0.into();
            self.full.d.next = false;
            self.bad.d.next = false;
        }
    }
}
