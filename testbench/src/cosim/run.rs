//! The run: endpoints on a network, and the work that their hosts ask for.

mod end;
mod host;
mod judge;

use super::check::Check;
use super::engine::{Departure, Difference, Engine, EngineError};
use super::error::RunError;
use super::memory::HostMemory;
use super::observer::{Blind, Observer};
use super::oracle::{FirstLoss, Oracle};
use super::paths::PathSample;
use super::plan::Plan;
use super::report::Report;
use super::scenario::{Draw, Scenario};
use super::setup::{host_of, sender, EndpointSetup, RECEIVER};
use super::tally::Network;
use crate::link::{Arrival, Link};
use heddle_wire::{Ack, Body, Completion, Frame, ParseConfig};
use host::{Done, Host};
use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
};
use std::ops::Range;

/// Cycles of silence after which nothing more is under way: longer than an ACK may wait.
const SILENCE: u64 = 2_000;
/// No ACK has more bytes: Ethernet with a tag 18, IPv6 40, UDP 8, header 72, ICRC 4.
const LONGEST_ACK: usize = 18 + 40 + 8 + 72 + 4;

/// A run that came to a result, good or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The figures.
    pub report: Report,
    /// The first loss, for a waveform around it.
    pub first_loss: Option<FirstLoss>,
    /// Cycles until everything was still.
    pub end: u64,
    /// What is wrong with the memories, when anything is.
    pub wrong: Option<String>,
    /// The first difference from the golden model in each block that has one, and of which core.
    pub differences: Vec<(String, Difference)>,
}

impl Outcome {
    /// Whether every byte is where it must be and nothing differed.
    pub fn is_good(&self) -> bool {
        self.report.is_good() && self.wrong.is_none()
    }
}

/// What happened in a cycle.
enum Event {
    /// A frame arrived at an endpoint; the ACK that it is, and the endpoint that sent it.
    Arrived(usize, Option<Box<(usize, u8, Ack)>>),
    /// An endpoint has sent a frame.
    Departed(usize, Departure),
    /// An endpoint has completed a work request or a receive.
    Completed(usize, Completion),
}

struct Run<'a, E, O> {
    scenario: &'a Scenario,
    plan: &'a Plan,
    hosts: Vec<Host<'a, E>>,
    /// To the receiver, and from it.
    links: [Link; 2],
    check: Check,
    /// Per sender: of what it sends, and of what is sent to it.
    oracles: Vec<[Oracle; 2]>,
    observer: &'a mut O,
    parse: ParseConfig,
    cycle: u64,
    /// Last cycle with a first arrival or a completion.
    progress: u64,
    /// Last cycle in which a frame was sent or arrived.
    traffic: u64,
    first_beat: Option<u64>,
    completed: Option<u64>,
    /// When the paths are to be looked at.
    next_look: u64,
    /// Last completion of every host's work requests.
    ended: Vec<u64>,
    network: Network,
}

/// Does the work of a plan. `build` makes the endpoints, in the plan's order, of their set-up and memory.
pub fn run<E: Engine, O: Observer>(
    scenario: &Scenario,
    plan: &Plan,
    build: impl FnMut(&EndpointSetup, HostMemory) -> Result<E, EngineError>,
    observer: &mut O,
) -> Result<Outcome, RunError> {
    let mut run = Run::new(scenario, plan, build, observer)?;
    let result = run.go_in_pool(u64::MAX).and_then(|()| {
        run.hosts.iter_mut().for_each(|host| host.engine.finish());
        run.outcome()
    });
    result.map_err(|error| {
        let first = run.differences().into_iter().min_by_key(|(_, one)| one.cycle);
        match (error, first) {
            // Not the run's fault.
            (error @ RunError::Observer(_), _) | (error, None) => error,
            (error, Some((side, difference))) => {
                RunError::Differs { side, difference, then: Box::new(error) }
            }
        }
    })
}

