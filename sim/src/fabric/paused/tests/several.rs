//! Several switches: what pauses do to a network.

use super::network::{Flow, Network, BYTES};
use crate::fabric::paused::{Alpha, Buffers, Headroom, Lossless, Pool};
use crate::fabric::topology::{Cable, LeafSpine, Spines, Topology};
use crate::time::{Ps, Rate};

const XOFF: u64 = 40_000;

fn cable(gbps: u64, delay: Ps) -> Cable {
    Cable { rate: Rate::new(gbps * 1_000_000_000).unwrap(), delay }
}

/// Two leaves of so many hosts, and one spine between them.
fn leaves(hosts_per_leaf: u32, edge: Cable, core: Cable) -> Topology {
    let (hosts, spines, planes) = (2 * hosts_per_leaf, Spines::Count(1), 1);
    LeafSpine { hosts, hosts_per_leaf, spines, planes, edge, core }.build().unwrap()
}

/// The spine has room for two hosts at full rate.
fn topology(hosts_per_leaf: u32) -> Topology {
    leaves(hosts_per_leaf, cable(100, Ps::from_ns(500)), cable(200, Ps::from_us(1)))
}

fn lossless(headroom: Headroom) -> Buffers {
    let lossless = [Some(Lossless { headroom, hysteresis: 2 * u64::from(BYTES) }), None];
    Buffers { classes: 1, pool: Pool::PerPort { bytes: 1, xoff: XOFF }, lossless }
}

fn computed() -> Headroom {
    Headroom::Computed { mtu: BYTES }
}

fn lossy() -> Buffers {
    Buffers { classes: 1, pool: Pool::PerPort { bytes: 100_000, xoff: 1 }, lossless: [None; 2] }
}

fn run(hosts_per_leaf: u32, buffers: Buffers, flows: &[Flow]) -> Network {
    let mut network = Network::new(topology(hosts_per_leaf), buffers, flows);
    network.run();
    network
}

/// Hosts 0 to 3 of one leaf and 4 to 6 of the other send to host 7.
fn incast(packets: u32) -> Vec<Flow> {
    (0..7).map(|src| (src, 7, packets)).collect()
}

/// Part of a line rate of 100 Gb/s that a flow had.
fn part(network: &Network, flow: usize) -> f64 {
    f64::from(network.delivered[flow] * BYTES) * 80.0 / network.last[flow].0 as f64
}

#[test]
fn incast_through_two_switches_loses_nothing_with_the_computed_headroom() {
    let network = run(4, lossless(computed()), &incast(1_000));
    assert_eq!((network.dropped, &network.delivered), (0, &vec![1_000; 7]));
    // Host 7's cable is never idle once the first packet has come to it: everything takes 7,000 packets and a
    // few microseconds.
    let (last, work) = (network.last.iter().max().unwrap().0, 7_000 * 1_500 * 80);
    assert!((work..work + 3_000_000).contains(&last), "{last} ps of {work}");
    // The pause goes from leaf 1 to the spine, to leaf 0, to the hosts of leaf 0: links 20 and 16, cable 8 +
    // leaf.
    let hosts = network.paused((0..4).map(|host| 2 * host));
    let (leaf, spine) = (network.paused([16]), network.paused([19]));
    for (times, time) in [hosts, leaf, spine] {
        assert!(times > 10 && time > Ps::from_us(100), "{times} pauses, {time:?}");
    }
    // Nothing is sent to the senders, so nobody pauses these directions.
    assert_eq!(network.paused([17, 18, 1, 3, 15]), (0, Ps::ZERO));
    assert!(network.frames > 100);
}

#[test]
fn without_pauses_the_same_incast_is_dropped() {
    let network = run(4, lossy(), &incast(1_000));
    assert!(network.dropped > 3_000, "{}", network.dropped);
    assert_eq!(network.frames, 0);
}

