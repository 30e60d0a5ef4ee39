//! Sixteen lanes of the map maths: masks and planes in, new planes one cycle later, what they sum up to
//! two cycles later. One word of four such groups per cycle.

use super::find::{CountOf16, HighestOf16, LowestOf16};
use super::row::Rules;
use rust_hdl::prelude::*;

/// Sixteen lanes.
#[derive(LogicBlock, Default)]
pub struct Lanes {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Plane `acked`.
    pub acked: Signal<In, Bits<16>>,
    /// Plane `resent`.
    pub resent: Signal<In, Bits<16>>,
    /// Plane `mixed`: lost where `resent` is 0, old where it is 1.
    pub mixed: Signal<In, Bits<16>>,
    /// Behind the new `base`.
    pub clear: Signal<In, Bits<16>>,
    /// To be marked lost.
    pub mark: Signal<In, Bits<16>>,
    /// Inside the window after the operation.
    pub open: Signal<In, Bits<16>>,
    /// SACK bits.
    pub sack: Signal<In, Bits<16>>,
    /// The slot resent.
    pub hit: Signal<In, Bits<16>>,
    /// At or after `base` in ring order, not in the wrapped part of the first word.
    pub ahead: Signal<In, Bits<16>>,
    /// How lanes change; the same for all lanes of an operation, one cycle later than the planes.
    pub rules: Signal<In, Rules>,
    /// New plane `acked`, two cycles after the old one.
    pub new_acked: Signal<Out, Bits<16>>,
    /// New plane `resent`, two cycles after the old one.
    pub new_resent: Signal<Out, Bits<16>>,
    /// New plane `mixed`, two cycles after the old one.
    pub new_mixed: Signal<Out, Bits<16>>,
    /// A lost lane ahead.
    pub lost_ahead: Signal<Out, Bit>,
    /// The lowest of them.
    pub lost_ahead_at: Signal<Out, Bits<4>>,
    /// A lost lane behind.
    pub lost_behind: Signal<Out, Bit>,
    /// The lowest of them.
    pub lost_behind_at: Signal<Out, Bits<4>>,
    /// An unreceived lane ahead.
    pub open_ahead: Signal<Out, Bit>,
    /// The highest of them.
    pub open_ahead_at: Signal<Out, Bits<4>>,
    /// An unreceived lane behind.
    pub open_behind: Signal<Out, Bit>,
    /// The highest of them.
    pub open_behind_at: Signal<Out, Bits<4>>,
    /// Newly received lanes.
    pub newly: Signal<Out, Bits<5>>,
    /// Lost lanes.
    pub waiting: Signal<Out, Bits<5>>,
    /// A resent lane.
    pub resent_any: Signal<Out, Bit>,
    /// An old lane.
    pub old_any: Signal<Out, Bit>,
    acked_in_q: DFF<Bits<16>>,
    resent_in_q: DFF<Bits<16>>,
    mixed_in_q: DFF<Bits<16>>,
    clear_q: DFF<Bits<16>>,
    mark_q: DFF<Bits<16>>,
    window_q: DFF<Bits<16>>,
    sack_q: DFF<Bits<16>>,
    hit_q: DFF<Bits<16>>,
    ahead_in_q: DFF<Bits<16>>,
    acked_q: DFF<Bits<16>>,
    resent_q: DFF<Bits<16>>,
    lost_q: DFF<Bits<16>>,
    old_q: DFF<Bits<16>>,
    newly_lanes: DFF<Bits<16>>,
    open_q: DFF<Bits<16>>,
    ahead_q: DFF<Bits<16>>,
    lost_ahead_q: DFF<Bit>,
    lost_ahead_at_q: DFF<Bits<4>>,
    lost_behind_q: DFF<Bit>,
    lost_behind_at_q: DFF<Bits<4>>,
    open_ahead_q: DFF<Bit>,
    open_ahead_at_q: DFF<Bits<4>>,
    open_behind_q: DFF<Bit>,
    open_behind_at_q: DFF<Bits<4>>,
    newly_q: DFF<Bits<5>>,
    waiting_q: DFF<Bits<5>>,
    resent_any_q: DFF<Bit>,
    old_any_q: DFF<Bit>,
    received: Signal<Local, Bits<16>>,
    resent_in: Signal<Local, Bits<16>>,
    lost_in: Signal<Local, Bits<16>>,
    old_in: Signal<Local, Bits<16>>,
    taken: Signal<Local, Bits<16>>,
    marked: Signal<Local, Bits<16>>,
    started: Signal<Local, Bits<16>>,
    low_ahead: LowestOf16,
    low_behind: LowestOf16,
    high_ahead: HighestOf16,
    high_behind: HighestOf16,
    count_newly: CountOf16,
    count_lost: CountOf16,
}

