//! The ICRC: the CRC-32 of the Ethernet FCS over the packet from its IP header on, with every field that the
//! fabric may change taken as ones.

/// Reflected generator polynomial. Source: IEEE 802.3.
pub const POLYNOMIAL: u32 = 0xedb8_8320;

/// Masked byte positions of an IPv4 packet with its UDP header: TOS, TTL, header checksum; UDP checksum.
pub const IPV4_MASKED: [usize; 6] = [1, 8, 10, 11, 26, 27];
/// Masked byte positions of an IPv6 packet with its UDP header: hop limit; UDP checksum. Of byte 0 the low
/// four bits and bytes 1 to 3 whole (traffic class and flow label) are masked too.
pub const IPV6_MASKED: [usize; 6] = [1, 2, 3, 7, 46, 47];

/// Bytes that one step of [`crc32_continue_slice`] takes.
const STRIDE: usize = 8;

/// Row n: what a byte does that n further bytes follow.
const TABLES: [[u32; 256]; STRIDE] = {
    let mut tables = [[0; 256]; STRIDE];
    let mut i = 0;
    while i < 256 {
        let (mut value, mut bit) = (i as u32, 0);
        while bit < 8 * STRIDE {
            value = if value & 1 == 1 { value >> 1 ^ POLYNOMIAL } else { value >> 1 };
            bit += 1;
            if bit % 8 == 0 {
                tables[bit / 8 - 1][i] = value;
            }
        }
        i += 1;
    }
    tables
};

/// Continues a CRC-32 register over `bytes`: start from all ones, and complement the end.
pub fn crc32_continue(register: u32, bytes: impl IntoIterator<Item = u8>) -> u32 {
    bytes.into_iter().fold(register, |crc, byte| crc >> 8 ^ TABLES[0][usize::from(crc as u8 ^ byte)])
}

/// As [`crc32_continue`], eight bytes at a time.
pub fn crc32_continue_slice(register: u32, bytes: &[u8]) -> u32 {
    let strides = bytes.chunks_exact(STRIDE);
    let rest = strides.remainder();
    let register = strides.fold(register, |crc, stride| {
        let mut word = [0; STRIDE];
        word.copy_from_slice(stride);
        let word = (u64::from_le_bytes(word) ^ u64::from(crc)).to_le_bytes();
        (0..STRIDE).fold(0, |sum, n| sum ^ TABLES[STRIDE - 1 - n][usize::from(word[n])])
    });
    crc32_continue(register, rest.iter().copied())
}

/// Bytes of an IP packet that hold all of its masked fields: IP header and UDP header.
const fn header_bytes(is_v6: bool) -> usize {
    if is_v6 {
        48
    } else {
        28
    }
}

/// The byte at position `index` of an IP packet as the ICRC sees it.
fn masked(is_v6: bool, index: usize, byte: u8) -> u8 {
    match is_v6 {
        false if IPV4_MASKED.contains(&index) => 0xff,
        true if IPV6_MASKED.contains(&index) => 0xff,
        true if index == 0 => byte | 0x0f,
        _ => byte,
    }
}

/// The ICRC of an IP packet, `packet` being everything from the IP header to the end of the payload, without the
/// ICRC.
///
/// It travels least significant byte first: `icrc(..).to_le_bytes()`.
pub fn icrc(is_v6: bool, packet: &[u8]) -> u32 {
    let (headers, rest) = packet.split_at(packet.len().min(header_bytes(is_v6)));
    let headers = headers.iter().enumerate().map(|(i, byte)| masked(is_v6, i, *byte));
    !crc32_continue_slice(crc32_continue(u32::MAX, headers), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bytes_at_a_time_give_what_one_at_a_time_gives() {
        let bytes: Vec<u8> = (0..100u32).map(|n| (n * n * 7 + 3) as u8).collect();
        for first in 0..9 {
            for end in first..bytes.len() {
                let part = &bytes[first..end];
                let want = crc32_continue(0x1234_5678, part.iter().copied());
                assert_eq!(crc32_continue_slice(0x1234_5678, part), want, "{first}..{end}");
            }
        }
    }

    /// The check value of CRC-32 (ISO-HDLC), from the published catalogue of CRC parameters.
    #[test]
    fn crc32_of_123456789() {
        assert_eq!(!crc32_continue(u32::MAX, *b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn exactly_the_fields_that_the_fabric_may_change_are_masked() {
        for (is_v6, length, want) in [(false, 48, 8 * 6), (true, 68, 8 * 6 + 4)] {
            let clean = vec![0u8; length];
            let base = icrc(is_v6, &clean);
            let mut without_effect = 0;
            for bit in 0..8 * length {
                let mut changed = clean.clone();
                changed[bit / 8] ^= 0x80 >> (bit % 8);
                without_effect += usize::from(icrc(is_v6, &changed) == base);
            }
            assert_eq!(without_effect, want);
        }
    }
}
