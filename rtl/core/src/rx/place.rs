//! Receive place: writes accepted payloads to memory over AXI4 and says when each is there.
//!
//! Latency 4 cycles from `w` to `awvalid`, 9 from `w` to `wvalid` when the payload is there, 3 from a payload
//! beat to its `wvalid`; 3 from the last B response to `b`, 3 from `w` to `b` for an empty payload. One beat
//! per cycle, without a gap between packets of 4 bursts' worth of set-up (4 cycles per packet plus 2 per
//! further burst, overlapped with the data of earlier ones). Up to 8 bursts and 8 packets in flight. Bursts
//! are INCR of whole beats, start at the beat that holds the first byte, end at every 4 KiB boundary and
//! after 256 beats.
//! Assumes: payload beats come in the order of the requests, ceil(len / `K`) for each.
//! Model `rx::place`. Doc `docs/blocks/rx-place.md`.

use super::placed::PlacedPacket;
use super::rows::PlaceRequest;
use heddle_emit::prims::{Fifo, Skid};
use rust_hdl::prelude::*;

mod burst;
mod mover;

use self::burst::{Address, Burst};
use self::mover::Mover;

/// No burst crosses a multiple of this many bytes. Source: AXI4.
const BOUNDARY: u64 = 4096;

/// The block: `W` data bits, 64 or 512; `K` = `W` / 8 lanes.
#[derive(LogicBlock)]
pub struct RxPlace<const W: usize, const K: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: forgets everything; memory must be reset with it when bursts are in
    /// flight.
    pub rst: Signal<In, Bit>,
    /// A payload to place is offered.
    pub w_valid: Signal<In, Bit>,
    /// It is taken.
    pub w_ready: Signal<Out, Bit>,
    /// Where and for which message.
    pub w_request: Signal<In, PlaceRequest>,
    /// A payload beat is offered.
    pub d_valid: Signal<In, Bit>,
    /// It is taken.
    pub d_ready: Signal<Out, Bit>,
    /// Payload, byte 0 in the low lane.
    pub d_data: Signal<In, Bits<W>>,
    /// A burst is offered.
    pub m_axi_awvalid: Signal<Out, Bit>,
    /// It is taken.
    pub m_axi_awready: Signal<In, Bit>,
    /// Always 0: responses come in order.
    pub m_axi_awid: Signal<Out, Bits<1>>,
    /// Byte address of lane 0 of the first beat.
    pub m_axi_awaddr: Signal<Out, Bits<64>>,
    /// Beats - 1.
    pub m_axi_awlen: Signal<Out, Bits<8>>,
    /// Constant: log2 of `K`.
    pub m_axi_awsize: Signal<Out, Bits<3>>,
    /// Constant: INCR.
    pub m_axi_awburst: Signal<Out, Bits<2>>,
    /// A beat is offered.
    pub m_axi_wvalid: Signal<Out, Bit>,
    /// It is taken.
    pub m_axi_wready: Signal<In, Bit>,
    /// Its bytes.
    pub m_axi_wdata: Signal<Out, Bits<W>>,
    /// The bytes that are written.
    pub m_axi_wstrb: Signal<Out, Bits<K>>,
    /// It is its burst's last.
    pub m_axi_wlast: Signal<Out, Bit>,
    /// A response is offered.
    pub m_axi_bvalid: Signal<In, Bit>,
    /// It is taken.
    pub m_axi_bready: Signal<Out, Bit>,
    /// 0 or 1: written; 2 or 3: an error.
    pub m_axi_bresp: Signal<In, Bits<2>>,
    /// A placed packet is offered, in the order of the requests.
    pub b_valid: Signal<Out, Bit>,
    /// It is taken.
    pub b_ready: Signal<In, Bit>,
    /// The packet.
    pub b_placed: Signal<Out, PlacedPacket>,
    addresses: Skid<Address>,
    /// Per burst in flight: it is its packet's last. Its depth is the number of bursts in flight.
    ends: Fifo<Bit, 3, 4>,
    /// Per packet whose responses are in: none was an error.
    results: Fifo<Bit, 3, 4>,
    packets: Fifo<PlacedPacket, 3, 4>,
    // Splitter: one burst at a time.
    step: DFF<Bits<2>>,
    at: DFF<Bits<64>>,
    len: DFF<Bits<16>>,
    shift: DFF<Bits<6>>,
    tail: DFF<Bits<6>>,
    flush: DFF<Bit>,
    first: DFF<Bit>,
    left: DFF<Bits<14>>,
    beats: DFF<Bits<14>>,
    take: Signal<Local, Bit>,
    lane: Signal<Local, Bits<6>>,
    last_lane: Signal<Local, Bits<6>>,
    span: Signal<Local, Bits<17>>,
    tail_sum: Signal<Local, Bits<7>>,
    page_left: Signal<Local, Bits<14>>,
    issue: Signal<Local, Bit>,
    address: Signal<Local, Address>,
    burst: Signal<Local, Burst>,
    whole: Signal<Local, Bit>,
    mover: Mover<W, K>,
    // Responses.
    bad: DFF<Bit>,
    response: Signal<Local, Bit>,
    failed: Signal<Local, Bit>,
    queued: Signal<Local, PlacedPacket>,
    placed: Signal<Local, PlacedPacket>,
    offered: Signal<Local, PlacedPacket>,
    empty: Signal<Local, Bit>,
    known: Signal<Local, Bit>,
    lane_mask: Constant<Bits<6>>,
    line_mask: Constant<Bits<64>>,
    round: Constant<Bits<17>>,
    lg: Constant<Bits<3>>,
    page_beats: Constant<Bits<14>>,
    max_beats: Constant<Bits<14>>,
    incr: Constant<Bits<2>>,
}

