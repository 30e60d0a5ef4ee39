//! Which links a switch can send a packet on: all that start a shortest way to the destination.
//!
//! Hosts of one switch share their entries, equal sets of links are kept once. Shortest is over all cables
//! that are up: where no other way is left, one goes down and up again. A host's cable that is down is known
//! to its own switch only; the others route to the switch.

use super::topology::{Node, Topology};
use crate::packet::Host;
use std::collections::HashMap;

/// Equal-cost next hops of all switches.
#[derive(Clone, Debug)]
pub struct Routes {
    hosts: u32,
    switches_per_plane: u32,
    planes: Vec<Plane>,
}

/// One plane's. Its switches are numbered from 0 here.
#[derive(Clone, Debug)]
struct Plane {
    /// By host: its switch, and its group: the how-manieth this is of the switches that have hosts.
    home: Vec<(u32, u32)>,
    /// By host: the link down to it.
    down: Vec<u32>,
    /// By host: whether this link is up; 0 or 1.
    is_up: Vec<u8>,
    /// Groups.
    groups: u32,
    /// By switch, then by group: index into `sets`.
    table: Vec<u32>,
    /// Where a set stands in `pool`: start, length.
    sets: Vec<(u32, u32)>,
    pool: Vec<u32>,
}

impl Routes {
    /// Of a topology of which some links are up, by number. A switch that is down has no link that is up.
    pub fn new(topology: &Topology, up: &[bool]) -> Self {
        let planes = (0..topology.planes).map(|plane| Plane::new(topology, plane, up)).collect();
        Self { hosts: topology.hosts, switches_per_plane: topology.switches_per_plane(), planes }
    }

    /// After links of one plane have gone or come.
    pub fn recompute(&mut self, topology: &Topology, plane: u8, up: &[bool]) {
        self.planes[usize::from(plane)] = Plane::new(topology, plane, up);
    }

    /// Links that `switch` can send on to reach `dst`, in rising order; none if it cannot be reached.
    ///
    /// # Panics
    /// If there is no such switch or host.
    #[inline]
    pub fn candidates(&self, switch: u32, dst: Host) -> &[u32] {
        assert!(dst < self.hosts, "host {dst} of {}", self.hosts);
        match &self.planes[..] {
            [only] => only.candidates(switch, dst as usize),
            planes => planes[(switch / self.switches_per_plane) as usize]
                .candidates(switch % self.switches_per_plane, dst as usize),
        }
    }
}

impl Plane {
    #[inline]
    fn candidates(&self, switch: u32, dst: usize) -> &[u32] {
        let (home, group) = self.home[dst];
        if home == switch {
            return &self.down[dst..dst + usize::from(self.is_up[dst])];
        }
        let set = self.table[(switch * self.groups + group) as usize];
        let (start, length) = self.sets[set as usize];
        &self.pool[start as usize..(start + length) as usize]
    }

    fn new(topology: &Topology, plane: u8, up: &[bool]) -> Self {
        let switches = topology.switches_per_plane();
        let base = switches * u32::from(plane);
        let mut graph = Graph::new(switches);
        let mut down = vec![0; topology.hosts as usize];
        let mut homes = vec![0; topology.hosts as usize];
        for link in topology.links_of(plane) {
            let ends = topology.links[link as usize];
            match (ends.from, ends.to) {
                (Node::Switch(from), Node::Switch(to)) if up[link as usize] => {
                    graph.add(from - base, to - base, link);
                }
                (Node::Switch(from), Node::Host(host)) => {
                    (homes[host as usize], down[host as usize]) = (from - base, link);
                }
                _ => {}
            }
        }
        let is_up = down.iter().map(|&link| u8::from(up[link as usize])).collect();
        let (home, edges) = group(homes, switches);
        let mut this = Self {
            home,
            down,
            is_up,
            groups: edges.len() as u32,
            table: vec![0; switches as usize * edges.len()],
            sets: Vec::new(),
            pool: Vec::new(),
        };
        this.fill(&graph, &edges);
        this
    }

    fn fill(&mut self, graph: &Graph, edges: &[u32]) {
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        for (&edge, group) in edges.iter().zip(0..) {
            let distances = graph.distances_to(edge);
            for (switch, &distance) in (0u32..).zip(&distances) {
                let set = graph.closer(switch, distance, &distances);
                let set = *known.entry(set).or_insert_with_key(|set| {
                    self.sets.push((self.pool.len() as u32, set.len() as u32));
                    self.pool.extend(set);
                    self.sets.len() as u32 - 1
                });
                self.table[(switch * self.groups + group) as usize] = set;
            }
        }
    }
}

/// Each host's switch with its group, and the switch of each group.
fn group(homes: Vec<u32>, switches: u32) -> (Vec<(u32, u32)>, Vec<u32>) {
    let mut groups = vec![None; switches as usize];
    let mut edges = Vec::new();
    let home = homes.into_iter().map(|switch| {
        let group = groups[switch as usize].get_or_insert_with(|| {
            edges.push(switch);
            edges.len() as u32 - 1
        });
        (switch, *group)
    });
    (home.collect(), edges)
}

/// Switches of one plane and the links between them that are up.
struct Graph {
    /// By switch: (neighbour, link) that it can send to.
    outgoing: Vec<Vec<(u32, u32)>>,
    /// By switch: neighbours that can send to it.
    incoming: Vec<Vec<u32>>,
}

impl Graph {
    /// Of a switch from which there is no way.
    const FAR: u32 = u32::MAX;

    fn new(switches: u32) -> Self {
        let (outgoing, incoming) = (vec![Vec::new(); switches as usize], vec![Vec::new(); switches as usize]);
        Self { outgoing, incoming }
    }

    fn add(&mut self, from: u32, to: u32, link: u32) {
        self.outgoing[from as usize].push((to, link));
        self.incoming[to as usize].push(from);
    }

    /// Links on a shortest way from each switch to `edge`.
    fn distances_to(&self, edge: u32) -> Vec<u32> {
        let mut distances = vec![Self::FAR; self.incoming.len()];
        distances[edge as usize] = 0;
        let mut found = vec![edge];
        let mut next = 0;
        while let Some(&switch) = found.get(next) {
            next += 1;
            for &from in &self.incoming[switch as usize] {
                if distances[from as usize] == Self::FAR {
                    distances[from as usize] = distances[switch as usize] + 1;
                    found.push(from);
                }
            }
        }
        distances
    }

    /// Links of `switch` to neighbours that are one link closer than it.
    fn closer(&self, switch: u32, distance: u32, distances: &[u32]) -> Vec<u32> {
        if distance == Self::FAR {
            return Vec::new();
        }
        let is_closer =
            |to: u32| distances[to as usize] != Self::FAR && distances[to as usize] + 1 == distance;
        self.outgoing[switch as usize]
            .iter()
            .filter(|(to, _)| is_closer(*to))
            .map(|&(_, link)| link)
            .collect()
    }
}

#[cfg(test)]
mod tests;
