//! A host between its endpoint and its ports.

use crate::endpoint::Endpoint;
use crate::fabric::Fabric;
use crate::packet::Host;
use crate::time::Ps;

/// What waits in a port of the NIC at most: four frames of 4 KiB. With two, one connection on four planes loses a twentieth of its
/// throughput to planes that are busy when their turn comes.
const NIC_BYTES: u64 = 4 * 4_224;

/// What the ports of a host have room for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ports {
    /// Planes whose port takes a packet now, one bit each. A port without carrier takes everything: its packets are lost.
    pub(super) open: u16,
    /// When the next of the others opens.
    next: Ps,
}

/// An endpoint and when it is looked after next.
#[derive(Debug)]
pub(super) struct HostPort<E> {
    pub(super) endpoint: E,
    planes: u8,
    wake_at: Ps,
    /// Of the endpoint, when it was looked after last: what it is given since can bring it forward, and is followed by another look.
    deadline: Ps,
    /// Planes whose port was full then, one bit each.
    full: u16,
}

impl<E: Endpoint> HostPort<E> {
    pub(super) fn new(endpoint: E, planes: u8) -> Self {
        Self { endpoint, planes, wake_at: Ps::NEVER, deadline: Ps::NEVER, full: 0 }
    }

    /// Whether this is the moment that it waits for: others were superseded.
    pub(super) fn wakes(&mut self, now: Ps) -> bool {
        if self.wake_at != now {
            return false;
        }
        self.wake_at = Ps::NEVER;
        true
    }

    /// Whether it can make use of room in the port of a plane.
    pub(super) fn waits_for(&self, plane: u8) -> bool {
        self.full >> plane & 1 == 1
    }

    /// The endpoint's deadline may have come.
    pub(super) fn advance(&mut self, now: Ps) {
        if self.deadline <= now {
            self.endpoint.advance(now);
        }
    }

    /// What its ports have room for.
    pub(super) fn ports(&self, now: Ps, number: Host, fabric: &Fabric<E::Body>) -> Ports {
        let mut ports = Ports { open: 0, next: Ps::NEVER };
        for plane in 0..self.planes {
            let at = fabric.opens_at(now, number, plane, NIC_BYTES);
            if at <= now {
                ports.open |= 1 << plane;
            } else {
                ports.next = ports.next.min(at);
            }
        }
        ports
    }

    /// When it must be looked after again, if that is news. The open ones of `ports` take packets, and the endpoint had none for them.
    pub(super) fn rest(&mut self, now: Ps, ports: Ports) -> Option<Ps> {
        self.full = !ports.open;
        self.deadline = self.endpoint.next_deadline(now).unwrap_or(Ps::NEVER);
        let at = ports.next.min(self.deadline).max(now);
        (at < self.wake_at).then(|| {
            self.wake_at = at;
            at
        })
    }
}
