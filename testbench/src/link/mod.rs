//! The network between cores: planes that queue, mark, delay, lose, duplicate, reorder and corrupt whole frames,
//! and that die and come back.
//!
//! Deterministic per seed; time is an argument, in clock cycles of the core. What happened to each frame is
//! returned to the caller, who writes captures and judges resends with it: the cores never see it.

mod config;
mod fate;
mod mark;
mod outage;
mod queue;

pub use config::{LinkConfig, LinkConfigError, Probability, QueueLimits, Rates};
pub use fate::{Fate, Loss, Sent};
pub use outage::{Outages, PlaneEvent};

use heddle_wire::net::{ETHERTYPE_IPV4, ETHERTYPE_VLAN};
use heddle_wire::PacketType;
use mark::is_ect;
use queue::{Passage, Queue};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Bytes on the wire beside a frame: preamble 8, FCS 4, gap 12. Source: IEEE 802.3.
pub const ETHERNET_OVERHEAD: u64 = 24;

/// One direction of the network: what is sent on a plane shares the plane's queue.
#[derive(Debug)]
pub struct Link {
    config: LinkConfig,
    rng: ChaCha8Rng,
    flying: BinaryHeap<Reverse<Arrival>>,
    sent: u64,
    /// One per plane, and the cycle in which a frame was put into it last.
    queues: Vec<(Queue, u64)>,
}

/// A frame on its way, ordered by arrival, then by the order in which it was sent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrival {
    /// Cycle in which the first byte is there.
    pub at: u64,
    /// Number of the transmission in this direction, from 0; a duplicate has its original's.
    pub number: u64,
    /// Plane it travels on.
    pub plane: u8,
    /// The frame, without FCS.
    pub frame: Vec<u8>,
}

impl Link {
    /// An empty network; equal `rng` and calls give equal fates.
    pub fn new(config: LinkConfig, rng: ChaCha8Rng) -> Self {
        let queues = vec![(Queue::default(), 0); config.delays().len()];
        Self { config, rng, flying: BinaryHeap::new(), sent: 0, queues }
    }

    /// The same with a seed of its own.
    pub fn seeded(config: LinkConfig, seed: u64) -> Self {
        Self::new(config, ChaCha8Rng::seed_from_u64(seed))
    }

    /// Takes a frame whose last byte left the core at cycle `now` and decides its fate. Calls are in order of
    /// `now`. None when there is no such plane.
    pub fn send(&mut self, now: u64, plane: u8, frame: Vec<u8>, kind: PacketType) -> Option<Sent> {
        let delay = *self.config.delays().get(usize::from(plane))?;
        let rates = *self.config.rates();
        let number = self.sent;
        self.sent += 1;
        // Every frame takes the same number of random words, so that one rate can change and the other fates
        // stay.
        let [lost, flip, late, twice, bit, span] = std::array::from_fn(|_| self.rng.next_u64());
        let loss = match kind {
            PacketType::Ack | PacketType::Nak => rates.ack_loss,
            PacketType::Data | PacketType::Probe | PacketType::Reset => rates.loss,
        };
        let outages = self.config.outages();
        let (queue, last) = &mut self.queues[usize::from(plane)];
        if outages.hit(plane, *last, now) {
            queue.clear();
        }
        let dead = outages.hit(plane, now, now);
        let passage = if dead {
            Passage { leaves_at: now, full: false, marked: false }
        } else {
            *last = now;
            queue.enter(&self.config, now, frame.len())
        };
        let extra = 1 + below(span, LinkConfig::REORDER_SPAN);
        let late = if rates.reorder.hits(late) { extra } else { 0 };
        let at = passage.leaves_at + delay + late;
        let lost = match (loss.hits(lost), dead || outages.hit(plane, now, at)) {
            _ if passage.full => Some(Loss::Buffer),
            (_, true) => Some(Loss::Plane),
            (true, false) => Some(Loss::Chance),
            (false, false) => None,
        };
        let mut frame = frame;
        let fate = Fate {
            lost,
            flipped: rates.corrupt.hits(flip).then(|| covered_bit(&frame, bit)).flatten(),
            late,
            doubled: rates.duplicate.hits(twice) && !outages.hit(plane, now, at + extra),
            marked: passage.marked && is_ect(&frame),
        };
        if fate.lost.is_none() {
            fate.apply(&mut frame);
            let arrival = Arrival { at, number, plane, frame };
            if fate.doubled {
                self.flying.push(Reverse(Arrival { at: at + extra, ..arrival.clone() }));
            }
            self.flying.push(Reverse(arrival));
        }
        Some(Sent { number, fate, arrives_at: at })
    }

    /// The next frame that has arrived by `now`.
    #[inline]
    pub fn receive(&mut self, now: u64) -> Option<Arrival> {
        if self.next_arrival()? > now {
            return None;
        }
        self.flying.pop().map(|arrival| arrival.0)
    }

    /// When the next frame arrives.
    #[inline]
    pub fn next_arrival(&self) -> Option<u64> {
        self.flying.peek().map(|first| first.0.at)
    }

    /// Frames on their way, copies counted.
    pub fn in_flight(&self) -> usize {
        self.flying.len()
    }

    /// Frames sent.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Most bytes that have stood in a plane's queue, plane by plane; 0 where planes have no speed.
    pub fn peaks(&self) -> impl Iterator<Item = u64> + '_ {
        self.queues.iter().map(|(queue, _)| queue.peak())
    }
}

/// A number below `limit` from 64 random bits.
fn below(random: u64, limit: u64) -> u64 {
    ((u128::from(random) * u128::from(limit)) >> 64) as u64
}

/// A bit of the UDP payload, transport header to ICRC: what the ICRC answers for. Faults below are the FCS's
/// to find.
fn covered_bit(frame: &[u8], random: u64) -> Option<usize> {
    let word = |at: usize| frame.get(at..at + 2).map(|b| u16::from_be_bytes([b[0], b[1]]));
    let tag = if word(12)? == ETHERTYPE_VLAN { 4 } else { 0 };
    let ip = if word(12 + tag)? == ETHERTYPE_IPV4 { 20 } else { 40 };
    let start = 14 + tag + ip + 8;
    let bytes = frame.len().checked_sub(start).filter(|&bytes| bytes > 0)?;
    Some(8 * start + below(random, 8 * bytes as u64) as usize)
}

#[cfg(test)]
mod tests;
