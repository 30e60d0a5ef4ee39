//! Transmit scheduler: which path sends what next.
//!
//! Spraying: a new packet goes on a usable path of the plane with the fewest packets of the connection in flight, of several on the one
//! with the fewest of its own. Resends go before new packets. The block does one thing at a time, so its decisions are a
//! function of the order of the events it took; that order is visible at its ports.
//! Mirrors the RTL block `sched`; docs/blocks/tx-sched.md has ports and latency.

mod gate;
mod planes;
mod ports;
mod summary;

use super::msg::Slice;
use super::path::{TxOp, TxPathOut};
use super::rto::Expiry;
use heddle_wire::serial::{Psn, Time32};
use planes::PlaneLoads;
use ports::Ports;
use std::collections::VecDeque;
use summary::Summary;

/// Packets queued for each in flight with which an expiry asks instead of resending (section 5).
pub const PLENTY: u32 = 4;

/// Sizes and constants of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchedConfig {
    /// Connections.
    pub connections: u32,
    /// Paths per connection, a power of two, at most 64.
    pub paths: u32,
    /// Packets in flight allowed per path, 1 to 256; [`Sched::set_path_cwnd`] gives a path its own.
    pub cwnd: u32,
}

/// An operation the scheduler gives to the path engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// RESEND, EXPIRE, DEAD or SENT.
    pub op: TxOp,
    /// Path index, {connection, path of the connection}.
    pub path: u16,
}

/// What a job is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// A slice for the first time.
    New(Slice),
    /// A packet again; what it carries stands in its record.
    Resend,
    /// An expiry's: the packet again, with ACK_REQ.
    Expire,
    /// A question, without PSN.
    Probe {
        /// Stream asked about.
        stream: u8,
        /// Asked before.
        repeat: bool,
    },
}

/// One packet for the builder; jobs of a path are in the order of their timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// What it is about.
    pub kind: JobKind,
    /// Path index.
    pub path: u16,
    /// PSN; 0 in a PROBE.
    pub psn: Psn,
    /// Route of the path.
    pub route: u8,
    /// Timestamp of the packet.
    pub now: Time32,
    /// The packet asks for an ACK.
    pub ack_req: bool,
}

/// What an expiry request led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expired {
    /// An operation for the path engine.
    Issue(Issue),
    /// A job at once.
    Job(Job),
}

#[derive(Clone, Copy, Debug, Default)]
struct PathRow {
    /// Packets in flight, 9 bits.
    inflight: u16,
    /// Packets waiting to be resent, 9 bits.
    waiting: u16,
    /// next - base, 9 bits.
    span: u16,
    /// Packets in flight allowed, 9 bits; the same for all where no congestion control moves it.
    cwnd: u16,
    base: Psn,
    route: u8,
    /// Plane that it travels on, 4 bits.
    plane: u8,
    /// An operation of ours is in the path engine.
    busy: bool,
    /// Expired without progress since: no new data.
    expired: bool,
    queued: bool,
}

