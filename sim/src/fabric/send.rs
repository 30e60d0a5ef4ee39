//! A packet enters the fabric.

use super::follow::note;
use super::{hash, Fabric, Flight, Happening};
use crate::events::Events;
use crate::packet::Packet;
use crate::time::Ps;

impl<B> Fabric<B> {
    /// A host sends a packet on the plane that it names.
    pub fn send<T: Copy + Ord>(
        &mut self,
        now: Ps,
        packet: Packet<B>,
        events: &mut Events<T>,
        wrap: impl Fn(Happening) -> T,
    ) where
        B: Clone,
    {
        if let Some(follower) = &mut self.follower {
            follower.sent(now, &packet, self.flights.next());
        }
        self.put(now, packet, Some, events, wrap);
    }

    /// A packet of no transport leaves a host.
    pub fn send_background<T: Copy + Ord>(
        &mut self,
        now: Ps,
        packet: Packet<()>,
        events: &mut Events<T>,
        wrap: impl Fn(Happening) -> T,
    ) {
        self.background += 1;
        self.put(now, packet, |_| None, events, wrap);
    }

    fn put<C, T: Copy + Ord>(
        &mut self,
        now: Ps,
        packet: Packet<C>,
        load: impl FnOnce(Packet<C>) -> Option<Packet<B>>,
        events: &mut Events<T>,
        wrap: impl Fn(Happening) -> T,
    ) {
        note(&mut self.follower, |follower| follower.set_now(now));
        self.sent += 1;
        let link = self.topology.uplink(packet.src, packet.plane);
        let flow = hash::flow(packet.src, packet.dst, packet.src_port, self.dst_port);
        let Packet { dst, bytes, class, ect, ce, .. } = packet;
        let flight = Flight { dst, flow, bytes, generation: 0, class, ect, ce, corrupt: false };
        let flight = self.flights.put(flight, load(packet));
        self.enter(now, None, link, flight, events, wrap);
    }
}
