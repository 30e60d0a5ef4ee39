//! The ring maps of all paths in block RAM, four words of 64 slots per path; a part of the receive path
//! engine.
//!
//! A slot holds a **lap bit** instead of "received": slot `p mod 256` is written with `p[8]` when PSN `p` is
//! received, so that `p` in [cum, cum + 256) is received when, and only when, its slot equals `p[8]`. When
//! cum passes a slot the slot stands for `p + 256`, whose lap bit is the inverse, and so reads as not
//! received: nothing is ever cleared, and an accept inverts one bit of one word. The slot of cum itself is
//! never received.
//!
//! Word `i` of an operation, i = 0..=3, is word (psn[7:6] + i) mod 4 of the path. It is addressed in cycle i,
//! is out of the RAM in cycle 1 + i, and in normal form (bit = received, 0 at cum) in cycle 4 + i. The word
//! of the PSN comes first because its bit decides; it is also the word of cum whenever cum advances, and so
//! the order is the ring order from cum. Words are written in cycle 5 + i: the first one, with one bit
//! inverted, on an accept; all four on INIT, with nothing received.
//!
//! An INIT reads as all zeros. Assumes that `path` and `psn` hold in cycles 1..=4 and `cum` in cycles 2..=5.

use heddle_emit::prims::SdpRamNc;
use rust_hdl::prelude::*;

/// Maps of 2^`PW` paths; `MW` is `PW` + 2, the width of a word's address.
#[derive(LogicBlock, Default)]
pub struct PathMap<const PW: usize, const MW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// An operation is offered; whether it is taken is known too late for the RAM.
    pub offer: Signal<In, Bit>,
    /// Its path.
    pub in_path: Signal<In, Bits<PW>>,
    /// The word of its PSN, psn[7:6].
    pub in_word: Signal<In, Bits<2>>,
    /// An operation is in one of the cycles 1..=3.
    pub moving: Signal<In, Bit>,
    /// Cycles 1..=4: path of the operation.
    pub path: Signal<In, Bits<PW>>,
    /// Cycles 1..=4: slot and lap of its PSN, psn[8:0].
    pub psn: Signal<In, Bits<9>>,
    /// Cycles 1..=4: the operation is INIT.
    pub init: Signal<In, Bit>,
    /// An operation is in cycle 1.
    pub in_cycle1: Signal<In, Bit>,
    /// Cycles 2..=5: slot and lap of the path's cum, cum[8:0].
    pub cum: Signal<In, Bits<9>>,
    /// An operation is in cycle 3.
    pub in_cycle3: Signal<In, Bit>,
    /// Cycle 3: the slot of the PSN is set on the PSN's own lap.
    pub received: Signal<Out, Bit>,
    /// An operation is in cycle 4 and accepts its PSN.
    pub accept: Signal<In, Bit>,
    /// An operation is in one of the cycles 4..=7: `word` is one of its words.
    pub valid: Signal<In, Bit>,
    /// Cycles 4..=7: number of the word in the ring.
    pub index: Signal<Out, Bits<2>>,
    /// Cycles 4..=7: the word before the operation, in normal form.
    pub word: Signal<Out, Bits<64>>,
    ram: SdpRamNc<Bits<64>, MW>,
    address1: DFF<Bits<2>>,
    raw2: DFF<Bits<64>>,
    index2: DFF<Bits<2>>,
    psn2: DFF<Bits<9>>,
    init2: DFF<Bit>,
    raw3: DFF<Bits<64>>,
    index3: DFF<Bits<2>>,
    init3: DFF<Bit>,
    received3: DFF<Bit>,
    own3: DFF<Bits<8>>,
    group_lap3: DFF<Bits<8>>,
    lane_lap3: DFF<Bits<8>>,
    lap3: DFF<Bit>,
    raw4: DFF<Bits<64>>,
    word4: DFF<Bits<64>>,
    index4: DFF<Bits<2>>,
    init4: DFF<Bit>,
    path4: DFF<Bits<PW>>,
    group4: DFF<Bits<8>>,
    lane4: DFF<Bits<8>>,
    fill4: DFF<Bits<8>>,
    we5: DFF<Bit>,
    path5: DFF<Bits<PW>>,
    index5: DFF<Bits<2>>,
    raw5: DFF<Bits<64>>,
    address: Signal<Local, Bits<2>>,
    row: Signal<Local, Bits<MW>>,
    slot: Signal<Local, Bits<6>>,
    base: Signal<Local, Bits<9>>,
    base_word: Signal<Local, Bits<2>>,
    base_group: Signal<Local, Bits<3>>,
    base_lane: Signal<Local, Bits<3>>,
    base_lap: Signal<Local, Bit>,
    home: Signal<Local, Bit>,
    behind: Signal<Local, Bit>,
    below: Signal<Local, Bits<8>>,
    own: Signal<Local, Bits<8>>,
    group_lap: Signal<Local, Bits<8>>,
    lane_lap: Signal<Local, Bits<8>>,
    psn_group: Signal<Local, Bits<3>>,
    psn_lane: Signal<Local, Bits<3>>,
    normal: Signal<Local, Bits<64>>,
    written: Signal<Local, Bits<64>>,
}

