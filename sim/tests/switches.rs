//! Switches with queues in whole fabrics: what they have in common with FIFOs, and what pauses, classes and
//! failures do.

mod source;

use heddle_sim::fabric::fault::{Fault, Part};
use heddle_sim::fabric::mark::Marking;
use heddle_sim::fabric::paused::{Alpha, Buffers, Headroom, Lossless, Pool};
use heddle_sim::fabric::topology::{Cable, FatTree, LeafSpine, Ratio, Size, Spines, Topology};
use heddle_sim::fabric::{FabricConfig, Routing};
use heddle_sim::outcome::Outcome;
use heddle_sim::packet::Class;
use heddle_sim::seed::stream;
use heddle_sim::time::{Ps, Rate};
use rand::Rng;
use source::{fifo, run, Plan};

const BUFFER: u64 = 60_000;

fn cable(gbps: u64, ns: u64) -> Cable {
    Cable { rate: Rate::new(gbps * 1_000_000_000).expect("a rate"), delay: Ps::from_ns(ns) }
}

fn tree(hosts: u32) -> Topology {
    let (edge, aggregation, core) = (cable(100, 500), cable(100, 700), cable(100, 1_000));
    let (size, oversubscription) = (Size::Hosts(hosts), Ratio::FULL);
    FatTree { size, oversubscription, planes: 1, edge, aggregation, core }.build().expect("a tree")
}

/// Packets of every size at times drawn, half of them to host 0; so many times what its cable carries.
fn load(hosts: u32, packets: usize, times: f64, seed: u64) -> Vec<Plan> {
    let rng = &mut stream(seed, "load", 0);
    let mut at = 0.0;
    let one = |_| {
        // 2,150 bytes in the mean.
        at += rng.gen_range(0.0..2.0) * 2_150.0 * 80.0 / times / 2.0;
        let src = rng.gen_range(1..hosts);
        let other = rng.gen_range(0..hosts);
        let dst = if rng.gen() || other == src { 0 } else { other };
        let class = if rng.gen_range(0..8) == 0 { Class::Control } else { Class::Data };
        Plan { at: Ps(at as u64), src, dst, src_port: rng.gen(), class, bytes: rng.gen_range(84..4_216) }
    };
    (0..packets).map(one).collect()
}

fn queues(classes: u8, pool: Pool, lossless: Option<Lossless>) -> FabricConfig {
    FabricConfig { queues: Some(Buffers { classes, pool, lossless: [lossless, None] }), ..fifo(BUFFER) }
}

const PER_PORT: Pool = Pool::PerPort { bytes: BUFFER, xoff: 30_000 };
const PFC: Lossless = Lossless { headroom: Headroom::Computed { mtu: 4_216 }, hysteresis: 9_000 };

fn dropped(outcome: &Outcome) -> u64 {
    outcome.packets.drops.values().sum()
}

#[test]
fn queues_of_one_class_without_pauses_are_fifos_packet_by_packet() {
    for (routing, seed) in [(Routing::Ecmp, 1), (Routing::Spray, 2), (Routing::RoundRobin, 3)] {
        let plans = load(16, 20_000, 1.3, seed);
        let marking = Marking::Red { min: 10_000, max: 50_000, pmax: 0.3 };
        let with = |config| run(tree(16), &FabricConfig { routing, marking, ..config }, &[], &plans, seed);
        let (expected, fifo) = with(fifo(BUFFER));
        let (outcome, queued) = with(queues(1, PER_PORT, None));
        assert_eq!(queued, fifo, "{routing:?}");
        assert_eq!((&outcome.packets, outcome.ce_marked), (&expected.packets, expected.ce_marked));
        assert!(dropped(&outcome) > 500 && outcome.ce_marked > 500, "{:?}", outcome.packets);
        assert_eq!((outcome.pauses, outcome.paused_ps), (0, 0));
    }
}

#[test]
fn pauses_keep_every_packet_where_fifos_drop() {
    let plans = load(16, 20_000, 1.3, 4);
    let alpha = Alpha::new(-2).expect("1/4");
    let shared = Pool::Shared { bytes: 8 * BUFFER, alpha, xoff: None };
    for (pool, classes) in [(PER_PORT, 1), (PER_PORT, 2), (shared, 1), (shared, 2)] {
        let (outcome, _) = run(tree(16), &queues(classes, pool, Some(PFC)), &[], &plans, 4);
        // Of two classes, control is not protected; it goes first, so nothing of it stands for long.
        assert_eq!(dropped(&outcome), 0, "{pool:?}, {classes} classes");
        assert!(outcome.pauses > 50 && outcome.paused_ps > 0, "{} pauses", outcome.pauses);
    }
    let (without, _) = run(tree(16), &queues(1, PER_PORT, None), &[], &plans, 4);
    assert!(dropped(&without) > 500);
}