#[test]
fn headroom_that_is_too_small_drops() {
    // None, half of what is computed, and what is on the cable without the three packets.
    let full = 3 * 1_500 + 84 + 12_501;
    for (headroom, least) in [(0, 100), (full / 2, 10), (full - 3 * 1_500, 1)] {
        let network = run(4, lossless(Headroom::Bytes(headroom)), &incast(1_000));
        assert!(network.dropped >= least, "{} dropped with {headroom} bytes", network.dropped);
    }
}

#[test]
fn computed_headroom_is_enough_whatever_the_cables_and_with_traffic_both_ways() {
    // Everyone to everyone, host 7 more than the others: pause frames wait behind packets on their way back.
    let all = (0..8).flat_map(|src| (0..8).map(move |dst| (src, dst, if dst == 7 { 300 } else { 40 })));
    let flows: Vec<Flow> = all.filter(|(src, dst, _)| src != dst).collect();
    let mut frames = 0;
    for (edge, core) in [(25, 100), (100, 100), (400, 200), (800, 1_600)] {
        for (near, far) in [(10, 50), (500, 5_000), (3_000, 20_000)] {
            let topology = leaves(4, cable(edge, Ps::from_ns(near)), cable(core, Ps::from_ns(far)));
            let mut network = Network::new(topology, lossless(computed()), &flows);
            network.run();
            assert_eq!(network.dropped, 0, "{edge} and {core} Gb/s, {near} and {far} ns");
            frames += network.frames;
        }
    }
    assert!(frames > 1_000, "{frames}");
}

/// Host 0 and two neighbours of host 7 send to host 7; host 1 sends to host 6, to whom nobody else sends.
const VICTIM: [Flow; 4] = [(0, 7, 2_000), (4, 7, 2_000), (5, 7, 2_000), (1, 6, 500)];

#[test]
fn a_victim_is_held_up_behind_what_is_paused_and_runs_free_where_packets_are_dropped() {
    // 500 packets take 60 us, and the way 3.24 us: cables 3 us, one packet at 100 and two at 200 Gb/s. Host
    // 0's may be before the last.
    let free = run(4, lossy(), &VICTIM).last[3];
    assert!((63_240_000..=63_360_000).contains(&free.0), "{free:?} without pauses");
    // Host 7's cable serves three ingress ports in turn, so the spine may send it a third of its rate. The
    // victim is in the same queue of the spine as what host 0 sends, packet by packet: a third as well,
    // though nobody else wants its own destination.
    let held = part(&run(4, lossless(computed()), &VICTIM), 3);
    assert!((0.32..0.36).contains(&held), "{held} of its rate with pauses");
}

#[test]
fn all_to_all_on_a_tree_ends_whatever_is_paused() {
    let flows: Vec<Flow> = (0..12).flat_map(|src| (0..12).map(move |dst| (src, dst, 60))).collect();
    let flows: Vec<Flow> = flows.into_iter().filter(|(src, dst, _)| src != dst).collect();
    let network = run(6, lossless(computed()), &flows);
    assert_eq!((network.dropped, network.delivered.iter().sum::<u32>()), (0, 12 * 11 * 60));
    assert!(network.frames > 0);
}

#[test]
fn a_shared_buffer_with_dynamic_thresholds_loses_nothing_either() {
    let alpha = Alpha::new(-2).unwrap();
    let pool = Pool::Shared { bytes: 300_000, alpha, xoff: None };
    let network = run(4, Buffers { pool, ..lossless(computed()) }, &incast(1_000));
    assert_eq!((network.dropped, &network.delivered), (0, &vec![1_000; 7]));
    assert!(network.frames > 100);
    // A fixed threshold below what is free pauses earlier: never more stands in a switch.
    let bounded = Pool::Shared { bytes: 300_000, alpha, xoff: Some(10_000) };
    let earlier = run(4, Buffers { pool: bounded, ..lossless(computed()) }, &incast(1_000));
    assert_eq!((earlier.dropped, &earlier.delivered), (0, &vec![1_000; 7]));
    assert!(earlier.longest() < network.longest(), "{} {}", earlier.longest(), network.longest());
    let lossy = run(4, Buffers { pool, ..lossy() }, &incast(1_000));
    assert!(lossy.dropped > 1_000 && lossy.frames == 0);
}
