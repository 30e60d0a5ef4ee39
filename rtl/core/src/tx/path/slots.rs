//! Who is where in the pipeline: the four-cycle beat, the paths and SACK slots of the operations under
//! way, and the scoreboard that keeps two operations of one path apart.

use rust_hdl::prelude::*;

/// Slots of the pipeline, each held for four cycles. With c the cycle in which an operation is taken: its
/// row is read in c + 1, checked from c + 3, its maps are read from c + 9 on, its results leave in c +
/// 20.
#[derive(LogicBlock, Default)]
pub struct Slots<const PW: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset: nothing is under way.
    pub rst: Signal<In, Bit>,
    /// An operation is there.
    pub in_valid: Signal<In, Bit>,
    /// It is taken.
    pub in_ready: Signal<Out, Bit>,
    /// Its path.
    pub in_path: Signal<In, Bits<PW>>,
    /// It is an ACK.
    pub in_ack: Signal<In, Bit>,
    /// SACK words of the next ACK are here.
    pub sack_here: Signal<In, Bit>,
    /// Slot of these words.
    pub sack_slot: Signal<In, Bits<2>>,
    /// These words are taken.
    pub sack_take: Signal<Out, Bit>,
    /// Beat: this is cycle c, c + 4, c + 8 and so on.
    pub at0: Signal<Out, Bit>,
    /// One later.
    pub at1: Signal<Out, Bit>,
    /// Two later.
    pub at2: Signal<Out, Bit>,
    /// Three later.
    pub at3: Signal<Out, Bit>,
    /// Word checked, 0 in c + 3.
    pub check_word: Signal<Out, Bits<2>>,
    /// Step through the map words, 0 in c + 9.
    pub map_step: Signal<Out, Bits<2>>,
    /// Path whose row is read, from c + 1.
    pub row_path: Signal<Out, Bits<PW>>,
    /// SACK slot of the check, from c + 3.
    pub check_slot: Signal<Out, Bits<2>>,
    /// An operation is at the maps, from c + 9.
    pub map_valid: Signal<Out, Bit>,
    /// Its path.
    pub map_path: Signal<Out, Bits<PW>>,
    /// Its SACK slot.
    pub map_slot: Signal<Out, Bits<2>>,
    /// Results leave, in c + 20 for one cycle.
    pub out_valid: Signal<Out, Bit>,
    /// Their path.
    pub out_path: Signal<Out, Bits<PW>>,
    phase: DFF<Bits<2>>,
    check_q: DFF<Bits<2>>,
    step_q: DFF<Bits<2>>,
    v1: DFF<Bit>,
    v2: DFF<Bit>,
    v3: DFF<Bit>,
    v4: DFF<Bit>,
    v5: DFF<Bit>,
    v6: DFF<Bit>,
    v7: DFF<Bit>,
    path1: DFF<Bits<PW>>,
    path2: DFF<Bits<PW>>,
    path3: DFF<Bits<PW>>,
    path4: DFF<Bits<PW>>,
    path5: DFF<Bits<PW>>,
    path6: DFF<Bits<PW>>,
    path7: DFF<Bits<PW>>,
    slot1: DFF<Bits<2>>,
    slot2: DFF<Bits<2>>,
    slot3: DFF<Bits<2>>,
    slot4: DFF<Bits<2>>,
    busy: Signal<Local, Bit>,
    ready: Signal<Local, Bit>,
    go: Signal<Local, Bit>,
    load0: Signal<Local, Bit>,
    load2: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
}

impl<const PW: usize> Logic for Slots<PW> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_slots");
        dff_setup!(self, clk, phase, check_q, step_q, v1, v2, v3, v4, v5, v6, v7);
        dff_setup!(self, clk, path1, path2, path3, path4, path5, path6, path7, slot1, slot2, slot3, slot4);

        self.phase.d.next = self.phase.q.val() + 1;
        self.check_q.d.next = self.phase.q.val() + 2;
        self.step_q.d.next = self.phase.q.val();
        self.load0.next = self.phase.q.val() == 0;
        self.load2.next = self.phase.q.val() == 2;
        self.last.next = self.phase.q.val() == 3;
        self.at0.next = self.load0.val();
        self.at1.next = self.phase.q.val() == 1;
        self.at2.next = self.load2.val();
        self.at3.next = self.last.val();
        self.check_word.next = self.check_q.q.val();
        self.map_step.next = self.step_q.q.val();

        // What was taken 4, 8, 12 and 16 cycles ago is in slots 1, 3, 4 and 5 now; the row of the one
        // before that is written at the end of this cycle, in time for a read in the next.
        self.busy.next = (self.v1.q.val() & (self.path1.q.val() == self.in_path.val()))
            | (self.v3.q.val() & (self.path3.q.val() == self.in_path.val()))
            | (self.v4.q.val() & (self.path4.q.val() == self.in_path.val()))
            | (self.v5.q.val() & (self.path5.q.val() == self.in_path.val()));
        self.ready.next = self.load0.val() & !self.busy.val() & (self.sack_here.val() | !self.in_ack.val());
        self.in_ready.next = self.ready.val();
        self.go.next = self.in_valid.val() & self.ready.val();
        self.sack_take.next = self.go.val() & self.in_ack.val();

        if self.load0.val() {
            self.v1.d.next = self.go.val();
            self.path1.d.next = self.in_path.val();
            self.slot1.d.next = self.sack_slot.val();
        }
        if self.load2.val() {
            self.v2.d.next = self.v1.q.val();
            self.path2.d.next = self.path1.q.val();
            self.slot2.d.next = self.slot1.q.val();
            self.v3.d.next = self.v2.q.val();
            self.path3.d.next = self.path2.q.val();
            self.slot3.d.next = self.slot2.q.val();
        }
        if self.load0.val() {
            self.v4.d.next = self.v3.q.val();
            self.path4.d.next = self.path3.q.val();
            self.slot4.d.next = self.slot3.q.val();
            self.v5.d.next = self.v4.q.val();
            self.path5.d.next = self.path4.q.val();
            self.v6.d.next = self.v5.q.val();
            self.path6.d.next = self.path5.q.val();
        }
        self.v7.d.next = self.v6.q.val() & self.last.val();
        self.path7.d.next = self.path6.q.val();

        self.row_path.next = self.path1.q.val();
        self.check_slot.next = self.slot2.q.val();
        self.map_valid.next = self.v4.q.val();
        self.map_path.next = self.path4.q.val();
        self.map_slot.next = self.slot4.q.val();
        self.out_valid.next = self.v7.q.val();
        self.out_path.next = self.path7.q.val();

        if self.rst.val() {
            self.phase.d.next = 0.into();
            self.check_q.d.next = 1.into();
            self.step_q.d.next = 3.into();
            self.v1.d.next = false;
            self.v2.d.next = false;
            self.v3.d.next = false;
            self.v4.d.next = false;
            self.v5.d.next = false;
            self.v6.d.next = false;
            self.v7.d.next = false;
        }
    }
}
