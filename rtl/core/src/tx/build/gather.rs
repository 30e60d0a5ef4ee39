//! Data channel of the reads: turns the beats of memory back so that each payload starts in lane 0, and writes
//! them to the buffer.
//!
//! Latency 3 cycles from a beat of memory to the word in the buffer, one beat per cycle; a payload whose last beat
//! is of the last beat of memory alone takes one cycle more. There is always room: the buffer has a quarter for each
//! packet that may be under way.

use super::rows::Gather;
use heddle_emit::prims::Fifo;
use rust_hdl::prelude::*;

/// The part: `W` data bits, `K` = `W` / 8 lanes, a buffer of 2^`A` words.
#[derive(LogicBlock)]
pub struct Gatherer<const W: usize, const K: usize, const A: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: forgets everything.
    pub rst: Signal<In, Bit>,
    /// Pulse: a payload whose beats will come. At most 4 are not complete.
    pub gather_valid: Signal<In, Bit>,
    /// The payload.
    pub gather: Signal<In, Gather>,
    /// A beat of memory is offered.
    pub r_valid: Signal<In, Bit>,
    /// It is taken.
    pub r_ready: Signal<Out, Bit>,
    /// Its bytes.
    pub r_data: Signal<In, Bits<W>>,
    /// 2 or 3: an error.
    pub r_resp: Signal<In, Bits<2>>,
    /// A word is written to the buffer.
    pub we: Signal<Out, Bit>,
    /// Where.
    pub waddr: Signal<Out, Bits<A>>,
    /// The word, byte 0 in the low lane; zeros behind the payload.
    pub wdata: Signal<Out, Bits<W>>,
    /// Pulse: it is the last of a payload.
    pub done_valid: Signal<Out, Bit>,
    /// None of the payload's beats was an error.
    pub done_good: Signal<Out, Bit>,
    gathers: Fifo<Gather, 2, 3>,
    // Stage 0 takes a beat, stages 1 and 2 turn it, then it is joined with the one before.
    beat: DFF<Bits<8>>,
    flushing: DFF<Bit>,
    head: Signal<Local, Gather>,
    shift0: Signal<Local, Bits<6>>,
    at_last: Signal<Local, Bit>,
    go: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    turn: [Signal<Local, Bits<W>>; 7],
    valid1: DFF<Bit>,
    data1: DFF<Bits<W>>,
    shift1: DFF<Bits<6>>,
    tail1: DFF<Bits<6>>,
    slot1: DFF<Bits<2>>,
    word1: DFF<Bit>,
    last1: DFF<Bit>,
    bad1: DFF<Bit>,
    valid2: DFF<Bit>,
    data2: DFF<Bits<W>>,
    fresh2: DFF<Bits<W>>,
    keep2: DFF<Bits<W>>,
    slot2: DFF<Bits<2>>,
    word2: DFF<Bit>,
    last2: DFF<Bit>,
    bad2: DFF<Bit>,
    before: DFF<Bits<W>>,
    at: DFF<Bits<7>>,
    bad: DFF<Bit>,
    back: Signal<Local, Bits<6>>,
    behind: Signal<Local, Bits<6>>,
    write: Signal<Local, Bit>,
    failed: Signal<Local, Bit>,
    lane_mask: Constant<Bits<6>>,
    wide: Constant<Bit>,
    slot_lsb: Constant<Bits<4>>,
    turns: [Constant<Bits<10>>; 6],
    returns: [Constant<Bits<10>>; 6],
    all_bits: Constant<Bits<W>>,
}

