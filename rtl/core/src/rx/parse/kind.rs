//! Step 3 of the parser: what the first two bytes of the transport header say. Latency 1 cycle, never
//! stalls. Every output keeps its value until the next frame's. Doc `docs/blocks/rx-parse.md`.

use super::layout::BEAT_ZERO;
use heddle_wire::header::{AtomicOperands, AtomicResult, ICRC_BYTES, VERSION};
use heddle_wire::kinds::{AckForm, Opcode, PacketType};
use heddle_wire::net::UdpHeader;
use heddle_wire::packet::Packet;
use rust_hdl::prelude::*;

/// Version, type and opcode, and the length they ask for.
#[derive(LogicBlock)]
pub struct Kind {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Number of the aligned beat.
    pub beat: Signal<In, Bits<5>>,
    /// The transport header's first two bytes, the first in bits 7 to 0; in the beat before it.
    pub ahead: Signal<In, Bits<16>>,

    /// Not version 1.
    pub version: Signal<Out, Bit>,
    /// Unknown packet type.
    pub packet_type: Signal<Out, Bit>,
    /// Unknown opcode of a DATA packet or an ACK, or an opcode in another.
    pub opcode: Signal<Out, Bit>,
    /// UDP length that type and opcode ask for; with `slice` the least.
    pub want: Signal<Out, Bits<7>>,
    /// Longer ones are good too, in words of 4 bytes.
    pub slice: Signal<Out, Bit>,
    /// The type field.
    pub kind: Signal<Out, Bits<4>>,

    version3: DFF<Bit>,
    packet_type3: DFF<Bit>,
    opcode3: DFF<Bit>,
    want3: DFF<Bits<7>>,
    slice3: DFF<Bit>,
    kind3: DFF<Bits<4>>,

    code: Signal<Local, Bits<8>>,
    kind2: Signal<Local, Bits<4>>,

    before_header: Constant<Bits<5>>,
    wire_version: Constant<Bits<4>>,
    last_type: Constant<Bits<4>>,
    last_opcode: Constant<Bits<8>>,
    last_form: Constant<Bits<8>>,
    data_type: Constant<Bits<4>>,
    ack_type: Constant<Bits<4>>,
    nak_type: Constant<Bits<4>>,
    probe_type: Constant<Bits<4>>,
    read_req: Constant<Bits<8>>,
    fetch_add: Constant<Bits<8>>,
    cmp_swap: Constant<Bits<8>>,
    atomic_resp: Constant<Bits<8>>,
    data_length: Constant<Bits<7>>,
    operands_length: Constant<Bits<7>>,
    result_length: Constant<Bits<7>>,
    ack_length: Constant<Bits<7>>,
    short_ack_length: Constant<Bits<7>>,
    nak_length: Constant<Bits<7>>,
    probe_length: Constant<Bits<7>>,
    reset_length: Constant<Bits<7>>,
}

/// UDP length of a packet of that type and opcode without payload.
const fn udp_length(packet_type: PacketType, opcode: u8) -> usize {
    UdpHeader::BYTES + Packet::header_bytes(packet_type, opcode) + ICRC_BYTES
}

// The range checks below stand for membership.
const _: () = {
    assert!(PacketType::ALL.len() == 5 && PacketType::Reset.code() == 5);
    assert!(Opcode::ALL.len() == 9 && Opcode::AtomicResp.code() == 9);
    assert!(AckForm::ALL.len() == 2 && AckForm::NoSack.code() == 1);
};

