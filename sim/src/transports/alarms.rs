//! One deadline per queue pair, cheap to move: the heap is looked at when a moment comes, not when a deadline
//! moves on.

use crate::time::Ps;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The deadlines.
#[derive(Debug, Default)]
pub(super) struct Alarms {
    /// Moments at which to look, and for whom.
    heap: BinaryHeap<Reverse<(Ps, u32)>>,
    /// (when it is due, the moment of its valid entry in the heap), [`Ps::NEVER`] where there is none.
    due: Vec<(Ps, Ps)>,
}

impl Alarms {
    /// Room for one more queue pair.
    pub(super) fn grow(&mut self) {
        self.due.push((Ps::NEVER, Ps::NEVER));
    }

    pub(super) fn set(&mut self, who: u32, at: Ps) {
        let (due, entry) = &mut self.due[who as usize];
        *due = at;
        // An entry that is early is moved on when its moment comes.
        if at < *entry {
            *entry = at;
            self.heap.push(Reverse((at, who)));
        }
    }

    pub(super) fn clear(&mut self, who: u32) {
        self.due[who as usize].0 = Ps::NEVER;
    }

    pub(super) fn is_set(&self, who: u32) -> bool {
        self.due[who as usize].0 != Ps::NEVER
    }

    /// The earliest deadline.
    pub(super) fn next(&mut self) -> Option<Ps> {
        while let Some(&Reverse((moment, who))) = self.heap.peek() {
            let (due, entry) = &mut self.due[who as usize];
            if *entry == moment && *due == moment {
                return Some(moment);
            }
            self.heap.pop();
            if *entry == moment {
                *entry = *due;
                if *due != Ps::NEVER {
                    self.heap.push(Reverse((*due, who)));
                }
            }
        }
        None
    }

    /// Who is due, earliest first; the deadline is cleared.
    pub(super) fn expired(&mut self, now: Ps) -> Option<u32> {
        self.next().filter(|at| *at <= now)?;
        let Reverse((_, who)) = self.heap.pop()?;
        self.due[who as usize] = (Ps::NEVER, Ps::NEVER);
        Some(who)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn deadlines_that_move_come_in_order_as_in_a_table_that_is_searched() {
        let mut rng = crate::seed::stream(1, "alarms", 0);
        let (mut alarms, mut table) = (Alarms::default(), vec![Ps::NEVER; 20]);
        table.iter().for_each(|_| alarms.grow());
        let (mut now, mut came) = (Ps::ZERO, 0);
        for step in 0..20_000 {
            let who = rng.gen_range(0..20u32);
            match rng.gen_range(0..4) {
                0 => {
                    alarms.clear(who);
                    table[who as usize] = Ps::NEVER;
                }
                1 => {
                    now = now + Ps(rng.gen_range(0..50));
                    while let Some(who) = alarms.expired(now) {
                        let first = *table.iter().min().unwrap();
                        assert_eq!(table[who as usize], first, "step {step}");
                        assert!(first <= now);
                        table[who as usize] = Ps::NEVER;
                        came += 1;
                    }
                }
                _ => {
                    let at = now + Ps(rng.gen_range(1..100));
                    alarms.set(who, at);
                    table[who as usize] = at;
                }
            }
            let first = *table.iter().min().unwrap();
            assert_eq!(alarms.next(), Some(first).filter(|at| *at != Ps::NEVER), "step {step}");
            assert_eq!(alarms.is_set(who), table[who as usize] != Ps::NEVER);
        }
        assert!(came > 3_000, "only {came} came");
    }
}
