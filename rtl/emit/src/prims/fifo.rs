//! Synchronous FIFO, first word falls through, every output registered.
//!
//! Latency 3 cycles from an input transfer to `out_valid`, one transfer per cycle on both sides.
use super::SdpRamNc;
use crate::ModuleName;
use rust_hdl::prelude::*;

/// FIFO of 2^`A` words; `C` is `A + 1`, the width of `count`.
#[derive(LogicBlock)]
pub struct Fifo<T: Synth, const A: usize, const C: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: empties the FIFO; `in_ready` is low in the cycle after it.
    pub rst: Signal<In, Bit>,
    /// `in_data` is there.
    pub in_valid: Signal<In, Bit>,
    /// `in_data` is taken at the edge if it is there. Registered.
    pub in_ready: Signal<Out, Bit>,
    /// Word in.
    pub in_data: Signal<In, T>,
    /// `out_data` is there. Registered.
    pub out_valid: Signal<Out, Bit>,
    /// The consumer takes `out_data` at the edge.
    pub out_ready: Signal<In, Bit>,
    /// Word out. Registered, stable until taken.
    pub out_data: Signal<Out, T>,
    /// Words taken in and not yet out. Registered.
    pub count: Signal<Out, Bits<C>>,
    /// `count` is at least the threshold. Registered.
    pub almost_full: Signal<Out, Bit>,
    mem: SdpRamNc<T, A>,
    head: DFF<Bits<A>>,
    tail: DFF<Bits<A>>,
    stored: DFF<Bits<C>>,
    total: DFF<Bits<C>>,
    ready: DFF<Bit>,
    near: DFF<Bit>,
    fetched: DFF<Bit>,
    valid: DFF<Bit>,
    data: DFF<T>,
    take: Signal<Local, Bit>,
    give: Signal<Local, Bit>,
    load: Signal<Local, Bit>,
    fetch: Signal<Local, Bit>,
    total_next: Signal<Local, Bits<C>>,
    capacity: Constant<Bits<C>>,
    threshold: Constant<Bits<C>>,
    module_name: ModuleName,
}

impl<T: Synth, const A: usize, const C: usize> Fifo<T, A, C> {
    /// A FIFO whose `almost_full` rises at `threshold` words.
    ///
    /// # Panics
    /// When `C` is not `A + 1`, or `threshold` is more than the 2^`A` words that fit.
    pub fn new(threshold: usize) -> Self {
        assert_eq!(C, A + 1, "count of a FIFO of 2^{A} words has {} bits, not {C}", A + 1);
        assert!(threshold <= 1 << A, "threshold {threshold} of a FIFO of {} words", 1 << A);
        Self {
            clk: Default::default(),
            rst: Default::default(),
            in_valid: Default::default(),
            in_ready: Default::default(),
            in_data: Default::default(),
            out_valid: Default::default(),
            out_ready: Default::default(),
            out_data: Default::default(),
            count: Default::default(),
            almost_full: Default::default(),
            mem: Default::default(),
            head: Default::default(),
            tail: Default::default(),
            stored: Default::default(),
            total: Default::default(),
            ready: Default::default(),
            near: Default::default(),
            fetched: Default::default(),
            valid: Default::default(),
            data: Default::default(),
            take: Default::default(),
            give: Default::default(),
            load: Default::default(),
            fetch: Default::default(),
            total_next: Default::default(),
            capacity: Constant::new((1u64 << A).to_bits()),
            threshold: Constant::new((threshold as u64).to_bits()),
            module_name: ModuleName::new(format!("fifo_{}x{}", 1 << A, T::BITS)),
        }
    }
}

impl<T: Synth, const A: usize, const C: usize> Default for Fifo<T, A, C> {
    fn default() -> Self {
        Self::new(1 << A)
    }
}

impl<T: Synth, const A: usize, const C: usize> Logic for Fifo<T, A, C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, head, tail, stored, total, ready, near, fetched, valid, data);
        self.mem.clk.next = self.clk.val();
        self.in_ready.next = self.ready.q.val();
        self.out_valid.next = self.valid.q.val();
        self.out_data.next = self.data.q.val();
        self.count.next = self.total.q.val();
        self.almost_full.next = self.near.q.val();

        self.take.next = self.in_valid.val() & self.ready.q.val();
        self.give.next = self.valid.q.val() & self.out_ready.val();
        self.load.next = self.fetched.q.val() & (!self.valid.q.val() | self.out_ready.val());
        self.fetch.next = self.stored.q.val().any() & (!self.fetched.q.val() | self.load.val());

        self.mem.we.next = self.take.val();
        self.mem.waddr.next = self.tail.q.val();
        self.mem.wdata.next = self.in_data.val();
        self.mem.re.next = self.fetch.val();
        self.mem.raddr.next = self.head.q.val();
        self.tail.d.next = self.tail.q.val() + self.take.val();
        self.head.d.next = self.head.q.val() + self.fetch.val();
        self.stored.d.next =
            self.stored.q.val() + self.take.val() - bit_cast::<C, 1>(self.fetch.val().into());

        self.fetched.d.next = self.fetch.val() | (self.fetched.q.val() & !self.load.val());
        self.valid.d.next = self.load.val() | (self.valid.q.val() & !self.out_ready.val());
        if self.load.val() {
            self.data.d.next = self.mem.rdata.val();
        }

        self.total_next.next =
            self.total.q.val() + self.take.val() - bit_cast::<C, 1>(self.give.val().into());
        if self.rst.val() {
            self.head.d.next = 0.into();
            self.tail.d.next = 0.into();
            self.stored.d.next = 0.into();
            self.fetched.d.next = false;
            self.valid.d.next = false;
            self.total_next.next = 0.into();
        }
        self.total.d.next = self.total_next.val();
        self.ready.d.next = (self.total_next.val() < self.capacity.val()) & !self.rst.val();
        self.near.d.next = self.total_next.val() >= self.threshold.val();
    }
}
