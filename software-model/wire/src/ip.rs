//! IP headers as this transport uses them: IPv4 without options and with DF, IPv6 without extension headers,
//! UDP inside.

use crate::drop::DropReason;
use crate::error::{EmitError, ParseError};
use crate::net::{
    ipv4_checksum, ipv4_checksum_holds, Ipv4Header, Ipv6Header, DONT_FRAGMENT, ECN_CE, PROTOCOL_UDP,
};
use crate::packet::array;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The free fields of an IPv4 header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ipv4 {
    /// Class of service, 6 bits.
    pub dscp: u8,
    /// ECN codepoint, 2 bits.
    pub ecn: u8,
    /// Identification; without meaning.
    pub identification: u16,
    /// Hops left.
    pub ttl: u8,
    /// Source address.
    pub src: Ipv4Addr,
    /// Destination address.
    pub dst: Ipv4Addr,
}

/// The free fields of an IPv6 header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ipv6 {
    /// Class of service, 6 bits.
    pub dscp: u8,
    /// ECN codepoint, 2 bits.
    pub ecn: u8,
    /// Flow label, 20 bits.
    pub flow_label: u32,
    /// Hops left.
    pub hop_limit: u8,
    /// Source address.
    pub src: Ipv6Addr,
    /// Destination address.
    pub dst: Ipv6Addr,
}

/// An IP header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ip {
    /// IPv4.
    V4(Ipv4),
    /// IPv6.
    V6(Ipv6),
}

pub(crate) fn fits(name: &'static str, seen: u32, needed: u32) -> Result<(), EmitError> {
    if seen <= needed {
        Ok(())
    } else {
        Err(EmitError::Field { name, seen, needed })
    }
}

fn need(holds: bool, reason: DropReason, seen: usize, needed: usize) -> Result<(), ParseError> {
    if holds {
        Ok(())
    } else {
        Err(ParseError { reason, seen: seen as u64, needed: needed as u64 })
    }
}

impl Ip {
    /// True for IPv6.
    pub const fn is_v6(&self) -> bool {
        matches!(self, Self::V6(_))
    }

    /// Bytes of the header.
    pub const fn header_bytes(&self) -> usize {
        match self {
            Self::V4(_) => Ipv4Header::BYTES,
            Self::V6(_) => Ipv6Header::BYTES,
        }
    }

    /// True when a switch has marked the packet: congestion experienced.
    pub const fn ce(&self) -> bool {
        match self {
            Self::V4(ip) => ip.ecn == ECN_CE,
            Self::V6(ip) => ip.ecn == ECN_CE,
        }
    }

    /// Source address.
    pub const fn src(&self) -> IpAddr {
        match self {
            Self::V4(ip) => IpAddr::V4(ip.src),
            Self::V6(ip) => IpAddr::V6(ip.src),
        }
    }

    /// Destination address.
    pub const fn dst(&self) -> IpAddr {
        match self {
            Self::V4(ip) => IpAddr::V4(ip.dst),
            Self::V6(ip) => IpAddr::V6(ip.dst),
        }
    }

