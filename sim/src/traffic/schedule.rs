//! Which messages may start: those whose time has come and whose predecessors are delivered.

use super::Message;
use crate::packet::Host;
use crate::time::Ps;
use thiserror::Error;

/// Traffic that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// Nothing to do.
    #[error("there are no messages")]
    Empty,
    /// Too many for their numbers.
    #[error("{got} messages: at most 2^31 are possible")]
    TooMany {
        /// How many.
        got: usize,
    },
    /// A host that is not there, or one that sends to itself.
    #[error("message {message} is from host {host} to host {peer}: hosts are 0 to {last}, and two different ones are needed")]
    Hosts {
        /// Number of the message.
        message: usize,
        /// Who posts it.
        host: Host,
        /// The other.
        peer: Host,
        /// The last host.
        last: Host,
    },
    /// Nothing to move.
    #[error("message {message} has no bytes: at least 1 is needed")]
    NoBytes {
        /// Number of the message.
        message: usize,
    },
    /// A predecessor that is not there, or that ends at another host: nobody would know of it.
    #[error(
        "message {message} of host {host} waits for message {after}, which is not delivered to that host"
    )]
    After {
        /// Number of the message.
        message: usize,
        /// Who posts it.
        host: Host,
        /// What it waits for.
        after: u32,
    },
    /// Messages that wait for each other.
    #[error("message {message} waits for itself, by way of others")]
    Circle {
        /// Number of one of them.
        message: usize,
    },
}

/// All messages and what they wait for.
#[derive(Clone, Debug)]
pub struct Schedule {
    messages: Vec<Message>,
    /// Predecessors of each message that are not delivered.
    waits: Vec<u32>,
    /// Where the successors of each message begin in `successors`.
    first: Vec<u32>,
    successors: Vec<u32>,
}

impl Schedule {
    /// Checks everything: what comes out of it starts and can end.
    ///
    /// # Errors
    /// The first thing that cannot be.
    pub fn new(messages: Vec<Message>, hosts: u32) -> Result<Self, ScheduleError> {
        if messages.is_empty() {
            return Err(ScheduleError::Empty);
        }
        if messages.len() > 1 << 31 {
            return Err(ScheduleError::TooMany { got: messages.len() });
        }
        let mut first = vec![0u32; messages.len() + 1];
        for (n, message) in messages.iter().enumerate() {
            let &Message { host, peer, bytes, .. } = message;
            if host == peer || host >= hosts || peer >= hosts {
                return Err(ScheduleError::Hosts { message: n, host, peer, last: hosts.saturating_sub(1) });
            }
            if bytes == 0 {
                return Err(ScheduleError::NoBytes { message: n });
            }
            for &after in &message.after {
                if messages.get(after as usize).is_none_or(|before| before.receiver() != host) {
                    return Err(ScheduleError::After { message: n, host, after });
                }
                first[after as usize + 1] += 1;
            }
        }
        for n in 1..first.len() {
            first[n] += first[n - 1];
        }
        let mut next = first.clone();
        let mut successors = vec![0; first[messages.len()] as usize];
        for (n, message) in messages.iter().enumerate() {
            for &after in &message.after {
                let place = &mut next[after as usize];
                successors[*place as usize] = n as u32;
                *place += 1;
            }
        }
        let waits = messages.iter().map(|message| message.after.len() as u32).collect();
        let schedule = Self { messages, waits, first, successors };
        schedule.check_order()?;
        Ok(schedule)
    }

    fn check_order(&self) -> Result<(), ScheduleError> {
        let mut left = self.clone();
        let mut ready: Vec<u32> = left.roots().collect();
        let mut seen = 0;
        while let Some(message) = ready.pop() {
            seen += 1;
            left.delivered(message, |next| ready.push(next));
        }
        if seen == self.messages.len() {
            return Ok(());
        }
        let message = left.waits.iter().position(|waits| *waits > 0).unwrap_or(0);
        Err(ScheduleError::Circle { message })
    }

    /// The messages.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Those that wait for nothing but their time.
    pub fn roots(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.waits).filter(|(_, waits)| **waits == 0).map(|(n, _)| n)
    }

    /// When a message may start whose predecessors were all delivered by `now`.
    pub fn start(&self, message: u32, now: Ps) -> Ps {
        self.messages[message as usize].at.max(now)
    }

    /// A message is delivered; `free` is told of those that wait for no other any more.
    pub fn delivered(&mut self, message: u32, mut free: impl FnMut(u32)) {
        let (from, to) = (self.first[message as usize] as usize, self.first[message as usize + 1] as usize);
        for &next in &self.successors[from..to] {
            self.waits[next as usize] -= 1;
            if self.waits[next as usize] == 0 {
                free(next);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endpoint::Verb;

    fn message(host: Host, peer: Host, after: &[u32]) -> Message {
        Message {
            host,
            peer,
            connection: 0,
            verb: Verb::Write,
            bytes: 1,
            at: Ps::ZERO,
            after: after.to_vec(),
        }
    }

    #[test]
    fn a_message_starts_when_all_that_it_waits_for_are_delivered() {
        let messages =
            vec![message(0, 1, &[]), message(2, 1, &[]), message(1, 0, &[0, 1]), message(0, 2, &[2])];
        let mut schedule = Schedule::new(messages, 3).unwrap();
        assert_eq!(schedule.roots().collect::<Vec<_>>(), [0, 1]);
        let mut freed = Vec::new();
        for done in [1, 0, 2] {
            schedule.delivered(done, |next| freed.push((done, next)));
        }
        assert_eq!(freed, [(0, 2), (2, 3)]);
    }

    #[test]
    fn traffic_that_cannot_be_is_refused_with_what_is_wrong() {
        let refused = |messages| Schedule::new(messages, 3).unwrap_err().to_string();
        assert_eq!(refused(vec![]), "there are no messages");
        assert!(refused(vec![message(0, 3, &[])]).starts_with("message 0 is from host 0 to host 3"));
        assert!(refused(vec![message(1, 1, &[])]).contains("two different ones"));
        assert!(refused(vec![Message { bytes: 0, ..message(0, 1, &[]) }]).contains("no bytes"));
        assert!(refused(vec![message(0, 1, &[]), message(2, 0, &[0])]).contains("not delivered to that host"));
        assert!(refused(vec![message(0, 1, &[7])]).contains("waits for message 7"));
        assert!(refused(vec![message(0, 1, &[1]), message(1, 0, &[0])]).contains("waits for itself"));
    }
}
