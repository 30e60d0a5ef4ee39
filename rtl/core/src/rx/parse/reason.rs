//! Steps 2 to 5 of the parser: the one reason of every frame. Latency 4 cycles from the last beat as
//! step 1 hands it on, never stalls. Doc `docs/blocks/rx-parse.md`.
//!
//! The reason is the lowest number whose condition holds, so a condition may be wrong where a lower one
//! holds: fields that a truncated frame does not have are those of an earlier frame, and nobody looks at
//! them.

use super::layout::TRANSPORT_START;
use heddle_wire::header::ICRC_BYTES;
use heddle_wire::net::UdpHeader;
use heddle_wire::{Common, DropReason};
use rust_hdl::prelude::*;

/// Verdict of the parser.
#[derive(LogicBlock)]
pub struct Reason {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,

    /// Cycle 1: a beat of the frame.
    pub valid: Signal<In, Bit>,
    /// Cycle 1: last beat of the frame.
    pub last: Signal<In, Bit>,
    /// Cycle 1: the MAC found the frame bad.
    pub bad: Signal<In, Bit>,
    /// Cycle 1: frame bytes minus 1.
    pub end: Signal<In, Bits<17>>,
    /// Cycle 1: layout of the frame.
    pub layout: Signal<In, Bits<2>>,
    /// Cycle 1: neither IPv4 nor IPv6.
    pub unknown: Signal<In, Bit>,
    /// Cycle 1: too short for its Ethernet header.
    pub short: Signal<In, Bit>,

    /// Cycle 3: the version field disagrees with the EtherType.
    pub ip_version: Signal<In, Bit>,
    /// Cycle 3: IPv4 header longer than 5 words, or shorter.
    pub ip_options: Signal<In, Bit>,
    /// Cycle 3: IPv4 flags and fragment offset other than DF.
    pub ip_fragment: Signal<In, Bit>,
    /// Cycle 3: not UDP.
    pub ip_protocol: Signal<In, Bit>,
    /// Cycle 3: bytes of IP payload as the header says, two's complement.
    pub ip_payload: Signal<In, Bits<18>>,
    /// Cycle 3: not the configured port.
    pub udp_port: Signal<In, Bit>,
    /// Cycle 3: UDP length field.
    pub udp_length: Signal<In, Bits<16>>,
    /// Cycle 3: not version 1.
    pub version: Signal<In, Bit>,
    /// Cycle 3: unknown packet type.
    pub packet_type: Signal<In, Bit>,
    /// Cycle 3: unknown opcode.
    pub opcode: Signal<In, Bit>,
    /// Cycle 3: UDP length that type and opcode ask for; with `slice` the least.
    pub want: Signal<In, Bits<7>>,
    /// Cycle 3: longer ones are good too, in words of 4 bytes.
    pub slice: Signal<In, Bit>,

    /// Cycle 4: IPv4 header checksum fails.
    pub ip_checksum: Signal<In, Bit>,

    /// Cycle 5: one pulse per frame.
    pub h_valid: Signal<Out, Bit>,
    /// Cycle 5: the reason's number, 0 for none.
    pub h_drop: Signal<Out, Bits<8>>,

    valid2: DFF<Bit>,
    bad2: DFF<Bit>,
    short2: DFF<Bit>,
    unknown2: DFF<Bit>,
    v6_2: DFF<Bit>,
    seen2: DFF<Bits<18>>,
    valid3: DFF<Bit>,
    bad3: DFF<Bit>,
    short3: DFF<Bit>,
    unknown3: DFF<Bit>,
    v6_3: DFF<Bit>,
    seen3: DFF<Bits<18>>,
    valid4: DFF<Bit>,
    below4: DFF<Bits<5>>,
    v6_4: DFF<Bit>,
    middle4: DFF<Bits<5>>,
    above4: DFF<Bits<5>>,
    valid5: DFF<Bit>,
    drop5: DFF<Bits<5>>,

    below: Signal<Local, Bits<5>>,
    middle: Signal<Local, Bits<5>>,
    above: Signal<Local, Bits<5>>,
    wrong_length: Signal<Local, Bit>,
    cut: Signal<Local, Bits<17>>,
    drop: Signal<Local, Bits<5>>,

    /// By layout: from the frame's bytes minus 1 to the bytes behind the IP header.
    to_payload: [Constant<Bits<18>>; 4],
    udp_least: Constant<Bits<17>>,
    transport_least: Constant<Bits<17>>,
    number: [Constant<Bits<5>>; 20],
}

// Reasons 1 to 19 are the parser's.
const _: () = {
    let mut number = 1;
    while number < 20 {
        assert!(DropReason::from_code(number).is_some());
        number += 1;
    }
    assert!(DropReason::BadFrame.code() == 1 && DropReason::Length.code() == 19);
};

