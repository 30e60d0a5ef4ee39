//! Fields of packed vectors, from the lowest bit on, as the emitter lays a `LogicStruct` out.

use crate::wide::mask;

/// Puts fields into a vector of `N` x 32 bits.
#[derive(Clone, Debug)]
pub struct Packer<const N: usize> {
    words: [u32; N],
    at: usize,
}

impl<const N: usize> Default for Packer<N> {
    fn default() -> Self {
        Self { words: [0; N], at: 0 }
    }
}

impl<const N: usize> Packer<N> {
    /// The next field.
    ///
    /// # Panics
    /// When the value does not fit its width, or the field the vector.
    pub fn put(mut self, bits: usize, value: impl Into<u128>) -> Self {
        let value = value.into();
        assert!(bits >= 128 || value >> bits == 0, "{value:#x} does not fit into {bits} bits");
        assert!(self.at + bits <= 32 * N, "a field of {bits} bits at {} of {}", self.at, 32 * N);
        for bit in 0..bits {
            self.words[(self.at + bit) / 32] |= ((value >> bit) as u32 & 1) << ((self.at + bit) % 32);
        }
        self.at += bits;
        self
    }

    /// The header words as the next field, word 0 on top.
    pub fn put_header(self, words: &[u32; 12]) -> Self {
        words.iter().rev().fold(self, |packer, &word| packer.put(32, word))
    }

    /// The vector.
    pub fn finish(self) -> [u32; N] {
        self.words
    }
}

/// Takes fields out of a vector.
#[derive(Clone, Debug)]
pub struct Unpacker<'a> {
    words: &'a [u32],
    at: usize,
}

impl<'a> Unpacker<'a> {
    /// From the lowest bit of `words` on.
    pub fn new(words: &'a [u32]) -> Self {
        Self { words, at: 0 }
    }

    /// The next field.
    #[inline]
    pub fn take(&mut self, bits: usize) -> u128 {
        if bits <= 32 {
            return self.take_word(bits).into();
        }
        (0..bits)
            .step_by(32)
            .fold(0, |value, at| value | u128::from(self.take_word((bits - at).min(32))) << at)
    }

    /// The next field, of at most 32 bits: it lies in two words at most.
    #[inline]
    fn take_word(&mut self, bits: usize) -> u32 {
        let (word, low) = (self.at / 32, self.at % 32);
        self.at += bits;
        if bits == 0 {
            return 0;
        }
        let high = if low + bits > 32 { self.words[word + 1] } else { 0 };
        let pair = u64::from(high) << 32 | u64::from(self.words[word]);
        (pair >> low) as u32 & mask(bits)
    }

    /// The next field, of one bit.
    pub fn flag(&mut self) -> bool {
        self.take(1) == 1
    }

    /// The header words as the next field, word 0 on top.
    pub fn header(&mut self) -> [u32; 12] {
        let mut words = [0; 12];
        words.iter_mut().rev().for_each(|word| *word = self.take(32) as u32);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back_from_where_they_were_put() {
        let header = std::array::from_fn(|i| 0x0101_0101 * i as u32);
        let words: [u32; 20] = Packer::default()
            .put_header(&header)
            .put(1, true)
            .put(128, 0x0123_4567_89ab_cdef_0011_2233_4455_6677u128)
            .put(5, 19u8)
            .finish();
        assert_eq!(words[11], 0, "word 0 is on top");
        let mut fields = Unpacker::new(&words);
        assert_eq!(fields.header(), header);
        assert!(fields.flag());
        assert_eq!(fields.take(128), 0x0123_4567_89ab_cdef_0011_2233_4455_6677);
        assert_eq!(fields.take(5), 19);
    }

    #[test]
    #[should_panic(expected = "0x20 does not fit into 5 bits")]
    fn a_value_that_does_not_fit_is_refused() {
        Packer::<1>::default().put(5, 32u8);
    }
}
