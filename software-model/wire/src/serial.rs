//! Serial numbers (RFC 1982): one type per kind of counter, so that no comparison is ever written by hand.
//!
//! `a.is_behind(b)` is the top bit of `a - b`, exactly what the RTL computes. At a distance of exactly half
//! the ring RFC 1982 leaves the order undefined: here each of the two is then behind the other, and
//! [`Psn::serial_cmp`] says `None`.

use crate::field::{load_u64, store_u64, Value};
use core::cmp::Ordering;
use core::fmt;

macro_rules! serial {
    ($(#[$doc:meta])* $name:ident, $raw:ty, $bits:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name($raw);

        impl $name {
            /// Width in bits.
            pub const BITS: u32 = $bits;
            /// The largest value, and the mask of the ring.
            pub const MASK: $raw = (u64::MAX >> (64 - $bits)) as $raw;
            /// Half of the ring: a forward distance of this or more is behind.
            pub const HALF: $raw = 1 << ($bits - 1);

            /// The value modulo the ring.
            pub const fn new(value: $raw) -> Self {
                Self(value & Self::MASK)
            }
            /// The value.
            pub const fn get(self) -> $raw {
                self.0
            }
            /// Steps from `base` forward to `self`, modulo the ring.
            pub const fn distance_from(self, base: Self) -> $raw {
                self.0.wrapping_sub(base.0) & Self::MASK
            }
            /// Steps from `base` to `self`, negative when `self` is behind; the range is -HALF ..= HALF - 1.
            pub const fn signed_distance_from(self, base: Self) -> i64 {
                let forward = self.distance_from(base) as i64;
                if self.is_behind(base) { forward - Self::MASK as i64 - 1 } else { forward }
            }
            /// True when `self` comes before `other`: the top bit of `self - other`.
            pub const fn is_behind(self, other: Self) -> bool {
                self.distance_from(other) >= Self::HALF
            }
            /// True when `self` comes after `other`.
            pub const fn is_ahead(self, other: Self) -> bool {
                self.0 != other.0 && !self.is_behind(other)
            }
            /// True when `self` is in `[base, base + size)`.
            pub const fn is_within(self, base: Self, size: $raw) -> bool {
                self.distance_from(base) < size
            }
            /// The order of RFC 1982; `None` at exactly half of the ring.
            pub const fn serial_cmp(self, other: Self) -> Option<Ordering> {
                match self.distance_from(other) {
                    0 => Some(Ordering::Equal),
                    Self::HALF => None,
                    d if d < Self::HALF => Some(Ordering::Greater),
                    _ => Some(Ordering::Less),
                }
            }
            /// The later of the two (`self` when neither is).
            pub const fn serial_max(self, other: Self) -> Self {
                if other.is_ahead(self) { other } else { self }
            }
            /// `self + steps`, modulo the ring.
            pub const fn plus(self, steps: $raw) -> Self {
                Self::new(self.0.wrapping_add(steps))
            }
            /// `self - steps`, modulo the ring.
            pub const fn minus(self, steps: $raw) -> Self {
                Self::new(self.0.wrapping_sub(steps))
            }
            /// The number after this one.
            pub const fn next(self) -> Self {
                self.plus(1)
            }
            /// The number before this one.
            pub const fn previous(self) -> Self {
                self.minus(1)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::LowerHex for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::LowerHex::fmt(&self.0, f)
            }
        }

        impl Value for $name {
            const BITS: u16 = $bits;
            fn load(bytes: &[u8], at: usize, bits: u16) -> Self {
                Self::new(load_u64(bytes, at, bits) as $raw)
            }
            fn store(&self, bytes: &mut [u8], at: usize, bits: u16) {
                store_u64(u64::from(self.0), bytes, at, bits);
            }
        }
    };
}

serial!(
    /// Packet sequence number of one path, 24 bits.
    Psn, u32, 24
);
serial!(
    /// Message sequence number of one stream, 24 bits.
    Msn, u32, 24
);
serial!(
    /// A 16-bit counter that wraps: arrivals, CE marks, duplicates, ACK numbers, posted receives.
    Seq16, u16, 16
);
serial!(
    /// A moment in ticks of 8 ns, 32 bits: the ring is 34.4 s long.
    Time32, u32, 32
);

impl Psn {
    /// The place of this packet in every ring-indexed map: `psn mod 256`.
    pub const fn ring_index(self) -> u8 {
        self.0 as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_wraps_at_the_end_of_the_ring() {
        assert_eq!(Psn::new(2).distance_from(Psn::new(0xff_fffe)), 4);
        assert_eq!(Psn::new(0xff_fffe).signed_distance_from(Psn::new(2)), -4);
        assert_eq!(Psn::new(0xff_ffff).next(), Psn::new(0));
        assert_eq!(Psn::new(0).previous(), Psn::new(0xff_ffff));
        assert_eq!(Psn::new(0x1_00_00_05), Psn::new(5));
        assert_eq!(Time32::new(3).distance_from(Time32::new(u32::MAX)), 4);
        assert_eq!(Psn::new(0x123_4ab).ring_index(), 0xab);
    }

    #[test]
    fn exactly_half_a_ring_apart_is_undefined_and_each_is_behind() {
        let (a, b) = (Psn::new(7), Psn::new(7 + (1 << 23)));
        assert_eq!(a.serial_cmp(b), None);
        assert!(a.is_behind(b) && b.is_behind(a));
        assert!(!a.is_ahead(b) && !b.is_ahead(a));
        assert_eq!(a.signed_distance_from(b), -(1 << 23));
    }

    /// Every pair of an 8-bit ring's worth of offsets, at every interesting start, against integer
    /// arithmetic.
    #[test]
    fn order_agrees_with_unwrapped_integers() {
        let mut checked = 0;
        for start in [0u32, 1, 0x7f_ffff, 0x80_0000, 0xff_ffff] {
            for step in [0i64, 1, 2, 255, 256, (1 << 23) - 1, -1, -2, -256, -(1 << 23) + 1] {
                let (a, b) = (Psn::new(start), Psn::new((i64::from(start) + step) as u32));
                assert_eq!(b.serial_cmp(a), Some(step.cmp(&0)), "{start} {step}");
                assert_eq!(b.signed_distance_from(a), step);
                assert_eq!(b.is_ahead(a), step > 0);
                assert_eq!(b.is_behind(a), step < 0);
                assert_eq!(a.serial_max(b), if step > 0 { b } else { a });
                assert_eq!(b.is_within(a, 256), (0..256).contains(&step));
                checked += 1;
            }
        }
        assert_eq!(checked, 50);
    }
}
