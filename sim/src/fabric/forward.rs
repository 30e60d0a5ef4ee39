//! The way of a packet: into a port, onto a link, to a switch, on to the next.

use super::follow::note;
use super::loss::{Fate, Loss};
use super::paused::{Action, PauseFrame};
use super::port::Queued;
use super::receive::Received;
use super::topology::{reverse, Node};
use super::{Cable, Drop, Fabric, Flight, Happening, Told};
use crate::events::Events;
use crate::packet::{Host, Packet};
use crate::time::Ps;

impl<B> Fabric<B> {
    /// This is likely to come next: what it needs is fetched meanwhile.
    #[inline(always)]
    pub fn expect(&self, happening: &Happening) {
        if let &Happening::Arrival { link, flight } = happening {
            self.flights.expect(flight, matches!(self.cables[link as usize].to, Node::Host(_)));
        }
    }

    /// Something of what it waits for has come.
    pub fn happen<T: Copy + Ord>(
        &mut self,
        now: Ps,
        happening: Happening,
        events: &mut Events<T>,
        wrap: impl Fn(Happening) -> T,
    ) -> Told<B> {
        note(&mut self.follower, |follower| follower.set_now(now));
        match happening {
            Happening::Arrival { link, flight } => self.arrive(now, link, flight, events, wrap),
            Happening::Free { link } => {
                let Some(queues) = &mut self.queues else { return Told::Nothing };
                queues.free(now, link);
                self.settle(Drop::Buffer, events, wrap);
                self.told(link)
            }
            Happening::Taken { flight } => {
                let host = self.flights.get_mut(flight).map(|flight| flight.dst);
                if let (Some(host), Some(receivers)) = (host, &mut self.receivers) {
                    if receivers.taken(now, host) {
                        self.pause_all(now, host, false, events, wrap);
                    }
                }
                self.deliver(flight)
            }
            Happening::Pause { link, generation, frame } => {
                let Some(queues) = &mut self.queues else { return Told::Nothing };
                if self.cables[link as usize].generation == generation {
                    queues.pause(now, reverse(link), frame);
                    self.settle(Drop::Buffer, events, wrap);
                }
                Told::Nothing
            }
        }
    }

    /// Whoever sends on a link may have room.
    fn told(&self, link: u32) -> Told<B> {
        let link = &self.topology.links[link as usize];
        match link.from {
            Node::Host(host) => Told::Room(host, link.plane),
            Node::Switch(_) => Told::Nothing,
        }
    }

    /// A host tells all switches that send to it to stop with data, or to go on.
    fn pause_all<T: Copy + Ord>(
        &mut self,
        now: Ps,
        host: Host,
        is_paused: bool,
        events: &mut Events<T>,
        wrap: impl Fn(Happening) -> T,
    ) {
        let Some(queues) = &mut self.queues else { return };
        for plane in 0..self.topology.planes {
            let link = self.topology.uplink(host, plane);
            queues.send_frame(now, link, PauseFrame { class: 0, is_paused });
        }
        self.settle(Drop::Buffer, events, wrap);
    }

    /// A packet is its host's.
    fn deliver(&mut self, flight: u32) -> Told<B> {
        let Some((Flight { dst, ce, .. }, packet)) = self.flights.take(flight) else { return Told::Nothing };
        self.delivered += 1;
        note(&mut self.follower, |follower| follower.delivered(flight));
        match packet {
            Some(packet) => Told::Packet(dst, Packet { ce, ..packet }),
            None => Told::Nothing,
        }
    }

    /// A packet has come to the end of a link: it goes on, or is for a host.
    fn arrive<T: Copy + Ord>(
        &mut self,
        now: Ps,
        link: u32,
        flight: u32,
        events: &mut Events<T>,
        wrap: impl Fn(Happening) -> T,
    ) -> Told<B> {
        let &Cable { to, generation, .. } = &self.cables[link as usize];
        let Some(packet) = self.flights.get_mut(flight) else { return Told::Nothing };
        if packet.generation != generation {
            self.drop(flight, Drop::Link);
            return Told::Nothing;
        }
        match to {
            Node::Host(_) if packet.corrupt => self.drop(flight, Drop::Corrupt),
            Node::Host(host) => {
                let bytes = packet.bytes;
                let Some(receivers) = &mut self.receivers else { return self.deliver(flight) };
                match receivers.enter(now, host, bytes) {
                    Received::Full => self.drop(flight, Drop::Host),
                    Received::Taken(at) => events.push(at, wrap(Happening::Taken { flight })),
                    Received::TakenAndPause(at) => {
                        events.push(at, wrap(Happening::Taken { flight }));
                        self.pause_all(now, host, true, events, wrap);
                    }
                }
            }
            Node::Switch(switch) => {
                let &mut Flight { dst, flow, class, .. } = packet;
                let next = match self.routes.candidates(switch, dst) {
                    [] => {
                        self.drop(flight, Drop::NoRoute);
                        return Told::Nothing;
                    }
                    &[next] => next,
                    links => {
                        let (wires, queues) = (&self.wires, &self.queues);
                        let backlog = |link: u32| match queues {
                            Some(queues) => queues.backlog_bytes(now, link, class),
                            None => wires[link as usize].port.backlog(now).0,
                        };
                        links[self.choosers[switch as usize].choose(links, flow, backlog)]
                    }
                };
                self.enter(now, Some(link), next, flight, events, wrap);
            }
        }
        Told::Nothing
    }

