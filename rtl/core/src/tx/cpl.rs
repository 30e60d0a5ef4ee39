//! Completions onto the stream: a record of 32 bytes becomes one packet.
//!
//! Latency 1 cycle to the first beat; one record every 256 / `W` + 1 cycles (2 at 512 bits).
//! Model `tx::cpl`. Doc `docs/blocks/tx-cpl.md`.

use rust_hdl::prelude::*;

/// The block, at `W` data bits, 64 or 512; `K` = `W` / 8.
#[derive(LogicBlock)]
pub struct TxCpl<const W: usize, const K: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: forgets the record, even in the middle of its packet.
    pub rst: Signal<In, Bit>,
    /// A record is offered.
    pub cpl_valid: Signal<In, Bit>,
    /// It is taken.
    pub cpl_ready: Signal<Out, Bit>,
    /// The record, byte 0 in the low lane.
    pub cpl_record: Signal<In, Bits<256>>,
    /// A beat is offered.
    pub m_axis_cpl_tvalid: Signal<Out, Bit>,
    /// It is taken.
    pub m_axis_cpl_tready: Signal<In, Bit>,
    /// The beat, byte 0 in the low lane.
    pub m_axis_cpl_tdata: Signal<Out, Bits<W>>,
    /// Which bytes there are: all, or the lower half at 512 bits.
    pub m_axis_cpl_tkeep: Signal<Out, Bits<K>>,
    /// It is the packet's last.
    pub m_axis_cpl_tlast: Signal<Out, Bit>,
    record: DFF<Bits<256>>,
    left: DFF<Bits<3>>,
    beats: Constant<Bits<3>>,
    keep: Constant<Bits<K>>,
}

impl<const W: usize, const K: usize> Default for TxCpl<W, K> {
    fn default() -> Self {
        assert!((W == 64 || W == 512) && K == W / 8, "data width {W} of {K} bytes");
        Self {
            clk: Default::default(),
            rst: Default::default(),
            cpl_valid: Default::default(),
            cpl_ready: Default::default(),
            cpl_record: Default::default(),
            m_axis_cpl_tvalid: Default::default(),
            m_axis_cpl_tready: Default::default(),
            m_axis_cpl_tdata: Default::default(),
            m_axis_cpl_tkeep: Default::default(),
            m_axis_cpl_tlast: Default::default(),
            record: Default::default(),
            left: Default::default(),
            beats: Constant::new(256u64.div_ceil(W as u64).to_bits()),
            keep: Constant::new(((1u64 << K.min(32)) - 1).to_bits()),
        }
    }
}

impl<const W: usize, const K: usize> Logic for TxCpl<W, K> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, record, left);
        self.cpl_ready.next = !self.left.q.val().any();
        if self.cpl_valid.val() & !self.left.q.val().any() {
            self.record.d.next = self.cpl_record.val();
            self.left.d.next = self.beats.val();
        }
        self.m_axis_cpl_tvalid.next = self.left.q.val().any();
        self.m_axis_cpl_tdata.next = bit_cast::<W, 256>(self.record.q.val());
        self.m_axis_cpl_tkeep.next = self.keep.val();
        self.m_axis_cpl_tlast.next = self.left.q.val() == 1;
        if self.left.q.val().any() & self.m_axis_cpl_tready.val() {
            self.record.d.next = self.record.q.val() >> 64;
            self.left.d.next = self.left.q.val() - 1;
        }
        if self.rst.val() {
            self.left.d.next = 0.into();
        }
    }
}