impl PathRow {
    /// Not usable until an INIT.
    fn new(cwnd: u32) -> Self {
        Self { expired: true, cwnd: cwnd as u16, ..Self::default() }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct ConnRow {
    work: bool,
    queued: bool,
    start: u32,
    /// Packets queued behind the last that was sent, 16 bits, saturated.
    left: u16,
    loads: PlaneLoads,
    summary: Summary,
}

/// The block.
#[derive(Clone, Debug)]
pub struct Sched {
    config: SchedConfig,
    paths: Vec<PathRow>,
    connections: Vec<ConnRow>,
    resends: VecDeque<u16>,
    ready: VecDeque<u16>,
    ports: Ports,
    /// Operations of ours in the path engine, oldest first.
    pending: VecDeque<(bool, Option<Slice>)>,
}

impl Sched {
    /// No work, no path set up (INIT results make paths usable).
    pub fn new(config: SchedConfig) -> Self {
        let paths = vec![PathRow::new(config.cwnd); (config.connections * config.paths) as usize];
        let connections = vec![ConnRow::default(); config.connections as usize];
        Self {
            config,
            paths,
            connections,
            resends: VecDeque::new(),
            ready: VecDeque::new(),
            ports: Ports::default(),
            pending: VecDeque::new(),
        }
    }

    /// cwnd of every path is changed, 1 to 256: it holds for the decisions from here on.
    pub fn set_cwnd(&mut self, cwnd: u32) {
        self.config.cwnd = cwnd;
        (0..self.paths.len()).for_each(|path| self.set_path_cwnd(path as u16, cwnd));
    }

    /// cwnd of one path, packets.
    pub fn path_cwnd(&self, path: u16) -> u32 {
        self.paths[usize::from(path)].cwnd.into()
    }

    /// cwnd of one path is changed, 1 to 256; the path's next result makes use of it.
    pub fn set_path_cwnd(&mut self, path: u16, cwnd: u32) {
        let row = self.paths[usize::from(path)];
        if u32::from(row.cwnd) != cwnd {
            self.put(path, PathRow { cwnd: cwnd as u16, ..row });
        }
    }

    /// The connection has ended: nothing of it is scheduled, and its paths are not usable until an INIT. No operation of it may be in the
    /// path engine.
    pub fn reset(&mut self, conn: u16) {
        let paths = self.config.paths as u16;
        let of_it = |path: u16| path / paths == conn;
        self.resends.retain(|&path| !of_it(path));
        self.ready.retain(|&ready| ready != conn);
        self.ports.forget(conn, self.config.paths);
        (0..paths).for_each(|local| self.put(conn * paths + local, PathRow::new(self.config.cwnd)));
        self.connections[usize::from(conn)] = ConnRow::default();
    }

    /// Takes a result of the path engine, and makes the job of the packet that it sends.
    pub fn on_result(&mut self, result: &TxPathOut) -> Option<Job> {
        self.update(result);
        if !matches!(result.op, TxOp::Sent | TxOp::Resend | TxOp::Expire | TxOp::Dead) {
            return None;
        }
        let (ack_req, slice) = self.pending.pop_front()?;
        let kind = match (result.op, slice) {
            (TxOp::Sent, Some(slice)) => JobKind::New(slice),
            (TxOp::Resend, None) => JobKind::Resend,
            (TxOp::Expire, None) => JobKind::Expire,
            _ => return None,
        };
        let &TxPathOut { path, route, now, .. } = result;
        // REQ-TX-14: the last of cwnd or window, the last waiting resend, the last queued packets.
        let ack_req = ack_req || slice.is_some_and(|slice| slice.tail);
        Some(Job { kind, path, psn: result.psn?, route, now, ack_req })
    }

    fn update(&mut self, result: &TxPathOut) {
        let mut row = self.paths[usize::from(result.path)];
        let progress = match result.op {
            TxOp::Init => true,
            TxOp::Ack => result.newly > 0 || result.base != row.base,
            // The ACK of everything came between the expiry and its operation: nothing is left to wait for.
            TxOp::Expire => !result.ok,
            TxOp::Dead => result.inflight == 0,
            _ => false,
        };
        let conn = result.path / self.config.paths as u16;
        let loads = &mut self.connections[usize::from(conn)].loads;
        loads.update(row.plane, row.inflight, result.inflight);
        row.expired &= !progress;
        row.busy &= matches!(result.op, TxOp::Ack);
        (row.base, row.route) = (result.base, result.route);
        row.span = result.next.distance_from(result.base) as u16;
        (row.inflight, row.waiting) = (result.inflight, result.waiting);
        if row.waiting > 0 && !row.queued {
            row.queued = true;
            self.resends.push_back(result.path);
        }
        self.put(result.path, row);
        // A connection that found no usable path is woken by the path that becomes usable.
        if usable(&row) && self.connections[usize::from(conn)].work {
            self.enqueue(conn);
        }
    }

    /// The connection has something to slice.
    pub fn on_work(&mut self, conn: u16) {
        self.connections[usize::from(conn)].work = true;
        self.enqueue(conn);
    }

    /// Whether an expiry request for this path can be taken: no operation of it is in the engine. Else it waits.
    pub fn takes_expiry(&self, path: u16) -> bool {
        !self.paths[usize::from(path)].busy
    }

    /// Whether the expiry leads to a PROBE: nothing is known of the path's round trip, or the connection has so much more to send that
    /// the round trip which the answer takes is filled several times over. What is missing is then found by evidence, and nothing is sent
    /// in vain.
    // REQ-TX-16
    pub fn expiry_asks(&self, path: u16, expiry: Expiry) -> bool {
        match expiry {
            Expiry::Resend => self.has_plenty(path),
            Expiry::Probe => true,
            Expiry::Dead => false,
        }
    }

    /// Whether [`PLENTY`] packets are queued for each that the connection has in flight, the others of its paths being taken to have as
    /// many as this one.
    fn has_plenty(&self, path: u16) -> bool {
        let &ConnRow { work, left, .. } = &self.connections[usize::from(path) / self.config.paths as usize];
        let in_flight = u32::from(self.paths[usize::from(path)].inflight) * self.config.paths;
        work && u32::from(left) >= PLENTY * in_flight
    }

    /// The timer's request, when [`Self::takes_expiry`] says so. The path gets no new data until progress, which
    /// only a path with something in flight can make.
    pub fn on_expiry(&mut self, path: u16, expiry: Expiry, now: Time32) -> Expired {
        let asks = self.expiry_asks(path, expiry);
        let mut row = self.paths[usize::from(path)];
        // Where a resend would have been, a PROBE asks as loudly: nothing was heard, maybe as no ACK comes through.
        let repeat = row.expired || expiry == Expiry::Resend;
        row.expired |= !asks || row.inflight > 0;
        row.busy |= !asks;
        self.put(path, row);
        if asks {
            let (kind, psn) = (JobKind::Probe { stream: 0, repeat }, Psn::new(0));
            return Expired::Job(Job { kind, path, psn, route: row.route, now, ack_req: false });
        }
        let op = if expiry == Expiry::Dead { TxOp::Dead } else { TxOp::Expire };
        self.pending.push_back((true, None));
        Expired::Issue(Issue { op, path })
    }

    /// The connection's question on one of its paths, when [`Self::takes_expiry`] says so.
    pub fn on_question(&self, path: u16, stream: u8, repeat: bool, now: Time32) -> Job {
        let route = self.paths[usize::from(path)].route;
        Job { kind: JobKind::Probe { stream, repeat }, path, psn: Psn::new(0), route, now, ack_req: false }
    }

    /// Whether a resend may be waiting; new packets are chosen only when not.
    pub fn has_resends(&self) -> bool {
        !self.resends.is_empty()
    }

    /// Whether an operation more may be in the path engine: at most four are.
    pub fn may_issue(&self) -> bool {
        self.pending.len() < 4
    }

    /// Whether a connection may have a new packet to send.
    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Looks at the first path of the resend queue. It comes back with its next result.
    pub fn next_resend(&mut self) -> Option<Issue> {
        let path = self.resends.pop_front()?;
        let row = self.paths[usize::from(path)];
        let resends = resendable(&row);
        if resends && !self.ports.takes(row.plane) {
            // It stays queued.
            self.ports.hold_resend(path);
            return None;
        }
        self.put(path, PathRow { queued: false, busy: row.busy || resends, ..row });
        if !resends {
            return None;
        }
        self.pending.push_back((row.waiting == 1, None));
        Some(Issue { op: TxOp::Resend, path })
    }

    /// Looks at the first ready connection. With a usable path it is served, and the caller hands its slice to [`Self::served`].
    pub fn next_new(&mut self) -> Option<Issue> {
        let conn = self.ready.pop_front()?;
        let Some(local) = self.best(conn) else {
            match self.summary(conn).usable != 0 {
                // It stays queued.
                true => self.ports.hold(conn),
                false => self.connections[usize::from(conn)].queued = false,
            }
            return None;
        };
        self.connections[usize::from(conn)].queued = false;
        let paths = self.config.paths;
        let connection = &mut self.connections[usize::from(conn)];
        connection.start = (local + 1) % paths;
        connection.work = false;
        let path = (u32::from(conn) * paths + local) as u16;
        let row = self.paths[usize::from(path)];
        self.put(path, PathRow { busy: true, ..row });
        // The packet that takes the last of cwnd or window asks for an ACK.
        self.pending.push_back((row.inflight + 1 == row.cwnd || row.span == 255, None));
        Some(Issue { op: TxOp::Sent, path })
    }

    /// The slice for the packet that [`Self::next_new`] just chose a path for.
    pub fn served(&mut self, slice: Slice) {
        self.connections[usize::from(slice.conn)].left = slice.left;
        if let Some(newest) = self.pending.back_mut() {
            newest.1 = Some(slice);
        }
        if slice.more {
            self.on_work(slice.conn);
        }
    }

    fn enqueue(&mut self, conn: u16) {
        let connection = &mut self.connections[usize::from(conn)];
        if !connection.queued {
            connection.queued = true;
            self.ready.push_back(conn);
        }
    }
}

fn usable(row: &PathRow) -> bool {
    !row.busy && !row.expired && row.span < 256 && row.inflight < row.cwnd
}

fn resendable(row: &PathRow) -> bool {
    // Waiting packets are not in the network: in flight - waiting is what cwnd limits.
    !row.busy && row.waiting > 0 && row.inflight - row.waiting < row.cwnd
}

#[cfg(test)]
mod tests;
