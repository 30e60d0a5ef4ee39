//! The golden model as an endpoint: what a core of this configuration does, at the speed of its ports.
//!
//! A frame takes as many cycles through a port as the core's data width needs; inside the model nothing takes
//! time. Between events the run may jump.

mod rows;

use super::engine::{Comparisons, Departure, Engine, EngineCounters, EngineError};
use super::memory::HostMemory;
use super::paths::PathSample;
use super::scenario::Scenario;
use super::setup::{EndpointSetup, PathSetup};
use heddle_model::core::{Core, CoreConfig};
use heddle_model::operations::Operations;
use heddle_model::rx::ack::AckConfig;
use heddle_model::rx::recv;
use heddle_model::tx::framer::Route;
use heddle_model::tx::msg;
use heddle_model::tx::rto::RtoConfig;
use heddle_model::tx::telemetry::PathCounts;
use heddle_rtl::config::TickScale;
use heddle_wire::queues::{CompletionFlag, WorkFlag};
use heddle_wire::{Completion, DropReason, Receive, Time32, WorkRequest};
use rows::{congestion, path_sample, receive_row, region, routes, transmit_row};
use std::collections::VecDeque;

/// The endpoint.
pub struct ModelEngine {
    core: Core,
    /// Connection, path of it, and row of every path that is set up, with its counters at the last look.
    paths: Vec<(u16, u8, u16, PathCounts)>,
    memory: HostMemory,
    tick: TickScale,
    bytes_per_cycle: u64,
    /// Frames that come in, with the cycle of their last beat and their plane.
    arriving: VecDeque<(u64, u8, Vec<u8>)>,
    /// First cycle in which the receive port is free.
    receive_free: u64,
    /// The frame that goes out, with the cycle of its last beat.
    leaving: Option<(u64, Departure)>,
    sent: Option<Departure>,
    /// The core had nothing to send, and nothing has happened to it since.
    drained: bool,
    deadline: Option<Time32>,
}

impl ModelEngine {
    /// An endpoint of this run, set up.
    pub fn new(scenario: &Scenario, setup: &EndpointSetup, memory: HostMemory) -> Result<Self, EngineError> {
        let (config, features) = (scenario.config(), scenario.features());
        let mut core = Core::new(CoreConfig {
            operations: if features.operations { Operations::ALL } else { Operations::WRITE_ONLY },
            congestion: features.congestion.then(|| congestion(scenario)).transpose()?,
            routes: features.routes.then(|| routes(scenario)).transpose()?,
            life: features.life,
            connections: config.connections(),
            paths: config.paths(),
            streams: config.streams(),
            slots: config.slots(),
            slice_log2: config.slice_bytes().ilog2(),
            regions: config.regions(),
            cwnd: setup.cwnd_packets.into(),
            port: setup.udp_port,
            ack: AckConfig::DEFAULT,
            rto: RtoConfig::DEFAULT,
            seed: setup.lfsr_seed,
            ..CoreConfig::default()
        });
        let start = Time32::new(0);
        let lines = setup.connections.iter();
        let done = lines
            .clone()
            .all(|line| core.set_connection(line.connection, receive_row(line), transmit_row(setup, line)))
            && core.set_region(setup.region_index.into(), region(setup))
            && lines.flat_map(|line| &line.paths).all(|&PathSetup { index, receive, transmit, route }| {
                let route = Route { plane: route.plane, src_port: route.src_port };
                core.set_path(index as u16, receive, transmit, route, start)
            });
        if !done {
            return Err(EngineError("the set-up names a row that the model does not have".to_owned()));
        }
        let paths = setup.connections.iter().flat_map(|line| {
            let of_line = line.paths.iter().enumerate();
            of_line.map(|(n, path)| (line.connection, n as u8, path.index as u16, PathCounts::default()))
        });
        Ok(Self {
            core,
            paths: paths.collect(),
            memory,
            tick: config.tick_scale(),
            bytes_per_cycle: config.data_bytes() as u64,
            arriving: VecDeque::new(),
            receive_free: 0,
            leaving: None,
            sent: None,
            drained: true,
            deadline: None,
        })
    }

    fn ticks(&self, cycle: u64) -> u64 {
        (cycle * u64::from(self.tick.factor)) >> self.tick.shift
    }

    fn now(&self, cycle: u64) -> Time32 {
        Time32::new(self.ticks(cycle) as u32)
    }

    fn beats(&self, frame: &[u8]) -> u64 {
        (frame.len() as u64).div_ceil(self.bytes_per_cycle)
    }

    /// The first cycle in which the clock shows this time, or shows it to have passed.
    fn cycle_of(&self, time: Time32, cycle: u64) -> u64 {
        let now = self.now(cycle);
        if !time.is_ahead(now) {
            return cycle;
        }
        let ticks = self.ticks(cycle) + u64::from(time.distance_from(now));
        (ticks << self.tick.shift).div_ceil(self.tick.factor.into())
    }

