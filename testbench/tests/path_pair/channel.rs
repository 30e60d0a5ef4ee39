//! One direction of the network: two planes, each FIFO unless told otherwise.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// What the network does.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    /// Share of packets lost.
    pub loss: f64,
    /// Share delayed beyond their turn.
    pub reorder: f64,
    /// Share that comes twice.
    pub duplicate: f64,
    /// Cycles, per plane.
    pub delay: [u64; 2],
}

impl Network {
    /// Two planes of unequal length.
    pub fn clean() -> Self {
        Self { loss: 0.0, reorder: 0.0, duplicate: 0.0, delay: [300, 500] }
    }

    /// The same, losing packets in both directions.
    pub fn lossy(loss: f64) -> Self {
        Self { loss, ..Self::clean() }
    }

    /// ACKs may come in any order without harm; they are not reordered so that the loss rate is the only difference.
    pub fn for_acks(self) -> Self {
        Self { reorder: 0.0, ..self }
    }
}

/// Packets on their way, by arrival and number.
pub struct Channel<T> {
    network: Network,
    rng: ChaCha8Rng,
    flying: BTreeMap<(u64, u64), T>,
    last: [u64; 2],
    number: u64,
}

impl<T: Clone> Channel<T> {
    /// An empty direction.
    pub fn new(network: Network, seed: u64) -> Self {
        let rng = ChaCha8Rng::seed_from_u64(seed);
        Self { network, rng, flying: BTreeMap::new(), last: [0; 2], number: 0 }
    }

    /// Takes a packet; false when it is lost.
    pub fn send(&mut self, cycle: u64, plane: usize, packet: T) -> bool {
        let Network { loss, reorder, duplicate, delay } = self.network;
        let (lost, late, twice) =
            (self.rng.gen_bool(loss), self.rng.gen_bool(reorder), self.rng.gen_bool(duplicate));
        let extra = self.rng.gen_range(1..2_000);
        if lost {
            return false;
        }
        let mut at = (cycle + delay[plane]).max(self.last[plane]);
        if late {
            at += extra;
        } else {
            self.last[plane] = at;
        }
        self.insert(at, packet.clone());
        if twice {
            self.insert(at + extra, packet);
        }
        true
    }

    fn insert(&mut self, at: u64, packet: T) {
        self.number += 1;
        self.flying.insert((at, self.number), packet);
    }

    /// The next packet that is there.
    pub fn receive(&mut self, cycle: u64) -> Option<T> {
        let first = *self.flying.keys().next()?;
        if first.0 > cycle {
            return None;
        }
        self.flying.remove(&first)
    }

    /// Nothing is on its way.
    pub fn is_empty(&self) -> bool {
        self.flying.is_empty()
    }
}
