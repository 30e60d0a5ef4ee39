//! Packets on their way, by number: what every switch looks at close together, what only the receiver does apart from it.

use crate::memory::fetch;

/// Places that are used again.
#[derive(Debug)]
pub(super) struct Slab<H, T> {
    heads: Vec<Option<H>>,
    loads: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<H, T> Default for Slab<H, T> {
    fn default() -> Self {
        Self { heads: Vec::new(), loads: Vec::new(), free: Vec::new() }
    }
}

impl<H, T> Slab<H, T> {
    pub(super) fn put(&mut self, head: H, load: Option<T>) -> u32 {
        match self.free.pop() {
            Some(place) => {
                self.heads[place as usize] = Some(head);
                self.loads[place as usize] = load;
                place
            }
            None => {
                self.heads.push(Some(head));
                self.loads.push(load);
                self.heads.len() as u32 - 1
            }
        }
    }

    /// The place that the next item is put into.
    pub(super) fn next(&self) -> u32 {
        self.free.last().copied().unwrap_or(self.heads.len() as u32)
    }

    #[inline]
    pub(super) fn get_mut(&mut self, place: u32) -> Option<&mut H> {
        self.heads.get_mut(place as usize)?.as_mut()
    }

    /// This is asked for soon, with its load or without.
    #[inline(always)]
    pub(super) fn expect(&self, place: u32, with_load: bool) {
        if let Some(head) = self.heads.get(place as usize) {
            fetch(head);
        }
        if let Some(load) = self.loads.get(place as usize).filter(|_| with_load) {
            fetch(load);
        }
    }

    pub(super) fn take(&mut self, place: u32) -> Option<(H, Option<T>)> {
        let head = self.heads.get_mut(place as usize)?.take()?;
        self.free.push(place);
        Some((head, self.loads[place as usize].take()))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.heads.len() - self.free.len()
    }
}
