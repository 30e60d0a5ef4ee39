use super::*;
use crate::fabric::topology::{reverse, Cable, FatTree, LeafSpine, Ratio, Single, Size, Spines};
use crate::time::{Ps, Rate};
use proptest::prelude::*;
use std::collections::BTreeMap;

const CABLE: Cable = Cable { rate: Rate::new(100_000_000_000).unwrap(), delay: Ps::from_ns(500) };

fn all_up(topology: &Topology) -> Vec<bool> {
    vec![true; topology.links.len()]
}

/// How many ways of each length lead from `src` to `dst` in a plane: length in links, host cables included.
fn ways(topology: &Topology, routes: &Routes, src: Host, dst: Host, plane: u8) -> BTreeMap<u32, u32> {
    let mut found = BTreeMap::new();
    let mut open = vec![(topology.links[topology.uplink(src, plane) as usize].to, 1)];
    while let Some((node, length)) = open.pop() {
        match node {
            Node::Host(host) => {
                assert_eq!(host, dst);
                *found.entry(length).or_insert(0) += 1;
            }
            Node::Switch(switch) => {
                assert!(length <= topology.switches, "a loop on the way from {src} to {dst}");
                for &link in routes.candidates(switch, dst) {
                    assert_eq!(topology.links[link as usize].from, node);
                    open.push((topology.links[link as usize].to, length + 1));
                }
            }
        }
    }
    found
}

fn fat_tree(k: u32, planes: u8) -> Topology {
    let (size, oversubscription) = (Size::Radix(k), Ratio::FULL);
    FatTree { size, oversubscription, planes, edge: CABLE, aggregation: CABLE, core: CABLE }.build().unwrap()
}

fn leaf_spine() -> Topology {
    let (hosts, hosts_per_leaf, spines) = (6, 2, Spines::Count(3));
    LeafSpine { hosts, hosts_per_leaf, spines, planes: 1, edge: CABLE, core: CABLE }.build().unwrap()
}

#[test]
fn hosts_of_one_switch_are_one_cable_away() {
    let topology = Single { hosts: 4, planes: 2, edge: CABLE }.build().unwrap();
    let routes = Routes::new(&topology, &all_up(&topology));
    for plane in 0..2 {
        for dst in 0..4 {
            assert_eq!(routes.candidates(plane, dst), [reverse(topology.uplink(dst, plane as u8))]);
        }
    }
}

#[test]
fn ways_in_a_leaf_spine_are_as_many_as_spines() {
    // Links by hand: host h's are 2h and 2h + 1; cable 6 + 3 * leaf + spine, so leaf 0 has links 12, 14, 16
    // upwards.
    let topology = leaf_spine();
    let routes = Routes::new(&topology, &all_up(&topology));
    assert_eq!(routes.candidates(0, 5), [12, 14, 16]);
    assert_eq!(routes.candidates(0, 1), [3]);
    // Spine 1 is switch 4; to leaf 2 it sends on the way back of cable 6 + 3 * 2 + 1.
    assert_eq!(routes.candidates(4, 5), [27]);
    let mut pairs = 0;
    for (src, dst) in (0..6).flat_map(|s| (0..6).map(move |d| (s, d))).filter(|(s, d)| s != d) {
        let expected = if src / 2 == dst / 2 { (2, 1) } else { (4, 3) };
        assert_eq!(ways(&topology, &routes, src, dst, 0), BTreeMap::from([expected]));
        pairs += 1;
    }
    assert_eq!(pairs, 30);
}

#[test]
fn ways_in_a_fat_tree_are_one_half_k_and_a_quarter_of_k_squared() {
    let (k, planes) = (4, 2);
    let topology = fat_tree(k, planes);
    let routes = Routes::new(&topology, &all_up(&topology));
    let mut seen = BTreeMap::new();
    for plane in 0..planes {
        for (src, dst) in (0..16).flat_map(|s| (0..16).map(move |d| (s, d))).filter(|(s, d)| s != d) {
            let expected = match (src / 2 == dst / 2, src / 4 == dst / 4) {
                (true, _) => (2, 1),
                (_, true) => (4, 2),
                _ => (6, 4),
            };
            let ways = ways(&topology, &routes, src, dst, plane);
            assert_eq!(ways, BTreeMap::from([expected]), "{src} to {dst}");
            *seen.entry(expected.0).or_insert(0) += 1;
        }
    }
    // Of 15 others: one at the same edge switch, two in the pod, twelve elsewhere.
    assert_eq!(seen, BTreeMap::from([(2, 2 * 16), (4, 2 * 32), (6, 2 * 192)]));
}

