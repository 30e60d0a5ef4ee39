//! Frames as a peer might send them, of fields that the program chooses, most of them near to what would be right.

use super::host::Program;
use super::{Endpoint, FIRST, KEY_TAG, OWN, PEER};
use heddle_model::core::CoreConfig;
use heddle_wire::header::{Ack, Data, Nak, Probe};
use heddle_wire::kinds::PayloadRule;
use heddle_wire::{
    Body, Flags, Frame, Hint, Ip, Ipv4, Msn, Opcode, Packet, ParseConfig, Psn, Sack, Seq16, Time32,
};

impl Endpoint {
    /// A packet as a peer might send it, of fields that the program chooses, most of them near to what would be right.
    pub(super) fn packet(&mut self, program: &mut Program) {
        let conn = u16::from(program.byte() % 3);
        let tag = self.tags.get(usize::from(conn)).copied().unwrap_or(0);
        let tag = if program.byte() % 16 == 0 { program.number(2) as u16 } else { tag };
        let flags = Flags::from_bits(program.byte());
        let path = program.byte() % 5;
        let psn = Psn::new(program.near(u64::from(FIRST.get()), 3) as u32 & 0xFF_FFFF);
        let timestamp = Time32::new(self.now.get().wrapping_sub(program.near(8, 4) as u32));
        let route = program.byte() % 3;
        let mut payload = Vec::new();
        let body = match program.byte() % 8 {
            0..=3 => self.data(program, &mut payload),
            4 | 5 => Body::Ack(Self::ack(program)),
            6 => match program.byte() % 2 {
                0 => Body::Probe(Probe { stream: program.byte() % 6, reserved: 0 }),
                _ => Body::Reset,
            },
            _ => Body::Nak(Nak {
                code: program.byte() % 7,
                reserved: 0,
                offender0: program.number(4) as u32,
                offender1: u32::from(conn) << 16 | u32::from(!tag),
                offender2: u32::from(route) << 24 | psn.get(),
            }),
        };
        let body = match body {
            Body::Data { opcode, header, .. } => Body::Data { opcode, header, payload: &payload[..] },
            Body::Ack(ack) => Body::Ack(ack),
            Body::Nak(nak) => Body::Nak(nak),
            Body::Probe(probe) => Body::Probe(probe),
            Body::Reset => Body::Reset,
        };
        let ecn = program.byte() % 4;
        let ip = Ip::V4(Ipv4 { dscp: 0, ecn, identification: 0, ttl: 9, src: PEER, dst: OWN });
        let packet = Packet { flags, path, dst_conn: conn, tag, route, psn, timestamp, body };
        let [dst_mac, src_mac] = [[4; 6], [2; 6]];
        let dst_port = ParseConfig::default().port;
        let frame =
            Frame { dst_mac, src_mac, vlan: None, ip, src_port: 50_000, dst_port, udp_checksum: 0, packet };
        if let Ok(mut bytes) = frame.emit() {
            if program.byte() % 32 == 31 {
                let at = program.number(2) as usize % bytes.len();
                bytes[at] ^= program.byte();
            }
            self.receive(program.byte() % 4, &bytes);
        }
    }

    fn data(&self, program: &mut Program, payload: &mut Vec<u8>) -> Body<&'static [u8]> {
        let opcode = Opcode::ALL[usize::from(program.byte()) % Opcode::ALL.len()];
        let slice = 1u32 << CoreConfig::default().slice_log2;
        let length = match program.byte() {
            0..=59 => 0,
            60..=119 => program.number(1) as u32,
            120..=199 => program.number(2) as u32 % (4 * slice),
            _ => program.number(4) as u32,
        };
        let offset = match program.byte() {
            0..=199 => u32::from(program.byte() % 4) * slice,
            _ => program.number(4) as u32,
        };
        let len = match opcode.payload_rule() {
            PayloadRule::Exactly(bytes) => bytes,
            PayloadRule::Slice if program.byte() % 16 == 0 => usize::from(program.byte()) * 4,
            PayloadRule::Slice => length.saturating_sub(offset).min(slice).next_multiple_of(4) as usize,
        };
        payload.resize(len, program.byte());
        let header = Data {
            stream: program.byte() % 5,
            msn: Msn::new(program.near(4, 3) as u32 & 0xFF_FFFF),
            offset,
            length,
            address: program.near(0x1004, 8) & if program.byte() % 4 == 0 { u64::MAX } else { !7 },
            key: (u32::from(program.byte() % 4) << 16) | if program.byte() % 16 == 0 { 0 } else { KEY_TAG },
            imm: program.number(2) as u32,
            rq_index: Seq16::new(program.near(4, 2) as u16),
            reserved: 0,
        };
        Body::Data { opcode, header, payload: &[] }
    }

    fn ack(program: &mut Program) -> Ack {
        let mut lanes = Sack::default().lanes;
        for _ in 0..program.byte() % 4 {
            let bit = program.near(0xF4, 1) as usize % 256;
            lanes[bit / 64] |= 1 << (bit % 64);
        }
        Ack {
            ack_flags: Flags::from_bits(program.byte() & if program.byte() % 2 == 0 { 0 } else { 0x30 }),
            cum: Psn::new(program.near(u64::from(FIRST.get()) + 4, 3) as u32 & 0xFF_FFFF),
            hold: program.near(4, 2) as u16,
            ce_count: Seq16::new(program.near(4, 2) as u16),
            hint: Hint::from_bits(program.number(2) as u16),
            rq_credit: Seq16::new(program.near(4, 2) as u16),
            ack_seq: Seq16::new(program.near(4, 2) as u16),
            dup_count: Seq16::new(program.near(4, 2) as u16),
            done_stream: program.byte() % 5,
            done_msn: Msn::new(program.near(4, 3) as u32 & 0xFF_FFFF),
            arrivals: Seq16::new(program.near(4, 2) as u16),
            reserved: 0,
            sack: Sack { lanes },
        }
    }
}
