//! The 256-bit ring map: bit `p mod 256` speaks of PSN `p`. No vector is ever shifted; every rule is AND, OR
//! and a range mask. Mirrors the lanes of the path engines (ADR-0004).

use bitvec::order::Lsb0;
use bitvec::slice::BitSlice;
use bitvec::view::BitView;
use heddle_wire::sack::{Sack, SACK_BITS};
use heddle_wire::Psn;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// Slots of the ring, and so the window of a path in packets. Source: published
/// ("two-hundred-fifty-six-bit").
pub const WINDOW: u32 = SACK_BITS as u32;

const WORDS: usize = 4;
const WORD_BITS: u32 = u64::BITS;

/// A set of PSNs, all within one window of 256; which window is the owner's knowledge.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct RingMap([u64; WORDS]);

impl RingMap {
    /// No slot.
    pub const EMPTY: Self = Self([0; WORDS]);
    /// Every slot.
    pub const FULL: Self = Self([u64::MAX; WORDS]);

    /// A map from its words in index order: bit `b` of word `w` is slot `64 w + b`.
    pub const fn from_words(words: [u64; WORDS]) -> Self {
        Self(words)
    }

    /// The words in index order, as the engines take and give them.
    pub const fn words(&self) -> [u64; WORDS] {
        self.0
    }

    /// The slots as a bit slice, slot 0 first.
    pub fn slots(&self) -> &BitSlice<u64, Lsb0> {
        self.0.view_bits::<Lsb0>()
    }

    /// The map holding one PSN.
    pub fn of(psn: Psn) -> Self {
        let mut map = Self::EMPTY;
        map.set(psn);
        map
    }

    /// The slots of the `length` PSNs from `start` on, in ring order: the range masks of the engines.
    ///
    /// # Panics
    /// If `length` exceeds [`WINDOW`]; no rule has such a range.
    pub fn range(start: Psn, length: u32) -> Self {
        assert!(length <= WINDOW, "range of {length} slots, the ring has {WINDOW}");
        let (word, bit) = place(start);
        if bit + length <= WORD_BITS {
            // Within one word, as most are.
            let mut map = Self::EMPTY;
            map.0[word] = u64::MAX.checked_shr(WORD_BITS - length).unwrap_or(0) << bit;
            return map;
        }
        let first = slot(start) as u32;
        let (from_first, end) = (!below(first), first + length);
        if end <= WINDOW {
            from_first & below(end)
        } else {
            from_first | below(end - WINDOW)
        }
    }

    /// Whether `psn`'s slot is set.
    pub fn get(&self, psn: Psn) -> bool {
        let (word, bit) = place(psn);
        self.0[word] >> bit & 1 == 1
    }

    /// Sets `psn`'s slot.
    pub fn set(&mut self, psn: Psn) {
        let (word, bit) = place(psn);
        self.0[word] |= 1 << bit;
    }

    /// Clears `psn`'s slot.
    pub fn clear(&mut self, psn: Psn) {
        let (word, bit) = place(psn);
        self.0[word] &= !(1 << bit);
    }

    /// Whether no slot is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// Set slots, 0 to 256.
    pub fn count(&self) -> u32 {
        // Most maps of a simulation are empty most of the time.
        if self.is_empty() {
            return 0;
        }
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The first member in ring order from `base`, within `base .. base + 256`.
    pub fn first_from(&self, base: Psn) -> Option<Psn> {
        let ahead = *self & !below(slot(base) as u32);
        let found = ahead.lowest().or_else(|| self.lowest())?;
        Some(psn_at(base, found))
    }

    /// The last member in ring order from `base`, within `base .. base + 256`.
    pub fn last_from(&self, base: Psn) -> Option<Psn> {
        let behind = *self & below(slot(base) as u32);
        let found = behind.highest().or_else(|| self.highest())?;
        Some(psn_at(base, found))
    }

    fn lowest(&self) -> Option<usize> {
        let word = self.0.iter().position(|word| *word != 0)?;
        Some(word * WORD_BITS as usize + self.0[word].trailing_zeros() as usize)
    }

    fn highest(&self) -> Option<usize> {
        let word = self.0.iter().rposition(|word| *word != 0)?;
        Some(word * WORD_BITS as usize + self.0[word].ilog2() as usize)
    }

    /// The members in ring order from `base`.
    pub fn psns_from(&self, base: Psn) -> impl Iterator<Item = Psn> + '_ {
        let (wrapped, ahead) = self.slots().split_at(slot(base));
        let first = slot(base);
        ahead.iter_ones().map(move |s| s + first).chain(wrapped.iter_ones()).map(move |s| psn_at(base, s))
    }
}

