//! Heddle's hosts on small fabrics: what arrives, when, and what becomes of every packet.

use heddle_sim::fabric::background::Background;
use heddle_sim::fabric::fault::{Fault, Faults};
use heddle_sim::fabric::loss::Model;
use heddle_sim::fabric::mark::Marking;
use heddle_sim::fabric::topology::{Cable, FatTree, Ratio, Single, Size, Topology};
use heddle_sim::fabric::{Fabric, FabricConfig, Losses, Place, Routing};
use heddle_sim::heddle::{Constants, Heddle, HeddleConfig, Pair};
use heddle_sim::outcome::Outcome;
use heddle_sim::seed;
use heddle_sim::time::{Ps, Rate};
use heddle_sim::traffic::{patterns, Message, Schedule};
use heddle_sim::world::{Watch, World};

const SEED: u64 = 11;

fn rate() -> Rate {
    Rate::new(100_000_000_000).expect("a rate")
}

fn cable() -> Cable {
    Cable { rate: rate(), delay: Ps::from_ns(500) }
}

fn config() -> FabricConfig {
    FabricConfig {
        buffer_bytes: 1_000_000,
        queues: None,
        drain: None,
        routing: Routing::Ecmp,
        nic_bytes: 1 << 20,
        marking: Marking::Threshold { bytes: 100_000 },
        losses: Vec::new(),
        dst_port: 54_791,
    }
}

fn run(topology: Topology, paths: u32, messages: Vec<Message>) -> Outcome {
    run_with(topology, paths, messages, &config(), &[], Watch::default())
}

fn run_with(
    topology: Topology,
    paths: u32,
    messages: Vec<Message>,
    config: &FabricConfig,
    faults: &[(Ps, Fault)],
    watch: Watch,
) -> Outcome {
    let hosts = topology.hosts;
    let heddle = HeddleConfig {
        planes: topology.planes,
        rate: rate(),
        slow: None,
        drain: None,
        paths,
        slice_log2: 12,
        rtt0: Ps::from_us(10),
        small_packets: 4,
        fixed_window: None,
        constants: Constants::default(),
    };
    let mut pairs: Vec<Pair> = messages
        .iter()
        .map(|message| (message.host.min(message.peer), message.host.max(message.peer)))
        .map(|(a, b)| Pair { a, b, connections: 1 })
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let endpoints = Heddle::fabric(hosts, &pairs, &heddle, SEED).expect("hosts");
    let faults = Faults::new(&topology, faults, Ps::from_us(50)).expect("faults");
    let fabric = Fabric::new(topology, config, SEED).expect("a fabric");
    let schedule = Schedule::new(messages, hosts).expect("traffic");
    let mut world = World::new(fabric, endpoints, schedule, faults, Background::default(), watch);
    world.run(Ps::from_us(100_000));
    let outcome = world.outcome();
    assert!(outcome.packets.is_conserved(), "{:?}", outcome.packets);
    outcome
}

/// A packet of 1,000 bytes: 1,000 + 48 + 16 + 4 + 8 + 20 + 14 + 24 on the wire, twice, and two cables.
#[test]
fn a_packet_alone_takes_serialization_and_propagation_to_the_picosecond() {
    let topology = Single { hosts: 2, planes: 1, edge: cable() }.build().expect("a switch");
    let outcome = run(topology, 4, vec![patterns::write(0, 1, 1_000)]);
    let wire = 1_000 + 32 + 16 + 4 + 8 + 20 + 14 + 24;
    assert_eq!(outcome.duration_ps, 2 * (wire * 80 + 500_000));
    assert_eq!((outcome.delivered, outcome.failed, outcome.transport.data_sent), (1, 0, 1));
}

