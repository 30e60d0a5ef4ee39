//! The rate hint of word 6 of an ACK: an inverse rate as a 16-bit float (`docs/protocol.md` section 3).
//!
//! `[15:11]` exponent e, `[10:0]` mantissa m, value `m << e` in 1/64 ps per byte, smallest e, rounded up (a
//! sender is never told to be faster than computed), the carry of the rounding renormalised, saturating. 0 =
//! no hint.

use crate::field::{load_u64, store_u64, Value};

/// Width of the mantissa in bits.
pub const MANTISSA_BITS: u32 = 11;
/// Unit of a hint: this many per picosecond per byte.
pub const UNITS_PER_PS: u64 = 64;

/// A hint as it travels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hint(u16);

impl Hint {
    /// No hint.
    pub const NONE: Self = Self(0);
    /// The slowest rate that can be said; 2047 << 31, about 69 ms per byte.
    pub const SLOWEST: Self = Self(u16::MAX);

    /// The hint of these bits. Every pattern has a value, also those that [`Hint::encode`] never makes.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// The bits as they travel.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The smallest hint that is not below `inverse_rate` (1/64 ps per byte).
    pub const fn encode(inverse_rate: u64) -> Self {
        let width = u64::BITS - inverse_rate.leading_zeros();
        if width <= MANTISSA_BITS {
            return Self(inverse_rate as u16);
        }
        let shift = width - MANTISSA_BITS;
        let low = (1u64 << shift) - 1;
        let rounded = (inverse_rate >> shift) + (inverse_rate & low != 0) as u64;
        let (mantissa, exponent) =
            if rounded >> MANTISSA_BITS != 0 { (rounded >> 1, shift + 1) } else { (rounded, shift) };
        if exponent > 31 {
            return Self::SLOWEST;
        }
        Self((exponent as u16) << MANTISSA_BITS | mantissa as u16)
    }

    /// The inverse rate in 1/64 ps per byte; 0 = none.
    pub const fn decode(self) -> u64 {
        let mantissa = (self.0 & ((1 << MANTISSA_BITS) - 1)) as u64;
        mantissa << (self.0 >> MANTISSA_BITS)
    }
}

impl Value for Hint {
    const BITS: u16 = 16;
    fn load(bytes: &[u8], at: usize, bits: u16) -> Self {
        Self(load_u64(bytes, at, bits) as u16)
    }
    fn store(&self, bytes: &mut [u8], at: usize, bits: u16) {
        store_u64(u64::from(self.0), bytes, at, bits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 100 Gb/s is 80 ps per byte, 5,120 units = 0x1400 (13 bits): shift 2, mantissa 1,280 = 0x500.
    /// 2,049 = 0x801 (12 bits): shift 1, 1,024.5 rounds up to 1,025. 4,095: shift 1, 2,047.5 rounds up to
    /// 2,048, which renormalises to 1,024 with shift 2. 2047 << 31 is the largest; one more saturates.
    #[test]
    fn golden_values_by_hand() {
        let cases = [
            (0, 0x0000),
            (1, 0x0001),
            (2047, 0x07ff),
            (2048, 0x0c00),
            (2049, 0x0c01),
            (4095, 0x1400),
            (5120, 0x1500),
            (2047 << 31, 0xffff),
            ((2047 << 31) + 1, 0xffff),
            (u64::MAX, 0xffff),
        ];
        for (value, bits) in cases {
            assert_eq!(Hint::encode(value).bits(), bits, "{value}");
        }
    }

    #[test]
    fn every_value_is_rounded_up_to_the_next_code_and_no_further() {
        let mut codes: Vec<u64> = (0..=u16::MAX).map(|bits| Hint::from_bits(bits).decode()).collect();
        codes.sort_unstable();
        codes.dedup();
        let mut checked = 0;
        for pair in codes.windows(2) {
            for value in [pair[0] + 1, pair[1]] {
                assert_eq!(Hint::encode(value).decode(), pair[1], "{value}");
                checked += 1;
            }
        }
        assert_eq!(checked, 2 * (codes.len() - 1));
    }

    #[test]
    fn the_smallest_exponent_is_chosen() {
        for bits in 0..=u16::MAX {
            let hint = Hint::encode(Hint::from_bits(bits).decode());
            let (exponent, mantissa) = (hint.bits() >> 11, hint.bits() & 0x7ff);
            assert!(exponent == 0 || mantissa >= 1 << 10, "{bits:#x}");
        }
    }
}
