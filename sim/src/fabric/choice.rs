//! Which of several links of equal cost a packet takes.

use super::hash;
use crate::seed;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// How switches choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// By a hash of the five-tuple: a flow keeps its link.
    Ecmp,
    /// By chance, packet by packet.
    Spray,
    /// In turn, packet by packet.
    RoundRobin,
    /// The shortest queue, by chance among equal ones, packet by packet.
    Adaptive,
}

/// One switch's choices.
#[derive(Clone, Debug)]
pub(super) struct Chooser {
    routing: Routing,
    /// Of ECMP.
    seed: u32,
    /// Of spraying; apart, for it is long.
    rng: Box<ChaCha8Rng>,
    turn: u32,
}

impl Chooser {
    pub(super) fn new(routing: Routing, seed: u64, switch: u32) -> Self {
        let mut rng = Box::new(seed::stream(seed, "spray", switch.into()));
        let turn = rng.gen();
        Self { routing, seed: hash::switch_seed(seed, switch, 0), rng, turn }
    }

    /// New seed of the hash.
    pub(super) fn rehash(&mut self, seed: u64, switch: u32, times: u32) {
        self.seed = hash::switch_seed(seed, switch, times);
    }

    /// Index of the one of `links`, 2 or more, that a packet of a flow takes; `backlog` is what stands before
    /// a link.
    #[inline]
    pub(super) fn choose(&mut self, links: &[u32], flow: u32, backlog: impl Fn(u32) -> u64) -> usize {
        match self.routing {
            Routing::Ecmp => hash::choose(hash::at_switch(self.seed, flow), links.len()),
            Routing::Spray => self.rng.gen_range(0..links.len()),
            Routing::RoundRobin => {
                self.turn = self.turn.wrapping_add(1);
                self.turn as usize % links.len()
            }
            Routing::Adaptive => self.shortest(links, backlog),
        }
    }

    fn shortest(&mut self, links: &[u32], backlog: impl Fn(u32) -> u64) -> usize {
        let (mut found, mut least, mut equal) = (0, u64::MAX, 0);
        for (index, &link) in links.iter().enumerate() {
            let here = backlog(link);
            if here < least {
                (found, least, equal) = (index, here, 1);
            } else if here == least {
                // The n-th of equal ones takes the place of the last with a chance of 1 / n: all have the
                // same in the end.
                equal += 1;
                if self.rng.gen_range(0..equal) == 0 {
                    found = index;
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINKS: [u32; 4] = [3, 5, 8, 9];

    fn counts(routing: Routing, packets: u32, backlog: impl Fn(u32) -> u64) -> [u32; 4] {
        let mut chooser = Chooser::new(routing, 1, 2);
        let mut counts = [0; 4];
        for _ in 0..packets {
            counts[chooser.choose(&LINKS, 77, &backlog)] += 1;
        }
        counts
    }

    #[test]
    fn ecmp_keeps_a_flow_on_its_link_until_it_is_hashed_anew() {
        assert!(counts(Routing::Ecmp, 100, |_| 0).contains(&100));
        let mut chooser = Chooser::new(Routing::Ecmp, 1, 2);
        let choices: Vec<_> = (0..64)
            .map(|times| {
                chooser.rehash(1, 2, times);
                chooser.choose(&LINKS, 77, |_| 0)
            })
            .collect();
        assert!((0..4).all(|index| choices.contains(&index)), "{choices:?}");
    }

    #[test]
    fn packets_that_are_sprayed_load_every_link_alike() {
        // 10,000 each, deviation sqrt(40,000 * 3) / 4 = 87.
        for count in counts(Routing::Spray, 40_000, |_| 0) {
            assert!(count.abs_diff(10_000) < 5 * 87, "{count}");
        }
        assert_eq!(counts(Routing::RoundRobin, 40_000, |_| 0), [10_000; 4]);
    }

    #[test]
    fn the_shortest_queue_is_taken_and_equal_ones_alike() {
        let one = counts(Routing::Adaptive, 1_000, |link| u64::from(link.abs_diff(8)));
        assert_eq!(one, [0, 0, 1_000, 0]);
        let [none, first, second, third] = counts(Routing::Adaptive, 30_000, |link| u64::from(link == 3));
        assert_eq!(none, 0);
        for count in [first, second, third] {
            assert!(count.abs_diff(10_000) < 5 * 82, "{count}");
        }
    }
}