#[test]
fn a_link_that_is_down_is_not_taken_and_everyone_goes_round_it() {
    let topology = leaf_spine();
    let mut up = all_up(&topology);
    let mut routes = Routes::new(&topology, &up);
    // Spine 0 to leaf 2: cable 6 + 3 * 2. The other leaves must not send to spine 0 what is for leaf 2.
    (up[24], up[25]) = (false, false);
    routes.recompute(&topology, 0, &up);
    assert_eq!(routes.candidates(0, 5), [14, 16]);
    assert_eq!(routes.candidates(0, 3), [12, 14, 16]);
    assert_eq!(routes.candidates(2, 0), [26, 28]);
    // Spine 0 itself can still reach it over another leaf, another spine.
    assert_eq!(routes.candidates(3, 5), [13, 19]);
    (up[24], up[25]) = (true, true);
    routes.recompute(&topology, 0, &up);
    assert_eq!(routes.candidates(0, 5), [12, 14, 16]);
}

#[test]
fn what_cannot_be_reached_has_no_candidates() {
    let topology = leaf_spine();
    let mut up = all_up(&topology);
    // All of leaf 2's cables, and the cable of host 1.
    for cable in [12, 13, 14, 1] {
        (up[2 * cable], up[2 * cable + 1]) = (false, false);
    }
    let routes = Routes::new(&topology, &up);
    for switch in [0, 1, 3, 4, 5] {
        assert_eq!(routes.candidates(switch, 4), [0; 0], "from {switch}");
    }
    assert_eq!(routes.candidates(2, 4), [9]);
    assert_eq!(routes.candidates(2, 0), [0; 0]);
    // Only its own switch knows that host 1 is gone.
    assert_eq!((routes.candidates(0, 1), routes.candidates(1, 1).len()), (&[][..], 3));
}

#[test]
fn planes_are_routed_by_themselves() {
    let topology = fat_tree(4, 2);
    let mut up = all_up(&topology);
    for link in topology.links_of(1) {
        up[link as usize] = false;
    }
    let mut routes = Routes::new(&topology, &up);
    assert_eq!(ways(&topology, &routes, 0, 15, 0), BTreeMap::from([(6, 4)]));
    assert_eq!(ways(&topology, &routes, 0, 15, 1), BTreeMap::new());
    routes.recompute(&topology, 1, &all_up(&topology));
    assert_eq!(ways(&topology, &routes, 0, 15, 1), BTreeMap::from([(6, 4)]));
}

proptest! {
    #[test]
    fn whatever_cables_fail_ways_are_of_one_length_and_the_same_backwards(
        down in prop::collection::vec(0usize..48, 0..16),
    ) {
        let topology = fat_tree(4, 1);
        let mut up = all_up(&topology);
        for cable in down {
            (up[2 * cable], up[2 * cable + 1]) = (false, false);
        }
        let routes = Routes::new(&topology, &up);
        let mut compared = 0;
        for (src, dst) in (0..16).flat_map(|s| (0..s).map(move |d| (s, d))) {
            // A host with its own cable down has no way back to it, but may have one away from it.
            if up[2 * src as usize] && up[2 * dst as usize] {
                let there = ways(&topology, &routes, src, dst, 0);
                prop_assert!(there.len() <= 1, "ways of several lengths: {there:?}");
                prop_assert_eq!(there, ways(&topology, &routes, dst, src, 0));
                compared += 1;
            }
        }
        let hosts = (0..16).filter(|h| up[2 * h]).count();
        prop_assert_eq!(compared, hosts * hosts.saturating_sub(1) / 2);
    }

    #[test]
    fn distances_agree_with_relaxation_over_all_links(
        edges in prop::collection::vec((0u32..8, 0u32..8), 0..24),
        edge in 0u32..8,
    ) {
        let mut graph = Graph::new(8);
        for (link, &(from, to)) in (0..).zip(&edges) {
            graph.add(from, to, link);
        }
        // Bellman-Ford: as often as there are switches, over every link.
        let mut expected = [Graph::FAR; 8];
        expected[edge as usize] = 0;
        for _ in 0..8 {
            for &(from, to) in &edges {
                let over = expected[to as usize].saturating_add(1);
                expected[from as usize] = expected[from as usize].min(over);
            }
        }
        prop_assert_eq!(graph.distances_to(edge), expected);
    }
}
