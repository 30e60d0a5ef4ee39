//! The processes that share the points of a plan: the ranks of an MPI job, or one process.
//!
//! The first one hands points out, one by one, to whoever is free, and runs some of them itself. It alone
//! reads and writes what is on disk. Threads run points; the main thread of each process is the one that
//! speaks to others.

#[cfg(feature = "mpi")]
mod job;
mod link;

use super::desk::{Desk, Done};
use super::store::hash_of;
use super::{work, Options, SweepError};
use crate::outcome::Outcome;
use crate::plan::Point;
use link::Link;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How long a main thread sleeps before it looks again whether there is something to do.
const NAP: Duration = Duration::from_millis(1);
/// How long the first rank waits, when the launcher ends the job, for the others to say that they are alive.
/// The launcher kills after a second.
const ROLL_CALL: Duration = Duration::from_millis(500);

/// This process among those that share the points.
#[derive(Debug)]
pub struct Ranks(Box<dyn Link>);

/// What another rank says to the first one; each is answered by the number of a point to run, or none.
#[derive(Debug, Serialize, Deserialize)]
enum Word {
    /// A thread is free; what it has done; what plan and program it is of.
    Next { job: String, done: Box<Option<Done>> },
    /// It lives, though the job is being ended.
    Alive,
    /// It does nothing more, and why, if it is not at its end.
    Bye(Option<String>),
}

impl Ranks {
    /// Joins the job, if there is one. A process does it once.
    pub fn begin() -> Self {
        #[cfg(feature = "mpi")]
        if let Some(job) = job::Job::join() {
            return Self(Box::new(job));
        }
        Self(Box::new(link::Alone))
    }

    /// Whether this is the process that reads the results and writes the files.
    pub fn is_first(&self) -> bool {
        self.0.rank() == 0
    }

    /// What the first one says: whether to go on.
    pub fn go_on(&self, ready: bool) -> bool {
        self.0.heard_of_first(ready)
    }

    /// Tells the first process that this one, another, cannot take part, and why.
    pub fn give_up(&self, why: &str) {
        self.say(&Word::Bye(Some(why.to_owned())));
    }

    /// Runs the points on all ranks; every rank calls it with the same points and the `version` of its
    /// program. The outcomes are at the first one, in the order of the points, and the same for any number
    /// of ranks and threads; others get none, and their store is not used. 0 threads are all cores, which
    /// the ranks of a machine share.
    ///
    /// # Errors
    /// At the first process: the first point, in the order of the points, that failed anywhere; no new one
    /// is begun after that. If a rank dies, the launcher ends them all: the first process then says which
    /// point was lost, on standard error, and ends with code 1.
    pub fn run<E, F>(
        &self,
        points: &[Point],
        options: &Options<'_>,
        version: &str,
        run: F,
    ) -> Result<Option<Vec<Outcome>>, SweepError>
    where
        E: Display,
        F: Fn(&Point) -> Result<Outcome, E> + Sync,
    {
        let threads = self.threads(options.threads);
        let job = hash_of(version, points);
        if self.is_first() {
            let desk = Desk::new(points, options.store);
            let next = |done| desk.next(0, done);
            let serve = |_| {
                if let Err(error) = self.serve(&desk, &job) {
                    // Threads are at points that nobody waits for any more.
                    eprintln!("heddle: {error}");
                    std::process::exit(1);
                }
            };
            work(points, threads, run, next, serve)?;
            return desk.close().map(Some);
        }
        let (ask, asked) = mpsc::channel();
        let next = |done: Option<Done>| {
            let (answer, answered) = mpsc::sync_channel(1);
            ask.send((done, answer)).ok()?;
            answered.recv().ok().flatten()
        };
        let worked = work(points, threads, run, next, |threads| self.pass_on(&asked, threads, &job));
        self.say(&Word::Bye(worked.err().map(|e| e.to_string())));
        Ok(None)
    }

    /// Threads of this process.
    fn threads(&self, asked: usize) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        match (asked, self.0.beside()) {
            (0, beside) if beside > 1 => (cores / beside).max(1),
            _ => asked,
        }
    }

    /// Says a word to the first rank; what is not understood of the answer is nothing to run.
    fn say(&self, word: &Word) -> Option<usize> {
        let bytes = serde_json::to_vec(word).unwrap_or_default();
        serde_json::from_slice(&self.0.ask(&bytes)).unwrap_or_default()
    }

    /// Brings what so many threads ask to the first rank, until each of them has been told that there is
    /// nothing.
    fn pass_on(
        &self,
        asked: &mpsc::Receiver<(Option<Done>, mpsc::SyncSender<Option<usize>>)>,
        threads: usize,
        job: &str,
    ) {
        let (mut working, mut is_counted) = (threads, false);
        while working > 0 {
            match asked.recv_timeout(NAP) {
                Ok((done, answer)) => {
                    let number = self.say(&Word::Next { job: job.to_owned(), done: Box::new(done) });
                    working -= usize::from(number.is_none());
                    // The thread waits for it.
                    let _ = answer.send(number);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.0.is_ending() && !is_counted {
                self.say(&Word::Alive);
                is_counted = true;
            }
        }
    }

    /// At the first rank: answers the others until all have said good-bye.
    fn serve(&self, desk: &Desk<'_>, job: &str) -> Result<(), SweepError> {
        let mut here: BTreeSet<usize> = (1..self.0.size()).collect();
        let mut alive = BTreeSet::new();
        let mut ends = None;
        while !here.is_empty() {
            if self.0.is_ending() && ends.is_none() {
                ends = Some(Instant::now() + ROLL_CALL);
            }
            if ends.is_some_and(|end| Instant::now() > end) {
                return Err(lost(desk, &here, &alive));
            }
            let Some((rank, bytes)) = self.0.hear() else {
                std::thread::sleep(NAP);
                continue;
            };
            let mut number = None;
            match serde_json::from_slice(&bytes) {
                Ok(Word::Next { job: its, done }) if its == job => number = desk.next(rank, *done),
                Ok(Word::Next { .. }) => {
                    let why = "has another plan, or another build of the program; give all the same";
                    desk.leaves(rank, Some(why.to_owned()));
                }
                Ok(Word::Alive) => drop(alive.insert(rank)),
                Ok(Word::Bye(why)) => {
                    here.remove(&rank);
                    desk.leaves(rank, why.map(|why| format!("says: {why}")));
                }
                Err(e) => desk.leaves(rank, Some(format!("is not understood: {e}"))),
            }
            self.0.answer(rank, &serde_json::to_vec(&number).unwrap_or_default());
        }
        Ok(())
    }
}

/// What is said when the launcher ends the job.
fn lost(desk: &Desk<'_>, here: &BTreeSet<usize>, alive: &BTreeSet<usize>) -> SweepError {
    let dead: Vec<_> = here.difference(alive).collect();
    dead.iter().for_each(|&&rank| desk.leaves(rank, Some("died".to_owned())));
    let was_lost = desk.first_failure();
    was_lost.unwrap_or(SweepError::Ended)
}

#[cfg(test)]
mod tests;
