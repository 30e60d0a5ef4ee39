//! The smallest plan that shows what `heddle sim` is for, run whole, and what came out of it as a table: a change of the transports, of the
//! fabric or of the plan is a change of this table.

use heddle_sim::outcome::Outcome;
use heddle_sim::plan::{Plan, Point, Source};
use heddle_sim::run::run;
use rayon::prelude::*;
use std::fmt::Write;

/// Every point: goodput in Gb/s of all hosts together, what was resent and what of it in vain, of a thousand packets each.
fn table(points: &[(&Point, Outcome)]) -> String {
    let mut table = String::new();
    for (point, outcome) in points {
        let transport = &outcome.transport;
        let permille = |part: u64| (1_000 * part + transport.data_sent / 2) / transport.data_sent.max(1);
        writeln!(
            table,
            "{:<44} {:>5} Gb/s, {:>4} resent, {:>4} in vain, {} of {} delivered",
            point.name(),
            outcome.goodput_bps / 1_000_000_000,
            permille(transport.data_resent),
            permille(transport.duplicates),
            outcome.delivered,
            outcome.messages,
        )
        .expect("text");
    }
    table
}

#[test]
fn ring_and_all_to_all_of_64_hosts_under_loss_beside_the_others() {
    let plan = Plan::load(&Source::open("small").expect("a plan"), &[]).expect("a plan");
    let outcomes: Vec<(&Point, Outcome)> =
        plan.points.par_iter().map(|point| (point, run(point).expect("a run"))).collect();
    for (point, outcome) in &outcomes {
        assert!(outcome.packets.is_conserved(), "{}: {:?}", point.name(), outcome.packets);
        assert_eq!((outcome.delivered, outcome.failed), (outcome.messages, 0), "{}", point.name());
    }
    insta::assert_snapshot!(table(&outcomes));
}