impl<const W: usize, const K: usize, const A: usize> Default for Gatherer<W, K, A> {
    fn default() -> Self {
        // A turn by 2^k lanes; those of a whole beat or more do not exist, and turn by 0.
        let turn = |k: usize| (8u64 << k) % W as u64;
        Self {
            clk: Default::default(),
            rst: Default::default(),
            gather_valid: Default::default(),
            gather: Default::default(),
            r_valid: Default::default(),
            r_ready: Default::default(),
            r_data: Default::default(),
            r_resp: Default::default(),
            we: Default::default(),
            waddr: Default::default(),
            wdata: Default::default(),
            done_valid: Default::default(),
            done_good: Default::default(),
            gathers: Default::default(),
            beat: Default::default(),
            flushing: Default::default(),
            head: Default::default(),
            shift0: Default::default(),
            at_last: Default::default(),
            go: Default::default(),
            leaves: Default::default(),
            turn: Default::default(),
            valid1: Default::default(),
            data1: Default::default(),
            shift1: Default::default(),
            tail1: Default::default(),
            slot1: Default::default(),
            word1: Default::default(),
            last1: Default::default(),
            bad1: Default::default(),
            valid2: Default::default(),
            data2: Default::default(),
            fresh2: Default::default(),
            keep2: Default::default(),
            slot2: Default::default(),
            word2: Default::default(),
            last2: Default::default(),
            bad2: Default::default(),
            before: Default::default(),
            at: Default::default(),
            bad: Default::default(),
            back: Default::default(),
            behind: Default::default(),
            write: Default::default(),
            failed: Default::default(),
            lane_mask: Constant::new((K as u64 - 1).to_bits()),
            wide: Constant::new(W == 512),
            slot_lsb: Constant::new((A as u64 - 2).to_bits()),
            turns: std::array::from_fn(|k| Constant::new(turn(k).to_bits())),
            returns: std::array::from_fn(|k| Constant::new(((W as u64 - turn(k)) % W as u64).to_bits())),
            all_bits: Constant::new(!Bits::<W>::default()),
        }
    }
}

