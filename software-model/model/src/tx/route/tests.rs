//! Rules of routes and planes, one test each, worked out by hand. Connection 1 has paths 4 to 7, one per
//! plane at first.

use super::*;
use crate::tx::rto::MAX_INTERVAL_TICKS;
use Cause::{Balance, Carrier, Congestion, Expiries};

const CONFIG: RouteConfig = match RouteConfig::with_times(4, 1000, RouteConfig::BUDGET_TICKS) {
    Ok(config) => config,
    Err(_) => panic!("a configuration"),
};

fn at(ticks: u32) -> Time32 {
    Time32::new(0u32.wrapping_sub(5000).wrapping_add(ticks))
}

/// Two connections of `paths` paths, those of the second spread over four planes.
fn routes(paths: u16) -> Routes {
    let mut routes = Routes::new(2, paths.into(), CONFIG);
    for local in 0..paths {
        let route = Route { plane: (local % 4) as u8, src_port: FIRST_PORT + local };
        assert!(routes.set(paths + local, route));
    }
    routes
}

fn populations(routes: &Routes, conn: u16) -> [u32; 4] {
    [0, 1, 2, 3].map(|plane| routes.plane(conn, plane).population())
}

fn health(routes: &Routes) -> [Health; 4] {
    [0, 1, 2, 3].map(|plane| routes.plane(1, plane).health())
}

fn plane_of(routes: &Routes, path: u16) -> u8 {
    routes.row(path).route.plane
}

/// A path expires until its route is dead.
fn die(routes: &mut Routes, path: u16, now: Time32) -> u8 {
    routes.on_expiry(path);
    routes.on_expiry(path);
    routes.on_dead(path, Expiries, now, 0x1234).plane
}

fn progress(routes: &mut Routes, path: u16) {
    let count = routes.row(path).count;
    routes.on_progress(path, count);
}

// REQ-ROUTE-1
#[test]
fn a_dead_route_whose_plane_is_alive_gets_another_port_there() {
    let mut routes = routes(8);
    routes.on_expiry(8);
    progress(&mut routes, 12);
    routes.on_expiry(8);
    let old = routes.row(8).route;
    let new = routes.on_dead(8, Expiries, at(0), old.src_port);
    assert_eq!((old.plane, new.plane, health(&routes)[0]), (0, 0, Health::Good), "path 12 travels there too");
    assert_ne!(old.src_port, new.src_port);
    assert!(new.src_port >= FIRST_PORT);
    assert_eq!((routes.row(8).count, routes.row(8).counts.expiries), (1, 1));
}

// REQ-ROUTE-1
#[test]
fn progress_before_the_first_expiry_or_on_another_route_says_nothing_of_the_plane() {
    let mut routes = routes(8);
    progress(&mut routes, 12);
    routes.on_expiry(8);
    let earlier = routes.row(12).count.wrapping_sub(1);
    routes.on_progress(12, earlier);
    progress(&mut routes, 13);
    assert_eq!(routes.on_dead(8, Expiries, at(0), 0).plane, 1);
    assert_eq!(health(&routes)[0], Health::Suspect);
}

// REQ-ROUTE-2
#[test]
fn a_dead_planes_paths_go_where_the_fewest_are_and_avoid_what_is_suspect() {
    let mut routes = routes(4);
    assert_eq!(die(&mut routes, 5, at(0)), 2, "the next in turn of three equals");
    assert_eq!(populations(&routes, 1), [1, 0, 2, 1]);
    assert_eq!(die(&mut routes, 6, at(10)), 3, "plane 1 is empty and suspect");
    assert_eq!(populations(&routes, 1), [1, 0, 1, 2]);
    assert_eq!(health(&routes), [Health::Good, Health::Suspect, Health::Suspect, Health::Good]);
    assert_eq!(populations(&routes, 0), [0; 4], "nothing is known of it");
    assert_eq!(routes.plane(0, 1).health(), Health::Good, "nor does another connection's failure count");
}

// REQ-ROUTE-2
#[test]
fn a_plane_whose_paths_have_all_expired_is_no_refuge_while_another_is_there() {
    let mut routes = routes(8);
    for path in [8, 9, 13] {
        routes.on_expiry(path);
    }
    assert_eq!(routes.on_dead(8, Expiries, at(0), 0).plane, 2, "both of plane 1 have expired");
    progress(&mut routes, 13);
    routes.on_expiry(10);
    assert_eq!(routes.on_dead(10, Expiries, at(1), 0).plane, 3, "the next in turn of two with two paths");
    routes.on_expiry(11);
    assert_eq!(routes.on_dead(11, Expiries, at(2), 0).plane, 1, "the fewest, and one of them progressed");
}

