//! A plane's transmitter: one port that everybody who sends on the plane in this direction shares.

use super::{LinkConfig, ETHERNET_OVERHEAD};

/// What a queue does with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passage {
    /// Cycle in which the last bit leaves, or would leave.
    pub leaves_at: u64,
    /// There is no room for it.
    pub full: bool,
    /// It stands behind so much that it is to be marked.
    pub marked: bool,
}

/// The queue. It begins to send a frame once it has all of it, and sends one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Queue {
    /// When all that it was given is sent, in cycles x speed.
    free: u128,
    /// Most bytes that have stood in it.
    peak: u64,
}

impl Queue {
    /// A frame of so many bytes comes at cycle `now`; calls are in order of `now`.
    pub fn enter(&mut self, config: &LinkConfig, now: u64, bytes: usize) -> Passage {
        let Some(speed) = config.speed() else {
            return Passage { leaves_at: now, full: false, marked: false };
        };
        let (speed, hz) = (u128::from(speed), u128::from(config.clock_hz()));
        let bytes = u128::from(bytes as u64 + ETHERNET_OVERHEAD);
        let begins = self.free.max(u128::from(now) * speed);
        let free = begins + 8 * bytes * hz;
        let behind = (begins - u128::from(now) * speed).div_ceil(8 * hz) as u64;
        let with_it = behind + bytes as u64;
        let full = config.limits().buffer.is_some_and(|most| with_it > most);
        if !full {
            self.free = free;
            self.peak = self.peak.max(with_it);
        }
        let marked = config.limits().ecn_threshold.is_some_and(|least| with_it > least);
        Passage { leaves_at: free.div_ceil(speed) as u64, full, marked: marked && !full }
    }

    /// What stood in it is gone.
    pub fn clear(&mut self) {
        self.free = 0;
    }

    /// Most bytes that have stood in it, preamble, FCS and gap included.
    pub fn peak(&self) -> u64 {
        self.peak
    }
}
