//! What lies between hosts: ports, links and switches.

pub mod background;
mod choice;
mod config;
mod drops;
mod fail;
pub mod fault;
mod follow;
mod forward;
pub mod hash;
pub mod loss;
pub mod mark;
pub mod paused;
pub mod port;
mod queues;
mod receive;
pub mod routes;
mod send;
mod slab;
pub mod topology;

pub use choice::Routing;
pub use config::{FabricConfig, FabricError, Losses, Place};
pub use drops::{Drop, Drops};
pub use follow::{End, History};
pub use receive::Drain;

use crate::outcome::{Outcome, Packets};
use crate::packet::{Class, Host, Packet};
use crate::seed;
use crate::time::Ps;
use choice::Chooser;
use follow::{note, Follower};
use loss::Loss;
use mark::{Marker, Marking};
use paused::PauseFrame;
use port::Port;
use queues::Queues;
use receive::Receivers;
use routes::Routes;
use slab::Slab;
use topology::{Node, Topology};

/// What the fabric waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Happening {
    /// A packet comes to the far end of a link.
    Arrival {
        /// Link.
        link: u32,
        /// Number of the packet in the fabric.
        flight: u32,
    },
    /// The last bit of what was being sent leaves a port with queues.
    Free {
        /// Link behind the port.
        link: u32,
    },
    /// A host takes a packet in that waited in its receive buffer.
    Taken {
        /// Number of the packet in the fabric.
        flight: u32,
    },
    /// A pause frame comes to the far end of a link.
    Pause {
        /// Link.
        link: u32,
        /// The link's when the frame was put on it.
        generation: u32,
        /// What it says.
        frame: PauseFrame,
    },
}

/// What a host is told.
#[derive(Debug)]
pub enum Told<B> {
    /// Nobody is told anything.
    Nothing,
    /// A packet has arrived.
    Packet(Host, Packet<B>),
    /// Its port of a plane may have room again.
    Room(Host, u8),
}

/// What switches know of a packet on its way.
#[derive(Debug)]
struct Flight {
    dst: Host,
    /// What ECMP hashes, hashed.
    flow: u32,
    bytes: u32,
    /// The link's when the packet was put on it.
    generation: u32,
    class: Class,
    ect: bool,
    ce: bool,
    /// The receiver's ICRC will find it.
    corrupt: bool,
}

/// What a packet on a link needs of it.
#[derive(Debug)]
struct Cable {
    to: Node,
    delay: Ps,
    /// Counts the failures.
    generation: u32,
}

/// The port before a link: one line of the cache.
#[derive(Debug)]
#[repr(align(64))]
struct Wire {
    port: Port,
    /// Backlog up to which no packet is marked.
    unmarked: Ps,
    /// It is a switch's.
    inside: bool,
    up: bool,
    /// It loses everything, in silence.
    mute: bool,
}

/// Everything between the hosts.
#[derive(Debug)]
pub struct Fabric<B> {
    cables: Vec<Cable>,
    wires: Vec<Wire>,
    routes: Routes,
    /// Of each link: what is marked, what is lost.
    markers: Vec<Marker>,
    losses: Vec<Option<Box<Loss>>>,
    /// Of each switch.
    choosers: Vec<Chooser>,
    /// In the place of the ports of `wires`, where switches have queues.
    queues: Option<Queues>,
    /// Receive buffers, where hosts do not take everything in at once.
    receivers: Option<Receivers>,
    seed: u64,
    /// Each with the packet, where it is not nobody's.
    flights: Slab<Flight, Packet<B>>,
    topology: Topology,
    dst_port: u16,
    sent: u64,
    /// Of these, nobody's.
    background: u64,
    delivered: u64,
    drops: Drops,
    marked: u64,
    /// Most bytes that stood in a switch's port since this was asked last.
    longest: u64,
    follower: Option<Box<Follower<B>>>,
}

