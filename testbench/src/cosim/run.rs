//! The run: two endpoints on a network, and a file that goes from one to the other.

use super::check::Check;
use super::engine::{Departure, Difference, Engine, EngineError};
use super::error::RunError;
use super::memory::HostMemory;
use super::observer::{Blind, Direction, Observer, Transmission};
use super::oracle::{FirstLoss, Oracle};
use super::report::Report;
use super::scenario::{Draw, Scenario};
use super::setup::{endpoints, EndpointSetup};
use super::tally::Tally;
use super::workload::writes;
use crate::link::{Arrival, Link};
use heddle_wire::{Ack, Body, Completion, Frame, ParseConfig, WorkRequest};
use std::ops::Range;

/// Cycles of silence after which nothing more is under way: longer than an ACK may wait.
const SILENCE: u64 = 2_000;

/// A run that came to a result, good or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The figures.
    pub report: Report,
    /// The first loss, for a waveform around it.
    pub first_loss: Option<FirstLoss>,
    /// Cycles until everything was still.
    pub end: u64,
    /// The first difference from the golden model in each block that has one, and of which core.
    pub differences: Vec<(&'static str, Difference)>,
}

const SIDES: [&str; 2] = ["sender", "receiver"];

/// What happened in a cycle.
enum Event {
    /// A frame arrived; for the sender, the ACK that it is.
    Arrived(Option<Box<(u8, Ack)>>),
    /// An endpoint has sent a frame.
    Departed(usize, Departure),
    /// An endpoint has completed a work request.
    Completed(usize, Completion),
}

/// What an endpoint did in a span.
#[derive(Default)]
struct Done {
    departures: Vec<(u64, Departure)>,
    completions: Vec<(u64, Completion)>,
    /// Work requests taken.
    submitted: usize,
    error: Option<(u64, EngineError)>,
}

/// Runs an endpoint through a span in which these frames, in the order of their arrival, and no others come.
fn advance<E: Engine>(
    engine: &mut E,
    span: Range<u64>,
    requests: &[WorkRequest],
    arrivals: Vec<Arrival>,
) -> Done {
    let (mut done, mut arrivals) = (Done::default(), arrivals.into_iter().peekable());
    let mut cycle = span.start;
    while cycle < span.end {
        while requests.get(done.submitted).is_some_and(|request| engine.submit(request)) {
            done.submitted += 1;
        }
        while let Some(arrival) = arrivals.next_if(|arrival| arrival.at <= cycle) {
            engine.deliver(cycle, arrival.plane, arrival.frame);
        }
        if let Err(error) = engine.step(cycle) {
            done.error = Some((cycle, error));
            break;
        }
        done.departures.extend(std::iter::from_fn(|| engine.sent()).map(|one| (cycle, one)));
        done.completions.extend(std::iter::from_fn(|| engine.completion()).map(|one| (cycle, one)));
        let next =
            engine.next_cycle(cycle).into_iter().chain(arrivals.peek().map(|arrival| arrival.at)).min();
        cycle = next.map_or(span.end, |next| next.max(cycle + 1));
    }
    done
}

struct Run<'a, E, O> {
    scenario: &'a Scenario,
    engines: [E; 2],
    links: [Link; 2],
    requests: Vec<WorkRequest>,
    submitted: usize,
    check: Check<'a>,
    oracle: Oracle,
    observer: &'a mut O,
    parse: ParseConfig,
    cycle: u64,
    /// Last cycle with a first arrival or a completion.
    progress: u64,
    /// Last cycle in which a frame was sent or arrived.
    traffic: u64,
    first_beat: Option<u64>,
    completed: Option<u64>,
}