    /// A packet that came by the link `from`, if it did by one, enters the port of a link.
    pub(super) fn enter<T: Copy + Ord>(
        &mut self,
        now: Ps,
        from: Option<u32>,
        link: u32,
        number: u32,
        events: &mut Events<T>,
        wrap: impl Fn(Happening) -> T,
    ) {
        note(&mut self.follower, |follower| follower.enters(number, link));
        if self.queues.is_some() {
            return self.enter_queue(now, from, link, number, events, wrap);
        }
        let wire = &mut self.wires[link as usize];
        let Some(flight) = self.flights.get_mut(number) else { return };
        let backlog = wire.port.backlog(now);
        let bytes = flight.bytes;
        let Queued::Leaves(leaves) = wire.port.enter(now, bytes) else {
            return self.drop(number, Drop::Buffer);
        };
        // What is sent into a link that is down takes its time too.
        if !wire.up {
            return self.drop(number, Drop::Link);
        }
        if flight.ect && !flight.ce && backlog > wire.unmarked {
            // What stood there before the packet.
            let before = wire.port.backlog_bytes(now) - u64::from(bytes);
            flight.ce = self.markers[link as usize].marks(before);
            self.marked += u64::from(flight.ce);
        }
        if wire.inside {
            self.longest = self.longest.max(wire.port.backlog_bytes(now));
        }
        let cable = &self.cables[link as usize];
        let set_out = set_out(wire.mute, cable, &mut self.losses[link as usize], flight);
        note(&mut self.follower, |follower| follower.left(number, flight.ce, flight.corrupt));
        match set_out {
            Ok(()) => events.push(leaves + cable.delay, wrap(Happening::Arrival { link, flight: number })),
            Err(why) => self.drop(number, why),
        }
    }

    /// The same where ports have queues.
    fn enter_queue<T: Copy + Ord>(
        &mut self,
        now: Ps,
        from: Option<u32>,
        link: u32,
        number: u32,
        events: &mut Events<T>,
        wrap: impl Fn(Happening) -> T,
    ) {
        let (Some(queues), Some(packet)) = (&mut self.queues, self.flights.get_mut(number)) else { return };
        let (class, before) = (packet.class, queues.backlog_bytes(now, link, packet.class));
        queues.enter(now, from, link, number, packet.bytes, class);
        let is_dropped = queues.actions.contains(&Action::Drop { packet: number });
        if packet.ect && !packet.ce && !is_dropped {
            packet.ce = self.markers[link as usize].marks(before);
            self.marked += u64::from(packet.ce);
        }
        if self.wires[link as usize].inside {
            self.longest = self.longest.max(queues.backlog_bytes(now, link, class));
        }
        self.settle(Drop::Buffer, events, wrap);
    }

    /// Does what follows from a call of the queues; `why` it drops packets.
    pub(super) fn settle<T: Copy + Ord>(
        &mut self,
        why: Drop,
        events: &mut Events<T>,
        wrap: impl Fn(Happening) -> T,
    ) {
        let Some(queues) = &mut self.queues else { return };
        let mut actions = std::mem::take(&mut queues.actions);
        for action in actions.drain(..) {
            match action {
                Action::Drop { packet } => self.drop(packet, why),
                Action::Send { port: link, packet, leaves } => {
                    events.push(leaves, wrap(Happening::Free { link }));
                    match self.wires[link as usize].up {
                        true => self.travel(packet, link, leaves, events, &wrap),
                        false => self.drop(packet, Drop::Link),
                    }
                }
                Action::Pause { port: link, frame, leaves } => {
                    events.push(leaves, wrap(Happening::Free { link }));
                    let &Cable { delay, generation, .. } = &self.cables[link as usize];
                    if self.wires[link as usize].up {
                        events.push(leaves + delay, wrap(Happening::Pause { link, generation, frame }));
                    }
                }
            }
        }
        if let Some(queues) = &mut self.queues {
            queues.actions = actions;
        }
    }

    /// A packet is put on a link, which its last bit leaves a port for at `leaves`.
    #[inline]
    fn travel<T: Copy + Ord>(
        &mut self,
        number: u32,
        link: u32,
        leaves: Ps,
        events: &mut Events<T>,
        wrap: impl Fn(Happening) -> T,
    ) {
        let (mute, cable) = (self.wires[link as usize].mute, &self.cables[link as usize]);
        let Some(flight) = self.flights.get_mut(number) else { return };
        let set_out = set_out(mute, cable, &mut self.losses[link as usize], flight);
        note(&mut self.follower, |follower| follower.left(number, flight.ce, flight.corrupt));
        match set_out {
            Ok(()) => events.push(leaves + cable.delay, wrap(Happening::Arrival { link, flight: number })),
            Err(why) => self.drop(number, why),
        }
    }
}

/// A packet is put on a link: whether it will come to its end.
#[inline]
fn set_out(mute: bool, cable: &Cable, loss: &mut Option<Box<Loss>>, flight: &mut Flight) -> Result<(), Drop> {
    flight.generation = cable.generation;
    if mute {
        return Err(Drop::Link);
    }
    match loss.as_mut().map_or(Fate::Passes, |loss| loss.fate()) {
        Fate::Passes => {}
        Fate::Corrupt => flight.corrupt = true,
        Fate::Lost => return Err(Drop::Chance),
    }
    Ok(())
}
