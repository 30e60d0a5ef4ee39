//! Receive access check: message slot, slice, key, right and bounds of a DATA packet.
//!
//! Finds the fault that the path engine is handed with the packet; nothing is dropped here. Owns the memory regions; looks `done` up in
//! `rx_msg`. Mirrors the RTL block `rx_access`; docs/blocks/rx-access.md has ports and latency.

use heddle_wire::serial::Msn;
use heddle_wire::{Common, Data, DropReason, Flag, Opcode};

/// Bits of a key that are the random tag; the rest, above, is the region's index.
pub const KEY_TAG_BITS: u32 = 16;

/// One memory region, as the control plane set it up.
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

/// Sizes of the block, from the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessConfig {
    /// Regions, a power of two, at most 65,536.
    pub regions: u32,
    /// Streams per connection.
    pub streams: u32,
    /// Messages in flight per stream (M).
    pub slots: u32,
    /// log2 of the slice size in bytes.
    pub slice_log2: u32,
}

/// The block.
#[derive(Clone, Debug)]
pub struct Access {
    config: AccessConfig,
    regions: Vec<Region>,
}

impl Access {
    /// No region set up.
    pub fn new(config: AccessConfig) -> Self {
        Self { config, regions: vec![Region::default(); config.regions as usize] }
    }

    /// Writes a region, from the control plane; false when there is no such index.
    pub fn set(&mut self, index: u32, region: Region) -> bool {
        self.regions.get_mut(index as usize).map(|slot| *slot = region).is_some()
    }

    /// The bytes to place, or the first fault. `payload` is the padded payload of the frame; `done` the stream's leading complete messages.
    ///
    /// The path engine asks for duplicates first, so a late duplicate of a message that is done is answered and not a slot fault.
    pub fn check(
        &self,
        common: &Common,
        data: &Data,
        payload: u16,
        domain: u16,
        done: impl FnOnce(u8) -> Msn,
    ) -> Result<u16, DropReason> {
        if common.opcode != Opcode::Write.code() {
            return Err(DropReason::Operation);
        }
        if u32::from(data.stream) >= self.config.streams {
            return Err(DropReason::Stream);
        }
        if data.msn.distance_from(done(data.stream)) >= self.config.slots {
            return Err(DropReason::MsnWindow);
        }
        let len = self.slice_bytes(common, data, payload)?;
        if data.length != 0 {
            self.permission(data, len, domain)?;
        }
        Ok(len)
    }

    /// The true bytes of the slice: the wire pads the last to a whole word.
    fn slice_bytes(&self, common: &Common, data: &Data, payload: u16) -> Result<u16, DropReason> {
        let slice = 1u32 << self.config.slice_log2;
        let aligned = data.offset & (slice - 1) == 0;
        let inside = data.offset < data.length || (data.offset == 0 && data.length == 0);
        if !aligned || !inside {
            return Err(DropReason::Slice);
        }
        let left = data.length - data.offset;
        let len = left.min(slice);
        let last = left <= slice;
        if common.flags.has(Flag::Last) != last || u32::from(payload) != len.next_multiple_of(4) {
            return Err(DropReason::Slice);
        }
        Ok(len as u16)
    }