/// The same run again, up to cycle `until`, with endpoints that `build` has told to write a waveform.
pub fn replay<E: Engine>(
    scenario: &Scenario,
    plan: &Plan,
    build: impl FnMut(&EndpointSetup, HostMemory) -> Result<E, EngineError>,
    until: u64,
) -> Result<(), RunError> {
    Run::new(scenario, plan, build, &mut Blind)?.go_in_pool(until)
}

impl<'a, E: Engine, O: Observer> Run<'a, E, O> {
    /// On a thread of the pool, so that no span has to wake one from outside.
    fn go_in_pool(&mut self, until: u64) -> Result<(), RunError> {
        rayon::scope(|_| self.go(until))
    }

    fn new(
        scenario: &'a Scenario,
        plan: &'a Plan,
        mut build: impl FnMut(&EndpointSetup, HostMemory) -> Result<E, EngineError>,
        observer: &'a mut O,
    ) -> Result<Self, RunError> {
        let mut hosts = Vec::new();
        for (n, setup) in plan.setups.iter().enumerate() {
            let engine = build(setup, plan.memory(n)).map_err(|error| RunError::Engine {
                side: side(scenario, n),
                cycle: 0,
                error,
            })?;
            hosts.push(Host::new(engine, &plan.hosts[n]));
        }
        let oracles = (0..scenario.senders() as usize).map(|k| {
            let paths = || plan.setups[sender(k)].connections.iter().flat_map(|one| &one.paths);
            [Oracle::new(paths().map(|path| path.transmit)), Oracle::new(paths().map(|path| path.receive))]
        });
        Ok(Self {
            scenario,
            plan,
            ended: vec![0; hosts.len()],
            network: Network::default(),
            hosts,
            links: [scenario.link(Draw::Forth), scenario.link(Draw::Back)],
            check: Check::new(plan),
            oracles: oracles.collect(),
            observer,
            parse: ParseConfig { port: plan.setups[RECEIVER].udp_port },
            cycle: 0,
            progress: 0,
            traffic: 0,
            first_beat: None,
            completed: None,
            next_look: 0,
        })
    }

    /// The oracle that watches what one endpoint sends to the other.
    fn oracle(&mut self, from: usize, to: usize) -> &mut Oracle {
        let k = if from == RECEIVER { to } else { from };
        let k = if k > RECEIVER { k - 1 } else { k };
        &mut self.oracles[k][usize::from(from == RECEIVER)]
    }

    /// Until every work request is completed, everything sent is acknowledged, and nothing is under way; at
    /// most to cycle `until`.
    fn go(&mut self, until: u64) -> Result<(), RunError> {
        while self.cycle < until {
            let end = (self.cycle + self.scenario.lookahead()).min(until);
            self.span(self.cycle..end)?;
            self.cycle = end - 1;
            self.look(end)?;
            if self.check.failure().is_some() && self.hosts.iter().all(Host::is_settled) {
                return Err(self.ended());
            }
            let heard = self.oracles.iter().flatten().all(|oracle| oracle.outstanding() == 0);
            let still = heard && self.links.iter().all(|link| link.in_flight() == 0);
            let next = self.next_cycle();
            if self.completed.is_some() && still && next.is_none_or(|next| next > self.traffic + SILENCE) {
                return Ok(());
            }
            let limit = self.progress + self.scenario.patience();
            match next.filter(|&next| next <= limit) {
                Some(next) => self.cycle = next,
                None => return Err(self.stalled(next.map_or(self.cycle, |_| limit))),
            }
        }
        Ok(())
    }

    /// State of all paths for the observer, if it is time.
    fn look(&mut self, end: u64) -> Result<(), RunError> {
        let Some(every) = self.observer.paths_every().filter(|_| end >= self.next_look) else {
            return Ok(());
        };
        self.next_look = end + every;
        let time_us = self.scenario.nanoseconds(end) as f64 / 1e3;
        for (endpoint, host) in self.hosts.iter_mut().enumerate() {
            for path in host.engine.paths() {
                self.observer.on_path(&PathSample { time_us, endpoint, ..path })?;
            }
        }
        Ok(())
    }

