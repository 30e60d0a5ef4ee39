//! Planes come back and get their share again.

use crate::controlled::controlled;
use crate::kills::{complete, permille};
use crate::plan::{parallel, Plan, What};
use crate::world::{World, US};
use heddle_model::tx::route::Health;

/// A plan with a transfer that lasts beyond 2.5 ms.
fn long(paths: u16) -> Plan {
    Plan { messages: 128, ..Plan::new(11, paths) }
}

/// Paths on each of four planes, evenly.
fn even(paths: u16) -> Vec<usize> {
    (0..4).map(|plane| usize::from((paths + 3 - plane) / 4)).collect()
}

// REQ-ROUTE-4, REQ-ROUTE-5, F31: a failed port was given up and never used again.
#[test]
fn a_plane_that_comes_back_gets_its_share_back() {
    let checked = parallel(&[4, 16, 64], |&paths| {
        let plan = long(paths).killed(&[1], What::All, (300 * US, 700 * US));
        let mut world = World::new(&plan);
        world.run(700 * US);
        assert_eq!(world.populations()[1], 0, "{paths} paths");
        world.run(1_700 * US);
        assert_eq!(world.populations(), even(paths));
        assert_eq!(world.cores[0].plane_health(1, 1), Some(Health::Good));
        world.run(2_100 * US);
        let after = permille(&world, 1_700 * US, 4);
        assert!(after >= 950, "{after} of 1000 with {paths} paths");
        complete(&mut world, &plan);
    });
    assert_eq!(checked, 3);
}

// REQ-ROUTE-7, F31
#[test]
fn a_carrier_that_comes_back_brings_its_paths_back_within_a_few_round_trips() {
    let checked = parallel(&[4, 16, 64], |&paths| {
        let plan = long(paths).killed(&[2], What::Carrier, (300 * US, 700 * US));
        let mut world = World::new(&plan);
        world.run(700 * US);
        assert_eq!(world.populations()[2], 0, "{paths} paths");
        world.run(850 * US);
        assert_eq!(world.populations(), even(paths));
        world.run(1_300 * US);
        let after = permille(&world, 850 * US, 4);
        assert!(after >= 950, "{after} of 1000 with {paths} paths");
        complete(&mut world, &plan);
    });
    assert_eq!(checked, 3);
}

// REQ-ROUTE-4, F31
#[test]
fn an_idle_connection_goes_on_testing_for_seconds_and_then_uses_the_plane_again() {
    let second = 1_000_000 * US;
    let plan = long(4).killed(&[3], What::All, (300 * US, 4 * second));
    let plan = Plan { pause: Some((16, 6 * second)), ..plan };
    let mut world = World::new(&plan);
    world.run(4 * second - US);
    assert_eq!((world.completions.len(), world.populations()[3]), (16, 0));
    assert_eq!(world.cores[0].plane_health(1, 3), Some(Health::Suspect));
    let probes = world.cores[0].counters().probes_sent;
    assert!((13..20).contains(&probes), "{probes} tests: 200 us, 400 us ... 1 s");
    world.run(5 * second);
    assert_eq!(world.cores[0].plane_health(1, 3), Some(Health::Trial), "tested at least once a second");
    world.run(6 * second + 500 * US);
    assert_eq!((world.populations(), world.cores[0].plane_health(1, 3)), (even(4), Some(Health::Good)));
    complete(&mut world, &plan);
}

// REQ-ROUTE-4
#[test]
fn a_plane_that_passes_tests_and_loses_data_is_tried_by_one_path_at_a_time_and_less_and_less() {
    let plan = long(16).killed(&[1], What::LongFrames, (300 * US, u64::MAX));
    let mut world = World::new(&plan);
    world.run(2_400 * US);
    // Four paths died with it. A test 200 us later, and a path that dies; 400 us, and another; then 800 us.
    let tried = world.cores[0].counters().dead_routes - 4;
    assert!((2..=3).contains(&tried), "{tried} paths tried it");
    let dead: Vec<u32> =
        (0..16).map(|local| world.cores[0].telemetry(world.path(local)).changes.expiries).collect();
    assert_eq!(u64::from(dead.iter().sum::<u32>()), 4 + tried);
    let after = permille(&world, 1_900 * US, 3);
    assert!(after >= 900, "{after} of 1000");
    complete(&mut world, &plan);
}

// REQ-ROUTE-8
#[test]
fn an_idle_connection_whose_planes_have_died_asks_on_others() {
    for (paths, dead) in [(1, &[0][..]), (2, &[0, 1]), (1, &[0, 1, 2])] {
        for what in [What::All, What::Data] {
            let plan =
                Plan { messages: 40, ..Plan::new(11, paths) }.killed(dead, what, (2_500 * US, u64::MAX));
            let plan = Plan { pause: Some((20, 5_000 * US)), ..plan };
            let mut world = controlled(&plan);
            world.run(5_000 * US - US);
            assert_eq!((world.completions.len(), world.cores[0].in_flight()), (20, 0), "idle when they die");
            // The hint is too old: a PROBE comes first, and is asked again after 200 us, 400, 800 ...
            world.run(5_000 * US + 200 * US * (1 << (2 * dead.len() + 1)));
            assert!(world.completions.len() > 20, "{paths} paths, {what:?} of {dead:?} dead");
            complete(&mut world, &plan);
        }
    }
}

/// All ways become longer, to five times the round trip: the share is the same again when two intervals of 8.4 ms are over.
// REQ-PACE-8
#[test]
fn a_connection_whose_ways_have_become_longer_gets_its_share_again() {
    let checked = parallel(&[4, 16], |&paths| {
        let plan = Plan { messages: 1_100, detour: Some((2_000 * US, 20 * US)), ..Plan::new(12, paths) };
        let mut world = controlled(&plan);
        let goodput = |world: &mut World, until: u64| {
            world.run(until * US);
            permille(world, (until - 260) * US, 4)
        };
        let shares = [2_000, 3_000, 20_000].map(|until| goodput(&mut world, until));
        assert!(shares[0] >= 940 && shares[2] >= 940, "{shares:?} of 1000 with {paths} paths");
        // A window for a fifth of the round trip, stretched to four of those.
        assert!((600..800).contains(&shares[1]), "{shares:?} of 1000 with {paths} paths");
    });
    assert_eq!(checked, 2);
}
