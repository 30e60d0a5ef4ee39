//! Random histories: the model's two path engines, the ACK triggers and the timers on a network that loses,
//! duplicates, reorders and dies. An oracle knows what became of every transmission.
//!
//! `COUNT=20000 SEED=7 cargo test --release -p heddle-model --test histories` runs more, and other,
//! histories.

mod failures;
mod net;
mod plan;
mod receiver;
mod routes;
mod sender;
mod truth;
mod world;

use plan::Plan;
use truth::Tally;

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}

/// Runs `count` histories of consecutive seeds; a failure prints the seed and the command that replays it.
fn run_all(test: &str, first_seed: u64, count: u64, plan: fn(u64) -> Plan) -> Tally {
    let mut total = Tally::default();
    for seed in first_seed..first_seed + count {
        let plan = plan(seed);
        let tally = world::run(&plan);
        let replay =
            format!("SEED={seed} COUNT=1 cargo test --release -p heddle-model --test histories {test}");
        assert!(tally.violations.is_empty(), "{:#?}\n{plan:#?}\nreplay: {replay}", tally.violations);
        if plan.is_fifo() {
            assert_eq!(
                tally.spurious_by_evidence, 0,
                "evidence erred on FIFO routes\n{plan:#?}\nreplay: {replay}"
            );
        }
        total.add(&tally);
    }
    println!("{test}: seeds {first_seed} to {}: {total:?}", first_seed + count - 1);
    total
}

/// The fixed seeds and one fresh, `COUNT` of them if it is set. With `SEED`, a replay: seeds from there on,
/// and no total.
fn histories(test: &str, fixed: u64, plan: fn(u64) -> Plan) -> Option<Tally> {
    let count = number("COUNT").unwrap_or(fixed);
    if let Some(seed) = number("SEED") {
        run_all(test, seed, count, plan);
        return None;
    }
    let fresh: u64 = rand::random::<u32>().into();
    println!("{test}: fresh seed {fresh}");
    let mut total = run_all(test, 1, count, plan);
    total.add(&run_all(test, fresh << 16, 1, plan));
    Some(total)
}

// Invariants 1, 2 and 5 of the protocol: F11, F13, F15, F17, F31, F33.
#[test]
fn every_packet_is_placed_exactly_once_and_nothing_is_left_behind() {
    let name = "every_packet_is_placed_exactly_once_and_nothing_is_left_behind";
    let Some(total) = histories(name, 1000, Plan::random) else { return };
    assert!(total.lost > 0 && total.expiries > 0 && total.deaths > 0 && total.probes > 0);
}

// Invariant 3: REQ-TX-2, REQ-TX-3, REQ-TX-4, F07.
#[test]
fn on_fifo_routes_evidence_never_errs() {
    let Some(total) = histories("on_fifo_routes_evidence_never_errs", 500, Plan::random_fifo) else { return };
    assert_eq!(total.spurious_by_evidence, 0);
    assert!(total.found_by_evidence > 1000, "{} losses were found by evidence", total.found_by_evidence);
}

// F11, F33.
#[test]
fn losing_only_acks_never_resends_by_evidence() {
    let name = "losing_only_acks_never_resends_by_evidence";
    let Some(total) = histories(name, 300, Plan::random_ack_loss_only) else { return };
    assert_eq!((total.lost, total.found_by_evidence, total.spurious_by_evidence), (0, 0, 0));
}

/// A long transfer with loss of data and of ACKs, in parts per million.
fn long(loss: u32, paths: u16) -> Plan {
    let plan = Plan::calm(11, 100_000);
    Plan { paths, planes: u32::from(paths).min(4), loss_data: loss, loss_acks: loss, ..plan }
}

// F35: recovery is driven by ACKs.
#[test]
fn at_one_percent_loss_at_least_95_percent_of_losses_are_found_by_evidence() {
    for paths in [1, 8] {
        let tally = world::run(&long(10_000, paths));
        assert!(tally.violations.is_empty(), "{:?}", tally.violations);
        let found = tally.found_by_evidence + tally.found_by_timer;
        println!("{paths} paths: {tally:?}");
        assert!(
            tally.found_by_evidence * 100 >= found * 95,
            "{paths} paths: {} of {found}",
            tally.found_by_evidence
        );
        assert!(found > 900, "only {found} losses");
    }
}

/// One row of figures: goodput in thousandths of the undisturbed, rounded to the nearest.
fn figures(name: &str, loss: u32, undisturbed: u64, tally: &Tally) -> String {
    let goodput = (undisturbed * 1000 + tally.done_at / 2) / tally.done_at;
    format!(
        "{name:<24} {:>2}.{} {:>3}.{:03} {:>8} {:>7} {:>12} {:>9} {:>9} {:>9}\n",
        loss / 10_000,
        loss / 1_000 % 10,
        goodput / 1000,
        goodput % 1000,
        tally.resends,
        tally.lost,
        tally.found_by_evidence,
        tally.found_by_timer,
        tally.spurious_by_evidence,
        tally.spurious_by_timer,
    )
}

// REQ-TX-12
#[test]
fn the_guard_makes_resends_in_vain_rare_on_a_route_that_reorders() {
    let mut table = String::from(
        "One path, one packet in twenty late by up to so much, 82 MB in 4 KiB packets, goodput as above\n\n\
         route, guard           loss % goodput  resends    lost  by evidence  by timer  spurious  by timer\n",
    );
    let plan = |loss| Plan { packets: 20_000, message: 20_000, ..long(loss, 1) };
    let undisturbed = world::run(&plan(0)).done_at;
    for (late_us, loss) in [(1, 0), (3, 0), (10, 0), (1, 10_000), (3, 10_000), (10, 10_000)] {
        let [fixed, adaptive] = [Some(0), None].map(|reorder_guard| {
            let late =
                Plan { reorder_data: 50_000, reorder_by: late_us * plan::US, reorder_guard, ..plan(loss) };
            let tally = world::run(&late);
            assert!(tally.violations.is_empty(), "{:?}", tally.violations);
            let name = if reorder_guard.is_some() { "0" } else { "by duplicates" };
            table += &figures(&format!("{late_us} us, {name}"), loss, undisturbed, &tally);
            tally
        });
        assert!(adaptive.spurious_by_evidence * 10 < fixed.spurious_by_evidence, "{table}");
        assert!(adaptive.done_at < fixed.done_at, "{table}");
    }
    insta::assert_snapshot!(table);
}

#[test]
fn goodput_under_loss() {
    let one_at_a_time = |loss, paths| Plan { message: 256, gated: true, ..long(loss, paths) };
    let transfers: [(&str, &dyn Fn(u32) -> Plan); 3] = [
        ("410 MB, 1 path", &|loss| long(loss, 1)),
        ("410 MB, 8 paths", &|loss| long(loss, 8)),
        ("1 MB at a time, 8 paths", &|loss| one_at_a_time(loss, 8)),
    ];
    let mut table = String::from(
        "4 KiB packets, 100 Gb/s, 10 us round trip, data and ACKs lost alike, goodput against zero loss\n\n\
         transfer               loss % goodput  resends    lost  by evidence  by timer  spurious  by timer\n",
    );
    for (name, plan) in transfers {
        let mut undisturbed = 0;
        for loss in [0, 1_000, 10_000, 20_000, 50_000, 100_000] {
            let tally = world::run(&plan(loss));
            assert!(tally.violations.is_empty(), "{:?}", tally.violations);
            if loss == 0 {
                undisturbed = tally.done_at;
            }
            table += &figures(name, loss, undisturbed, &tally);
        }
    }
    insta::assert_snapshot!(table);
}