impl<const W: usize, const K: usize> Default for RxPlace<W, K> {
    fn default() -> Self {
        assert!(W == 64 || W == 512, "a data path of {W} bits");
        assert_eq!(K, W / 8, "lanes");
        let lanes = K as u64;
        Self {
            clk: Default::default(),
            rst: Default::default(),
            w_valid: Default::default(),
            w_ready: Default::default(),
            w_request: Default::default(),
            d_valid: Default::default(),
            d_ready: Default::default(),
            d_data: Default::default(),
            m_axi_awvalid: Default::default(),
            m_axi_awready: Default::default(),
            m_axi_awid: Default::default(),
            m_axi_awaddr: Default::default(),
            m_axi_awlen: Default::default(),
            m_axi_awsize: Default::default(),
            m_axi_awburst: Default::default(),
            m_axi_wvalid: Default::default(),
            m_axi_wready: Default::default(),
            m_axi_wdata: Default::default(),
            m_axi_wstrb: Default::default(),
            m_axi_wlast: Default::default(),
            m_axi_bvalid: Default::default(),
            m_axi_bready: Default::default(),
            m_axi_bresp: Default::default(),
            b_valid: Default::default(),
            b_ready: Default::default(),
            b_placed: Default::default(),
            addresses: Default::default(),
            ends: Default::default(),
            results: Default::default(),
            packets: Default::default(),
            step: Default::default(),
            at: Default::default(),
            len: Default::default(),
            shift: Default::default(),
            tail: Default::default(),
            flush: Default::default(),
            first: Default::default(),
            left: Default::default(),
            beats: Default::default(),
            take: Default::default(),
            lane: Default::default(),
            last_lane: Default::default(),
            span: Default::default(),
            tail_sum: Default::default(),
            page_left: Default::default(),
            issue: Default::default(),
            address: Default::default(),
            burst: Default::default(),
            whole: Default::default(),
            mover: Default::default(),
            bad: Default::default(),
            response: Default::default(),
            failed: Default::default(),
            queued: Default::default(),
            placed: Default::default(),
            offered: Default::default(),
            empty: Default::default(),
            known: Default::default(),
            lane_mask: Constant::new((lanes - 1).to_bits()),
            line_mask: Constant::new((!(lanes - 1)).to_bits()),
            round: Constant::new((lanes - 1).to_bits()),
            lg: Constant::new(u64::from(lanes.trailing_zeros()).to_bits()),
            page_beats: Constant::new((BOUNDARY / lanes).to_bits()),
            max_beats: Constant::new(256u64.to_bits()),
            incr: Constant::new(1u64.to_bits()),
        }
    }
}

