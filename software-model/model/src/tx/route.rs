//! Routes and planes: where each path travels, where it goes when its route is dead, congested or crowded.
//!
//! A route is a plane and a UDP source port. What is known of planes is known per connection, as a plane may
//! be dead on the way to one peer alone; carriers are known per core. Maps of 64 bits, one bit per path of
//! the connection, say who travels on a plane, who has expired, and whose plane has shown since that it is
//! alive. docs/blocks/tx-route.md holds the widths and examples.

mod config;
mod path;
mod plane;

pub use config::{RouteConfig, RouteConfigError, MAX_PATHS, MAX_PLANES};
pub use path::{Cause, PathRow, RouteCounts};
pub use plane::{Health, PlaneRow};

use super::framer::Route;
use heddle_wire::Time32;

/// Smallest source port that a core chooses. Source: RFC 6335 section 6, the dynamic ports 49152 to 65535.
pub const FIRST_PORT: u16 = 49_152;

/// What is remembered of a connection's paths, 128 bits.
#[derive(Clone, Copy, Debug, Default)]
struct ConnRow {
    /// Expired, and no progress since.
    expired: u64,
    /// Expired, and another path of its plane progressed since: the port is bad, not the plane.
    excused: u64,
}

/// The block.
#[derive(Clone, Debug)]
pub struct Routes {
    config: RouteConfig,
    paths: u32,
    /// Bit i: plane i has its carrier.
    up: u16,
    rows: Vec<PathRow>,
    connections: Vec<ConnRow>,
    planes: Vec<PlaneRow>,
}

impl Routes {
    /// Every plane is up and trusted, no path is set up.
    ///
    /// # Panics
    /// If a connection has more than 64 paths.
    pub fn new(connections: u32, paths: u32, config: RouteConfig) -> Self {
        assert!(paths <= MAX_PATHS, "{paths} paths per connection: at most {MAX_PATHS} are possible");
        Self {
            config,
            paths,
            up: u16::MAX,
            rows: vec![PathRow::default(); (connections * paths) as usize],
            connections: vec![ConnRow::default(); connections as usize],
            planes: vec![PlaneRow::default(); (connections * u32::from(config.planes())) as usize],
        }
    }

    /// A path is set up on this route; false when there is no such path or plane.
    pub fn set(&mut self, path: u16, route: Route) -> bool {
        if usize::from(path) >= self.rows.len() || route.plane >= self.config.planes() {
            return false;
        }
        let (conn, bit) = self.place(path);
        self.forget(conn, bit);
        for plane in 0..self.config.planes() {
            self.plane_mut(conn, plane).members &= !bit;
        }
        self.rows[usize::from(path)] = PathRow { route, ..PathRow::default() };
        self.plane_mut(conn, route.plane).members |= bit;
        true
    }

    /// The connection starts anew: no path of it is set up, and nothing is known of its planes but their
    /// carriers.
    pub fn clear(&mut self, conn: u16) {
        let first = usize::from(conn) * self.paths as usize;
        self.rows[first..][..self.paths as usize].fill(PathRow::default());
        self.connections[usize::from(conn)] = ConnRow::default();
        for plane in 0..self.config.planes() {
            let up = self.is_up(plane);
            let row = self.plane_mut(conn, plane);
            *row = PlaneRow::default();
            if !up {
                row.on_carrier_lost();
            }
        }
    }

    /// The state of a path.
    ///
    /// # Panics
    /// If there is no such path.
    pub fn row(&self, path: u16) -> &PathRow {
        &self.rows[usize::from(path)]
    }

    /// What a connection thinks of a plane.
    ///
    /// # Panics
    /// If there is no such connection or plane.
    pub fn plane(&self, conn: u16, plane: u8) -> &PlaneRow {
        &self.planes[self.index(conn, plane)]
    }

    /// The timer of a path has expired.
    pub fn on_expiry(&mut self, path: u16) {
        let (conn, bit) = self.place(path);
        let row = &mut self.connections[usize::from(conn)];
        row.expired |= bit;
        self.rows[usize::from(path)].may_change = false;
    }

