//! A whole Ethernet frame, without preamble and FCS: what a MAC hands over, and what a capture holds.

use crate::drop::DropReason;
use crate::error::{EmitError, ParseError};
use crate::header::{DEFAULT_PORT, ICRC_BYTES};
use crate::icrc::icrc;
use crate::ip::Ip;
use crate::net::{MacHeader, UdpHeader, VlanTag, ETHERTYPE_IPV4, ETHERTYPE_IPV6, ETHERTYPE_VLAN};
use crate::packet::{array, Packet};

/// What the parser must be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseConfig {
    /// UDP destination port of the transport.
    pub port: u16,
}

impl Default for ParseConfig {
    fn default() -> Self {
        Self { port: DEFAULT_PORT }
    }
}

/// Contents of an 802.1Q tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vlan {
    /// Priority code point, 3 bits.
    pub pcp: u8,
    /// Drop eligible.
    pub dei: bool,
    /// VLAN, 12 bits.
    pub vid: u16,
}

/// A frame; `P` holds the payload of its packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<P = Vec<u8>> {
    /// Destination Ethernet address.
    pub dst_mac: [u8; 6],
    /// Source Ethernet address.
    pub src_mac: [u8; 6],
    /// The one 802.1Q tag there may be.
    pub vlan: Option<Vlan>,
    /// IP header.
    pub ip: Ip,
    /// UDP source port.
    pub src_port: u16,
    /// UDP destination port.
    pub dst_port: u16,
    /// UDP checksum as received; sent 0.
    pub udp_checksum: u16,
    /// The transport packet.
    pub packet: Packet<P>,
}

fn fail<T>(reason: DropReason, seen: impl Into<u64>, needed: impl Into<u64>) -> Result<T, ParseError> {
    Err(ParseError { reason, seen: seen.into(), needed: needed.into() })
}

/// The Ethernet header taken apart: `ether_type` is the one behind the tag.
struct Ethernet<'a> {
    mac: MacHeader,
    vlan: Option<Vlan>,
    ether_type: u16,
    payload: &'a [u8],
}

fn parse_ethernet(bytes: &[u8]) -> Result<Ethernet<'_>, ParseError> {
    if bytes.len() < MacHeader::BYTES {
        return fail(DropReason::EthernetTruncated, bytes.len() as u64, MacHeader::BYTES as u64);
    }
    let mac = MacHeader::parse(&array(bytes, 0));
    if mac.ether_type != ETHERTYPE_VLAN {
        let (ether_type, payload) = (mac.ether_type, &bytes[MacHeader::BYTES..]);
        return Ok(Ethernet { mac, vlan: None, ether_type, payload });
    }
    let tagged = MacHeader::BYTES + VlanTag::BYTES;
    if bytes.len() < tagged {
        return fail(DropReason::EthernetTruncated, bytes.len() as u64, tagged as u64);
    }
    let VlanTag { pcp, dei, vid, ether_type } = VlanTag::parse(&array(bytes, MacHeader::BYTES));
    let vlan = Some(Vlan { pcp, dei: dei == 1, vid });
    Ok(Ethernet { mac, vlan, ether_type, payload: &bytes[tagged..] })
}

impl Frame {
    /// Reads a frame, every check up to the ICRC included.
    ///
    /// [`Frame::emit`] gives the same bytes back, except that a zero IPv4 header checksum may have been
    /// spelled 0xffff.
    ///
    /// # Errors The one reason, the lowest number that holds. `BadFrame`, `Oversize` and `HoldOverflow`
    /// cannot be seen in bytes: they are the MAC's and the hold buffer's.
    pub fn parse(bytes: &[u8], config: ParseConfig) -> Result<Self, ParseError> {
        let Frame { dst_mac, src_mac, vlan, ip, src_port, dst_port, udp_checksum, packet } =
            Frame::parse_ref(bytes, config)?;
        let packet = packet.into_owned();
        Ok(Self { dst_mac, src_mac, vlan, ip, src_port, dst_port, udp_checksum, packet })
    }
}

