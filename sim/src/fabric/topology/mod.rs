//! Who is connected to whom: pure data, nothing moves here.
//!
//! A fabric has planes, separate copies of one network; every host has one port in each. The links of a plane
//! stand together, host cables first, so that a host's port is found by arithmetic ([`Topology::uplink`]).

mod fat_tree;
mod leaf_spine;
mod single;

pub use fat_tree::{FatTree, Size};
pub use leaf_spine::{LeafSpine, Spines};
pub use single::Single;

use crate::packet::Host;
use crate::time::{Ps, Rate};
use thiserror::Error;

/// Most hosts of a topology: their numbers are the lower 24 bits of the addresses 10.x.y.z, and route tables
/// stay small.
pub const MAX_HOSTS: u32 = 65_536;

/// Most planes: a set of them fits into 16 bits.
pub const MAX_PLANES: u8 = 16;

/// An end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A host's NIC; which of its ports is the plane of the link.
    Host(Host),
    /// A switch; numbers go through all planes.
    Switch(u32),
}

/// One direction of a cable. Link 2k and link 2k + 1 are the two directions of cable k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Who sends.
    pub from: Node,
    /// Who receives.
    pub to: Node,
    /// How fast.
    pub rate: Rate,
    /// Propagation, one way.
    pub delay: Ps,
    /// Plane, from 0.
    pub plane: u8,
}

/// Hosts, switches and what connects them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    /// Hosts, numbered from 0.
    pub hosts: u32,
    /// Switches of all planes; those of plane p are the p-th of as many equal parts as there are planes.
    pub switches: u32,
    /// Planes.
    pub planes: u8,
    /// Links, plane by plane; in a plane first those of host 0, host 1, ..., upwards and downwards, then
    /// those between switches.
    pub links: Vec<Link>,
}

/// What all cables of a tier have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cable {
    /// Of each direction.
    pub rate: Rate,
    /// Propagation, one way.
    pub delay: Ps,
}

/// Capacity towards the hosts over capacity away from them: `down : up`; 1 : 1 is full bisection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Towards the hosts.
    pub down: u32,
    /// Away from the hosts.
    pub up: u32,
}

impl Ratio {
    /// Nothing is oversubscribed.
    pub const FULL: Self = Self { down: 1, up: 1 };
}

/// A topology that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TopologyError {
    /// Too few or too many hosts.
    #[error("{got} hosts: 2 to {most} are possible")]
    Hosts {
        /// Asked for.
        got: u32,
        /// Possible.
        most: u32,
    },
    /// No plane, or too many.
    #[error("{got} planes: 1 to {MAX_PLANES} are possible")]
    Planes {
        /// Asked for.
        got: u8,
    },
    /// A number that must be 1 or more is 0.
    #[error("{what} is 0: it must be 1 or more")]
    Zero {
        /// Which.
        what: &'static str,
    },
    /// The radix of a fat tree.
    #[error("a fat tree of radix {got}: even numbers from 2 to {most} are possible")]
    Radix {
        /// Asked for.
        got: u32,
        /// Possible.
        most: u32,
    },
    /// The ratio asks for a fraction of a link.
    #[error(
        "{below} links of {below_bps} b/s at {down}:{up} ask for {above_bps} b/s upwards, \
         which is not a whole number of links of {link_bps} b/s: take a ratio or rates that divide"
    )]
    Fraction {
        /// Links towards the hosts.
        below: u32,
        /// Rate of each.
        below_bps: u64,
        /// Ratio, towards the hosts.
        down: u32,
        /// Ratio, away from the hosts.
        up: u32,
        /// Capacity that is needed upwards, rounded down.
        above_bps: u64,
        /// Rate of an upward link.
        link_bps: u64,
    },
    /// A plane's first cables must be the hosts', in order, each to a switch of the plane.
    #[error(
        "cable {cable} must connect host {cable} to a switch of 0 to {last}, and connects {from:?} to {to:?}"
    )]
    HostCable {
        /// Which.
        cable: u32,
        /// The last switch of the plane.
        last: u32,
        /// End.
        from: Node,
        /// End.
        to: Node,
    },
    /// A plane's other cables must connect two of its switches.
    #[error("cable {cable} must connect two switches of 0 to {last}, and connects {from:?} to {to:?}")]
    SwitchCable {
        /// Which.
        cable: u32,
        /// The last switch of the plane.
        last: u32,
        /// End.
        from: Node,
        /// End.
        to: Node,
    },
}

