//! Memory regions: who may do what where.

use heddle_wire::DropReason;

/// Bits of a key that are the random tag; the rest, above, is the region's index.
pub const KEY_TAG_BITS: u32 = 16;

/// One memory region, as the control plane set it up: 1 + 3 + 16 + 16 + 64 + 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Set up and not withdrawn.
    pub valid: bool,
    /// The random part of the key, 16 bits.
    pub tag: u32,
    /// First byte.
    pub base: u64,
    /// Bytes; base + length is at most 2^64.
    pub length: u64,
    /// A peer may read.
    pub remote_read: bool,
    /// A peer may write.
    pub remote_write: bool,
    /// A peer may run atomics.
    pub remote_atomic: bool,
    /// Protection domain, 16 bits.
    pub domain: u16,
}

/// What a peer wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// WRITE, WRITE_IMM.
    Write,
    /// READ.
    Read,
    /// FETCH_ADD, CMP_SWAP.
    Atomic,
}

impl Region {
    /// Whether the region gives the right to all of the bytes, or the first fault: key, right, bounds.
    pub fn allows(
        &self,
        right: Right,
        key: u32,
        domain: u16,
        address: u64,
        bytes: u32,
    ) -> Result<(), DropReason> {
        let tag = key & ((1 << KEY_TAG_BITS) - 1);
        if !self.valid || tag != self.tag || self.domain != domain {
            return Err(DropReason::Key);
        }
        let given = match right {
            Right::Write => self.remote_write,
            Right::Read => self.remote_read,
            Right::Atomic => self.remote_atomic,
        };
        if !given {
            return Err(DropReason::Rights);
        }
        // REQ-MR-3: 65 bits, an address near the top must not wrap into the region.
        let (first, end) = (u128::from(address), u128::from(address) + u128::from(bytes));
        let (base, limit) = (u128::from(self.base), u128::from(self.base) + u128::from(self.length));
        if first < base || end > limit {
            return Err(DropReason::Bounds);
        }
        Ok(())
    }
}
