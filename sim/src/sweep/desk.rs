//! Who takes which point: one after the other, in the order of the plan, to whoever is free.

use super::{Store, SweepError};
use crate::outcome::Outcome;
use crate::plan::Point;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of a point, and its outcome or what its run said.
pub type Done = (usize, Result<Outcome, String>);

/// Hands points out and takes what came of them.
#[derive(Debug)]
pub struct Desk<'a> {
    points: &'a [Point],
    store: Option<&'a Store>,
    bar: ProgressBar,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The first that was not looked at.
    next: usize,
    /// Points that are being run, and the rank that does it.
    away: BTreeMap<usize, usize>,
    outcomes: BTreeMap<usize, Outcome>,
    /// By point; what is of no point comes last.
    failed: BTreeMap<usize, SweepError>,
}

impl<'a> Desk<'a> {
    /// Nothing is done yet but what is in the store.
    pub fn new(points: &'a [Point], store: Option<&'a Store>) -> Self {
        Self { points, store, bar: bar(points.len()), state: Mutex::default() }
    }

    /// Takes what a thread of a rank has done, and says what is to be run next, if there is something.
    pub fn next(&self, rank: usize, done: Option<Done>) -> Option<usize> {
        let done = done.map(|(number, outcome)| (number, self.keep(number, outcome)));
        let mut state = self.state();
        if let Some((number, outcome)) = done {
            state.away.remove(&number);
            self.put(&mut state, number, outcome);
        }
        while state.failed.is_empty() {
            let number = state.next;
            let point = self.points.get(number)?;
            state.next += 1;
            match self.store.and_then(|store| store.load(point)) {
                Some(outcome) => self.put(&mut state, number, Ok(outcome)),
                None => {
                    state.away.insert(number, rank);
                    return Some(number);
                }
            }
        }
        None
    }

    /// A rank does nothing more, for a reason if it was not at its end: the points that it had are lost.
    pub fn leaves(&self, rank: usize, why: Option<String>) {
        let mut state = self.state();
        let (lost, rest) = std::mem::take(&mut state.away).into_iter().partition(|(_, at)| *at == rank);
        state.away = rest;
        let lost: BTreeMap<usize, usize> = lost;
        let why = why.or_else(|| (!lost.is_empty()).then(|| "ended".to_owned()));
        let Some(why) = why else { return };
        let names: Vec<_> = lost.keys().filter_map(|&n| self.points.get(n)).map(Point::name).collect();
        let error = match names.is_empty() {
            true => why,
            false => format!("{why} while it ran point {}", names.join(" and point ")),
        };
        let place = lost.keys().next().copied().unwrap_or(self.points.len());
        state.failed.entry(place).or_insert(SweepError::Rank { rank, error });
    }

    /// The outcomes in the order of the points, when everybody has ended.
    ///
    /// # Errors
    /// The first point, in the order of the points, that failed, or else what a rank could not do.
    pub fn close(self) -> Result<Vec<Outcome>, SweepError> {
        self.bar.finish_and_clear();
        let State { outcomes, failed, .. } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match failed.into_values().next() {
            Some(error) => Err(error),
            None => Ok(outcomes.into_values().collect()),
        }
    }

    /// The first that failed so far.
    pub fn first_failure(&self) -> Option<SweepError> {
        self.state().failed.pop_first().map(|(_, error)| error)
    }

    fn keep(&self, number: usize, outcome: Result<Outcome, String>) -> Result<Outcome, SweepError> {
        let point = &self.points[number];
        let outcome = outcome.map_err(|error| SweepError::Run { point: point.name().to_owned(), error })?;
        self.store.map_or(Ok(()), |store| store.save(point, &outcome))?;
        Ok(outcome)
    }

    fn put(&self, state: &mut State, number: usize, outcome: Result<Outcome, SweepError>) {
        match outcome {
            Ok(outcome) => drop(state.outcomes.insert(number, outcome)),
            Err(error) => drop(state.failed.insert(number, error)),
        }
        self.bar.set_message(self.points[number].name().to_owned());
        self.bar.inc(1);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bar(points: usize) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{wide_bar} {pos}/{len} points, {elapsed}, {eta} left, last {msg}");
    let bar = ProgressBar::new(points as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
