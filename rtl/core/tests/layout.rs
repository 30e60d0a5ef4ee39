//! Where the parser finds the headers' bytes.

use heddle_rtl::rx::parse::layout::{ipv6, place, udp, TRANSPORT_START};

#[test]
fn transport_starts_are_those_of_the_protocol() {
    assert_eq!(TRANSPORT_START, [42, 46, 62, 66]);
}

#[test]
fn fields_have_one_place_whether_tagged_or_not() {
    // UDP length of an untagged IPv4 frame: byte 38, aligned to byte 42 at 64 bit in beat -1, byte 4.
    assert_eq!(place(udp(4), 8), (5, 4));
    // IPv6 version, byte 0 of beat -6 at 64 bit, byte 16 of beat -1 at 512.
    assert_eq!(place(ipv6(0), 8), (0, 0));
    assert_eq!(place(ipv6(0), 64), (5, 16));
}
