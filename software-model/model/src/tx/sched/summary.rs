//! What the rows of a connection's paths add up to: questions about all paths of a connection look at no row.

use super::{resendable, usable, PathRow, Sched};

/// Of one connection; follows from its rows, so it is no state of its own. One bit per path, path 0 lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// Paths that may take a new packet.
    pub(super) usable: u64,
    /// Paths that may resend.
    pub(super) resendable: u64,
    /// Paths with packets waiting that are not in the resend queue.
    pub(super) unqueued: u64,
    /// Packets in flight on paths that are not expired.
    pub(super) in_flight: u32,
    /// Packets in flight on expired paths.
    pub(super) expired: u32,
}

impl Summary {
    /// The row of path `local` is `after` instead of `before`.
    fn renew(&mut self, local: u32, before: &PathRow, after: &PathRow) {
        let put = |bits: u64, set: bool| bits & !(1 << local) | u64::from(set) << local;
        self.usable = put(self.usable, usable(after));
        self.resendable = put(self.resendable, resendable(after));
        self.unqueued = put(self.unqueued, after.waiting > 0 && !after.queued);
        let mut sums = [self.in_flight, self.expired];
        sums[usize::from(before.expired)] -= u32::from(before.inflight);
        sums[usize::from(after.expired)] += u32::from(after.inflight);
        [self.in_flight, self.expired] = sums;
    }
}

impl Sched {
    /// A path's row is this from now on.
    pub(super) fn put(&mut self, path: u16, row: PathRow) {
        let before = std::mem::replace(&mut self.paths[usize::from(path)], row);
        let (conn, local) = (u32::from(path) / self.config.paths, u32::from(path) % self.config.paths);
        self.connections[conn as usize].summary.renew(local, &before, &row);
    }
}

/// The paths whose bits are set, lowest first.
pub(super) fn paths_of(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let local = bits.trailing_zeros();
        (bits != 0).then(|| {
            bits &= bits - 1;
            local
        })
    })
}
