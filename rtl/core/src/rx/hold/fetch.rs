//! Read side of the hold: the payload of the oldest frame leaves, or is jumped over, when the frame's
//! disposition comes.
//!
//! 6 cycles from a disposition to the first beat, then one beat per cycle. Doc `docs/blocks/rx-hold.md`.

use crate::rx::rows::Disposition;
use heddle_emit::prims::{Fifo, Skid};
use rust_hdl::prelude::*;

/// The read side: `W` data bits, ring pointers of `C` bits, the top one beside the address.
#[derive(LogicBlock)]
pub struct Fetch<const W: usize, const C: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// Pulse: a disposition, with the beats of its frame. At most 16 more than `begin` pulses.
    pub x_valid: Signal<In, Bit>,
    /// The disposition.
    pub x: Signal<In, Disposition>,
    /// Pulse: a disposition takes effect.
    pub begin: Signal<Out, Bit>,
    /// A beat is read.
    pub re: Signal<Out, Bit>,
    /// Where it is read.
    pub read: Signal<Out, Bits<C>>,
    /// The beat, one cycle after `re`, and as long as `re` is low.
    pub rdata: Signal<In, Bits<W>>,
    /// A payload beat is offered.
    pub d_valid: Signal<Out, Bit>,
    /// It is taken.
    pub d_ready: Signal<In, Bit>,
    /// Payload, byte 0 in the low lane.
    pub d_data: Signal<Out, Bits<W>>,
    /// The beat is of an ACK.
    pub d_ack: Signal<Out, Bit>,
    dispositions: Fifo<Disposition, 4, 5>,
    out: Skid<Bits<W>>,
    out_ack: Skid<Bit>,
    at: DFF<Bits<C>>,
    left: DFF<Bits<16>>,
    /// `left` is not 0.
    reading: DFF<Bit>,
    ack: DFF<Bit>,
    fetched: DFF<Bit>,
    fetched_ack: DFF<Bit>,
    head: Signal<Local, Disposition>,
    start: Signal<Local, Bit>,
    step: Signal<Local, Bit>,
}

impl<const W: usize, const C: usize> Default for Fetch<W, C> {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            rst: Default::default(),
            x_valid: Default::default(),
            x: Default::default(),
            begin: Default::default(),
            re: Default::default(),
            read: Default::default(),
            rdata: Default::default(),
            d_valid: Default::default(),
            d_ready: Default::default(),
            d_data: Default::default(),
            d_ack: Default::default(),
            dispositions: Fifo::new(16),
            out: Default::default(),
            out_ack: Default::default(),
            at: Default::default(),
            left: Default::default(),
            reading: Default::default(),
            ack: Default::default(),
            fetched: Default::default(),
            fetched_ack: Default::default(),
            head: Default::default(),
            start: Default::default(),
            step: Default::default(),
        }
    }
}

impl<const W: usize, const C: usize> Logic for Fetch<W, C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, at, left, reading, ack, fetched, fetched_ack);
        self.dispositions.clk.next = self.clk.val();
        self.dispositions.rst.next = self.rst.val();
        self.out.clk.next = self.clk.val();
        self.out.rst.next = self.rst.val();
        self.out_ack.clk.next = self.clk.val();
        self.out_ack.rst.next = self.rst.val();
        self.dispositions.in_valid.next = self.x_valid.val();
        self.dispositions.in_data.next = self.x.val();

        // The next frame begins when the last one's beats are read: its beats are read, or jumped over.
        self.head.next = self.dispositions.out_data.val();
        self.start.next = !self.reading.q.val() & self.dispositions.out_valid.val();
        self.begin.next = self.start.val();
        self.dispositions.out_ready.next = !self.reading.q.val();
        self.step.next = self.reading.q.val() & self.out.in_ready.val();
        self.re.next = self.step.val();
        self.read.next = self.at.q.val();
        if self.step.val() {
            self.at.d.next = self.at.q.val() + 1;
            self.left.d.next = self.left.q.val() - 1;
            self.reading.d.next = self.left.q.val() != 1;
        }
        if self.start.val() {
            self.ack.d.next = self.head.val().ack;
            if self.head.val().take {
                self.left.d.next = self.head.val().beats;
                self.reading.d.next = self.head.val().beats.any();
            } else {
                self.at.d.next = self.at.q.val() + bit_cast::<C, 16>(self.head.val().beats);
            }
        }

        // The pipeline of one beat moves while the skid buffer has room.
        if self.out.in_ready.val() {
            self.fetched.d.next = self.step.val();
            self.fetched_ack.d.next = self.ack.q.val();
        }
        self.out.in_valid.next = self.fetched.q.val();
        self.out.in_data.next = self.rdata.val();
        self.d_valid.next = self.out.out_valid.val();
        self.d_data.next = self.out.out_data.val();
        self.out.out_ready.next = self.d_ready.val();
        self.out_ack.in_valid.next = self.fetched.q.val();
        self.out_ack.in_data.next = self.fetched_ack.q.val();
        self.d_ack.next = self.out_ack.out_data.val();
        self.out_ack.out_ready.next = self.d_ready.val();
        if self.rst.val() {
            self.at.d.next = 0.into();
            self.reading.d.next = false;
            self.fetched.d.next = false;
        }
    }
}