    /// Reads an IPv4 header; `bytes` is the frame from there to its end. Gives the header and its payload.
    pub(crate) fn parse_v4(bytes: &[u8]) -> Result<(Self, &[u8]), ParseError> {
        let seen = bytes.len();
        need(seen >= Ipv4Header::BYTES, DropReason::IpTruncated, seen, Ipv4Header::BYTES)?;
        let raw: [u8; Ipv4Header::BYTES] = array(bytes, 0);
        let header = Ipv4Header::parse(&raw);
        need(header.version == 4, DropReason::IpVersion, header.version.into(), 4)?;
        need(header.ihl == 5, DropReason::IpOptions, header.ihl.into(), 5)?;
        let (found, sum) = (header.checksum.into(), ipv4_checksum(&raw).into());
        need(ipv4_checksum_holds(&raw), DropReason::IpChecksum, found, sum)?;
        let fragment = header.fragment;
        need(fragment == DONT_FRAGMENT, DropReason::IpFragment, fragment.into(), DONT_FRAGMENT.into())?;
        let protocol = header.protocol;
        need(protocol == PROTOCOL_UDP, DropReason::IpProtocol, protocol.into(), PROTOCOL_UDP.into())?;
        let needed = usize::from(header.total_length);
        need(needed >= Ipv4Header::BYTES, DropReason::IpLength, needed, Ipv4Header::BYTES)?;
        need(seen >= needed, DropReason::IpLength, seen, needed)?;
        need(seen <= needed, DropReason::IpTrailing, seen, needed)?;
        let Ipv4Header { dscp, ecn, identification, ttl, src, dst, .. } = header;
        let ip = Ipv4 { dscp, ecn, identification, ttl, src: src.into(), dst: dst.into() };
        Ok((Self::V4(ip), &bytes[Ipv4Header::BYTES..]))
    }

    /// Reads an IPv6 header; `bytes` is the frame from there to its end. Gives the header and its payload.
    pub(crate) fn parse_v6(bytes: &[u8]) -> Result<(Self, &[u8]), ParseError> {
        let seen = bytes.len();
        need(seen >= Ipv6Header::BYTES, DropReason::IpTruncated, seen, Ipv6Header::BYTES)?;
        let header = Ipv6Header::parse(&array(bytes, 0));
        need(header.version == 6, DropReason::IpVersion, header.version.into(), 6)?;
        let protocol = header.next_header;
        need(protocol == PROTOCOL_UDP, DropReason::IpProtocol, protocol.into(), PROTOCOL_UDP.into())?;
        let needed = Ipv6Header::BYTES + usize::from(header.payload_length);
        need(seen >= needed, DropReason::IpLength, seen, needed)?;
        need(seen <= needed, DropReason::IpTrailing, seen, needed)?;
        let Ipv6Header { dscp, ecn, flow_label, hop_limit, src, dst, .. } = header;
        let ip = Ipv6 { dscp, ecn, flow_label, hop_limit, src: src.into(), dst: dst.into() };
        Ok((Self::V6(ip), &bytes[Ipv6Header::BYTES..]))
    }

    /// Appends the header in front of a payload of `payload` bytes.
    pub(crate) fn emit(&self, payload: usize, bytes: &mut Vec<u8>) -> Result<(), EmitError> {
        let most = usize::from(u16::MAX);
        let length = |seen: usize| u16::try_from(seen).map_err(|_| EmitError::TooLong { seen, needed: most });
        match *self {
            Self::V4(Ipv4 { dscp, ecn, identification, ttl, src, dst }) => {
                fits("dscp", dscp.into(), 63)?;
                fits("ecn", ecn.into(), 3)?;
                let mut header = Ipv4Header {
                    version: 4,
                    ihl: 5,
                    dscp,
                    ecn,
                    total_length: length(Ipv4Header::BYTES + payload)?,
                    identification,
                    fragment: DONT_FRAGMENT,
                    ttl,
                    protocol: PROTOCOL_UDP,
                    checksum: 0,
                    src: src.octets(),
                    dst: dst.octets(),
                };
                header.checksum = ipv4_checksum(&header.emit());
                bytes.extend_from_slice(&header.emit());
                Ok(())
            }
            Self::V6(Ipv6 { dscp, ecn, flow_label, hop_limit, src, dst }) => {
                fits("dscp", dscp.into(), 63)?;
                fits("ecn", ecn.into(), 3)?;
                fits("flow_label", flow_label, 0xf_ffff)?;
                let header = Ipv6Header {
                    version: 6,
                    dscp,
                    ecn,
                    flow_label,
                    payload_length: length(payload)?,
                    next_header: PROTOCOL_UDP,
                    hop_limit,
                    src: src.octets(),
                    dst: dst.octets(),
                };
                bytes.extend_from_slice(&header.emit());
                Ok(())
            }
        }
    }
}
