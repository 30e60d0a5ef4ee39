use super::*;

fn cable(gbps: u64, ns: u64) -> Cable {
    Cable { rate: Rate::new(gbps * 1_000_000_000).unwrap(), delay: Ps::from_ns(ns) }
}

fn tree(size: Size, oversubscription: Ratio, planes: u8) -> FatTree {
    let (edge, aggregation, core) = (cable(100, 500), cable(100, 600), cable(100, 2_000));
    FatTree { size, oversubscription, planes, edge, aggregation, core }
}

fn leaves(hosts: u32, hosts_per_leaf: u32, spines: Spines, planes: u8) -> LeafSpine {
    LeafSpine { hosts, hosts_per_leaf, spines, planes, edge: cable(100, 500), core: cable(400, 1_000) }
}

/// Links out of each switch, to hosts and to switches.
fn degrees(topology: &Topology) -> Vec<(u32, u32)> {
    let mut degrees = vec![(0, 0); topology.switches as usize];
    for link in &topology.links {
        match (link.from, link.to) {
            (Node::Switch(from), Node::Host(_)) => degrees[from as usize].0 += 1,
            (Node::Switch(from), Node::Switch(_)) => degrees[from as usize].1 += 1,
            _ => {}
        }
    }
    degrees
}

/// What holds for every topology.
fn check(topology: &Topology) {
    let mut ports = 0;
    for (link, number) in topology.links.iter().zip(0..) {
        let back = topology.links[reverse(number) as usize];
        assert_eq!((back.from, back.to, back.rate, back.delay), (link.to, link.from, link.rate, link.delay));
        assert!(topology.links_of(link.plane).contains(&number));
        for node in [link.from, link.to] {
            if let Node::Switch(switch) = node {
                assert_eq!(topology.plane_of(switch), link.plane);
            }
        }
        if let Node::Host(host) = link.from {
            assert_eq!(topology.uplink(host, link.plane), number);
            ports += 1;
        }
    }
    assert_eq!(ports, topology.hosts * u32::from(topology.planes));
}

#[test]
fn one_switch_has_a_cable_to_every_host_in_every_plane() {
    let topology = Single { hosts: 5, planes: 3, edge: cable(100, 500) }.build().unwrap();
    check(&topology);
    assert_eq!((topology.switches, topology.links.len()), (3, 30));
    assert_eq!(degrees(&topology), [(5, 0); 3]);
    assert_eq!(topology.links[topology.uplink(4, 2) as usize].to, Node::Switch(2));
}

#[test]
fn a_leaf_has_one_cable_to_every_spine_and_the_ratio_says_how_many() {
    // 16 hosts of 100 G are 1.6 T: 4 spines of 400 G at 1:1, one at 4:1.
    for (ratio, spines) in [(Ratio::FULL, 4), (Ratio { down: 2, up: 1 }, 2), (Ratio { down: 4, up: 1 }, 1)] {
        let topology = leaves(40, 16, Spines::Ratio(ratio), 2).build().unwrap();
        check(&topology);
        assert_eq!(topology.switches, 2 * (3 + spines));
        assert_eq!(topology.links.len() as u32, 2 * 2 * (40 + 3 * spines));
        let plane: Vec<_> = [(16, spines), (16, spines), (8, spines)]
            .into_iter()
            .chain(vec![(0, 3); spines as usize])
            .collect();
        assert_eq!(degrees(&topology), [plane.clone(), plane].concat());
    }
    let counted = leaves(40, 16, Spines::Count(4), 2).build();
    assert_eq!(counted, leaves(40, 16, Spines::Ratio(Ratio::FULL), 2).build());
}

#[test]
fn a_fat_tree_of_radix_k_has_the_published_counts() {
    for k in [2, 4, 6, 8] {
        let half = k / 2;
        let topology = tree(Size::Radix(k), Ratio::FULL, 1).build().unwrap();
        check(&topology);
        assert_eq!(topology.hosts, k * k * k / 4);
        assert_eq!(topology.switches, k * k + half * half);
        // As many cables between edge and aggregation, and between aggregation and core, as hosts: full
        // bisection.
        assert_eq!(topology.links.len() as u32, 2 * 3 * topology.hosts);
        let (edge, rest) = (k * half, (0, k));
        for (switch, degree) in degrees(&topology).into_iter().zip(0..).map(|(d, s)| (s, d)) {
            assert_eq!(degree, if switch < edge { (half, half) } else { rest }, "switch {switch} of k = {k}");
        }
    }
}

