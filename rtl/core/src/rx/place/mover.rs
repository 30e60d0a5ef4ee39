//! Data channel of the writes: turns payload beats to their lanes in memory and counts the beats of each
//! burst.
//!
//! Latency 3 cycles from a payload beat to `w_valid`, one beat per cycle.

use super::burst::Burst;
use heddle_emit::prims::{Fifo, Skid};
use rust_hdl::prelude::*;

/// The part: `W` data bits, `K` = `W` / 8 lanes.
#[derive(LogicBlock)]
pub struct Mover<const W: usize, const K: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: forgets everything.
    pub rst: Signal<In, Bit>,
    /// A burst is offered.
    pub burst_valid: Signal<In, Bit>,
    /// It is taken. Registered.
    pub burst_ready: Signal<Out, Bit>,
    /// The burst.
    pub burst: Signal<In, Burst>,
    /// A payload beat is offered.
    pub d_valid: Signal<In, Bit>,
    /// It is taken.
    pub d_ready: Signal<Out, Bit>,
    /// Payload, byte 0 in the low lane.
    pub d_data: Signal<In, Bits<W>>,
    /// A beat is offered to memory.
    pub w_valid: Signal<Out, Bit>,
    /// It is taken.
    pub w_ready: Signal<In, Bit>,
    /// Its bytes.
    pub w_data: Signal<Out, Bits<W>>,
    /// The bytes that are written.
    pub w_strb: Signal<Out, Bits<K>>,
    /// It is its burst's last.
    pub w_last: Signal<Out, Bit>,
    bursts: Fifo<Burst, 3, 4>,
    // Stage 0 takes a beat, stages 1 and 2 turn it, then it is joined with the one before.
    beat: DFF<Bits<8>>,
    head: Signal<Local, Burst>,
    shift0: Signal<Local, Bits<6>>,
    at_last: Signal<Local, Bit>,
    need: Signal<Local, Bit>,
    go: Signal<Local, Bit>,
    turn: [Signal<Local, Bits<W>>; 7],
    valid1: DFF<Bit>,
    data1: DFF<Bits<W>>,
    shift1: DFF<Bits<6>>,
    tail1: DFF<Bits<6>>,
    first1: DFF<Bit>,
    ends1: DFF<Bit>,
    last1: DFF<Bit>,
    valid2: DFF<Bit>,
    data2: DFF<Bits<W>>,
    mask2: DFF<Bits<W>>,
    strb2: DFF<Bits<K>>,
    last2: DFF<Bit>,
    before: DFF<Bits<W>>,
    from_first: Signal<Local, Bits<K>>,
    to_tail: Signal<Local, Bits<K>>,
    out_data: Skid<Bits<W>>,
    out_strb: Skid<Bits<K>>,
    out_last: Skid<Bit>,
    lane_mask: Constant<Bits<6>>,
    wide: Constant<Bit>,
    turns: [Constant<Bits<10>>; 6],
    returns: [Constant<Bits<10>>; 6],
    all_bits: Constant<Bits<W>>,
    all_lanes: Constant<Bits<K>>,
}

impl<const W: usize, const K: usize> Default for Mover<W, K> {
    fn default() -> Self {
        // A turn by 2^k lanes; those of a whole beat or more do not exist, and turn by 0.
        let turn = |k: usize| (8u64 << k) % W as u64;
        Self {
            clk: Default::default(),
            rst: Default::default(),
            burst_valid: Default::default(),
            burst_ready: Default::default(),
            burst: Default::default(),
            d_valid: Default::default(),
            d_ready: Default::default(),
            d_data: Default::default(),
            w_valid: Default::default(),
            w_ready: Default::default(),
            w_data: Default::default(),
            w_strb: Default::default(),
            w_last: Default::default(),
            bursts: Default::default(),
            beat: Default::default(),
            head: Default::default(),
            shift0: Default::default(),
            at_last: Default::default(),
            need: Default::default(),
            go: Default::default(),
            turn: Default::default(),
            valid1: Default::default(),
            data1: Default::default(),
            shift1: Default::default(),
            tail1: Default::default(),
            first1: Default::default(),
            ends1: Default::default(),
            last1: Default::default(),
            valid2: Default::default(),
            data2: Default::default(),
            mask2: Default::default(),
            strb2: Default::default(),
            last2: Default::default(),
            before: Default::default(),
            from_first: Default::default(),
            to_tail: Default::default(),
            out_data: Default::default(),
            out_strb: Default::default(),
            out_last: Default::default(),
            lane_mask: Constant::new((K as u64 - 1).to_bits()),
            wide: Constant::new(W == 512),
            turns: std::array::from_fn(|k| Constant::new(turn(k).to_bits())),
            returns: std::array::from_fn(|k| Constant::new(((W as u64 - turn(k)) % W as u64).to_bits())),
            all_bits: Constant::new(!Bits::<W>::default()),
            all_lanes: Constant::new(!Bits::<K>::default()),
        }
    }
}

