//! Tests the slot of a PSN and finds where cum goes when that PSN is at cum, one path per cycle, 256 lanes; a
//! part of the wide receive path engine.
//!
//! cum advances only when the PSN is cum. So the search starts at the PSN, whose lap is known before the map
//! is: groups of 16 slots from the PSN's group on are received at the PSN's lap, those below it at the next
//! lap. The new cum is the first slot after the PSN that is not received: in the PSN's own group above it,
//! else in the next groups in ring order, else in its own group from the bottom on (a full turn ends at the
//! PSN's slot). The result is meaningful only if the PSN was at cum.

use crate::rx::path::first_zero::FirstZero;
use rust_hdl::prelude::*;

/// Bit test and search of the wide engine.
#[derive(LogicBlock, Default)]
pub struct WideSearch {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Cycle 1: slot and lap of the PSN, psn[8:0].
    pub psn: Signal<In, Bits<9>>,
    /// Cycle 2: the path's map of lap bits.
    pub raw2: Signal<In, Bits<256>>,
    /// Cycle 3: the slot of the PSN is set on the PSN's own lap.
    pub received: Signal<Out, Bit>,
    /// Cycle 4: the path's map of lap bits.
    pub raw4: Signal<In, Bits<256>>,
    /// Cycle 4: the search goes past slot 255, so that the new cum is on the next lap.
    pub wrap: Signal<Out, Bit>,
    /// Cycle 5: the slot found, the low 8 bits of the new cum.
    pub found: Signal<Out, Bits<8>>,
    /// Cycle 5: it is not the one right after the PSN.
    pub far: Signal<Out, Bit>,
    above: FirstZero,
    ring: FirstZero,
    chosen: FirstZero,
    psn2: DFF<Bits<9>>,
    group_lap2: DFF<Bits<16>>,
    psn3: DFF<Bits<9>>,
    own3: DFF<Bits<16>>,
    any3: DFF<Bits<16>>,
    psn4: DFF<Bits<9>>,
    any_above4: DFF<Bit>,
    first_above4: DFF<Bits<4>>,
    turn4: DFF<Bit>,
    group4: DFF<Bits<4>>,
    lanes5: DFF<Bits<16>>,
    in_own5: DFF<Bit>,
    group5: DFF<Bits<4>>,
    first_above5: DFF<Bits<4>>,
    own_far5: DFF<Bit>,
    edge5: DFF<Bit>,
    group1: Signal<Local, Bits<4>>,
    group2: Signal<Local, Bits<4>>,
    own: Signal<Local, Bits<16>>,
    free: Signal<Local, Bits<16>>,
    group3: Signal<Local, Bits<4>>,
    lane3: Signal<Local, Bits<4>>,
    lanes3: Signal<Local, Bits<16>>,
    later: Signal<Local, Bits<16>>,
    candidates: Signal<Local, Bits<16>>,
    own_group4: Signal<Local, Bits<4>>,
    lane4: Signal<Local, Bits<4>>,
    lanes4: Signal<Local, Bits<16>>,
    lap4: Signal<Local, Bit>,
    reached: Signal<Local, Bits<16>>,
    next_lane: Signal<Local, Bits<4>>,
    next_group: Signal<Local, Bits<4>>,
}

