//! What the scheduler knows of planes: how many packets of a connection are in flight on each, and which are used last.

use super::summary::paths_of;
use super::{PathRow, Sched};
use crate::tx::route::MAX_PLANES;

/// Planes of one connection, 256 bits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlaneLoads {
    /// Packets in flight on each, 15 bits.
    in_flight: [u16; MAX_PLANES as usize],
    /// Bit i: plane i is suspect.
    suspect: u16,
}

impl PlaneLoads {
    /// A path's packets in flight are `now` instead of `before`.
    pub(super) fn update(&mut self, plane: u8, before: u16, now: u16) {
        let load = &mut self.in_flight[usize::from(plane)];
        *load = *load + now - before;
    }

    /// The less, the better the path for the next packet.
    // REQ-ROUTE-9
    fn rank(&self, row: &PathRow) -> u64 {
        let suspect = u64::from(self.suspect >> row.plane & 1);
        suspect << 32 | u64::from(self.in_flight[usize::from(row.plane)]) << 16 | u64::from(row.inflight)
    }
}

impl Sched {
    /// A path that is set up travels on this plane from now on.
    pub fn set_plane(&mut self, path: u16, plane: u8) {
        let row = &mut self.paths[usize::from(path)];
        let loads = &mut self.connections[usize::from(path) / self.config.paths as usize].loads;
        loads.update(row.plane, row.inflight, 0);
        loads.update(plane, 0, row.inflight);
        row.plane = plane;
    }

    /// These planes of a connection are suspect, one bit each.
    pub fn set_suspect(&mut self, conn: u16, planes: u16) {
        self.connections[usize::from(conn)].loads.suspect = planes;
    }

    /// The path of a connection for its next packet, if one is usable and its port takes a frame.
    pub(super) fn best(&self, conn: u16) -> Option<u32> {
        let connection = &self.connections[usize::from(conn)];
        let first = usize::from(conn) * self.config.paths as usize;
        let rows = &self.paths[first..first + self.config.paths as usize];
        // From `start` on, then those before it: of equals the first in turn is taken.
        let (usable, before) = (connection.summary.usable, (1 << connection.start) - 1);
        let locals = paths_of(usable & !before).chain(paths_of(usable & before));
        let takes = locals.filter(|&local| self.ports.takes(rows[local as usize].plane));
        takes.min_by_key(|&local| connection.loads.rank(&rows[local as usize]))
    }
}