/// The slots `0 .. end`.
fn below(end: u32) -> RingMap {
    let word = |w: u32| {
        let bits = end.saturating_sub(w * WORD_BITS).min(WORD_BITS);
        u64::MAX.checked_shr(WORD_BITS - bits).unwrap_or(0)
    };
    RingMap([word(0), word(1), word(2), word(3)])
}

fn slot(psn: Psn) -> usize {
    psn.ring_index().into()
}

/// Word and bit of the PSN's slot.
fn place(psn: Psn) -> (usize, u32) {
    (slot(psn) / WORD_BITS as usize, slot(psn) as u32 % WORD_BITS)
}

/// The PSN of `slot` in `base .. base + 256`.
fn psn_at(base: Psn, slot: usize) -> Psn {
    base.plus((slot as u32).wrapping_sub(base.get()) % WINDOW)
}

impl From<Sack> for RingMap {
    fn from(sack: Sack) -> Self {
        Self(sack.lanes)
    }
}

impl From<RingMap> for Sack {
    fn from(map: RingMap) -> Self {
        Self { lanes: map.0 }
    }
}

impl BitAnd for RingMap {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|w| self.0[w] & other.0[w]))
    }
}

impl BitOr for RingMap {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|w| self.0[w] | other.0[w]))
    }
}

impl Not for RingMap {
    type Output = Self;
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl BitAndAssign for RingMap {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for RingMap {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// The set slots, as runs: `{3, 7..=20}`.
impl fmt::Debug for RingMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut runs = f.debug_set();
        let mut slots = self.slots().iter_ones().peekable();
        while let Some(first) = slots.next() {
            let mut last = first;
            while let Some(next) = slots.next_if(|next| *next == last + 1) {
                last = next;
            }
            match last == first {
                true => runs.entry(&first),
                false => runs.entry(&(first..=last)),
            };
        }
        runs.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn psn(value: u32) -> Psn {
        Psn::new(value)
    }

    #[test]
    fn a_range_holds_exactly_its_psns_at_every_start_and_length() {
        let mut checked = 0;
        for start in (0xFF_FF00..0xFF_FF00 + WINDOW).map(psn) {
            for length in [0, 1, 2, 63, 64, 65, 127, 128, 200, 255, 256] {
                let range = RingMap::range(start, length);
                let want: BTreeSet<u32> = (0..length).map(|i| start.plus(i).get()).collect();
                let got: Vec<u32> = range.psns_from(start).map(Psn::get).collect();
                let in_order: Vec<u32> = (0..length).map(|i| start.plus(i).get()).collect();
                assert_eq!(got, in_order);
                assert_eq!(range.count() as usize, want.len());
                checked += 1;
            }
        }
        assert_eq!(checked, 256 * 11);
    }

    #[test]
    fn first_and_last_are_in_ring_order_from_the_base() {
        let map = RingMap::of(psn(10)) | RingMap::of(psn(250)) | RingMap::of(psn(130));
        assert_eq!(map.first_from(psn(0)), Some(psn(10)));
        assert_eq!(map.first_from(psn(11)), Some(psn(130)));
        assert_eq!(map.first_from(psn(251)), Some(psn(266)));
        assert_eq!(map.last_from(psn(0)), Some(psn(250)));
        assert_eq!(map.last_from(psn(11)), Some(psn(266)));
        assert_eq!(map.last_from(psn(10)), Some(psn(250)));
        assert_eq!(map.first_from(psn(0xFF_FFFB)), Some(psn(10)), "across the wrap of the PSN");
        assert_eq!(RingMap::EMPTY.first_from(psn(5)), None);
        assert_eq!(RingMap::EMPTY.last_from(psn(5)), None);
        assert_eq!(
            (RingMap::FULL.first_from(psn(5)), RingMap::FULL.last_from(psn(5))),
            (Some(psn(5)), Some(psn(260)))
        );
    }

    #[test]
    fn words_are_in_index_order() {
        let map = RingMap::of(psn(0)) | RingMap::of(psn(65)) | RingMap::of(psn(255));
        assert_eq!(map.words(), [1, 2, 0, 1 << 63]);
        assert_eq!(RingMap::from_words([1, 2, 0, 1 << 63]), map);
    }

    #[test]
    fn the_vector_of_an_ack_is_the_same_ring() {
        let mut sack = Sack::EMPTY;
        sack.set(psn(0xFF_FF41));
        assert_eq!(RingMap::from(sack), RingMap::of(psn(0x41)));
        assert_eq!(Sack::from(RingMap::of(psn(0x41))), sack);
    }

    #[test]
    fn debug_shows_runs() {
        let map = RingMap::range(psn(7), 14) | RingMap::of(psn(3)) | RingMap::of(psn(255));
        assert_eq!(format!("{map:?}"), "{3, 7..=20, 255}");
    }
}
