//! When planes are dead: a dead plane loses every frame that is on it.

use super::LinkConfigError;
use std::fmt;
use std::ops::Range;

/// A plane dies or comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlaneEvent {
    /// Cycle in which it happens.
    pub cycle: u64,
    /// Which plane.
    pub plane: u8,
    /// Whether it is up from then on.
    pub up: bool,
}

/// As the command line has it, but in cycles.
impl fmt::Display for PlaneEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.up { "revived" } else { "killed" };
        write!(f, "plane {} is {what} at cycle {}", self.plane, self.cycle)
    }
}

/// What becomes of the planes over the whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outages {
    events: Vec<PlaneEvent>,
    /// Cycles in which a plane is dead, in order, plane by plane.
    dead: Vec<Vec<Range<u64>>>,
}

impl Outages {
    /// The events, in any order, of that many planes. Each plane is up at first, and must die and come back by
    /// turns.
    pub fn new(mut events: Vec<PlaneEvent>, planes: usize) -> Result<Self, LinkConfigError> {
        events.sort();
        let mut dead: Vec<Vec<Range<u64>>> = vec![Vec::new(); planes];
        for &event in &events {
            let PlaneEvent { cycle, plane, up } = event;
            let ranges = dead
                .get_mut(usize::from(plane))
                .ok_or(LinkConfigError::EventPlane { got: plane, max: planes as u8 - 1 })?;
            match (ranges.last_mut(), up) {
                (Some(range), true) if range.end == u64::MAX && range.start < cycle => range.end = cycle,
                (Some(range), false) if range.end >= cycle => {
                    return Err(LinkConfigError::Event { event });
                }
                (_, false) => ranges.push(cycle..u64::MAX),
                (_, true) => return Err(LinkConfigError::Event { event }),
            }
        }
        Ok(Self { events, dead })
    }

    /// In the order of their cycles.
    pub fn events(&self) -> &[PlaneEvent] {
        &self.events
    }

    /// Whether the plane is dead in one of these cycles, both included.
    pub(super) fn hit(&self, plane: u8, first: u64, last: u64) -> bool {
        let ranges = self.dead.get(usize::from(plane)).map_or(&[][..], Vec::as_slice);
        ranges.iter().any(|range| range.start <= last && first < range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(plane: u8, cycle: u64, up: bool) -> PlaneEvent {
        PlaneEvent { cycle, plane, up }
    }

    #[test]
    fn a_plane_is_dead_from_its_death_to_the_cycle_before_it_comes_back() {
        let events =
            vec![event(1, 300, false), event(1, 200, true), event(1, 100, false), event(0, 5, false)];
        let outages = Outages::new(events, 2).unwrap();
        let dead = |plane, cycle| outages.hit(plane, cycle, cycle);
        assert_eq!(
            [99, 100, 199, 200, 299, 300].map(|c| dead(1, c)),
            [false, true, true, false, false, true]
        );
        assert!(dead(1, u64::MAX - 1) && dead(0, 5) && !dead(0, 4) && !dead(2, 150));
        // A frame that is under way when the plane dies, or over all of its death.
        assert!(outages.hit(1, 50, 100) && outages.hit(1, 50, 250) && !outages.hit(1, 200, 299));
        assert_eq!(outages.events().iter().map(|e| e.cycle).collect::<Vec<_>>(), [5, 100, 200, 300]);
    }

    #[test]
    fn what_cannot_happen_to_a_plane_is_refused_with_what_was_seen() {
        let text = |events: &[PlaneEvent]| Outages::new(events.to_vec(), 2).unwrap_err().to_string();
        assert_eq!(text(&[event(2, 1, false)]), "there is no plane 2 to kill or revive, the last one is 1");
        let [dies, again] = [event(1, 10, false), event(1, 20, false)];
        assert_eq!(text(&[dies, again]), "plane 1 is killed at cycle 20, but it is dead already");
        let [back, same] = [event(0, 10, true), event(1, 10, true)];
        assert_eq!(text(&[back]), "plane 0 is revived at cycle 10, but it is not dead");
        assert!(text(&[dies, same]).contains("plane 1"), "it dies and comes back in one cycle");
    }
}