    /// A good ACK that acknowledged packets of this path; `echoed` is its route. Whether its plane is good now and was not.
    // REQ-ROUTE-1
    pub fn on_progress(&mut self, path: u16, echoed: u8) -> bool {
        let (conn, bit) = self.place(path);
        self.forget(conn, bit);
        let row = &mut self.rows[usize::from(path)];
        // What came by an earlier route says nothing of this one.
        if echoed != row.count {
            return false;
        }
        row.may_change = true;
        let plane = row.route.plane;
        let row = self.plane_mut(conn, plane);
        let cleared = row.health() != Health::Good;
        row.on_progress();
        let members = row.members;
        let connection = &mut self.connections[usize::from(conn)];
        connection.excused |= connection.expired & members;
        cleared
    }

    /// The route of a path is dead, by expiries or because its carrier is lost: the new one.
    // REQ-ROUTE-1, REQ-ROUTE-2
    pub fn on_dead(&mut self, path: u16, cause: Cause, now: Time32, random: u16) -> Route {
        let (conn, bit) = self.place(path);
        let own = self.rows[usize::from(path)].route.plane;
        let port_alone = self.connections[usize::from(conn)].excused & bit != 0 && self.is_up(own);
        self.forget(conn, bit);
        let plane = match port_alone || self.config.planes() == 1 {
            true => own,
            false => {
                if self.is_up(own) {
                    let config = self.config;
                    self.plane_mut(conn, own).on_failure(now, &config);
                }
                self.refuge(conn, own)
            }
        };
        self.leave(path, plane, cause, None, random)
    }

    /// Where a path goes whose plane has failed: up before down, then by trust, then any other before its
    /// own, then one where somebody has not expired, then the fewest paths, then the next in turn.
    // REQ-ROUTE-2
    fn refuge(&self, conn: u16, own: u8) -> u8 {
        let planes = self.config.planes();
        let expired = self.connections[usize::from(conn)].expired;
        let rank = |plane: u8| {
            let row = self.plane(conn, plane);
            let forward = (plane + planes - own) % planes;
            let doubtful = row.members != 0 && row.members & !expired == 0;
            (!self.is_up(plane), row.health(), plane == own, doubtful, row.population(), forward)
        };
        (0..planes).min_by_key(|&plane| rank(plane)).unwrap_or(own)
    }

    /// Whether a path should change its route though it works: for a plane with at least two paths less, or
    /// for another port if it is congested. Never while it may not, and the route before its last change has
    /// its time.
    // REQ-TX-15, REQ-ROUTE-5
    pub fn wish(&self, path: u16, congested: bool) -> Option<Cause> {
        let row = self.row(path);
        if !row.may_change || row.old_until.is_some() {
            return None;
        }
        let (conn, _) = self.place(path);
        match self.roomier(conn, row.route.plane) {
            Some(_) => Some(Cause::Balance),
            None => congested.then_some(Cause::Congestion),
        }
    }

    /// The plane with the fewest paths that takes some, if it has at least two less than `own`.
    fn roomier(&self, conn: u16, own: u8) -> Option<u8> {
        let planes = self.config.planes();
        let crowd = self.plane(conn, own).population();
        let open = |&plane: &u8| self.is_up(plane) && self.plane(conn, plane).takes_paths();
        let forward = |plane: u8| (plane + planes - own) % planes;
        let best = (0..planes)
            .filter(open)
            .min_by_key(|&plane| (self.plane(conn, plane).population(), forward(plane)))?;
        (self.plane(conn, best).population() + 2 <= crowd).then_some(best)
    }

    /// The path changes its route by [`Self::wish`]; the old one may deliver until `old_until`.
    pub fn change(&mut self, path: u16, cause: Cause, old_until: Time32, random: u16) -> Route {
        let (conn, _) = self.place(path);
        let own = self.rows[usize::from(path)].route.plane;
        let plane = match cause {
            Cause::Balance => self.roomier(conn, own).unwrap_or(own),
            _ => own,
        };
        self.leave(path, plane, cause, Some(old_until), random)
    }

