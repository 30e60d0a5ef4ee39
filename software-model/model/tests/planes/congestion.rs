//! Congestion moves the port, and is not failure.

use crate::kills::complete;
use crate::plan::Plan;
use crate::world::{World, BASE_RTT, US};
use heddle_model::tx::route::{Health, RouteCounts};
use heddle_wire::DropReason;

fn changes(world: &World, plan: &Plan) -> Vec<RouteCounts> {
    (0..plan.paths).map(|local| world.cores[0].telemetry(world.path(local)).changes).collect()
}

// REQ-TX-15, REQ-TX-8, F07: packets of the new route overtake those of the old one, and none is taken for
// lost.
#[test]
fn a_path_on_a_congested_port_changes_it_and_nothing_is_resent_for_it() {
    let plan = Plan { congested: Some((1, 500)), spread: 6 * US, messages: 160, ..Plan::new(5, 16) };
    let mut world = World::new(&plan);
    let on_congested = |world: &World| {
        let route = |local| world.cores[0].telemetry(world.path(local)).route;
        (0..16).filter(|&local| plan.marks(route(local).plane, route(local).src_port)).count()
    };
    assert_eq!(on_congested(&world), 2, "ports of the paths on plane 1");
    world.run(2_000 * US);
    assert_eq!(on_congested(&world), 0, "all have found another");
    let (moved, total) = (changes(&world, &plan), world.cores[0].counters().clone());
    let congestion: u32 = moved.iter().map(|counts| counts.congestion).sum();
    assert!(congestion >= 2);
    assert!(moved
        .iter()
        .all(|&counts| counts == RouteCounts { congestion: counts.congestion, ..Default::default() }));
    assert!((0..16).all(|local| world.plane_of(local) == (local % 4) as u8), "planes are kept");
    assert_eq!((total.dead_routes, total.expiries), (0, 0), "failure counts nothing");
    assert!((0..4).all(|plane| world.cores[0].plane_health(1, plane) == Some(Health::Good)));
    complete(&mut world, &plan);
    assert_eq!(world.cores[0].counters().data_resent, 0);
    assert_eq!(world.cores[1].counters().drops(DropReason::Duplicate), 0);
}

// REQ-TX-15
#[test]
fn where_every_port_is_congested_changes_are_at_least_sixteen_rounds_apart() {
    let plan = Plan { congested: Some((2, 1000)), messages: 160, ..Plan::new(6, 4) };
    let mut world = World::new(&plan);
    let mut times = vec![];
    for step in 0..3_000 {
        world.run(step * US);
        let count = changes(&world, &plan)[2].congestion as usize;
        times.resize(count, step);
    }
    assert!(times.len() >= 3, "{times:?}");
    assert!(times[0] < 4 * 40 + 20, "after four rounds: {times:?}");
    assert!(times.windows(2).all(|pair| (pair[1] - pair[0]) * US >= 16 * BASE_RTT), "{times:?}");
    assert!((0..4)
        .filter(|&local| local != 2)
        .all(|local| changes(&world, &plan)[local] == RouteCounts::default()));
}

#[test]
fn telemetry_tells_marks_load_and_round_trips_path_by_path() {
    let plan = Plan { congested: Some((2, 1000)), ..Plan::new(6, 4) };
    let mut world = World::new(&plan);
    world.run(300 * US);
    let read = |world: &World| [0, 1, 2, 3].map(|local| world.cores[0].telemetry(world.path(local)));
    let earlier = read(&world);
    world.run(500 * US);
    let later = read(&world);
    for (local, (earlier, later)) in earlier.iter().zip(&later).enumerate() {
        let marked = if local == 2 { 65_536 } else { 0 };
        assert_eq!(later.ce_fraction_x65536(&earlier.counts), Some(marked), "path {local}");
        // A window of 16 packets at 25 Gb/s is 21.7 us, and ACKs come every four packets.
        let srtt = later.srtt_ticks.expect("measured");
        assert!((18 * 125..28 * 125).contains(&srtt), "{srtt} ticks");
        assert!(later.rto_ticks > srtt && later.usable);
        assert!((192..=256).contains(&later.utilization_x256()), "{}", later.utilization_x256());
        let packets = later.counts.acknowledged - earlier.counts.acknowledged;
        // 200 us x 25 Gb/s / 4,210 bytes = 148.
        assert!((140..=152).contains(&packets), "{packets} packets");
    }
    complete(&mut world, &plan);
}