impl Logic for Lanes {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_lanes");
        dff_setup!(self, clk, acked_in_q, resent_in_q, mixed_in_q, clear_q, mark_q, window_q, sack_q);
        dff_setup!(self, clk, hit_q, ahead_in_q, acked_q, resent_q, lost_q, old_q, newly_lanes);
        dff_setup!(self, clk, open_q, ahead_q, lost_ahead_q, lost_ahead_at_q, lost_behind_q);
        dff_setup!(self, clk, lost_behind_at_q, open_ahead_q, open_ahead_at_q, open_behind_q);
        dff_setup!(self, clk, open_behind_at_q, newly_q, waiting_q, resent_any_q, old_any_q);
        self.acked_in_q.d.next = self.acked.val();
        self.resent_in_q.d.next = self.resent.val();
        self.mixed_in_q.d.next = self.mixed.val();
        self.clear_q.d.next = self.clear.val();
        self.mark_q.d.next = self.mark.val();
        self.window_q.d.next = self.open.val();
        self.sack_q.d.next = self.sack.val();
        self.hit_q.d.next = self.hit.val();
        self.ahead_in_q.d.next = self.ahead.val();

        // Planes before.
        self.resent_in.next = self.resent_in_q.q.val();
        self.lost_in.next = !self.resent_in_q.q.val() & self.mixed_in_q.q.val();
        self.old_in.next = self.resent_in_q.q.val() & self.mixed_in_q.q.val();
        if self.rules.val().sync {
            self.old_in.next = self.resent_in_q.q.val();
        }
        self.received.next = self.acked_in_q.q.val() | self.sack_q.q.val() | self.clear_q.q.val();

        // Rounds of resends given up, and packets marked lost unless resent.
        self.taken.next = 0.into();
        if self.rules.val().take_resent {
            self.taken.next = self.resent_in.val();
        } else if self.rules.val().take_old {
            self.taken.next = self.old_in.val();
        }
        self.marked.next = self.mark_q.q.val() & !self.resent_in.val();
        if self.rules.val().force {
            self.marked.next = self.mark_q.q.val();
        }
        self.started.next = 0.into();
        if self.rules.val().start_old {
            self.started.next = self.hit_q.q.val();
        }

        // Planes after. A slot resent leaves every plane first, then joins resent, and old if that was empty.
        self.acked_q.d.next = self.received.val() & !self.clear_q.q.val();
        self.lost_q.d.next = (self.lost_in.val() | self.marked.val() | self.taken.val())
            & !self.received.val()
            & !self.hit_q.q.val();
        self.resent_q.d.next = self.hit_q.q.val();
        self.old_q.d.next = self.started.val();
        if !self.rules.val().forget {
            self.resent_q.d.next =
                (self.resent_in.val() & !self.taken.val() & !self.received.val()) | self.hit_q.q.val();
            self.old_q.d.next =
                (self.old_in.val() & !self.taken.val() & !self.received.val() & !self.hit_q.q.val())
                    | self.started.val();
        }
        self.newly_lanes.d.next = (self.sack_q.q.val() | self.clear_q.q.val()) & !self.acked_in_q.q.val();
        self.open_q.d.next = self.window_q.q.val() & !self.received.val();
        self.ahead_q.d.next = self.ahead_in_q.q.val();
        self.new_acked.next = self.acked_q.q.val();
        self.new_resent.next = self.resent_q.q.val();
        self.new_mixed.next = self.lost_q.q.val() | self.old_q.q.val();

        // Sums.
        self.low_ahead.lanes.next = self.lost_q.q.val() & self.ahead_q.q.val();
        self.low_behind.lanes.next = self.lost_q.q.val() & !self.ahead_q.q.val();
        self.high_ahead.lanes.next = self.open_q.q.val() & self.ahead_q.q.val();
        self.high_behind.lanes.next = self.open_q.q.val() & !self.ahead_q.q.val();
        self.count_newly.lanes.next = self.newly_lanes.q.val();
        self.count_lost.lanes.next = self.lost_q.q.val();
        self.lost_ahead_q.d.next = self.low_ahead.any.val();
        self.lost_ahead_at_q.d.next = self.low_ahead.at.val();
        self.lost_behind_q.d.next = self.low_behind.any.val();
        self.lost_behind_at_q.d.next = self.low_behind.at.val();
        self.open_ahead_q.d.next = self.high_ahead.any.val();
        self.open_ahead_at_q.d.next = self.high_ahead.at.val();
        self.open_behind_q.d.next = self.high_behind.any.val();
        self.open_behind_at_q.d.next = self.high_behind.at.val();
        self.newly_q.d.next = self.count_newly.count.val();
        self.waiting_q.d.next = self.count_lost.count.val();
        self.resent_any_q.d.next = self.resent_q.q.val().any();
        self.old_any_q.d.next = self.old_q.q.val().any();
        self.lost_ahead.next = self.lost_ahead_q.q.val();
        self.lost_ahead_at.next = self.lost_ahead_at_q.q.val();
        self.lost_behind.next = self.lost_behind_q.q.val();
        self.lost_behind_at.next = self.lost_behind_at_q.q.val();
        self.open_ahead.next = self.open_ahead_q.q.val();
        self.open_ahead_at.next = self.open_ahead_at_q.q.val();
        self.open_behind.next = self.open_behind_q.q.val();
        self.open_behind_at.next = self.open_behind_at_q.q.val();
        self.newly.next = self.newly_q.q.val();
        self.waiting.next = self.waiting_q.q.val();
        self.resent_any.next = self.resent_any_q.q.val();
        self.old_any.next = self.old_any_q.q.val();
    }
}