#[test]
fn control_passes_data_that_waits() {
    let plans = load(16, 10_000, 1.2, 5);
    let mean = |classes| {
        let pool = Pool::PerPort { bytes: 1 << 23, xoff: 1 };
        let (outcome, arrived) = run(tree(16), &queues(classes, pool, None), &[], &plans, 5);
        assert_eq!(dropped(&outcome), 0);
        let control = arrived.iter().filter(|one| plans[one.number].class == Class::Control);
        let took: Vec<_> = control.map(|one| (one.at - plans[one.number].at).0).collect();
        assert!(took.len() > 1_000);
        took.iter().sum::<u64>() / took.len() as u64
    };
    let (mixed, first) = (mean(1), mean(2));
    assert!(10 * first < mixed, "{first} ps with a queue of its own, {mixed} without");
}

#[test]
fn what_fails_loses_what_is_on_it_and_everything_else_goes_on() {
    let faults = [
        (Ps::from_us(100), Fault::SwitchDown(16)),
        (Ps::from_us(150), Fault::CableDown(3)),
        (Ps::from_us(400), Fault::SwitchUp(16)),
        (Ps::from_us(500), Fault::CableUp(3)),
        (Ps::from_us(600), Fault::Degraded(0, Rate::new(25_000_000_000).expect("a rate"))),
        (Ps::from_us(900), Fault::Restored(0)),
    ];
    let plans = load(16, 20_000, 1.1, 6);
    for lossless in [None, Some(PFC)] {
        let (outcome, arrived) = run(tree(16), &queues(2, PER_PORT, lossless), &faults, &plans, 6);
        let drops = &outcome.packets.drops;
        assert!(drops["link"] > 20, "{drops:?}");
        assert_eq!(drops["buffer"] > 0, lossless.is_none(), "{drops:?}");
        // After the repairs everything runs again: of the last hundred packets all arrive.
        let late = arrived.iter().filter(|one| one.number >= plans.len() - 100).count();
        assert!(late == 100 || lossless.is_none(), "{late} of the last 100");
    }
}

#[test]
fn a_switch_that_loses_everything_in_silence_is_sent_to_as_before() {
    // Host 2's packets to host 15 take one of four ways; the switch above host 2's edge switch that half of
    // them pass loses them.
    let (from, until) = (Ps::from_us(100), Ps::from_us(300));
    let faults = [(from, Fault::Muted(Part::Switch(8))), (until, Fault::Unmuted(Part::Switch(8)))];
    let plans: Vec<_> = (0..400)
        .map(|n| Plan {
            at: Ps::from_us(n),
            src: 2,
            dst: 15,
            src_port: 0xc000,
            class: Class::Data,
            bytes: 1_500,
        })
        .collect();
    for config in [fifo(BUFFER), queues(2, PER_PORT, Some(PFC))] {
        let config = FabricConfig { routing: Routing::RoundRobin, ..config };
        let (outcome, arrived) = run(tree(16), &config, &faults, &plans, 8);
        // Half of 200; one more that had come to the switch before and goes on after.
        let drops = outcome.packets.drops["link"];
        assert!(drops.abs_diff(100) <= 1, "{drops} lost");
        let lost: Vec<_> = (0..400).filter(|n| arrived.iter().all(|one| one.number != *n)).collect();
        assert!(lost.iter().all(|n| (98..=300).contains(n)), "{lost:?}");
    }
}

#[test]
fn a_neighbour_of_an_incast_waits_with_pauses_and_does_not_without() {
    // Hosts 0 to 7 at one leaf, 8 to 15 at the other, an uplink that is not the bottleneck. Host 0 and six
    // neighbours of host 15 send to host 15 at their full rate; host 1 sends to host 14 at half of its own.
    let (edge, core, spines) = (cable(100, 500), cable(400, 1_000), Spines::Count(1));
    let shape = LeafSpine { hosts: 16, hosts_per_leaf: 8, spines, planes: 1, edge, core };
    let mut plans = Vec::new();
    for n in 0..600u64 {
        let one = |src, dst, ns| Plan {
            at: Ps::from_ns(ns * n),
            src,
            dst,
            src_port: 0xc000,
            class: Class::Data,
            bytes: 4_216,
        };
        plans.extend([0, 8, 9, 10, 11, 12, 13].map(|src| one(src, 15, 337)));
        plans.push(one(1, 14, 675));
    }
    let last = |lossless| {
        let config = queues(1, Pool::PerPort { bytes: 1 << 20, xoff: 100_000 }, lossless);
        let (outcome, arrived) = run(shape.build().expect("leaves"), &config, &[], &plans, 7);
        let last = arrived.iter().filter(|one| plans[one.number].src == 1).map(|one| one.at).max();
        (last.expect("the victim's packets"), outcome)
    };
    let (free, lossy) = last(None);
    let (held, lossless) = last(Some(PFC));
    assert!(dropped(&lossy) > 1_000 && lossy.pauses == 0);
    assert_eq!(dropped(&lossless), 0);
    // Its packets take 405 us. With pauses it goes at the pace of host 0, whose share of the incast's cable
    // is at least the seventh of one in seven ports, and more by what the headroom of the longer and faster
    // cable from the spine holds.
    assert!(free < Ps::from_us(415), "{free:?}");
    let slowest = Ps::from_us(7 * 203);
    assert!((Ps::from_us(1_000)..slowest).contains(&held), "{held:?}");
}
