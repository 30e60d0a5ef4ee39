//! Searches and counts over 16 lanes, and the choice between two of their results. All combinational.

use rust_hdl::prelude::*;

/// The lowest set bit of 16.
#[derive(LogicBlock, Default)]
pub struct LowestOf16 {
    /// Lanes.
    pub lanes: Signal<In, Bits<16>>,
    /// One is set.
    pub any: Signal<Out, Bit>,
    /// The lowest that is; 0 if none is.
    pub at: Signal<Out, Bits<4>>,
    part: Signal<Local, Bits<4>>,
}

impl Logic for LowestOf16 {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_lowest_of_16");
        self.any.next = self.lanes.val().any();
        self.at.next = 0.into();
        self.part.next = 0.into();
        for n in 0..4 {
            self.part.next = self.lanes.val().get_bits::<4>(12 - 4 * n);
            if self.part.val().get_bit(0) {
                self.at.next = (12 - 4 * n).to_bits();
            } else if self.part.val().get_bit(1) {
                self.at.next = (13 - 4 * n).to_bits();
            } else if self.part.val().get_bit(2) {
                self.at.next = (14 - 4 * n).to_bits();
            } else if self.part.val().get_bit(3) {
                self.at.next = (15 - 4 * n).to_bits();
            }
        }
    }
}

/// The highest set bit of 16.
#[derive(LogicBlock, Default)]
pub struct HighestOf16 {
    /// Lanes.
    pub lanes: Signal<In, Bits<16>>,
    /// One is set.
    pub any: Signal<Out, Bit>,
    /// The highest that is; 0 if none is.
    pub at: Signal<Out, Bits<4>>,
    part: Signal<Local, Bits<4>>,
}

impl Logic for HighestOf16 {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_highest_of_16");
        self.any.next = self.lanes.val().any();
        self.at.next = 0.into();
        self.part.next = 0.into();
        for n in 0..4 {
            self.part.next = self.lanes.val().get_bits::<4>(4 * n);
            if self.part.val().get_bit(3) {
                self.at.next = (4 * n + 3).to_bits();
            } else if self.part.val().get_bit(2) {
                self.at.next = (4 * n + 2).to_bits();
            } else if self.part.val().get_bit(1) {
                self.at.next = (4 * n + 1).to_bits();
            } else if self.part.val().get_bit(0) {
                self.at.next = (4 * n).to_bits();
            }
        }
    }
}

/// How many of 16 are set.
#[derive(LogicBlock, Default)]
pub struct CountOf16 {
    /// Lanes.
    pub lanes: Signal<In, Bits<16>>,
    /// Count, 0 to 16.
    pub count: Signal<Out, Bits<5>>,
    sum: Signal<Local, Bits<5>>,
}

impl Logic for CountOf16 {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_count_of_16");
        self.sum.next = 0.into();
        for k in 0..16 {
            self.sum.next = self.sum.val() + self.lanes.val().get_bit(k);
        }
        self.count.next = self.sum.val();
    }
}

/// The first of four groups that found something, in two registered steps.
#[derive(LogicBlock, Default)]
pub struct FirstOf4 {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Group `k` found something.
    pub any: [Signal<In, Bit>; 4],
    /// Lane of it.
    pub at: [Signal<In, Bits<4>>; 4],
    /// A group did; two cycles later.
    pub found: Signal<Out, Bit>,
    /// The first of them; two cycles later.
    pub group: Signal<Out, Bits<2>>,
    /// Its lane; two cycles later.
    pub lane: Signal<Out, Bits<4>>,
    pair_any: [DFF<Bit>; 2],
    pair_odd: [DFF<Bit>; 2],
    pair_lane: [DFF<Bits<4>>; 2],
    found_q: DFF<Bit>,
    group_q: DFF<Bits<2>>,
    lane_q: DFF<Bits<4>>,
}

impl Logic for FirstOf4 {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_path_first_of_4");
        dff_setup!(self, clk, found_q, group_q, lane_q);
        for k in 0..2 {
            self.pair_any[k].clock.next = self.clk.val();
            self.pair_odd[k].clock.next = self.clk.val();
            self.pair_lane[k].clock.next = self.clk.val();
            self.pair_any[k].d.next = self.any[2 * k].val() | self.any[2 * k + 1].val();
            self.pair_odd[k].d.next = !self.any[2 * k].val();
            self.pair_lane[k].d.next = self.at[2 * k + 1].val();
            if self.any[2 * k].val() {
                self.pair_lane[k].d.next = self.at[2 * k].val();
            }
        }
        self.found_q.d.next = self.pair_any[0].q.val() | self.pair_any[1].q.val();
        self.group_q.d.next = bits::<2>(2).replace_bit(0, self.pair_odd[1].q.val());
        self.lane_q.d.next = self.pair_lane[1].q.val();
        if self.pair_any[0].q.val() {
            self.group_q.d.next = bits::<2>(0).replace_bit(0, self.pair_odd[0].q.val());
            self.lane_q.d.next = self.pair_lane[0].q.val();
        }
        self.found.next = self.found_q.q.val();
        self.group.next = self.group_q.q.val();
        self.lane.next = self.lane_q.q.val();
    }
}
