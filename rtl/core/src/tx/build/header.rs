//! The header words of a packet, from its job and its message. Combinational.

use super::super::rows::{JobRow, MessageFields};
use super::rows::{BuiltPacket, PacketRecord};
use crate::generated::wire::{self, common, data, flag, opcode, packet_type, VERSION};
use rust_hdl::prelude::*;

// The stream is put into one place for both types.
const _: () = assert!(data::STREAM_LSB == wire::probe::STREAM_LSB);

/// The part: connections of 2^`LW` paths.
#[derive(LogicBlock)]
pub struct Header<const LW: usize> {
    /// The job.
    pub job: Signal<In, JobRow>,
    /// Which slice it is about; of a question only the stream.
    pub record: Signal<In, PacketRecord>,
    /// The message is there: DATA, else a PROBE.
    pub live: Signal<In, Bit>,
    /// The message; `remote` that of this slice.
    pub message: Signal<In, MessageFields>,
    /// Bytes of the message before this slice.
    pub offset: Signal<In, Bits<32>>,
    /// Bytes of this slice.
    pub len: Signal<In, Bits<16>>,
    /// It is the message's last.
    pub last: Signal<In, Bit>,
    /// The packet.
    pub packet: Signal<Out, BuiltPacket>,
    of: Signal<Local, JobRow>,
    slice: Signal<Local, PacketRecord>,
    row: Signal<Local, MessageFields>,
    again: Signal<Local, Bit>,
    flags: Signal<Local, Bits<8>>,
    place: Signal<Local, Bits<384>>,
    common: Signal<Local, Bits<384>>,
    data: Signal<Local, Bits<384>>,
    built: Signal<Local, BuiltPacket>,
    ack_req: Constant<Bits<8>>,
    last_flag: Constant<Bits<8>>,
    retx: Constant<Bits<8>>,
    version: Constant<Bits<384>>,
    type_data: Constant<Bits<384>>,
    type_probe: Constant<Bits<384>>,
    at_flags: Constant<Bits<9>>,
    at_path: Constant<Bits<9>>,
    at_route: Constant<Bits<9>>,
    at_psn: Constant<Bits<9>>,
    at_timestamp: Constant<Bits<9>>,
    at_stream: Constant<Bits<9>>,
    at_msn: Constant<Bits<9>>,
    at_offset: Constant<Bits<9>>,
    at_length: Constant<Bits<9>>,
    at_address: Constant<Bits<9>>,
    at_key: Constant<Bits<9>>,
}

impl<const LW: usize> Default for Header<LW> {
    fn default() -> Self {
        assert!(LW <= 8, "2^{LW} paths of a connection, the wire numbers 256");
        let at = |lsb: usize| Constant::new((lsb as u64).to_bits());
        let put = |value: u64, lsb: usize| value.to_bits::<384>() << (lsb as u64);
        let type_data =
            put(packet_type::DATA, common::PACKET_TYPE_LSB) | put(opcode::WRITE, common::OPCODE_LSB);
        Self {
            job: Default::default(),
            record: Default::default(),
            live: Default::default(),
            message: Default::default(),
            offset: Default::default(),
            len: Default::default(),
            last: Default::default(),
            packet: Default::default(),
            of: Default::default(),
            slice: Default::default(),
            row: Default::default(),
            again: Default::default(),
            flags: Default::default(),
            place: Default::default(),
            common: Default::default(),
            data: Default::default(),
            built: Default::default(),
            ack_req: Constant::new((1u64 << flag::ACK_REQ).to_bits()),
            last_flag: Constant::new((1u64 << flag::LAST).to_bits()),
            retx: Constant::new((1u64 << flag::RETX).to_bits()),
            version: Constant::new(put(VERSION, common::VERSION_LSB)),
            type_data: Constant::new(type_data),
            type_probe: Constant::new(put(packet_type::PROBE, common::PACKET_TYPE_LSB)),
            at_flags: at(common::FLAGS_LSB),
            at_path: at(common::PATH_LSB),
            at_route: at(common::ROUTE_LSB),
            at_psn: at(common::PSN_LSB),
            at_timestamp: at(common::TIMESTAMP_LSB),
            at_stream: at(data::STREAM_LSB),
            at_msn: at(data::MSN_LSB),
            at_offset: at(data::OFFSET_LSB),
            at_length: at(data::LENGTH_LSB),
            at_address: at(data::ADDRESS_LSB),
            at_key: at(data::KEY_LSB),
        }
    }
}

impl<const LW: usize> Logic for Header<LW> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_build_header");
        self.of.next = self.job.val();
        self.slice.next = self.record.val();
        self.row.next = self.message.val();

        // Sent before, or a repeated question. A PROBE asks for an ACK by being one.
        self.again.next = self.of.val().kind.any();
        if self.of.val().kind == 3 {
            self.again.next = self.of.val().repeat;
        }
        self.flags.next = 0.into();
        if self.again.val() {
            self.flags.next = self.retx.val();
        }
        if self.live.val() & self.of.val().ack_req {
            self.flags.next = self.flags.val() | self.ack_req.val();
        }
        if self.live.val() & self.last.val() {
            self.flags.next = self.flags.val() | self.last_flag.val();
        }

        self.place.next = bit_cast::<384, LW>(self.of.val().path.get_bits::<LW>(0)) << self.at_path.val();
        self.common.next = self.version.val()
            | (bit_cast::<384, 8>(self.flags.val()) << self.at_flags.val())
            | self.place.val()
            | (bit_cast::<384, 8>(self.of.val().route) << self.at_route.val())
            | (bit_cast::<384, 32>(self.of.val().now) << self.at_timestamp.val())
            | (bit_cast::<384, 8>(self.slice.val().stream) << self.at_stream.val());
        self.data.next = self.type_data.val()
            | (bit_cast::<384, 24>(self.of.val().psn) << self.at_psn.val())
            | (bit_cast::<384, 24>(self.slice.val().msn) << self.at_msn.val())
            | (bit_cast::<384, 32>(self.offset.val()) << self.at_offset.val())
            | (bit_cast::<384, 32>(self.row.val().length) << self.at_length.val())
            | (bit_cast::<384, 64>(self.row.val().remote) << self.at_address.val())
            | (bit_cast::<384, 32>(self.row.val().rkey) << self.at_key.val());

        self.built.next.path = self.of.val().path;
        self.built.next.words = self.common.val() | self.type_probe.val();
        self.built.next.kind = 3.into();
        self.built.next.len = 0.into();
        if self.live.val() {
            self.built.next.words = self.common.val() | self.data.val();
            self.built.next.kind = self.of.val().kind;
            self.built.next.len = self.len.val();
        }
        self.packet.next = self.built.val();
    }
}
