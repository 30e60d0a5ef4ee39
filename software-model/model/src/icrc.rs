//! The ICRC engine: a packet's masked bytes in, verdict and word out.

use heddle_wire::icrc::crc32_continue;

/// The register before the first byte.
const START: u32 = u32::MAX;
/// The register after a packet and its own ICRC. Source: the residue of CRC-32 (IEEE 802.3), bit-reflected.
const RESIDUE: u32 = 0xdebb_20e3;

/// What the engine says of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IcrcOut {
    /// The bytes ended with their own ICRC.
    pub good: bool,
    /// The ICRC of the bytes; its bits 7 to 0 are sent first.
    pub icrc: u32,
}

/// Runs the engine over a packet. `masked` is everything from the IP header on, what the fabric may
/// change already taken as ones.
pub fn on_packet(masked: &[u8]) -> IcrcOut {
    let register = crc32_continue(START, masked.iter().copied());
    IcrcOut { good: register == RESIDUE, icrc: !register }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Check value of CRC-32 from the published catalogue of CRC parameters.
    #[test]
    fn word_is_the_catalogue_check_value() {
        assert_eq!(on_packet(b"123456789"), IcrcOut { good: false, icrc: 0xcbf4_3926 });
    }

    #[test]
    fn bytes_that_end_with_their_icrc_are_good_and_any_changed_bit_is_seen() {
        let mut packet = b"123456789\x26\x39\xf4\xcb".to_vec();
        assert!(on_packet(&packet).good);
        let mut refused = 0;
        for bit in 0..8 * packet.len() {
            packet[bit / 8] ^= 1 << (bit % 8);
            refused += usize::from(!on_packet(&packet).good);
            packet[bit / 8] ^= 1 << (bit % 8);
        }
        assert_eq!(refused, 8 * packet.len());
    }
}
