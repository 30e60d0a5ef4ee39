//! One switch per plane.

use super::{check_hosts, Cable, Node, Topology, TopologyError};

/// All hosts at one switch per plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Single {
    /// Hosts.
    pub hosts: u32,
    /// Planes.
    pub planes: u8,
    /// From the hosts to the switch.
    pub edge: Cable,
}

impl Single {
    /// The topology.
    pub fn build(&self) -> Result<Topology, TopologyError> {
        check_hosts(self.hosts)?;
        let cables: Vec<_> =
            (0..self.hosts).map(|host| (Node::Host(host), Node::Switch(0), self.edge)).collect();
        Topology::copies(self.hosts, 1, self.planes, &cables)
    }
}