/// Moves `file` from one endpoint to the other. `build` makes the endpoints, sender first, of their set-up
/// and memory.
pub fn run<E: Engine, O: Observer>(
    scenario: &Scenario,
    file: &[u8],
    build: impl FnMut(&EndpointSetup, HostMemory) -> Result<E, EngineError>,
    observer: &mut O,
) -> Result<Outcome, RunError> {
    let mut run = Run::new(scenario, file, build, observer)?;
    let result = run.go_in_pool(u64::MAX).and_then(|()| {
        run.engines.iter_mut().for_each(Engine::finish);
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
    file: &[u8],
    build: impl FnMut(&EndpointSetup, HostMemory) -> Result<E, EngineError>,
    until: u64,
) -> Result<(), RunError> {
    Run::new(scenario, file, build, &mut Blind)?.go_in_pool(until)
}

impl<'a, E: Engine, O: Observer> Run<'a, E, O> {
    /// On a thread of the pool, so that no span has to wake one from outside.
    fn go_in_pool(&mut self, until: u64) -> Result<(), RunError> {
        rayon::scope(|_| self.go(until))
    }

    fn new(
        scenario: &'a Scenario,
        file: &'a [u8],
        mut build: impl FnMut(&EndpointSetup, HostMemory) -> Result<E, EngineError>,
        observer: &'a mut O,
    ) -> Result<Self, RunError> {
        let ([sender, receiver], addresses) = endpoints(scenario, file.len() as u64);
        let requests = writes(scenario, file.len() as u64, addresses, &sender, &receiver);
        // Every byte of the sink differs from what is to come: one that is not written cannot look right.
        let sink: Vec<u8> = file.iter().map(|byte| !byte).collect();
        let mut start = |n: usize, setup: &EndpointSetup, memory| {
            build(setup, memory).map_err(|error| RunError::Engine { side: SIDES[n], cycle: 0, error })
        };
        let engines = [
            start(0, &sender, HostMemory::new(addresses.local, file))?,
            start(1, &receiver, HostMemory::new(addresses.remote, &sink))?,
        ];
        Ok(Self {
            scenario,
            engines,
            links: [scenario.link(Draw::Forth), scenario.link(Draw::Back)],
            check: Check::new(file, addresses.remote, &requests),
            requests,
            submitted: 0,
            oracle: Oracle::new(sender.paths.iter().map(|path| path.transmit)),
            observer,
            parse: ParseConfig { port: sender.udp_port },
            cycle: 0,
            progress: 0,
            traffic: 0,
            first_beat: None,
            completed: None,
        })
    }

    /// Until every work request is completed, everything sent is acknowledged, and nothing is under way; at
    /// most to cycle `until`.
    fn go(&mut self, until: u64) -> Result<(), RunError> {
        while self.cycle < until {
            let end = (self.cycle + self.scenario.lookahead()).min(until);
            self.span(self.cycle..end)?;
            self.cycle = end - 1;
            let still = self.links.iter().all(|link| link.in_flight() == 0) && self.oracle.outstanding() == 0;
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

    fn next_cycle(&self) -> Option<u64> {
        let [a, b] = &self.engines;
        let [forth, back] = &self.links;
        let events =
            [a.next_cycle(self.cycle), b.next_cycle(self.cycle), forth.next_arrival(), back.next_arrival()];
        events.into_iter().flatten().min().map(|next| next.max(self.cycle + 1))
    }

    /// Cycles in which neither endpoint can hear of what the other does in them: both run at the same time.
    /// What they did is then looked at in the order of its cycles.
    fn span(&mut self, span: Range<u64>) -> Result<(), RunError> {
        let mut events = Vec::new();
        let arrivals = [0, 1].map(|to| {
            let link = &mut self.links[1 - to];
            let mut arrivals = Vec::new();
            while link.next_arrival().is_some_and(|at| at < span.end) {
                arrivals.extend(link.receive(span.end - 1));
            }
            for arrival in &arrivals {
                // What the sender hears moves the oracle's idea of what is outstanding; spoiled frames say
                // nothing.
                let frame = (to == 0).then(|| Frame::parse(&arrival.frame, self.parse).ok()).flatten();
                let ack = frame.and_then(|frame| match frame.packet.body {
                    Body::Ack(ack) => Some((frame.packet.path, ack)),
                    _ => None,
                });
                events.push((arrival.at, Event::Arrived(ack.map(Box::new))));
            }
            arrivals
        });
        let [sender, receiver] = &mut self.engines;
        let [to_sender, to_receiver] = arrivals;
        let requests = &self.requests[self.submitted..];
        let (a, b) = rayon::join(
            || advance(sender, span.clone(), requests, to_sender),
            || advance(receiver, span.clone(), &[], to_receiver),
        );
        self.submitted += a.submitted;
        let failed = [&a, &b].map(|done| done.error.clone());
        for (n, done) in [a, b].into_iter().enumerate() {
            events.extend(done.departures.into_iter().map(|(at, one)| (at, Event::Departed(n, one))));
            events.extend(done.completions.into_iter().map(|(at, one)| (at, Event::Completed(n, one))));
        }
        // Stable: of one cycle, arrivals first, then the sender's events, then the receiver's.
        events.sort_by_key(|(at, _)| *at);
        for (at, event) in events {
            self.cycle = at;
            self.judge(event)?;
        }
        for (side, failed) in SIDES.into_iter().zip(failed) {
            if let Some((cycle, error)) = failed {
                return Err(RunError::Engine { side, cycle, error });
            }
        }
        Ok(())
    }

    fn judge(&mut self, event: Event) -> Result<(), RunError> {
        match event {
            Event::Arrived(ack) => {
                self.traffic = self.cycle;
                if let Some((path, ack)) = ack.as_deref() {
                    self.oracle.on_ack(*path, ack);
                }
                Ok(())
            }
            Event::Departed(from, departure) => self.depart(from, departure),
            Event::Completed(0, completion) => {
                let cycle = self.cycle;
                let judged = self.check.on_completion(&completion, self.engines[1].memory());
                judged.map_err(|what| RunError::Completion { cycle, what })?;
                self.progress = cycle;
                self.observer.on_progress(self.check.completed_bytes());
                if self.completed.is_none() && self.check.is_complete() {
                    self.completed = Some(cycle);
                }
                Ok(())
            }
            Event::Completed(_, completion) => Err(RunError::Completion {
                cycle: self.cycle,
                what: format!("the receiver, which asked for nothing, completed wr_id {}", completion.wr_id),
            }),
        }
    }

    fn depart(&mut self, from: usize, departure: Departure) -> Result<(), RunError> {
        let (side, cycle, plane) = (SIDES[from], self.cycle, departure.plane);
        let frame = Frame::parse(&departure.frame, self.parse).map_err(|error| RunError::Frame {
            side,
            cycle,
            error,
        })?;
        let kind = frame.packet.body.packet_type();
        // The copy is the network's; the capture and the oracle look at what was sent.
        let planes = self.scenario.planes();
        let sent = self.links[from]
            .send(cycle, plane, departure.frame.clone(), kind)
            .ok_or(RunError::Plane { side, plane, planes, cycle })?;
        self.traffic = cycle;
        if from == 0 {
            if matches!(frame.packet.body, Body::Data { .. }) {
                self.first_beat.get_or_insert(departure.began);
            }
            let judged = self.oracle.on_sent(cycle, &frame, &departure, &sent);
            if judged.map_err(|violation| RunError::Violation { cycle, violation })? {
                self.progress = cycle;
            }
        }
        let direction = if from == 0 { Direction::Forth } else { Direction::Back };
        self.observer.on_frame(&Transmission {
            direction,
            plane,
            cycle,
            frame: &departure.frame,
            fate: sent.fate,
        })?;
        Ok(())
    }

    fn stalled(&self, cycle: u64) -> RunError {
        let [a, b] = &self.engines;
        let [forth, back] = self.links.each_ref().map(Link::in_flight);
        let diagnosis = format!(
            "{} of {} work requests are completed ({}), {} were taken; sender: {}; receiver: {}; \
             {forth} and {back} frames under way; not acknowledged, as far as the sender has heard: {}",
            self.check.completed(),
            self.requests.len(),
            self.check.missing_text(),
            self.submitted,
            a.waits_for(),
            b.waits_for(),
            match self.oracle.outstanding_text() {
                text if text.is_empty() => "nothing".to_owned(),
                text => text,
            },
        );
        RunError::Stalled { since: self.progress, cycle, diagnosis }
    }

    fn outcome(&self) -> Result<Outcome, RunError> {
        for (side, engine) in SIDES.into_iter().zip(&self.engines) {
            let (trespasses, errors) = (engine.memory().trespasses(), engine.errors());
            if trespasses > 0 {
                return Err(RunError::Trespass { side, trespasses });
            }
            if errors > 0 {
                return Err(RunError::Core { side, errors });
            }
        }
        let [sender, receiver] = self.engines.each_ref();
        let completed = self.completed.unwrap_or(self.cycle);
        let report = Tally {
            scenario: self.scenario,
            verified: self.check.finish(receiver.memory()),
            judgement: self.oracle.judgement(),
            counters: [sender.counters(), receiver.counters()],
            comparisons: [sender.comparisons(), receiver.comparisons()],
            first_beat: self.first_beat.unwrap_or(completed),
            completed,
        }
        .report();
        let (first_loss, end, differences) = (self.oracle.first_loss(), self.cycle, self.differences());
        Ok(Outcome { report, first_loss, end, differences })
    }

    fn differences(&self) -> Vec<(&'static str, Difference)> {
        let of_side = |(side, engine): (_, &E)| engine.differences().into_iter().map(move |one| (side, one));
        SIDES.into_iter().zip(&self.engines).flat_map(of_side).collect()
    }
}
