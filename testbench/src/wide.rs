//! Values wider than 64 bits, as Verilator keeps them: `[u32; N]`, bits 31..0 in the first word.

/// The low `bits` bits set, at most 32.
pub const fn mask(bits: usize) -> u32 {
    if bits >= 32 {
        u32::MAX
    } else {
        (1 << bits) - 1
    }
}

/// From bytes, the first in bits 7..0 (an AXI stream's beat); missing bytes are 0.
///
/// # Panics
/// When there are more bytes than fit.
pub fn from_bytes<const N: usize>(bytes: &[u8]) -> [u32; N] {
    assert!(bytes.len() <= 4 * N, "{} bytes do not fit into {} bits", bytes.len(), 32 * N);
    let mut words = [0; N];
    for (i, byte) in bytes.iter().enumerate() {
        words[i / 4] |= u32::from(*byte) << (8 * (i % 4));
    }
    words
}

/// To bytes, bits 7..0 first.
pub fn to_bytes<const N: usize>(words: &[u32; N]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// From words with the most significant first (header word 0 in the top bits).
pub fn from_be_words<const N: usize>(words: &[u32; N]) -> [u32; N] {
    std::array::from_fn(|i| words[N - 1 - i])
}

/// From a 128-bit number.
pub fn from_u128(value: u128) -> [u32; 4] {
    std::array::from_fn(|i| (value >> (32 * i)) as u32)
}

/// To a 128-bit number.
pub fn to_u128(words: &[u32; 4]) -> u128 {
    words.iter().rev().fold(0, |value, word| value << 32 | u128::from(*word))
}

/// From 64-bit words, the first in the low bits.
///
/// # Panics
/// When `N` is not twice `M`.
pub fn from_u64s<const M: usize, const N: usize>(words: &[u64; M]) -> [u32; N] {
    assert_eq!(N, 2 * M, "{M} words of 64 bits are {} of 32", 2 * M);
    std::array::from_fn(|i| (words[i / 2] >> (32 * (i % 2))) as u32)
}

/// To 64-bit words, the low bits first.
///
/// # Panics
/// When `N` is not twice `M`.
pub fn to_u64s<const N: usize, const M: usize>(words: &[u32; N]) -> [u64; M] {
    assert_eq!(N, 2 * M, "{M} words of 64 bits are {} of 32", 2 * M);
    std::array::from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_zero_of_a_beat_is_in_the_low_bits() {
        assert_eq!(from_bytes::<2>(&[0x11, 0x22, 0x33, 0x44, 0x55]), [0x4433_2211, 0x55]);
        assert_eq!(to_bytes(&[0x4433_2211, 0x55]), [0x11, 0x22, 0x33, 0x44, 0x55, 0, 0, 0]);
    }

    #[test]
    fn conversions_to_wider_words_are_inverse() {
        let value = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff;
        assert_eq!(from_u128(value), [0xccdd_eeff, 0x8899_aabb, 0x4455_6677, 0x0011_2233]);
        assert_eq!(to_u128(&from_u128(value)), value);
        assert_eq!(to_u64s::<4, 2>(&from_u64s::<2, 4>(&[1 << 40, 7])), [1 << 40, 7]);
    }

    #[test]
    #[should_panic(expected = "9 bytes do not fit into 64 bits")]
    fn too_many_bytes_are_refused() {
        from_bytes::<2>(&[0; 9]);
    }
}
