//! Three tiers: edge switches and aggregation switches in pods, and core switches between the pods.
//!
//! With equal rates and no oversubscription this is the k-ary fat tree: k / 2 hosts at an edge switch, k / 2
//! edge and k / 2 aggregation switches in a pod, k^2 / 4 core switches, k pods. Source: Al-Fares, Loukissas,
//! Vahdat, SIGCOMM 2008.

use super::{check_hosts, links_above, Cable, Node, Ratio, Topology, TopologyError, MAX_HOSTS};

/// How large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Of switches with k ports, all of them in use: k^3 / 4 hosts.
    Radix(u32),
    /// Of the smallest k that has ports for so many hosts; as many pods and edge switches as they fill.
    Hosts(u32),
}

/// A fat tree. Switches of a plane: edge (pod by pod), then aggregation (pod by pod), then core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FatTree {
    /// How large.
    pub size: Size,
    /// Of the edge switches: of their hosts' capacity over that of their uplinks. What is above has full
    /// capacity for the uplinks.
    pub oversubscription: Ratio,
    /// Planes.
    pub planes: u8,
    /// From the hosts to the edge switches.
    pub edge: Cable,
    /// From the edge switches to the aggregation switches.
    pub aggregation: Cable,
    /// From the aggregation switches to the core.
    pub core: Cable,
}

impl FatTree {
    /// Largest radix: k^3 / 4 hosts are [`MAX_HOSTS`].
    pub const MAX_RADIX: u32 = 64;

    /// The topology.
    pub fn build(&self) -> Result<Topology, TopologyError> {
        let (hosts, k) = self.size.resolve()?;
        let half = k / 2;
        // A pod: `half` edge switches of `half` hosts, each with one cable to each of `aggs`.
        let aggs = links_above(half, self.edge.rate, self.aggregation.rate, self.oversubscription)?;
        // An aggregation switch: one cable to each of its own `cores`, which it shares with its like in the
        // other pods.
        let cores = links_above(half, self.aggregation.rate, self.core.rate, Ratio::FULL)?;
        let edges = hosts.div_ceil(half);
        let pods = edges.div_ceil(half);
        let agg = |pod: u32, a: u32| Node::Switch(edges + pod * aggs + a);
        let core = |a: u32, c: u32| Node::Switch(edges + pods * aggs + a * cores + c);

        let mut cables: Vec<_> =
            (0..hosts).map(|host| (Node::Host(host), Node::Switch(host / half), self.edge)).collect();
        for edge in 0..edges {
            cables.extend((0..aggs).map(|a| (Node::Switch(edge), agg(edge / half, a), self.aggregation)));
        }
        // One pod needs no core.
        if pods > 1 {
            for (pod, a) in (0..pods).flat_map(|pod| (0..aggs).map(move |a| (pod, a))) {
                cables.extend((0..cores).map(|c| (agg(pod, a), core(a, c), self.core)));
            }
        }
        let core_switches = if pods > 1 { aggs * cores } else { 0 };
        Topology::copies(hosts, edges + pods * aggs + core_switches, self.planes, &cables)
    }
}

impl Size {
    /// Hosts, and the radix.
    fn resolve(self) -> Result<(u32, u32), TopologyError> {
        match self {
            Self::Radix(k) if k % 2 == 0 && (2..=FatTree::MAX_RADIX).contains(&k) => Ok((k * k * k / 4, k)),
            Self::Radix(got) => Err(TopologyError::Radix { got, most: FatTree::MAX_RADIX }),
            Self::Hosts(hosts) => {
                check_hosts(hosts)?;
                let k = (2..=FatTree::MAX_RADIX).step_by(2).find(|k| k * k * k / 4 >= hosts);
                Ok((hosts, k.ok_or(TopologyError::Hosts { got: hosts, most: MAX_HOSTS })?))
            }
        }
    }
}
