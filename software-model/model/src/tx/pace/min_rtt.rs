//! The shortest round trip of a connection, of late: a minimum that ages.
//!
//! Time is cut into intervals of 2^20 ticks, the same for all connections; what counts is the minimum of the interval that runs and of the
//! one before it in which a sample came. The delay of a queue must not become the minimum: a sample that came with CE marks lowers it at
//! most, and it is never beyond four times the shortest ever.

use super::RTT_BITS;
use heddle_wire::Time32;

/// log2 of the interval in ticks: 8.4 ms. A minimum is forgotten one to two intervals after it was seen.
pub const AGE_BITS: u32 = 20;
/// The minimum is at most so many times the shortest round trip ever seen.
pub const MOST_TIMES: u32 = 4;

/// Minima of one connection, 77 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MinRtt {
    /// Of all samples: 1 + 21 bits. None before the first.
    shortest: Option<u32>,
    /// Of the interval of the last sample, 21 bits.
    current: u32,
    /// Of the interval before that in which a sample came: 1 + 21 bits.
    before: Option<u32>,
    /// The interval of the last sample, 12 bits.
    interval: u16,
}

impl MinRtt {
    /// The minimum in ticks; none before the first sample.
    // REQ-PACE-8
    pub fn ticks(&self) -> Option<u32> {
        let recent = self.before.map_or(self.current, |before| before.min(self.current));
        self.shortest.map(|shortest| recent.min(MOST_TIMES * shortest))
    }

    /// A round trip was measured; `marked`: the ACK told of CE marks. 2^21 ticks or more are none.
    // REQ-PACE-8
    pub fn on_sample(&mut self, ticks: u32, marked: bool, now: Time32) {
        let longer = self.ticks().is_some_and(|min| ticks >= min);
        if ticks >> RTT_BITS != 0 || (marked && longer) {
            return;
        }
        let interval = (now.get() >> AGE_BITS) as u16;
        let Some(shortest) = self.shortest else {
            *self = Self { shortest: Some(ticks), current: ticks, before: None, interval };
            return;
        };
        self.shortest = Some(shortest.min(ticks));
        if std::mem::replace(&mut self.interval, interval) == interval {
            self.current = self.current.min(ticks);
        } else {
            (self.before, self.current) = (Some(self.current), ticks);
        }
    }
}

#[cfg(test)]
mod tests;