#[test]
fn a_fat_tree_by_host_count_has_the_pods_that_the_hosts_fill() {
    // 64 hosts: k = 6 has ports for 54, k = 8 for 128 in 8 pods of 16; four of them are full.
    let topology = tree(Size::Hosts(64), Ratio::FULL, 1).build().unwrap();
    check(&topology);
    assert_eq!((topology.hosts, topology.switches), (64, 16 + 16 + 16));
    // 70 hosts: five pods; the last has one edge switch of 4 hosts and one of 2.
    let topology = tree(Size::Hosts(70), Ratio::FULL, 1).build().unwrap();
    check(&topology);
    assert_eq!(topology.switches, 18 + 20 + 16);
    assert_eq!(degrees(&topology)[17], (2, 4));
    assert_eq!(tree(Size::Hosts(128), Ratio::FULL, 1).build(), tree(Size::Radix(8), Ratio::FULL, 1).build());
    // One pod has nothing above its aggregation switches.
    let pod = tree(Size::Hosts(16), Ratio::FULL, 1).build().unwrap();
    assert_eq!(pod.switches, tree(Size::Radix(4), Ratio::FULL, 1).build().unwrap().switches);
}

#[test]
fn oversubscription_and_faster_tiers_take_uplinks_away() {
    // k = 8: edge switches of 4 hosts and 2 uplinks; 2 aggregation switches in each of 8 pods; 2 * 4 core
    // switches.
    let topology = tree(Size::Radix(8), Ratio { down: 2, up: 1 }, 1).build().unwrap();
    check(&topology);
    assert_eq!((topology.hosts, topology.switches), (128, 32 + 16 + 8));
    assert_eq!(degrees(&topology)[0], (4, 2));
    let mut faster = tree(Size::Radix(8), Ratio::FULL, 1);
    (faster.aggregation, faster.core) = (cable(200, 600), cable(400, 2_000));
    let topology = faster.build().unwrap();
    check(&topology);
    // 400 G of hosts: 2 uplinks of 200 G. 800 G into an aggregation switch: 2 uplinks of 400 G.
    assert_eq!(topology.switches, 32 + 16 + 4);
    assert_eq!(degrees(&topology)[32], (0, 6));
}

#[test]
fn planes_are_copies_that_nothing_connects() {
    let one = tree(Size::Radix(4), Ratio::FULL, 1).build().unwrap();
    let four = tree(Size::Radix(4), Ratio::FULL, 4).build().unwrap();
    check(&four);
    assert_eq!((four.links.len(), four.switches), (4 * one.links.len(), 4 * one.switches));
    let first: Vec<_> = four.links[..one.links.len()].to_vec();
    assert_eq!(first, one.links);
    let across = |link: &&Link| {
        let plane = |node| match node {
            Node::Switch(switch) => four.plane_of(switch),
            Node::Host(_) => link.plane,
        };
        plane(link.from) != plane(link.to)
    };
    assert_eq!(four.links.iter().filter(across).count(), 0);
}

#[test]
fn what_cannot_be_built_is_refused_with_what_can() {
    let message = |result: Result<Topology, TopologyError>| result.unwrap_err().to_string();
    let cases = [
        (Single { hosts: 1, planes: 1, edge: cable(1, 1) }.build(), "1 hosts: 2 to 65536 are possible"),
        (Single { hosts: 2, planes: 17, edge: cable(1, 1) }.build(), "17 planes: 1 to 16 are possible"),
        (
            leaves(8, 0, Spines::Count(1), 1).build(),
            "the number of hosts per leaf is 0: it must be 1 or more",
        ),
        (leaves(8, 4, Spines::Count(0), 1).build(), "the number of spines is 0: it must be 1 or more"),
        (
            leaves(40, 16, Spines::Ratio(Ratio { down: 3, up: 1 }), 2).build(),
            "16 links of 100000000000 b/s at 3:1 ask for 533333333333 b/s upwards, which is not a whole \
             number of links of 400000000000 b/s: take a ratio or rates that divide",
        ),
        (
            tree(Size::Radix(5), Ratio::FULL, 1).build(),
            "a fat tree of radix 5: even numbers from 2 to 64 are possible",
        ),
        (tree(Size::Hosts(70_000), Ratio::FULL, 1).build(), "70000 hosts: 2 to 65536 are possible"),
        (
            tree(Size::Radix(4), Ratio { down: 0, up: 1 }, 1).build(),
            "a side of the oversubscription is 0: it must be 1 or more",
        ),
        (
            Topology::copies(2, 1, 1, &[(Node::Host(0), Node::Switch(1), cable(1, 1))]),
            "cable 0 must connect host 0 to a switch of 0 to 0, and connects Host(0) to Switch(1)",
        ),
        (
            Topology::copies(2, 1, 1, &[(Node::Host(0), Node::Switch(0), cable(1, 1))]),
            "cable 1 must connect host 1 to a switch of 0 to 0, and connects Host(1) to Host(1)",
        ),
    ];
    for (got, expected) in cases {
        assert_eq!(message(got), expected);
    }
}
