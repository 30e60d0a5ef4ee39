//! The sums of four words brought together: what is lost first, what is unreceived last, how many.

use super::row::{Tally, WordSum};
use rust_hdl::prelude::*;

/// Results of an operation. `sum` of word i arrives in cycle t + i; `tally` holds in cycle t + 4.
#[derive(LogicBlock, Default)]
pub struct Gather {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Sum of a word.
    pub sum: Signal<In, WordSum>,
    /// Natural number of that word.
    pub word: Signal<In, Bits<2>>,
    /// High in cycle t.
    pub fresh: Signal<In, Bit>,
    /// Results.
    pub tally: Signal<Out, Tally>,
    lost: DFF<Bit>,
    lost_at: DFF<Bits<8>>,
    lost_last: DFF<Bit>,
    lost_last_at: DFF<Bits<8>>,
    open: DFF<Bit>,
    open_at: DFF<Bits<8>>,
    open_last: DFF<Bit>,
    open_last_at: DFF<Bits<8>>,
    resent: DFF<Bit>,
    old: DFF<Bit>,
    newly: DFF<Bits<9>>,
    waiting: DFF<Bits<9>>,
    in_ring: Signal<Local, Bits<8>>,
}

impl Logic for Gather {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_gather");
        dff_setup!(self, clk, lost, lost_at, lost_last, lost_last_at, resent, old, newly, waiting);
        dff_setup!(self, clk, open, open_at, open_last, open_last_at);
        self.in_ring.next = bit_cast::<8, 2>(self.word.val()) << 6;
        self.lost.d.next = self.lost.q.val() | self.sum.val().lost_ahead;
        if !self.lost.q.val() | self.fresh.val() {
            self.lost_at.d.next = self.in_ring.val() | bit_cast::<8, 6>(self.sum.val().lost_ahead_at);
        }
        self.open.d.next = self.open.q.val() | self.sum.val().open_ahead;
        if self.sum.val().open_ahead {
            self.open_at.d.next = self.in_ring.val() | bit_cast::<8, 6>(self.sum.val().open_ahead_at);
        }
        self.resent.d.next = self.resent.q.val() | self.sum.val().resent_any;
        self.old.d.next = self.old.q.val() | self.sum.val().old_any;
        self.newly.d.next = self.newly.q.val() + bit_cast::<9, 7>(self.sum.val().newly);
        self.waiting.d.next = self.waiting.q.val() + bit_cast::<9, 7>(self.sum.val().waiting);
        if self.fresh.val() {
            self.lost.d.next = self.sum.val().lost_ahead;
            self.open.d.next = self.sum.val().open_ahead;
            self.resent.d.next = self.sum.val().resent_any;
            self.old.d.next = self.sum.val().old_any;
            self.newly.d.next = bit_cast::<9, 7>(self.sum.val().newly);
            self.waiting.d.next = bit_cast::<9, 7>(self.sum.val().waiting);
            // Only the first word has lanes behind base, and they are the last of the ring.
            self.lost_last.d.next = self.sum.val().lost_behind;
            self.lost_last_at.d.next = self.in_ring.val() | bit_cast::<8, 6>(self.sum.val().lost_behind_at);
            self.open_last.d.next = self.sum.val().open_behind;
            self.open_last_at.d.next = self.in_ring.val() | bit_cast::<8, 6>(self.sum.val().open_behind_at);
        }

        self.tally.next.lost_any = self.lost.q.val() | self.lost_last.q.val();
        self.tally.next.lost_low = self.lost_last_at.q.val();
        if self.lost.q.val() {
            self.tally.next.lost_low = self.lost_at.q.val();
        }
        self.tally.next.open_any = self.open.q.val() | self.open_last.q.val();
        self.tally.next.open_high = self.open_at.q.val();
        if self.open_last.q.val() {
            self.tally.next.open_high = self.open_last_at.q.val();
        }
        self.tally.next.resent_any = self.resent.q.val();
        self.tally.next.old_any = self.old.q.val();
        self.tally.next.newly = self.newly.q.val();
        self.tally.next.waiting = self.waiting.q.val();
    }
}
