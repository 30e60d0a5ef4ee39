//! The CRC-32 register as a linear map over GF(2), for the constant masks of [`super::Icrc`].
//!
//! A register of 32 bits is a column; feeding bits is a matrix product. Every output bit of a product is
//! then one XOR of the input under a constant mask, which synthesis turns into a balanced tree (a loop
//! over the bits would stay a chain).

/// Reflected generator polynomial. Source: IEEE 802.3; docs/protocol.md section 3.
const POLYNOMIAL: u32 = 0xedb8_8320;
/// The register before the first byte, and what the sent word is complemented with.
pub const ONES: u32 = u32::MAX;

/// The register after one zero bit.
const fn forward(register: u32) -> u32 {
    if register & 1 == 1 {
        register >> 1 ^ POLYNOMIAL
    } else {
        register >> 1
    }
}

/// The register before one zero bit: the inverse of [`forward`]. Bit 31 of the polynomial is set, so bit
/// 31 says which case it was.
const fn backward(register: u32) -> u32 {
    if register >> 31 == 1 {
        (register ^ POLYNOMIAL) << 1 | 1
    } else {
        register << 1
    }
}

/// The register after `bytes` zero bytes.
pub fn after_zeros(register: u32, bytes: usize) -> u32 {
    (0..8 * bytes).fold(register, |r, _| forward(r))
}

/// The register that becomes `register` after `bytes` zero bytes.
pub fn before_zeros(register: u32, bytes: usize) -> u32 {
    (0..8 * bytes).fold(register, |r, _| backward(r))
}

/// The register after a good packet and its ICRC, least significant byte first.
pub fn residue() -> u32 {
    // With register r the ICRC is !r, so feeding it leaves the map of ones alone, whatever r was.
    after_zeros(ONES, 4)
}

/// Row `out` of a map: the input bits that reach output bit `out`, bit k for input bit k.
pub fn row(out: usize, map: impl Fn(u32) -> u32) -> u32 {
    (0..32).filter(|k| map(1 << k) >> out & 1 == 1).fold(0, |mask, k| mask | 1 << k)
}

/// The data bits of a beat of `bytes` bytes that reach register bit `out`: bit `8 * i + j` of the beat
/// is bit j of byte i.
pub fn data_row(out: usize, bytes: usize) -> impl Iterator<Item = bool> {
    let bits = 8 * bytes;
    let mut reach = 1;
    let mut column: Vec<bool> = (0..bits)
        .map(|_| {
            reach = forward(reach);
            reach >> out & 1 == 1
        })
        .collect();
    // The last bit of the beat passes the register once, the first one `bits` times.
    column.reverse();
    column.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bitwise(register: u32, bytes: &[u8]) -> u32 {
        bytes.iter().fold(register, |r, byte| after_zeros(r ^ u32::from(*byte), 1))
    }

    /// Check value of CRC-32 from the published catalogue of CRC parameters.
    #[test]
    fn register_gives_the_catalogue_check_value() {
        assert_eq!(bitwise(ONES, b"123456789") ^ ONES, 0xcbf4_3926);
    }

    #[test]
    fn stepping_back_undoes_stepping_forward() {
        let mut checked = 0;
        for bytes in 0..70 {
            for register in [1, 0x8000_0000, 0x1234_5678, ONES] {
                assert_eq!(before_zeros(after_zeros(register, bytes), bytes), register);
                checked += 1;
            }
        }
        assert_eq!(checked, 280);
    }

    #[test]
    fn packet_with_its_icrc_leaves_the_residue() {
        let register = bitwise(ONES, b"any packet");
        assert_eq!(bitwise(register, &(register ^ ONES).to_le_bytes()), residue());
        // The well-known residue of CRC-32 before the final complement, bit-reflected.
        assert_eq!(residue(), 0xdebb_20e3);
    }

    #[test]
    fn rows_rebuild_the_register_after_a_beat() {
        let beat = *b"\x01\x80\xa5\x00\xff\x10\x37\xc2";
        let start = 0xdead_beef;
        let parity = |mask: u32, value: u32| (mask & value).count_ones() & 1;
        let mut got = 0;
        for out in 0..32 {
            let data: u32 = data_row(out, 8)
                .enumerate()
                .map(|(k, reaches)| u32::from(reaches) & u32::from(beat[k / 8] >> (k % 8)))
                .sum();
            let bit = parity(row(out, |r| after_zeros(r, 8)), start) ^ (data & 1);
            got |= bit << out;
        }
        assert_eq!(got, bitwise(start, &beat));
    }
}
