//! Moves of the ACK's route, worked out by hand. Connection 1 has paths 4 to 7.

use super::*;

fn bench(plane: u8) -> AckRoutes {
    let mut routes = AckRoutes::new(2, 4, 4);
    routes.set(1, Route { plane, src_port: u16::MAX - 1 });
    routes
}

fn at(ticks: u32) -> Time32 {
    Time32::new(0u32.wrapping_sub(100).wrapping_add(ticks))
}

fn others(routes: &mut AckRoutes, path: u16) -> Vec<u8> {
    routes.take_others(path).collect()
}

// REQ-ACK-4
#[test]
fn a_cry_is_answered_on_every_plane_and_moves_the_route() {
    let mut routes = bench(2);
    routes.on_cry(5, at(0), at(50));
    assert_eq!(
        routes.route(1),
        Route { plane: 3, src_port: u16::MAX },
        "nothing was heard: the next in turn"
    );
    assert_eq!(others(&mut routes, 4), [0; 0], "that path's ACK alone");
    assert_eq!(others(&mut routes, 5), [0, 1, 2]);
    assert_eq!(others(&mut routes, 5), [0; 0], "once");
    assert_eq!(routes.route(0), Route::default(), "of this connection alone");
}

// REQ-ACK-4
#[test]
fn the_cries_of_several_paths_at_once_move_it_once_and_a_path_that_cries_again_moves_it_again() {
    let mut routes = bench(2);
    for (path, came) in [(4, 0), (5, 10), (6, 300), (7, 7_999)] {
        routes.on_cry(path, at(came), at(came));
        assert_eq!(routes.route(1).plane, 3);
        assert_eq!(others(&mut routes, path).len(), 3, "each is answered on every plane");
    }
    routes.on_cry(4, at(0), at(2_000));
    assert_eq!(routes.route(1).plane, 3, "a copy of the first");
    routes.on_cry(4, at(1_900), at(2_010));
    assert_eq!(routes.route(1), Route { plane: 0, src_port: FIRST_PORT }, "both go round");
    routes.on_cry(5, at(9_000), at(2_010 + 8_000));
    assert_eq!(routes.route(1).plane, 1, "64 us later another path's counts");
}

// REQ-ACK-4
#[test]
fn acks_move_to_where_the_peer_was_heard_last_and_not_back_to_what_they_left() {
    let mut routes = bench(0);
    for plane in [3, 1, 2, 1, 0] {
        routes.on_heard(1, plane);
    }
    routes.on_heard(1, 200);
    let mut planes = vec![];
    for n in 0..5 {
        routes.on_cry(4, at(2000 * n), at(2000 * n));
        planes.push(routes.route(1).plane);
        // What they left is heard all the time: its data way works.
        routes.on_heard(1, 0);
    }
    // 1, 2, 3 were heard in this order from the newest; then all were left, and 0 was heard last.
    assert_eq!(planes, [1, 2, 3, 0, 1]);
}

// REQ-ACK-4
#[test]
fn new_packets_of_a_path_that_did_not_cry_show_that_acks_are_heard() {
    let mut routes = bench(0);
    routes.on_heard(1, 3);
    routes.on_heard(1, 0);
    let cry = |routes: &mut AckRoutes, n: u32| {
        routes.on_cry(4, at(1000 * n), at(1000 * n));
        routes.route(1).plane
    };
    assert_eq!(cry(&mut routes, 1), 3);
    // Sent before the cry; of the path that cried; of another that cried.
    routes.on_cry(5, at(1010), at(1010));
    for (path, sent) in [(6, 1000), (4, 1500), (5, 1500)] {
        routes.on_new(path, at(sent));
    }
    let mut heard = routes.clone();
    assert_eq!(cry(&mut routes, 2), 1, "0 and 3 were left");
    heard.on_new(6, at(1001));
    assert_eq!(cry(&mut heard, 2), 0, "the move was without need: back to where the peer was heard last");
}

// REQ-ACK-4
#[test]
fn after_a_millisecond_what_they_left_is_forgotten() {
    let mut routes = bench(0);
    routes.on_heard(1, 0);
    routes.on_cry(4, at(0), at(0));
    assert_eq!(routes.route(1).plane, 1);
    let mut early = routes.clone();
    early.on_cry(4, at(100), at(124_999));
    routes.on_cry(4, at(100), at(125_000));
    assert_eq!((early.route(1).plane, routes.route(1).plane), (2, 0));
}

// REQ-ACK-4
#[test]
fn planes_without_carrier_are_passed_over_and_left_at_once() {
    let mut routes = bench(2);
    routes.set_plane(3, false);
    assert_eq!(routes.route(1).plane, 2);
    routes.set_plane(2, false);
    assert_eq!(routes.route(1).plane, 0);
    routes.on_cry(7, at(5), at(5));
    assert_eq!((routes.route(1).plane, others(&mut routes, 7)), (1, vec![0]));
    routes.set_plane(1, false);
    routes.set_plane(0, false);
    assert_eq!(routes.route(1).plane, 0, "none is up");
    routes.set_plane(3, true);
    routes.on_cry(7, at(9_000), at(9_000));
    assert_eq!(routes.route(1).plane, 3);
}

#[test]
fn a_connection_set_up_on_a_lost_plane_starts_on_the_next() {
    let mut routes = bench(0);
    routes.set_plane(1, false);
    routes.set(0, Route { plane: 1, src_port: 50_000 });
    assert_eq!(routes.route(0), Route { plane: 2, src_port: 50_001 | FIRST_PORT });
}

#[test]
fn one_plane_changes_its_port_alone() {
    let mut routes = AckRoutes::new(1, 1, 1);
    routes.set(0, Route { plane: 0, src_port: 60_000 });
    routes.on_heard(0, 0);
    routes.on_cry(0, at(0), at(0));
    assert_eq!(routes.route(0), Route { plane: 0, src_port: 60_001 });
    routes.set_plane(0, false);
    routes.set_plane(7, false);
    assert_eq!(routes.route(0).plane, 0);
    assert_eq!(routes.take_others(0).count(), 0);
}

#[test]
fn sixteen_planes_are_all_tried() {
    let mut routes = AckRoutes::new(1, 64, 16);
    routes.set(0, Route { plane: 9, src_port: 60_000 });
    let mut planes: Vec<u8> = (1..16)
        .map(|n| {
            routes.on_cry(63, at(1000 * n), at(1000 * n));
            routes.route(0).plane
        })
        .collect();
    assert_eq!(planes[..7], [10, 11, 12, 13, 14, 15, 0]);
    planes.push(9);
    planes.sort_unstable();
    assert_eq!(planes, (0..16).collect::<Vec<u8>>());
}