impl<B> Fabric<B> {
    /// An empty one, everything up; equal seeds give equal hashes and losses.
    ///
    /// # Errors
    /// When losses, marks or buffers cannot be as asked.
    pub fn new(topology: Topology, config: &FabricConfig, seed: u64) -> Result<Self, FabricError> {
        let up = vec![true; topology.links.len()];
        let (mut cables, mut wires, mut markers, mut losses) = (vec![], vec![], vec![], vec![]);
        for (number, link) in (0..).zip(&topology.links) {
            let inside = matches!(link.from, Node::Switch(_));
            let (buffer, marking) = match inside {
                true => (config.buffer_bytes, config.marking),
                false => (config.nic_bytes, Marking::Never),
            };
            let marker = Marker::new(marking, seed::stream(seed, "mark", number))?;
            let unmarked = marker.never_up_to();
            cables.push(Cable { to: link.to, delay: link.delay, generation: 0 });
            wires.push(Wire {
                port: Port::new(link.rate, buffer),
                unmarked: if unmarked == u64::MAX { Ps::NEVER } else { link.rate.time_of(unmarked) },
                inside,
                up: true,
                mute: false,
            });
            markers.push(marker);
            let strikes = config.losses.iter().find(|losses| losses.place.holds(link));
            losses.push(match strikes {
                Some(&Losses { model, corrupt, .. }) => {
                    Loss::new(model, corrupt, seed::stream(seed, "loss", number))?.map(Box::new)
                }
                None => None,
            });
        }
        let is_lossless = config.queues.is_some_and(|buffers| buffers.lossless[0].is_some());
        Ok(Self {
            cables,
            wires,
            routes: Routes::new(&topology, &up),
            markers,
            losses,
            choosers: (0..topology.switches).map(|n| Chooser::new(config.routing, seed, n)).collect(),
            queues: config.queues.map(|buffers| Queues::new(&topology, buffers)).transpose()?,
            receivers: config.drain.map(|drain| Receivers::new(topology.hosts, drain, is_lossless)),
            seed,
            flights: Slab::default(),
            dst_port: config.dst_port,
            sent: 0,
            background: 0,
            delivered: 0,
            drops: Drops::default(),
            marked: 0,
            longest: 0,
            follower: None,
            topology,
        })
    }

    /// What it is built on.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// When a port of a host takes another packet, if no more than so many bytes may wait there; never: when
    /// [`Told::Room`] says so.
    pub fn opens_at(&self, now: Ps, host: Host, plane: u8, waiting: u64) -> Ps {
        let link = self.topology.uplink(host, plane);
        if let Some(queues) = &self.queues {
            let all: u64 = [Class::Data, Class::Control]
                .map(|class| queues.backlog_bytes(now, link, class))
                .iter()
                .sum();
            return if all <= waiting { now } else { Ps::NEVER };
        }
        let port = &self.wires[link as usize].port;
        Ps(port.clear_at().0.saturating_sub(port.rate().time_of(waiting).0))
    }

    /// Most bytes that stood in a switch's port since this was asked last.
    pub fn take_longest(&mut self) -> u64 {
        std::mem::take(&mut self.longest)
    }

    /// What it knows of a run.
    pub fn tell(&self, now: Ps, outcome: &mut Outcome) {
        let in_flight = self.flights.len() as u64;
        let drops = Drop::ALL.map(|(why, name)| (name.to_owned(), self.drops.of(why)));
        outcome.packets = Packets {
            sent: self.sent,
            background: self.background,
            delivered: self.delivered,
            drops: drops.into_iter().collect(),
            in_flight,
        };
        outcome.ce_marked = self.marked;
        let inside = self.wires.iter().filter(|wire| wire.inside);
        outcome.max_queue_bytes = inside.map(|wire| wire.port.longest_bytes()).max().unwrap_or(0);
        if let Some(queues) = &self.queues {
            outcome.max_queue_bytes = queues.longest_bytes();
            let paused = queues.paused(now);
            (outcome.pauses, outcome.paused_ps) = (paused.times, paused.time.0);
        }
    }

    fn drop(&mut self, flight: u32, why: Drop) {
        self.flights.take(flight);
        self.drops.count(why);
        note(&mut self.follower, |follower| follower.dropped(flight, why));
    }
}