    fn transmit(&mut self, cycle: u64) {
        let now = self.now(cycle);
        match self.core.transmit(now, &mut self.memory) {
            None => self.drained = true,
            Some(out) => {
                let last = cycle + self.beats(&out.bytes) - 1;
                let departure =
                    Departure { plane: out.plane, frame: out.bytes, began: cycle, cause: out.cause };
                self.leaving = Some((last, departure));
            }
        }
    }
}

impl Engine for ModelEngine {
    fn submit(&mut self, request: &WorkRequest) -> bool {
        let request = msg::WorkRequest {
            wr_id: request.wr_id,
            opcode: request.opcode,
            fence: request.flags & 1 << WorkFlag::Fence as u8 != 0,
            conn: request.conn,
            stream: request.stream,
            local: request.local_address,
            remote: request.remote_address,
            rkey: request.rkey,
            length: request.length,
            imm: request.imm,
            operand: request.operand,
            compare: request.compare,
        };
        let taken = self.core.accepts(&request);
        if taken {
            self.core.submit(request);
            self.drained = false;
        }
        taken
    }

    fn post_receive(&mut self, _cycle: u64, receive: &Receive) -> bool {
        let Receive { conn, wr_id, local_address: address, length, .. } = *receive;
        let taken = self.core.post_receive(conn, recv::Receive { wr_id, address, length });
        // The peer may have to be told.
        self.drained &= !taken;
        taken
    }

    fn set_plane(&mut self, cycle: u64, plane: u8, up: bool) {
        self.core.set_plane(plane, up, self.now(cycle));
        self.drained = false;
        self.deadline = self.core.next_deadline();
    }

    fn paths(&mut self) -> Vec<PathSample> {
        let core = &self.core;
        let paths = self.paths.iter_mut();
        paths
            .map(|(connection, path, row, last)| {
                let (connection, path) = (*connection, *path);
                let now = core.telemetry(*row);
                let sample = PathSample { connection, path, ..path_sample(&now, last) };
                *last = now.counts;
                sample
            })
            .collect()
    }

    fn deliver(&mut self, cycle: u64, plane: u8, frame: Vec<u8>) {
        self.receive_free = self.receive_free.max(cycle) + self.beats(&frame);
        self.arriving.push_back((self.receive_free - 1, plane, frame));
    }

    fn step(&mut self, cycle: u64) -> Result<(), EngineError> {
        let now = self.now(cycle);
        while self.arriving.front().is_some_and(|(last, ..)| *last <= cycle) {
            let Some((_, plane, frame)) = self.arriving.pop_front() else { break };
            self.core.receive_on(now, plane, &frame, &mut self.memory);
            self.drained = false;
        }
        if self.deadline.is_some_and(|at| !at.is_ahead(now)) {
            self.core.advance(now);
            self.drained = false;
        }
        if self.leaving.is_none() && !self.drained {
            self.transmit(cycle);
        }
        if self.leaving.as_ref().is_some_and(|(last, _)| *last == cycle) {
            self.sent = self.leaving.take().map(|(_, departure)| departure);
        }
        self.deadline = self.core.next_deadline();
        Ok(())
    }

    fn next_cycle(&self, cycle: u64) -> Option<u64> {
        let arrival = self.arriving.front().map(|(last, ..)| *last);
        let port = match &self.leaving {
            Some((last, _)) => Some(*last),
            None => (!self.drained).then_some(cycle),
        };
        let timer = self.deadline.map(|at| self.cycle_of(at, cycle));
        arrival.into_iter().chain(port).chain(timer).min().map(|next| next.max(cycle + 1))
    }

    fn sent(&mut self) -> Option<Departure> {
        self.sent.take()
    }

    fn completion(&mut self) -> Option<Completion> {
        self.core.completion().map(|done| Completion {
            status: done.status.code(),
            opcode: done.opcode,
            conn: done.conn,
            stream: done.stream,
            wr_id: done.wr_id,
            byte_count: done.byte_len,
            msn: done.msn.get(),
            flags: u8::from(done.receive) << CompletionFlag::Receive as u8
                | u8::from(done.imm.is_some()) << CompletionFlag::Imm as u8,
            imm: done.imm.unwrap_or(0),
            ..Completion::default()
        })
    }

    fn memory(&self) -> &HostMemory {
        &self.memory
    }

    fn counters(&self) -> EngineCounters {
        let counters = self.core.counters();
        let mut drops = [0; DropReason::LIMIT];
        for &reason in DropReason::ALL {
            drops[reason as usize] = counters.drops(reason);
        }
        EngineCounters { timer_expiries: counters.expiries, drops }
    }

    fn comparisons(&self) -> Comparisons {
        Comparisons::default()
    }

    fn errors(&self) -> u64 {
        self.core.counters().errors
    }

    fn waits_for(&self) -> String {
        let timer = match self.deadline {
            Some(at) => format!("the next timer at tick {}", at.get()),
            None => "no timer".to_owned(),
        };
        format!("{} packets not acknowledged, {timer}", self.core.in_flight())
    }
}
