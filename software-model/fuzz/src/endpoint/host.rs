//! The host beside the endpoint: what of its memory may be written; and the program of bytes that says what is done.

use super::REGIONS;
use heddle_model::memory::Memory;
use std::collections::BTreeMap;
use std::ops::Range;

/// The host's memory: no bytes, but what may be written.
#[derive(Default)]
pub(super) struct Guard {
    /// Sinks of receives and answers, by the number of what they were given with, until that has ended.
    pub(super) sinks: BTreeMap<u64, Range<u64>>,
    pub(super) fails: bool,
    /// Nothing may land any more.
    pub(super) over: bool,
}

impl Memory for Guard {
    fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        let end = address.checked_add(bytes.len() as u64).expect("a write around the end of memory");
        let regions = REGIONS.iter().map(|(_, range)| range);
        let inside =
            regions.chain(self.sinks.values()).any(|range| range.start <= address && end <= range.end);
        assert!(inside || bytes.is_empty(), "{address:#x}..{end:#x} was written");
        assert!(!self.over || bytes.is_empty(), "{address:#x} was written after the end");
        !self.fails
    }
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> bool {
        bytes.iter_mut().zip(address..).for_each(|(byte, at)| *byte = at as u8);
        !self.fails
    }
}

/// The program, read from the front; zeros at its end.
pub(super) struct Program<'a>(pub(super) &'a [u8]);

impl Program<'_> {
    pub(super) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }
    pub(super) fn number(&mut self, bytes: usize) -> u64 {
        (0..bytes).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }
    /// Mostly one of a few values, at times any.
    pub(super) fn near(&mut self, base: u64, bytes: usize) -> u64 {
        match self.byte() {
            choice @ 0..=239 => base.wrapping_add(u64::from(choice % 16)).wrapping_sub(4),
            _ => self.number(bytes),
        }
    }
}
