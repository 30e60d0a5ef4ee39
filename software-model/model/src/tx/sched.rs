//! Transmit scheduler: which path sends what next.
//!
//! Spraying: a new packet goes on the connection's usable path with the most free cwnd. Resends go before new packets. The block does
//! one thing at a time, so its decisions are a function of the order of the events it took; that order is visible at its ports.
//! Mirrors the RTL block `sched`; docs/blocks/tx-sched.md has ports and latency.

use super::path::{TxOp, TxPathOut};
use std::collections::VecDeque;

/// Sizes and constants of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchedConfig {
    /// Connections.
    pub connections: u32,
    /// Paths per connection, a power of two.
    pub paths: u32,
    /// Packets in flight allowed per path, 1 to 256.
    pub cwnd: u32,
}

/// An operation the scheduler gives to the path engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// RESEND, EXPIRE, DEAD or SENT.
    pub op: TxOp,
    /// Path index, {connection, path of the connection}.
    pub path: u16,
    /// The packet asks for an ACK for a reason of the path: it takes the last of cwnd or window, or is the last waiting resend.
    pub ack_req: bool,
}

/// What the retransmission timer asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// First expiry: the highest unreceived packet is sent again.
    Expire,
    /// Second in a row: the route is dead.
    Dead,
}

#[derive(Clone, Copy, Debug, Default)]
struct PathRow {
    inflight: u32,
    waiting: u32,
    span: u32,
    /// An operation of ours is in the path engine.
    busy: bool,
    /// Expired without progress since: no new data.
    expired: bool,
    base: u32,
    queued: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct ConnRow {
    work: bool,
    queued: bool,
    start: u32,
}

/// The block.
#[derive(Clone, Debug)]
pub struct Sched {
    config: SchedConfig,
    paths: Vec<PathRow>,
    connections: Vec<ConnRow>,
    resends: VecDeque<u16>,
    ready: VecDeque<u16>,
}

impl Sched {
    /// No work, no path set up (INIT results make paths usable).
    pub fn new(config: SchedConfig) -> Self {
        let paths = vec![
            PathRow { expired: true, ..PathRow::default() };
            (config.connections * config.paths) as usize
        ];
        let connections = vec![ConnRow::default(); config.connections as usize];
        Self { config, paths, connections, resends: VecDeque::new(), ready: VecDeque::new() }
    }

    /// Takes a result of the path engine.
    pub fn on_result(&mut self, result: &TxPathOut) {
        let row = &mut self.paths[usize::from(result.path)];
        let progress = match result.op {
            TxOp::Init => true,
            TxOp::Ack => result.newly > 0 || result.base.get() != row.base,
            _ => false,
        };
        row.expired &= !progress;
        row.busy &= matches!(result.op, TxOp::Ack);
        row.base = result.base.get();
        row.span = result.next.distance_from(result.base);
        row.inflight = u32::from(result.inflight);
        row.waiting = u32::from(result.waiting);
        if row.waiting > 0 && !row.queued {
            row.queued = true;
            self.resends.push_back(result.path);
        }
        // A connection that found no usable path is woken by the path that becomes usable.
        if usable(row, self.config.cwnd) {
            let conn = result.path / self.config.paths as u16;
            if self.connections[usize::from(conn)].work {
                self.enqueue(conn);
            }
        }
    }

    /// The connection has something to slice.
    pub fn on_work(&mut self, conn: u16) {
        self.connections[usize::from(conn)].work = true;
        self.enqueue(conn);
    }

    /// The timer's request; `None` while an operation of the path is in the engine (the timer asks again).
    pub fn on_expiry(&mut self, path: u16, expiry: Expiry) -> Option<Issue> {
        let row = &mut self.paths[usize::from(path)];
        if row.busy {
            return None;
        }
        row.busy = true;
        row.expired = true;
        let op = match expiry {
            Expiry::Expire => TxOp::Expire,
            Expiry::Dead => TxOp::Dead,
        };
        Some(Issue { op, path, ack_req: true })
    }

    /// Whether a resend may be waiting; new packets are chosen only when not.
    pub fn has_resends(&self) -> bool {
        !self.resends.is_empty()
    }

    /// Looks at the first path of the resend queue. It comes back with its next result.
    pub fn next_resend(&mut self) -> Option<Issue> {
        let path = self.resends.pop_front()?;
        let row = &mut self.paths[usize::from(path)];
        row.queued = false;
        // Waiting packets are not in the network: in flight - waiting is what cwnd limits.
        if row.busy || row.waiting == 0 || row.inflight - row.waiting >= self.config.cwnd {
            return None;
        }
        row.busy = true;
        Some(Issue { op: TxOp::Resend, path, ack_req: row.waiting == 1 })
    }

    /// Looks at the first ready connection. With a usable path it is served, and the caller tells with [`Self::served`] if it has more.
    pub fn next_new(&mut self) -> Option<Issue> {
        let conn = self.ready.pop_front()?;
        let (paths, cwnd) = (self.config.paths, self.config.cwnd);
        let connection = &mut self.connections[usize::from(conn)];
        connection.queued = false;
        let first = u32::from(conn) * paths;
        let mut best: Option<(u32, u32)> = None;
        for step in 0..paths {
            let local = (connection.start + step) % paths;
            let row = &self.paths[(first + local) as usize];
            if usable(row, cwnd) && best.is_none_or(|(_, free)| cwnd - row.inflight > free) {
                best = Some((local, cwnd - row.inflight));
            }
        }
        let (local, free) = best?;
        connection.start = (local + 1) % paths;
        connection.work = false;
        let path = (first + local) as u16;
        let row = &mut self.paths[usize::from(path)];
        row.busy = true;
        Some(Issue { op: TxOp::Sent, path, ack_req: free == 1 || row.span == 255 })
    }

