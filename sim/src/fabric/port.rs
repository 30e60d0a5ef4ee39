//! An output port of one queue, first in, first out: what it holds follows from when it will be clear.

use crate::time::{Ps, Rate};

/// What became of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queued {
    /// Its last bit leaves then.
    Leaves(Ps),
    /// There was no room.
    Full,
}

/// The port.
#[derive(Clone, Copy, Debug)]
pub struct Port {
    rate: Rate,
    /// Time that the whole buffer takes.
    room: Ps,
    clear_at: Ps,
    longest: Ps,
    /// Bytes in a picosecond, in 1/2^48.
    density: u64,
}

impl Port {
    /// An empty one; a packet with which more than `buffer_bytes` would stand in it is dropped.
    pub fn new(rate: Rate, buffer_bytes: u64) -> Self {
        let density = ((u128::from(rate.bits_per_second()) << 48) / 8_000_000_000_000) as u64;
        Self { rate, room: rate.time_of(buffer_bytes), clear_at: Ps::ZERO, longest: Ps::ZERO, density }
    }

    /// How long what stands in it now takes.
    #[inline]
    pub fn backlog(&self, now: Ps) -> Ps {
        Ps(self.clear_at.0.saturating_sub(now.0))
    }

    /// When it will be clear.
    pub fn clear_at(&self) -> Ps {
        self.clear_at
    }

    /// Its rate.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// What stands in it now, in bytes; may be one too low.
    #[inline]
    pub fn backlog_bytes(&self, now: Ps) -> u64 {
        ((u128::from(self.backlog(now).0) * u128::from(self.density)) >> 48) as u64
    }

    /// Most bytes that ever stood in it.
    pub fn longest_bytes(&self) -> u64 {
        self.rate.bytes_in(self.longest)
    }

    /// A packet enters.
    #[inline]
    pub fn enter(&mut self, now: Ps, bytes: u32) -> Queued {
        let start = self.clear_at.max(now);
        let leaves = start + self.rate.time_of(bytes.into());
        let backlog = leaves - now;
        if backlog > self.room {
            return Queued::Full;
        }
        self.clear_at = leaves;
        self.longest = self.longest.max(backlog);
        Queued::Leaves(leaves)
    }

    /// It runs at another rate from now on, with the same buffer; what stands in it leaves when it was to
    /// leave.
    pub fn set_rate(&mut self, rate: Rate) {
        let buffer_bytes = self.rate.bytes_in(self.room);
        let longest_bytes = self.longest_bytes();
        *self = Self {
            clear_at: self.clear_at,
            longest: rate.time_of(longest_bytes),
            ..Self::new(rate, buffer_bytes)
        };
    }

    /// What stood in it is gone: its link has failed.
    pub fn clear(&mut self, now: Ps) {
        self.clear_at = self.clear_at.min(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_leave_one_after_the_other_and_one_that_has_no_room_is_dropped() {
        let rate = Rate::new(100_000_000_000).unwrap();
        let mut port = Port::new(rate, 3_000);
        assert_eq!(port.enter(Ps(1_000), 1_500), Queued::Leaves(Ps(121_000)));
        assert_eq!(port.enter(Ps(1_000), 1_500), Queued::Leaves(Ps(241_000)));
        assert_eq!(port.enter(Ps(1_000), 1), Queued::Full);
        assert!((2_999..=3_000).contains(&port.backlog_bytes(Ps(1_000))));
        assert_eq!(port.longest_bytes(), 3_000);
        // 80 ps later a byte has left.
        assert_eq!(port.enter(Ps(1_080), 1), Queued::Leaves(Ps(241_080)));
        assert_eq!(port.enter(Ps(400_000), 1_500), Queued::Leaves(Ps(520_000)));
        port.clear(Ps(410_000));
        assert_eq!(port.enter(Ps(410_000), 100), Queued::Leaves(Ps(418_000)));
    }
}
