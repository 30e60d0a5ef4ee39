//! All points of a plan, on all cores; what is finished is on disk at once and is not run again.

mod ranks;
mod store;

pub use ranks::Ranks;
pub use store::{program_version, Store};

use crate::outcome::Outcome;
use crate::plan::Point;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::fmt::Display;
use std::io;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// A sweep that did not come to its end; points that were finished are kept.
#[derive(Debug, Error)]
pub enum SweepError {
    /// A point could not be run.
    #[error("point {point}: {error}")]
    Run {
        /// Its name.
        point: String,
        /// What its run said.
        error: String,
    },
    /// A result could not be kept.
    #[error("cannot write {}: {error}; free the place or name another", path.display())]
    Store {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A rank could not do its part.
    #[error("rank {rank}: {error}")]
    Rank {
        /// Which.
        rank: usize,
        /// What it said.
        error: String,
    },
    /// There are no threads to run it on.
    #[error("cannot start {threads} threads: {error}")]
    Threads {
        /// How many were asked for; 0 for one per core.
        threads: usize,
        /// Why.
        error: String,
    },
}

/// How a sweep is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Where finished points are kept and found again.
    pub store: Option<&'a Store>,
    /// 0 is one for each core.
    pub threads: usize,
}

/// Runs all points and returns their outcomes in the order of the points: the same for any number of threads.
/// A progress bar is shown where standard error is a terminal.
///
/// # Errors
/// The first point, in the order of the points, that failed. No new point is begun after that.
pub fn run<E, F>(points: &[Point], options: &Options<'_>, run: F) -> Result<Vec<Outcome>, SweepError>
where
    E: Display,
    F: Fn(&Point) -> Result<Outcome, E> + Sync,
{
    let threads = options.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|e| SweepError::Threads { threads, error: e.to_string() })?;
    let bar = bar(points.len());
    let stop = AtomicBool::new(false);
    let one = |point: &Point| {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let done = finish(point, options.store, &run);
        if done.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        bar.set_message(point.name().to_owned());
        bar.inc(1);
        Some(done)
    };
    let done: Vec<_> = pool.install(|| points.par_iter().with_max_len(1).map(one).collect());
    bar.finish_and_clear();
    // A point that was not begun stands beside one that failed, which ends this.
    let (failed, rest): (Vec<_>, Vec<_>) = done.into_iter().flatten().partition(Result::is_err);
    failed.into_iter().chain(rest).collect()
}

/// The outcome of a point: from the store, or run and put there.
fn finish<E: Display>(
    point: &Point,
    store: Option<&Store>,
    run: impl Fn(&Point) -> Result<Outcome, E>,
) -> Result<Outcome, SweepError> {
    if let Some(outcome) = store.and_then(|store| store.load(point)) {
        return Ok(outcome);
    }
    let failed = |error| SweepError::Run { point: point.name().to_owned(), error };
    // A fault of the program ends this point, and is told with its name, not the process with all that is under way.
    let ran = catch_unwind(AssertUnwindSafe(|| run(point)));
    let ran = ran.map_err(|_| failed("the program has a fault, see above".to_owned()))?;
    let outcome = ran.map_err(|e| failed(e.to_string()))?;
    if let Some(store) = store {
        store.save(point, &outcome)?;
    }
    Ok(outcome)
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

#[cfg(test)]
mod tests;
