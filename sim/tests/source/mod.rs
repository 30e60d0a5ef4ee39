//! Hosts that send packets at times given beforehand and answer nothing: what the fabric alone does.

use heddle_sim::endpoint::{Endpoint, News, Post};
use heddle_sim::fabric::background::Background;
use heddle_sim::fabric::fault::{Fault, Faults};
use heddle_sim::fabric::mark::Marking;
use heddle_sim::fabric::topology::Topology;
use heddle_sim::fabric::{Fabric, FabricConfig, Routing};
use heddle_sim::outcome::{Outcome, Transport};
use heddle_sim::packet::{Class, Host, Packet};
use heddle_sim::time::Ps;
use heddle_sim::traffic::{patterns, Schedule};
use heddle_sim::world::{Watch, World};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// A packet to be sent.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub at: Ps,
    pub src: Host,
    pub dst: Host,
    pub src_port: u16,
    pub class: Class,
    pub bytes: u32,
}

/// One that has arrived: its number, when, and whether it was marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrived {
    pub number: usize,
    pub at: Ps,
    pub ce: bool,
}

#[derive(Debug)]
struct Source {
    plans: VecDeque<(usize, Plan)>,
    arrived: Rc<RefCell<Vec<Arrived>>>,
}

impl Endpoint for Source {
    type Body = usize;

    fn post(&mut self, _now: Ps, _post: &Post) {}

    fn receive(&mut self, now: Ps, packet: &Packet<usize>) -> u32 {
        self.arrived.borrow_mut().push(Arrived { number: packet.body, at: now, ce: packet.ce });
        0
    }

    fn transmit(&mut self, now: Ps, ports: u16) -> Option<Packet<usize>> {
        if ports & 1 == 0 || self.plans.front()?.1.at > now {
            return None;
        }
        let (number, plan) = self.plans.pop_front()?;
        Some(Packet {
            src: plan.src,
            dst: plan.dst,
            plane: 0,
            src_port: plan.src_port,
            class: plan.class,
            ect: true,
            ce: false,
            bytes: plan.bytes,
            body: number,
        })
    }

    fn next_deadline(&mut self, now: Ps) -> Option<Ps> {
        // What is due waits for its port.
        self.plans.front().map(|(_, plan)| plan.at).filter(|at| *at > now)
    }

    fn advance(&mut self, _now: Ps) {}

    fn set_plane(&mut self, _now: Ps, _plane: u8, _up: bool) {}

    fn news(&mut self) -> Option<News> {
        None
    }

    fn counters(&self) -> Transport {
        Transport::default()
    }
}

/// FIFOs without marks or losses.
pub fn fifo(buffer_bytes: u64) -> FabricConfig {
    FabricConfig {
        buffer_bytes,
        queues: None,
        drain: None,
        routing: Routing::Ecmp,
        nic_bytes: 1 << 20,
        marking: Marking::Never,
        losses: Vec::new(),
        dst_port: 4_791,
    }
}

/// Sends everything and runs until nothing happens any more. What has arrived stands in the order of arrival.
pub fn run(
    topology: Topology,
    config: &FabricConfig,
    faults: &[(Ps, Fault)],
    plans: &[Plan],
    seed: u64,
) -> (Outcome, Vec<Arrived>) {
    let hosts = topology.hosts;
    let arrived = Rc::new(RefCell::new(Vec::new()));
    let source = |host| {
        let mine = plans.iter().copied().enumerate().filter(|(_, plan)| plan.src == host);
        Source { plans: mine.collect(), arrived: arrived.clone() }
    };
    let sources = (0..hosts).map(source).collect();
    let faults = Faults::new(&topology, faults, Ps::from_us(50)).expect("faults");
    let fabric = Fabric::new(topology, config, seed).expect("a fabric");
    // A message that nobody sends keeps the run going; every host is looked after when one of its own starts.
    let messages = (0..hosts).map(|host| patterns::write(host, (host + 1) % hosts, 1)).collect();
    let schedule = Schedule::new(messages, hosts).expect("traffic");
    let mut world = World::new(fabric, sources, schedule, faults, Background::default(), Watch::default());
    world.run(Ps::NEVER);
    let outcome = world.outcome();
    let packets = &outcome.packets;
    assert!(packets.is_conserved() && packets.in_flight == 0, "{packets:?}");
    assert_eq!((packets.sent, packets.delivered), (plans.len() as u64, arrived.borrow().len() as u64));
    drop(world);
    (outcome, Rc::try_unwrap(arrived).expect("the run is over").into_inner())
}