    fn permission(&self, data: &Data, len: u16, domain: u16) -> Result<(), DropReason> {
        let region = self.regions.get((data.key >> KEY_TAG_BITS) as usize).filter(|region| region.valid);
        let region = region.ok_or(DropReason::Key)?;
        if data.key & ((1 << KEY_TAG_BITS) - 1) != region.tag || region.domain != domain {
            return Err(DropReason::Key);
        }
        if !region.remote_write {
            return Err(DropReason::Rights);
        }
        // 65 bits: an address near the top must not wrap into the region.
        let (first, end) = (u128::from(data.address), u128::from(data.address) + u128::from(len));
        let (base, limit) = (u128::from(region.base), u128::from(region.base) + u128::from(region.length));
        if first < base || end > limit {
            return Err(DropReason::Bounds);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_wire::Flags;

    const KEY: u32 = (3 << KEY_TAG_BITS) | 0xBCDE;

    fn access(base: u64, length: u64) -> Access {
        let mut access = Access::new(AccessConfig { regions: 8, streams: 4, slots: 16, slice_log2: 10 });
        assert!(access.set(
            3,
            Region {
                valid: true,
                tag: 0xBCDE,
                base,
                length,
                remote_write: true,
                domain: 5,
                ..Region::default()
            }
        ));
        assert!(!access.set(8, Region::default()));
        access
    }

    fn packet(address: u64, offset: u32, length: u32) -> (Common, Data, u16) {
        let left = length.saturating_sub(offset);
        let last = if left <= 1024 { Flags::NONE.with(Flag::Last) } else { Flags::NONE };
        let common = Common { opcode: Opcode::Write.code(), flags: last, ..Common::default() };
        let data = Data { address, offset, length, key: KEY, ..Data::default() };
        (common, data, left.min(1024).next_multiple_of(4) as u16)
    }

    fn check(access: &Access, (common, data, payload): &(Common, Data, u16)) -> Result<u16, DropReason> {
        access.check(common, data, *payload, 5, |_| Msn::new(0))
    }

    #[test]
    fn every_slice_of_a_message_has_its_true_length() {
        let access = access(0x1000, 4097);
        for (offset, len) in [(0, 1024), (1024, 1024), (3072, 1024), (4096, 1)] {
            assert_eq!(check(&access, &packet(0x1000 + u64::from(offset), offset, 4097)), Ok(len));
        }
    }

    #[test]
    fn an_empty_message_is_one_packet_and_needs_no_key() {
        let (common, data, payload) = packet(0xDEAD, 0, 0);
        let data = Data { key: 0, ..data };
        assert_eq!(check(&access(0, 0), &(common, data, payload)), Ok(0));
    }

    #[test]
    fn slices_that_no_sender_makes_are_faults() {
        let access = access(0x1000, 8192);
        let (common, data, payload) = packet(0x1000, 1024, 4096);
        let bad = [
            (common, Data { offset: 1028, ..data }, payload),
            (common, Data { offset: 4096, ..data }, 0),
            (common, Data { length: 1024, ..data }, payload),
            (common, data, payload - 4),
            (common, data, payload + 4),
            (Common { flags: Flags::NONE.with(Flag::Last), ..common }, data, payload),
            (Common { flags: Flags::NONE, ..common }, Data { offset: 3072, ..data }, payload),
            (common, Data { offset: 1024, length: 0, ..data }, 0),
        ];
        for (n, packet) in bad.iter().enumerate() {
            assert_eq!(check(&access, packet), Err(DropReason::Slice), "case {n}");
        }
    }

    #[test]
    fn bounds_hold_at_both_ends_and_at_the_top_of_the_address_space() {
        let inside = access(0x1000, 100);
        assert_eq!(check(&inside, &packet(0x1000, 0, 100)), Ok(100));
        for (address, length) in [(0xFFF, 100), (0x1001, 100), (0x1000, 101), (u64::MAX - 10, 100), (0, 100)]
        {
            let got = check(&inside, &packet(address, 0, length));
            assert_eq!(got, Err(DropReason::Bounds), "{address:#x} + {length}");
        }
        let top = access(u64::MAX - 99, 100);
        assert_eq!(check(&top, &packet(u64::MAX - 99, 0, 100)), Ok(100));
        assert_eq!(check(&top, &packet(u64::MAX - 98, 0, 100)), Err(DropReason::Bounds));
        let low = access(0, 50);
        assert_eq!(check(&low, &packet(u64::MAX - 9, 0, 60)), Err(DropReason::Bounds));
    }

    #[test]
    fn key_domain_and_right_are_checked() {
        let mut access = access(0x1000, 100);
        let (common, data, payload) = packet(0x1000, 0, 100);
        for key in [KEY ^ 1, KEY ^ (1 << KEY_TAG_BITS), 0xFFFF << KEY_TAG_BITS] {
            let got = check(&access, &(common, Data { key, ..data }, payload));
            assert_eq!(got, Err(DropReason::Key), "{key:#x}");
        }
        let other = access.check(&common, &data, payload, 6, |_| Msn::new(0));
        assert_eq!(other, Err(DropReason::Key));
        access.set(
            3,
            Region { valid: true, tag: 0xBCDE, base: 0x1000, length: 100, domain: 5, ..Region::default() },
        );
        assert_eq!(check(&access, &(common, data, payload)), Err(DropReason::Rights));
    }

    #[test]
    fn messages_outside_the_slots_unknown_streams_and_other_opcodes_are_faults() {
        let access = access(0x1000, 100);
        let (common, data, payload) = packet(0x1000, 0, 100);
        let at = |msn: u32, done: u32| {
            let data = Data { msn: Msn::new(msn), stream: 2, ..data };
            access.check(&common, &data, payload, 5, |stream| {
                assert_eq!(stream, 2);
                Msn::new(done)
            })
        };
        assert_eq!(at(15, 0), Ok(100));
        assert_eq!(at(16, 0), Err(DropReason::MsnWindow));
        assert_eq!(at(6, 7), Err(DropReason::MsnWindow));
        assert_eq!(at(3, 0xFF_FFF8), Ok(100));
        let stream = Data { stream: 4, ..data };
        assert_eq!(check(&access, &(common, stream, payload)), Err(DropReason::Stream));
        let send = Common { opcode: Opcode::Send.code(), ..common };
        assert_eq!(check(&access, &(send, data, payload)), Err(DropReason::Operation));
    }
}