impl Logic for WideSearch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module rx_path_wide_search");
        dff_setup!(
            self,
            clk,
            psn2,
            group_lap2,
            psn3,
            own3,
            any3,
            psn4,
            any_above4,
            first_above4,
            turn4,
            group4,
            lanes5,
            in_own5,
            group5,
            first_above5,
            own_far5,
            edge5
        );
        // Cycle 1: the lap at which the slots of each group are received, while the RAM is read.
        self.psn2.d.next = self.psn.val();
        self.group1.next = self.psn.val().get_bits::<4>(4);
        self.group_lap2.d.next = !(bits::<16>(0xFFFF) << self.group1.val());
        if self.psn.val().get_bit(8) {
            self.group_lap2.d.next = bits::<16>(0xFFFF) << self.group1.val();
        }

        // Cycle 2: the PSN's group, and which groups have a slot that is not received.
        self.psn3.d.next = self.psn2.q.val();
        self.group2.next = self.psn2.q.val().get_bits::<4>(4);
        self.own.next = 0.into();
        self.free.next = 0.into();
        for g in 0..16 {
            if self.group2.val() == g.to_bits() {
                self.own.next = self.raw2.val().get_bits::<16>(16 * g);
            }
            if self.group_lap2.q.val().get_bit(g) {
                self.free.next =
                    self.free.val().replace_bit(g, !self.raw2.val().get_bits::<16>(16 * g).all());
            } else {
                self.free.next = self.free.val().replace_bit(g, self.raw2.val().get_bits::<16>(16 * g).any());
            }
        }
        self.own3.d.next = self.own.val();
        self.any3.d.next = self.free.val();

        // Cycle 3: the bit test; the first free slot of the own group above the PSN; the next free group in
        // ring order, the own one last.
        self.group3.next = self.psn3.q.val().get_bits::<4>(4);
        self.lane3.next = self.psn3.q.val().get_bits::<4>(0);
        self.received.next =
            !(self.own3.q.val().get_bit(self.lane3.val().index()) ^ self.psn3.q.val().get_bit(8));
        self.lanes3.next = !self.own3.q.val();
        if self.psn3.q.val().get_bit(8) {
            self.lanes3.next = self.own3.q.val();
        }
        self.above.lanes.next = self.lanes3.val() | !(bits::<16>(0xFFFE) << self.lane3.val());
        self.later.next = self.any3.q.val() & (bits::<16>(0xFFFE) << self.group3.val());
        self.candidates.next = self.later.val();
        if !self.later.val().any() {
            self.candidates.next = self.any3.q.val() | (bits::<16>(1) << self.group3.val());
        }
        self.ring.lanes.next = !self.candidates.val();
        self.psn4.d.next = self.psn3.q.val();
        self.any_above4.d.next = self.above.any.val();
        self.first_above4.d.next = self.above.first.val();
        self.turn4.d.next = !self.later.val().any();
        self.group4.d.next = self.ring.first.val();

        // Cycle 4: the lanes of that group, as received or not. Back in the own group only those below the
        // PSN count.
        self.wrap.next = self.turn4.q.val() & !self.any_above4.q.val();
        self.own_group4.next = self.psn4.q.val().get_bits::<4>(4);
        self.lane4.next = self.psn4.q.val().get_bits::<4>(0);
        self.lap4.next = self.psn4.q.val().get_bit(8) ^ self.turn4.q.val();
        self.lanes4.next = 0.into();
        for g in 0..16 {
            if self.group4.q.val() == g.to_bits() {
                self.lanes4.next = self.raw4.val().get_bits::<16>(16 * g);
            }
        }
        self.reached.next = !self.lanes4.val();
        if self.lap4.val() {
            self.reached.next = self.lanes4.val();
        }
        self.lanes5.d.next = self.reached.val();
        if self.group4.q.val() == self.own_group4.val() {
            self.lanes5.d.next = self.reached.val() & !(bits::<16>(0xFFFF) << self.lane4.val());
        }
        self.in_own5.d.next = self.any_above4.q.val();
        self.first_above5.d.next = self.first_above4.q.val();
        self.group5.d.next = self.group4.q.val();
        if self.any_above4.q.val() {
            self.group5.d.next = self.own_group4.val();
        }
        self.next_lane.next = self.lane4.val() + 1;
        self.own_far5.d.next = self.first_above4.q.val() != self.next_lane.val();
        self.next_group.next = self.own_group4.val() + 1;
        self.edge5.d.next = self.lane4.val().all() & (self.group4.q.val() == self.next_group.val());

        // Cycle 5: the first free slot. Right after the PSN means the next lane, or lane 0 of the next group.
        self.chosen.lanes.next = self.lanes5.q.val();
        self.found.next =
            (bit_cast::<8, 4>(self.group5.q.val()) << 4) | bit_cast::<8, 4>(self.chosen.first.val());
        self.far.next = !self.edge5.q.val() | self.lanes5.q.val().get_bit(0);
        if self.in_own5.q.val() {
            self.found.next =
                (bit_cast::<8, 4>(self.group5.q.val()) << 4) | bit_cast::<8, 4>(self.first_above5.q.val());
            self.far.next = self.own_far5.q.val();
        }
    }
}