    fn next_cycle(&self) -> Option<u64> {
        let engines = self.hosts.iter().filter_map(|host| host.engine.next_cycle(self.cycle));
        let arrivals = self.links.iter().filter_map(Link::next_arrival);
        // Only while something is waited for: planes that die after the end are not waited for.
        let planes = self.scenario.carrier_events().iter().map(|event| event.cycle);
        let planes = planes.filter(|&cycle| cycle > self.cycle && self.completed.is_none());
        engines.chain(arrivals).chain(planes).min().map(|next| next.max(self.cycle + 1))
    }

    /// Cycles in which no endpoint can hear of what another does in them: all run at the same time. What they
    /// did is then looked at in the order of its cycles.
    fn span(&mut self, span: Range<u64>) -> Result<(), RunError> {
        let mut events = Vec::new();
        let arrivals = self.arrivals(span.end, &mut events)?;
        let planes = self.scenario.carrier_events();
        let first = planes.partition_point(|event| event.cycle < span.start);
        let planes = &planes[first..planes.partition_point(|event| event.cycle < span.end)];
        let work = self.hosts.par_iter_mut().zip(arrivals.into_par_iter());
        let done: Vec<Done> =
            work.map(|(host, arrivals)| host.advance(span.clone(), arrivals, planes)).collect();
        let mut failed = None;
        for (n, done) in done.into_iter().enumerate() {
            events.extend(done.departures.into_iter().map(|(at, one)| (at, Event::Departed(n, one))));
            events.extend(done.completions.into_iter().map(|(at, one)| (at, Event::Completed(n, one))));
            failed = failed.or(done.error.map(|(cycle, error)| (n, cycle, error)));
        }
        // Stable: of one cycle, arrivals first, then the events of the endpoints in their order.
        events.sort_by_key(|(at, _)| *at);
        for (at, event) in events {
            self.cycle = at;
            self.judge(event)?;
        }
        match failed {
            Some((n, cycle, error)) => Err(RunError::Engine { side: side(self.scenario, n), cycle, error }),
            None => Ok(()),
        }
    }

    /// What arrives before cycle `end`, endpoint by endpoint. The links deliver by Ethernet address.
    fn arrivals(&mut self, end: u64, events: &mut Vec<(u64, Event)>) -> Result<Vec<Vec<Arrival>>, RunError> {
        let mut all = vec![Vec::new(); self.hosts.len()];
        for link in &mut self.links {
            while link.next_arrival().is_some_and(|at| at < end) {
                let Some(arrival) = link.receive(end - 1) else { break };
                let to = arrival.frame.first_chunk().and_then(|mac| host_of(*mac));
                let Some(to) = to.filter(|&to| to < all.len()) else { continue };
                // What a sender hears moves its oracle's idea of what is outstanding; spoiled frames say
                // nothing.
                let short = arrival.frame.len() <= LONGEST_ACK;
                let frame = short.then(|| Frame::parse(&arrival.frame, self.parse).ok()).flatten();
                let ack = frame.and_then(|frame| {
                    let from = host_of(frame.src_mac)?;
                    match frame.packet.body {
                        Body::Ack(ack) => Some(Box::new((from, frame.packet.path, ack))),
                        _ => None,
                    }
                });
                events.push((arrival.at, Event::Arrived(to, ack)));
                all[to].push(arrival);
            }
        }
        Ok(all)
    }
}

/// What an endpoint is called.
fn side(scenario: &Scenario, host: usize) -> String {
    match (host, scenario.senders()) {
        (RECEIVER, _) => "receiver".to_owned(),
        (_, 1) => "sender".to_owned(),
        (0, _) => "sender 1".to_owned(),
        (host, _) => format!("sender {host}"),
    }
}
