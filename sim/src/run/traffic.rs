//! Messages, as a point says.

use super::within;
use crate::packet::Host;
use crate::plan::{Point, Workload};
use crate::seed;
use crate::traffic::{patterns, Message};
use rand_chacha::ChaCha8Rng;

pub(super) fn messages(point: &Point) -> Vec<Message> {
    let (seed, connections) = (point.seed, point.traffic.connections);
    let rng = &mut seed::stream(seed, "traffic", 0);
    let each = |pattern: Vec<Message>, messages: u32, rng: &mut ChaCha8Rng| {
        repeated(pattern, connections, messages, point, rng)
    };
    match point.traffic.workload {
        Workload::RingAllReduce { hosts, bytes, messages } => {
            let part = bytes.div_ceil(hosts.into()) as u32;
            rounds(split(patterns::ring_all_reduce(hosts, part), connections), messages, point, rng)
        }
        Workload::TreeAllReduce { hosts, bytes, messages } => {
            rounds(split(patterns::tree_all_reduce(hosts, bytes as u32), connections), messages, point, rng)
        }
        Workload::AllToAll { hosts, bytes, messages } => {
            each(patterns::all_to_all(hosts, bytes), messages, rng)
        }
        Workload::Permutation { hosts, bytes, messages } => {
            each(patterns::permutation(hosts, bytes, rng), messages, rng)
        }
        Workload::Incast { senders, bytes, messages } => {
            each(patterns::incast(senders, bytes), messages, rng)
        }
        Workload::Reads { hosts, readers, fan_in, bytes, messages } => {
            each(patterns::reads(hosts, readers, fan_in, bytes), messages, rng)
        }
        Workload::Trace(ref listed) => {
            let message = |one: &crate::plan::TraceMessage| Message {
                at: one.at,
                verb: one.verb,
                ..patterns::write(one.host, one.peer, one.bytes)
            };
            listed.iter().map(message).collect()
        }
    }
}

/// Each message on every connection of its pair, as often as asked for; the first ones at a moment drawn, the others behind them.
fn repeated(
    pattern: Vec<Message>,
    connections: u16,
    times: u32,
    point: &Point,
    rng: &mut ChaCha8Rng,
) -> Vec<Message> {
    let mut messages = Vec::new();
    for message in pattern {
        for connection in 0..connections {
            let at = within(point.traffic.spread, rng);
            let one = Message { connection, at, ..message.clone() };
            messages.extend(std::iter::repeat_n(one, times as usize));
        }
    }
    messages
}

/// Each message in parts over all connections of its pair; who waits for it waits for all of them.
fn split(pattern: Vec<Message>, connections: u16) -> Vec<Message> {
    let count = u32::from(connections);
    let parts = |message: Message| {
        let after: Vec<u32> =
            message.after.iter().flat_map(|after| after * count..(after + 1) * count).collect();
        let bytes = message.bytes.div_ceil(count);
        (0..connections).map(move |connection| Message {
            connection,
            bytes,
            after: after.clone(),
            ..message.clone()
        })
    };
    pattern.into_iter().flat_map(parts).collect()
}

/// A collective as often as asked for: a host begins the next when it has all of the one before.
fn rounds(pattern: Vec<Message>, times: u32, point: &Point, rng: &mut ChaCha8Rng) -> Vec<Message> {
    let count = pattern.len() as u32;
    let hosts = pattern.iter().map(|message| message.host.max(message.peer)).max().unwrap_or(0) + 1;
    let starts: Vec<_> = (0..hosts).map(|_| within(point.traffic.spread, rng)).collect();
    let mut received: Vec<Vec<u32>> = vec![Vec::new(); hosts as usize];
    for (message, number) in pattern.iter().zip(0..) {
        received[message.receiver() as usize].push(number);
    }
    let of_round = |round: u32, message: &Message| {
        let first = round * count;
        let wait = |host: Host| received[host as usize].iter().map(move |before| first - count + before);
        let after = match (message.after.is_empty(), round) {
            (true, 0) => Vec::new(),
            (true, _) => wait(message.host).collect(),
            (false, _) => message.after.iter().map(|after| first + after).collect(),
        };
        Message { at: starts[message.host as usize], after, ..message.clone() }
    };
    (0..times)
        .flat_map(|round| pattern.iter().map(move |message| of_round(round, message)).collect::<Vec<_>>())
        .collect()
}
