//! Routes in the core: who moves a path, and what follows.
//!
//! Off (`CoreConfig::routes` is none): every path stays on the route it was set up with, ACKs travel on the
//! path's, the reorder guard is 0, and nothing ends a connection that makes no progress.

use super::rows::PathRows;
use super::timers::Timer;
use super::Core;
use crate::rx::ack_build::AckPacket;
use crate::rx::ack_route::AckRoutes;
use crate::tx::arrivals::Added;
use crate::tx::budget::Budget;
use crate::tx::congested::CongestedRow;
use crate::tx::framer::Route;
use crate::tx::path::{TxOp, TxPathIn, TxPathOut};
use crate::tx::reorder::ReorderRow;
use crate::tx::route::{Cause, Health, RouteConfig, Routes};
use crate::tx::rto::Expiry;
use crate::tx::sched::Expired;
use crate::tx::telemetry::PathTelemetry;
use heddle_wire::{Ack, Common, Psn, Time32};
use std::collections::VecDeque;

/// RTOs that the route before a voluntary change has. The ACK's route moves on its own, so ACKs may always
/// jitter.
// REQ-TX-9
const OLD_ROUTE_RTOS: u32 = 2;

/// The blocks of routes and planes.
#[derive(Clone, Debug)]
pub(super) struct Rerouting {
    pub(super) routes: Routes,
    pub(super) ack_routes: AckRoutes,
    /// ACKs that follow on other planes.
    pub(super) copies: VecDeque<(Route, AckPacket)>,
    pub(super) budget: Budget,
    /// Path of each connection's last repeated question that no ACK followed, 1 + 6 bits.
    pub(super) unheard: Vec<Option<u16>>,
    pub(super) farewell_ticks: u32,
    pub(super) tests: super::plane_tests::PlaneTests,
}

impl Rerouting {
    pub(super) fn new(connections: u32, paths: u32, config: RouteConfig) -> Self {
        Self {
            routes: Routes::new(connections, paths, config),
            ack_routes: AckRoutes::new(connections, paths, config.planes()),
            copies: VecDeque::new(),
            budget: Budget::new(connections, paths, config.budget_ticks() - config.farewell_ticks()),
            unheard: vec![None; connections as usize],
            farewell_ticks: config.farewell_ticks(),
            tests: Default::default(),
        }
    }

    /// What a result of the path engine means for budget and reorder guard.
    fn on_result(&mut self, row: &mut ReorderRow, result: &TxPathOut) {
        match result.op {
            TxOp::Init => *row = ReorderRow::default(),
            TxOp::Resend if result.ok => row.on_resend(),
            TxOp::Expire if result.ok => row.on_given_up(1),
            TxOp::VoluntaryTimeout | TxOp::Dead => row.on_given_up(result.waiting),
            _ => {}
        }
        self.budget.on_result(result.path, result.base, result.next, result.now);
    }
}

impl Core {
    /// A plane's carrier is lost, or is back; the paths of a lost one leave it at once. False when that is no
    /// news, or the core has no such plane.
    // REQ-ROUTE-7
    pub fn set_plane(&mut self, plane: u8, up: bool, now: Time32) -> bool {
        self.timers.set_now(now);
        let Some(rerouting) = &mut self.rerouting else { return false };
        if !rerouting.routes.set_plane(plane, up, now) {
            return false;
        }
        rerouting.ack_routes.set_plane(plane, up);
        if let Some(congestion) = &mut self.congestion {
            congestion.hint.set_plane(plane, up);
        }
        for conn in 0..self.config.connections as u16 {
            let travellers = self.rerouting.as_ref().map_or(0, |r| r.routes.travellers(conn, plane));
            let first = conn * self.config.paths as u16;
            let lost = (0..self.config.paths as u16).filter(|local| !up && travellers >> local & 1 == 1);
            lost.for_each(|local| self.lose_carrier(first + local, now));
            self.tell_suspects(conn);
            self.arm_tests(conn);
        }
        true
    }

