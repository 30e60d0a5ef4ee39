//! Who sends next on each plane: round robin among the queue pairs that have something to send, packet by
//! packet.

use std::collections::VecDeque;

/// The queues of a host.
#[derive(Debug)]
pub(super) struct Turns {
    rings: Vec<VecDeque<u32>>,
    /// Whether a queue pair stands in one.
    stands: Vec<bool>,
}

impl Turns {
    pub(super) fn new(planes: u8) -> Self {
        Self { rings: vec![VecDeque::new(); planes.into()], stands: Vec::new() }
    }

    /// Room for one more queue pair.
    pub(super) fn grow(&mut self) {
        self.stands.push(false);
    }

    /// It gets in line, unless it stands in one.
    pub(super) fn push(&mut self, plane: u8, who: u32) {
        if !std::mem::replace(&mut self.stands[who as usize], true) {
            self.rings[usize::from(plane)].push_back(who);
        }
    }

    /// The first in line on one of the planes in `ports`.
    pub(super) fn pop(&mut self, ports: u16) -> Option<u32> {
        let mut rings = self.rings.iter_mut().enumerate();
        let who = rings.find_map(|(plane, ring)| (ports >> plane & 1 == 1).then(|| ring.pop_front())?)?;
        self.stands[who as usize] = false;
        Some(who)
    }

    /// Planes have changed: everybody gets in line where `plane_of` says.
    pub(super) fn rearrange(&mut self, plane_of: impl Fn(u32) -> u8) {
        let all: Vec<u32> = self.rings.iter_mut().flat_map(|ring| ring.drain(..)).collect();
        for who in all {
            self.rings[usize::from(plane_of(who))].push_back(who);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;

    #[test]
    fn everybody_has_a_turn_once_per_round_and_only_where_there_is_room() {
        let mut turns = Turns::new(2);
        (0..3).for_each(|_| turns.grow());
        for (plane, who) in [(0, 0), (1, 1), (0, 2), (0, 0)] {
            turns.push(plane, who);
        }
        assert_eq!((turns.pop(0b10), turns.pop(0b10)), (Some(1), None));
        turns.push(1, 1);
        turns.rearrange(|_| 0);
        assert_eq!(
            [turns.pop(1), turns.pop(1), turns.pop(1), turns.pop(0b11)],
            [Some(0), Some(2), Some(1), None]
        );
    }
}