    /// Whether what travelled before the path's voluntary change has had its time; said once.
    // REQ-TX-9
    pub fn old_route_over(&mut self, path: u16, now: Time32) -> bool {
        self.rows[usize::from(path)].old_until.take_if(|until| !until.is_ahead(now)).is_some()
    }

    /// A plane's carrier is lost, or is back. Returns whether that is news; the paths of a lost plane are
    /// then [`Self::travellers`], to be given to [`Self::on_dead`].
    pub fn set_plane(&mut self, plane: u8, up: bool, now: Time32) -> bool {
        if plane >= self.config.planes() || self.is_up(plane) == up {
            return false;
        }
        self.up ^= 1 << plane;
        for conn in 0..self.connections.len() as u16 {
            let in_use = (0..self.config.planes()).any(|plane| self.plane(conn, plane).members != 0);
            let row = self.plane_mut(conn, plane);
            match up {
                // A connection without paths has nothing to test it for.
                true if in_use => row.on_carrier_back(now),
                true => *row = PlaneRow::default(),
                false => row.on_carrier_lost(),
            }
        }
        true
    }

    /// The paths of connection `conn` that travel on a plane, as a map.
    pub fn travellers(&self, conn: u16, plane: u8) -> u64 {
        self.plane(conn, plane).members
    }

    /// The planes that connection `conn` suspects, one bit each.
    pub fn suspects(&self, conn: u16) -> u16 {
        let suspect = |&plane: &u8| self.plane(conn, plane).health() == Health::Suspect;
        (0..self.config.planes()).filter(suspect).fold(0, |planes, plane| planes | 1 << plane)
    }

    /// The plane that connection `conn` is to test now, if any.
    // REQ-ROUTE-4
    pub fn test(&mut self, conn: u16, now: Time32) -> Option<u8> {
        let config = self.config;
        (0..config.planes()).find(|&plane| self.plane_mut(conn, plane).test(now, &config))
    }

    /// When connection `conn` next has a plane to test.
    pub fn next_test(&self, conn: u16) -> Option<Time32> {
        let earliest = |a: Time32, b: Time32| if a.is_ahead(b) { b } else { a };
        (0..self.config.planes()).filter_map(|plane| self.plane(conn, plane).test_at()).reduce(earliest)
    }

    /// The answer to a test of `plane` by connection `conn`; whether it is that of the newest.
    // REQ-ROUTE-4
    pub fn on_test_answer(&mut self, conn: u16, plane: u8, timestamp: Time32) -> bool {
        plane < self.config.planes() && self.plane_mut(conn, plane).on_answer(timestamp)
    }

    fn leave(&mut self, path: u16, plane: u8, cause: Cause, old_until: Option<Time32>, random: u16) -> Route {
        let (conn, bit) = self.place(path);
        let old = self.rows[usize::from(path)].route;
        self.plane_mut(conn, old.plane).members &= !bit;
        self.plane_mut(conn, plane).members |= bit;
        let route = Route { plane, src_port: port(random, old.src_port) };
        self.rows[usize::from(path)].leave(route, cause, old_until);
        route
    }

    fn forget(&mut self, conn: u16, bit: u64) {
        let row = &mut self.connections[usize::from(conn)];
        row.expired &= !bit;
        row.excused &= !bit;
    }

    /// Whether a plane has its carrier.
    pub fn is_up(&self, plane: u8) -> bool {
        self.up >> plane & 1 == 1
    }

    /// The connection of a path, and its bit there.
    fn place(&self, path: u16) -> (u16, u64) {
        let (conn, local) = (u32::from(path) / self.paths, u32::from(path) % self.paths);
        (conn as u16, 1 << local)
    }

    fn index(&self, conn: u16, plane: u8) -> usize {
        usize::from(conn) * usize::from(self.config.planes()) + usize::from(plane)
    }

    fn plane_mut(&mut self, conn: u16, plane: u8) -> &mut PlaneRow {
        let at = self.index(conn, plane);
        &mut self.planes[at]
    }
}

/// A random port that is not the old one.
pub fn port(random: u16, old: u16) -> u16 {
    match FIRST_PORT | random {
        port if port == old => port ^ 1,
        port => port,
    }
}

#[cfg(test)]
mod tests;
