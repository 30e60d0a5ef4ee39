//! What happens next: events in the order of their time, and of being announced where times are equal.
//!
//! A wheel of short intervals holds the near future, a heap the rest. An interval holds few events, in order, so an event costs about the
//! same however many wait.

mod filled;

use crate::time::Ps;
use filled::Filled;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// log2 of an interval, ps: 128 ps.
const WIDTH_LOG2: u32 = 7;
/// Intervals of the wheel, a power of two: 34 us.
const INTERVALS: usize = 1 << 18;

/// No place.
const NONE: u32 = u32::MAX;

/// An event of the far future.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Later<T> {
    at: u64,
    number: u64,
    event: T,
}

/// An event of the near future.
#[derive(Clone, Copy, Debug)]
struct Near<T> {
    at: u64,
    event: T,
    /// Place of the next in its interval, of the first behind the last; of the next free place.
    next: u32,
}

/// Events of type `T`; ties never come to comparing those.
#[derive(Debug)]
pub struct Events<T> {
    /// Number of the interval whose turn it is, since time 0.
    turn: u64,
    /// Per interval of the wheel the last of its events in `near`, or none.
    wheel: Vec<u32>,
    near: Vec<Near<T>>,
    free: u32,
    /// Which intervals of the wheel hold something.
    filled: Filled,
    /// Beyond the wheel.
    later: BinaryHeap<Reverse<Later<T>>>,
    announced: u64,
    waiting: usize,
}

impl<T: Copy + Ord> Default for Events<T> {
    fn default() -> Self {
        Self {
            turn: 0,
            wheel: vec![NONE; INTERVALS],
            near: Vec::new(),
            free: NONE,
            filled: Filled::new(INTERVALS),
            later: BinaryHeap::new(),
            announced: 0,
            waiting: 0,
        }
    }
}

impl<T: Copy + Ord> Events<T> {
    /// Something happens at `at`; what is announced for the past happens next.
    #[inline]
    pub fn push(&mut self, at: Ps, event: T) {
        let turn = (at.0 >> WIDTH_LOG2).max(self.turn);
        if turn - self.turn < INTERVALS as u64 {
            self.put(turn, at.0, event);
        } else {
            self.later.push(Reverse(Later { at: at.0, number: self.announced, event }));
        }
        self.announced += 1;
        self.waiting += 1;
    }

    /// Behind all of its interval that are not later. Those that were announced before and have the same time are there: what comes
    /// out of the heap does so before anything is announced for an interval that the wheel has just reached.
    #[inline(always)]
    fn put(&mut self, turn: u64, at: u64, event: T) {
        let slot = turn as usize % INTERVALS;
        let last = self.wheel[slot];
        let place = self.place(Near { at, event, next: NONE });
        if last == NONE {
            self.near[place as usize].next = place;
            self.wheel[slot] = place;
            return self.filled.set(slot);
        }
        let mut before = last;
        if self.near[last as usize].at <= at {
            self.wheel[slot] = place;
        } else {
            // Some is later: the walk from the first ends there at the latest.
            loop {
                let next = self.near[before as usize].next;
                if self.near[next as usize].at > at {
                    break;
                }
                before = next;
            }
        }
        self.near[place as usize].next = std::mem::replace(&mut self.near[before as usize].next, place);
    }

    #[inline(always)]
    fn place(&mut self, near: Near<T>) -> u32 {
        let place = self.free;
        match self.near.get_mut(place as usize) {
            Some(free) => {
                self.free = free.next;
                *free = near;
                place
            }
            None => {
                self.near.push(near);
                self.near.len() as u32 - 1
            }
        }
    }

