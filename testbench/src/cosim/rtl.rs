//! A Verilated core as an endpoint, with the golden model beside each of its blocks.
//!
//! The clock runs in every cycle of the run. Everything is set up over AXI4-Lite, as a driver would. What
//! packets are sent for, and what is dropped, is read from the links between the blocks.

use super::engine::{Comparisons, Departure, Difference, Engine, EngineCounters, EngineError};
use super::memory::HostMemory;
use super::setup::EndpointSetup;
use crate::bits::Unpacker;
use crate::host::{AxiLatency, Backing, Clocked, CorePins, Gathered, Host, Refused, Registers};
use crate::lockstep::{panic_text, Report, Watchers};
use crate::monitors::core::{watchers, Core};
use crate::views::*;
use heddle_model::core::Cause;
use heddle_rtl::config::Config;
use heddle_wire::drop::DropReason;
use heddle_wire::setup::{Path as PathRow, SetupTable};
use heddle_wire::{Completion, Psn, WorkRequest};
use std::collections::VecDeque;
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;

/// What is seen inside of a core in a cycle, besides what the monitors look at.
#[derive(Clone, Copy, Debug, Default)]
struct Events {
    /// A packet leaves the scheduler for the builder.
    job: Option<Cause>,
    /// An ACK, or else a packet of the builder, goes into the framer.
    framed: Option<bool>,
    /// Drops: of hold, verdict, ACKs in, messages.
    drops: [Option<u8>; 4],
    /// A path's timer has expired.
    expiry: bool,
    /// A connection has ended with an error.
    error: bool,
}

fn cause(job: &[u32]) -> Cause {
    let mut fields = Unpacker::new(job);
    let (kind, _path, psn) = (fields.take(2), fields.take(16), fields.take(24) as u32);
    match kind {
        0 => Cause::New,
        1 => Cause::Resend(Psn::new(psn)),
        2 => Cause::Expire(Psn::new(psn)),
        _ => Cause::Probe,
    }
}

/// A core that can be driven, and whose blocks are seen.
pub trait WatchedCore: CorePins + Core {}

impl<D: CorePins + Core> WatchedCore for D {}

/// What is seen in this cycle.
#[inline]
fn events<D: Core>(core: &D) -> Events {
    let (sched, rto, rx_msg, build) = (core.sched(), core.rto(), core.rx_msg(), core.build());
    let (hold, verdict, ack_in, tx_msg) = (core.hold(), core.verdict(), core.ack_in(), core.tx_msg());
    let framer = core.framer();
    let ack = framer.a_valid().bit() && framer.a_ready().bit();
    let packet = framer.b_valid().bit() && framer.b_ready().bit();
    let job = sched.j_valid().bit() && sched.j_ready().bit();
    Events {
        job: job.then(|| cause(sched.j_job().words())),
        framed: (ack || packet).then_some(ack),
        drops: [
            hold.drop_valid().bit().then(|| hold.drop_reason().u8()),
            verdict.drop_valid().bit().then(|| verdict.drop_reason().u8()),
            ack_in.drop_valid().bit().then(|| ack_in.drop_reason().u8()),
            tx_msg.drop_valid().bit().then(|| tx_msg.drop_reason().u8()),
        ],
        expiry: rto.e_valid().bit() && rto.e_ready().bit(),
        error: rx_msg.e_valid().bit() || build.e_valid().bit(),
    }
}

impl Backing for HostMemory {
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
        self.slice(address, bytes.len()).map(|from| bytes.copy_from_slice(from)).is_some()
    }

    fn write(&mut self, address: u64, bytes: &[u8], strobe: u64) -> bool {
        let Some(to) = self.slice_mut(address, bytes.len()) else {
            return strobe == 0;
        };
        let lanes = to.iter_mut().zip(bytes).enumerate().filter(|(lane, _)| strobe >> lane & 1 == 1);
        lanes.for_each(|(_, (to, byte))| *to = *byte);
        true
    }
}

/// The endpoint.
pub struct RtlEngine<D: WatchedCore> {
    host: Host<D, HostMemory>,
    watchers: Watchers<D>,
    /// What the packets between the scheduler and the framer are sent for, oldest first.
    causes: VecDeque<Cause>,
    /// What the frames in the framer are sent for.
    framed: VecDeque<Cause>,
    /// Frames that have left.
    departed: VecDeque<Departure>,
    counters: EngineCounters,
    errors: u64,
    /// The core's cycle in the run's cycle 0.
    start: u64,
}

impl<D: WatchedCore> RtlEngine<D> {
    /// A core of this configuration, reset, set up and on. `seed` is what its registers and memories hold
    /// before.
    pub fn new(
        config: &Config,
        setup: &EndpointSetup,
        memory: HostMemory,
        seed: u32,
    ) -> Result<Self, EngineError> {
        let mut engine = Self {
            host: Host::new(seed, memory, AxiLatency::default()),
            watchers: watchers(config),
            causes: VecDeque::new(),
            framed: VecDeque::new(),
            departed: VecDeque::new(),
            counters: EngineCounters { timer_expiries: 0, drops: [0; DropReason::LIMIT] },
            errors: 0,
            start: 0,
        };
        guarded(|| engine.set_up(setup))?.map_err(|refused| EngineError(refused.to_string()))?;
        engine.start = engine.host.core().cycle();
        Ok(engine)
    }

