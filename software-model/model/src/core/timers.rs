//! Deadlines of a core, nearest first.
//!
//! Owners store deadlines and move them as they like; what stands here is never later than the owner's, and the owner is asked again
//! when it comes. In the RTL a scan over the rows does the same.

use heddle_wire::Time32;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Whose deadline it is; the order is that of a tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Timer {
    /// Retransmission timer of a path.
    Rto(u16),
    /// Probe timer of a connection.
    Probe(u16),
    /// RESETs of a connection that ends.
    Reset(u16),
    /// Pacer of a connection.
    Pace(u16),
    /// What travels on a path's route before its voluntary change.
    OldRoute(u16),
    /// Tests of planes of a connection.
    Tests(u16),
    /// Retry budget of a connection.
    Budget(u16),
}

/// Kinds of timers.
const KINDS: usize = 7;
/// No entry.
const NEVER: u64 = u64::MAX;

impl Timer {
    fn place(self) -> (usize, usize) {
        match self {
            Self::Rto(path) => (0, path.into()),
            Self::Probe(conn) => (1, conn.into()),
            Self::Reset(conn) => (2, conn.into()),
            Self::Pace(conn) => (3, conn.into()),
            Self::OldRoute(path) => (4, path.into()),
            Self::Tests(conn) => (5, conn.into()),
            Self::Budget(conn) => (6, conn.into()),
        }
    }
}

/// All of them.
#[derive(Clone, Debug)]
pub(super) struct Timers {
    /// The last time seen, and the same without wrap.
    last: Option<Time32>,
    now: u64,
    heap: BinaryHeap<Reverse<(u64, Timer)>>,
    /// The entry of each timer that counts; others are left behind in the heap.
    armed: [Vec<u64>; KINDS],
}

impl Timers {
    /// `counts`: timers of each kind.
    pub(super) fn new(counts: [usize; KINDS]) -> Self {
        let armed = counts.map(|count| vec![NEVER; count]);
        // Far enough from 0 that every Time32 around it has a place.
        Self { last: None, now: 1 << 32, heap: BinaryHeap::new(), armed }
    }

    /// Time has come to `now`; it never goes back, so whatever differs is ahead, also after half a ring of sleep.
    pub(super) fn set_now(&mut self, now: Time32) {
        let last = self.last.replace(now).unwrap_or(now);
        self.now += u64::from(now.distance_from(last));
    }

    /// The last time seen.
    pub(super) fn last(&self) -> Option<Time32> {
        self.last
    }

    /// Ticks without wrap.
    pub(super) fn clock(&self) -> u64 {
        self.now
    }

    /// The timer has this deadline now.
    pub(super) fn arm(&mut self, timer: Timer, deadline: Option<Time32>) {
        let (Some(deadline), Some(last)) = (deadline, self.last) else { return };
        let at = match deadline.is_ahead(last) {
            true => self.now + u64::from(deadline.distance_from(last)),
            false => self.now,
        };
        let (kind, index) = timer.place();
        if let Some(armed) = self.armed[kind].get_mut(index).filter(|armed| at < **armed) {
            *armed = at;
            self.heap.push(Reverse((at, timer)));
        }
    }

    /// A timer whose owner is to be asked now, taken out.
    pub(super) fn due(&mut self) -> Option<Timer> {
        let (at, timer) = self.first().filter(|(at, _)| *at <= self.now)?;
        self.heap.pop();
        let (kind, index) = timer.place();
        self.armed[kind][index] = NEVER;
        debug_assert!(at <= self.now);
        Some(timer)
    }

    /// When some owner is to be asked next.
    pub(super) fn next_deadline(&mut self) -> Option<Time32> {
        let (at, last) = (self.first()?.0, self.last?);
        Some(last.plus(at.saturating_sub(self.now) as u32))
    }

    /// The first entry that counts.
    fn first(&mut self) -> Option<(u64, Timer)> {
        loop {
            let Reverse((at, timer)) = *self.heap.peek()?;
            let (kind, index) = timer.place();
            if self.armed[kind][index] == at {
                return Some((at, timer));
            }
            self.heap.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_asked_in_the_order_of_their_deadlines_across_a_wrap() {
        let mut timers = Timers::new([4, 2, 0, 0, 0, 0, 0]);
        let start = Time32::new(u32::MAX - 10);
        timers.set_now(start);
        for (timer, after) in [(Timer::Rto(3), 30), (Timer::Probe(1), 5), (Timer::Rto(0), 15)] {
            timers.arm(timer, Some(start.plus(after)));
        }
        // A later deadline changes nothing: its owner is asked early, and says so.
        timers.arm(Timer::Probe(1), Some(start.plus(500)));
        assert_eq!(timers.next_deadline(), Some(start.plus(5)));
        assert_eq!(timers.due(), None);
        timers.set_now(start.plus(20));
        assert_eq!(
            [timers.due(), timers.due(), timers.due()],
            [Some(Timer::Probe(1)), Some(Timer::Rto(0)), None]
        );
        assert_eq!(timers.next_deadline(), Some(start.plus(30)));
        // An earlier one takes its place.
        timers.arm(Timer::Rto(3), Some(start.plus(22)));
        assert_eq!(timers.next_deadline(), Some(start.plus(22)));
        timers.set_now(start.plus(40));
        assert_eq!([timers.due(), timers.due()], [Some(Timer::Rto(3)), None]);
        assert_eq!(timers.next_deadline(), None);
    }
}
