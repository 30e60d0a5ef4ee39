//! The next of some streams, in turn.

use super::super::path::find::LowestOf16;
use rust_hdl::prelude::*;

/// Combinational: the first candidate behind `after`, from the lowest again when there is none.
#[derive(LogicBlock, Default)]
pub struct Pick {
    /// Bit k: stream k is one.
    pub candidates: Signal<In, Bits<16>>,
    /// The stream chosen last.
    pub after: Signal<In, Bits<4>>,
    /// There is one.
    pub any: Signal<Out, Bit>,
    /// Its number; 0 if there is none.
    pub at: Signal<Out, Bits<4>>,
    behind: LowestOf16,
    all: LowestOf16,
}

impl Logic for Pick {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_msg_pick");
        self.all.lanes.next = self.candidates.val();
        self.behind.lanes.next = self.candidates.val() & (bits::<16>(0xFFFE) << self.after.val());
        self.any.next = self.all.any.val();
        self.at.next = self.all.at.val();
        if self.behind.any.val() {
            self.at.next = self.behind.at.val();
        }
    }
}
