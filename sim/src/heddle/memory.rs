//! Memory that holds nothing and counts what is written: every message has addresses of its own.

use heddle_model::memory::Memory;
use std::collections::BTreeMap;

/// log2 of the addresses that a message has: its length has 32 bits.
const SPAN_LOG2: u32 = 32;

/// Where message `id` lands.
pub(super) fn address(id: u32) -> u64 {
    u64::from(id) << SPAN_LOG2
}

/// What has landed.
#[derive(Debug, Default)]
pub(super) struct Landed {
    /// Bytes that are missing of the messages that have begun.
    missing: BTreeMap<u32, u32>,
    /// Length of the message of the packet that comes now.
    length: u32,
    placed: u32,
    whole: Option<u32>,
}

impl Landed {
    /// The next packet is of a message of so many bytes.
    pub(super) fn expect(&mut self, length: u32) {
        self.length = length;
    }

    /// Bytes that have landed since this was asked last.
    pub(super) fn take_placed(&mut self) -> u32 {
        std::mem::take(&mut self.placed)
    }

    /// The message that has become whole.
    pub(super) fn take_whole(&mut self) -> Option<u32> {
        self.whole.take()
    }
}

impl Memory for Landed {
    fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        let (id, bytes) = ((address >> SPAN_LOG2) as u32, bytes.len() as u32);
        let missing = self.missing.entry(id).or_insert(self.length);
        // More than the message has: the transport has placed something twice.
        let Some(left) = missing.checked_sub(bytes) else { return false };
        *missing = left;
        self.placed += bytes;
        if left == 0 {
            self.missing.remove(&id);
            self.whole = Some(id);
        }
        true
    }

    fn read(&mut self, _address: u64, bytes: &mut [u8]) -> bool {
        bytes.fill(0);
        true
    }
}
