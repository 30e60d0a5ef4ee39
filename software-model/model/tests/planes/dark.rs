//! Every plane is dead.

use crate::kills::complete;
use crate::plan::{from_on, Plan, What};
use crate::world::{World, US};
use heddle_model::tx::route::RouteConfig;
use heddle_wire::Status;

const ALL: [u8; 4] = [0, 1, 2, 3];
const SECOND: u64 = 1_000_000 * US;

// REQ-TX-13, F27: one error for each request, in order, when the budget is used up; nothing of it lives on.
#[test]
fn with_every_plane_dead_each_request_ends_once_when_the_budget_is_used_up() {
    for what in [What::All, What::Data, What::Carrier] {
        for paths in [1, 4, 64] {
            // 20 ms: 17.5 ms without progress, and 2.5 ms in which the peer may answer the RESET.
            let routes = RouteConfig::with_times(4, 25_000, 2_500_000).expect("a configuration");
            let plan = Plan { life: true, routes, ..Plan::new(3, paths) }.killed(&ALL, what, from_on(300));
            let mut world = World::new(&plan);
            // Before the budget of the path whose base moved first is used up: a round trip of 64 paths is
            // 45 us, and ACKs come every four packets.
            world.run((300 + 17_500 - 150) * US);
            let spent = |world: &World| world.cores.each_ref().map(|core| core.counters().budgets_spent);
            let before = world.completions.len();
            assert_eq!(spent(&world), [0, 0], "{what:?}, {paths} paths");
            // What was on its way when the planes died may still have progressed.
            world.run((300 + 17_500 + 200) * US);
            assert_eq!(spent(&world), [1, 0], "{what:?}, {paths} paths");
            assert!(!world.cores[0].is_open(1));
            assert_eq!(world.completions.len(), before, "what was sent may still land");
            world.run((300 + 20_000 + 200) * US);
            let (done, failed) = world.completions.split_at(before);
            assert!(done.iter().all(|(_, c)| c.status == Status::Success));
            let statuses: Vec<Status> = failed.iter().map(|(_, c)| c.status).collect();
            assert_eq!(statuses.iter().filter(|&&status| status == Status::RetryBudget).count(), 1);
            assert!(statuses.iter().all(|s| [Status::RetryBudget, Status::Flushed].contains(s)));
            let mut ids: Vec<u64> = world.completions.iter().map(|(_, c)| c.wr_id).collect();
            assert_eq!(ids.len() as u64, world.requests, "one completion for each request");
            for stream in 0..4 {
                assert!(ids.iter().filter(|&&id| id % 4 == stream).is_sorted(), "in order");
            }
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len() as u64, world.requests);
            let ended = std::iter::from_fn(|| world.cores[0].ended()).map(|ended| ended.status);
            assert_eq!(ended.collect::<Vec<_>>(), [Status::RetryBudget]);
            let (sent, expiries) = (world.sent, world.cores[0].counters().expiries);
            world.run(12 * SECOND);
            assert_eq!(
                (world.sent, world.cores[0].counters().expiries),
                (sent, expiries),
                "no timer lives on"
            );
        }
    }
}

// REQ-TX-13, REQ-RTO-3, F19: the backoff exponent overflowed.
#[test]
fn after_seconds_of_darkness_the_transfer_goes_on() {
    let routes = RouteConfig::with_times(4, 25_000, RouteConfig::MAX_BUDGET_TICKS).expect("a configuration");
    for what in [What::All, What::Acks, What::Carrier] {
        let plan = Plan { routes, ..Plan::new(3, 4) }.killed(&ALL, what, (300 * US, 7 * SECOND));
        let mut world = World::new(&plan);
        world.run(7 * SECOND);
        let counts = world.cores[0].counters();
        assert!(counts.dead_routes >= 4 * 14, "{} dead routes, {what:?}", counts.dead_routes);
        let usable = (0..4).filter(|&local| world.cores[0].telemetry(world.path(local)).usable).count();
        assert_eq!(usable, 0);
        // Every timer fires within a second.
        world.run(8 * SECOND + 10_000 * US);
        complete(&mut world, &plan);
        assert!(world.completions.last().is_some_and(|(at, _)| *at < 8 * SECOND + 20_000 * US));
    }
}
