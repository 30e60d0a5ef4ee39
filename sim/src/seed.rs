//! Random numbers by name: what one part of a run draws does not move what another draws.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The generator of the `index`th part that is called `name`.
pub fn stream(seed: u64, name: &str, index: u64) -> ChaCha8Rng {
    // FNV-1a, 64 bits: offset basis and prime as published with the algorithm.
    let name = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mut bytes = [0; 32];
    for (word, chunk) in [seed, name, index, 0].into_iter().zip(bytes.chunks_exact_mut(8)) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    ChaCha8Rng::from_seed(bytes)
}

#[cfg(test)]
mod tests {
    use super::stream;
    use rand::RngCore;

    #[test]
    fn names_indices_and_seeds_give_streams_of_their_own_and_the_same_ones_again() {
        let first = |seed, name, index| stream(seed, name, index).next_u64();
        let all = [first(1, "loss", 0), first(1, "loss", 1), first(1, "ecmp", 0), first(2, "loss", 0)];
        for (n, one) in all.iter().enumerate() {
            assert!(!all[n + 1..].contains(one));
        }
        assert_eq!(first(1, "loss", 1), all[1]);
    }
}
