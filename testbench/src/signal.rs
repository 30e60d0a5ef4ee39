//! A signal of a Verilated model, of whatever width, as it is in this cycle.

use crate::bits::Unpacker;
use std::ffi::c_void;
use std::marker::PhantomData;

/// Where a signal is, and how wide. Verilator keeps it in 1, 2, 4 or 8 bytes up to 64 bits, and in 32-bit
/// words, the lowest first, above; bits beyond the width are 0.
#[derive(Clone, Copy, Debug)]
pub struct Signal<'a> {
    at: *const u8,
    width: usize,
    model: PhantomData<&'a u8>,
}

// The bytes of a value are its little-endian bytes.
#[cfg(not(target_endian = "little"))]
compile_error!("signals are read as little-endian bytes");

impl<'a> Signal<'a> {
    /// The signal of `width` bits at `at`.
    ///
    /// # Safety
    /// A model must keep a signal of that width there, and not change it while `'a` lasts.
    #[inline(always)]
    pub(crate) unsafe fn new(at: *const c_void, width: usize) -> Self {
        Self { at: at.cast(), width, model: PhantomData }
    }

    /// Bits.
    #[inline(always)]
    pub fn width(self) -> usize {
        self.width
    }

    /// A single bit.
    #[inline(always)]
    pub fn bit(self) -> bool {
        self.fits(1);
        // SAFETY: by `new`.
        unsafe { *self.at != 0 }
    }

    /// At most 8 bits.
    #[inline(always)]
    pub fn u8(self) -> u8 {
        self.fits(8);
        self.number() as u8
    }

    /// At most 16 bits.
    #[inline(always)]
    pub fn u16(self) -> u16 {
        self.fits(16);
        self.number() as u16
    }

    /// At most 32 bits.
    #[inline(always)]
    pub fn u32(self) -> u32 {
        self.fits(32);
        self.number() as u32
    }

    /// At most 64 bits.
    #[inline(always)]
    pub fn u64(self) -> u64 {
        self.fits(64);
        self.number()
    }

    /// At most 128 bits.
    pub fn u128(self) -> u128 {
        self.fits(128);
        self.bytes().iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte))
    }

    /// As bytes, bits 7..0 first.
    #[inline(always)]
    pub fn bytes(self) -> &'a [u8] {
        // SAFETY: by `new`; a value takes at least the bytes of its bits.
        unsafe { std::slice::from_raw_parts(self.at, self.width.div_ceil(8)) }
    }

    /// As words, bits 31..0 first.
    ///
    /// # Panics
    /// When it has at most 16 bits.
    #[inline(always)]
    pub fn words(self) -> &'a [u32] {
        assert!(self.width > 16, "a signal of {} bits is not kept in words", self.width);
        // SAFETY: by `new`; from 17 bits on it is in whole, aligned words of 32 bits.
        unsafe { std::slice::from_raw_parts(self.at.cast(), self.width.div_ceil(32)) }
    }

    /// The fields of a packed vector.
    #[inline]
    pub fn fields(self) -> Unpacker<'a> {
        Unpacker::new(self.words())
    }

    /// Words of 32 bits, the one in the top bits first.
    ///
    /// # Panics
    /// When it has another width.
    pub fn header<const N: usize>(self) -> [u32; N] {
        let words = self.words();
        assert_eq!(words.len(), N, "words in a signal of {} bits", self.width);
        std::array::from_fn(|i| words[N - 1 - i])
    }

    #[inline(always)]
    fn fits(self, bits: usize) {
        assert!(self.width <= bits, "a signal of {} bits is read as one of {bits}", self.width);
    }

    #[inline(always)]
    fn number(self) -> u64 {
        // SAFETY: by `new`; the type for each width is Verilator's.
        unsafe {
            match self.width {
                0..=8 => (*self.at).into(),
                9..=16 => (*self.at.cast::<u16>()).into(),
                17..=32 => (*self.at.cast::<u32>()).into(),
                _ => *self.at.cast::<u64>(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal<T>(value: &T, width: usize) -> Signal<'_> {
        // SAFETY: the value lives as long as the signal, and has at least that width.
        unsafe { Signal::new(std::ptr::from_ref(value).cast(), width) }
    }

    #[test]
    fn a_value_of_any_width_is_read_whole() {
        assert!(signal(&1u8, 1).bit());
        assert_eq!(signal(&0xa5u8, 8).u8(), 0xa5);
        assert_eq!(signal(&0x1a5u16, 9).u16(), 0x1a5);
        assert_eq!(signal(&0x00a5_1234u32, 24).u32(), 0x00a5_1234);
        assert_eq!(signal(&0x1122_3344_5566_7788u64, 64).u64(), 0x1122_3344_5566_7788);
        assert_eq!(signal(&0x7fu8, 7).u64(), 0x7f);
        let wide = [1u32, 2, 3, 4];
        assert_eq!(signal(&wide, 128).u128(), 4 << 96 | 3 << 64 | 2 << 32 | 1);
        assert_eq!(signal(&wide, 100).bytes().len(), 13);
        assert_eq!(signal(&wide, 128).header(), [4, 3, 2, 1]);
    }

    #[test]
    fn vectors_of_64_bits_and_of_more_are_words_and_bytes_alike() {
        assert_eq!(signal(&0x1122_3344_5566_7788u64, 64).words(), [0x5566_7788, 0x1122_3344]);
        assert_eq!(signal(&0x1122_3344_5566_7788u64, 64).bytes()[..2], [0x88, 0x77]);
        assert_eq!(signal(&[7u32, 8, 9], 81).words(), [7, 8, 9]);
        assert_eq!(signal(&0x0003_0201u32, 20).fields().take(8), 1);
    }

    #[test]
    #[should_panic(expected = "a signal of 9 bits is read as one of 8")]
    fn a_value_that_may_not_fit_is_refused() {
        let _ = signal(&0u16, 9).u8();
    }
}
