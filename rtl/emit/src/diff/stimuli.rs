//! Seeded random inputs.
use num_bigint::BigUint;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rust_hdl::prelude::{signed_cast, Bits, Signed};

/// `default`, or the number in the environment variable `HEDDLE_SEED`.
pub fn seed(default: u64) -> u64 {
    std::env::var("HEDDLE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The source of a test's inputs.
#[derive(Debug, Clone)]
pub struct Stimuli(ChaCha8Rng);

impl Stimuli {
    /// The sequence that `seed` gives.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A fair bit.
    pub fn bit(&mut self) -> bool {
        self.0.gen()
    }

    /// True `times` of `of`, on average.
    pub fn chance(&mut self, times: u32, of: u32) -> bool {
        self.0.gen_ratio(times, of)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0.gen_range(0..end)
    }

    /// Any value; one in five is within three of zero or of the wrap.
    pub fn bits<const N: usize>(&mut self) -> Bits<N> {
        let modulus = BigUint::from(1u32) << N;
        let small = BigUint::from(self.below(4)) % &modulus;
        Bits::from(match self.below(10) {
            0 => small,
            1 => modulus - 1u32 - small,
            _ => {
                let mut bytes = vec![0; N.div_ceil(8)];
                self.0.fill_bytes(&mut bytes);
                BigUint::from_bytes_le(&bytes) % modulus
            }
        })
    }

    /// Any value but the least, for which rust-hdl's `signed_bit_cast` does not return.
    pub fn signed<const N: usize>(&mut self) -> Signed<N> {
        loop {
            let value: Bits<N> = self.bits();
            let least = value.get_bit(N - 1) && !(0..N - 1).any(|bit| value.get_bit(bit));
            if !least {
                return signed_cast(value);
            }
        }
    }
}
