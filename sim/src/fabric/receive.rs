//! Hosts that take in what arrives no faster than they can: a receive buffer of each, for all its planes.

use super::port::{Port, Queued};
use crate::packet::Host;
use crate::time::{Ps, Rate};

/// How fast hosts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drain {
    /// Of a host, all planes together.
    pub rate: Rate,
    /// Bytes that wait at most; what has no room is dropped. Where data is lossless, a host pauses its
    /// switches at half of it, and lets them go on at a quarter.
    pub bytes: u64,
}

/// What became of a packet at a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Received {
    /// It is taken in then.
    Taken(Ps),
    /// The same, and all that send to the host are to stop.
    TakenAndPause(Ps),
    /// There was no room.
    Full,
}

#[derive(Debug)]
pub(super) struct Receivers {
    ports: Vec<Port>,
    is_paused: Vec<bool>,
    /// Bytes from which on a host pauses, and up to which it lets go on.
    pauses: Option<(u64, u64)>,
}

impl Receivers {
    pub(super) fn new(hosts: u32, drain: Drain, is_lossless: bool) -> Self {
        Self {
            ports: vec![Port::new(drain.rate, drain.bytes); hosts as usize],
            is_paused: vec![false; hosts as usize],
            pauses: is_lossless.then_some((drain.bytes / 2, drain.bytes / 4)),
        }
    }

    /// A packet has arrived.
    pub(super) fn enter(&mut self, now: Ps, host: Host, bytes: u32) -> Received {
        let (port, is_paused) = (&mut self.ports[host as usize], &mut self.is_paused[host as usize]);
        let Queued::Leaves(at) = port.enter(now, bytes) else { return Received::Full };
        match self.pauses {
            Some((xoff, _)) if !*is_paused && port.backlog_bytes(now) > xoff => {
                *is_paused = true;
                Received::TakenAndPause(at)
            }
            _ => Received::Taken(at),
        }
    }

    /// A packet is taken in: whether those that send to the host may go on.
    pub(super) fn taken(&mut self, now: Ps, host: Host) -> bool {
        let (port, is_paused) = (&self.ports[host as usize], &mut self.is_paused[host as usize]);
        match self.pauses {
            Some((_, xon)) if *is_paused && port.backlog_bytes(now) <= xon => {
                *is_paused = false;
                true
            }
            _ => false,
        }
    }
}
