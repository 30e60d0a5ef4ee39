//! Questions in the core, and what it means when nobody answers: another path, another route, the end.

use super::timers::Timer;
use super::Core;
use crate::tx::route::Cause;
use heddle_wire::{Status, Time32};

/// Announcements that are not answered, per RTO0.
const ANNOUNCEMENTS: u32 = 4;

impl Core {
    /// The connection's question is due, `local` being the next path in turn: the path that it goes on. A
    /// path with nothing in flight has no timer of its own, so if the last question was repeated, which is
    /// answered on every plane, and no ACK followed, its path's route is dead.
    // REQ-ROUTE-8
    pub(super) fn question_path(&mut self, conn: u16, local: u8, now: Time32) -> u16 {
        let unheard =
            self.rerouting.as_mut().and_then(|rerouting| rerouting.unheard[usize::from(conn)].take());
        if let Some(path) = unheard.filter(|&path| self.rows[usize::from(path)].tx.inflight() == 0) {
            self.counters.dead_routes += 1;
            self.give_up(path, Cause::Expiries, now);
        }
        self.ask_on(conn, local)
    }

    /// The connection announces itself, and soon again if nobody answers.
    // REQ-PACE-4
    pub(super) fn announce(&mut self, conn: u16, now: Time32) {
        self.ask_at_once(conn, self.config.rto.rto0_ticks() / ANNOUNCEMENTS, now);
    }

    /// The connection asks for credit.
    // REQ-MSG-6
    pub(super) fn ask_for_credit(&mut self, conn: u16, now: Time32) {
        self.ask_at_once(conn, self.config.rto.rto0_ticks(), now);
    }

    /// The connection asks now, and the probe timer runs anew, from `interval_ticks`. A question that waits to leave is enough.
    fn ask_at_once(&mut self, conn: u16, interval_ticks: u32, now: Time32) {
        let paths = self.config.paths;
        let local = self.probe[usize::from(conn)].announce(interval_ticks, now, paths);
        self.arm_probe(conn);
        if self.questions.iter().all(|&(path, _)| path / paths as u16 != conn) {
            self.questions.push_back((conn * paths as u16 + u16::from(local), false));
        }
    }

    /// The question leaves.
    // REQ-TX-13
    pub(super) fn note_question(&mut self, path: u16, repeat: bool, now: Time32) {
        let conn = path / self.config.paths as u16;
        let Some(rerouting) = &mut self.rerouting else { return };
        rerouting.budget.on_question(conn, now);
        rerouting.unheard[usize::from(conn)] = repeat.then_some(path);
        self.arm_budget(conn);
    }

    /// An ACK that is believed: whatever was asked is answered.
    pub(super) fn note_answer(&mut self, conn: u16) {
        if let Some(rerouting) = &mut self.rerouting {
            rerouting.budget.on_answer(conn);
            rerouting.unheard[usize::from(conn)] = None;
        }
    }

    /// A connection may have used up its retry budget.
    // REQ-TX-13
    pub(super) fn budget_timer(&mut self, conn: u16, now: Time32) {
        let Some(rerouting) = &mut self.rerouting else { return };
        let farewell = rerouting.farewell_ticks;
        if rerouting.budget.is_spent(conn, now) {
            self.counters.budgets_spent += 1;
            self.fail(conn, Status::RetryBudget, None, farewell, now);
        }
        self.arm_budget(conn);
    }

    pub(super) fn arm_budget(&mut self, conn: u16) {
        let deadline = self.rerouting.as_ref().and_then(|rerouting| rerouting.budget.deadline(conn));
        self.timers.arm(Timer::Budget(conn), deadline);
    }

    /// The path on which a connection's question goes, `local` being next in turn: one that is usable, and on
    /// another plane than the one before it if possible.
    fn ask_on(&self, conn: u16, local: u8) -> u16 {
        let paths = self.config.paths;
        let path = |step: u32| (u32::from(conn) * paths + (u32::from(local) + step) % paths) as u16;
        let Some(rerouting) = &self.rerouting else { return path(0) };
        let plane = |path: u16| rerouting.routes.row(path).route.plane;
        let before = plane(path(paths - 1));
        let rank = |path: u16| (!self.rows[usize::from(path)].rto.usable(), plane(path) == before);
        (0..paths).map(path).min_by_key(|&path| rank(path)).unwrap_or(path(0))
    }
}