impl<'a> Frame<&'a [u8]> {
    /// As [`Frame::parse`], the payload a part of `bytes`.
    ///
    /// # Errors
    /// Those of [`Frame::parse`].
    pub fn parse_ref(bytes: &'a [u8], config: ParseConfig) -> Result<Self, ParseError> {
        let Ethernet { mac, vlan, ether_type, payload: ip_bytes } = parse_ethernet(bytes)?;
        let (ip, udp_bytes) = match ether_type {
            ETHERTYPE_IPV4 => Ip::parse_v4(ip_bytes)?,
            ETHERTYPE_IPV6 => Ip::parse_v6(ip_bytes)?,
            other => return fail(DropReason::EtherType, other, ETHERTYPE_IPV4),
        };
        let seen = udp_bytes.len();
        if seen < UdpHeader::BYTES {
            return fail(DropReason::UdpTruncated, seen as u64, UdpHeader::BYTES as u64);
        }
        let udp = UdpHeader::parse(&array(udp_bytes, 0));
        if udp.dst_port != config.port {
            return fail(DropReason::UdpPort, udp.dst_port, config.port);
        }
        if usize::from(udp.length) != seen {
            return fail(DropReason::UdpLength, udp.length, seen as u64);
        }
        let packet = Packet::parse_ref(&udp_bytes[UdpHeader::BYTES..])?;
        let (covered, trailer) = ip_bytes.split_at(ip_bytes.len() - ICRC_BYTES);
        let (seen, needed) = (u32::from_le_bytes(array(trailer, 0)), icrc(ip.is_v6(), covered));
        if seen != needed {
            return fail(DropReason::Icrc, seen, needed);
        }
        Ok(Self {
            dst_mac: mac.dst,
            src_mac: mac.src,
            vlan,
            ip,
            src_port: udp.src_port,
            dst_port: udp.dst_port,
            udp_checksum: udp.checksum,
            packet,
        })
    }
}

impl<P: AsRef<[u8]>> Frame<P> {
    /// How many bytes [`Self::emit`] makes.
    pub fn bytes(&self) -> usize {
        let tag = if self.vlan.is_some() { VlanTag::BYTES } else { 0 };
        MacHeader::BYTES + tag + self.ip.header_bytes() + UdpHeader::BYTES + self.packet.bytes() + ICRC_BYTES
    }

    /// The frame's bytes, ICRC, lengths and IPv4 header checksum computed.
    ///
    /// # Errors When a field is wider than its bits, the opcode cannot carry the payload, or the length
    /// fields cannot say the length.
    pub fn emit(&self) -> Result<Vec<u8>, EmitError> {
        let mut bytes = Vec::new();
        self.emit_into(&mut bytes)?;
        Ok(bytes)
    }

    /// As [`Self::emit`], into `bytes`: what was in there is gone, its memory is used again.
    ///
    /// # Errors
    /// Those of [`Self::emit`].
    pub fn emit_into(&self, bytes: &mut Vec<u8>) -> Result<(), EmitError> {
        bytes.clear();
        let udp_length = UdpHeader::BYTES + self.packet.bytes() + ICRC_BYTES;
        self.emit_ethernet(bytes)?;
        let ip_start = bytes.len();
        self.ip.emit(udp_length, bytes)?;
        let udp = UdpHeader {
            src_port: self.src_port,
            dst_port: self.dst_port,
            length: udp_length as u16, // `Ip::emit` has refused longer ones
            checksum: self.udp_checksum,
        };
        bytes.extend_from_slice(&udp.emit());
        self.packet.emit(bytes)?;
        let icrc = icrc(self.ip.is_v6(), &bytes[ip_start..]);
        bytes.extend_from_slice(&icrc.to_le_bytes());
        Ok(())
    }

    fn emit_ethernet(&self, bytes: &mut Vec<u8>) -> Result<(), EmitError> {
        let inner = if self.ip.is_v6() { ETHERTYPE_IPV6 } else { ETHERTYPE_IPV4 };
        let ether_type = if self.vlan.is_some() { ETHERTYPE_VLAN } else { inner };
        bytes.extend_from_slice(&MacHeader { dst: self.dst_mac, src: self.src_mac, ether_type }.emit());
        if let Some(Vlan { pcp, dei, vid }) = self.vlan {
            crate::ip::fits("pcp", pcp.into(), 7)?;
            crate::ip::fits("vid", vid.into(), 0xfff)?;
            bytes.extend_from_slice(&VlanTag { pcp, dei: dei.into(), vid, ether_type: inner }.emit());
        }
        Ok(())
    }
}
