//! Traffic that clusters have.

use super::Message;
use crate::endpoint::Verb;
use crate::packet::Host;
use crate::time::Ps;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// A WRITE of a host to a peer, at the start.
pub fn write(host: Host, peer: Host, bytes: u32) -> Message {
    Message { host, peer, connection: 0, verb: Verb::Write, bytes, at: Ps::ZERO, after: Vec::new() }
}

/// Everybody sends to one other, and receives from one: a random permutation without fixed points.
pub fn permutation(hosts: u32, bytes: u32, rng: &mut ChaCha8Rng) -> Vec<Message> {
    // A random cycle through all hosts is a permutation in which nobody sends to itself.
    let mut order: Vec<Host> = (0..hosts).collect();
    order.shuffle(rng);
    let next = order.iter().cycle().skip(1);
    order.iter().zip(next).map(|(&host, &peer)| write(host, peer, bytes)).collect()
}

/// Hosts 1 to `senders` send to host 0.
pub fn incast(senders: u32, bytes: u32) -> Vec<Message> {
    (1..=senders).map(|host| write(host, 0, bytes)).collect()
}

/// The first `readers` hosts read, each from the `fan_in` hosts behind it.
pub fn reads(hosts: u32, readers: u32, fan_in: u32, bytes: u32) -> Vec<Message> {
    let read = move |host, step| Message { verb: Verb::Read, ..write(host, (host + step) % hosts, bytes) };
    (0..readers).flat_map(|host| (1..=fan_in).map(move |step| read(host, step))).collect()
}

/// Everybody sends to everybody else, all at once; each begins with its successor, so nobody is everybody's first.
pub fn all_to_all(hosts: u32, bytes: u32) -> Vec<Message> {
    let peers = |host| (1..hosts).map(move |step| write(host, (host + step) % hosts, bytes));
    (0..hosts).flat_map(peers).collect()
}

/// Ring all-reduce: 2 (n - 1) steps, reduce-scatter and then all-gather, of `part` bytes each: 1/n of a host's buffer. What a host sends
/// in a step is what it received in the one before.
pub fn ring_all_reduce(hosts: u32, part: u32) -> Vec<Message> {
    let steps = 2 * (hosts - 1);
    let message = |step: u32, host: Host| {
        let from = (host + hosts - 1) % hosts;
        let after = step.checked_sub(1).map(|before| before * hosts + from);
        Message { after: after.into_iter().collect(), ..write(host, (host + 1) % hosts, part) }
    };
    (0..steps).flat_map(|step| (0..hosts).map(move |host| message(step, host))).collect()
}

/// Tree all-reduce of `bytes` per host over a binary tree with host 0 at its root: everybody sends up what it has when both children's
/// have come, then the result goes down.
pub fn tree_all_reduce(hosts: u32, bytes: u32) -> Vec<Message> {
    // Message host - 1 is that of a host to its parent, message hosts - 2 + host the one back.
    let up = |host: Host| host - 1;
    let down = |host: Host| hosts - 2 + host;
    let children = |host: Host| [2 * host + 1, 2 * host + 2].into_iter().filter(move |child| *child < hosts);
    let upwards = (1..hosts).map(|host| Message {
        after: children(host).map(up).collect(),
        ..write(host, (host - 1) / 2, bytes)
    });
    let downwards = (1..hosts).map(|host| {
        let parent = (host - 1) / 2;
        let after = match parent {
            0 => children(0).map(up).collect(),
            parent => vec![down(parent)],
        };
        Message { after, ..write(parent, host, bytes) }
    });
    upwards.chain(downwards).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::Schedule;
    use std::collections::HashSet;

    fn hosts_of(messages: &[Message]) -> HashSet<(Host, Host)> {
        messages.iter().map(|message| (message.host, message.peer)).collect()
    }

    #[test]
    fn in_a_permutation_everybody_sends_once_and_receives_once() {
        for hosts in [2, 3, 128] {
            let messages = permutation(hosts, 9, &mut crate::seed::stream(3, "traffic", 0));
            let (from, to): (HashSet<_>, HashSet<_>) = hosts_of(&messages).into_iter().unzip();
            assert_eq!(
                (messages.len(), from.len(), to.len()),
                (hosts as usize, hosts as usize, hosts as usize)
            );
            Schedule::new(messages, hosts).unwrap();
        }
    }

    #[test]
    fn all_to_all_has_every_pair_once() {
        let messages = all_to_all(5, 1);
        assert_eq!((messages.len(), hosts_of(&messages).len()), (20, 20));
        Schedule::new(messages, 5).unwrap();
    }

    /// Every host's part has gone around the ring twice but for one step: 2 (n - 1) / n of the bytes per host.
    #[test]
    fn a_ring_moves_the_bytes_that_theory_says_in_steps_that_wait_for_each_other() {
        let messages = ring_all_reduce(8, 1_000);
        let bytes: u64 = messages.iter().map(|message| u64::from(message.bytes)).sum();
        assert_eq!((messages.len(), bytes), (8 * 14, 8 * 14_000));
        let mut schedule = Schedule::new(messages, 8).unwrap();
        assert_eq!(schedule.roots().count(), 8);
        // Steps are whole: those of step 1 start when those of step 0 are delivered.
        let mut freed = Vec::new();
        (0..8).for_each(|message| schedule.delivered(message, |next| freed.push(next)));
        freed.sort_unstable();
        assert_eq!(freed, (8..16).collect::<Vec<_>>());
    }

    #[test]
    fn a_tree_sums_up_and_hands_down() {
        for hosts in [2, 3, 7, 64] {
            let messages = tree_all_reduce(hosts, 100);
            assert_eq!(messages.len(), 2 * (hosts as usize - 1));
            let mut schedule = Schedule::new(messages, hosts).unwrap();
            let mut ready: Vec<u32> = schedule.roots().collect();
            assert!(ready.iter().all(|&message| 2 * (message + 1) + 1 >= hosts), "only leaves start");
            let mut order = Vec::new();
            while let Some(message) = ready.pop() {
                order.push(message);
                schedule.delivered(message, |next| ready.push(next));
            }
            let ups = order.iter().take_while(|message| **message < hosts - 1).count();
            assert_eq!((ups, order.len()), (hosts as usize - 1, 2 * (hosts as usize - 1)));
        }
    }
}