impl<const W: usize, const K: usize> Logic for Mover<W, K> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, beat, valid1, data1, shift1, tail1, first1, ends1, last1);
        dff_setup!(self, clk, valid2, data2, mask2, strb2, last2, before);
        self.bursts.clk.next = self.clk.val();
        self.bursts.rst.next = self.rst.val();
        self.out_data.clk.next = self.clk.val();
        self.out_data.rst.next = self.rst.val();
        self.out_strb.clk.next = self.clk.val();
        self.out_strb.rst.next = self.rst.val();
        self.out_last.clk.next = self.clk.val();
        self.out_last.rst.next = self.rst.val();
        self.bursts.in_valid.next = self.burst_valid.val();
        self.bursts.in_data.next = self.burst.val();
        self.burst_ready.next = self.bursts.in_ready.val();

        // Stage 0: a beat of the burst, with a payload beat unless only bytes of the one before are left.
        self.head.next = self.bursts.out_data.val();
        self.shift0.next = self.head.val().shift;
        self.at_last.next = self.beat.q.val() == self.head.val().beats;
        self.need.next = !(self.head.val().ends & self.head.val().flush & self.at_last.val());
        self.d_ready.next = self.out_data.in_ready.val() & self.bursts.out_valid.val() & self.need.val();
        self.go.next = self.out_data.in_ready.val()
            & self.bursts.out_valid.val()
            & (self.d_valid.val() | !self.need.val());
        self.bursts.out_ready.next = self.go.val() & self.at_last.val();
        if self.go.val() {
            self.beat.d.next = self.beat.q.val() + 1;
            if self.at_last.val() {
                self.beat.d.next = 0.into();
            }
        }

        // Turned by 1, 2 and 4 lanes into stage 1; by 8, 16 and 32 into stage 2.
        self.turn[0].next = self.d_data.val();
        self.turn[1].next = self.turn[0].val();
        if self.shift0.val().get_bit(0) {
            self.turn[1].next =
                (self.turn[0].val() << self.turns[0].val()) | (self.turn[0].val() >> self.returns[0].val());
        }
        self.turn[2].next = self.turn[1].val();
        if self.shift0.val().get_bit(1) {
            self.turn[2].next =
                (self.turn[1].val() << self.turns[1].val()) | (self.turn[1].val() >> self.returns[1].val());
        }
        self.turn[3].next = self.turn[2].val();
        if self.shift0.val().get_bit(2) {
            self.turn[3].next =
                (self.turn[2].val() << self.turns[2].val()) | (self.turn[2].val() >> self.returns[2].val());
        }
        self.turn[4].next = self.data1.q.val();
        if self.wide.val() & self.shift1.q.val().get_bit(3) {
            self.turn[4].next =
                (self.data1.q.val() << self.turns[3].val()) | (self.data1.q.val() >> self.returns[3].val());
        }
        self.turn[5].next = self.turn[4].val();
        if self.wide.val() & self.shift1.q.val().get_bit(4) {
            self.turn[5].next =
                (self.turn[4].val() << self.turns[4].val()) | (self.turn[4].val() >> self.returns[4].val());
        }
        self.turn[6].next = self.turn[5].val();
        if self.wide.val() & self.shift1.q.val().get_bit(5) {
            self.turn[6].next =
                (self.turn[5].val() << self.turns[5].val()) | (self.turn[5].val() >> self.returns[5].val());
        }
        self.from_first.next = self.all_lanes.val();
        if self.first1.q.val() {
            self.from_first.next = self.all_lanes.val() << self.shift1.q.val();
        }
        self.to_tail.next = self.all_lanes.val();
        if self.ends1.q.val() {
            self.to_tail.next = self.all_lanes.val() >> (self.lane_mask.val() - self.tail1.q.val());
        }
        if self.out_data.in_ready.val() {
            self.valid1.d.next = self.go.val();
            self.data1.d.next = self.turn[3].val();
            self.shift1.d.next = self.shift0.val();
            self.tail1.d.next = self.head.val().tail;
            self.first1.d.next = self.head.val().first & !self.beat.q.val().any();
            self.ends1.d.next = self.head.val().ends & self.at_last.val();
            self.last1.d.next = self.at_last.val();
            self.valid2.d.next = self.valid1.q.val();
            self.data2.d.next = self.turn[6].val();
            self.mask2.d.next = self.all_bits.val() << (bit_cast::<10, 6>(self.shift1.q.val()) << 3);
            self.strb2.d.next = self.from_first.val() & self.to_tail.val();
            self.last2.d.next = self.last1.q.val();
            if self.valid2.q.val() {
                self.before.d.next = self.data2.q.val();
            }
        }

        // Lanes below the shift are of the payload beat before.
        self.out_data.in_valid.next = self.valid2.q.val();
        self.out_data.in_data.next =
            (self.data2.q.val() & self.mask2.q.val()) | (self.before.q.val() & !self.mask2.q.val());
        self.out_strb.in_valid.next = self.valid2.q.val();
        self.out_strb.in_data.next = self.strb2.q.val();
        self.out_last.in_valid.next = self.valid2.q.val();
        self.out_last.in_data.next = self.last2.q.val();
        self.w_valid.next = self.out_data.out_valid.val();
        self.w_data.next = self.out_data.out_data.val();
        self.w_strb.next = self.out_strb.out_data.val();
        self.w_last.next = self.out_last.out_data.val();
        self.out_data.out_ready.next = self.w_ready.val();
        self.out_strb.out_ready.next = self.w_ready.val();
        self.out_last.out_ready.next = self.w_ready.val();
        if self.rst.val() {
            self.beat.d.next = 0.into();
            self.valid1.d.next = false;
            self.valid2.d.next = false;
        }
    }
}
