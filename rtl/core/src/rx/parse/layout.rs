//! Where the headers' bytes are: the source of every position constant of the parser.
//!
//! The parser counts beats relative to the transport header: *aligned beat* j holds the B bytes from
//! byte `T + j * B` of the frame on, T being where the transport header starts. Then a field of the IP
//! or UDP header has one place per IP version, tag or not.

use heddle_wire::net::{Ipv4Header, Ipv6Header, MacHeader, UdpHeader, VlanTag};

/// Byte at which the IP header starts: without a tag, with one.
pub const IP_START: [usize; 2] = [MacHeader::BYTES, MacHeader::BYTES + VlanTag::BYTES];

/// Byte at which the transport header starts, by layout: IPv4, IPv4 behind a tag, IPv6, IPv6 behind a tag.
pub const TRANSPORT_START: [usize; 4] = [
    IP_START[0] + Ipv4Header::BYTES + UdpHeader::BYTES,
    IP_START[1] + Ipv4Header::BYTES + UdpHeader::BYTES,
    IP_START[0] + Ipv6Header::BYTES + UdpHeader::BYTES,
    IP_START[1] + Ipv6Header::BYTES + UdpHeader::BYTES,
];

/// Number of aligned beat 0: the counter of aligned beats is never negative where a field is.
pub const BEAT_ZERO: usize = 6;

/// Distance of an IPv4 header field from the transport header.
pub const fn ipv4(field: usize) -> isize {
    field as isize - (Ipv4Header::BYTES + UdpHeader::BYTES) as isize
}

/// Distance of an IPv6 header field from the transport header.
pub const fn ipv6(field: usize) -> isize {
    field as isize - (Ipv6Header::BYTES + UdpHeader::BYTES) as isize
}

/// Distance of a UDP header field from the transport header.
pub const fn udp(field: usize) -> isize {
    field as isize - UdpHeader::BYTES as isize
}

/// Number of the aligned beat in which the byte `distance` bytes behind the transport header's start is,
/// and its byte in the beat.
pub const fn place(distance: isize, beat_bytes: usize) -> (usize, usize) {
    let beat = distance.div_euclid(beat_bytes as isize) + BEAT_ZERO as isize;
    (beat as usize, distance.rem_euclid(beat_bytes as isize) as usize)
}
