//! What fails and is repaired, and when: a schedule, checked against the topology before the run.
//!
//! A link is up while its cable, both its ends and its plane are. The routes follow later, by the time that
//! routing takes to converge; until then packets are sent into what is down.

use super::topology::{Node, Topology};
use crate::time::{Ps, Rate};
use thiserror::Error;

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A cable (links 2k and 2k + 1) fails.
    CableDown(u32),
    /// It is repaired.
    CableUp(u32),
    /// A switch fails.
    SwitchDown(u32),
    /// It is repaired.
    SwitchUp(u32),
    /// All switches of a plane fail.
    PlaneDown(u8),
    /// They are repaired.
    PlaneUp(u8),
    /// All switches hash with new seeds from now on.
    Rehash,
    /// A cable runs at another rate.
    Degraded(u32, Rate),
    /// It runs at its own rate again.
    Restored(u32),
}

/// What the fabric has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Links have changed; `Faults::up` says how they are now.
    Links {
        /// Were up and are down.
        down: Vec<u32>,
        /// Were down and are up.
        up: Vec<u32>,
    },
    /// Routing of a plane has converged.
    Reroute(u8),
    /// New seeds: the how-manieth, from 1.
    Rehash(u32),
    /// Both directions of a cable have this rate now.
    Rate(u32, Rate),
}

/// A schedule that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FaultError {
    /// There is no such thing.
    #[error("{what} {got} is to fail or to be repaired: there are 0 to {last}")]
    Missing {
        /// Cable, switch or plane.
        what: &'static str,
        /// Its number.
        got: u32,
        /// The last there is.
        last: u32,
    },
    /// It is so already.
    #[error("{what} {number} is to be {change} at {} ns, and is so already", at.0 / 1_000)]
    Already {
        /// Cable, switch or plane.
        what: &'static str,
        /// Its number.
        number: u32,
        /// The change.
        change: &'static str,
        /// When.
        at: Ps,
    },
}

/// The schedule and where it is.
#[derive(Clone, Debug)]
pub struct Faults {
    /// Last first.
    waiting: Vec<(Ps, Action)>,
    state: State,
    up: Vec<bool>,
    rehashes: u32,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Fault(Fault),
    Reroute(u8),
}

/// True: failed or degraded.
#[derive(Clone, Debug)]
struct State {
    cables: Vec<bool>,
    switches: Vec<bool>,
    planes: Vec<bool>,
    slow: Vec<bool>,
}

impl Faults {
    /// What is to happen, in any order; of two things at one moment the first named comes first.
    pub fn new(topology: &Topology, faults: &[(Ps, Fault)], convergence: Ps) -> Result<Self, FaultError> {
        let mut faults = faults.to_vec();
        faults.sort_by_key(|(at, _)| *at);
        let mut check = State::new(topology);
        for &(at, fault) in &faults {
            check.apply(at, fault)?;
        }
        let reroutes = faults
            .iter()
            .filter_map(|&(at, fault)| Some((at + convergence, Action::Reroute(plane_of(topology, fault)?))));
        let reroutes: Vec<_> = reroutes.collect();
        let mut waiting: Vec<_> = faults.into_iter().map(|(at, fault)| (at, Action::Fault(fault))).collect();
        waiting.extend(reroutes);
        waiting.sort_by_key(|(at, _)| *at);
        waiting.reverse();
        let up = vec![true; topology.links.len()];
        Ok(Self { waiting, state: State::new(topology), up, rehashes: 0 })
    }

    /// When the next step comes.
    pub fn next_at(&self) -> Option<Ps> {
        self.waiting.last().map(|(at, _)| *at)
    }

    /// Which links are up now, by number.
    pub fn up(&self) -> &[bool] {
        &self.up
    }

    /// Takes the next step.
    pub fn step(&mut self, topology: &Topology) -> Option<Step> {
        let (at, action) = self.waiting.pop()?;
        let fault = match action {
            Action::Reroute(plane) => return Some(Step::Reroute(plane)),
            Action::Fault(fault) => fault,
        };
        // `new` has walked the same schedule.
        self.state.apply(at, fault).ok()?;
        Some(match fault {
            Fault::Rehash => {
                self.rehashes += 1;
                Step::Rehash(self.rehashes)
            }
            Fault::Degraded(cable, rate) => Step::Rate(cable, rate),
            Fault::Restored(cable) => Step::Rate(cable, topology.links[2 * cable as usize].rate),
            _ => self.changes(topology),
        })
    }

    fn changes(&mut self, topology: &Topology) -> Step {
        let (mut down, mut up) = (Vec::new(), Vec::new());
        for (link, number) in topology.links.iter().zip(0u32..) {
            let is_down = |node| matches!(node, Node::Switch(switch) if self.state.switches[switch as usize]);
            let is_up = !self.state.cables[number as usize / 2]
                && !self.state.planes[usize::from(link.plane)]
                && !is_down(link.from)
                && !is_down(link.to);
            if is_up != std::mem::replace(&mut self.up[number as usize], is_up) {
                if is_up { &mut up } else { &mut down }.push(number);
            }
        }
        Step::Links { down, up }
    }
}

/// Whose routes a fault changes.
fn plane_of(topology: &Topology, fault: Fault) -> Option<u8> {
    match fault {
        Fault::CableDown(cable) | Fault::CableUp(cable) => Some(topology.links[2 * cable as usize].plane),
        Fault::SwitchDown(switch) | Fault::SwitchUp(switch) => Some(topology.plane_of(switch)),
        Fault::PlaneDown(plane) | Fault::PlaneUp(plane) => Some(plane),
        Fault::Rehash | Fault::Degraded(..) | Fault::Restored(_) => None,
    }
}

impl State {
    fn new(topology: &Topology) -> Self {
        let cables = vec![false; topology.links.len() / 2];
        let switches = vec![false; topology.switches as usize];
        let planes = vec![false; usize::from(topology.planes)];
        Self { slow: cables.clone(), cables, switches, planes }
    }

    fn apply(&mut self, at: Ps, fault: Fault) -> Result<(), FaultError> {
        match fault {
            Fault::CableDown(cable) => set(&mut self.cables, "cable", cable, true, "down", at),
            Fault::CableUp(cable) => set(&mut self.cables, "cable", cable, false, "up", at),
            Fault::SwitchDown(switch) => set(&mut self.switches, "switch", switch, true, "down", at),
            Fault::SwitchUp(switch) => set(&mut self.switches, "switch", switch, false, "up", at),
            Fault::PlaneDown(plane) => set(&mut self.planes, "plane", plane.into(), true, "down", at),
            Fault::PlaneUp(plane) => set(&mut self.planes, "plane", plane.into(), false, "up", at),
            Fault::Degraded(cable, _) => set(&mut self.slow, "cable", cable, true, "degraded", at),
            Fault::Restored(cable) => set(&mut self.slow, "cable", cable, false, "at its own rate", at),
            Fault::Rehash => Ok(()),
        }
    }
}

fn set(
    states: &mut [bool],
    what: &'static str,
    number: u32,
    wanted: bool,
    change: &'static str,
    at: Ps,
) -> Result<(), FaultError> {
    let last = states.len() as u32 - 1;
    let state = states.get_mut(number as usize).ok_or(FaultError::Missing { what, got: number, last })?;
    if *state == wanted {
        return Err(FaultError::Already { what, number, change, at });
    }
    *state = wanted;
    Ok(())
}

#[cfg(test)]
mod tests;
