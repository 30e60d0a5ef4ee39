//! The host memory beside a core: as much as the run needs, with guards around it that must stay untouched.

use heddle_model::memory::Memory;

/// Bytes before and behind the data: two pages, so that a burst that runs astray is seen.
pub const GUARD: usize = 8192;
/// What the guards hold.
pub const GUARD_BYTE: u8 = 0xA5;

/// Memory at `base` and on; everything else answers with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostMemory {
    first: u64,
    bytes: Vec<u8>,
}

impl HostMemory {
    /// `data` at address `base`, which is at least [`GUARD`] away from both ends of the address space.
    pub fn new(base: u64, data: &[u8]) -> Self {
        let mut bytes = vec![GUARD_BYTE; data.len() + 2 * GUARD];
        bytes[GUARD..GUARD + data.len()].copy_from_slice(data);
        Self { first: base - GUARD as u64, bytes }
    }

    /// The data between the guards.
    pub fn data(&self) -> &[u8] {
        &self.bytes[GUARD..self.bytes.len() - GUARD]
    }

    /// Bytes of the guards that were overwritten.
    pub fn trespasses(&self) -> usize {
        let behind = self.bytes.len() - GUARD;
        self.bytes[..GUARD].iter().chain(&self.bytes[behind..]).filter(|&&byte| byte != GUARD_BYTE).count()
    }

    /// These bytes, where there is memory.
    pub fn slice(&self, address: u64, len: usize) -> Option<&[u8]> {
        let at = self.at(address, len)?;
        Some(&self.bytes[at..at + len])
    }

    /// These bytes to write to, where there is memory.
    pub fn slice_mut(&mut self, address: u64, len: usize) -> Option<&mut [u8]> {
        let at = self.at(address, len)?;
        Some(&mut self.bytes[at..at + len])
    }

    fn at(&self, address: u64, len: usize) -> Option<usize> {
        let at = usize::try_from(address.checked_sub(self.first)?).ok()?;
        (at.checked_add(len)? <= self.bytes.len()).then_some(at)
    }
}

impl Memory for HostMemory {
    fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        // An empty payload touches nothing, wherever it points to.
        bytes.is_empty() || self.slice_mut(address, bytes.len()).map(|to| to.copy_from_slice(bytes)).is_some()
    }

    fn read(&mut self, address: u64, bytes: &mut [u8]) -> bool {
        bytes.is_empty() || self.slice(address, bytes.len()).map(|from| bytes.copy_from_slice(from)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_beside_the_data_is_a_trespass_and_one_beside_the_guards_an_error() {
        let mut memory = HostMemory::new(1 << 40, &[1, 2, 3]);
        assert!(memory.write((1 << 40) + 1, &[7, 8]));
        assert_eq!((memory.data(), memory.trespasses()), (&[1, 7, 8][..], 0));
        assert!(memory.write((1 << 40) + 2, &[9, 0, 0]) && memory.write((1 << 40) - 1, &[0]));
        assert_eq!((memory.data(), memory.trespasses()), (&[1, 7, 9][..], 3));
        assert!(!memory.write(5, &[1]) && !memory.write((1 << 40) + 3 + GUARD as u64, &[1]));
        assert!(!memory.write(u64::MAX, &[1, 2]) && memory.write(u64::MAX, &[]));
        let mut byte = [0];
        assert!(memory.read((1 << 40) + 1, &mut byte) && byte == [7]);
    }
}
