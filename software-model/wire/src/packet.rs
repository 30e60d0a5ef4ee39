//! A transport packet: common header, the header of its type, payload; without the ICRC.

use crate::drop::DropReason;
use crate::error::{EmitError, ParseError};
use crate::header::{Ack, Common, Data, Nak, Probe, ICRC_BYTES, VERSION};
use crate::kinds::{AckForm, Flags, Opcode, PacketType, PayloadRule};
use crate::serial::{Psn, Time32};

/// What follows the common header. `P` holds a payload: owned bytes, or a borrowed slice of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body<P = Vec<u8>> {
    /// A slice of a message, an answer, or a request.
    Data {
        /// What it does.
        opcode: Opcode,
        /// Words 4 to 11.
        header: Data,
        /// Payload, zero-padded to a multiple of 4 bytes.
        payload: P,
    },
    /// What a path has received. Read from either form, written in the one of [`Ack::form`].
    Ack(Ack),
    /// A refusal.
    Nak(Nak),
    /// A question.
    Probe(Probe),
    /// The end of an incarnation.
    Reset,
}

impl<P> Body<P> {
    /// The type in word 0.
    pub const fn packet_type(&self) -> PacketType {
        match self {
            Self::Data { .. } => PacketType::Data,
            Self::Ack(_) => PacketType::Ack,
            Self::Nak(_) => PacketType::Nak,
            Self::Probe(_) => PacketType::Probe,
            Self::Reset => PacketType::Reset,
        }
    }

    /// The opcode in word 0.
    pub fn opcode(&self) -> u8 {
        match self {
            Self::Data { opcode, .. } => opcode.code(),
            Self::Ack(ack) => ack.form().code(),
            Self::Nak(_) | Self::Probe(_) | Self::Reset => 0,
        }
    }
}

/// A transport packet. Version, type and opcode follow from `body`; `P` holds a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<P = Vec<u8>> {
    /// Flag bits.
    pub flags: Flags,
    /// Path; in an ACK or NAK the path that carried the data.
    pub path: u8,
    /// Number of the connection at the receiver of this packet.
    pub dst_conn: u16,
    /// Random per incarnation.
    pub tag: u16,
    /// Counts the path's changes of route.
    pub route: u8,
    /// Packet sequence number; in an ACK the highest received.
    pub psn: Psn,
    /// Time of sending, or its echo.
    pub timestamp: Time32,
    /// What follows.
    pub body: Body<P>,
}

fn need(holds: bool, reason: DropReason, seen: u64, needed: u64) -> Result<(), ParseError> {
    if holds {
        Ok(())
    } else {
        Err(ParseError { reason, seen, needed })
    }
}

/// The first `N` bytes from `at` on; the caller has checked the length, and a shorter slice reads as zeros.
pub(crate) fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    core::array::from_fn(|i| bytes.get(at + i).copied().unwrap_or(0))
}

impl Packet {
    /// Reads a UDP payload, ICRC included but not checked.
    ///
    /// # Errors
    /// [`DropReason::TransportTruncated`], `Version`, `PacketType`, `Opcode` or `Length`, in that order.
    pub fn parse(udp_payload: &[u8]) -> Result<Self, ParseError> {
        Packet::parse_ref(udp_payload).map(Packet::into_owned)
    }

    /// Bytes of a packet's headers by type and opcode, without the ICRC. An opcode that the type does not
    /// have counts as the longest.
    pub const fn header_bytes(packet_type: PacketType, opcode: u8) -> usize {
        Common::BYTES
            + match packet_type {
                PacketType::Data => Data::BYTES,
                PacketType::Ack => match AckForm::from_code(opcode) {
                    Some(form) => form.bytes(),
                    None => Ack::BYTES,
                },
                PacketType::Nak => Nak::BYTES,
                PacketType::Probe => Probe::BYTES,
                PacketType::Reset => 0,
            }
    }
}

impl<'a> Packet<&'a [u8]> {
    /// As [`Packet::parse`], the payload a part of `udp_payload`.
    ///
    /// # Errors
    /// Those of [`Packet::parse`].
    pub fn parse_ref(udp_payload: &'a [u8]) -> Result<Self, ParseError> {
        let seen = udp_payload.len();
        let least = Common::BYTES + ICRC_BYTES;
        need(seen >= least, DropReason::TransportTruncated, seen as u64, least as u64)?;
        let common = Common::parse(&array(udp_payload, 0));
        let (version, code) = (common.version, common.packet_type);
        need(version == VERSION, DropReason::Version, version.into(), VERSION.into())?;
        let packet_type = PacketType::from_code(code).ok_or(ParseError {
            reason: DropReason::PacketType,
            seen: code.into(),
            needed: PacketType::Data.code().into(),
        })?;
        let body = match packet_type {
            PacketType::Data => Self::parse_data(&common, udp_payload)?,
            _ => Self::parse_control(packet_type, common.opcode, udp_payload)?,
        };
        let Common { flags, path, dst_conn, tag, route, psn, timestamp, .. } = common;
        Ok(Self { flags, path, dst_conn, tag, route, psn, timestamp, body })
    }

