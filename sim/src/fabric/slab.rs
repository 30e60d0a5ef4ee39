//! Packets on their way, by number.

/// Places that are used again.
#[derive(Debug)]
pub(super) struct Slab<T> {
    places: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { places: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    pub(super) fn put(&mut self, item: T) -> u32 {
        match self.free.pop() {
            Some(place) => {
                self.places[place as usize] = Some(item);
                place
            }
            None => {
                self.places.push(Some(item));
                self.places.len() as u32 - 1
            }
        }
    }

    pub(super) fn get_mut(&mut self, place: u32) -> Option<&mut T> {
        self.places.get_mut(place as usize)?.as_mut()
    }

    pub(super) fn take(&mut self, place: u32) -> Option<T> {
        let item = self.places.get_mut(place as usize)?.take()?;
        self.free.push(place);
        Some(item)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }
}
