//! What lies between hosts: ports, links and switches.

mod drops;
pub mod fault;
pub mod hash;
pub mod loss;
pub mod mark;
pub mod port;
pub mod routes;
mod slab;
pub mod topology;

pub use drops::{Drop, Drops};

use crate::events::Events;
use crate::outcome::{Outcome, Packets};
use crate::packet::{Host, Packet};
use crate::time::Ps;
use port::{Port, Queued};
use routes::Routes;
use slab::Slab;
use topology::{Node, Topology};

/// What the fabric waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrival {
    /// At the far end of this link.
    pub link: u32,
    /// Number of the packet in the fabric.
    pub flight: u32,
}

/// What every port of a switch does when its queue grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchConfig {
    /// Bytes that stand in a port at most.
    pub buffer_bytes: u64,
    /// A packet that finds more than so many bytes is marked.
    pub ecn_bytes: Option<u64>,
}

/// A packet on its way.
#[derive(Debug)]
struct Flight<B> {
    packet: Packet<B>,
    /// What ECMP hashes, hashed.
    flow: u32,
    /// The link's when the packet was put on it.
    generation: u32,
}

/// A link with the port before it.
#[derive(Debug)]
struct Wire {
    port: Port,
    to: Node,
    delay: Ps,
    /// Backlog from which on packets are marked.
    mark: Ps,
    /// It is a switch's.
    inside: bool,
    up: bool,
    /// Counts the failures.
    generation: u32,
}

/// Everything between the hosts.
#[derive(Debug)]
pub struct Fabric<B> {
    wires: Vec<Wire>,
    routes: Routes,
    /// ECMP seed of each switch.
    seeds: Vec<u32>,
    flights: Slab<Flight<B>>,
    topology: Topology,
    dst_port: u16,
    sent: u64,
    delivered: u64,
    drops: Drops,
    marked: u64,
    /// Most bytes that stood in a switch's port since this was asked last.
    longest: u64,
}

impl<B> Fabric<B> {
    /// An empty one, everything up. `nic_bytes`: what stands in a host's port at most.
    pub fn new(topology: Topology, switch: &SwitchConfig, nic_bytes: u64, dst_port: u16, seed: u64) -> Self {
        let up = vec![true; topology.links.len()];
        let wires = topology.links.iter().map(|link| {
            let buffer = match link.from {
                Node::Host(_) => nic_bytes,
                Node::Switch(_) => switch.buffer_bytes,
            };
            let mark = switch.ecn_bytes.filter(|_| matches!(link.from, Node::Switch(_)));
            Wire {
                port: Port::new(link.rate, buffer),
                to: link.to,
                delay: link.delay,
                mark: mark.map_or(Ps::NEVER, |bytes| link.rate.time_of(bytes)),
                inside: matches!(link.from, Node::Switch(_)),
                up: true,
                generation: 0,
            }
        });
        Self {
            wires: wires.collect(),
            routes: Routes::new(&topology, &up),
            seeds: (0..topology.switches).map(|switch| hash::switch_seed(seed, switch, 0)).collect(),
            flights: Slab::default(),
            dst_port,
            sent: 0,
            delivered: 0,
            drops: Drops::default(),
            marked: 0,
            longest: 0,
            topology,
        }
    }

    /// What it is built on.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The port of a host on a plane.
    pub fn port(&self, host: Host, plane: u8) -> &Port {
        &self.wires[self.topology.uplink(host, plane) as usize].port
    }

    /// A host sends a packet on the plane that it names.
    pub fn send<T: Copy + Ord>(
        &mut self,
        now: Ps,
        packet: Packet<B>,
        events: &mut Events<T>,
        arrives: impl Fn(Arrival) -> T,
    ) {
        self.sent += 1;
        let link = self.topology.uplink(packet.src, packet.plane);
        let flow = hash::flow(packet.src, packet.dst, packet.src_port, self.dst_port);
        let flight = self.flights.put(Flight { packet, flow, generation: 0 });
        self.enter(now, link, flight, events, arrives);
    }

    /// A packet has come to the end of a link: it goes on, or is for a host, which is returned with it.
    pub fn arrive<T: Copy + Ord>(
        &mut self,
        now: Ps,
        Arrival { link, flight }: Arrival,
        events: &mut Events<T>,
        arrives: impl Fn(Arrival) -> T,
    ) -> Option<(Host, Packet<B>)> {
        let wire = &self.wires[link as usize];
        let (to, generation) = (wire.to, wire.generation);
        let packet = self.flights.get_mut(flight)?;
        if packet.generation != generation {
            self.drop(flight, Drop::Link);
            return None;
        }
        match to {
            Node::Host(host) => {
                self.delivered += 1;
                self.flights.take(flight).map(|flight| (host, flight.packet))
            }
            Node::Switch(switch) => {
                let (dst, flow) = (packet.packet.dst, packet.flow);
                match self.routes.candidates(switch, dst) {
                    [] => self.drop(flight, Drop::NoRoute),
                    &[link] => self.enter(now, link, flight, events, arrives),
                    links => {
                        let hash = hash::at_switch(self.seeds[switch as usize], flow);
                        let choice = (u64::from(hash) * links.len() as u64) >> 32;
                        let link = links[choice as usize];
                        self.enter(now, link, flight, events, arrives);
                    }
                }
                None
            }
        }
    }

    /// A packet enters the port of a link.
    fn enter<T: Copy + Ord>(
        &mut self,
        now: Ps,
        link: u32,
        number: u32,
        events: &mut Events<T>,
        arrives: impl Fn(Arrival) -> T,
    ) {
        let wire = &mut self.wires[link as usize];
        let Some(flight) = self.flights.get_mut(number) else { return };
        if !wire.up {
            return self.drop(number, Drop::Link);
        }
        let backlog = wire.port.backlog(now);
        let Queued::Leaves(leaves) = wire.port.enter(now, flight.packet.bytes) else {
            return self.drop(number, Drop::Buffer);
        };
        if flight.packet.ect && backlog > wire.mark {
            self.marked += u64::from(!flight.packet.ce);
            flight.packet.ce = true;
        }
        if wire.inside {
            self.longest = self.longest.max(wire.port.backlog_bytes(now));
        }
        flight.generation = wire.generation;
        events.push(leaves + wire.delay, arrives(Arrival { link, flight: number }));
    }

    /// Most bytes that stood in a switch's port since this was asked last.
    pub fn take_longest(&mut self) -> u64 {
        std::mem::take(&mut self.longest)
    }

    /// What it knows of a run.
    pub fn tell(&self, outcome: &mut Outcome) {
        let in_flight = self.flights.len() as u64;
        let drops = Drop::ALL.map(|(why, name)| (name.to_owned(), self.drops.of(why)));
        outcome.packets = Packets {
            sent: self.sent,
            delivered: self.delivered,
            drops: drops.into_iter().collect(),
            in_flight,
        };
        outcome.ce_marked = self.marked;
        let inside = self.wires.iter().filter(|wire| wire.inside);
        outcome.max_queue_bytes = inside.map(|wire| wire.port.longest_bytes()).max().unwrap_or(0);
    }

    fn drop(&mut self, flight: u32, why: Drop) {
        self.flights.take(flight);
        self.drops.count(why);
    }
}
