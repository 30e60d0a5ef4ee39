//! What happens next: events in the order of their time, and of being announced where times are equal.
//!
//! A wheel of short intervals holds the near future, a heap the rest. An interval is put in order when its turn comes, so an event costs
//! about the same however many wait.

use crate::time::Ps;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// log2 of an interval, ps: 2 ns.
const WIDTH_LOG2: u32 = 11;
/// Intervals of the wheel, a power of two: 67 us.
const INTERVALS: usize = 1 << 15;

/// No place.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry<T> {
    at: u64,
    number: u64,
    event: T,
}

/// Events of type `T`; ties never come to comparing those.
#[derive(Debug)]
pub struct Events<T> {
    /// The interval whose turn it is, last first.
    current: Vec<Entry<T>>,
    /// Its number since time 0.
    turn: u64,
    /// Per interval of the wheel the first of its entries in `near`, in no order, or none.
    wheel: Vec<u32>,
    /// Entries of the wheel, each with the next of its interval, or with the next place that is free.
    near: Vec<(Entry<T>, u32)>,
    free: u32,
    /// One bit per interval of the wheel: it holds something.
    filled: Vec<u64>,
    /// Beyond the wheel.
    later: BinaryHeap<Reverse<Entry<T>>>,
    announced: u64,
    waiting: usize,
}

impl<T: Copy + Ord> Default for Events<T> {
    fn default() -> Self {
        Self {
            current: Vec::new(),
            turn: 0,
            wheel: vec![NONE; INTERVALS],
            near: Vec::new(),
            free: NONE,
            filled: vec![0; INTERVALS / 64],
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
        let entry = Entry { at: at.0, number: self.announced, event };
        self.announced += 1;
        self.waiting += 1;
        let turn = at.0 >> WIDTH_LOG2;
        if turn <= self.turn {
            let place =
                self.current.partition_point(|other| (other.at, other.number) > (entry.at, entry.number));
            self.current.insert(place, entry);
        } else if turn - self.turn < INTERVALS as u64 {
            self.put(turn, entry);
        } else {
            self.later.push(Reverse(entry));
        }
    }

    fn put(&mut self, turn: u64, entry: Entry<T>) {
        let slot = turn as usize % INTERVALS;
        let first = std::mem::replace(&mut self.wheel[slot], self.free);
        if self.free == NONE {
            self.wheel[slot] = self.near.len() as u32;
            self.near.push((entry, first));
        } else {
            let place = &mut self.near[self.free as usize];
            self.free = std::mem::replace(&mut place.1, first);
            place.0 = entry;
        }
        self.filled[slot / 64] |= 1 << (slot % 64);
    }

    /// The next event, and when it happens.
    #[inline]
    pub fn pop(&mut self) -> Option<(Ps, T)> {
        if self.current.is_empty() && !self.turn_over() {
            return None;
        }
        let Entry { at, event, .. } = self.current.pop()?;
        self.waiting -= 1;
        Some((Ps(at), event))
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

    /// Comes to the next interval that holds something; false when none does.
    fn turn_over(&mut self) -> bool {
        let near = self.next_filled();
        let far = self.later.peek().map(|Reverse(entry)| entry.at >> WIDTH_LOG2);
        let Some(turn) = near.into_iter().chain(far).min() else { return false };
        self.turn = turn;
        // What the wheel reaches now comes out of the heap, the new interval's own included.
        while let Some(Reverse(entry)) = self.later.peek().copied() {
            let at = entry.at >> WIDTH_LOG2;
            if at - turn >= INTERVALS as u64 {
                break;
            }
            self.later.pop();
            self.put(at, entry);
        }
        let slot = turn as usize % INTERVALS;
        self.filled[slot / 64] &= !(1 << (slot % 64));
        let mut place = std::mem::replace(&mut self.wheel[slot], NONE);
        while place != NONE {
            let (entry, next) = &mut self.near[place as usize];
            self.current.push(*entry);
            let next = std::mem::replace(next, self.free);
            self.free = std::mem::replace(&mut place, next);
        }
        self.current.sort_unstable_by_key(|entry| Reverse((entry.at, entry.number)));
        true
    }

    /// The next interval of the wheel after this one that holds something.
    fn next_filled(&self) -> Option<u64> {
        let start = self.turn as usize % INTERVALS + 1;
        let words = self.filled.len();
        let (first, bit) = (start / 64 % words, start % 64);
        // The first word is looked at twice: from the start on, and up to it when all the others are empty.
        let masked = |n: usize| match n {
            0 => self.filled[first] & (u64::MAX << bit),
            n if n == words => self.filled[first] & !(u64::MAX << bit),
            n => self.filled[(first + n) % words],
        };
        let (n, word) = (0..=words).map(|n| (n, masked(n))).find(|(_, word)| *word != 0)?;
        let slot = (first + n) % words * 64 + word.trailing_zeros() as usize;
        let ahead = (slot + INTERVALS - self.turn as usize % INTERVALS) % INTERVALS;
        Some(self.turn + ahead as u64)
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
        for number in 0..200_000u64 {
            // Near, in the same interval, on the edge of the wheel, and far beyond it.
            let span =
                [1 << 10, 1 << 15, 1 << 20, (INTERVALS as u64) << WIDTH_LOG2, 1 << 40][rng.gen_range(0..5)];
            let at = now + rng.gen_range(0..span);
            events.push(Ps(at), number);
            plain.insert((at, number), ());
            if rng.gen_range(0..100) < 49 || number > 199_000 {
                let ((at, number), ()) = plain.pop_first().unwrap();
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
