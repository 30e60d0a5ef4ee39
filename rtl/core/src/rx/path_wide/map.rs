//! Normal form and update of one path's ring map per cycle, 256 lanes; a part of the wide receive path
//! engine.
//!
//! Slots hold lap bits, as in the engine of 64 lanes (`rx::path`): slot `p mod 256` equals `p[8]` when, and
//! only when, PSN `p` in [cum, cum + 256) is received. An accept inverts one slot; INIT writes all. The map
//! comes out of its RAM in cycle 1, is given to the search in cycles 2 and 4, and leaves in cycle 6.

use rust_hdl::prelude::*;

/// Map pipeline of the wide engine.
#[derive(LogicBlock, Default)]
pub struct WideMap {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Cycle 1: the map, out of its RAM.
    pub raw: Signal<In, Bits<256>>,
    /// Cycle 2: the map.
    pub raw2: Signal<Out, Bits<256>>,
    /// Cycle 2: slot and lap of cum; for INIT, of the first PSN.
    pub base: Signal<In, Bits<9>>,
    /// Cycle 4: the map.
    pub raw4: Signal<Out, Bits<256>>,
    /// Cycle 4: slot of the PSN.
    pub slot: Signal<In, Bits<8>>,
    /// Cycle 4: the PSN is accepted.
    pub accept: Signal<In, Bit>,
    /// Cycle 4: INIT.
    pub init: Signal<In, Bit>,
    /// Cycle 6: the map after the operation.
    pub written: Signal<Out, Bits<256>>,
    /// Cycle 6: the map before the operation in normal form (bit = received, 0 at cum); empty for INIT.
    pub sack: Signal<Out, Bits<256>>,
    map2: DFF<Bits<256>>,
    map3: DFF<Bits<256>>,
    own3: DFF<Bits<16>>,
    group_lap3: DFF<Bits<16>>,
    lane_lap3: DFF<Bits<16>>,
    lap3: DFF<Bit>,
    map4: DFF<Bits<256>>,
    own4: DFF<Bits<16>>,
    group_lap4: DFF<Bits<16>>,
    lane_lap4: DFF<Bits<16>>,
    lap4: DFF<Bit>,
    map5: DFF<Bits<256>>,
    own5: DFF<Bits<16>>,
    group_lap5: DFF<Bits<16>>,
    lane_lap5: DFF<Bits<16>>,
    init5: DFF<Bit>,
    group5: DFF<Bits<16>>,
    lane5: DFF<Bits<16>>,
    fill5: DFF<Bits<16>>,
    written6: DFF<Bits<256>>,
    sack6: DFF<Bits<256>>,
    base_group: Signal<Local, Bits<4>>,
    base_lane: Signal<Local, Bits<4>>,
    slot_group: Signal<Local, Bits<4>>,
    slot_lane: Signal<Local, Bits<4>>,
    changed: Signal<Local, Bits<256>>,
    normal: Signal<Local, Bits<256>>,
}

impl Logic for WideMap {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module rx_path_wide_map");
        dff_setup!(
            self, clk, map2, map3, own3, group_lap3, lane_lap3, lap3, map4, own4, group_lap4, lane_lap4,
            lap4, map5, own5, group_lap5, lane_lap5, init5, group5, lane5, fill5, written6, sack6
        );
        // Cycle 1: the RAM's output is slow, so a register and nothing else.
        self.map2.d.next = self.raw.val();
        self.raw2.next = self.map2.q.val();

        // Cycle 2: the lap that each slot has when received: that of `base` from `base` on, else its inverse;
        // per group of 16, and per lane in the group of `base`.
        self.map3.d.next = self.map2.q.val();
        self.base_group.next = self.base.val().get_bits::<4>(4);
        self.base_lane.next = self.base.val().get_bits::<4>(0);
        self.own3.d.next = bits::<16>(1) << self.base_group.val();
        self.lap3.d.next = self.base.val().get_bit(8);
        self.group_lap3.d.next = !(bits::<16>(0xFFFF) << self.base_group.val());
        self.lane_lap3.d.next = !(bits::<16>(0xFFFF) << self.base_lane.val());
        if self.base.val().get_bit(8) {
            self.group_lap3.d.next = bits::<16>(0xFFFF) << self.base_group.val();
            self.lane_lap3.d.next = bits::<16>(0xFFFF) << self.base_lane.val();
        }

        // Cycle 3.
        self.map4.d.next = self.map3.q.val();
        self.own4.d.next = self.own3.q.val();
        self.group_lap4.d.next = self.group_lap3.q.val();
        self.lane_lap4.d.next = self.lane_lap3.q.val();
        self.lap4.d.next = self.lap3.q.val();

        // Cycle 4: what to invert. REQ-RX-2: the bit is set.
        self.raw4.next = self.map4.q.val();
        self.map5.d.next = self.map4.q.val();
        self.own5.d.next = self.own4.q.val();
        self.group_lap5.d.next = self.group_lap4.q.val();
        self.lane_lap5.d.next = self.lane_lap4.q.val();
        self.init5.d.next = self.init.val();
        self.slot_group.next = self.slot.val().get_bits::<4>(4);
        self.slot_lane.next = self.slot.val().get_bits::<4>(0);
        self.group5.d.next = 0.into();
        if self.accept.val() {
            self.group5.d.next = bits::<16>(1) << self.slot_group.val();
        }
        self.lane5.d.next = bits::<16>(1) << self.slot_lane.val();
        self.fill5.d.next = 0.into();
        if self.init.val() {
            // Nothing received: each slot is the inverse of its lap. The group of the first PSN has both
            // laps: its lanes below that PSN are inverted back.
            self.map5.d.next = 0.into();
            self.fill5.d.next = !self.group_lap4.q.val();
            self.group5.d.next = self.own4.q.val();
            self.lane5.d.next = self.lane_lap4.q.val();
            if self.lap4.q.val() {
                self.lane5.d.next = !self.lane_lap4.q.val();
            }
        }

        // Cycle 5.
        self.changed.next = 0.into();
        self.normal.next = 0.into();
        for g in 0..16 {
            for k in 0..16 {
                self.changed.next = self.changed.val().replace_bit(
                    16 * g + k,
                    self.map5.q.val().get_bit(16 * g + k)
                        ^ (self.group5.q.val().get_bit(g) & self.lane5.q.val().get_bit(k))
                        ^ self.fill5.q.val().get_bit(g),
                );
                if self.own5.q.val().get_bit(g) {
                    self.normal.next = self.normal.val().replace_bit(
                        16 * g + k,
                        !(self.map5.q.val().get_bit(16 * g + k) ^ self.lane_lap5.q.val().get_bit(k)),
                    );
                } else {
                    self.normal.next = self.normal.val().replace_bit(
                        16 * g + k,
                        !(self.map5.q.val().get_bit(16 * g + k) ^ self.group_lap5.q.val().get_bit(g)),
                    );
                }
            }
        }
        self.written6.d.next = self.changed.val();
        self.sack6.d.next = self.normal.val();
        if self.init5.q.val() {
            self.sack6.d.next = 0.into();
        }

        // Cycle 6.
        self.written.next = self.written6.q.val();
        self.sack.next = self.sack6.q.val();
    }
}
