//! Two tiers: every leaf has one cable to every spine.

use super::{check_hosts, links_above, Cable, Node, Ratio, Topology, TopologyError};

/// How many spines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spines {
    /// So many.
    Count(u32),
    /// As many as give this ratio of a full leaf's capacity.
    Ratio(Ratio),
}

/// Leaves of hosts, and spines that connect them. Switches of a plane: leaves first, then spines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafSpine {
    /// Hosts; the last leaf may have free ports.
    pub hosts: u32,
    /// Host ports of a leaf.
    pub hosts_per_leaf: u32,
    /// Spines of a plane.
    pub spines: Spines,
    /// Planes.
    pub planes: u8,
    /// From the hosts to the leaves.
    pub edge: Cable,
    /// From the leaves to the spines.
    pub core: Cable,
}

impl LeafSpine {
    /// The topology.
    pub fn build(&self) -> Result<Topology, TopologyError> {
        check_hosts(self.hosts)?;
        if self.hosts_per_leaf == 0 {
            return Err(TopologyError::Zero { what: "the number of hosts per leaf" });
        }
        let spines = match self.spines {
            Spines::Count(0) => return Err(TopologyError::Zero { what: "the number of spines" }),
            Spines::Count(count) => count,
            Spines::Ratio(ratio) => links_above(self.hosts_per_leaf, self.edge.rate, self.core.rate, ratio)?,
        };
        let leaves = self.hosts.div_ceil(self.hosts_per_leaf);
        let leaf = |host| Node::Switch(host / self.hosts_per_leaf);
        let mut cables: Vec<_> =
            (0..self.hosts).map(|host| (Node::Host(host), leaf(host), self.edge)).collect();
        for leaf in 0..leaves {
            cables.extend((0..spines).map(|s| (Node::Switch(leaf), Node::Switch(leaves + s), self.core)));
        }
        Topology::copies(self.hosts, leaves + spines, self.planes, &cables)
    }
}
