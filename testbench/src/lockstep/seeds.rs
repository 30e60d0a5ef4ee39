//! Which seeds a test runs.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::io::Write as _;
use std::sync::OnceLock;

/// The seeds every run uses.
const FIXED: [u64; 2] = [1, 2];

/// The seeds to run: that of the variable `SEED` alone, when set; else the fixed ones and, where `CI` or
/// `FRESH_SEED` is set, one that is new in this run and printed.
///
/// # Panics
/// When `SEED` is not a number.
pub fn seeds() -> Vec<u64> {
    if let Ok(text) = std::env::var("SEED") {
        return vec![text.parse().unwrap_or_else(|_| panic!("SEED={text} is not a number"))];
    }
    let set = |name| std::env::var_os(name).is_some();
    let fresh = (set("CI") || set("FRESH_SEED")).then(fresh);
    FIXED.into_iter().chain(fresh).collect()
}

fn fresh() -> u64 {
    static FRESH: OnceLock<u64> = OnceLock::new();
    *FRESH.get_or_init(|| {
        let seed = u64::from(rand::random::<u32>()) + 1000;
        // Written to the stream itself: the test harness hides what a passing test prints.
        let _ = writeln!(std::io::stderr(), "fresh seed {seed}");
        seed
    })
}

/// The generator `name` of a run with this seed, independent of the generators with other names.
pub(crate) fn rng(seed: u64, name: &str) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    // FNV-1a, 64 bits: spreads the name over the second word of the key.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    key[8..16].copy_from_slice(&hash.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngCore;

    #[test]
    fn generators_differ_by_seed_and_by_name_and_repeat() {
        let first = |seed, name| rng(seed, name).next_u64();
        assert_eq!(first(1, "a"), first(1, "a"));
        assert_ne!(first(1, "a"), first(1, "b"));
        assert_ne!(first(1, "a"), first(2, "a"));
    }
}
