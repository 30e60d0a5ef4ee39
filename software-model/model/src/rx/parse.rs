//! The receive parser: a frame's bytes in, its one drop reason or its header and payload out.
//!
//! As in the RTL, every condition is computed by itself and the lowest number that holds is the reason.

use heddle_wire::icrc::{IPV4_MASKED, IPV6_MASKED};
use heddle_wire::net::{
    ipv4_checksum_holds, Ipv4Header, Ipv6Header, MacHeader, UdpHeader, VlanTag, DONT_FRAGMENT, ECN_CE,
    ETHERTYPE_IPV4, ETHERTYPE_IPV6, ETHERTYPE_VLAN, PROTOCOL_UDP,
};
use heddle_wire::{AckForm, AtomicOperands, AtomicResult, Common, DropReason, Opcode, Packet, PacketType};

/// Transport header words handed to the look-ups.
pub const HEADER_WORDS: usize = 12;
const ICRC_BYTES: usize = heddle_wire::header::ICRC_BYTES;

/// A frame as the MAC hands it over, without preamble and FCS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseIn<'a> {
    /// From the Ethernet header on; at least one byte.
    pub bytes: &'a [u8],
    /// The MAC found the frame bad.
    pub bad: bool,
    /// UDP port of the transport.
    pub port: u16,
}

/// What the parser says of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseOut {
    /// Why it is dropped, if it is.
    pub drop: Option<DropReason>,
    /// The header of a frame that is not dropped.
    pub header: Option<ParseHeader>,
    /// From the transport header on. Here and below an unknown EtherType is taken for IPv4.
    pub payload: Vec<u8>,
    /// From the IP header on, masked for the ICRC engine.
    pub masked: Vec<u8>,
}

/// A transport header and what goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseHeader {
    /// IPv6.
    pub v6: bool,
    /// Source address; IPv4 in the low 32 bits.
    pub src: u128,
    /// Congestion experienced.
    pub ce: bool,
    /// Words of the header, the first 12 at most.
    pub words: Vec<u32>,
    /// UDP payload in bytes, from the transport header to the ICRC, both included.
    pub paylen: u16,
}

/// Parses one frame.
pub fn on_frame(frame: ParseIn<'_>) -> ParseOut {
    let ethernet = Ethernet::read(frame.bytes);
    let mut conditions = vec![(DropReason::BadFrame, frame.bad)];
    conditions.push((DropReason::EthernetTruncated, frame.bytes.len() < ethernet.ip_start));
    conditions.push((DropReason::EtherType, ethernet.v6.is_none()));
    let packet = frame.bytes.get(ethernet.ip_start..).unwrap_or_default();
    let v6 = ethernet.v6.unwrap_or(false);
    if v6 {
        ipv6_conditions(packet, frame.port, &mut conditions);
    } else {
        ipv4_conditions(packet, frame.port, &mut conditions);
    }
    let drop = conditions.iter().filter(|(_, holds)| *holds).map(|(reason, _)| *reason).min();
    let payload = packet.get(transport_start(v6)..).unwrap_or_default();
    ParseOut {
        drop,
        header: drop.is_none().then(|| header(v6, packet, payload)),
        payload: payload.to_vec(),
        masked: mask(v6, packet),
    }
}

/// The Ethernet header: where the IP header starts and which one it is, `None` for neither.
struct Ethernet {
    ip_start: usize,
    v6: Option<bool>,
}

impl Ethernet {
    fn read(bytes: &[u8]) -> Self {
        let tagged = ether_type(bytes, MacHeader::BYTES) == ETHERTYPE_VLAN;
        let ip_start = MacHeader::BYTES + if tagged { VlanTag::BYTES } else { 0 };
        let v6 = match ether_type(bytes, ip_start) {
            ETHERTYPE_IPV4 => Some(false),
            ETHERTYPE_IPV6 => Some(true),
            _ => None,
        };
        Self { ip_start, v6 }
    }
}

/// The EtherType that ends before byte `end`, 0 where the frame does not reach so far.
fn ether_type(bytes: &[u8], end: usize) -> u16 {
    bytes.get(end - 2..end).map_or(0, |field| u16::from_be_bytes([field[0], field[1]]))
}

fn transport_start(v6: bool) -> usize {
    UdpHeader::BYTES + if v6 { Ipv6Header::BYTES } else { Ipv4Header::BYTES }
}

/// `N` bytes from `at` on, zeros where there are none: such fields are never looked at.
fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes.get(at + i).copied().unwrap_or(0))
}

type Conditions = Vec<(DropReason, bool)>;

