//! Sizes of RoCEv2 packets in bytes. Sources: IBTA volume 1, chapter 9 (BTH, RETH, AETH, ICRC), annex A17 (IP
//! and UDP below them).

use crate::packet::{Host, ETHERNET_OVERHEAD};
use heddle_wire::Psn;

/// Ethernet 14, IPv4 20, UDP 8, BTH 12 and ICRC 4, and what Ethernet adds on the wire.
pub(super) const BASE: u32 = 14 + 20 + 8 + 12 + 4 + ETHERNET_OVERHEAD;
/// Address, key and length: in the first packet of a WRITE, and in a READ.
pub(super) const RETH: u32 = 16;
/// Syndrome and message number: in an ACK or NAK, and in the first and the last answer to a READ.
pub(super) const AETH: u32 = 4;
/// Reserved bytes of a CNP.
pub(super) const CNP: u32 = 16;

/// First of the 2^14 UDP source ports. Source: Linux `rdma_get_udp_sport`.
pub(super) const FIRST_SRC_PORT: u16 = 0xC000;

/// A number that is spread evenly and follows from its arguments alone: the finalizer of SplitMix64 over each
/// of them in turn.
fn mix(words: [u64; 4]) -> u64 {
    words.into_iter().fold(0, |state, word| {
        let mut z = (state ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    })
}

/// The first PSN of what a queue pair sends from one host to the other.
pub(super) fn first_psn(seed: u64, from: Host, to: Host, connection: u16, lane: u16) -> Psn {
    let which = u64::from(connection) << 16 | u64::from(lane);
    Psn::new(mix([seed, from.into(), to.into(), which]) as u32)
}

/// The source port of a queue pair at a host.
pub(super) fn src_port(seed: u64, host: Host, peer: Host, connection: u16, lane: u16) -> u16 {
    let which = u64::from(connection) << 32 | u64::from(lane) << 16 | 1;
    FIRST_SRC_PORT | mix([seed, host.into(), peer.into(), which]) as u16 >> 2
}
