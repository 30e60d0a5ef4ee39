//! Failures that users of such transports reported in public, as histories (docs/testplan.md).

use crate::plan::{Hole, Plan, US};
use crate::truth::Tally;
use crate::world;

/// 4,210 bytes at 100 Gb/s.
const PACKET_PS: u64 = 336_800;

fn run(plan: &Plan) -> Tally {
    let tally = world::run(plan);
    assert!(tally.violations.is_empty(), "{:#?}\n{plan:#?}", tally.violations);
    tally
}

fn one_path(packets: u32) -> Plan {
    Plan { planes: 1, paths: 1, ..Plan::calm(3, packets) }
}

fn hole(plane: u32, from: u64, until: u64, (data, acks): (bool, bool)) -> Vec<Hole> {
    vec![Hole { plane, from, until, data, acks }]
}

// F15
#[test]
fn the_paths_of_a_dead_plane_move_to_live_ones_within_two_expiries() {
    let at = 800 * US;
    let packets = 60_000;
    for what in [(true, true), (true, false), (false, true)] {
        let tally = run(&Plan { holes: hole(1, at, u64::MAX, what), ..Plan::calm(3, packets) });
        let rest = u64::from(packets) * PACKET_PS - at;
        let three_of_four = at + rest * 4 / 3;
        assert!(tally.done_at < three_of_four + 100 * US, "{what:?}: done at {} us", tally.done_at / US);
        if what.0 {
            assert_eq!((tally.deaths, tally.expiries), (2, 4), "two of eight paths travelled there");
        }
    }
}

// F15: changes of route do not keep a path in a hole (ADR-0005).
#[test]
fn a_path_that_likes_to_change_routes_leaves_a_dead_plane() {
    for every in [10, 30, 100, 300] {
        let plan = Plan { voluntary_every: Some(every * US), paths: 4, ..Plan::calm(every, 2000) };
        let tally = run(&Plan { holes: hole(3, 70 * US, u64::MAX, (true, true)), ..plan });
        assert!(
            tally.deaths > 0 && tally.done_at < 5000 * US,
            "every {every} us: done at {} us",
            tally.done_at / US
        );
    }
}

// F17
#[test]
fn a_full_window_whose_acks_are_lost_recovers_by_itself() {
    let tally = run(&Plan { cwnd: 256, holes: hole(0, 0, 1000 * US, (false, true)), ..one_path(600) });
    assert!(tally.probes > 0 && tally.lost == 0);
    assert_eq!(tally.spurious_by_evidence, 0);
    assert!(tally.done_at < 3000 * US, "done at {} us", tally.done_at / US);
}

// F33
#[test]
fn a_burst_of_losses_is_recovered_by_acks_and_not_one_packet_per_timeout() {
    let plain = run(&one_path(2000));
    let tally = run(&Plan { holes: hole(0, 300 * US, 330 * US, (true, false)), ..one_path(2000) });
    assert!(tally.lost > 80, "{} lost", tally.lost);
    assert_eq!((tally.found_by_evidence, tally.expiries), (tally.lost, 0));
    assert!(tally.done_at < plain.done_at + 60 * US, "{} us more", (tally.done_at - plain.done_at) / US);
}

// F35
#[test]
fn the_lost_head_of_a_message_takes_round_trips_and_not_seconds() {
    for head in 1..=8 {
        let plan = Plan { message: 16, holes: hole(0, 0, head * PACKET_PS, (true, false)), ..one_path(16) };
        let tally = run(&plan);
        assert_eq!((tally.lost, tally.found_by_evidence, tally.expiries), (head, head, 0));
        assert!(tally.done_at < 40 * US, "done at {} us", tally.done_at / US);
    }
}

// F13
#[test]
fn what_is_acknowledged_while_waiting_to_be_resent_is_not_resent() {
    // Half of the packets are overtaken by the others, so they wait to be resent when their ACKs come.
    let plan = Plan {
        reorder_data: 500_000,
        reorder_by: 3 * US,
        reorder_guard: Some(0),
        cwnd: 256,
        ..one_path(5000)
    };
    let tally = run(&plan);
    assert!(tally.spurious_by_evidence > 100);
    assert!(tally.resends < tally.spurious_by_evidence, "{} resent", tally.resends);
}