    /// The next event, and when it happens.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<(Ps, T)> {
        let mut slot = self.turn as usize % INTERVALS;
        if self.wheel[slot] == NONE {
            self.turn_over()?;
            slot = self.turn as usize % INTERVALS;
        }
        let last = self.wheel[slot];
        let first = self.near[last as usize].next;
        let Near { at, event, next } = self.near[first as usize];
        if first == last {
            self.wheel[slot] = NONE;
            self.filled.clear(slot);
        } else {
            self.near[last as usize].next = next;
        }
        self.near[first as usize].next = std::mem::replace(&mut self.free, first);
        self.waiting -= 1;
        Some((Ps(at), event))
    }

    /// What comes next if nothing is announced for before it; none when all that waits is beyond the wheel.
    #[inline(always)]
    pub fn upcoming(&self) -> Option<&T> {
        let here = self.turn as usize % INTERVALS;
        let slot = if self.wheel[here] == NONE { self.next_slot()? } else { here };
        let first = self.near[self.wheel[slot] as usize].next;
        Some(&self.near[first as usize].event)
    }

    /// Events that wait.
    pub fn len(&self) -> usize {
        self.waiting
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// Events that were announced since the start.
    pub fn announced(&self) -> u64 {
        self.announced
    }

    /// Comes to the next interval that holds something, if one does.
    #[inline(never)]
    fn turn_over(&mut self) -> Option<()> {
        let far = self.later.peek().map(|Reverse(entry)| entry.at >> WIDTH_LOG2);
        let turn = match (self.next_filled(), far) {
            (Some(near), Some(far)) => near.min(far),
            (near, far) => near.or(far)?,
        };
        self.turn = turn;
        // What the wheel reaches now comes out of the heap, the new interval's own included.
        while self
            .later
            .peek()
            .is_some_and(|Reverse(entry)| (entry.at >> WIDTH_LOG2) - turn < INTERVALS as u64)
        {
            let Reverse(Later { at, event, .. }) = self.later.pop()?;
            self.put(at >> WIDTH_LOG2, at, event);
        }
        Some(())
    }

    /// The next interval of the wheel after this one that holds something.
    fn next_filled(&self) -> Option<u64> {
        let ahead = self.next_slot()?.wrapping_sub(self.turn as usize) % INTERVALS;
        Some(self.turn + ahead as u64)
    }

    /// Its place in the wheel.
    #[inline(always)]
    fn next_slot(&self) -> Option<usize> {
        let here = self.turn as usize % INTERVALS;
        self.filled.first_from(here + 1).or_else(|| self.filled.first_from(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;
    use std::collections::BTreeMap;

    #[test]
    fn events_come_in_the_order_of_time_and_then_of_announcement_however_far_away() {
        let mut rng = crate::seed::stream(7, "events", 0);
        let (mut events, mut plain, mut now, mut checked) = (Events::default(), BTreeMap::new(), 0, 0);
        let mut foreseen = 0;
        for number in 0..200_000u64 {
            // Near, in the same interval, on the edge of the wheel, and far beyond it.
            let span =
                [1 << 10, 1 << 15, 1 << 20, (INTERVALS as u64) << WIDTH_LOG2, 1 << 40][rng.gen_range(0..5)];
            let at = now + rng.gen_range(0..span);
            events.push(Ps(at), number);
            plain.insert((at, number), ());
            if rng.gen_range(0..100) < 49 || number > 199_000 {
                let ((at, number), ()) = plain.pop_first().unwrap();
                if let Some(&upcoming) = events.upcoming() {
                    assert_eq!(upcoming, number);
                    foreseen += 1;
                }
                assert_eq!(events.pop(), Some((Ps(at), number)));
                (now, checked) = (at, checked + 1);
            }
            assert_eq!(events.len(), plain.len());
        }
        while let Some(((at, number), ())) = plain.pop_first() {
            assert_eq!(events.pop(), Some((Ps(at), number)));
            checked += 1;
        }
        assert_eq!((events.pop(), events.is_empty(), checked), (None, true, 200_000));
        assert!(foreseen > 90_000, "{foreseen} foreseen");
    }

    #[test]
    fn an_event_of_the_past_comes_next() {
        let mut events = Events::default();
        events.push(Ps(1 << 50), 0);
        assert_eq!(events.pop(), Some((Ps(1 << 50), 0)));
        events.push(Ps(1 << 50), 1);
        events.push(Ps(3), 2);
        assert_eq!((events.pop(), events.pop()), (Some((Ps(3), 2)), Some((Ps(1 << 50), 1))));
    }
}
