//! Retry budget: how long a connection may go without any progress before it ends with an error.
//!
//! It runs for a path while base != next, from the last move of base; and for a connection from its first
//! question that no ACK followed. A connection that only waits for its peer's user (credit, the completion of
//! a message) is not timed. docs/blocks/tx-budget.md holds the widths.

use heddle_wire::{Psn, Time32};

/// State of one path, 57 bits.
#[derive(Clone, Copy, Debug, Default)]
struct PathRow {
    base: Psn,
    /// While something is in flight, when base moved last: 1 + 32 bits.
    since: Option<Time32>,
}

/// State of one connection, 67 bits.
#[derive(Clone, Copy, Debug, Default)]
struct ConnRow {
    /// The first question that no ACK followed: 1 + 32 bits.
    asked: Option<Time32>,
    /// When to look at the connection's paths: never later than the earliest end. 1 + 32 bits.
    look_at: Option<Time32>,
    /// The budget was used up: nothing more is said until the connection starts anew.
    spent: bool,
}

/// The block.
#[derive(Clone, Debug)]
pub struct Budget {
    ticks: u32,
    paths: u32,
    rows: Vec<PathRow>,
    connections: Vec<ConnRow>,
}

impl Budget {
    /// Nothing is waited for. `ticks`: the budget, at most 2^30.
    pub fn new(connections: u32, paths: u32, ticks: u32) -> Self {
        Self {
            ticks,
            paths,
            rows: vec![PathRow::default(); (connections * paths) as usize],
            connections: vec![ConnRow::default(); connections as usize],
        }
    }

    /// A result of the transmit path engine: `base` and `next` after it.
    // REQ-TX-13
    pub fn on_result(&mut self, path: u16, base: Psn, next: Psn, now: Time32) {
        let row = &mut self.rows[usize::from(path)];
        if base == next {
            row.since = None;
        } else if base != row.base || row.since.is_none() {
            row.since = Some(now);
            self.look(path / self.paths as u16, now);
        }
        self.rows[usize::from(path)].base = base;
    }

    /// The connection asks its peer something (PROBE of the probe timer).
    // REQ-TX-13
    pub fn on_question(&mut self, conn: u16, now: Time32) {
        self.connections[usize::from(conn)].asked.get_or_insert(now);
        self.look(conn, now);
    }

    /// An ACK of the connection that is believed.
    pub fn on_answer(&mut self, conn: u16) {
        self.connections[usize::from(conn)].asked = None;
    }

    /// When [`Self::is_spent`] may have something to say.
    pub fn deadline(&self, conn: u16) -> Option<Time32> {
        self.connections[usize::from(conn)].look_at
    }

    /// Whether the connection has used up its budget; says so once, until [`Self::clear`].
    // REQ-TX-13
    pub fn is_spent(&mut self, conn: u16, now: Time32) -> bool {
        if self.deadline(conn).is_none_or(|at| at.is_ahead(now)) {
            return false;
        }
        let first = usize::from(conn) * self.paths as usize;
        let paths = self.rows[first..][..self.paths as usize].iter().filter_map(|row| row.since);
        let earliest = |a: Time32, b: Time32| if a.is_ahead(b) { b } else { a };
        let oldest = paths.chain(self.connections[usize::from(conn)].asked).reduce(earliest);
        let end = oldest.map(|since| since.plus(self.ticks));
        self.connections[usize::from(conn)].look_at = end;
        let spent = end.is_some_and(|end| !end.is_ahead(now));
        if spent {
            self.clear(conn);
            self.connections[usize::from(conn)].spent = true;
        }
        spent
    }

    /// The connection starts anew, or has ended.
    pub fn clear(&mut self, conn: u16) {
        let first = usize::from(conn) * self.paths as usize;
        self.rows[first..][..self.paths as usize].fill(PathRow::default());
        self.connections[usize::from(conn)] = ConnRow::default();
    }

    fn look(&mut self, conn: u16, now: Time32) {
        let row = &mut self.connections[usize::from(conn)];
        if !row.spent {
            row.look_at.get_or_insert(now.plus(self.ticks));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICKS: u32 = 1000;

    fn at(ticks: u32) -> Time32 {
        Time32::new(0u32.wrapping_sub(1500).wrapping_add(ticks))
    }

    /// The first tick at which connection 1 has used up its budget, asked only when it is due.
    fn end(budget: &mut Budget) -> Option<u32> {
        for _ in 0..10 {
            let due = budget.deadline(1)?;
            assert!(!budget.is_spent(1, due.previous()), "not before its deadline");
            if budget.is_spent(1, due) {
                return Some(due.distance_from(at(0)));
            }
        }
        panic!("it never ends");
    }

    fn psn(value: u32) -> Psn {
        Psn::new(value)
    }

    // REQ-TX-13
    #[test]
    fn a_path_without_progress_of_base_ends_its_connection_to_the_tick() {
        let mut budget = Budget::new(2, 4, TICKS);
        budget.on_result(5, psn(10), psn(11), at(0));
        budget.on_result(5, psn(10), psn(40), at(300));
        budget.on_result(5, psn(12), psn(40), at(700));
        budget.on_result(6, psn(0), psn(1), at(900));
        budget.on_result(5, psn(12), psn(41), at(1600));
        assert_eq!(end(&mut budget), Some(1700), "path 5, from its move at 700");
        budget.on_result(5, psn(12), psn(42), at(1800));
        assert_eq!(end(&mut budget), None, "said once");
        budget.clear(1);
        budget.on_result(5, psn(12), psn(43), at(1900));
        assert_eq!(end(&mut budget), Some(2900), "a new connection");
    }

    // REQ-TX-13
    #[test]
    fn the_other_paths_progress_does_not_help_a_path_that_is_stuck() {
        let mut budget = Budget::new(2, 4, TICKS);
        budget.on_result(4, psn(0), psn(1), at(10));
        for n in 1..20 {
            budget.on_result(7, psn(n), psn(n + 5), at(50 * n));
        }
        assert_eq!(end(&mut budget), Some(1010));
    }

    // REQ-TX-13
    #[test]
    fn nothing_in_flight_and_no_question_is_not_timed() {
        let mut budget = Budget::new(2, 4, TICKS);
        budget.on_result(4, psn(0), psn(1), at(0));
        budget.on_result(4, psn(1), psn(1), at(500));
        budget.on_question(1, at(600));
        budget.on_question(1, at(800));
        budget.on_answer(1);
        assert_eq!(end(&mut budget), None);
        budget.on_result(4, psn(1), psn(2), at(1400));
        assert_eq!(end(&mut budget), Some(2400), "a fresh start");
    }

    // REQ-TX-13
    #[test]
    fn a_question_without_an_answer_runs_from_its_first_asking() {
        let mut budget = Budget::new(2, 4, TICKS);
        budget.on_question(1, at(100));
        budget.on_answer(1);
        budget.on_question(1, at(200));
        budget.on_question(1, at(900));
        assert_eq!(end(&mut budget), Some(1200));
    }
}
