//! Address channel of the reads: cuts a payload into bursts, and says what its beats are worth.
//!
//! Latency 4 cycles from a request to `ar_valid`, 3 to `gather`; 2 more for a second burst.

use super::rows::{Gather, ReadBurst, ReadRequest};
use heddle_emit::prims::Skid;
use rust_hdl::prelude::*;

/// No burst crosses a multiple of this many bytes. Source: AXI4.
const BOUNDARY: u64 = 4096;

/// The part: a memory of `K` lanes.
#[derive(LogicBlock)]
pub struct Reader<const K: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: forgets everything.
    pub rst: Signal<In, Bit>,
    /// A payload is offered.
    pub in_valid: Signal<In, Bit>,
    /// It is taken.
    pub in_ready: Signal<Out, Bit>,
    /// The payload.
    pub in_request: Signal<In, ReadRequest>,
    /// A burst is offered.
    pub ar_valid: Signal<Out, Bit>,
    /// It is taken.
    pub ar_ready: Signal<In, Bit>,
    /// The burst.
    pub ar_burst: Signal<Out, ReadBurst>,
    /// Pulse: a payload whose first burst is about to be offered.
    pub gather_valid: Signal<Out, Bit>,
    /// The payload.
    pub gather: Signal<Out, Gather>,
    bursts: Skid<ReadBurst>,
    step: DFF<Bits<2>>,
    at: DFF<Bits<64>>,
    len: DFF<Bits<16>>,
    slot: DFF<Bits<2>>,
    shift: DFF<Bits<6>>,
    tail: DFF<Bits<6>>,
    flush: DFF<Bit>,
    first: DFF<Bit>,
    left: DFF<Bits<8>>,
    beats: DFF<Bits<8>>,
    lane: Signal<Local, Bits<6>>,
    last_lane: Signal<Local, Bits<6>>,
    span: Signal<Local, Bits<17>>,
    tail_sum: Signal<Local, Bits<7>>,
    page_left: Signal<Local, Bits<10>>,
    issue: Signal<Local, Bit>,
    burst: Signal<Local, ReadBurst>,
    told: Signal<Local, Gather>,
    lane_mask: Constant<Bits<6>>,
    line_mask: Constant<Bits<64>>,
    round: Constant<Bits<17>>,
    lg: Constant<Bits<3>>,
    page_beats: Constant<Bits<10>>,
}

impl<const K: usize> Default for Reader<K> {
    fn default() -> Self {
        let lanes = K as u64;
        Self {
            clk: Default::default(),
            rst: Default::default(),
            in_valid: Default::default(),
            in_ready: Default::default(),
            in_request: Default::default(),
            ar_valid: Default::default(),
            ar_ready: Default::default(),
            ar_burst: Default::default(),
            gather_valid: Default::default(),
            gather: Default::default(),
            bursts: Default::default(),
            step: Default::default(),
            at: Default::default(),
            len: Default::default(),
            slot: Default::default(),
            shift: Default::default(),
            tail: Default::default(),
            flush: Default::default(),
            first: Default::default(),
            left: Default::default(),
            beats: Default::default(),
            lane: Default::default(),
            last_lane: Default::default(),
            span: Default::default(),
            tail_sum: Default::default(),
            page_left: Default::default(),
            issue: Default::default(),
            burst: Default::default(),
            told: Default::default(),
            lane_mask: Constant::new((lanes - 1).to_bits()),
            line_mask: Constant::new((!(lanes - 1)).to_bits()),
            round: Constant::new((lanes - 1).to_bits()),
            lg: Constant::new(u64::from(lanes.trailing_zeros()).to_bits()),
            page_beats: Constant::new((BOUNDARY / lanes).to_bits()),
        }
    }
}

impl<const K: usize> Logic for Reader<K> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_build_read");
        dff_setup!(self, clk, step, at, len, slot, shift, tail, flush, first, left, beats);
        self.bursts.clk.next = self.clk.val();
        self.bursts.rst.next = self.rst.val();

        // Step 0: take a payload.
        self.in_ready.next = self.step.q.val() == 0;
        if self.in_valid.val() & (self.step.q.val() == 0) {
            self.at.d.next = self.in_request.val().address;
            self.len.d.next = self.in_request.val().len;
            self.slot.d.next = self.in_request.val().slot;
            self.step.d.next = 1.into();
        }

        // Step 1: how many beats memory sends; whether the last of them gives a payload beat of its own.
        self.lane.next = self.at.q.val().get_bits::<6>(0) & self.lane_mask.val();
        self.span.next = bit_cast::<17, 16>(self.len.q.val()) + bit_cast::<17, 6>(self.lane.val());
        self.last_lane.next = (self.len.q.val() - 1).get_bits::<6>(0) & self.lane_mask.val();
        self.tail_sum.next = bit_cast::<7, 6>(self.last_lane.val()) + bit_cast::<7, 6>(self.lane.val());
        if self.step.q.val() == 1 {
            self.at.d.next = self.at.q.val() & self.line_mask.val();
            self.shift.d.next = self.lane.val();
            self.tail.d.next = self.last_lane.val();
            self.left.d.next = bit_cast::<8, 17>((self.span.val() + self.round.val()) >> self.lg.val());
            self.flush.d.next =
                self.lane.val().any() & (self.tail_sum.val() <= bit_cast::<7, 6>(self.lane_mask.val()));
            self.first.d.next = true;
            self.step.d.next = 2.into();
        }

        // Step 2: beats of the next burst: what is left, or to the 4 KiB boundary.
        self.page_left.next =
            self.page_beats.val() - bit_cast::<10, 12>(self.at.q.val().get_bits::<12>(0) >> self.lg.val());
        if self.step.q.val() == 2 {
            self.beats.d.next = self.left.q.val();
            if self.page_left.val() < bit_cast::<10, 8>(self.left.q.val()) {
                self.beats.d.next = bit_cast::<8, 10>(self.page_left.val());
            }
            self.step.d.next = 3.into();
        }

        // Step 3: offer it.
        self.issue.next = (self.step.q.val() == 3) & self.bursts.in_ready.val();
        self.burst.next.address = self.at.q.val();
        self.burst.next.beats = self.beats.q.val() - 1;
        self.bursts.in_valid.next = self.issue.val();
        self.bursts.in_data.next = self.burst.val();
        self.told.next.slot = self.slot.q.val();
        self.told.next.shift = self.shift.q.val();
        self.told.next.tail = self.tail.q.val();
        self.told.next.beats = self.left.q.val() - 1;
        self.told.next.flush = self.flush.q.val();
        self.gather_valid.next = self.issue.val() & self.first.q.val();
        self.gather.next = self.told.val();
        if self.issue.val() {
            self.left.d.next = self.left.q.val() - self.beats.q.val();
            self.at.d.next = self.at.q.val() + (bit_cast::<64, 8>(self.beats.q.val()) << self.lg.val());
            self.first.d.next = false;
            self.step.d.next = 2.into();
            if self.beats.q.val() == self.left.q.val() {
                self.step.d.next = 0.into();
            }
        }
        self.ar_valid.next = self.bursts.out_valid.val();
        self.ar_burst.next = self.bursts.out_data.val();
        self.bursts.out_ready.next = self.ar_ready.val();
        if self.rst.val() {
            self.step.d.next = 0.into();
        }
    }
}
