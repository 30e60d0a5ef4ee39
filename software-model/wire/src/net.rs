//! The headers below the transport, as raw tables: Ethernet II, 802.1Q, IPv4, IPv6, UDP.

use crate::field::{layout, Source};

const ETHERNET: Source = Source::Ieee("802.3");
const DOT1Q: Source = Source::Ieee("802.1Q");
const IPV4: Source = Source::Rfc(791);
const IPV6: Source = Source::Rfc(8200);
const UDP: Source = Source::Rfc(768);
const DSCP: Source = Source::Rfc(2474);
const ECN: Source = Source::Rfc(3168);

/// EtherType of IPv4.
pub const ETHERTYPE_IPV4: u16 = 0x0800;
/// EtherType of IPv6.
pub const ETHERTYPE_IPV6: u16 = 0x86dd;
/// EtherType of an 802.1Q tag.
pub const ETHERTYPE_VLAN: u16 = 0x8100;
/// IP protocol number of UDP.
pub const PROTOCOL_UDP: u8 = 17;
/// The IPv4 flags and fragment offset of every Heddle packet: DF alone.
pub const DONT_FRAGMENT: u16 = 0x4000;
/// ECN codepoint: congestion experienced.
pub const ECN_CE: u8 = 3;

layout! {
    /// Ethernet II header.
    MAC_HEADER, MacHeader, Big, 14 {
        /// Destination address.
        dst: [u8; 6] = 48, ETHERNET;
        /// Source address.
        src: [u8; 6] = 48, ETHERNET;
        /// What follows.
        ether_type: u16 = 16, ETHERNET;
    }
}

layout! {
    /// What follows EtherType 0x8100.
    VLAN_TAG, VlanTag, Big, 4 {
        /// Priority code point.
        pcp: u8 = 3, DOT1Q;
        /// Drop eligible.
        dei: u8 = 1, DOT1Q;
        /// VLAN.
        vid: u16 = 12, DOT1Q;
        /// What follows.
        ether_type: u16 = 16, DOT1Q;
    }
}

layout! {
    /// IPv4 header without options.
    IPV4_HEADER, Ipv4Header, Big, 20 {
        /// 4.
        version: u8 = 4, IPV4;
        /// Header length in words, 5.
        ihl: u8 = 4, IPV4;
        /// Class of service.
        dscp: u8 = 6, DSCP;
        /// 0 not ECN-capable, 1 and 2 ECN-capable, 3 CE.
        ecn: u8 = 2, ECN;
        /// Header and payload in bytes.
        total_length: u16 = 16, IPV4;
        /// Identification; without meaning, as nothing is fragmented.
        identification: u16 = 16, IPV4;
        /// Flags and fragment offset: 0x4000, DF alone.
        fragment: u16 = 16, IPV4;
        /// Hops left.
        ttl: u8 = 8, IPV4;
        /// 17, UDP.
        protocol: u8 = 8, IPV4;
        /// Ones' complement of the ones' complement sum of the header.
        checksum: u16 = 16, IPV4;
        /// Source address.
        src: [u8; 4] = 32, IPV4;
        /// Destination address.
        dst: [u8; 4] = 32, IPV4;
    }
}

layout! {
    /// IPv6 header.
    IPV6_HEADER, Ipv6Header, Big, 40 {
        /// 6.
        version: u8 = 4, IPV6;
        /// Class of service.
        dscp: u8 = 6, DSCP;
        /// 0 not ECN-capable, 1 and 2 ECN-capable, 3 CE.
        ecn: u8 = 2, ECN;
        /// Flow label.
        flow_label: u32 = 20, IPV6;
        /// Payload in bytes.
        payload_length: u16 = 16, IPV6;
        /// 17, UDP.
        next_header: u8 = 8, IPV6;
        /// Hops left.
        hop_limit: u8 = 8, IPV6;
        /// Source address.
        src: [u8; 16] = 128, IPV6;
        /// Destination address.
        dst: [u8; 16] = 128, IPV6;
    }
}

layout! {
    /// UDP header.
    UDP_HEADER, UdpHeader, Big, 8 {
        /// Source port: the entropy of a route.
        src_port: u16 = 16, UDP;
        /// Destination port: the configured one.
        dst_port: u16 = 16, UDP;
        /// Header and payload in bytes.
        length: u16 = 16, UDP;
        /// Sent 0, ignored on receipt, as RoCEv2 does: the ICRC covers more.
        checksum: u16 = 16, UDP;
    }
}

const _: () = {
    assert!(VLAN_TAG.is_word_aligned() && IPV4_HEADER.is_word_aligned());
    assert!(IPV6_HEADER.is_word_aligned() && UDP_HEADER.is_word_aligned());
};

/// The checksum of an IPv4 header whose checksum field is taken as 0.
pub fn ipv4_checksum(header: &[u8; 20]) -> u16 {
    let words = header.chunks_exact(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1]));
    let own = u32::from(header[10]) << 8 | u32::from(header[11]);
    !fold(words.sum::<u32>() - own)
}

/// True when the header's ones' complement sum, checksum included, is all ones.
pub fn ipv4_checksum_holds(header: &[u8; 20]) -> bool {
    fold(header.chunks_exact(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum()) == 0xffff
}

fn fold(sum: u32) -> u16 {
    let once = (sum & 0xffff) + (sum >> 16);
    ((once & 0xffff) + (once >> 16)) as u16
}