    fn parse_data(common: &Common, udp_payload: &'a [u8]) -> Result<Body<&'a [u8]>, ParseError> {
        let opcode = Opcode::from_code(common.opcode).ok_or(ParseError {
            reason: DropReason::Opcode,
            seen: common.opcode.into(),
            needed: Opcode::Write.code().into(),
        })?;
        let seen = udp_payload.len();
        let fixed = Packet::header_bytes(PacketType::Data, common.opcode) + ICRC_BYTES;
        let (holds, needed) = match opcode.payload_rule() {
            PayloadRule::Exactly(bytes) => (seen == fixed + bytes, fixed + bytes),
            PayloadRule::Slice => (seen >= fixed && seen % 4 == 0, fixed),
        };
        need(holds, DropReason::Length, seen as u64, needed as u64)?;
        let header = Data::parse(&array(udp_payload, Common::BYTES));
        let payload = &udp_payload[fixed - ICRC_BYTES..seen - ICRC_BYTES];
        Ok(Body::Data { opcode, header, payload })
    }

    fn parse_control(
        packet_type: PacketType,
        opcode: u8,
        udp_payload: &[u8],
    ) -> Result<Body<&'a [u8]>, ParseError> {
        let known = opcode == 0 || packet_type == PacketType::Ack && AckForm::from_code(opcode).is_some();
        need(known, DropReason::Opcode, opcode.into(), 0)?;
        let header_bytes = Packet::header_bytes(packet_type, opcode);
        let (seen, needed) = (udp_payload.len(), header_bytes + ICRC_BYTES);
        need(seen == needed, DropReason::Length, seen as u64, needed as u64)?;
        // Words that an ACK does not carry read as zeros. [REQ-ACK-5]
        let header = &udp_payload[..header_bytes];
        Ok(match packet_type {
            PacketType::Ack => Body::Ack(Ack::parse(&array(header, Common::BYTES))),
            PacketType::Nak => Body::Nak(Nak::parse(&array(header, Common::BYTES))),
            PacketType::Probe => Body::Probe(Probe::parse(&array(header, Common::BYTES))),
            PacketType::Data | PacketType::Reset => Body::Reset,
        })
    }

    /// The packet with a payload of its own.
    pub fn into_owned(self) -> Packet {
        self.with_payload(|payload| payload.to_vec())
    }
}

impl<P> Packet<P> {
    /// The same packet with what `map` makes of its payload.
    pub fn with_payload<Q>(&self, map: impl FnOnce(&P) -> Q) -> Packet<Q> {
        let body = match &self.body {
            &Body::Data { opcode, header, ref payload } => {
                Body::Data { opcode, header, payload: map(payload) }
            }
            &Body::Ack(ack) => Body::Ack(ack),
            &Body::Nak(nak) => Body::Nak(nak),
            &Body::Probe(probe) => Body::Probe(probe),
            Body::Reset => Body::Reset,
        };
        let &Self { flags, path, dst_conn, tag, route, psn, timestamp, .. } = self;
        Packet { flags, path, dst_conn, tag, route, psn, timestamp, body }
    }
}

impl<P: AsRef<[u8]>> Packet<P> {
    /// The common header.
    pub fn common(&self) -> Common {
        Common {
            version: VERSION,
            packet_type: self.body.packet_type().code(),
            opcode: self.body.opcode(),
            flags: self.flags,
            path: self.path,
            dst_conn: self.dst_conn,
            tag: self.tag,
            route: self.route,
            psn: self.psn,
            timestamp: self.timestamp,
        }
    }

    /// Bytes of headers and payload, without the ICRC.
    pub fn bytes(&self) -> usize {
        let payload = match &self.body {
            Body::Data { payload, .. } => payload.as_ref().len(),
            _ => 0,
        };
        Packet::header_bytes(self.body.packet_type(), self.body.opcode()) + payload
    }

    /// Appends headers and payload to `out`, without the ICRC.
    ///
    /// # Errors
    /// [`EmitError::Payload`] when the opcode cannot carry a payload of that length.
    pub fn emit(&self, out: &mut Vec<u8>) -> Result<(), EmitError> {
        if let Body::Data { opcode, payload, .. } = &self.body {
            let seen = payload.as_ref().len();
            match opcode.payload_rule() {
                PayloadRule::Exactly(needed) if seen != needed => {
                    return Err(EmitError::Payload { seen, needed });
                }
                PayloadRule::Slice if seen % 4 != 0 => return Err(EmitError::Payload { seen, needed: 4 }),
                _ => {}
            }
        }
        out.extend_from_slice(&self.common().emit());
        match &self.body {
            Body::Data { header, payload, .. } => {
                out.extend_from_slice(&header.emit());
                out.extend_from_slice(payload.as_ref());
            }
            Body::Ack(ack) => out.extend_from_slice(&ack.emit()[..ack.form().bytes()]),
            Body::Nak(nak) => out.extend_from_slice(&nak.emit()),
            Body::Probe(probe) => out.extend_from_slice(&probe.emit()),
            Body::Reset => {}
        }
        Ok(())
    }
}
