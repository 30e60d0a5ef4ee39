//! Serial numbers of the protocol (RFC 1982): packet sequence numbers and time stamps.

/// A packet sequence number of one path, 24 bits, modulo 2^24.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Psn(u32);

impl Psn {
    /// Width on the wire.
    pub const BITS: u32 = 24;
    /// Largest value.
    pub const MASK: u32 = (1 << Self::BITS) - 1;
    const HALF: u32 = 1 << (Self::BITS - 1);

    /// The PSN congruent to `value` modulo 2^24.
    pub const fn new(value: u32) -> Self {
        Self(value & Self::MASK)
    }

    /// The value, 0 to 2^24 - 1.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// `self + count`, modulo 2^24.
    pub const fn plus(self, count: u32) -> Self {
        Self::new(self.0.wrapping_add(count))
    }

    /// `self - count`, modulo 2^24.
    pub const fn minus(self, count: u32) -> Self {
        Self::new(self.0.wrapping_sub(count))
    }

    /// Packets from `base` forward to `self`, modulo 2^24.
    pub const fn distance_from(self, base: Self) -> u32 {
        self.0.wrapping_sub(base.0) & Self::MASK
    }

    /// Whether `self` is serially before `other`: the forward distance from `other` is 2^23 or more.
    pub const fn is_behind(self, other: Self) -> bool {
        self.distance_from(other) >= Self::HALF
    }
}

/// A time stamp, 32 bits of 8 ns ticks, modulo 2^32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Time32(u32);

impl Time32 {
    /// The time stamp of `value` ticks.
    pub const fn new(value: u32) -> Self {
        Self(value)
    }

    /// The value, in ticks.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// `self + ticks`, modulo 2^32.
    pub const fn plus(self, ticks: u32) -> Self {
        Self(self.0.wrapping_add(ticks))
    }

    /// `self - ticks`, modulo 2^32.
    pub const fn minus(self, ticks: u32) -> Self {
        Self(self.0.wrapping_sub(ticks))
    }

    /// Ticks from `base` forward to `self`, modulo 2^32.
    pub const fn distance_from(self, base: Self) -> u32 {
        self.0.wrapping_sub(base.0)
    }

    /// Whether `self` is serially later than `other` (strict; half the space apart is not later).
    pub const fn is_ahead(self, other: Self) -> bool {
        let ahead = self.distance_from(other);
        ahead != 0 && ahead < 1 << 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn psn_distance_crosses_the_wrap() {
        assert_eq!(Psn::new(3).distance_from(Psn::new(0xFF_FFFE)), 5);
        assert_eq!(Psn::new(0xFF_FFFE).plus(5), Psn::new(3));
        assert_eq!(Psn::new(3).minus(5), Psn::new(0xFF_FFFE));
        assert!(Psn::new(0xFF_FFFE).is_behind(Psn::new(3)));
        assert!(!Psn::new(3).is_behind(Psn::new(3)));
        assert!(Psn::new(1 << 23).is_behind(Psn::new(0)) && Psn::new(0).is_behind(Psn::new(1 << 23)));
    }

    #[test]
    fn tick_order_is_strict_and_crosses_the_wrap() {
        assert!(
            Time32::new(3).is_ahead(Time32::new(0xFFFF_FFFE))
                && !Time32::new(0xFFFF_FFFE).is_ahead(Time32::new(3))
        );
        assert!(!Time32::new(3).is_ahead(Time32::new(3)));
        assert!(
            Time32::new(0x7FFF_FFFF).is_ahead(Time32::new(0))
                && !Time32::new(0x8000_0000).is_ahead(Time32::new(0))
        );
    }
}
