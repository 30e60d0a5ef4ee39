//! A message cut into the parts that queue pairs carry.

use super::pairs::SettingsError;
use crate::endpoint::Verb;
use std::collections::{HashMap, HashSet};

/// Most packets of a part: 16 READs and a window of this size stay within half of the PSN ring.
pub(super) const MOST_PACKETS: u32 = 1 << 18;

/// What one queue pair carries of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) id: u32,
    pub(super) verb: Verb,
    pub(super) bytes: u32,
    /// Parts of the whole message.
    pub(super) of: u32,
}

/// How messages are cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    longest: u32,
}

impl Cut {
    pub(super) fn new(chunk_bytes: Option<u32>, mtu: u32) -> Result<Self, SettingsError> {
        let longest = mtu * MOST_PACKETS;
        match chunk_bytes {
            Some(got) if got < mtu => Err(SettingsError::Chunk { got, mtu }),
            chunk => Ok(Self { longest: chunk.unwrap_or(longest).min(longest) }),
        }
    }

    /// The parts of a message.
    pub(super) fn parts(self, id: u32, verb: Verb, bytes: u32) -> impl Iterator<Item = Part> {
        let (longest, of) = (self.longest, bytes.div_ceil(self.longest).max(1));
        (0..of).map(move |n| Part { id, verb, bytes: (bytes - n * longest).min(longest), of })
    }
}

/// Messages of which some parts are done.
#[derive(Debug, Default)]
pub(super) struct Open {
    missing: HashMap<u32, u32>,
    failed: HashSet<u32>,
}

impl Open {
    /// A part is done. Whether the whole message is.
    pub(super) fn done(&mut self, id: u32, of: u32) -> bool {
        if of <= 1 {
            return true;
        }
        let missing = self.missing.entry(id).or_insert(of);
        *missing -= 1;
        *missing == 0 && self.missing.remove(&id).is_some()
    }

    /// A part has failed. Whether this is news.
    pub(super) fn failed(&mut self, id: u32, of: u32) -> bool {
        of <= 1 || self.failed.insert(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_message_and_the_last_one_makes_it_whole() {
        for (bytes, chunk, lengths) in [
            (1, None, vec![1]),
            (10_000, Some(4_096), vec![4_096, 4_096, 1_808]),
            (8_192, Some(4_096), vec![4_096; 2]),
        ] {
            let parts: Vec<Part> = Cut::new(chunk, 1_024).unwrap().parts(7, Verb::Read, bytes).collect();
            assert_eq!(parts.iter().map(|part| part.bytes).collect::<Vec<_>>(), lengths);
            let mut open = Open::default();
            let whole: Vec<bool> = parts.iter().map(|part| open.done(part.id, part.of)).collect();
            assert_eq!(whole.iter().position(|whole| *whole), Some(lengths.len() - 1));
            assert_eq!(open.missing.len(), 0);
        }
        assert!(matches!(Cut::new(Some(1_023), 1_024), Err(SettingsError::Chunk { got: 1_023, mtu: 1_024 })));
    }
}