impl<const W: usize, const K: usize, const A: usize> Logic for Gatherer<W, K, A> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_build_gather");
        dff_setup!(self, clk, beat, flushing, valid1, data1, shift1, tail1, slot1, word1, last1, bad1);
        dff_setup!(self, clk, valid2, data2, fresh2, keep2, slot2, word2, last2, bad2, before, at, bad);
        self.gathers.clk.next = self.clk.val();
        self.gathers.rst.next = self.rst.val();
        self.gathers.in_valid.next = self.gather_valid.val();
        self.gathers.in_data.next = self.gather.val();

        // Stage 0: a beat of memory, or a cycle of its own for the bytes that are left of the last one. The first
        // beat of an unaligned payload gives no word yet.
        self.head.next = self.gathers.out_data.val();
        self.shift0.next = self.head.val().shift;
        self.at_last.next = self.beat.q.val() == self.head.val().beats;
        self.r_ready.next = self.gathers.out_valid.val() & !self.flushing.q.val();
        self.go.next = (self.gathers.out_valid.val() & self.r_valid.val()) | self.flushing.q.val();
        self.leaves.next = (self.at_last.val() & !self.head.val().flush) | self.flushing.q.val();
        self.gathers.out_ready.next = self.go.val() & self.leaves.val();
        if self.go.val() {
            self.beat.d.next = self.beat.q.val() + 1;
            if self.at_last.val() {
                self.beat.d.next = self.beat.q.val();
                self.flushing.d.next = true;
            }
            if self.leaves.val() {
                self.beat.d.next = 0.into();
                self.flushing.d.next = false;
            }
        }

        // Turned back by 1, 2 and 4 lanes into stage 1; by 8, 16 and 32 into stage 2.
        self.turn[0].next = self.r_data.val();
        self.turn[1].next = self.turn[0].val();
        if self.shift0.val().get_bit(0) {
            self.turn[1].next =
                (self.turn[0].val() >> self.turns[0].val()) | (self.turn[0].val() << self.returns[0].val());
        }
        self.turn[2].next = self.turn[1].val();
        if self.shift0.val().get_bit(1) {
            self.turn[2].next =
                (self.turn[1].val() >> self.turns[1].val()) | (self.turn[1].val() << self.returns[1].val());
        }
        self.turn[3].next = self.turn[2].val();
        if self.shift0.val().get_bit(2) {
            self.turn[3].next =
                (self.turn[2].val() >> self.turns[2].val()) | (self.turn[2].val() << self.returns[2].val());
        }
        self.turn[4].next = self.data1.q.val();
        if self.wide.val() & self.shift1.q.val().get_bit(3) {
            self.turn[4].next =
                (self.data1.q.val() >> self.turns[3].val()) | (self.data1.q.val() << self.returns[3].val());
        }
        self.turn[5].next = self.turn[4].val();
        if self.wide.val() & self.shift1.q.val().get_bit(4) {
            self.turn[5].next =
                (self.turn[4].val() >> self.turns[4].val()) | (self.turn[4].val() << self.returns[4].val());
        }
        self.turn[6].next = self.turn[5].val();
        if self.wide.val() & self.shift1.q.val().get_bit(5) {
            self.turn[6].next =
                (self.turn[5].val() >> self.turns[5].val()) | (self.turn[5].val() << self.returns[5].val());
        }
        self.valid1.d.next = self.go.val();
        self.data1.d.next = self.turn[3].val();
        self.shift1.d.next = self.shift0.val();
        self.tail1.d.next = self.head.val().tail;
        self.slot1.d.next = self.head.val().slot;
        self.word1.d.next = self.beat.q.val().any() | !self.shift0.val().any() | self.flushing.q.val();
        self.last1.d.next = self.leaves.val();
        self.bad1.d.next = self.r_resp.val().get_bit(1) & !self.flushing.q.val();

        // Lanes that this beat fills: from `K` - shift on, all when nothing is turned. Lanes that the payload fills.
        self.back.next = (bits::<6>(0) - self.shift1.q.val()) & self.lane_mask.val();
        self.behind.next = self.lane_mask.val() - self.tail1.q.val();
        self.valid2.d.next = self.valid1.q.val();
        self.data2.d.next = self.turn[6].val();
        self.fresh2.d.next = self.all_bits.val() << (bit_cast::<10, 6>(self.back.val()) << 3);
        self.keep2.d.next = self.all_bits.val();
        if self.last1.q.val() {
            self.keep2.d.next = self.all_bits.val() >> (bit_cast::<10, 6>(self.behind.val()) << 3);
        }
        self.slot2.d.next = self.slot1.q.val();
        self.word2.d.next = self.word1.q.val();
        self.last2.d.next = self.last1.q.val();
        self.bad2.d.next = self.bad1.q.val();

        // Joined: the lower lanes are of the beat before.
        self.write.next = self.valid2.q.val() & self.word2.q.val();
        self.we.next = self.write.val();
        self.waddr.next =
            (bit_cast::<A, 2>(self.slot2.q.val()) << self.slot_lsb.val()) | bit_cast::<A, 7>(self.at.q.val());
        self.wdata.next = ((self.data2.q.val() & self.fresh2.q.val())
            | (self.before.q.val() & !self.fresh2.q.val()))
            & self.keep2.q.val();
        self.failed.next = self.bad.q.val() | self.bad2.q.val();
        self.done_valid.next = self.write.val() & self.last2.q.val();
        self.done_good.next = !self.failed.val();
        if self.valid2.q.val() {
            self.before.d.next = self.data2.q.val();
            self.bad.d.next = self.failed.val();
        }
        if self.write.val() {
            self.at.d.next = self.at.q.val() + 1;
            if self.last2.q.val() {
                self.at.d.next = 0.into();
                self.bad.d.next = false;
            }
        }
        if self.rst.val() {
            self.beat.d.next = 0.into();
            self.flushing.d.next = false;
            self.valid1.d.next = false;
            self.valid2.d.next = false;
            self.at.d.next = 0.into();
            self.bad.d.next = false;
        }
    }
}