impl Topology {
    /// `planes` copies of one plane of `switches` switches, given as its cables: cable h is the one of host
    /// h, all others are between switches.
    pub fn copies(
        hosts: u32,
        switches: u32,
        planes: u8,
        cables: &[(Node, Node, Cable)],
    ) -> Result<Self, TopologyError> {
        check_hosts(hosts)?;
        check_planes(planes)?;
        let last = switches.checked_sub(1).ok_or(TopologyError::Zero { what: "the number of switches" })?;
        for (&(from, to, _), cable) in cables.iter().zip(0..) {
            let is_switch = |node| matches!(node, Node::Switch(s) if s <= last);
            if cable < hosts && !(from == Node::Host(cable) && is_switch(to)) {
                return Err(TopologyError::HostCable { cable, last, from, to });
            }
            if cable >= hosts && !(is_switch(from) && is_switch(to) && from != to) {
                return Err(TopologyError::SwitchCable { cable, last, from, to });
            }
        }
        if (cables.len() as u64) < u64::from(hosts) {
            let cable = cables.len() as u32;
            let none = Node::Host(cable);
            return Err(TopologyError::HostCable { cable, last, from: none, to: none });
        }
        let mut links = Vec::with_capacity(cables.len() * 2 * usize::from(planes));
        for plane in 0..planes {
            let shift = |node| match node {
                Node::Host(host) => Node::Host(host),
                Node::Switch(switch) => Node::Switch(switch + switches * u32::from(plane)),
            };
            for &(from, to, Cable { rate, delay }) in cables {
                let (from, to) = (shift(from), shift(to));
                links.push(Link { from, to, rate, delay, plane });
                links.push(Link { from: to, to: from, rate, delay, plane });
            }
        }
        Ok(Self { hosts, switches: switches * u32::from(planes), planes, links })
    }

    /// Number of the link from a host's port into a plane; the one to the host is [`reverse`] of it.
    pub fn uplink(&self, host: Host, plane: u8) -> u32 {
        self.links_of(plane).start + 2 * host
    }

    /// Plane of a switch.
    pub const fn plane_of(&self, switch: u32) -> u8 {
        (switch / self.switches_per_plane()) as u8
    }

    /// Switches of each plane.
    pub const fn switches_per_plane(&self) -> u32 {
        self.switches / self.planes as u32
    }

    /// Numbers of a plane's links.
    pub fn links_of(&self, plane: u8) -> std::ops::Range<u32> {
        let each = self.links.len() as u32 / u32::from(self.planes);
        each * u32::from(plane)..each * (u32::from(plane) + 1)
    }
}

/// The other direction of a link.
pub const fn reverse(link: u32) -> u32 {
    link ^ 1
}

fn check_hosts(got: u32) -> Result<(), TopologyError> {
    match (2..=MAX_HOSTS).contains(&got) {
        true => Ok(()),
        false => Err(TopologyError::Hosts { got, most: MAX_HOSTS }),
    }
}

fn check_planes(got: u8) -> Result<(), TopologyError> {
    match (1..=MAX_PLANES).contains(&got) {
        true => Ok(()),
        false => Err(TopologyError::Planes { got }),
    }
}

/// How many links of `above` carry what `links` of `below` do, divided by the ratio.
fn links_above(links: u32, below: Rate, above: Rate, ratio: Ratio) -> Result<u32, TopologyError> {
    let Ratio { down, up } = ratio;
    if down == 0 || up == 0 {
        return Err(TopologyError::Zero { what: "a side of the oversubscription" });
    }
    let (below_bps, link_bps) = (below.bits_per_second(), above.bits_per_second());
    let needed = u128::from(links) * u128::from(below_bps) * u128::from(up);
    let each = u128::from(link_bps) * u128::from(down);
    match u32::try_from(needed / each) {
        Ok(count) if count > 0 && needed % each == 0 => Ok(count),
        _ => {
            let above_bps = u64::try_from(needed / u128::from(down)).unwrap_or(u64::MAX);
            Err(TopologyError::Fraction { below: links, below_bps, down, up, above_bps, link_bps })
        }
    }
}

#[cfg(test)]
mod tests;
