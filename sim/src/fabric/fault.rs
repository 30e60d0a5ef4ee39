//! What fails and is repaired, and when: a schedule, checked against the topology before the run.
//!
//! A link is up while its cable, both its ends and its plane are. The routes follow later, by the time that
//! routing takes to converge; until then packets are sent into what is down.

use super::topology::{Node, Topology};
use crate::time::{Ps, Rate};
use thiserror::Error;

/// What can fail without anyone's notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A cable.
    Cable(u32),
    /// A switch.
    Switch(u32),
    /// All switches of a plane.
    Plane(u8),
}

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
    /// Everything that is sent there from now on is lost, and every port keeps its carrier: no route changes,
    /// no host is told.
    Muted(Part),
    /// It carries packets again.
    Unmuted(Part),
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
    /// Links have begun, or ceased, to lose everything in silence.
    Mute {
        /// Lose everything.
        mute: Vec<u32>,
        /// Do so no more.
        heard: Vec<u32>,
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
    /// By link: not muted.
    heard: Vec<bool>,
    rehashes: u32,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Fault(Fault),
    Reroute(u8),
}

/// What has failed.
#[derive(Clone, Debug)]
struct State {
    down: Failed,
    mute: Failed,
    /// Cables that are degraded.
    slow: Vec<bool>,
}

/// True: failed.
#[derive(Clone, Debug)]
struct Failed {
    cables: Vec<bool>,
    switches: Vec<bool>,
    planes: Vec<bool>,
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
        Ok(Self { waiting, state: State::new(topology), heard: up.clone(), up, rehashes: 0 })
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
            Fault::Muted(_) | Fault::Unmuted(_) => {
                let (mute, heard) = self.state.mute.changes(topology, &mut self.heard);
                Step::Mute { mute, heard }
            }
            _ => {
                let (down, up) = self.state.down.changes(topology, &mut self.up);
                Step::Links { down, up }
            }
        })
    }
}

/// Whose routes a fault changes.
fn plane_of(topology: &Topology, fault: Fault) -> Option<u8> {
    match fault {
        Fault::CableDown(cable) | Fault::CableUp(cable) => Some(topology.links[2 * cable as usize].plane),
        Fault::SwitchDown(switch) | Fault::SwitchUp(switch) => Some(topology.plane_of(switch)),
        Fault::PlaneDown(plane) | Fault::PlaneUp(plane) => Some(plane),
        Fault::Muted(_) | Fault::Unmuted(_) | Fault::Rehash | Fault::Degraded(..) | Fault::Restored(_) => {
            None
        }
    }
}

impl State {
    fn new(topology: &Topology) -> Self {
        let none = Failed {
            cables: vec![false; topology.links.len() / 2],
            switches: vec![false; topology.switches as usize],
            planes: vec![false; usize::from(topology.planes)],
        };
        Self { down: none.clone(), slow: none.cables.clone(), mute: none }
    }

    fn apply(&mut self, at: Ps, fault: Fault) -> Result<(), FaultError> {
        let Self { down, mute, slow } = self;
        match fault {
            Fault::CableDown(cable) => down.set(Part::Cable(cable), true, "down", at),
            Fault::CableUp(cable) => down.set(Part::Cable(cable), false, "up", at),
            Fault::SwitchDown(switch) => down.set(Part::Switch(switch), true, "down", at),
            Fault::SwitchUp(switch) => down.set(Part::Switch(switch), false, "up", at),
            Fault::PlaneDown(plane) => down.set(Part::Plane(plane), true, "down", at),
            Fault::PlaneUp(plane) => down.set(Part::Plane(plane), false, "up", at),
            Fault::Muted(part) => mute.set(part, true, "muted", at),
            Fault::Unmuted(part) => mute.set(part, false, "heard", at),
            Fault::Degraded(cable, _) => set(slow, "cable", cable, true, "degraded", at),
            Fault::Restored(cable) => set(slow, "cable", cable, false, "at its own rate", at),
            Fault::Rehash => Ok(()),
        }
    }
}

impl Failed {
    fn set(&mut self, part: Part, failed: bool, change: &'static str, at: Ps) -> Result<(), FaultError> {
        match part {
            Part::Cable(cable) => set(&mut self.cables, "cable", cable, failed, change, at),
            Part::Switch(switch) => set(&mut self.switches, "switch", switch, failed, change, at),
            Part::Plane(plane) => set(&mut self.planes, "plane", plane.into(), failed, change, at),
        }
    }

    /// Links that have failed and that are well again, against what `well` says, which is brought up to date.
    fn changes(&self, topology: &Topology, well: &mut [bool]) -> (Vec<u32>, Vec<u32>) {
        let (mut failed, mut mended) = (Vec::new(), Vec::new());
        for (link, number) in topology.links.iter().zip(0u32..) {
            let has_failed = |node| matches!(node, Node::Switch(switch) if self.switches[switch as usize]);
            let is_well = !self.cables[number as usize / 2]
                && !self.planes[usize::from(link.plane)]
                && !has_failed(link.from)
                && !has_failed(link.to);
            if is_well != std::mem::replace(&mut well[number as usize], is_well) {
                if is_well { &mut mended } else { &mut failed }.push(number);
            }
        }
        (failed, mended)
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
