//! Planes die in the middle of a transfer.

use crate::controlled::controlled;
use crate::plan::{from_on, parallel, Plan, What};
use crate::world::{World, BASE_RTT, PLANE_RATE, US};
use heddle_model::tx::route::Health;
use heddle_wire::{DropReason, Status};

/// When planes die, in microseconds.
const AT: u64 = 300;
const ALL_SIZES: [u16; 5] = [1, 2, 4, 16, 64];
/// Every plane, and every two planes; ACKs travel on plane 0 at first.
const DEAD: [&[u8]; 10] = [&[0], &[1], &[2], &[3], &[0, 1], &[0, 2], &[0, 3], &[1, 2], &[1, 3], &[2, 3]];

/// Runs to the end: every message complete, no error, no wrong byte.
pub fn complete(world: &mut World, plan: &Plan) {
    world.finish(world.now + 1_000_000 * US);
    assert_eq!(world.completions.len() as u64, plan.messages, "{plan:#?}");
    assert!(world.completions.iter().all(|(_, c)| c.status == Status::Success), "{plan:#?}");
    assert!(world.memory_is_equal(), "a wrong byte: {plan:#?}");
    assert!(world.cores.iter().all(|core| core.error().is_none() && core.counters().budgets_spent == 0));
}

/// Goodput from 5 round trips behind `from` on, in thousandths of what `planes` planes carry.
pub fn permille(world: &World, from: u64, planes: usize) -> u64 {
    let from = (from + 5 * BASE_RTT).div_ceil(US) * US;
    let payload = 4_096 * PLANE_RATE / 4_210;
    world.goodput(from, from + 200 * US) * 1000 / (payload * planes as u64)
}

/// The paths, planes and faults of each case are run, and what is left is compared with what the planes that
/// are left carry.
fn survives(sizes: &[u16], what: What, check: impl Fn(&World, &Plan) + Sync) {
    let cases: Vec<_> = sizes.iter().flat_map(|&paths| DEAD.map(|dead| (paths, dead))).collect();
    let checked = parallel(&cases, |&(paths, dead)| {
        let plan = Plan::new(7 + u64::from(paths), paths).killed(dead, what, from_on(AT));
        let mut world = World::new(&plan);
        world.run(AT * US);
        let planes = usize::from(paths.min(4));
        let before = permille(&world, AT * US - 200 * US - 5 * BASE_RTT, planes);
        assert!(before > 970, "{before} before anything happens: {plan:#?}");
        world.run(1_200 * US);
        check(&world, &plan);
        let left = planes.min(4 - dead.len());
        let left = if what == What::Acks { planes } else { left };
        let last = if what == What::Acks { world.last_expiry } else { world.last_death };
        let from = last.max(AT * US);
        let after = permille(&world, from, left);
        assert!(after >= 900, "{after} of 1000 with {paths} paths, {what:?} of {dead:?} dead: {plan:#?}");
        complete(&mut world, &plan);
    });
    assert_eq!(checked, cases.len());
}

// REQ-ROUTE-1, REQ-ROUTE-2, REQ-TX-10, F15: the paths of a dead plane move to live ones within two expiries.
#[test]
fn with_one_or_two_planes_of_four_dead_the_others_carry_all_they_can_five_round_trips_later() {
    for what in [What::All, What::Data] {
        survives(&ALL_SIZES, what, |world, plan| {
            let dead: Vec<u8> = plan.faults.iter().map(|fault| fault.plane).collect();
            let populations = world.populations();
            assert!(
                dead.iter().all(|&plane| populations[usize::from(plane)] == 0),
                "{populations:?} {plan:#?}"
            );
            assert_eq!(populations.iter().sum::<usize>(), usize::from(plan.paths));
        });
    }
}

