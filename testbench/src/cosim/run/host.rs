//! One endpoint of a run with what its host asks of it.

use super::super::engine::{Departure, Engine, EngineError};
use super::super::plan::HostPlan;
use crate::link::{Arrival, PlaneEvent};
use heddle_wire::queues::CompletionFlag;
use heddle_wire::{Completion, Receive, Status, WorkRequest};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

/// What an endpoint did in a span.
#[derive(Default)]
pub struct Done {
    /// Frames that it has sent, with the cycle of their last beat.
    pub departures: Vec<(u64, Departure)>,
    /// Completions.
    pub completions: Vec<(u64, Completion)>,
    /// Why it cannot go on.
    pub error: Option<(u64, EngineError)>,
}

/// Receives of one connection.
#[derive(Default)]
struct Receives<'a> {
    left: VecDeque<&'a Receive>,
    posted: usize,
}

/// The endpoint.
pub struct Host<'a, E> {
    /// What computes it.
    pub engine: E,
    requests: &'a [WorkRequest],
    /// Of these, looked at, and taken by the endpoint.
    next: usize,
    submitted: usize,
    /// Of the taken ones, completed.
    completed: usize,
    /// Connections that have ended with an error: nothing more is asked of them.
    ended: BTreeSet<u16>,
    receives: BTreeMap<u16, Receives<'a>>,
    receive_depth: usize,
}

impl<'a, E: Engine> Host<'a, E> {
    /// It has done nothing yet.
    pub fn new(engine: E, plan: &'a HostPlan) -> Self {
        let mut receives: BTreeMap<u16, Receives<'a>> = BTreeMap::new();
        for receive in &plan.receives {
            receives.entry(receive.conn).or_default().left.push_back(receive);
        }
        let HostPlan { requests, receive_depth, .. } = plan;
        let receive_depth = *receive_depth;
        Self {
            engine,
            requests,
            next: 0,
            submitted: 0,
            completed: 0,
            ended: BTreeSet::new(),
            receives,
            receive_depth,
        }
    }

    /// Work requests that the endpoint has taken.
    pub fn submitted(&self) -> usize {
        self.submitted
    }

    /// Whether all that was asked is answered, and no more will be asked.
    pub fn is_settled(&self) -> bool {
        self.completed == self.submitted && self.next == self.requests.len()
    }

    /// Runs through a span in which these frames, in the order of their arrival, and no others come, and these
    /// planes die and come back.
    pub fn advance(&mut self, span: Range<u64>, arrivals: Vec<Arrival>, planes: &[PlaneEvent]) -> Done {
        let (mut done, mut arrivals) = (Done::default(), arrivals.into_iter().peekable());
        let mut planes = planes.iter().peekable();
        let mut cycle = span.start;
        while cycle < span.end {
            while let Some(event) = planes.next_if(|event| event.cycle <= cycle) {
                self.engine.set_plane(cycle, event.plane, event.up);
            }
            self.ask(cycle);
            while let Some(arrival) = arrivals.next_if(|arrival| arrival.at <= cycle) {
                self.engine.deliver(cycle, arrival.plane, arrival.frame);
            }
            if let Err(error) = self.engine.step(cycle) {
                done.error = Some((cycle, error));
                break;
            }
            done.departures.extend(std::iter::from_fn(|| self.engine.sent()).map(|one| (cycle, one)));
            while let Some(completion) = self.engine.completion() {
                self.on_completion(&completion);
                done.completions.push((cycle, completion));
            }
            let events = [arrivals.peek().map(|arrival| arrival.at), planes.peek().map(|event| event.cycle)];
            let next = self.engine.next_cycle(cycle).into_iter().chain(events.into_iter().flatten()).min();
            cycle = next.map_or(span.end, |next| next.max(cycle + 1));
        }
        done
    }

    /// Hands in what the endpoint takes.
    fn ask(&mut self, cycle: u64) {
        for (_, receives) in self.receives.iter_mut().filter(|(conn, _)| !self.ended.contains(conn)) {
            while let Some(receive) = receives.left.front().filter(|_| receives.posted < self.receive_depth) {
                if !self.engine.post_receive(cycle, receive) {
                    break;
                }
                receives.left.pop_front();
                receives.posted += 1;
            }
        }
        while let Some(request) = self.requests.get(self.next) {
            if !self.ended.contains(&request.conn) {
                if !self.engine.submit(request) {
                    break;
                }
                self.submitted += 1;
            }
            self.next += 1;
        }
    }

    fn on_completion(&mut self, completion: &Completion) {
        if completion.status != Status::Success.code() {
            self.ended.insert(completion.conn);
        }
        if completion.flags >> CompletionFlag::Receive as u8 & 1 == 1 {
            if let Some(receives) = self.receives.get_mut(&completion.conn) {
                receives.posted = receives.posted.saturating_sub(1);
            }
        } else {
            self.completed += 1;
        }
    }
}
