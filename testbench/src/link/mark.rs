//! A switch's congestion mark: CE in the IP header of a packet that is ECN-capable.

use heddle_wire::net::{ipv4_checksum, ECN_CE, ETHERTYPE_IPV4, ETHERTYPE_IPV6, ETHERTYPE_VLAN};

/// Bytes of an IPv4 header without options.
const IPV4_BYTES: usize = 20;

/// Whether a frame's packet is ECN-capable.
pub(super) fn is_ect(frame: &[u8]) -> bool {
    ip_header(frame).is_some_and(|(at, shift)| frame[at + 1] >> shift & ECN_CE != 0)
}

/// Marks a frame's packet CE and keeps the IPv4 header checksum right; the ICRC does not cover the field. What is
/// not ECN-capable, or no IP packet, is left alone.
pub(super) fn mark_ce(frame: &mut [u8]) {
    let Some((at, shift)) = ip_header(frame).filter(|_| is_ect(frame)) else { return };
    frame[at + 1] |= ECN_CE << shift;
    if let (0, Some(header)) = (shift, frame[at..].first_chunk::<IPV4_BYTES>()) {
        let sum = ipv4_checksum(header);
        frame[at + 10..at + 12].copy_from_slice(&sum.to_be_bytes());
    }
}

/// Where the IP header begins, when there is a whole one, and where in its second byte ECN does: IPv4 has it in
/// the low bits; IPv6 has 4 bits version and 8 of traffic class, so bits 5 and 4.
fn ip_header(frame: &[u8]) -> Option<(usize, u32)> {
    let word = |at: usize| frame.get(at..at + 2).map(|b| u16::from_be_bytes([b[0], b[1]]));
    let tag = if word(12)? == ETHERTYPE_VLAN { 4 } else { 0 };
    let at = 14 + tag;
    let shift = match (word(12 + tag)?, frame.get(at)? >> 4) {
        (ETHERTYPE_IPV4, 4) => 0,
        (ETHERTYPE_IPV6, 6) => 4,
        _ => return None,
    };
    (frame.len() >= at + IPV4_BYTES).then_some((at, shift))
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_wire::{Body, Frame, Ip, Ipv4, Ipv6, Packet, ParseConfig, Probe, Psn, Time32, Vlan};
    use std::net::{Ipv4Addr, Ipv6Addr};

    fn ipv4(ecn: u8) -> Ip {
        let address = Ipv4Addr::new(10, 0, 0, 1);
        Ip::V4(Ipv4 { dscp: 26, ecn, identification: 7, ttl: 64, src: address, dst: address })
    }

    fn ipv6(ecn: u8) -> Ip {
        let address = Ipv6Addr::LOCALHOST;
        Ip::V6(Ipv6 { dscp: 0x2A, ecn, flow_label: 0xABCDE, hop_limit: 64, src: address, dst: address })
    }

    fn frame(ip: Ip, vlan: Option<Vlan>) -> Frame {
        let packet = Packet {
            flags: heddle_wire::Flags::NONE,
            path: 0,
            dst_conn: 1,
            tag: 2,
            route: 0,
            psn: Psn::new(3),
            timestamp: Time32::new(4),
            body: Body::Probe(Probe::default()),
        };
        let (src_port, dst_port) = (0xC000, ParseConfig::default().port);
        Frame { dst_mac: [2; 6], src_mac: [2; 6], vlan, ip, src_port, dst_port, udp_checksum: 0, packet }
    }

    /// The frame is a good one afterwards, checksum and ICRC checked by the parser, and nothing but CE is new.
    #[test]
    fn a_marked_packet_is_whole_and_says_ce() {
        for ip in [ipv4, ipv6] {
            for vlan in [None, Some(Vlan { pcp: 3, dei: false, vid: 7 })] {
                for ect in [1, 2, 3] {
                    let mut bytes = frame(ip(ect), vlan).emit().unwrap();
                    assert!(is_ect(&bytes));
                    mark_ce(&mut bytes);
                    let parsed = Frame::parse(&bytes, ParseConfig::default()).unwrap();
                    assert_eq!(parsed, frame(ip(ECN_CE), vlan), "ECT {ect}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_ecn_capable_is_left_alone() {
        for ip in [ipv4, ipv6] {
            let before = frame(ip(0), None).emit().unwrap();
            let mut bytes = before.clone();
            assert!(!is_ect(&bytes));
            mark_ce(&mut bytes);
            assert_eq!(bytes, before);
        }
        for junk in [vec![], vec![0xFF; 13], vec![0xFF; 100], [vec![0; 12], vec![8, 0, 0x45]].concat()] {
            let mut bytes = junk.clone();
            assert!(!is_ect(&bytes));
            mark_ce(&mut bytes);
            assert_eq!(bytes, junk);
        }
    }
}
