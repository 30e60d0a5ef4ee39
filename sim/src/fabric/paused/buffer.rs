//! The memory of a switch: who may put a packet into it, and whom that pauses.

use super::config::{Buffers, Pool};
use super::CLASSES;
use crate::time::{Ps, Rate};

/// Where a packet is accounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    /// It has its place.
    Stored,
    /// It has its place, and whoever sent it is to stop.
    StoredAndPause,
    /// There is none.
    Full,
}

/// What one ingress port holds of one class.
#[derive(Clone, Copy, Debug, Default)]
struct Ingress {
    /// In the pool, bytes.
    pooled: u64,
    /// Beside it, bytes.
    in_headroom: u64,
    headroom: u64,
    is_paused: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Memory {
    buffers: Buffers,
    ingress: Vec<[Ingress; CLASSES]>,
    /// In the pool by all, bytes.
    used: u64,
    /// Ingress ports and classes that are paused.
    paused: Vec<(u32, u8)>,
}

impl Memory {
    /// `ports`: rate and delay of each one's cable.
    pub(super) fn new(buffers: Buffers, ports: &[(Rate, Ps)]) -> Self {
        let ingress = ports.iter().map(|&(rate, delay)| {
            buffers.lossless.map(|lossless| {
                let headroom = lossless.map_or(0, |lossless| lossless.headroom.at(rate, delay));
                Ingress { headroom, ..Ingress::default() }
            })
        });
        Self { buffers, ingress: ingress.collect(), used: 0, paused: Vec::new() }
    }

    /// In the pool and beside it, bytes.
    pub(super) fn held(&self) -> u64 {
        self.used + self.ingress.iter().flatten().map(|ingress| ingress.in_headroom).sum::<u64>()
    }

    pub(super) fn is_lossless(&self, class: usize) -> bool {
        self.buffers.lossless[class].is_some()
    }

    /// Whether the pool as a whole has room.
    fn has_room(&self, bytes: u64) -> bool {
        match self.buffers.pool {
            Pool::PerPort { .. } => true,
            Pool::Shared { bytes: all, .. } => self.used + bytes <= all,
        }
    }

    /// A packet of a lossy class for an egress queue that holds `queued` bytes; `backlog`: how long that
    /// queue takes with it.
    pub(super) fn admit_lossy(&mut self, bytes: u64, queued: u64, backlog: Ps, rate: Rate) -> Admission {
        let fits = match self.buffers.pool {
            Pool::PerPort { bytes: most, .. } => backlog <= rate.time_of(most),
            Pool::Shared { bytes: all, alpha, .. } => {
                queued + bytes <= alpha.of(all.saturating_sub(self.used)) && self.has_room(bytes)
            }
        };
        if !fits {
            return Admission::Full;
        }
        self.used += bytes;
        Admission::Stored
    }

    /// A packet of a lossless class from an ingress port.
    pub(super) fn admit_lossless(&mut self, port: u32, class: usize, bytes: u64) -> Admission {
        let threshold = self.threshold();
        let fits = self.has_room(bytes);
        let ingress = &mut self.ingress[port as usize][class];
        if fits && ingress.pooled + bytes <= threshold {
            ingress.pooled += bytes;
            self.used += bytes;
            return Admission::Stored;
        }
        if ingress.in_headroom + bytes > ingress.headroom {
            return Admission::Full;
        }
        ingress.in_headroom += bytes;
        if std::mem::replace(&mut ingress.is_paused, true) {
            return Admission::Stored;
        }
        self.paused.push((port, class as u8));
        Admission::StoredAndPause
    }

    /// What an ingress port may hold of a lossless class before it is paused.
    fn threshold(&self) -> u64 {
        match self.buffers.pool {
            Pool::PerPort { xoff, .. } => xoff,
            Pool::Shared { bytes, alpha, xoff } => {
                alpha.of(bytes.saturating_sub(self.used)).min(xoff.unwrap_or(u64::MAX))
            }
        }
    }

    /// A packet that came from `port` is no longer here.
    pub(super) fn release(&mut self, port: u32, class: usize, bytes: u64) {
        let mut pooled = bytes;
        if self.is_lossless(class) {
            let ingress = &mut self.ingress[port as usize][class];
            let beside = bytes.min(ingress.in_headroom);
            ingress.in_headroom -= beside;
            pooled -= beside;
            ingress.pooled -= pooled;
        }
        self.used -= pooled;
    }

    /// Who may go on, one at a time: of the ports and classes that are paused, one that has come down far
    /// enough.
    pub(super) fn resume(&mut self) -> Option<(u32, u8)> {
        let threshold = self.threshold();
        let may_go_on = |&(port, class): &(u32, u8)| {
            let ingress = &self.ingress[port as usize][usize::from(class)];
            let hysteresis =
                self.buffers.lossless[usize::from(class)].map_or(0, |lossless| lossless.hysteresis);
            ingress.in_headroom == 0 && (ingress.pooled == 0 || ingress.pooled + hysteresis <= threshold)
        };
        let found = self.paused.iter().position(may_go_on)?;
        let (port, class) = self.paused.remove(found);
        self.ingress[port as usize][usize::from(class)].is_paused = false;
        Some((port, class))
    }

    /// The cable of a port has failed: whoever is at its other end starts unpaused.
    pub(super) fn forget(&mut self, port: u32) {
        self.paused.retain(|(paused, _)| *paused != port);
        for ingress in &mut self.ingress[port as usize] {
            ingress.is_paused = false;
        }
    }
}