    /// All that can be read of one path.
    ///
    /// # Panics
    /// If there is no such path.
    pub fn telemetry(&self, path: u16) -> PathTelemetry {
        let PathRows { tx: row, rto, counts, .. } = &self.rows[usize::from(path)];
        let changes = self.rerouting.as_ref().map(|rerouting| rerouting.routes.row(path).counts);
        PathTelemetry {
            route: self.framer.route(path),
            route_count: row.route(),
            srtt_ticks: rto.srtt_ticks(),
            rto_ticks: rto.rto_ticks(&self.config.rto),
            in_flight: row.inflight(),
            waiting: row.waiting(),
            cwnd: self.sched.path_cwnd(path),
            usable: rto.usable(),
            counts: *counts,
            changes: changes.unwrap_or_default(),
        }
    }

    /// What connection `conn` thinks of a plane; none when the core has no routes, or no such plane.
    pub fn plane_health(&self, conn: u16, plane: u8) -> Option<Health> {
        let planes = self.config.routes?.planes();
        let known = plane < planes && u32::from(conn) < self.config.connections;
        let rerouting = self.rerouting.as_ref().filter(|_| known)?;
        Some(rerouting.routes.plane(conn, plane).health())
    }

    /// A path is set up; false when its plane does not exist.
    pub(super) fn set_up_route(&mut self, path: u16, first: Psn, now: Time32) -> bool {
        let route = self.framer.route(path);
        let Some(rerouting) = &mut self.rerouting else { return true };
        if !rerouting.routes.set(path, route) {
            return false;
        }
        self.sched.set_plane(path, route.plane);
        self.rows[usize::from(path)].congested = CongestedRow::new(first);
        if u32::from(path) % self.config.paths == 0 {
            rerouting.ack_routes.set(path / self.config.paths as u16, route);
        }
        if !rerouting.routes.is_up(route.plane) {
            self.lose_carrier(path, now);
        }
        true
    }

    /// A connection starts anew, or has ended: nothing that was learnt of its routes holds.
    pub(super) fn forget_routes(&mut self, conn: u16) {
        if let Some(rerouting) = &mut self.rerouting {
            rerouting.routes.clear(conn);
            rerouting.budget.clear(conn);
            rerouting.unheard[usize::from(conn)] = None;
            rerouting.copies.retain(|(_, packet)| packet.path / self.config.paths as u16 != conn);
            rerouting.tests.clear(conn, self.config.paths as u16);
        }
        self.tell_suspects(conn);
    }

    /// A result of the path engine.
    pub(super) fn note_result(&mut self, result: &TxPathOut) {
        let counts = &mut self.rows[usize::from(result.path)].counts;
        match result.op {
            TxOp::Init => *counts = Default::default(),
            TxOp::Resend if result.ok => counts.on_resent(false),
            TxOp::Expire if result.ok => counts.on_resent(true),
            _ => {}
        }
        if let Some(rerouting) = &mut self.rerouting {
            rerouting.on_result(&mut self.rows[usize::from(result.path)].reorder, result);
            self.arm_budget(result.path / self.config.paths as u16);
        }
    }

    /// Packets by which the path may reorder, for its next ACK.
    // REQ-TX-12
    pub(super) fn guard(&self, path: u16) -> u8 {
        let PathRows { rto, reorder, .. } = &self.rows[usize::from(path)];
        self.rerouting.as_ref().map_or(0, |_| reorder.guard(!rto.usable()))
    }

    /// A good ACK: its counters, and whether the path made progress on its route.
    pub(super) fn note_ack(&mut self, common: &Common, ack: &Ack, result: &TxPathOut) {
        let rows = &mut self.rows[usize::from(result.path)];
        let added = rows.arrivals.on_ack(ack.arrivals.get(), ack.ce_count.get());
        let added_or_none = added.unwrap_or_default();
        rows.counts.on_added(added_or_none);
        rows.counts.on_acknowledged(result.newly);
        let Some(rerouting) = &mut self.rerouting else { return };
        if let Some(Added { .. }) = added {
            rows.reorder.on_ack(ack.dup_count.get(), result.newly);
        }
        rows.congested.on_ack(added_or_none, result.base, result.next);
        if result.newly > 0 {
            let cleared = rerouting.routes.on_progress(result.path, common.route);
            if cleared {
                self.tell_suspects(result.path / self.config.paths as u16);
            }
        }
    }

