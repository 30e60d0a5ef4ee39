//! What stands between a connection and its packets besides paths: the questions that congestion control asks of the scheduler, and the
//! ways out of its queues and back for a connection whose window or pacer is closed.

use super::summary::{paths_of, Summary};
use super::{PathRow, Sched};

impl Sched {
    pub(super) fn summary(&self, conn: u16) -> &Summary {
        &self.connections[usize::from(conn)].summary
    }

    /// Whether something is queued behind what was sent.
    pub fn has_work(&self, conn: u16) -> bool {
        self.connections[usize::from(conn)].work
    }

    /// Packets in flight that count for the connection: not those of an expired path.
    // REQ-RTO-6
    pub fn in_flight(&self, conn: u16) -> u32 {
        self.summary(conn).in_flight
    }

    /// Whether nothing at all is in flight.
    pub fn rests(&self, conn: u16) -> bool {
        let &Summary { in_flight, expired, .. } = self.summary(conn);
        in_flight + expired == 0
    }

    /// Whether some path could resend a packet now.
    pub fn may_resend(&self, conn: u16) -> bool {
        self.summary(conn).resendable != 0
    }

    /// Whether something is queued and some path could take a new packet now.
    pub fn may_send(&self, conn: u16) -> bool {
        self.has_work(conn) && self.summary(conn).usable != 0
    }

    /// The connection that [`Self::next_new`] would look at.
    pub fn first_ready(&self) -> Option<u16> {
        self.ready.front().copied()
    }

    /// The first ready connection leaves the queue; [`Self::wake`] brings it back.
    pub fn leave_ready(&mut self) {
        if let Some(conn) = self.ready.pop_front() {
            self.connections[usize::from(conn)].queued = false;
        }
    }

    /// The path that [`Self::next_resend`] would look at.
    pub fn first_resend(&self) -> Option<u16> {
        self.resends.front().copied()
    }

    /// The first path leaves the resend queue; its next result, or [`Self::wake`], brings it back.
    pub fn leave_resends(&mut self) {
        if let Some(path) = self.resends.pop_front() {
            let row = self.paths[usize::from(path)];
            self.put(path, PathRow { queued: false, ..row });
        }
    }

    /// What the connection has to send is looked at again.
    pub fn wake(&mut self, conn: u16) {
        for local in paths_of(self.summary(conn).unqueued) {
            let path = conn * self.config.paths as u16 + local as u16;
            let row = self.paths[usize::from(path)];
            self.put(path, PathRow { queued: true, ..row });
            self.resends.push_back(path);
        }
        if self.has_work(conn) {
            self.enqueue(conn);
        }
    }
}