// REQ-ROUTE-7
#[test]
fn a_lost_carrier_moves_its_paths_at_once_and_nothing_expires_for_it() {
    survives(&ALL_SIZES, What::Carrier, |world, plan| {
        let moved: u32 =
            (0..plan.paths).map(|local| world.cores[0].telemetry(world.path(local)).changes.carrier).sum();
        // Those of the second plane may have come from the first.
        let least = plan.faults.iter().map(|fault| u32::from(fault.plane < plan.paths.min(4) as u8)).sum();
        assert!(moved >= least, "{moved} of {plan:#?}");
        assert_eq!(world.cores[0].counters().dead_routes, 0);
        let first = world.goodput((AT + 60) * US, (AT + 160) * US);
        let planes = u64::from(plan.paths.min(4 - plan.faults.len() as u16));
        assert!(first * 10 >= PLANE_RATE * planes * 9 * 4096 / 4210, "{first} at once: {plan:#?}");
    });
}

// REQ-ACK-4, REQ-ROUTE-1
#[test]
fn where_acks_alone_are_lost_no_good_data_plane_is_given_up() {
    survives(&[1, 2, 4, 16], What::Acks, |world, plan| {
        assert_eq!(world.cores[0].counters().dead_routes, 0, "{plan:#?}");
        let healthy = (0..4).all(|plane| world.cores[0].plane_health(1, plane) == Some(Health::Good));
        let spread: Vec<usize> = (0..4).map(|plane| usize::from((plan.paths + 3 - plane) / 4)).collect();
        assert!(healthy && world.populations() == spread, "{:?} {plan:#?}", world.populations());
    });
}

// F33: the packets of a dead plane come back on evidence and not one per timeout.
#[test]
fn the_packets_of_a_dead_plane_come_back_without_a_timeout_each() {
    let plan = Plan::new(3, 4).killed(&[2], What::Data, from_on(AT));
    let mut world = World::new(&plan);
    world.run(AT * US);
    let lost = world.cores[0].telemetry(world.path(2)).in_flight;
    complete(&mut world, &plan);
    let counts = world.cores[0].telemetry(world.path(2)).counts;
    assert!(lost >= 10, "{lost} in flight when the plane died");
    // More is queued, so the first expiry asks; the second is a dead route.
    assert_eq!((counts.expiries, counts.resent_by_timer), (2, 0));
    assert!(counts.resent_by_evidence >= u32::from(lost), "{counts:?}");
}

// F35: the head of a message is lost with its plane, its tail arrives elsewhere.
#[test]
fn a_message_whose_head_died_with_its_plane_takes_two_timeouts_and_not_seconds() {
    for plane in 0..4 {
        let plan = Plan { message: 32 << 10, ..Plan::new(5, 4).killed(&[plane], What::Data, from_on(AT)) };
        let mut world = World::new(&plan);
        complete(&mut world, &plan);
        // Four streams finish in order: the longest time without a completion is the recovery.
        let times: Vec<u64> = world.completions.iter().map(|(at, _)| *at).collect();
        let longest = times.windows(2).map(|pair| pair[1] - pair[0]).max().expect("several");
        assert!(longest < 20 * BASE_RTT, "{} us on plane {plane}", longest / US);
    }
}

// REQ-TX-12
#[test]
fn on_a_network_that_reorders_the_guard_saves_most_of_the_resends_in_vain() {
    let resent = [false, true].map(|routes| {
        let plan = Plan { reorder: 0.05, ..Plan::new(9, 4) };
        let mut world = World::with_config(&plan, |config| heddle_model::core::CoreConfig {
            routes: config.routes.filter(|_| routes),
            ..config
        });
        complete(&mut world, &plan);
        let duplicates = world.cores[1].counters().drops(DropReason::Duplicate);
        assert_eq!(world.cores[0].counters().data_resent, duplicates, "nothing was lost");
        duplicates
    });
    assert!(resent[1] * 4 < resent[0], "in vain without the guard and with it: {resent:?}");
}

// Invariants 1, 2 and 5.
#[test]
fn planes_that_die_and_come_back_at_random_cost_no_byte() {
    let count = std::env::var("COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(30);
    let seeds: Vec<u64> = match std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => vec![seed],
        None => (0..count).chain([rand::random::<u32>().into()]).collect(),
    };
    let checked = parallel(&seeds, |&seed| {
        println!("replay: SEED={seed} cargo test -p heddle-model --test planes at_random");
        let plan = Plan::random(seed);
        let mut world = if seed % 2 == 0 { World::new(&plan) } else { controlled(&plan) };
        complete(&mut world, &plan);
    });
    assert_eq!(checked, seeds.len());
}
