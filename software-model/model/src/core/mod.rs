//! A whole core: the blocks of this crate joined as the RTL top joins them, in run-to-completion order.
//!
//! What the RTL does in parallel happens here one event after the other; every order is one that the RTL could take. Time is an argument,
//! frames go in and out as bytes, memory is a trait.

mod acks;
mod config;
mod congestion;
mod counters;
mod exchange;
mod farewell;
mod hints;
mod life;
mod line;
mod operations;
mod pace;
mod plane_tests;
mod questions;
mod receive;
mod routes;
mod rows;
mod time;
mod timers;
mod transmit;
mod watch;

pub use config::CoreConfig;
pub use congestion::{CongestionConfig, CongestionConfigError};
pub use counters::Counters;
pub use life::{ConnectionNak, Ended};
pub use line::Line;
pub use transmit::{Cause, Departing, Outgoing};
pub use watch::Loss;

use crate::lfsr::Lfsr;
use crate::rx::access::{Access, AccessConfig, Region};
use crate::rx::ack::AckTrigger;
use crate::rx::ack_build::AckBuild;
use crate::rx::conn::{RxConnRow, RxConnTable};
use crate::rx::msg::{RxMsg, RxMsgConfig, RxMsgError};
use crate::rx::path::{RxOp, RxPathIn};
use crate::rx::recv::{Receive, Recv};
use crate::tx::arrivals::ArrivalsRow;
use crate::tx::build::Build;
use crate::tx::framer::{Framer, Route, TxConnRow};
use crate::tx::msg::{Completion, Submitted, TxMsg, TxMsgConfig, WorkRequest};
use crate::tx::path::{TxOp, TxPathIn};
use crate::tx::probe::ProbeRow;
use crate::tx::respond::Respond;
use crate::tx::rto::Expiry;
use crate::tx::sched::{Job, Sched, SchedConfig};
use congestion::Congestion;
use exchange::Turns;
use heddle_wire::{DropReason, Msn, ParseConfig, Psn, Seq16, Time32};
use life::Life;
use routes::Rerouting;
use rows::PathRows;
use std::collections::VecDeque;
use timers::Timers;
use watch::Watch;

/// One core.
#[derive(Clone, Debug)]
pub struct Core {
    config: CoreConfig,
    connections: RxConnTable,
    access: Access,
    rows: Vec<PathRows>,
    rx_msg: RxMsg,
    recv: Recv,
    ack: AckTrigger,
    ack_build: AckBuild,
    ack_queue: VecDeque<u16>,
    tx_msg: TxMsg,
    respond: Respond,
    turns: Vec<Turns>,
    sched: Sched,
    probe: Vec<ProbeRow>,
    expiries: VecDeque<(u16, Expiry)>,
    questions: VecDeque<(u16, bool)>,
    jobs: VecDeque<Job>,
    build: Build,
    framer: Framer,
    completions: VecDeque<Completion>,
    error: Option<(u16, RxMsgError)>,
    lfsr: Lfsr,
    counters: Counters,
    timers: Timers,
    life: Life,
    congestion: Option<Congestion>,
    rerouting: Option<Rerouting>,
    /// Payload of the packet that is being sent; kept for its memory.
    payload: Vec<u8>,
    watch: Option<Box<Watch>>,
}

impl Core {
    /// A core with nothing set up.
    ///
    /// # Panics
    /// If the connections have more than 65,535 paths together: a path's index has 16 bits.
    pub fn new(config: CoreConfig) -> Self {
        Self::starting_at(config, Msn::new(0), Seq16::new(0))
    }

    /// As [`Self::new`], but every stream's first message and every connection's first posted receive have these numbers, and so they must
    /// have at the peer; ACKs are numbered from that of the receive. What a test of the wraps needs.
    pub fn starting_at(config: CoreConfig, msn: Msn, receive: Seq16) -> Self {
        let CoreConfig {
            connections,
            paths,
            streams,
            slots,
            slice_log2,
            regions,
            cwnd,
            port,
            operations,
            ..
        } = config;
        let (all, each) = ((connections * paths) as usize, connections as usize);
        let most = usize::from(u16::MAX);
        assert!(all <= most, "{connections} connections of {paths} paths: at most {most} paths are possible");
        Self {
            config,
            connections: RxConnTable::new(connections, paths),
            access: Access::new(AccessConfig { regions, streams, slots, slice_log2, operations }),
            rows: vec![PathRows::default(); all],
            rx_msg: RxMsg::starting_at(RxMsgConfig { connections, streams, slots }, msn),
            recv: Recv::starting_at(connections, config.receives, receive),
            ack: AckTrigger::new(all as u16, config.ack),
            ack_build: AckBuild::starting_at(connections, paths, receive),
            ack_queue: VecDeque::new(),
            tx_msg: TxMsg::with_credit(
                TxMsgConfig { connections, streams, slots, slice_log2, paths, operations },
                msn,
                receive,
            ),
            respond: Respond::new(connections, slice_log2),
            turns: vec![Turns::default(); connections as usize],
            sched: Sched::new(SchedConfig { connections, paths, cwnd }),
            probe: vec![ProbeRow::new(config.rto.rto0_ticks()); connections as usize],
            expiries: VecDeque::new(),
            questions: VecDeque::new(),
            jobs: VecDeque::new(),
            build: Build::new(connections, paths, slice_log2),
            framer: Framer::new(connections, paths, port),
            completions: VecDeque::new(),
            error: None,
            lfsr: Lfsr::new(config.seed),
            counters: Counters::default(),
            timers: Timers::new([all, each, each, each, all, each, each]),
            life: Life::new(connections),
            congestion: config.congestion.map(|congestion| Congestion::new(&congestion, &config)),
            rerouting: config.routes.map(|routes| Rerouting::new(connections, paths, routes)),
            payload: Vec::new(),
            watch: None,
        }
    }