impl Default for Kind {
    fn default() -> Self {
        let kind = |t: PacketType| Constant::new(bits(t.code().into()));
        let opcode = |o: Opcode| Constant::new(bits(o.code().into()));
        let length = |n: usize| Constant::new(bits(n as LiteralType));
        let data = udp_length(PacketType::Data, 0);
        let ack = |form: AckForm| length(udp_length(PacketType::Ack, form.code()));
        Self {
            clk: Default::default(),
            beat: Default::default(),
            ahead: Default::default(),
            version: Default::default(),
            packet_type: Default::default(),
            opcode: Default::default(),
            want: Default::default(),
            slice: Default::default(),
            kind: Default::default(),
            version3: Default::default(),
            packet_type3: Default::default(),
            opcode3: Default::default(),
            want3: Default::default(),
            slice3: Default::default(),
            kind3: Default::default(),
            code: Default::default(),
            kind2: Default::default(),
            before_header: Constant::new(bits(BEAT_ZERO as LiteralType - 1)),
            wire_version: Constant::new(bits(VERSION.into())),
            last_type: kind(PacketType::Reset),
            last_opcode: opcode(Opcode::AtomicResp),
            last_form: Constant::new(bits(AckForm::NoSack.code().into())),
            data_type: kind(PacketType::Data),
            ack_type: kind(PacketType::Ack),
            nak_type: kind(PacketType::Nak),
            probe_type: kind(PacketType::Probe),
            read_req: opcode(Opcode::ReadReq),
            fetch_add: opcode(Opcode::FetchAdd),
            cmp_swap: opcode(Opcode::CmpSwap),
            atomic_resp: opcode(Opcode::AtomicResp),
            data_length: length(data),
            operands_length: length(data + AtomicOperands::BYTES),
            result_length: length(data + AtomicResult::BYTES),
            ack_length: ack(AckForm::Sack),
            short_ack_length: ack(AckForm::NoSack),
            nak_length: length(udp_length(PacketType::Nak, 0)),
            probe_length: length(udp_length(PacketType::Probe, 0)),
            reset_length: length(udp_length(PacketType::Reset, 0)),
        }
    }
}

impl Logic for Kind {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, version3, packet_type3, opcode3, want3, slice3, kind3);
        self.code.next = self.ahead.val().get_bits::<8>(8);
        self.kind2.next = self.ahead.val().get_bits::<4>(0);
        if self.beat.val() == self.before_header.val() {
            self.version3.d.next = self.ahead.val().get_bits::<4>(4) != self.wire_version.val();
            self.kind3.d.next = self.kind2.val();
            self.packet_type3.d.next = (self.kind2.val() == 0) | (self.kind2.val() > self.last_type.val());
            self.opcode3.d.next = self.code.val() != 0;
            self.slice3.d.next = false;
            self.want3.d.next = self.reset_length.val();
            if self.kind2.val() == self.ack_type.val() {
                // REQ-ACK-5: with the SACK words, or without.
                self.opcode3.d.next = self.code.val() > self.last_form.val();
                self.want3.d.next = self.ack_length.val();
                if self.code.val() == self.last_form.val() {
                    self.want3.d.next = self.short_ack_length.val();
                }
            }
            if self.kind2.val() == self.nak_type.val() {
                self.want3.d.next = self.nak_length.val();
            }
            if self.kind2.val() == self.probe_type.val() {
                self.want3.d.next = self.probe_length.val();
            }
            if self.kind2.val() == self.data_type.val() {
                self.opcode3.d.next = (self.code.val() == 0) | (self.code.val() > self.last_opcode.val());
                self.slice3.d.next = true;
                self.want3.d.next = self.data_length.val();
                if self.code.val() == self.read_req.val() {
                    self.slice3.d.next = false;
                }
                if (self.code.val() == self.fetch_add.val()) | (self.code.val() == self.cmp_swap.val()) {
                    self.slice3.d.next = false;
                    self.want3.d.next = self.operands_length.val();
                }
                if self.code.val() == self.atomic_resp.val() {
                    self.slice3.d.next = false;
                    self.want3.d.next = self.result_length.val();
                }
            }
        }

        self.version.next = self.version3.q.val();
        self.packet_type.next = self.packet_type3.q.val();
        self.opcode.next = self.opcode3.q.val();
        self.want.next = self.want3.q.val();
        self.slice.next = self.slice3.q.val();
        self.kind.next = self.kind3.q.val();
    }
}
