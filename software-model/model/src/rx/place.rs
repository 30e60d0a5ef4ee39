//! Receive place: the AXI4 writes of one payload.
//!
//! Bursts start at the beat that holds the first byte, are at most 256 beats long and end at every 4 KiB
//! boundary; strobes leave the bytes around the payload alone. Mirrors the RTL block `rx_place`;
//! docs/blocks/rx-place.md has ports and latency.

use std::ops::Range;

/// No burst crosses a multiple of this many bytes. Source: AXI4.
pub const BOUNDARY: u64 = 4096;
/// Most beats of a burst. Source: AXI4, INCR.
pub const MAX_BEATS: usize = 256;

/// One beat of a burst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Lanes that are written, lane 0 in bit 0.
    pub strobe: u64,
    /// Bytes of the payload that it carries.
    pub bytes: Range<usize>,
    /// Lane of the first of them.
    pub lane: usize,
}

impl Beat {
    /// The lanes; those that are not written are 0.
    pub fn data(&self, payload: &[u8], lanes: usize) -> Vec<u8> {
        let mut data = vec![0; lanes];
        data[self.lane..self.lane + self.bytes.len()].copy_from_slice(&payload[self.bytes.clone()]);
        data
    }
}

/// One burst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Burst {
    /// Byte address of lane 0 of its first beat, a multiple of the lanes.
    pub address: u64,
    /// 1 to 256 of them.
    pub beats: Vec<Beat>,
}

/// The bursts that write `len` bytes to `address` over a bus of `lanes` bytes, a power of two up to 64. None
/// for an empty payload. Addresses wrap at 2^64.
pub fn bursts(address: u64, len: u16, lanes: usize) -> Vec<Burst> {
    let len = usize::from(len);
    let first_lane = (address % lanes as u64) as usize;
    let start = address - first_lane as u64;
    let beats = (0..(first_lane + len).div_ceil(lanes)).filter(|_| len > 0).map(|n| {
        // Position of lane 0 in the payload, shifted by the first lane so that it is never negative.
        let at = n * lanes;
        let bytes = at.saturating_sub(first_lane)..(at + lanes - first_lane).min(len);
        let lane = first_lane.saturating_sub(at);
        let strobe = (bytes.clone()).fold(0, |strobe, byte| strobe | 1 << (byte + first_lane - at));
        (start.wrapping_add(at as u64), Beat { strobe, bytes, lane })
    });
    let mut bursts: Vec<Burst> = Vec::new();
    for (address, beat) in beats {
        match bursts.last_mut() {
            Some(burst) if address % BOUNDARY != 0 && burst.beats.len() < MAX_BEATS => burst.beats.push(beat),
            _ => bursts.push(Burst { address, beats: vec![beat] }),
        }
    }
    bursts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beat(strobe: u64, bytes: Range<usize>, lane: usize) -> Beat {
        Beat { strobe, bytes, lane }
    }

    #[test]
    fn unaligned_ends_are_left_to_strobes() {
        let want = Burst {
            address: 0x1000,
            beats: vec![beat(0xe0, 0..3, 5), beat(0xff, 3..11, 0), beat(0x03, 11..13, 0)],
        };
        assert_eq!(bursts(0x1005, 13, 8), [want]);
        assert_eq!(bursts(0x1005, 2, 8)[0].beats, [beat(0x60, 0..2, 5)], "within one beat");
        assert_eq!(bursts(0x1005, 0, 8), []);
    }

    #[test]
    fn bursts_end_at_four_kibibytes_and_after_256_beats() {
        let shape = |address, len, lanes| {
            bursts(address, len, lanes).iter().map(|b| (b.address, b.beats.len())).collect::<Vec<_>>()
        };
        assert_eq!(shape(0x1ff8, 16, 8), [(0x1ff8, 1), (0x2000, 1)]);
        assert_eq!(shape(0x1ffd, 9, 8), [(0x1ff8, 1), (0x2000, 1)]);
        assert_eq!(shape(0x1000, 4096, 8), [(0x1000, 256), (0x1800, 256)]);
        assert_eq!(shape(0x1001, 4096, 8), [(0x1000, 256), (0x1800, 256), (0x2000, 1)]);
        assert_eq!(shape(0x1fff, 4097, 64), [(0x1fc0, 1), (0x2000, 64)]);
        assert_eq!(shape(u64::MAX - 3, 8, 8), [(u64::MAX - 7, 1), (0, 1)], "the address wraps");
    }

    #[test]
    fn every_byte_lands_once_at_its_place_and_none_outside() {
        let payload: Vec<u8> = (0..9000u32).map(|n| (n * 7 + 3) as u8).collect();
        let mut checked = 0;
        for lanes in [8, 64] {
            for address in (0xf80..0x1080u64).step_by(3) {
                for len in [1, 2, 7, 8, 9, 63, 64, 65, 130, 1024, 4096, 9000u16] {
                    let mut landed = Vec::new();
                    for burst in bursts(address, len, lanes) {
                        assert_eq!(burst.address % lanes as u64, 0);
                        for (n, beat) in burst.beats.iter().enumerate() {
                            let data = beat.data(&payload, lanes);
                            let written = (0..lanes).filter(|lane| beat.strobe >> lane & 1 == 1);
                            let at = burst.address + (n * lanes) as u64;
                            landed.extend(written.map(|lane| (at + lane as u64, data[lane])));
                        }
                    }
                    let want = (address..).zip(payload[..usize::from(len)].iter().copied());
                    assert!(landed.into_iter().eq(want), "{len} bytes at {address:#x}, {lanes} lanes");
                    checked += 1;
                }
            }
        }
        assert_eq!(checked, 2 * 86 * 12);
    }
}