impl<const W: usize, const K: usize> Logic for RxPlace<W, K> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, step, at, len, shift, tail, flush, first, left, beats, bad);
        self.addresses.clk.next = self.clk.val();
        self.addresses.rst.next = self.rst.val();
        self.mover.clk.next = self.clk.val();
        self.mover.rst.next = self.rst.val();
        self.ends.clk.next = self.clk.val();
        self.ends.rst.next = self.rst.val();
        self.results.clk.next = self.clk.val();
        self.results.rst.next = self.rst.val();
        self.packets.clk.next = self.clk.val();
        self.packets.rst.next = self.rst.val();

        // Step 0: take a request; an empty payload only waits for its turn among the results.
        self.w_ready.next = (self.step.q.val() == 0) & self.packets.in_ready.val();
        self.take.next = self.w_valid.val() & (self.step.q.val() == 0) & self.packets.in_ready.val();
        self.queued.next.conn = self.w_request.val().conn;
        self.queued.next.path = self.w_request.val().path;
        self.queued.next.stream = self.w_request.val().stream;
        self.queued.next.msn = self.w_request.val().msn;
        self.queued.next.message_len = self.w_request.val().message_len;
        self.queued.next.len = self.w_request.val().len;
        self.queued.next.ok = false;
        self.packets.in_valid.next = self.take.val();
        self.packets.in_data.next = self.queued.val();
        if self.take.val() {
            self.at.d.next = self.w_request.val().address;
            self.len.d.next = self.w_request.val().len;
            if self.w_request.val().len.any() {
                self.step.d.next = 1.into();
            }
        }

        // Step 1: how many beats memory sees; whether the last of them takes no new payload beat.
        self.lane.next = self.at.q.val().get_bits::<6>(0) & self.lane_mask.val();
        self.span.next = bit_cast::<17, 16>(self.len.q.val()) + bit_cast::<17, 6>(self.lane.val());
        self.last_lane.next = (self.len.q.val() - 1).get_bits::<6>(0) & self.lane_mask.val();
        self.tail_sum.next = bit_cast::<7, 6>(self.last_lane.val()) + bit_cast::<7, 6>(self.lane.val());
        if self.step.q.val() == 1 {
            self.at.d.next = self.at.q.val() & self.line_mask.val();
            self.shift.d.next = self.lane.val();
            self.left.d.next = bit_cast::<14, 17>((self.span.val() + self.round.val()) >> self.lg.val());
            self.tail.d.next = self.tail_sum.val().get_bits::<6>(0) & self.lane_mask.val();
            self.flush.d.next = self.tail_sum.val() > bit_cast::<7, 6>(self.lane_mask.val());
            self.first.d.next = true;
            self.step.d.next = 2.into();
        }

        // Step 2: beats of the next burst: what is left, or to the 4 KiB boundary, or 256.
        self.page_left.next =
            self.page_beats.val() - bit_cast::<14, 12>(self.at.q.val().get_bits::<12>(0) >> self.lg.val());
        if self.step.q.val() == 2 {
            self.beats.d.next = self.left.q.val();
            if self.page_left.val() < self.left.q.val() {
                self.beats.d.next = self.page_left.val();
            }
            if (self.max_beats.val() < self.left.q.val()) & (self.max_beats.val() < self.page_left.val()) {
                self.beats.d.next = self.max_beats.val();
            }
            self.step.d.next = 3.into();
        }

        // Step 3: issue it to both channels at once, as soon as another burst may be in flight. Data never
        // waits for `awready`.
        self.issue.next = (self.step.q.val() == 3)
            & self.addresses.in_ready.val()
            & self.mover.burst_ready.val()
            & self.ends.in_ready.val();
        self.whole.next = self.beats.q.val() == self.left.q.val();
        self.address.next.address = self.at.q.val();
        self.address.next.beats = bit_cast::<8, 14>(self.beats.q.val() - 1);
        self.addresses.in_valid.next = self.issue.val();
        self.addresses.in_data.next = self.address.val();
        self.burst.next.beats = bit_cast::<8, 14>(self.beats.q.val() - 1);
        self.burst.next.shift = self.shift.q.val();
        self.burst.next.tail = self.tail.q.val();
        self.burst.next.first = self.first.q.val();
        self.burst.next.ends = self.whole.val();
        self.burst.next.flush = self.flush.q.val();
        self.mover.burst_valid.next = self.issue.val();
        self.mover.burst.next = self.burst.val();
        self.ends.in_valid.next = self.issue.val();
        self.ends.in_data.next = self.whole.val();
        if self.issue.val() {
            self.left.d.next = self.left.q.val() - self.beats.q.val();
            self.at.d.next = self.at.q.val() + (bit_cast::<64, 14>(self.beats.q.val()) << self.lg.val());
            self.first.d.next = false;
            self.step.d.next = 2.into();
            if self.whole.val() {
                self.step.d.next = 0.into();
            }
        }
        self.m_axi_awvalid.next = self.addresses.out_valid.val();
        self.addresses.out_ready.next = self.m_axi_awready.val();
        self.m_axi_awaddr.next = self.addresses.out_data.val().address;
        self.m_axi_awlen.next = self.addresses.out_data.val().beats;
        self.m_axi_awid.next = 0.into();
        self.m_axi_awsize.next = self.lg.val();
        self.m_axi_awburst.next = self.incr.val();

        self.mover.d_valid.next = self.d_valid.val();
        self.mover.d_data.next = self.d_data.val();
        self.d_ready.next = self.mover.d_ready.val();
        self.m_axi_wvalid.next = self.mover.w_valid.val();
        self.m_axi_wdata.next = self.mover.w_data.val();
        self.m_axi_wstrb.next = self.mover.w_strb.val();
        self.m_axi_wlast.next = self.mover.w_last.val();
        self.mover.w_ready.next = self.m_axi_wready.val();

        // Responses: one error fails the packet.
        self.m_axi_bready.next = self.ends.out_valid.val() & self.results.in_ready.val();
        self.response.next =
            self.m_axi_bvalid.val() & self.ends.out_valid.val() & self.results.in_ready.val();
        self.ends.out_ready.next = self.response.val();
        self.failed.next = self.bad.q.val() | self.m_axi_bresp.val().get_bit(1);
        self.results.in_valid.next = self.response.val() & self.ends.out_data.val();
        self.results.in_data.next = !self.failed.val();
        if self.response.val() {
            self.bad.d.next = self.failed.val() & !self.ends.out_data.val();
        }

        // The oldest packet is placed when its result is there, or when it has nothing to place.
        self.placed.next = self.packets.out_data.val();
        self.empty.next = !self.placed.val().len.any();
        self.known.next = self.empty.val() | self.results.out_valid.val();
        self.b_valid.next = self.packets.out_valid.val() & self.known.val();
        self.offered.next = self.placed.val();
        self.offered.next.ok = self.empty.val() | self.results.out_data.val();
        self.b_placed.next = self.offered.val();
        self.packets.out_ready.next = self.b_ready.val() & self.known.val();
        self.results.out_ready.next = self.b_ready.val() & self.packets.out_valid.val() & !self.empty.val();
        if self.rst.val() {
            self.step.d.next = 0.into();
            self.bad.d.next = false;
        }
    }
}
