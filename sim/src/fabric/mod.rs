//! What lies between hosts: ports, links and switches.

mod config;
mod drops;
pub mod fault;
pub mod hash;
pub mod loss;
pub mod mark;
pub mod paused;
pub mod port;
pub mod routes;
mod slab;
pub mod topology;

pub use config::{FabricConfig, FabricError, Losses, Place};
pub use drops::{Drop, Drops};

use crate::events::Events;
use crate::outcome::{Outcome, Packets};
use crate::packet::{Host, Packet};
use crate::seed;
use crate::time::Ps;
use fault::Step;
use loss::{Fate, Loss};
use mark::{Marker, Marking};
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

/// A packet on its way.
#[derive(Debug)]
struct Flight<B> {
    packet: Packet<B>,
    /// What ECMP hashes, hashed.
    flow: u32,
    /// The link's when the packet was put on it.
    generation: u32,
    /// The receiver's ICRC will find it.
    corrupt: bool,
}

/// A link with the port before it.
#[derive(Debug)]
struct Wire {
    port: Port,
    to: Node,
    delay: Ps,
    /// Backlog up to which no packet is marked.
    unmarked: Ps,
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
    /// Of each link: what is marked, what is lost.
    markers: Vec<Marker>,
    losses: Vec<Option<Loss>>,
    /// ECMP seed of each switch.
    seeds: Vec<u32>,
    seed: u64,
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
    /// An empty one, everything up; equal seeds give equal hashes and losses.
    ///
    /// # Errors
    /// When losses or marks cannot be as asked.
    pub fn new(topology: Topology, config: &FabricConfig, seed: u64) -> Result<Self, FabricError> {
        let up = vec![true; topology.links.len()];
        let (mut wires, mut markers, mut losses) = (Vec::new(), Vec::new(), Vec::new());
        for (number, link) in (0..).zip(&topology.links) {
            let inside = matches!(link.from, Node::Switch(_));
            let (buffer, marking) = match inside {
                true => (config.buffer_bytes, config.marking),
                false => (config.nic_bytes, Marking::Never),
            };
            let marker = Marker::new(marking, seed::stream(seed, "mark", number))?;
            let unmarked = marker.never_up_to();
            wires.push(Wire {
                port: Port::new(link.rate, buffer),
                to: link.to,
                delay: link.delay,
                unmarked: if unmarked == u64::MAX { Ps::NEVER } else { link.rate.time_of(unmarked) },
                inside,
                up: true,
                generation: 0,
            });
            markers.push(marker);
            let strikes = config.losses.iter().find(|losses| losses.place.holds(link));
            losses.push(match strikes {
                Some(&Losses { model, corrupt, .. }) => {
                    Loss::new(model, corrupt, seed::stream(seed, "loss", number))?
                }
                None => None,
            });
        }
        Ok(Self {
            wires,
            routes: Routes::new(&topology, &up),
            markers,
            losses,
            seeds: seeds(&topology, seed, 0),
            seed,
            flights: Slab::default(),
            dst_port: config.dst_port,
            sent: 0,
            delivered: 0,
            drops: Drops::default(),
            marked: 0,
            longest: 0,
            topology,
        })
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
        let flight = self.flights.put(Flight { packet, flow, generation: 0, corrupt: false });
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
            Node::Host(_) if packet.corrupt => {
                self.drop(flight, Drop::Corrupt);
                None
            }
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
        let backlog = wire.port.backlog(now);
        let Queued::Leaves(leaves) = wire.port.enter(now, flight.packet.bytes) else {
            return self.drop(number, Drop::Buffer);
        };
        // What is sent into a link that is down takes its time too.
        if !wire.up {
            return self.drop(number, Drop::Link);
        }
        if flight.packet.ect && !flight.packet.ce && backlog > wire.unmarked {
            // What stood there before the packet.
            let bytes = wire.port.backlog_bytes(now) - u64::from(flight.packet.bytes);
            flight.packet.ce = self.markers[link as usize].marks(bytes);
            self.marked += u64::from(flight.packet.ce);
        }
        if wire.inside {
            self.longest = self.longest.max(wire.port.backlog_bytes(now));
        }
        flight.generation = wire.generation;
        if let Some(loss) = &mut self.losses[link as usize] {
            match loss.fate() {
                Fate::Passes => {}
                Fate::Corrupt => flight.corrupt = true,
                Fate::Lost => return self.drop(number, Drop::Chance),
            }
        }
        events.push(leaves + wire.delay, arrives(Arrival { link, flight: number }));
    }

    /// Most bytes that stood in a switch's port since this was asked last.
    pub fn take_longest(&mut self) -> u64 {
        std::mem::take(&mut self.longest)
    }

    /// A step of a schedule of faults; `up` says which links are up now.
    pub fn fail(&mut self, now: Ps, step: &Step, up: &[bool]) {
        match step {
            Step::Links { down, up } => {
                for &link in down {
                    let wire = &mut self.wires[link as usize];
                    wire.up = false;
                    wire.generation += 1;
                    wire.port.clear(now);
                }
                up.iter().for_each(|&link| self.wires[link as usize].up = true);
            }
            &Step::Reroute(plane) => self.routes.recompute(&self.topology, plane, up),
            &Step::Rehash(times) => self.seeds = seeds(&self.topology, self.seed, times),
            &Step::Rate(cable, rate) => {
                for link in [2 * cable, 2 * cable + 1] {
                    let wire = &mut self.wires[link as usize];
                    wire.port.set_rate(rate);
                    let unmarked = self.markers[link as usize].never_up_to();
                    wire.unmarked = if unmarked == u64::MAX { Ps::NEVER } else { rate.time_of(unmarked) };
                }
            }
        }
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

fn seeds(topology: &Topology, seed: u64, rehashes: u32) -> Vec<u32> {
    (0..topology.switches).map(|switch| hash::switch_seed(seed, switch, rehashes)).collect()
}
