//! The fabric against what can be computed.

mod source;

use heddle_sim::fabric::paused::{Alpha, Buffers, Headroom, Lossless, Pool};
use heddle_sim::fabric::port::{Port, Queued};
use heddle_sim::fabric::topology::{Cable, FatTree, LeafSpine, Node, Ratio, Single, Size, Spines, Topology};
use heddle_sim::fabric::{Drain, FabricConfig, Routing};
use heddle_sim::packet::Class;
use heddle_sim::seed::stream;
use heddle_sim::time::{Ps, Rate};
use rand::Rng;
use source::{fifo, run, Plan};

const SEED: u64 = 5;

fn cable(gbps: u64, ns: u64) -> Cable {
    Cable { rate: Rate::new(gbps * 1_000_000_000).expect("a rate"), delay: Ps::from_ns(ns) }
}

fn plan(at: Ps, src: u32, dst: u32, bytes: u32) -> Plan {
    Plan { at, src, dst, src_port: 0xc000, class: Class::Data, bytes }
}

/// Every kind of port: FIFOs, queues of one and of two classes, shared memory, PFC.
fn kinds() -> Vec<FabricConfig> {
    let bytes = 1 << 20;
    let pools = [
        Pool::PerPort { bytes, xoff: bytes / 2 },
        Pool::Shared { bytes: 8 * bytes, alpha: Alpha::new(0).expect("1"), xoff: None },
    ];
    let lossless = Some(Lossless { headroom: Headroom::Computed { mtu: 9_000 }, hysteresis: 3_000 });
    let mut kinds = vec![fifo(bytes)];
    for (pool, classes, data) in pools.iter().flat_map(|&p| [(p, 1, None), (p, 2, None), (p, 2, lossless)]) {
        let buffers = Buffers { classes, pool, lossless: [data, None] };
        kinds.push(FabricConfig { queues: Some(buffers), ..fifo(bytes) });
    }
    kinds
}

/// Fat tree of 16 hosts whose tiers have rates and delays of their own.
fn tree() -> Topology {
    let (edge, aggregation, core) = (cable(100, 500), cable(200, 700), cable(400, 3_000));
    let (size, oversubscription) = (Size::Radix(4), Ratio::FULL);
    FatTree { size, oversubscription, planes: 1, edge, aggregation, core }.build().expect("a tree")
}

