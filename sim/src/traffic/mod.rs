//! What hosts want to move, and in what order.

pub mod patterns;
mod schedule;

pub use schedule::{Schedule, ScheduleError};

use crate::endpoint::Verb;
use crate::packet::Host;
use crate::time::Ps;

/// A message of the traffic; its number is its place in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who posts it.
    pub host: Host,
    /// The other host.
    pub peer: Host,
    /// Which of the connections between the two.
    pub connection: u16,
    /// What to do.
    pub verb: Verb,
    /// Bytes, 1 or more.
    pub bytes: u32,
    /// Not before this moment.
    pub at: Ps,
    /// Not before these messages are delivered.
    pub after: Vec<u32>,
}

impl Message {
    /// Whose memory the bytes land in.
    pub fn receiver(&self) -> Host {
        match self.verb {
            Verb::Write => self.peer,
            Verb::Read => self.host,
        }
    }
}
