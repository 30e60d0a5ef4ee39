//! Memories of the hosts: every slice starts with its own address, so what lands can be checked without keeping it.

use heddle_model::memory::Memory;

/// Address of the first byte that sender `n` writes.
pub fn address_of(n: usize) -> u64 {
    (n as u64) << 32
}

/// A sender's memory: read only.
pub struct Source;

impl Memory for Source {
    fn write(&mut self, address: u64, _: &[u8]) -> bool {
        panic!("a sender was written to at {address:#x}");
    }
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> bool {
        bytes[..8].copy_from_slice(&address.to_be_bytes());
        true
    }
}

/// The receiver's memory: counts what landed, by sender and interval.
pub struct Sink {
    /// Interval that counts now.
    pub interval: usize,
    /// Bytes of each sender in each interval.
    pub bytes: Vec<Vec<u64>>,
}

impl Sink {
    /// Of so many senders.
    pub fn new(senders: usize) -> Self {
        Self { interval: 0, bytes: vec![Vec::new(); senders] }
    }

    /// Bytes of a sender in these intervals.
    pub fn landed(&self, sender: usize, intervals: std::ops::Range<usize>) -> u64 {
        self.bytes[sender].iter().take(intervals.end).skip(intervals.start).sum()
    }
}

impl Memory for Sink {
    fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        assert_eq!(bytes[..8], address.to_be_bytes(), "wrong bytes at {address:#x}");
        let of = &mut self.bytes[(address >> 32) as usize];
        of.resize(of.len().max(self.interval + 1), 0);
        of[self.interval] += bytes.len() as u64;
        true
    }
    fn read(&mut self, address: u64, _: &mut [u8]) -> bool {
        panic!("the receiver was read at {address:#x}");
    }
}
