//! Time in picoseconds, rates, and what a byte takes.

use heddle_wire::Time32;
use std::ops::{Add, Sub};

/// Picoseconds since the start of a run, or between two moments; 2^64 of them are 213 days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ps(pub u64);

impl Ps {
    /// The start.
    pub const ZERO: Self = Self(0);
    /// Later than anything.
    pub const NEVER: Self = Self(u64::MAX);
    /// Picoseconds of a tick of the protocol's clock, 8 ns.
    pub const TICK: u64 = 8_000;

    /// So many nanoseconds.
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns * 1_000)
    }

    /// So many microseconds.
    pub const fn from_us(us: u64) -> Self {
        Self(us * 1_000_000)
    }

    /// The protocol's clock at this moment.
    pub const fn ticks(self) -> Time32 {
        Time32::new((self.0 / Self::TICK) as u32)
    }

    /// The first moment, not before this one, at which the protocol's clock shows `time`, or shows it to have passed.
    pub fn when(self, time: Time32) -> Self {
        let now = self.ticks();
        match time.is_ahead(now) {
            true => Self((self.0 / Self::TICK + u64::from(time.distance_from(now))) * Self::TICK),
            false => self,
        }
    }
}

impl Add for Ps {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Ps {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

/// A rate in bits per second, kept as the time of a byte: picoseconds in 1/2^16, rounded down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    byte_time: u64,
    bits_per_second: u64,
}

impl Rate {
    /// Slowest rate that is possible, bits per second: a byte then takes 8 us.
    pub const MIN: u64 = 1_000_000;
    /// Fastest.
    pub const MAX: u64 = 100_000_000_000_000;

    /// `None` outside 1 Mb/s to 100 Tb/s.
    pub const fn new(bits_per_second: u64) -> Option<Self> {
        if bits_per_second < Self::MIN || bits_per_second > Self::MAX {
            return None;
        }
        let byte_time = ((8_000_000_000_000u128 << 16) / bits_per_second as u128) as u64;
        Some(Self { byte_time, bits_per_second })
    }

    /// Bits per second.
    pub const fn bits_per_second(self) -> u64 {
        self.bits_per_second
    }

    /// How long so many bytes take.
    pub const fn time_of(self, bytes: u64) -> Ps {
        Ps(((bytes as u128 * self.byte_time as u128) >> 16) as u64)
    }

    /// How many whole bytes pass in this time.
    pub const fn bytes_in(self, time: Ps) -> u64 {
        (((time.0 as u128) << 16) / self.byte_time as u128) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_take_the_time_that_their_rate_says() {
        let cases = [
            (100_000_000_000, 1_500, 120_000),
            (400_000_000_000, 4_222, 84_440),
            (1_000_000_000, 64, 512_000),
        ];
        for (rate, bytes, ps) in cases {
            let rate = Rate::new(rate).unwrap();
            assert_eq!((rate.time_of(bytes), rate.bytes_in(Ps(ps))), (Ps(ps), bytes));
        }
        assert_eq!((Rate::new(999_999), Rate::new(Rate::MAX + 1)), (None, None));
    }

    #[test]
    fn a_deadline_of_the_clock_comes_when_the_clock_shows_it() {
        let now = Ps(8_000 * 5 + 1);
        assert_eq!(now.when(Time32::new(7)), Ps(8_000 * 7));
        assert_eq!((now.when(Time32::new(5)), now.when(Time32::new(2))), (now, now));
        let late = Ps((u64::from(u32::MAX) + 3) * Ps::TICK);
        assert_eq!((late.ticks(), late.when(Time32::new(9))), (Time32::new(2), Ps(late.0 + 7 * Ps::TICK)));
    }
}