    /// Sets a connection up in both directions; false when there is no such connection, when its last incarnation has not ended, or when
    /// its tag is one of its last 16.
    pub fn set_connection(&mut self, conn: u16, receive: RxConnRow, transmit: TxConnRow) -> bool {
        if self.config.life && !self.life.open(conn, receive.tag) {
            return false;
        }
        if u32::from(conn) < self.config.connections {
            self.forget_routes(conn);
        }
        let set = self.connections.set(conn, receive)
            && self.framer.set_connection(conn, transmit)
            && self.tx_msg.set_valid(conn, true);
        if set {
            self.open_pace(conn, &transmit);
        }
        set
    }

    /// Sets a memory region up; false when there is no such index.
    pub fn set_region(&mut self, index: u32, region: Region) -> bool {
        self.access.set(index, region)
    }

    /// Starts a path in both directions; false when there is no such path or plane. The connection's rows come before those of its paths;
    /// its ACKs start on the route of its first path.
    pub fn set_path(&mut self, path: u16, receive: Psn, transmit: Psn, route: Route, now: Time32) -> bool {
        if !self.framer.set_route(path, route) {
            return false;
        }
        self.timers.set_now(now);
        self.rows[usize::from(path)].rx.apply(&RxPathIn {
            op: RxOp::Init,
            path,
            psn: receive,
            ..Default::default()
        });
        self.open_window(path, transmit);
        self.operate(TxPathIn { op: TxOp::Init, path, cum: transmit, now, ..Default::default() });
        self.rows[usize::from(path)].arrivals = ArrivalsRow::default();
        self.set_up_route(path, transmit, now)
    }

    /// Whether a work request for this stream is taken now.
    pub fn accepts(&self, request: &WorkRequest) -> bool {
        self.tx_msg.accepts(request)
    }

    /// Takes a work request; call only when [`Self::accepts`] says so.
    pub fn submit(&mut self, request: WorkRequest) {
        match self.tx_msg.submit(request) {
            Submitted::Queued { wakes: true } => {
                self.begin(request.conn, self.tx_msg.packets(&request));
                self.sched.on_work(request.conn);
            }
            Submitted::Queued { wakes: false } => {}
            Submitted::Refused(completion) => return self.completions.push_back(completion),
        }
        self.expect_answer(&request);
        self.await_credit(request.conn);
    }

    /// Posts a receive; false when the connection is not set up, has no place for another, or no operation that uses one.
    pub fn post_receive(&mut self, conn: u16, receive: Receive) -> bool {
        self.tx_msg.is_valid(conn) && !self.config.operations.is_write_only() && self.post(conn, receive)
    }

    /// The oldest completion not yet taken.
    pub fn completion(&mut self) -> Option<Completion> {
        self.completions.pop_front()
    }

    /// The first message or memory error, with its connection.
    pub fn error(&self) -> Option<(u16, RxMsgError)> {
        self.error
    }

    /// What has been counted.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Packets sent and not known received, over all paths.
    pub fn in_flight(&self) -> u32 {
        self.rows.iter().map(|PathRows { tx, .. }| tx.next().distance_from(tx.base())).sum()
    }

    /// Whether every packet is acknowledged, every message wholly sent is complete, no message waits for credit, and no answer is to
    /// be sent.
    pub fn is_idle(&self) -> bool {
        let quiet = |conn| !self.tx_msg.waits(conn) && self.respond.queued(conn) == 0;
        self.in_flight() == 0 && (0..self.config.connections as u16).all(quiet)
    }

    fn parse_config(&self) -> ParseConfig {
        ParseConfig { port: self.config.port }
    }

    fn count(&mut self, reason: DropReason) {
        self.counters.drops[reason as usize] += 1;
    }

    /// One operation of the transmit path engine; its result goes to the scheduler.
    fn operate(&mut self, input: TxPathIn) -> crate::tx::path::TxPathOut {
        let result = self.apply(&input);
        self.observe(&result);
        result
    }

    fn apply(&mut self, input: &TxPathIn) -> crate::tx::path::TxPathOut {
        let row = &mut self.rows[usize::from(input.path)].tx;
        match &mut self.watch {
            None => row.apply(input),
            Some(watch) => watch.apply(row, input),
        }
    }

    fn observe(&mut self, result: &crate::tx::path::TxPathOut) {
        if let Some(job) = self.sched.on_result(result) {
            self.jobs.push_back(job);
        }
        self.note_result(result);
    }
}

#[cfg(test)]
mod tests;
