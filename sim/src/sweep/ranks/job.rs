//! The ranks of an MPI job. Only the main thread speaks to MPI.

use super::link::Link;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, MatchedReceiveVec, Root, Source};
use mpi::Threading;
use signal_hook::consts::SIGTERM;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// This process as a rank of a job, which ends when this is dropped at every rank.
pub struct Job {
    world: SimpleCommunicator,
    beside: usize,
    is_ending: Arc<AtomicBool>,
    // Dropped last: what is above is of it.
    _universe: Universe,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Job({} of {})", self.rank(), self.size())
    }
}

impl Job {
    /// Joins the job; none where this process is the only one of it, or has joined before.
    pub fn join() -> Option<Self> {
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        let world = universe.world();
        if world.size() == 1 {
            return None;
        }
        let beside = world.split_shared(world.rank()).size() as usize;
        // A launcher sends this to all when one of them has died.
        let is_ending = Arc::default();
        let heard = signal_hook::flag::register(SIGTERM, Arc::clone(&is_ending));
        heard.is_ok().then_some(Self { world, beside, is_ending, _universe: universe })
    }
}

impl Link for Job {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn size(&self) -> usize {
        self.world.size() as usize
    }

    fn beside(&self) -> usize {
        self.beside
    }

    fn heard_of_first(&self, word: bool) -> bool {
        let mut heard = word;
        self.world.process_at_rank(0).broadcast_into(&mut heard);
        heard
    }

    fn hear(&self) -> Option<(usize, Vec<u8>)> {
        let message = self.world.any_process().immediate_matched_probe()?;
        let (bytes, status) = message.matched_receive_vec();
        Some((status.source_rank() as usize, bytes))
    }

    fn answer(&self, rank: usize, bytes: &[u8]) {
        self.world.process_at_rank(rank as i32).send(bytes);
    }

    fn ask(&self, bytes: &[u8]) -> Vec<u8> {
        let first = self.world.process_at_rank(0);
        first.send(bytes);
        first.receive_vec().0
    }

    fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::Relaxed)
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        // The others would wait for ever for a rank that has a fault.
        if std::thread::panicking() {
            self.world.abort(1);
        }
    }
}
