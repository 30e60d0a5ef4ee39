//! Write side of the hold: what follows transport offset 48 goes into the ring, and is kept or given back
//! when the frame is judged.
//!
//! A word is written 1 cycle after the beat that completes it. At 512 bits that beat is the one behind, so a
//! frame's first word is written at least 2 cycles after its first beat: after the verdict on the frame
//! before, which may come in the cycle of that beat.
//! Doc `docs/blocks/rx-hold.md`.

use crate::generated::wire::HEADER_BITS;
use rust_hdl::prelude::*;

/// The write side: `W` data bits, ring pointers of `C` bits, the top one beside the address.
#[derive(LogicBlock)]
pub struct Store<const W: usize, const C: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// A beat of the transport packet, aligned to its first byte.
    pub p_tvalid: Signal<In, Bit>,
    /// Its bytes, byte 0 in the low lane.
    pub p_tdata: Signal<In, Bits<W>>,
    /// It is the packet's last.
    pub p_tlast: Signal<In, Bit>,
    /// Pulse: the frame is judged; its last word is written in this cycle at the latest.
    pub known: Signal<In, Bit>,
    /// Words of it that stay.
    pub keep: Signal<In, Bits<16>>,
    /// A word is written.
    pub we: Signal<Out, Bit>,
    /// The word.
    pub data: Signal<Out, Bits<W>>,
    /// Where it goes.
    pub write: Signal<Out, Bits<C>>,
    /// Where the frame that is not judged starts.
    first: DFF<Bits<C>>,
    next: DFF<Bits<C>>,
    beat: DFF<Bits<3>>,
    previous: DFF<Bits<W>>,
    begun: DFF<Bit>,
    flush: DFF<Bit>,
    store1: DFF<Bit>,
    word1: DFF<Bits<W>>,
    span: Signal<Local, Bits<C>>,
    fits: Signal<Local, Bit>,
    skip: Constant<Bits<3>>,
    wide: Constant<Bit>,
    most: Constant<Bits<C>>,
}

impl<const W: usize, const C: usize> Store<W, C> {
    /// A write side that takes at most `most` words of a frame.
    pub fn new(most: u64) -> Self {
        Self {
            clk: Default::default(),
            rst: Default::default(),
            p_tvalid: Default::default(),
            p_tdata: Default::default(),
            p_tlast: Default::default(),
            known: Default::default(),
            keep: Default::default(),
            we: Default::default(),
            data: Default::default(),
            write: Default::default(),
            first: Default::default(),
            next: Default::default(),
            beat: Default::default(),
            previous: Default::default(),
            begun: Default::default(),
            flush: Default::default(),
            store1: Default::default(),
            word1: Default::default(),
            span: Default::default(),
            fits: Default::default(),
            skip: Constant::new((HEADER_BITS / W as u64).to_bits()),
            wide: Constant::new(W == 512),
            most: Constant::new(most.to_bits()),
        }
    }
}

impl<const W: usize, const C: usize> Logic for Store<W, C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, first, next, beat, previous, begun, flush, store1, word1);

        // Offset 48 is at 64 bits a beat's first byte; at 512 it is inside the first beat, so each word
        // joins two beats.
        self.flush.d.next = false;
        if self.wide.val() {
            self.flush.d.next = self.p_tvalid.val() & self.p_tlast.val();
            self.store1.d.next = (self.p_tvalid.val() & self.begun.q.val()) | self.flush.q.val();
            self.word1.d.next = (self.previous.q.val() >> 384) | (self.p_tdata.val() << 128);
            if self.flush.q.val() {
                self.word1.d.next = self.previous.q.val() >> 384;
            }
        } else {
            self.store1.d.next = self.p_tvalid.val() & (self.beat.q.val() == self.skip.val());
            self.word1.d.next = self.p_tdata.val();
        }
        if self.p_tvalid.val() {
            self.previous.d.next = self.p_tdata.val();
            self.begun.d.next = !self.p_tlast.val();
            if self.beat.q.val() != self.skip.val() {
                self.beat.d.next = self.beat.q.val() + 1;
            }
            if self.p_tlast.val() {
                self.beat.d.next = 0.into();
            }
        }

        // Words beyond the longest payload are not written: the frame is refused.
        self.span.next = self.next.q.val() - self.first.q.val();
        self.fits.next = self.span.val() != self.most.val();
        self.we.next = self.store1.q.val() & self.fits.val();
        self.data.next = self.word1.q.val();
        self.write.next = self.next.q.val();
        if self.store1.q.val() & self.fits.val() {
            self.next.d.next = self.next.q.val() + 1;
        }
        if self.known.val() {
            self.first.d.next = self.first.q.val() + bit_cast::<C, 16>(self.keep.val());
            self.next.d.next = self.first.q.val() + bit_cast::<C, 16>(self.keep.val());
        }
        if self.rst.val() {
            self.first.d.next = 0.into();
            self.next.d.next = 0.into();
            self.beat.d.next = 0.into();
            self.begun.d.next = false;
            self.flush.d.next = false;
            self.store1.d.next = false;
        }
    }
}