    /// The path may be better off elsewhere: asked after each good ACK, when the timer knows of it.
    // REQ-TX-8, REQ-TX-15
    pub(super) fn consider_change(&mut self, path: u16, now: Time32) {
        let Some(rerouting) = &mut self.rerouting else { return };
        let rows = &self.rows[usize::from(path)];
        let congested = rows.congested.wants_change();
        let Some(cause) = rerouting.routes.wish(path, congested) else { return };
        let rto_ticks = rows.rto.rto_ticks(&self.config.rto);
        let until = now.plus(OLD_ROUTE_RTOS * rto_ticks);
        let route = rerouting.routes.change(path, cause, until, self.lfsr.next16());
        self.framer.set_route(path, route);
        self.sched.set_plane(path, route.plane);
        let result = self.operate(TxPathIn { op: TxOp::Voluntary, path, now, ..TxPathIn::default() });
        self.leave_route(cause, &result);
        self.timers.arm(Timer::OldRoute(path), Some(until));
    }

    /// What travelled before the path's voluntary change may have had its time.
    // REQ-TX-9
    pub(super) fn old_route_timer(&mut self, path: u16, now: Time32) {
        let Some(rerouting) = &mut self.rerouting else { return };
        if rerouting.routes.old_route_over(path, now) {
            self.operate(TxPathIn { op: TxOp::VoluntaryTimeout, path, now, ..TxPathIn::default() });
        } else {
            self.timers.arm(Timer::OldRoute(path), rerouting.routes.row(path).old_until);
        }
    }

    /// The timer of a path has expired.
    pub(super) fn note_expiry(&mut self, path: u16) {
        self.rows[usize::from(path)].counts.on_expiry();
        if let Some(rerouting) = &mut self.rerouting {
            rerouting.routes.on_expiry(path);
        }
    }

    /// Whether what a timer asked for is no longer wanted: the path progressed since.
    // REQ-RTO-7
    pub(super) fn is_withdrawn(&self, path: u16) -> bool {
        self.rerouting.is_some() && self.rows[usize::from(path)].rto.usable()
    }

    /// DEAD has passed the path engine: the path takes another route.
    // REQ-ROUTE-2
    pub(super) fn reroute(&mut self, cause: Cause, result: &TxPathOut) {
        self.name_death(result.path, cause);
        let Some(rerouting) = &mut self.rerouting else { return };
        let route = rerouting.routes.on_dead(result.path, cause, result.now, self.lfsr.next16());
        self.framer.set_route(result.path, route);
        self.sched.set_plane(result.path, route.plane);
        self.tell_suspects(result.path / self.config.paths as u16);
        self.leave_route(cause, result);
        self.arm_tests(result.path / self.config.paths as u16);
    }

    /// The path's plane has lost its carrier. A path with nothing in flight has nothing to wait for.
    // REQ-ROUTE-7
    fn lose_carrier(&mut self, path: u16, now: Time32) {
        self.expiries.retain(|(waiting, _)| *waiting != path);
        if self.rows[usize::from(path)].tx.inflight() > 0 {
            let random = self.lfsr.next16();
            self.rows[usize::from(path)].rto.on_dead(now, &self.config.rto, random);
            self.arm_path(path);
        }
        self.give_up(path, Cause::Carrier, now);
    }

    /// The path's route is dead.
    pub(super) fn give_up(&mut self, path: u16, cause: Cause, now: Time32) {
        if let Expired::Issue(issue) = self.sched.on_expiry(path, Expiry::Dead, now) {
            let result = self.operate(TxPathIn { op: issue.op, path, now, ..TxPathIn::default() });
            self.reroute(cause, &result);
        }
    }

    /// The scheduler hears which planes the connection suspects.
    // REQ-ROUTE-9
    pub(super) fn tell_suspects(&mut self, conn: u16) {
        if let Some(rerouting) = &self.rerouting {
            self.sched.set_suspect(conn, rerouting.routes.suspects(conn));
        }
    }

    fn leave_route(&mut self, cause: Cause, result: &TxPathOut) {
        let Some(rerouting) = &mut self.rerouting else { return };
        debug_assert_eq!(rerouting.routes.row(result.path).count, result.route, "the mirrored count");
        self.rows[usize::from(result.path)].congested.on_left(cause == Cause::Congestion, result.next);
    }
}
