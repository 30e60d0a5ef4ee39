//! The core's one source of randomness: a 32-bit Galois LFSR, stepped once per draw.

/// x^32 + x^30 + x^26 + x^25 + 1 in Galois form, period 2^32 - 1. Source: maximal-length table of Xilinx XAPP052, taps 32, 30, 26, 25.
pub const TAPS: u32 = 0xA300_0000;

/// The register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lfsr(u32);

impl Lfsr {
    /// Starts at `seed`; 0, which would stand still, starts at all ones.
    pub fn new(seed: u32) -> Self {
        Self(if seed == 0 { u32::MAX } else { seed })
    }

    /// Steps, and gives the low 16 bits.
    pub fn next16(&mut self) -> u16 {
        self.0 = if self.0 & 1 == 1 { (self.0 >> 1) ^ TAPS } else { self.0 >> 1 };
        self.0 as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_register_comes_back_after_2_to_the_32_minus_1_steps() {
        // x^(2^32) = x and x^((2^32 - 1) / p) != 1 for each prime factor p of the order prove the full period without walking it.
        let step = |s: u32| if s & 1 == 1 { (s >> 1) ^ TAPS } else { s >> 1 };
        let columns: Vec<u32> = (0..32).map(|bit| step(1 << bit)).collect();
        let apply =
            |matrix: &[u32], v: u32| (0..32).filter(|b| v >> b & 1 == 1).fold(0, |sum, b| sum ^ matrix[b]);
        let multiply = |a: &[u32], b: &[u32]| b.iter().map(|&column| apply(a, column)).collect::<Vec<_>>();
        let power = |mut exponent: u32| {
            let (mut result, mut square) = ((0..32).map(|b| 1u32 << b).collect::<Vec<_>>(), columns.clone());
            while exponent > 0 {
                if exponent & 1 == 1 {
                    result = multiply(&result, &square);
                }
                square = multiply(&square, &square);
                exponent >>= 1;
            }
            result
        };
        let one: Vec<u32> = (0..32).map(|b| 1 << b).collect();
        assert_eq!(power(u32::MAX), one);
        for prime in [3, 5, 17, 257, 65537] {
            assert_ne!(power(u32::MAX / prime), one, "period divides (2^32 - 1) / {prime}");
        }
    }

    #[test]
    fn a_zero_seed_does_not_stand_still() {
        let mut lfsr = Lfsr::new(0);
        assert_ne!((lfsr.next16(), lfsr.next16()), (0, 0));
    }
}