// REQ-ROUTE-2
#[test]
fn with_every_plane_suspect_a_path_goes_on_round_and_is_never_lost() {
    let mut routes = routes(1);
    let planes: Vec<u8> = (0..6).map(|n| die(&mut routes, 1, at(n))).collect();
    assert_eq!(planes, [1, 2, 3, 0, 1, 2]);
    assert_eq!(populations(&routes, 1).iter().sum::<u32>(), 1);
    assert_eq!(routes.row(1).count, 6);
}

// REQ-ROUTE-2
#[test]
fn a_suspect_plane_that_is_up_is_better_than_one_without_carrier() {
    let mut routes = routes(4);
    for plane in 1..4 {
        assert!(routes.set_plane(plane, false, at(0)));
    }
    assert_eq!(die(&mut routes, 4, at(5)), 0, "its own is the only one that is up");
    routes.set_plane(2, true, at(6));
    assert_eq!(die(&mut routes, 4, at(7)), 2, "suspect as well, but another");
}

// REQ-ROUTE-2
#[test]
fn when_a_carrier_is_lost_its_paths_leave_for_the_least_populated_planes() {
    let mut routes = routes(8);
    assert!(routes.set_plane(1, false, at(0)) && !routes.set_plane(1, false, at(0)));
    assert_eq!(routes.travellers(1, 1), 0b0010_0010);
    let planes = [9, 13].map(|path| routes.on_dead(path, Carrier, at(0), 7).plane);
    assert_eq!(planes, [2, 3]);
    assert_eq!(populations(&routes, 1), [2, 0, 3, 3]);
    assert_eq!((routes.row(9).counts.carrier, routes.row(9).counts.expiries), (1, 0));
    assert_eq!(routes.next_test(1), None, "nothing to test without a carrier");
    assert!(!routes.set_plane(9, false, at(0)), "no such plane");
}

// REQ-ROUTE-3, REQ-ROUTE-4, F31.
#[test]
fn a_suspect_plane_is_tested_for_ever_with_doubling_intervals() {
    let mut routes = routes(4);
    die(&mut routes, 5, at(0));
    let (mut now, mut interval) = (0u32, 1000);
    for _ in 0..60 {
        now = now.wrapping_add(interval);
        assert_eq!(routes.test(1, at(now.wrapping_sub(1))), None);
        assert_eq!(routes.next_test(1), Some(at(now)));
        assert_eq!(routes.test(1, at(now)), Some(1));
        assert_eq!(routes.test(1, at(now)), None, "once");
        interval = (interval * 2).min(MAX_INTERVAL_TICKS);
    }
    assert_eq!(interval, MAX_INTERVAL_TICKS);
}

// REQ-ROUTE-4, F31.
#[test]
fn only_the_answer_to_the_newest_test_clears_a_plane_and_then_for_one_path() {
    let mut routes = routes(8);
    for path in [9, 13] {
        die(&mut routes, path, at(0));
    }
    assert_eq!(populations(&routes, 1), [2, 0, 3, 3]);
    assert_eq!(routes.test(1, at(1000)), Some(1));
    assert!(!routes.on_test_answer(1, 1, at(999)) && !routes.on_test_answer(1, 2, at(1000)));
    assert!(!routes.on_test_answer(0, 1, at(1000)) && !routes.on_test_answer(1, 77, at(1000)));
    assert_eq!(health(&routes)[1], Health::Suspect);
    assert!(routes.on_test_answer(1, 1, at(1000)));
    assert!(!routes.on_test_answer(1, 1, at(1000)), "once");
    assert_eq!((health(&routes)[1], routes.next_test(1)), (Health::Trial, None));
    // Every path of a fuller plane would like to go there; the first that progresses may.
    for path in 8..16 {
        progress(&mut routes, path);
    }
    let wishes: Vec<u16> = (8..16).filter(|&path| routes.wish(path, false) == Some(Balance)).collect();
    assert!(wishes.len() == 8, "planes of two and of three paths, against an empty one: {wishes:?}");
    assert_eq!(routes.change(10, Balance, at(2000), 3).plane, 1);
    assert!((8..16).all(|path| routes.wish(path, false).is_none()), "one path, until it progresses");
    progress(&mut routes, 10);
    assert_eq!(health(&routes)[1], Health::Good);
    assert_eq!(populations(&routes, 1), [2, 1, 2, 3]);
    let giver = (8..16).find(|&path| routes.wish(path, false) == Some(Balance)).expect("a path of plane 3");
    assert_eq!(plane_of(&routes, giver), 3);
    assert_eq!(routes.change(giver, Balance, at(2000), 3).plane, 1);
    assert_eq!(populations(&routes, 1), [2; 4]);
    assert!((8..16).all(|path| routes.wish(path, false).is_none()), "it has its share back");
}

