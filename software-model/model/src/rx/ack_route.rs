//! Where a connection's ACKs travel: a route of their own, which moves when the peer shows that it does not
//! hear them.
//!
//! What a timer of the peer sends again although it is here is a *cry*: a duplicate with RETX and ACK_REQ, a
//! PROBE with RETX, or a RETX that is the first of its path on another route. It is answered on every plane,
//! so an answer is heard as long as any plane works; and ACKs move to the plane on which the peer was heard
//! last, among those that they have left to no avail. A move without need then does no harm.
//! docs/blocks/rx-ack-route.md holds the widths.

use crate::tx::framer::Route;
use crate::tx::route::{FIRST_PORT, MAX_PLANES};
use heddle_wire::Time32;

/// Ticks between a move and one for the cry of another path: 64 us (section 4).
pub const MOVE_TICKS: u32 = 8_000;
/// Ticks without a move after which it is forgotten which planes ACKs have left: 1 ms.
pub const FORGET_TICKS: u32 = 125_000;

/// State of one connection, 241 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ConnRow {
    /// Plane 4, port 16 bits.
    route: Route,
    /// Planes, the one on which the peer was heard last first: 16 x 4 bits.
    heard: [u8; MAX_PLANES as usize],
    /// Bit i: ACKs have left plane i since they were known to be heard, 16 bits.
    left: u16,
    /// Bit i: path i has cried since the last move, 64 bits.
    criers: u64,
    /// The cry that moved the route last: 1 + 32 + 6 + 32 bits.
    moved: Option<Cry>,
}

/// When a cry came, its path, and the peer's timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cry {
    at: Time32,
    path: u16,
    timestamp: Time32,
}

impl ConnRow {
    /// Nothing was heard yet: planes come in turn behind that of the route.
    fn new(route: Route, planes: u8) -> Self {
        let mut heard = [0; MAX_PLANES as usize];
        (1..=planes).zip(&mut heard).for_each(|(step, plane)| *plane = (route.plane + step) % planes);
        Self { route, heard, left: 0, criers: 0, moved: None }
    }
}

/// The block.
#[derive(Clone, Debug)]
pub struct AckRoutes {
    planes: u8,
    paths: u32,
    /// Bit i: plane i has its carrier.
    up: u16,
    rows: Vec<ConnRow>,
    /// Paths whose next ACK goes out on every plane, 1 bit each.
    wide: Vec<bool>,
}

impl AckRoutes {
    /// Every plane is up.
    pub fn new(connections: u32, paths: u32, planes: u8) -> Self {
        Self {
            planes,
            paths,
            up: u16::MAX,
            rows: vec![ConnRow::new(Route::default(), planes); connections as usize],
            wide: vec![false; (connections * paths) as usize],
        }
    }

    /// The connection starts anew: its ACKs travel on this route.
    pub fn set(&mut self, conn: u16, route: Route) {
        self.rows[usize::from(conn)] = ConnRow::new(route, self.planes);
        let first = usize::from(conn) * self.paths as usize;
        self.wide[first..][..self.paths as usize].fill(false);
        if !self.is_up(route.plane) {
            self.turn(conn);
        }
    }

    /// Where the connection's ACKs travel.
    pub fn route(&self, conn: u16) -> Route {
        self.rows[usize::from(conn)].route
    }

    /// A frame of the connection came in on a plane.
    pub fn on_heard(&mut self, conn: u16, plane: u8) {
        let heard = &mut self.rows[usize::from(conn)].heard[..self.planes.into()];
        if let Some(at) = heard.iter().position(|&of| of == plane) {
            heard[..=at].rotate_right(1);
        }
    }

    /// A new packet of a path. One that was sent after the cry for which ACKs moved, on a path that has not
    /// cried: ACKs are heard.
    // REQ-ACK-4
    pub fn on_new(&mut self, path: u16, timestamp: Time32) {
        let bit = self.bit(path);
        let row = &mut self.rows[usize::from(path / self.paths as u16)];
        if row.criers & bit == 0 && row.moved.is_some_and(|moved| timestamp.is_ahead(moved.timestamp)) {
            row.left = 0;
        }
    }

    /// A cry of a path: its next ACK goes out on every plane. The route moves, for a later cry of the same
    /// path again, for that of another when 64 us have passed.
    // REQ-ACK-4
    pub fn on_cry(&mut self, path: u16, timestamp: Time32, now: Time32) {
        self.wide[usize::from(path)] = true;
        let (conn, bit) = (path / self.paths as u16, self.bit(path));
        let row = &mut self.rows[usize::from(conn)];
        row.criers |= bit;
        // After a whole ring of the clock an old stamp may look new: that puts one move off, and a cry is
        // repeated.
        let since = row.moved.map(|moved| now.distance_from(moved.at));
        let repeated = |moved: Cry| moved.path == path && timestamp.is_ahead(moved.timestamp);
        if since.is_some_and(|since| since < MOVE_TICKS) && !row.moved.is_some_and(repeated) {
            return;
        }
        if since.is_none_or(|since| since >= FORGET_TICKS) {
            row.left = 0;
        }
        (row.moved, row.criers) = (Some(Cry { at: now, path, timestamp }), bit);
        self.turn(conn);
    }

    /// An ACK of a path is being sent: the other planes that it goes out on.
    // REQ-ACK-4
    pub fn take_others(&mut self, path: u16) -> impl Iterator<Item = u8> {
        let wide = std::mem::take(&mut self.wide[usize::from(path)]);
        self.others(path / self.paths as u16).filter(move |_| wide)
    }

    /// Every plane with its carrier but that of the connection's ACKs.
    pub fn others(&self, conn: u16) -> impl Iterator<Item = u8> {
        let (planes, up, own) = (self.planes, self.up, self.route(conn).plane);
        (0..planes).filter(move |&plane| plane != own && up >> plane & 1 == 1)
    }

    /// A plane's carrier is lost, or is back. ACKs leave a lost one at once.
    // REQ-ACK-4
    pub fn set_plane(&mut self, plane: u8, up: bool) {
        if plane >= self.planes {
            return;
        }
        let bit = 1 << plane;
        self.up = if up { self.up | bit } else { self.up & !bit };
        for conn in 0..self.rows.len() as u16 {
            if !up && self.route(conn).plane == plane {
                self.turn(conn);
            }
        }
    }

    fn bit(&self, path: u16) -> u64 {
        1 << (u32::from(path) % self.paths)
    }

    fn is_up(&self, plane: u8) -> bool {
        self.up >> plane & 1 == 1
    }

    /// To the plane on which the peer was heard last, of those that are up and were not left; when all were,
    /// that is forgotten. Where no other is up the plane stays. The next port either way.
    fn turn(&mut self, conn: u16) {
        let (planes, up) = (usize::from(self.planes), self.up);
        let row = &mut self.rows[usize::from(conn)];
        let own = row.route.plane;
        let next = |left: u16| {
            let mut open = row.heard[..planes].iter().copied();
            open.find(|&plane| plane != own && (up & !left) >> plane & 1 == 1)
        };
        let (plane, left) = match next(row.left) {
            Some(plane) => (plane, row.left),
            None => (next(0).unwrap_or(own), 0),
        };
        row.left = left | 1 << own;
        row.route = Route { plane, src_port: FIRST_PORT | row.route.src_port.wrapping_add(1) };
    }
}

#[cfg(test)]
mod tests;