impl<const PW: usize, const MW: usize> Logic for PathMap<PW, MW> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module rx_path_map");
        dff_setup!(
            self, clk, address1, raw2, index2, psn2, init2, raw3, index3, init3, received3, own3, group_lap3,
            lane_lap3, lap3, raw4, word4, index4, init4, path4, group4, lane4, fill4, we5, path5, index5,
            raw5
        );
        self.ram.clk.next = self.clk.val();

        // Cycles 0..=3: addresses of the four words.
        self.address.next = self.in_word.val();
        self.row.next = bit_cast::<MW, PW>(self.in_path.val());
        if self.moving.val() {
            self.address.next = self.address1.q.val();
            self.row.next = bit_cast::<MW, PW>(self.path.val());
        }
        self.address1.d.next = self.address.val() + 1;
        // Not while a word of the path is written: then the path is busy, and the offer is not taken.
        self.ram.re.next = self.moving.val()
            | (self.offer.val() & !(self.we5.q.val() & (self.path5.q.val() == self.in_path.val())));
        self.ram.raddr.next = (self.row.val() << 2) | bit_cast::<MW, 2>(self.address.val());

        // Cycles 1..=4: the RAM's output is slow, so a register and nothing else.
        self.raw2.d.next = self.ram.rdata.val();
        self.index2.d.next = self.index2.q.val() + 1;
        if self.in_cycle1.val() {
            self.index2.d.next = self.psn.val().get_bits::<2>(6);
            self.psn2.d.next = self.psn.val();
            self.init2.d.next = self.init.val();
        }

        // Cycles 2..=5: the lap that each slot has when received: that of `base` from `base` on, else its
        // inverse. For INIT, `base` is the first PSN.
        self.raw3.d.next = self.raw2.q.val();
        self.index3.d.next = self.index2.q.val();
        self.init3.d.next = self.init2.q.val();
        self.slot.next = self.psn.val().get_bits::<6>(0);
        self.received3.d.next =
            !(self.raw2.q.val().get_bit(self.slot.val().index()) ^ self.psn.val().get_bit(8));
        self.base.next = self.cum.val();
        if self.init2.q.val() {
            self.base.next = self.psn2.q.val();
        }
        self.base_lap.next = self.base.val().get_bit(8);
        self.base_word.next = self.base.val().get_bits::<2>(6);
        self.base_group.next = self.base.val().get_bits::<3>(3);
        self.base_lane.next = self.base.val().get_bits::<3>(0);
        self.home.next = self.index2.q.val() == self.base_word.val();
        self.behind.next = self.index2.q.val() < self.base_word.val();
        self.lap3.d.next = self.base_lap.val();
        self.below.next = !(bits::<8>(0xFF) << self.base_group.val());
        self.own.next = 0.into();
        self.group_lap.next = 0.into();
        if self.base_lap.val() {
            self.group_lap.next = 0xFF.into();
        }
        if self.home.val() {
            self.own.next = bits::<8>(1) << self.base_group.val();
            self.group_lap.next = self.group_lap.val() ^ self.below.val();
        }
        if self.behind.val() {
            self.group_lap.next = !self.group_lap.val();
        }
        self.lane_lap.next = !(bits::<8>(0xFF) << self.base_lane.val());
        if self.base_lap.val() {
            self.lane_lap.next = bits::<8>(0xFF) << self.base_lane.val();
        }
        self.own3.d.next = self.own.val();
        self.group_lap3.d.next = self.group_lap.val();
        self.lane_lap3.d.next = self.lane_lap.val();

        // Cycles 3..=6: normal form; what to invert in the word, should it be written.
        self.raw4.d.next = self.raw3.q.val();
        self.index4.d.next = self.index3.q.val();
        self.init4.d.next = self.init3.q.val();
        if self.in_cycle3.val() {
            self.path4.d.next = self.path.val();
        }
        self.normal.next = 0.into();
        for g in 0..8 {
            for k in 0..8 {
                if self.own3.q.val().get_bit(g) {
                    self.normal.next = self.normal.val().replace_bit(
                        8 * g + k,
                        !(self.raw3.q.val().get_bit(8 * g + k) ^ self.lane_lap3.q.val().get_bit(k)),
                    );
                } else {
                    self.normal.next = self.normal.val().replace_bit(
                        8 * g + k,
                        !(self.raw3.q.val().get_bit(8 * g + k) ^ self.group_lap3.q.val().get_bit(g)),
                    );
                }
            }
        }
        self.word4.d.next = self.normal.val();
        self.fill4.d.next = 0.into();
        self.psn_group.next = self.psn.val().get_bits::<3>(3);
        self.psn_lane.next = self.psn.val().get_bits::<3>(0);
        self.group4.d.next = bits::<8>(1) << self.psn_group.val();
        self.lane4.d.next = bits::<8>(1) << self.psn_lane.val();
        if self.init3.q.val() {
            // Nothing received: each slot is the inverse of its lap. The group of the first PSN has both
            // laps: its lanes below that PSN are inverted back.
            self.raw4.d.next = 0.into();
            self.word4.d.next = 0.into();
            self.fill4.d.next = !self.group_lap3.q.val();
            self.group4.d.next = self.own3.q.val();
            self.lane4.d.next = self.lane_lap3.q.val();
            if self.lap3.q.val() {
                self.lane4.d.next = !self.lane_lap3.q.val();
            }
        }
        self.received.next = self.received3.q.val();

        // Cycles 4..=7: REQ-RX-2: the bit is set.
        self.we5.d.next = self.accept.val() | (self.valid.val() & self.init4.q.val());
        self.path5.d.next = self.path4.q.val();
        self.index5.d.next = self.index4.q.val();
        self.written.next = self.raw4.q.val();
        for g in 0..8 {
            for k in 0..8 {
                self.written.next = self.written.val().replace_bit(
                    8 * g + k,
                    self.raw4.q.val().get_bit(8 * g + k)
                        ^ (self.group4.q.val().get_bit(g) & self.lane4.q.val().get_bit(k))
                        ^ self.fill4.q.val().get_bit(g),
                );
            }
        }
        self.raw5.d.next = self.written.val();
        self.index.next = self.index4.q.val();
        self.word.next = self.word4.q.val();

        // Cycles 5..=8.
        self.ram.we.next = self.we5.q.val();
        self.ram.waddr.next =
            (bit_cast::<MW, PW>(self.path5.q.val()) << 2) | bit_cast::<MW, 2>(self.index5.q.val());
        self.ram.wdata.next = self.raw5.q.val();
    }
}
