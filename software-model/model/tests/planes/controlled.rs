//! Planes and congestion control together.

use crate::kills::{complete, permille};
use crate::plan::{from_on, parallel, Plan, What};
use crate::world::{World, US};
use heddle_model::core::{CongestionConfig, CoreConfig};

/// When planes die, in microseconds.
const AT: u64 = 600;

/// 100 Gb/s into the receiver, 25 of each plane, a round trip of 10 us.
pub fn controlled(plan: &Plan) -> World {
    let congestion = CongestionConfig::new(125_000, 1_250, 4)
        .and_then(|congestion| congestion.with_plane_capacity(31_250));
    let congestion = congestion.expect("a configuration");
    World::with_config(plan, |config| CoreConfig { congestion: Some(congestion), ..config })
}

// REQ-ROUTE-2, REQ-ROUTE-7, REQ-ROUTE-9, REQ-HINT-5: windows of paths grow apart where nothing is marked; each plane has its share all
// the same, and hints are for the planes that are left.
#[test]
fn with_hints_and_windows_of_their_own_the_planes_carry_their_share_before_and_after_others_die() {
    let kinds = [What::All, What::Data, What::Carrier];
    let dead: [&[u8]; 6] = [&[], &[0], &[1], &[0, 1], &[0, 2], &[2, 3]];
    let cases: Vec<_> = [4, 16, 64]
        .into_iter()
        .flat_map(|paths| dead.map(|dead| kinds.map(|what| (paths, dead, what))))
        .collect();
    let cases = cases.concat();
    let checked = parallel(&cases, |&(paths, dead, what)| {
        // Of 64 paths that lose their routes at once and choose anew, some runs take longer than others: their
        // mean counts.
        let together = paths == 64 && what == What::Carrier && !dead.is_empty();
        let (seeds, least) = if together { (7..15, 870) } else { (7..8, 900) };
        let runs = seeds.end - seeds.start;
        let sum: u64 = seeds.map(|seed| after_deaths(seed, paths, dead, what)).sum();
        let after = sum / runs;
        assert!(after >= least, "{after} of 1000 with {paths} paths, {what:?} of {dead:?} dead");
    });
    assert_eq!(checked, 54);
}

/// Runs a case to its end. Goodput behind the deaths, in thousandths of what the planes that are left carry.
fn after_deaths(seed: u64, paths: u16, dead: &[u8], what: What) -> u64 {
    let plan = Plan { messages: 96, ..Plan::new(seed, paths) }.killed(dead, what, from_on(AT));
    let mut world = controlled(&plan);
    world.run(AT * US);
    // Hints are for 98 % of the link.
    let before = permille(&world, (AT - 300) * US, 4);
    assert!(before >= 940, "{before} of 1000 before anything happens: {plan:#?}");
    world.run(1_300 * US);
    let after = permille(&world, world.last_death.max(AT * US), 4 - dead.len());
    assert!(after >= 780, "{after} of 1000: {plan:#?}");
    complete(&mut world, &plan);
    after
}
