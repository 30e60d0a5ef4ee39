//! Against etherparse (lower headers) and crc (ICRC).

use crate::robustness::seed;
use crate::support::one_of_each;
use etherparse::{EtherType, LinkHeader, NetHeaders, PacketHeaders, TransportHeader, VlanHeader};
use heddle_wire::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[test]
fn etherparse_sees_the_same_lower_headers_and_the_same_ipv4_checksum() {
    let mut rng = ChaCha8Rng::seed_from_u64(seed(31));
    let (mut tags, mut v4, mut v6) = (0, 0, 0);
    for _ in 0..10 {
        for frame in one_of_each(&mut rng) {
            let bytes = frame.emit().unwrap();
            let seen = PacketHeaders::from_ethernet_slice(&bytes).unwrap();
            let Some(LinkHeader::Ethernet2(ethernet)) = seen.link else { panic!("no Ethernet II") };
            assert_eq!((ethernet.destination, ethernet.source), (frame.dst_mac, frame.src_mac));
            let vlan = seen.vlan.map(|vlan| match vlan {
                VlanHeader::Single(tag) => {
                    tags += 1;
                    let is_v6 = tag.ether_type == EtherType::IPV6;
                    assert_eq!(is_v6, frame.ip.is_v6());
                    Vlan { pcp: tag.pcp.value(), dei: tag.drop_eligible_indicator, vid: tag.vlan_id.value() }
                }
                VlanHeader::Double(_) => panic!("two tags"),
            });
            assert_eq!(vlan, frame.vlan);
            let ip_bytes = bytes.len() - if vlan.is_some() { 18 } else { 14 };
            let ip = match seen.net.unwrap() {
                NetHeaders::Ipv4(header, extensions) => {
                    v4 += 1;
                    assert!(header.options.is_empty() && extensions.is_empty());
                    assert_eq!(header.header_checksum, header.calc_header_checksum());
                    assert!(header.dont_fragment && !header.more_fragments);
                    assert_eq!(header.fragment_offset.value(), 0);
                    assert_eq!(usize::from(header.total_len), ip_bytes);
                    Ip::V4(Ipv4 {
                        dscp: header.dscp.value(),
                        ecn: header.ecn.value(),
                        identification: header.identification,
                        ttl: header.time_to_live,
                        src: header.source.into(),
                        dst: header.destination.into(),
                    })
                }
                NetHeaders::Ipv6(header, extensions) => {
                    v6 += 1;
                    assert!(extensions.is_empty());
                    assert_eq!(usize::from(header.payload_length), ip_bytes - 40);
                    Ip::V6(Ipv6 {
                        dscp: header.traffic_class >> 2,
                        ecn: header.traffic_class & 3,
                        flow_label: header.flow_label.value(),
                        hop_limit: header.hop_limit,
                        src: header.source.into(),
                        dst: header.destination.into(),
                    })
                }
            };
            assert_eq!(ip, frame.ip);
            let Some(TransportHeader::Udp(udp)) = seen.transport else { panic!("no UDP") };
            assert_eq!((udp.source_port, udp.destination_port), (frame.src_port, frame.dst_port));
            assert_eq!(udp.checksum, frame.udp_checksum);
            assert_eq!(usize::from(udp.length), ip_bytes - if frame.ip.is_v6() { 40 } else { 20 });
        }
    }
    assert_eq!((tags, v4, v6), (280, 280, 280));
}

/// The masks by hand here, from the RFCs' own header diagrams.
#[test]
fn the_icrc_is_that_of_the_crc_crate_over_the_masked_packet() {
    let crc32 = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
    let mut rng = ChaCha8Rng::seed_from_u64(seed(32));
    let mut checked = 0;
    for _ in 0..10 {
        for frame in one_of_each(&mut rng) {
            let bytes = frame.emit().unwrap();
            let ip_start = if frame.vlan.is_some() { 18 } else { 14 };
            let (packet, trailer) = bytes[ip_start..].split_at(bytes.len() - ip_start - 4);
            let mut masked = packet.to_vec();
            let udp = if frame.ip.is_v6() {
                masked[0] = 0x6f;
                masked[1..4].fill(0xff);
                masked[7] = 0xff;
                40
            } else {
                masked[1] = 0xff;
                masked[8] = 0xff;
                masked[10..12].fill(0xff);
                20
            };
            masked[udp + 6..udp + 8].fill(0xff);
            assert_eq!(crc32.checksum(&masked).to_le_bytes(), trailer);
            checked += 1;
        }
    }
    assert_eq!(checked, 560);
}
