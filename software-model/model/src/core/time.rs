//! Time passes.

use super::timers::Timer;
use super::Core;
use heddle_wire::Time32;

impl Core {
    /// Time passes: delayed ACKs and expiries become due. Call at least whenever [`Self::next_deadline`] is reached, and before anything
    /// else after a sleep of 2^31 ticks (17 s) or more, for deadlines are serial numbers.
    pub fn advance(&mut self, now: Time32) {
        self.timers.set_now(now);
        self.end_gathering(now);
        while self.ack.next_deadline().is_some_and(|at| !at.is_ahead(now)) {
            let request = self.ack.on_tick(now);
            self.ask_ack(request);
        }
        while let Some(timer) = self.timers.due() {
            match timer {
                Timer::Rto(path) => self.path_timer(path, now),
                Timer::Probe(conn) => self.probe_timer(conn, now),
                Timer::Reset(conn) => self.reset_timer(conn, now),
                Timer::Pace(conn) => self.pace_timer(conn),
                Timer::OldRoute(path) => self.old_route_timer(path, now),
                Timer::Tests(conn) => self.test_timer(conn, now),
                Timer::Budget(conn) => self.budget_timer(conn, now),
            }
        }
    }

    fn path_timer(&mut self, path: u16, now: Time32) {
        let row = &mut self.rows[usize::from(path)].rto;
        // The random register steps only when a timer uses it.
        if row.is_due(now) {
            let random = self.lfsr.next16();
            let expiry = row.expired(now, &self.config.rto, random);
            if let Some(expiry) = expiry {
                self.note_expiry(path);
                self.expiries.push_back((path, expiry));
            }
        }
        self.arm_path(path);
    }

    fn probe_timer(&mut self, conn: u16, now: Time32) {
        let paths = self.config.paths;
        if let Some((local, repeat)) = self.probe[usize::from(conn)].expired(now, paths) {
            let path = self.question_path(conn, local, now);
            self.questions.push_back((path, repeat));
        }
        self.arm_probe(conn);
    }

    /// The path's retransmission timer may have moved.
    pub(super) fn arm_path(&mut self, path: u16) {
        self.timers.arm(Timer::Rto(path), self.rows[usize::from(path)].rto.deadline());
    }

    /// The connection's probe timer may have moved.
    pub(super) fn arm_probe(&mut self, conn: u16) {
        self.timers.arm(Timer::Probe(conn), self.probe[usize::from(conn)].deadline());
    }

    /// The earliest time at which [`Self::advance`] may have something to do.
    pub fn next_deadline(&mut self) -> Option<Time32> {
        let earlier = |a: Option<Time32>, b: Option<Time32>| match (a, b) {
            (Some(a), Some(b)) => Some(if a.is_ahead(b) { b } else { a }),
            (a, b) => a.or(b),
        };
        let acks = earlier(self.ack.next_deadline(), self.gathering_deadline());
        earlier(acks, self.timers.next_deadline())
    }
}
