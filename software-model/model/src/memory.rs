//! The host memory that a core reads and writes, as an interface.

/// Memory behind the core. Addresses are bytes.
pub trait Memory {
    /// Writes; false when memory answers with an error.
    fn write(&mut self, address: u64, bytes: &[u8]) -> bool;
    /// Reads into all of `bytes`; false when memory answers with an error.
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> bool;
}
