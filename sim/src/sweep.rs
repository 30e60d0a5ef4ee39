//! All points of a plan, on all cores of one or more processes; what is finished is on disk at once and is
//! not run again.

mod desk;
mod ranks;
mod store;

pub use ranks::Ranks;
pub use store::{program_version, Store};

use crate::outcome::Outcome;
use crate::plan::Point;
use desk::{Desk, Done};
use std::fmt::Display;
use std::io;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::PathBuf;
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
    #[error("rank {rank} {error}")]
    Rank {
        /// Which.
        rank: usize,
        /// What became of it.
        error: String,
    },
    /// A job whose ranks are all alive.
    #[error("the job was ended from outside; what is finished is kept with --out")]
    Ended,
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

/// Runs all points in this process and returns their outcomes in the order of the points: the same for any
/// number of threads. A progress bar is shown where standard error is a terminal.
///
/// # Errors
/// The first point, in the order of the points, that failed. No new point is begun after that.
pub fn run<E, F>(points: &[Point], options: &Options<'_>, run: F) -> Result<Vec<Outcome>, SweepError>
where
    E: Display,
    F: Fn(&Point) -> Result<Outcome, E> + Sync,
{
    let desk = Desk::new(points, options.store);
    work(points, options.threads, run, |done| desk.next(0, done), |_| {})?;
    desk.close()
}

/// Runs the points that `next` says on as many threads as asked for, while this one does something else: it
/// is told how many there are. A thread hands `next` what it has done, and ends when there is nothing more.
fn work<E, F>(
    points: &[Point],
    threads: usize,
    run: F,
    next: impl Fn(Option<Done>) -> Option<usize> + Sync,
    meanwhile: impl FnOnce(usize),
) -> Result<(), SweepError>
where
    E: Display,
    F: Fn(&Point) -> Result<Outcome, E> + Sync,
{
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("points {n}"));
    let pool = pool.build().map_err(|e| SweepError::Threads { threads, error: e.to_string() })?;
    let (next, run) = (&next, &run);
    pool.in_place_scope(|scope| {
        for _ in 0..pool.current_num_threads() {
            scope.spawn(move |_| {
                let mut done = None;
                while let Some(number) = next(done.take()) {
                    done = points.get(number).map(|point| (number, attempt(point, run)));
                }
            });
        }
        meanwhile(pool.current_num_threads());
    });
    Ok(())
}

/// A fault of the program ends this point, and is told with its name, not the process with all that is under
/// way.
fn attempt<E: Display>(point: &Point, run: impl Fn(&Point) -> Result<Outcome, E>) -> Result<Outcome, String> {
    match catch_unwind(AssertUnwindSafe(|| run(point))) {
        Ok(ran) => ran.map_err(|e| e.to_string()),
        Err(_) => Err("the program has a fault, see above".to_owned()),
    }
}

#[cfg(test)]
mod tests;