#[test]
fn everything_arrives_once_and_every_packet_is_accounted_for() {
    let (hosts, bytes) = (16, 300_000);
    let size = Size::Hosts(hosts);
    let tree = FatTree {
        size,
        oversubscription: Ratio::FULL,
        planes: 2,
        edge: cable(),
        aggregation: cable(),
        core: cable(),
    };
    let rng = &mut seed::stream(SEED, "traffic", 0);
    let all = [
        patterns::permutation(hosts, bytes, rng),
        patterns::all_to_all(hosts, 20_000),
        patterns::ring_all_reduce(hosts, bytes / hosts),
        patterns::tree_all_reduce(hosts, bytes),
        patterns::incast(hosts - 1, bytes),
        patterns::reads(hosts, 2, hosts - 1, bytes),
    ];
    for messages in all {
        let (count, sum) = (messages.len() as u64, messages.iter().map(|m| u64::from(m.bytes)).sum::<u64>());
        let outcome = run(tree.build().expect("a tree"), 8, messages);
        assert_eq!((outcome.delivered, outcome.failed, outcome.delivered_bytes), (count, 0, sum));
        assert_eq!(outcome.packets.drops.values().sum::<u64>(), 0);
        // Nothing is lost, so nothing is found lost: only a timer may be hasty.
        assert!(outcome.transport.data_resent <= outcome.transport.expiries, "{:?}", outcome.transport);
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run = || {
        let topology = Single { hosts: 9, planes: 1, edge: cable() }.build().expect("a switch");
        run(topology, 4, patterns::permutation(9, 500_000, &mut seed::stream(SEED, "traffic", 0)))
    };
    assert_eq!(run(), run());
}

/// One packet in ten is lost on its way, ACKs too; most of what is left is found missing by evidence.
#[test]
fn what_is_lost_is_sent_again_and_counted() {
    let edge = Cable { delay: Ps::from_us(2), ..cable() };
    let topology = Single { hosts: 4, planes: 2, edge }.build().expect("a switch");
    let losses = vec![Losses { place: Place::Uplinks, model: Model::Bernoulli { loss: 0.1 }, corrupt: 0.01 }];
    let config = FabricConfig { losses, ..config() };
    let messages = patterns::all_to_all(4, 3_000_000);
    let outcome = run_with(topology, 4, messages, &config, &[], Watch::default());
    assert_eq!((outcome.delivered, outcome.failed, outcome.delivered_bytes), (12, 0, 36_000_000));
    let lost = outcome.packets.drops["chance"] as f64 / outcome.packets.sent as f64;
    let corrupt = outcome.packets.drops["corrupt"] as f64 / outcome.packets.sent as f64;
    assert!((0.09..0.11).contains(&lost) && (0.007..0.012).contains(&corrupt), "{:?}", outcome.packets);
    let transport = outcome.transport;
    assert!(transport.data_resent > 800 && transport.expiries * 20 < transport.data_resent, "{transport:?}");
    assert!(transport.duplicates <= transport.expiries, "{transport:?}");
}

#[test]
fn a_plane_that_fails_and_returns_costs_no_message_and_its_load_returns() {
    let topology = Single { hosts: 3, planes: 4, edge: cable() }.build().expect("a switch");
    let faults = [(Ps::from_us(300), Fault::PlaneDown(2)), (Ps::from_us(900), Fault::PlaneUp(2))];
    let watch = Watch { interval: Some(Ps::from_us(50)), senders: vec![(0, 1)] };
    let outcome = run_with(topology, 16, vec![patterns::write(0, 1, 80_000_000)], &config(), &faults, watch);
    assert_eq!((outcome.delivered, outcome.failed), (1, 0));
    assert!(outcome.packets.drops["link"] > 0);
    let plane =
        |plane: usize, from: usize, to: usize| outcome.plane_bytes[plane][from..to].iter().sum::<u64>();
    let of_four = |from, to| (0..4).map(|p| plane(p, from, to)).collect::<Vec<_>>();
    let (before, during, after) = (of_four(2, 6), of_four(8, 18), of_four(22, 30));
    let share = |bytes: &[u64]| bytes[2] as f64 / bytes.iter().sum::<u64>() as f64;
    assert!((0.23..0.27).contains(&share(&before)), "{before:?}");
    assert_eq!(during[2], 0, "{during:?}");
    assert!((0.2..0.27).contains(&share(&after)), "{after:?}");
    // What is left is used: 3 x 98 % x 100 Gb/s, 4,096 of 4,214 bytes.
    let used = during.iter().sum::<u64>() as f64 / 500e-6 * 8.0 / 300e9;
    // 3 x 98 % x 100 Gb/s, 4,096 of 4,214 bytes, are 0.952.
    assert!(used > 0.95, "{used} of the planes that are left");
}
