//! Heddle's hosts on small fabrics: what arrives, when, and what becomes of every packet.

use heddle_sim::fabric::topology::{Cable, FatTree, Ratio, Single, Size};
use heddle_sim::fabric::{Fabric, SwitchConfig};
use heddle_sim::heddle::{Heddle, HeddleConfig, Pair};
use heddle_sim::outcome::Outcome;
use heddle_sim::seed;
use heddle_sim::time::{Ps, Rate};
use heddle_sim::traffic::{patterns, Message, Schedule};
use heddle_sim::world::{Watch, World};

const SEED: u64 = 11;
const SWITCH: SwitchConfig = SwitchConfig { buffer_bytes: 1_000_000, ecn_bytes: Some(100_000) };

fn rate() -> Rate {
    Rate::new(100_000_000_000).expect("a rate")
}

fn cable() -> Cable {
    Cable { rate: rate(), delay: Ps::from_ns(500) }
}

fn run(topology: heddle_sim::fabric::topology::Topology, paths: u32, messages: Vec<Message>) -> Outcome {
    let hosts = topology.hosts;
    let config = HeddleConfig {
        planes: topology.planes,
        rate: rate(),
        paths,
        slice_log2: 12,
        rtt0: Ps::from_us(10),
        small_packets: 4,
        fixed_window: None,
    };
    let mut pairs: Vec<Pair> = messages
        .iter()
        .map(|message| (message.host.min(message.peer), message.host.max(message.peer)))
        .map(|(a, b)| Pair { a, b, connections: 1 })
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let endpoints = Heddle::fabric(hosts, &pairs, &config, SEED).expect("hosts");
    let fabric = Fabric::new(topology, &SWITCH, 1 << 20, 54_791, SEED);
    let schedule = Schedule::new(messages, hosts).expect("traffic");
    let mut world = World::new(fabric, endpoints, schedule, Watch::default());
    world.run(Ps::from_us(100_000));
    world.outcome()
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
        patterns::ring_all_reduce(hosts, bytes),
        patterns::tree_all_reduce(hosts, bytes),
        patterns::incast(hosts - 1, bytes, Ps::from_us(5), rng),
        patterns::reads(hosts - 1, bytes),
    ];
    for messages in all {
        let (count, sum) = (messages.len() as u64, messages.iter().map(|m| u64::from(m.bytes)).sum::<u64>());
        let outcome = run(tree.build().expect("a tree"), 8, messages);
        assert_eq!((outcome.delivered, outcome.failed, outcome.delivered_bytes), (count, 0, sum));
        assert!(outcome.packets.is_conserved(), "{:?}", outcome.packets);
        assert_eq!(outcome.packets.drops.values().sum::<u64>(), 0);
        // Nothing is lost, so nothing is found lost: only a timer may be hasty.
        assert!(outcome.transport.data_resent <= outcome.transport.expiries, "{:?}", outcome.transport);
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run = || {
        let topology = Single { hosts: 9, planes: 1, edge: cable() }.build().expect("a switch");
        run(topology, 4, patterns::incast(8, 500_000, Ps::from_us(5), &mut seed::stream(SEED, "traffic", 0)))
    };
    assert_eq!(run(), run());
}