#[test]
fn a_packet_takes_serialization_and_propagation_of_every_cable_to_the_picosecond() {
    // Picoseconds a byte: 80, 40, 20; to a neighbour, in the pod, and across the core.
    let ways = [(1, 2 * 80, 1_000), (3, 2 * 80 + 2 * 40, 2_400), (15, 2 * 80 + 2 * 40 + 2 * 20, 8_400)];
    let mut checked = 0;
    for config in kinds() {
        for (dst, per_byte, ns) in ways {
            for bytes in [84, 1_500, 4_222] {
                let (_, arrived) = run(tree(), &config, &[], &[plan(Ps(777), 0, dst, bytes)], SEED);
                assert_eq!(arrived[0].at, Ps(777 + per_byte * u64::from(bytes) + ns * 1_000));
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 7 * 3 * 3);
}

#[test]
fn a_train_of_packets_comes_out_at_the_pace_of_its_slowest_cable() {
    // Two leaves, one spine; the uplink is a quarter of the hosts' cables.
    let (edge, core, spines) = (cable(100, 500), cable(25, 1_000), Spines::Count(1));
    let shape = LeafSpine { hosts: 4, hosts_per_leaf: 2, spines, planes: 1, edge, core };
    for config in kinds() {
        let plans: Vec<_> = (0..100).map(|_| plan(Ps::ZERO, 0, 3, 1_500)).collect();
        let (_, arrived) = run(shape.build().expect("leaves"), &config, &[], &plans, SEED);
        let first = 1_500 * (80 + 320 + 320 + 80) + 3_000_000;
        let expected: Vec<_> = (0..100).map(|n| (n, Ps(first + n as u64 * 1_500 * 320))).collect();
        let got: Vec<_> = arrived.iter().map(|one| (one.number, one.at)).collect();
        assert_eq!(got, expected);
    }
}

#[test]
fn a_host_that_drains_slowly_takes_packets_in_at_its_own_pace_and_drops_what_has_no_room() {
    let rate = Rate::new(25_000_000_000).expect("a rate");
    let plans: Vec<_> = (0..100).map(|_| plan(Ps::ZERO, 0, 1, 1_500)).collect();
    let shape = Single { hosts: 2, planes: 1, edge: cable(100, 500) };
    // Room for 20: when the last arrives, 99 * 120 ns after the first, 24 and three quarters of one have
    // left: 44 had a place.
    for (bytes, lost) in [(1 << 20, 0), (30_000, 56)] {
        let config = FabricConfig { drain: Some(Drain { rate, bytes }), ..fifo(1 << 20) };
        let (outcome, arrived) = run(shape.build().expect("a switch"), &config, &[], &plans, SEED);
        // Last bit of the first: two cables; then 480 ns each.
        let first = 2 * (120_000 + 500_000);
        for (n, one) in arrived.iter().enumerate() {
            assert_eq!(one.at, Ps(first + (n as u64 + 1) * 480_000));
        }
        assert_eq!((arrived.len() as u64, outcome.packets.drops["host"]), (100 - lost, lost));
    }
}

/// Times between arrivals of a Poisson process: exponential, mean `mean` ps.
fn gap(rng: &mut impl Rng, mean: f64) -> f64 {
    -(1.0 - rng.gen::<f64>()).ln() * mean
}

const LOADS: [f64; 3] = [0.5, 0.8, 0.9];

#[test]
fn a_port_fed_at_random_makes_packets_wait_as_long_as_the_m_d_1_queue() {
    let (rate, bytes) = (Rate::new(100_000_000_000).expect("a rate"), 1_500);
    let service = rate.time_of(bytes).0 as f64;
    for load in LOADS {
        let mut port = Port::new(rate, u64::MAX >> 20);
        let rng = &mut stream(SEED, "poisson", (load * 10.0) as u64);
        let (mut at, mut waited, packets) = (0.0, 0.0, 20_000_000);
        for _ in 0..packets {
            at += gap(rng, service / load);
            let now = Ps(at as u64);
            let Queued::Leaves(leaves) = port.enter(now, bytes as u32) else { panic!("a full buffer") };
            waited += (leaves - now).0 as f64 - service;
        }
        // Pollaczek and Khinchine, service times all alike: rho / (2 * (1 - rho)) of them.
        let (mean, expected) = (waited / f64::from(packets), service * load / (2.0 * (1.0 - load)));
        assert!((mean / expected - 1.0).abs() < 0.02, "{mean} ps at load {load}, {expected} by the formula");
    }
}

#[test]
fn a_switch_fed_at_random_by_many_hosts_makes_packets_wait_exactly_as_long_as_the_port_alone() {
    // 16 hosts whose cables are a hundred times as fast as the one to host 16: what comes together is
    // Poisson.
    let mut topology = Single { hosts: 17, planes: 1, edge: cable(1_000, 100) }.build().expect("a switch");
    let slow = Rate::new(10_000_000_000).expect("a rate");
    let down = topology.uplink(16, 0) as usize + 1;
    topology.links[down].rate = slow;
    let (bytes, packets) = (1_500, 20_000);
    let mut compared = 0;
    for (config, load) in kinds().into_iter().take(3).flat_map(|kind| LOADS.map(|load| (kind.clone(), load)))
    {
        let rng = &mut stream(SEED, "hosts", (load * 10.0) as u64);
        let (mut at, mut plans) = (0.0, Vec::new());
        for _ in 0..packets {
            at += gap(rng, slow.time_of(bytes).0 as f64 / load);
            plans.push(plan(Ps(at as u64), rng.gen_range(0..16), 16, bytes as u32));
        }
        let (outcome, arrived) = run(topology.clone(), &config, &[], &plans, SEED);
        assert_eq!(outcome.packets.delivered, packets);
        // By hand: a host's own port, the cable, the slow port, the cable.
        let mut ports = vec![Port::new(topology.links[0].rate, u64::MAX >> 20); 16];
        let mut there: Vec<_> = (0..plans.len())
            .map(|number| {
                let Plan { at, src, bytes, .. } = plans[number];
                let Queued::Leaves(leaves) = ports[src as usize].enter(at, bytes) else { panic!("full") };
                (leaves + Ps::from_ns(100), number)
            })
            .collect();
        there.sort_unstable();
        let mut port = Port::new(slow, u64::MAX >> 20);
        for (&(at, number), arrived) in there.iter().zip(&arrived) {
            let Queued::Leaves(leaves) = port.enter(at, bytes as u32) else { panic!("full") };
            assert_eq!((arrived.number, arrived.at), (number, leaves + Ps::from_ns(100)));
            compared += 1;
        }
    }
    assert_eq!(compared, 3 * 3 * packets);
}

/// Eight spines whose cables differ in length by a nanosecond each: the time of arrival tells which one a
/// packet took.
fn spines() -> Topology {
    let (edge, core, spines) = (cable(100, 500), cable(100, 1_000), Spines::Count(8));
    let shape = LeafSpine { hosts: 128, hosts_per_leaf: 16, spines, planes: 1, edge, core };
    let mut topology = shape.build().expect("leaves");
    for link in &mut topology.links {
        if let (Node::Switch(_), Node::Switch(spine @ 8..)) = (link.from, link.to) {
            link.delay = link.delay + Ps::from_ns(u64::from(spine) - 8);
        }
    }
    topology
}

/// One packet of each of so many flows, or all of one flow, one after the other; packets that each spine
/// carried.
fn carried(routing: Routing, packets: u32, flows: bool) -> [u32; 8] {
    let rng = &mut stream(SEED, "flows", 0);
    let plans: Vec<_> = (0..packets)
        .map(|n| {
            let at = Ps::from_us(u64::from(n));
            let (src, dst) = if flows { (rng.gen_range(0..64), rng.gen_range(64..128)) } else { (0, 127) };
            let src_port = if flows { rng.gen() } else { 0xc000 };
            Plan { src_port, ..plan(at, src, dst, 1_500) }
        })
        .collect();
    let (_, arrived) = run(spines(), &FabricConfig { routing, ..fifo(1 << 20) }, &[], &plans, SEED);
    assert_eq!(arrived.len(), plans.len());
    let mut counts = [0; 8];
    for one in arrived {
        let took = one.at - plans[one.number].at;
        counts[(took.0 - 4 * 120_000 - 3_000_000) as usize / 1_000] += 1;
    }
    counts
}

#[test]
fn flows_are_spread_over_spines_as_the_binomial_says() {
    let (flows, mean) = (16_000, 2_000.0);
    let deviation = f64::sqrt(mean * 7.0 / 8.0);
    for count in carried(Routing::Ecmp, flows, true) {
        assert!((f64::from(count) - mean).abs() < 5.0 * deviation, "{count} of {mean}");
    }
    assert!(carried(Routing::Ecmp, 100, false).contains(&100), "a flow stays on its spine");
}

#[test]
fn a_flow_that_switches_spray_is_spread_over_all_spines() {
    let deviation = f64::sqrt(2_000.0 * 7.0 / 8.0);
    for routing in [Routing::Spray, Routing::Adaptive] {
        for count in carried(routing, 16_000, false) {
            assert!((f64::from(count) - 2_000.0).abs() < 5.0 * deviation, "{routing:?}: {count} of 2,000");
        }
    }
    assert_eq!(carried(Routing::RoundRobin, 16_000, false), [2_000; 8]);
}
