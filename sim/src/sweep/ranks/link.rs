//! How the processes that share the points speak to each other.

use std::fmt;

/// One process of some. The first hears the others and answers each; the others ask and wait for the answer.
pub trait Link: fmt::Debug {
    /// Which of the processes this is.
    fn rank(&self) -> usize;
    /// How many there are.
    fn size(&self) -> usize;
    /// How many are on this machine.
    fn beside(&self) -> usize;
    /// What the first one says, at a time when all listen.
    fn heard_of_first(&self, word: bool) -> bool;
    /// At the first one: what another has asked, if there is something.
    fn hear(&self) -> Option<(usize, Vec<u8>)>;
    /// At the first one.
    fn answer(&self, rank: usize, bytes: &[u8]);
    /// At another one.
    fn ask(&self, bytes: &[u8]) -> Vec<u8>;
    /// Whether the job is being ended from outside: it has about a second left.
    fn is_ending(&self) -> bool;
}

/// Nobody else.
#[derive(Debug)]
pub struct Alone;

impl Link for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn beside(&self) -> usize {
        1
    }

    fn heard_of_first(&self, word: bool) -> bool {
        word
    }

    fn hear(&self) -> Option<(usize, Vec<u8>)> {
        None
    }

    fn answer(&self, _: usize, _: &[u8]) {}

    fn ask(&self, _: &[u8]) -> Vec<u8> {
        Vec::new()
    }

    fn is_ending(&self) -> bool {
        false
    }
}