    /// Writes the run's cycles of `window` to a VCD file.
    pub fn trace(&mut self, file: &Path, window: Range<u64>) {
        let window = window.start.saturating_add(self.start)..window.end.saturating_add(self.start);
        self.host.core_mut().trace(file, window);
    }

    fn set_up(&mut self, setup: &EndpointSetup) -> Result<(), Refused> {
        let [a, b, rest @ ..] = setup.mac;
        let classes = [0, setup.hop_limit, setup.data_dscp, setup.ack_dscp];
        self.wait_idle()?;
        self.write("own_mac_high", u16::from_be_bytes([a, b]).into())?;
        self.write("own_mac_low", u32::from_be_bytes(rest))?;
        self.write("own_ipv4", setup.address.into())?;
        self.write("udp_port", setup.udp_port.into())?;
        self.write("ip_class", u32::from_be_bytes(classes))?;
        self.write("seed", setup.lfsr_seed)?;
        self.write("cwnd", u32::from(setup.cwnd_packets) << 8)?;
        for line in &setup.connections {
            for path in &line.paths {
                let row = |psn| PathRow { first_psn: psn, ..PathRow::default() }.emit();
                self.set_up_row(SetupTable::TxPath, path.index, &row(path.transmit))?;
                self.set_up_row(SetupTable::RxPath, path.index, &row(path.receive))?;
                self.set_up_row(SetupTable::Route, path.index, &path.route.emit())?;
            }
            let connection = line.connection.into();
            self.set_up_row(SetupTable::TxConnection, connection, &line.transmit.emit())?;
            self.set_up_row(SetupTable::RxConnection, connection, &line.receive.emit())?;
        }
        self.set_up_row(SetupTable::Region, setup.region_index.into(), &setup.region.emit())?;
        self.write("control", 1)
    }

    fn set_up_row(&mut self, table: SetupTable, index: u32, row: &[u8]) -> Result<(), Refused> {
        Registers::set_up(self, table, index, row)
    }

    /// One clock cycle, watched.
    fn cycle(&mut self) {
        let watchers = &mut self.watchers;
        let mut events = Events::default();
        self.host.cycle(|core| {
            watchers.watch(core, core.cycle());
            events = self::events(core);
        });
        self.causes.extend(events.job);
        match events.framed {
            Some(true) => self.framed.push_back(Cause::Ack),
            Some(false) => self.framed.extend(self.causes.pop_front()),
            None => {}
        }
        for reason in events.drops.into_iter().flatten() {
            self.counters.drops[usize::from(reason)] += 1;
        }
        self.counters.timer_expiries += u64::from(events.expiry);
        self.errors += u64::from(events.error);
        while let Some(Gathered { plane, bytes, began }) = self.host.sent() {
            let cause = self.framed.pop_front().expect("a frame left that was never put into the framer");
            self.departed.push_back(Departure { plane, frame: bytes, began: began - self.start, cause });
        }
    }
}

/// What host and monitors say with a panic when a core does what no core may do, as an error.
fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, EngineError> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| EngineError(panic_text(&*panic).to_owned()))
}

impl<D: WatchedCore> Clocked for RtlEngine<D> {
    type Core = D;
    type Memory = HostMemory;

    fn host(&mut self) -> &mut Host<D, HostMemory> {
        &mut self.host
    }

    fn clock(&mut self) {
        self.cycle();
    }
}

impl<D: WatchedCore> Engine for RtlEngine<D> {
    fn submit(&mut self, request: &WorkRequest) -> bool {
        self.host.submit(request)
    }

    fn deliver(&mut self, _cycle: u64, plane: u8, frame: Vec<u8>) {
        self.host.deliver(plane, &frame);
    }

    fn step(&mut self, _cycle: u64) -> Result<(), EngineError> {
        guarded(|| self.cycle())
    }

    fn next_cycle(&self, cycle: u64) -> Option<u64> {
        Some(cycle + 1)
    }

    fn sent(&mut self) -> Option<Departure> {
        self.departed.pop_front()
    }

    fn completion(&mut self) -> Option<Completion> {
        self.host.completion()
    }

    fn memory(&self) -> &HostMemory {
        self.host.memory()
    }

    fn counters(&self) -> EngineCounters {
        self.counters.clone()
    }

    fn comparisons(&self) -> Comparisons {
        let totals = self.watchers.totals();
        let of_block = |report: &Report| {
            let named = |(reason, count): (&String, &u64)| (format!("{}: {reason}", report.name), *count);
            report.reasons.iter().map(named).collect::<Vec<_>>()
        };
        Comparisons {
            crossed: totals.crossed - totals.explained,
            explained: self.watchers.reports().iter().flat_map(of_block).collect(),
            compared: totals.compared,
            mismatches: totals.mismatches,
        }
    }

    fn differences(&self) -> Vec<Difference> {
        let first = |report: Report| {
            let first = report.first?;
            let what = format!("{}, {}: {}", report.name, first.channel, first.what);
            Some(Difference { cycle: first.cycle as i64 - self.start as i64, what })
        };
        self.watchers.reports().into_iter().filter_map(first).collect()
    }

    fn finish(&mut self) {
        self.watchers.finish();
    }

    fn errors(&self) -> u64 {
        self.errors
    }

    fn waits_for(&self) -> String {
        let waiting = if self.host.receives() { ", frames wait for the receive port" } else { "" };
        format!("{} packets between scheduler and framer{waiting}", self.causes.len())
    }
}
