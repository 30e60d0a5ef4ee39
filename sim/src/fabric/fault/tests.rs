use super::*;
use crate::fabric::topology::{Cable, LeafSpine, Spines};

const RATE: Rate = Rate::new(100_000_000_000).unwrap();
const SLOW: Rate = Rate::new(10_000_000_000).unwrap();

/// A plane: hosts 0 to 3, leaves 0 and 1, spines 2 and 3; cables 0 to 3 of the hosts, 4 and 5 of leaf 0, 6
/// and 7 of leaf 1.
fn topology() -> Topology {
    let cable = Cable { rate: RATE, delay: Ps::from_ns(500) };
    let (hosts, hosts_per_leaf, spines) = (4, 2, Spines::Count(2));
    LeafSpine { hosts, hosts_per_leaf, spines, planes: 2, edge: cable, core: cable }.build().unwrap()
}

fn steps(faults: &[(Ps, Fault)]) -> Vec<(Ps, Step)> {
    let topology = topology();
    let mut faults = Faults::new(&topology, faults, Ps(1_000)).unwrap();
    let mut steps = Vec::new();
    while let Some(at) = faults.next_at() {
        steps.push((at, faults.step(&topology).unwrap()));
    }
    assert_eq!(faults.step(&topology), None);
    steps
}

fn down(links: &[u32]) -> Step {
    Step::Links { down: links.to_vec(), up: vec![] }
}

fn up(links: &[u32]) -> Step {
    Step::Links { down: vec![], up: links.to_vec() }
}

#[test]
fn a_cable_takes_both_its_links_and_routing_follows_later() {
    let got = steps(&[(Ps(9_000), Fault::CableUp(4)), (Ps(5_000), Fault::CableDown(4))]);
    let expected = [
        (Ps(5_000), down(&[8, 9])),
        (Ps(6_000), Step::Reroute(0)),
        (Ps(9_000), up(&[8, 9])),
        (Ps(10_000), Step::Reroute(0)),
    ];
    assert_eq!(got, expected);
}

#[test]
fn a_switch_takes_the_links_of_its_cables_and_a_cable_of_it_stays_down_when_it_is_back() {
    // Spine 2 has cables 4 and 6.
    let got = steps(&[
        (Ps(1), Fault::CableDown(6)),
        (Ps(2), Fault::SwitchDown(2)),
        (Ps(3), Fault::SwitchUp(2)),
        (Ps(4), Fault::CableUp(6)),
    ]);
    let links: Vec<_> = got.into_iter().map(|(_, step)| step).filter(|s| *s != Step::Reroute(0)).collect();
    assert_eq!(links, [down(&[12, 13]), down(&[8, 9]), up(&[8, 9]), up(&[12, 13])]);
}

#[test]
fn a_plane_takes_all_its_links_and_no_other() {
    let topology = topology();
    let all: Vec<_> = (16..32).collect();
    let got = steps(&[(Ps(1), Fault::PlaneDown(1)), (Ps(2), Fault::PlaneUp(1))]);
    let expected = [
        (Ps(1), down(&all)),
        (Ps(2), up(&all)),
        (Ps(1_001), Step::Reroute(1)),
        (Ps(1_002), Step::Reroute(1)),
    ];
    assert_eq!(got, expected);
    let mut faults = Faults::new(&topology, &[(Ps(1), Fault::PlaneDown(1))], Ps::ZERO).unwrap();
    faults.step(&topology);
    assert_eq!(faults.up(), [[true; 16], [false; 16]].concat());
}

#[test]
fn what_is_muted_loses_everything_and_nobody_is_told() {
    let got = steps(&[
        (Ps(1), Fault::Muted(Part::Cable(4))),
        (Ps(2), Fault::Muted(Part::Switch(2))),
        (Ps(3), Fault::Unmuted(Part::Cable(4))),
        (Ps(4), Fault::CableDown(6)),
        (Ps(5), Fault::Unmuted(Part::Switch(2))),
    ]);
    // Spine 2 has cables 4 and 6. Only what is seen to be down is routed round.
    let expected = [
        (Ps(1), Step::Mute { mute: vec![8, 9], heard: vec![] }),
        (Ps(2), Step::Mute { mute: vec![12, 13], heard: vec![] }),
        (Ps(3), Step::Mute { mute: vec![], heard: vec![] }),
        (Ps(4), down(&[12, 13])),
        (Ps(5), Step::Mute { mute: vec![], heard: vec![8, 9, 12, 13] }),
        (Ps(1_004), Step::Reroute(0)),
    ];
    assert_eq!(got, expected);
}

#[test]
fn rehashes_are_counted_and_a_degraded_cable_comes_back_to_its_own_rate() {
    let got = steps(&[
        (Ps(1), Fault::Rehash),
        (Ps(2), Fault::Degraded(5, SLOW)),
        (Ps(3), Fault::Rehash),
        (Ps(4), Fault::Restored(5)),
    ]);
    let expected = [
        (Ps(1), Step::Rehash(1)),
        (Ps(2), Step::Rate(5, SLOW)),
        (Ps(3), Step::Rehash(2)),
        (Ps(4), Step::Rate(5, RATE)),
    ];
    assert_eq!(got, expected);
}

#[test]
fn what_is_not_there_or_is_so_already_is_refused() {
    let cases: [(&[(Ps, Fault)], &str); 8] = [
        (&[(Ps(1), Fault::CableDown(16))], "cable 16 is to fail or to be repaired: there are 0 to 15"),
        (&[(Ps(1), Fault::SwitchUp(8))], "switch 8 is to fail or to be repaired: there are 0 to 7"),
        (&[(Ps(1), Fault::PlaneDown(2))], "plane 2 is to fail or to be repaired: there are 0 to 1"),
        (&[(Ps(5_000), Fault::CableUp(1))], "cable 1 is to be up at 5 ns, and is so already"),
        (
            &[(Ps(9_000), Fault::SwitchDown(3)), (Ps(5_000), Fault::SwitchDown(3))],
            "switch 3 is to be down at 9 ns, and is so already",
        ),
        (&[(Ps(7_000), Fault::Unmuted(Part::Plane(1)))], "plane 1 is to be heard at 7 ns, and is so already"),
        (&[(Ps(0), Fault::Restored(1))], "cable 1 is to be at its own rate at 0 ns, and is so already"),
        (&[(Ps(0), Fault::Degraded(16, SLOW))], "cable 16 is to fail or to be repaired: there are 0 to 15"),
    ];
    for (faults, expected) in cases {
        let error = Faults::new(&topology(), faults, Ps::ZERO).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}