impl Default for Reason {
    fn default() -> Self {
        let transport_least = UdpHeader::BYTES + Common::BYTES + ICRC_BYTES;
        Self {
            clk: Default::default(),
            rst: Default::default(),
            valid: Default::default(),
            last: Default::default(),
            bad: Default::default(),
            end: Default::default(),
            layout: Default::default(),
            unknown: Default::default(),
            short: Default::default(),
            ip_version: Default::default(),
            ip_options: Default::default(),
            ip_fragment: Default::default(),
            ip_protocol: Default::default(),
            ip_payload: Default::default(),
            udp_port: Default::default(),
            udp_length: Default::default(),
            version: Default::default(),
            packet_type: Default::default(),
            opcode: Default::default(),
            want: Default::default(),
            slice: Default::default(),
            ip_checksum: Default::default(),
            h_valid: Default::default(),
            h_drop: Default::default(),
            valid2: Default::default(),
            bad2: Default::default(),
            short2: Default::default(),
            unknown2: Default::default(),
            v6_2: Default::default(),
            seen2: Default::default(),
            valid3: Default::default(),
            bad3: Default::default(),
            short3: Default::default(),
            unknown3: Default::default(),
            v6_3: Default::default(),
            seen3: Default::default(),
            valid4: Default::default(),
            below4: Default::default(),
            v6_4: Default::default(),
            middle4: Default::default(),
            above4: Default::default(),
            valid5: Default::default(),
            drop5: Default::default(),
            below: Default::default(),
            middle: Default::default(),
            above: Default::default(),
            wrong_length: Default::default(),
            cut: Default::default(),
            drop: Default::default(),
            to_payload: TRANSPORT_START
                .map(|t| Constant::new(bits((t - UdpHeader::BYTES - 1) as LiteralType))),
            udp_least: Constant::new(bits(UdpHeader::BYTES as LiteralType)),
            transport_least: Constant::new(bits(transport_least as LiteralType)),
            number: std::array::from_fn(|n| Constant::new(bits(n as LiteralType))),
        }
    }
}

impl Logic for Reason {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, valid2, bad2, short2, unknown2, v6_2, seen2);
        dff_setup!(self, clk, valid3, bad3, short3, unknown3, v6_3, seen3);
        dff_setup!(self, clk, valid4, below4, v6_4, middle4, above4, valid5, drop5);

        // The bytes behind the IP header that the frame really has; negative when it ends inside of that
        // header.
        self.valid2.d.next = self.valid.val() & self.last.val() & !self.rst.val();
        self.bad2.d.next = self.bad.val();
        self.short2.d.next = self.short.val();
        self.unknown2.d.next = self.unknown.val();
        self.v6_2.d.next = self.layout.val().get_bit(1);
        for k in 0..4 {
            if self.layout.val() == k.to_bits() {
                self.seen2.d.next = bit_cast::<18, 17>(self.end.val()) - self.to_payload[k].val();
            }
        }
        self.valid3.d.next = self.valid2.q.val() & !self.rst.val();
        self.bad3.d.next = self.bad2.q.val();
        self.short3.d.next = self.short2.q.val();
        self.unknown3.d.next = self.unknown2.q.val();
        self.v6_3.d.next = self.v6_2.q.val();
        self.seen3.d.next = self.seen2.q.val();

        // Every condition, in three groups around the checksum, which comes a cycle later. The last
        // assignment stands.
        self.cut.next = bit_cast::<17, 18>(self.seen3.q.val());
        self.below.next = self.number[0].val();
        if self.ip_options.val() {
            self.below.next = self.number[6].val();
        }
        if self.ip_version.val() {
            self.below.next = self.number[5].val();
        }
        if self.seen3.q.val().get_bit(17) {
            self.below.next = self.number[4].val();
        }
        if self.unknown3.q.val() {
            self.below.next = self.number[3].val();
        }
        if self.short3.q.val() {
            self.below.next = self.number[2].val();
        }
        if self.bad3.q.val() {
            self.below.next = self.number[1].val();
        }

        self.middle.next = self.number[0].val();
        if self.udp_port.val() {
            self.middle.next = self.number[13].val();
        }
        if self.cut.val() < self.udp_least.val() {
            self.middle.next = self.number[12].val();
        }
        if self.seen3.q.val() != self.ip_payload.val() {
            self.middle.next = self.number[11].val();
        }
        if (self.cut.val() < bit_cast::<17, 18>(self.ip_payload.val())) | self.ip_payload.val().get_bit(17) {
            self.middle.next = self.number[10].val();
        }
        if self.ip_protocol.val() {
            self.middle.next = self.number[9].val();
        }
        if self.ip_fragment.val() {
            self.middle.next = self.number[8].val();
        }

        self.wrong_length.next = self.cut.val() != bit_cast::<17, 7>(self.want.val());
        if self.slice.val() {
            self.wrong_length.next =
                (self.cut.val() < bit_cast::<17, 7>(self.want.val())) | self.cut.val().get_bits::<2>(0).any();
        }
        self.above.next = self.number[0].val();
        if self.wrong_length.val() {
            self.above.next = self.number[19].val();
        }
        if self.opcode.val() {
            self.above.next = self.number[18].val();
        }
        if self.packet_type.val() {
            self.above.next = self.number[17].val();
        }
        if self.version.val() {
            self.above.next = self.number[16].val();
        }
        if self.cut.val() < self.transport_least.val() {
            self.above.next = self.number[15].val();
        }
        if self.cut.val() != bit_cast::<17, 16>(self.udp_length.val()) {
            self.above.next = self.number[14].val();
        }

        self.valid4.d.next = self.valid3.q.val() & !self.rst.val();
        self.below4.d.next = self.below.val();
        self.v6_4.d.next = self.v6_3.q.val();
        self.middle4.d.next = self.middle.val();
        self.above4.d.next = self.above.val();

        self.drop.next = self.above4.q.val();
        if self.middle4.q.val().any() {
            self.drop.next = self.middle4.q.val();
        }
        if self.ip_checksum.val() & !self.v6_4.q.val() {
            self.drop.next = self.number[7].val();
        }
        if self.below4.q.val().any() {
            self.drop.next = self.below4.q.val();
        }
        self.valid5.d.next = self.valid4.q.val() & !self.rst.val();
        self.drop5.d.next = self.drop.val();
        self.h_valid.next = self.valid5.q.val();
        self.h_drop.next = bit_cast::<8, 5>(self.drop5.q.val());
    }
}
