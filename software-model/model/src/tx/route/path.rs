//! The route of one path.

use crate::tx::framer::Route;
use heddle_wire::Time32;

/// Why a path leaves its route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Expiries in a row (failure).
    Expiries,
    /// The plane's carrier is lost (failure).
    Carrier,
    /// CE on at least half its packets for four rounds (congestion).
    Congestion,
    /// Another plane has at least two paths less (load return).
    Balance,
}

/// Changes of a path's route by cause, 32 bits each, wrapping: failure and congestion are never mixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RouteCounts {
    /// Dead by expiries.
    pub expiries: u32,
    /// Dead by a lost carrier.
    pub carrier: u32,
    /// Another port, because of CE marks.
    pub congestion: u32,
    /// Another plane, because it has fewer paths.
    pub balance: u32,
}

/// State of one path, 62 bits beside its counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathRow {
    /// Plane 4, port 16 bits.
    pub route: Route,
    /// Changes of route, 8 bits, wraps: equal to the path engine's at all times.
    pub count: u8,
    /// Progress on this route, and no expiry since.
    pub may_change: bool,
    /// Until when the route before a voluntary change may still deliver: 1 + 32 bits.
    pub old_until: Option<Time32>,
    /// Changes by cause.
    pub counts: RouteCounts,
}

impl PathRow {
    /// The path travels on `route` from now on.
    pub fn leave(&mut self, route: Route, cause: Cause, old_until: Option<Time32>) {
        let counter = match cause {
            Cause::Expiries => &mut self.counts.expiries,
            Cause::Carrier => &mut self.counts.carrier,
            Cause::Congestion => &mut self.counts.congestion,
            Cause::Balance => &mut self.counts.balance,
        };
        *counter = counter.wrapping_add(1);
        self.count = self.count.wrapping_add(1);
        (self.route, self.may_change, self.old_until) = (route, false, old_until);
    }
}