// REQ-ROUTE-4
#[test]
fn a_plane_that_fails_its_trial_waits_twice_as_long_and_progress_forgives() {
    let mut routes = routes(4);
    die(&mut routes, 5, at(0));
    assert_eq!(routes.test(1, at(1000)), Some(1));
    assert!(routes.on_test_answer(1, 1, at(1000)));
    progress(&mut routes, 6);
    assert_eq!(routes.change(6, Balance, at(1500), 9).plane, 1);
    die(&mut routes, 6, at(2000));
    // The first failure waited 1000, its test 2000, this failure 4000.
    assert_eq!(routes.next_test(1), Some(at(6000)));
    assert_eq!(routes.test(1, at(6000)), Some(1));
    assert!(routes.on_test_answer(1, 1, at(6000)));
    let path = (4..8).find(|&path| populations(&routes, 1)[usize::from(plane_of(&routes, path))] == 2);
    let path = path.expect("four paths on three planes");
    progress(&mut routes, path);
    routes.change(path, Balance, at(7000), 9);
    progress(&mut routes, path);
    die(&mut routes, path, at(9000));
    assert_eq!(routes.next_test(1), Some(at(10_000)), "the first interval again");
}

// REQ-ROUTE-4
#[test]
fn a_carrier_that_is_back_is_tested_at_once() {
    let mut routes = routes(4);
    routes.set_plane(1, false, at(0));
    routes.on_dead(5, Carrier, at(0), 7);
    assert!(routes.set_plane(1, true, at(500)));
    assert_eq!((routes.next_test(1), health(&routes)[1]), (Some(at(500)), Health::Suspect));
    assert_eq!((routes.test(1, at(500)), routes.test(0, at(500))), (Some(1), None), "it has no paths");
    assert!(routes.on_test_answer(1, 1, at(500)));
    assert_eq!((health(&routes)[1], routes.plane(0, 1).health()), (Health::Trial, Health::Good));
}

// REQ-TX-15
#[test]
fn congestion_changes_the_port_and_keeps_the_plane() {
    let mut routes = routes(4);
    assert_eq!(routes.wish(6, true), None, "no progress yet");
    progress(&mut routes, 6);
    assert_eq!((routes.wish(6, true), routes.wish(6, false)), (Some(Congestion), None));
    let new = routes.change(6, Congestion, at(100), FIRST_PORT + 2);
    assert_eq!(new, Route { plane: 2, src_port: FIRST_PORT + 3 }, "the draw was the old port");
    assert_eq!(routes.row(6).counts, RouteCounts { congestion: 1, ..RouteCounts::default() });
    assert_eq!(health(&routes), [Health::Good; 4]);
}

// REQ-ROUTE-5, REQ-TX-9
#[test]
fn between_two_voluntary_changes_lie_progress_and_the_old_routes_time() {
    let mut routes = routes(4);
    progress(&mut routes, 6);
    let earlier = routes.row(6).count;
    routes.change(6, Congestion, at(100), 1);
    routes.on_progress(6, earlier);
    assert!(!routes.row(6).may_change, "progress of what travelled before");
    progress(&mut routes, 6);
    assert_eq!(routes.wish(6, true), None, "the old route has its time");
    assert!(!routes.old_route_over(6, at(99)));
    assert!(routes.old_route_over(6, at(100)) && !routes.old_route_over(6, at(100)));
    assert_eq!(routes.wish(6, true), Some(Congestion));
    routes.on_expiry(6);
    assert_eq!(routes.wish(6, true), None, "an expiry, and no progress since");
}

