//! Which intervals of the wheel hold something: a bit each, and a bit for each word of those, so that a gap is passed in a few steps.

/// The bits.
#[derive(Debug)]
pub(super) struct Filled {
    words: Vec<u64>,
    /// One bit per word: it is not zero.
    groups: Vec<u64>,
}

impl Filled {
    /// `intervals`, a multiple of 4,096; none holds anything.
    pub(super) fn new(intervals: usize) -> Self {
        Self { words: vec![0; intervals / 64], groups: vec![0; intervals / 4_096] }
    }

    #[inline]
    pub(super) fn set(&mut self, slot: usize) {
        self.words[slot / 64] |= 1 << (slot % 64);
        self.groups[slot / 4_096] |= 1 << (slot / 64 % 64);
    }

    #[inline]
    pub(super) fn clear(&mut self, slot: usize) {
        let word = &mut self.words[slot / 64];
        *word &= !(1 << (slot % 64));
        if *word == 0 {
            self.groups[slot / 4_096] &= !(1 << (slot / 64 % 64));
        }
    }

    /// The first from `slot` on that holds something; `slot` may be one beyond the last.
    #[inline]
    pub(super) fn first_from(&self, slot: usize) -> Option<usize> {
        let here = from(*self.words.get(slot / 64)?, slot % 64);
        if here != 0 {
            return Some(slot / 64 * 64 + here.trailing_zeros() as usize);
        }
        let next = slot / 64 + 1;
        let mut group = next / 64;
        let mut words = from(*self.groups.get(group)?, next % 64);
        while words == 0 {
            group += 1;
            words = *self.groups.get(group)?;
        }
        let word = group * 64 + words.trailing_zeros() as usize;
        Some(word * 64 + self.words[word].trailing_zeros() as usize)
    }
}

/// The bits from `bit` on.
fn from(word: u64, bit: usize) -> u64 {
    word & (u64::MAX << bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn the_first_from_anywhere_is_that_of_a_sorted_set() {
        let mut rng = crate::seed::stream(1, "filled", 0);
        let (mut filled, mut plain, mut checked) = (Filled::new(1 << 14), BTreeSet::new(), 0);
        for round in 0..20_000 {
            let slot = rng.gen_range(0..1 << 14);
            // Few are set, so that gaps are wide.
            if round % 16 == 0 {
                filled.set(slot);
                plain.insert(slot);
            }
            let first = plain.range(slot..).next().copied();
            assert_eq!(filled.first_from(slot), first, "from {slot}");
            if let Some(first) = first.filter(|_| rng.gen_bool(0.05)) {
                filled.clear(first);
                plain.remove(&first);
            }
            checked += usize::from(first.is_some());
        }
        assert!(checked > 10_000, "{checked}");
        assert_eq!(filled.first_from(1 << 14), None);
    }
}