fn ipv4_conditions(packet: &[u8], port: u16, conditions: &mut Conditions) {
    let raw = array(packet, 0);
    let ip = Ipv4Header::parse(&raw);
    let length = i64::from(ip.total_length) - Ipv4Header::BYTES as i64;
    conditions.extend([
        (DropReason::IpTruncated, packet.len() < Ipv4Header::BYTES),
        (DropReason::IpVersion, ip.version != 4),
        (DropReason::IpOptions, ip.ihl != 5),
        (DropReason::IpChecksum, !ipv4_checksum_holds(&raw)),
        (DropReason::IpFragment, ip.fragment != DONT_FRAGMENT),
        (DropReason::IpProtocol, ip.protocol != PROTOCOL_UDP),
    ]);
    udp_conditions(packet.get(Ipv4Header::BYTES..).unwrap_or_default(), length, port, conditions);
}

fn ipv6_conditions(packet: &[u8], port: u16, conditions: &mut Conditions) {
    let ip = Ipv6Header::parse(&array(packet, 0));
    conditions.extend([
        (DropReason::IpTruncated, packet.len() < Ipv6Header::BYTES),
        (DropReason::IpVersion, ip.version != 6),
        (DropReason::IpProtocol, ip.next_header != PROTOCOL_UDP),
    ]);
    let length = i64::from(ip.payload_length);
    udp_conditions(packet.get(Ipv6Header::BYTES..).unwrap_or_default(), length, port, conditions);
}

/// `datagram` is what follows the IP header, `ip_length` what that header says it is.
fn udp_conditions(datagram: &[u8], ip_length: i64, port: u16, conditions: &mut Conditions) {
    let seen = datagram.len();
    let udp = UdpHeader::parse(&array(datagram, 0));
    let transport = datagram.get(UdpHeader::BYTES..).unwrap_or_default();
    let common = Common::parse(&array(transport, 0));
    let packet_type = PacketType::from_code(common.packet_type);
    let opcode = Opcode::from_code(common.opcode);
    let opcode_wrong = match packet_type {
        Some(PacketType::Data) => opcode.is_none(),
        Some(PacketType::Ack) => AckForm::from_code(common.opcode).is_none(),
        _ => common.opcode != 0,
    };
    conditions.extend([
        (DropReason::IpLength, ip_length < 0 || (seen as i64) < ip_length),
        (DropReason::IpTrailing, seen as i64 > ip_length),
        (DropReason::UdpTruncated, seen < UdpHeader::BYTES),
        (DropReason::UdpPort, udp.dst_port != port),
        (DropReason::UdpLength, usize::from(udp.length) != seen),
        (DropReason::TransportTruncated, transport.len() < Common::BYTES + ICRC_BYTES),
        (DropReason::Version, common.version != heddle_wire::header::VERSION),
        (DropReason::PacketType, packet_type.is_none()),
        (DropReason::Opcode, opcode_wrong),
        (DropReason::Length, !length_fits(&common, transport.len())),
    ]);
}

/// Whether `bytes` of UDP payload are what type and opcode ask for. [REQ-ACK-5]
fn length_fits(common: &Common, bytes: usize) -> bool {
    let Some(packet_type) = PacketType::from_code(common.packet_type) else { return false };
    let fixed = Packet::header_bytes(packet_type, common.opcode) + ICRC_BYTES;
    match (packet_type, Opcode::from_code(common.opcode)) {
        (PacketType::Data, Some(Opcode::ReadReq)) => bytes == fixed,
        (PacketType::Data, Some(Opcode::FetchAdd | Opcode::CmpSwap)) => {
            bytes == fixed + AtomicOperands::BYTES
        }
        (PacketType::Data, Some(Opcode::AtomicResp)) => bytes == fixed + AtomicResult::BYTES,
        (PacketType::Data, _) => bytes >= fixed && bytes % 4 == 0,
        _ => bytes == fixed,
    }
}

/// The packet as the ICRC sees it. The ICRC itself lies behind every masked field.
fn mask(v6: bool, packet: &[u8]) -> Vec<u8> {
    let positions = if v6 { &IPV6_MASKED } else { &IPV4_MASKED };
    let mut masked = packet.to_vec();
    for at in positions {
        if let Some(byte) = masked.get_mut(*at) {
            *byte = 0xff;
        }
    }
    if let (true, Some(first)) = (v6, masked.first_mut()) {
        // The first half of the traffic class, behind the version.
        *first |= 0x0f;
    }
    masked
}

fn header(v6: bool, packet: &[u8], payload: &[u8]) -> ParseHeader {
    let (src, ecn) = if v6 {
        let ip = Ipv6Header::parse(&array(packet, 0));
        (u128::from_be_bytes(ip.src), ip.ecn)
    } else {
        let ip = Ipv4Header::parse(&array(packet, 0));
        (u128::from(u32::from_be_bytes(ip.src)), ip.ecn)
    };
    let bytes =
        PacketType::from_code(payload[0] & 0xf).map_or(0, |kind| Packet::header_bytes(kind, payload[1]));
    let words = payload[..bytes].chunks_exact(4).take(HEADER_WORDS);
    ParseHeader {
        v6,
        src,
        ce: ecn == ECN_CE,
        words: words.map(|word| u32::from_be_bytes(array(word, 0))).collect(),
        paylen: payload.len() as u16,
    }
}

#[cfg(test)]
mod tests;
