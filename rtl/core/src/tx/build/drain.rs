//! The buffer: a payload leaves it once it is there as a whole and no beat was an error.
//!
//! Latency 8 cycles from a payload's last word to its first beat at `y`, one beat per cycle, one idle cycle between payloads.

use heddle_emit::prims::{Fifo, SdpRamNc};
use rust_hdl::prelude::*;

/// The part: `W` data bits, `K` = `W` / 8 lanes, a buffer of 2^`A` words: 4 payloads.
#[derive(LogicBlock)]
pub struct Drain<const W: usize, const K: usize, const A: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: forgets everything.
    pub rst: Signal<In, Bit>,
    /// Pulse: a packet was made. At most 4 are not judged.
    pub packet_valid: Signal<In, Bit>,
    /// Its payload bytes.
    pub packet_len: Signal<In, Bits<16>>,
    /// A word is written.
    pub we: Signal<In, Bit>,
    /// Where.
    pub waddr: Signal<In, Bits<A>>,
    /// The word.
    pub wdata: Signal<In, Bits<W>>,
    /// Pulse: the word completes a payload.
    pub done_valid: Signal<In, Bit>,
    /// None of its beats was an error.
    pub done_good: Signal<In, Bit>,
    /// The oldest packet is judged, in the order in which they were made.
    pub verdict_valid: Signal<Out, Bit>,
    /// The verdict is taken.
    pub verdict_ready: Signal<In, Bit>,
    /// Its payload is complete and without an error, or empty.
    pub verdict_good: Signal<Out, Bit>,
    /// Pulse: the oldest packet's quarter of the buffer is free.
    pub freed: Signal<Out, Bit>,
    /// A payload beat is offered.
    pub y_valid: Signal<Out, Bit>,
    /// It is taken.
    pub y_ready: Signal<In, Bit>,
    /// The beat.
    pub y_data: Signal<Out, Bits<W>>,
    memory: SdpRamNc<Bits<W>, A>,
    lens: Fifo<Bits<16>, 2, 3>,
    results: Fifo<Bit, 2, 3>,
    verdicts: Fifo<Bit, 2, 3>,
    active: DFF<Bit>,
    slot: DFF<Bits<2>>,
    beat: DFF<Bits<7>>,
    last: DFF<Bits<7>>,
    fetched: DFF<Bit>,
    valid: DFF<Bit>,
    data: DFF<Bits<W>>,
    empty: Signal<Local, Bit>,
    good: Signal<Local, Bit>,
    start: Signal<Local, Bit>,
    load: Signal<Local, Bit>,
    fetch: Signal<Local, Bit>,
    over: Signal<Local, Bit>,
    lg: Constant<Bits<3>>,
    slot_lsb: Constant<Bits<4>>,
}

impl<const W: usize, const K: usize, const A: usize> Default for Drain<W, K, A> {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            rst: Default::default(),
            packet_valid: Default::default(),
            packet_len: Default::default(),
            we: Default::default(),
            waddr: Default::default(),
            wdata: Default::default(),
            done_valid: Default::default(),
            done_good: Default::default(),
            verdict_valid: Default::default(),
            verdict_ready: Default::default(),
            verdict_good: Default::default(),
            freed: Default::default(),
            y_valid: Default::default(),
            y_ready: Default::default(),
            y_data: Default::default(),
            memory: Default::default(),
            lens: Default::default(),
            results: Default::default(),
            verdicts: Default::default(),
            active: Default::default(),
            slot: Default::default(),
            beat: Default::default(),
            last: Default::default(),
            fetched: Default::default(),
            valid: Default::default(),
            data: Default::default(),
            empty: Default::default(),
            good: Default::default(),
            start: Default::default(),
            load: Default::default(),
            fetch: Default::default(),
            over: Default::default(),
            lg: Constant::new(u64::from(K.trailing_zeros()).to_bits()),
            slot_lsb: Constant::new((A as u64 - 2).to_bits()),
        }
    }
}

impl<const W: usize, const K: usize, const A: usize> Logic for Drain<W, K, A> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_build_drain");
        dff_setup!(self, clk, active, slot, beat, last, fetched, valid, data);
        self.memory.clk.next = self.clk.val();
        self.lens.clk.next = self.clk.val();
        self.lens.rst.next = self.rst.val();
        self.results.clk.next = self.clk.val();
        self.results.rst.next = self.rst.val();
        self.verdicts.clk.next = self.clk.val();
        self.verdicts.rst.next = self.rst.val();
        self.memory.we.next = self.we.val();
        self.memory.waddr.next = self.waddr.val();
        self.memory.wdata.next = self.wdata.val();
        self.lens.in_valid.next = self.packet_valid.val();
        self.lens.in_data.next = self.packet_len.val();
        self.results.in_valid.next = self.done_valid.val();
        self.results.in_data.next = self.done_good.val();

        // The oldest packet is judged when its payload is there, or when it has none, and no other is leaving.
        self.empty.next = !self.lens.out_data.val().any();
        self.good.next = self.empty.val() | self.results.out_data.val();
        self.start.next = self.lens.out_valid.val()
            & (self.empty.val() | self.results.out_valid.val())
            & !self.active.q.val();
        self.lens.out_ready.next = self.start.val();
        self.results.out_ready.next = self.start.val() & !self.empty.val();
        self.verdicts.in_valid.next = self.start.val();
        self.verdicts.in_data.next = self.good.val();
        self.verdict_valid.next = self.verdicts.out_valid.val();
        self.verdict_good.next = self.verdicts.out_data.val();
        self.verdicts.out_ready.next = self.verdict_ready.val();

        // A word is fetched whenever the one fetched before can move on.
        self.load.next = self.fetched.q.val() & (!self.valid.q.val() | self.y_ready.val());
        self.fetch.next = self.active.q.val() & (!self.fetched.q.val() | self.load.val());
        self.memory.re.next = self.fetch.val();
        self.memory.raddr.next = (bit_cast::<A, 2>(self.slot.q.val()) << self.slot_lsb.val())
            | bit_cast::<A, 7>(self.beat.q.val());
        self.fetched.d.next = self.fetch.val() | (self.fetched.q.val() & !self.load.val());
        self.valid.d.next = self.load.val() | (self.valid.q.val() & !self.y_ready.val());
        if self.load.val() {
            self.data.d.next = self.memory.rdata.val();
        }
        self.y_valid.next = self.valid.q.val();
        self.y_data.next = self.data.q.val();

        // An empty or refused payload frees its quarter at once.
        self.over.next = (self.start.val() & (self.empty.val() | !self.good.val()))
            | (self.fetch.val() & (self.beat.q.val() == self.last.q.val()));
        self.freed.next = self.over.val();
        if self.start.val() {
            self.active.d.next = true;
            self.beat.d.next = 0.into();
            self.last.d.next = bit_cast::<7, 16>((self.lens.out_data.val() - 1) >> self.lg.val());
        }
        if self.fetch.val() {
            self.beat.d.next = self.beat.q.val() + 1;
        }
        if self.over.val() {
            self.active.d.next = false;
            self.slot.d.next = self.slot.q.val() + 1;
        }
        if self.rst.val() {
            self.active.d.next = false;
            self.slot.d.next = 0.into();
            self.fetched.d.next = false;
            self.valid.d.next = false;
        }
    }
}
