//! One process.

/// Nobody else.
#[derive(Debug)]
pub struct Link;

impl Link {
    /// There is nothing to join.
    pub fn begin() -> Self {
        Self
    }

    /// Which of the processes this is.
    pub fn rank(&self) -> usize {
        0
    }

    /// How many there are.
    pub fn size(&self) -> usize {
        1
    }

    /// What the first one says.
    pub fn heard_of_first(&self, word: bool) -> bool {
        word
    }

    /// At the first one, what each of them says.
    pub fn tell_first(&self, bytes: Vec<u8>) -> Option<Vec<Vec<u8>>> {
        Some(vec![bytes])
    }
}