    /// After [`Self::next_new`] served the connection: whether it has more slices.
    pub fn served(&mut self, conn: u16, more: bool) {
        if more {
            self.on_work(conn);
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

fn usable(row: &PathRow, cwnd: u32) -> bool {
    !row.busy && !row.expired && row.span < 256 && row.inflight < cwnd
}

#[cfg(test)]
mod tests {
    use super::super::path::{TxPathIn, TxPathRow};
    use super::*;
    use heddle_wire::serial::{Psn, Time32};

    /// A scheduler with the path engine behind it.
    struct Bench {
        sched: Sched,
        rows: Vec<TxPathRow>,
    }

    impl Bench {
        fn new(connections: u32, cwnd: u32) -> Self {
            let config = SchedConfig { connections, paths: 4, cwnd };
            let rows = vec![TxPathRow::default(); (connections * 4) as usize];
            let mut bench = Self { sched: Sched::new(config), rows };
            for path in 0..(connections * 4) as u16 {
                bench.run(TxPathIn { op: TxOp::Init, path, cum: Psn::new(100), ..TxPathIn::default() });
            }
            bench
        }

        fn run(&mut self, input: TxPathIn) -> TxPathOut {
            let result = self.rows[usize::from(input.path)].apply(&input);
            self.sched.on_result(&result);
            result
        }

        fn issue(&mut self, issue: Issue) -> TxPathOut {
            self.run(TxPathIn { op: issue.op, path: issue.path, now: Time32::new(50), ..TxPathIn::default() })
        }

        /// Sends new packets of the connection until no path is usable.
        fn fill(&mut self, conn: u16) -> Vec<Issue> {
            let mut issues = vec![];
            while let Some(issue) = self.sched.next_new() {
                self.sched.served(conn, true);
                self.issue(issue);
                issues.push(issue);
            }
            issues
        }

        fn ack(&mut self, path: u16, cum: u32, high: u32, sacked: &[u32]) -> TxPathOut {
            let mut sack = crate::map::RingMap::default();
            sacked.iter().for_each(|&psn| sack.set(Psn::new(psn)));
            let (cum, high, now) = (Psn::new(cum), Psn::new(high), Time32::new(60));
            self.run(TxPathIn {
                op: TxOp::Ack,
                path,
                cum,
                high,
                now,
                ts: Time32::new(40),
                sack,
                ..TxPathIn::default()
            })
        }
    }

    #[test]
    fn new_packets_are_sprayed_evenly_until_every_window_is_full() {
        let mut bench = Bench::new(2, 3);
        bench.sched.on_work(1);
        let issues = bench.fill(1);
        let paths: Vec<_> = issues.iter().map(|i| i.path).collect();
        assert_eq!(paths, [4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7]);
        let ack_reqs: Vec<_> = issues.iter().map(|i| i.ack_req).collect();
        assert_eq!(ack_reqs, [[false; 8].as_slice(), &[true; 4]].concat());
    }

    #[test]
    fn an_ack_wakes_the_connection_on_the_path_that_it_freed() {
        let mut bench = Bench::new(1, 2);
        bench.sched.on_work(0);
        assert_eq!(bench.fill(0).len(), 8);
        assert_eq!(bench.sched.next_new(), None);
        bench.ack(2, 101, 100, &[]);
        assert_eq!(bench.fill(0).iter().map(|i| i.path).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn a_window_of_256_is_never_passed_whatever_cwnd_says() {
        let mut bench = Bench::new(1, 256);
        bench.sched.on_work(0);
        assert_eq!(bench.fill(0).len(), 4 * 256);
        // 100 is lost, everything behind it received: one in flight, but the window stays full.
        let rest: Vec<u32> = (101..356).collect();
        bench.ack(0, 100, 355, &rest);
        assert!(bench.fill(0).is_empty());
    }

    #[test]
    fn resends_come_lowest_first_and_the_last_waiting_asks_for_an_ack() {
        let mut bench = Bench::new(1, 8);
        bench.sched.on_work(0);
        bench.fill(0);
        bench.ack(3, 100, 102, &[102]);
        assert!(bench.sched.has_resends());
        let first = bench.sched.next_resend().unwrap();
        assert_eq!((first.op, first.path, first.ack_req), (TxOp::Resend, 3, false));
        assert_eq!(bench.issue(first).psn, Some(Psn::new(100)));
        let second = bench.sched.next_resend().unwrap();
        assert!(second.ack_req);
        assert_eq!(bench.issue(second).psn, Some(Psn::new(101)));
        assert!(!bench.sched.has_resends() && bench.sched.next_resend().is_none());
    }

    #[test]
    fn a_path_whose_operation_is_in_the_engine_is_left_alone() {
        let mut bench = Bench::new(1, 8);
        bench.sched.on_work(0);
        let issue = bench.sched.next_new().unwrap();
        assert_eq!(bench.sched.on_expiry(issue.path, Expiry::Expire), None);
        bench.sched.served(0, true);
        assert_ne!(bench.sched.next_new().unwrap().path, issue.path);
    }

    #[test]
    fn an_expired_path_gets_no_new_data_until_progress() {
        let mut bench = Bench::new(1, 8);
        bench.sched.on_work(0);
        for _ in 0..4 {
            let issue = bench.sched.next_new().unwrap();
            bench.sched.served(0, true);
            bench.issue(issue);
        }
        for path in [0, 1, 2] {
            let issue = bench.sched.on_expiry(path, Expiry::Expire).unwrap();
            assert!(issue.ack_req && bench.issue(issue).ok);
        }
        assert!(bench.fill(0).iter().all(|i| i.path == 3));
        bench.ack(1, 101, 100, &[]);
        assert!(bench.fill(0).iter().any(|i| i.path == 1));
    }
}
