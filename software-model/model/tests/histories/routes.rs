//! Where the paths travel: planes and ports, and where a path goes when its route is dead (section 5).

use crate::net::Route;
use crate::plan::{Plan, US};

/// How long the plane of a dead route is avoided.
const SUSPECT_FOR: u64 = 200 * US;

pub struct Routes {
    planes: u32,
    of_path: Vec<Route>,
    /// When each path expired for the first time since its last progress.
    expired_at: Vec<Option<u64>>,
    /// When a path of each plane progressed last.
    progress: Vec<u64>,
    suspect_until: Vec<u64>,
}

impl Routes {
    pub fn new(plan: &Plan) -> Self {
        let planes = plan.planes as usize;
        Self {
            planes: plan.planes,
            of_path: (0..plan.paths.into()).collect(),
            expired_at: vec![None; plan.paths.into()],
            progress: vec![0; planes],
            suspect_until: vec![0; planes],
        }
    }

    pub fn of(&self, path: usize) -> Route {
        self.of_path[path]
    }

    pub fn plane_of(&self, path: usize) -> u32 {
        self.of_path[path] % self.planes
    }

    pub fn progressed(&mut self, path: usize, now: u64) {
        let plane = self.plane_of(path) as usize;
        self.progress[plane] = now;
        self.expired_at[path] = None;
    }

    pub fn expired(&mut self, path: usize, now: u64) {
        self.expired_at[path].get_or_insert(now);
    }

    /// Another port, the same plane.
    pub fn changed(&mut self, path: usize, ports: u32) {
        self.of_path[path] += self.planes * ports;
    }

    /// A new port if another path of the plane progressed since, else the least populated plane that is not
    /// suspect.
    pub fn died(&mut self, path: usize, now: u64) {
        let own = self.plane_of(path);
        let port_alone = self.expired_at[path].take().is_some_and(|at| self.progress[own as usize] > at);
        if self.planes == 1 || port_alone {
            return self.changed(path, 1);
        }
        self.suspect_until[own as usize] = now + SUSPECT_FOR;
        let population = |plane: u32| (0..self.of_path.len()).filter(|p| self.plane_of(*p) == plane).count();
        let suspect = |plane: u32| self.suspect_until[plane as usize] > now;
        let forward = |plane: u32| (plane + self.planes - own) % self.planes;
        let others = (0..self.planes).filter(|plane| *plane != own);
        let best = others.min_by_key(|plane| (suspect(*plane), population(*plane), forward(*plane)));
        self.of_path[path] += self.planes - own + best.unwrap_or(own);
    }
}