#[test]
fn a_dead_route_ends_the_wait_for_the_one_before() {
    let mut routes = routes(4);
    progress(&mut routes, 6);
    routes.change(6, Congestion, at(100), 1);
    die(&mut routes, 6, at(50));
    assert!(!routes.old_route_over(6, at(200)));
}

#[test]
fn sixty_four_paths_are_spread_and_come_back() {
    let mut routes = routes(64);
    for path in (64..128).filter(|path| path % 4 == 2) {
        die(&mut routes, path, at(0));
    }
    assert_eq!(populations(&routes, 1), [21, 21, 0, 22]);
    assert_eq!(routes.test(1, at(1000)), Some(2));
    assert!(routes.on_test_answer(1, 2, at(1000)));
    for turn in 0..200u16 {
        let path = 64 + turn * 29 % 64;
        progress(&mut routes, path);
        if let Some(cause) = routes.wish(path, false) {
            routes.change(path, cause, at(0), turn);
            assert!(routes.old_route_over(path, at(0)));
        }
    }
    assert_eq!(populations(&routes, 1), [16; 4]);
}

#[test]
fn one_plane_has_ports_alone() {
    let mut routes = Routes::new(1, 4, RouteConfig::new(1).unwrap());
    assert!(routes.set(2, Route { plane: 0, src_port: 60_000 }));
    assert!(!routes.set(2, Route { plane: 1, src_port: 60_000 }) && !routes.set(4, Route::default()));
    assert_eq!(die(&mut routes, 2, at(0)), 0);
    assert_ne!(routes.row(2).route.src_port, 60_000);
    assert_eq!((routes.next_test(0), routes.plane(0, 0).health()), (None, Health::Good));
}

#[test]
fn a_path_set_up_anew_leaves_nothing_of_its_former_self() {
    let mut routes = routes(4);
    die(&mut routes, 5, at(0));
    routes.on_expiry(5);
    assert!(routes.set(5, Route { plane: 3, src_port: 50_000 }));
    assert_eq!(populations(&routes, 1), [1, 0, 1, 2]);
    assert_eq!((routes.row(5).count, routes.row(5).counts), (0, RouteCounts::default()));
}

#[test]
fn a_connection_that_is_cleared_knows_carriers_alone() {
    let mut routes = routes(4);
    die(&mut routes, 5, at(0));
    routes.set_plane(3, false, at(0));
    routes.clear(1);
    assert_eq!((populations(&routes, 1), routes.next_test(1)), ([0; 4], None));
    assert_eq!(health(&routes), [Health::Good, Health::Good, Health::Good, Health::Suspect]);
    assert!(routes.set(4, Route { plane: 0, src_port: 50_000 }));
    assert_ne!(die(&mut routes, 4, at(1)), 3, "it has no carrier");
}

#[test]
fn impossible_configurations_are_refused() {
    let max = MAX_INTERVAL_TICKS;
    assert_eq!(RouteConfig::new(0), Err(RouteConfigError::Planes { got: 0, max: 16 }));
    assert_eq!(RouteConfig::new(17), Err(RouteConfigError::Planes { got: 17, max: 16 }));
    for got in [0, max + 1] {
        assert_eq!(RouteConfig::with_times(4, got, 1), Err(RouteConfigError::Suspect { got, max }));
    }
    for got in [0, (1 << 30) + 1] {
        let max = 1 << 30;
        assert_eq!(RouteConfig::with_times(4, 1, got), Err(RouteConfigError::Budget { got, max }));
    }
    let config = RouteConfig::new(16).unwrap();
    assert_eq!((config.planes(), config.suspect_ticks(), config.budget_ticks()), (16, 25_000, 125_000_000));
}

#[test]
#[should_panic(expected = "65 paths per connection: at most 64 are possible")]
fn more_than_sixty_four_paths_are_refused() {
    Routes::new(1, 65, CONFIG);
}

// REQ-ROUTE-1, REQ-ROUTE-7
#[test]
fn a_port_is_not_to_blame_when_the_carrier_is_lost() {
    let mut routes = routes(8);
    routes.on_expiry(8);
    progress(&mut routes, 12);
    assert!(routes.set_plane(0, false, at(0)));
    assert_ne!(routes.on_dead(8, Carrier, at(0), 0x1234).plane, 0, "though path 12 progressed there");
}
