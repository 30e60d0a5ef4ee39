//! The ring-indexed SACK vector of an ACK, and of every other map over a window.

use crate::field::{load_u64, store_u64, Value};
use crate::serial::Psn;

/// Bits in a ring map, and packets in a window. Published: a vector of 256 bits.
pub const SACK_BITS: usize = 256;

/// One bit for each place of a window: bit `p mod 256` speaks of packet `p`.
///
/// On the wire ring bit `i` is bit `i mod 32` of word `10 + i / 32` (bit 0 is the least significant of a
/// word): the words travel in index order, which is the order in which engines of any lane width use them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sack {
    /// Ring bits 64 k to 64 k + 63 in element k, the lowest in the least significant place.
    pub lanes: [u64; 4],
}

impl Sack {
    /// No bit set.
    pub const EMPTY: Self = Self { lanes: [0; 4] };

    /// The bit of packet `psn`.
    pub const fn get(&self, psn: Psn) -> bool {
        let index = psn.ring_index() as usize;
        self.lanes[index / 64] >> (index % 64) & 1 == 1
    }

    /// Sets the bit of packet `psn`.
    pub fn set(&mut self, psn: Psn) {
        let index = psn.ring_index() as usize;
        self.lanes[index / 64] |= 1 << (index % 64);
    }

    /// Number of bits set.
    pub const fn count(&self) -> u32 {
        let [a, b, c, d] = self.lanes;
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }
}

impl Value for Sack {
    const BITS: u16 = SACK_BITS as u16;
    fn load(bytes: &[u8], at: usize, _bits: u16) -> Self {
        let word = |k: usize| load_u64(bytes, at + 32 * k, 32);
        Self { lanes: core::array::from_fn(|i| word(2 * i) | word(2 * i + 1) << 32) }
    }
    fn store(&self, bytes: &mut [u8], at: usize, _bits: u16) {
        for (i, lane) in self.lanes.iter().enumerate() {
            store_u64(*lane & 0xffff_ffff, bytes, at + 64 * i, 32);
            store_u64(*lane >> 32, bytes, at + 64 * i + 32, 32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ring_bit_i_is_bit_i_mod_32_of_word_i_div_32() {
        for index in 0..SACK_BITS {
            let mut sack = Sack::EMPTY;
            sack.set(Psn::new(0xabc_d00 + index as u32));
            let mut bytes = [0; 32];
            sack.store(&mut bytes, 0, 256);
            let word = index / 32;
            let mut want = [0; 32];
            want[4 * word..4 * word + 4].copy_from_slice(&(1u32 << (index % 32)).to_be_bytes());
            assert_eq!(bytes, want, "ring bit {index}");
            assert_eq!(Sack::load(&bytes, 0, 256), sack);
            assert_eq!(sack.count(), 1);
            assert!(sack.get(Psn::new(index as u32)) && !sack.get(Psn::new(index as u32 + 1)));
        }
    }
}
