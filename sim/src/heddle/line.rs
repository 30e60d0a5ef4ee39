//! Frames that stay what they are.

use super::HeddleBody;
use crate::packet::{Class, Host, Packet, ETHERNET_OVERHEAD};
use heddle_model::core::Line;
use heddle_model::memory::Memory;
use heddle_wire::{Body, EmitError, Frame, Ip, Ipv4, ParseConfig};
use std::net::Ipv4Addr;

/// Explicit congestion notification codepoints. Source: RFC 3168 section 5.
const ECT0: u8 = 2;
const CE: u8 = 3;
/// Longest payload that a frame has: a slice of 4 KiB.
const LONGEST: usize = 1 << 12;
static ZEROS: [u8; LONGEST] = [0; LONGEST];

/// Address of a host: 10.0.0.0 plus its number.
pub(super) fn address(host: Host) -> Ipv4Addr {
    Ipv4Addr::from(0x0A00_0000 + host)
}

/// The last frame.
#[derive(Debug)]
pub(super) struct Frames {
    host: Host,
    last: Option<Packet<HeddleBody>>,
}

impl Frames {
    /// Of a host.
    pub(super) fn new(host: Host) -> Self {
        Self { host, last: None }
    }

    /// The frame, which leaves on this plane.
    pub(super) fn take(&mut self, plane: u8) -> Option<Packet<HeddleBody>> {
        if let Some(packet) = &mut self.last {
            packet.plane = plane;
        }
        self.last.take()
    }
}

impl Line for Frames {
    fn load<'p>(
        &mut self,
        _memory: &mut impl Memory,
        _local: u64,
        len: u16,
        _buffer: &'p mut Vec<u8>,
    ) -> Option<&'p [u8]> {
        ZEROS.get(..usize::from(len).next_multiple_of(4))
    }

    fn put(&mut self, frame: &Frame<&[u8]>) -> Result<usize, EmitError> {
        let (to, ecn) = match frame.ip {
            Ip::V4(Ipv4 { dst, ecn, .. }) => (u32::from(dst).wrapping_sub(0x0A00_0000), ecn),
            // The set-up knows no IPv6.
            Ip::V6(_) => return Err(EmitError::Field { name: "version of IP", seen: 6, needed: 4 }),
        };
        let answer = matches!(frame.packet.body, Body::Ack(_) | Body::Nak(_));
        let bytes = frame.bytes();
        self.last = Some(Packet {
            src: self.host,
            dst: to,
            plane: 0,
            src_port: frame.src_port,
            class: if answer { Class::Control } else { Class::Data },
            ect: ecn == ECT0,
            ce: false,
            bytes: bytes as u32 + ETHERNET_OVERHEAD,
            body: frame.packet.with_payload(|payload| payload.len() as u16),
        });
        Ok(bytes)
    }
}

/// The frame that a packet was, its payload zeros.
pub(super) fn frame_of(packet: &Packet<HeddleBody>) -> Frame<&'static [u8]> {
    let ecn = match (packet.ect, packet.ce) {
        (_, true) => CE,
        (true, false) => ECT0,
        (false, false) => 0,
    };
    let ip =
        Ipv4 { dscp: 0, ecn, identification: 0, ttl: 64, src: address(packet.src), dst: address(packet.dst) };
    Frame {
        dst_mac: [0; 6],
        src_mac: [0; 6],
        vlan: None,
        ip: Ip::V4(ip),
        src_port: packet.src_port,
        dst_port: ParseConfig::default().port,
        udp_checksum: 0,
        packet: packet.body.with_payload(|len| &ZEROS[..usize::from(*len).min(LONGEST)]),
    }
}
