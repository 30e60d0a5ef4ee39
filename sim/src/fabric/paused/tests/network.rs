//! A small network of these switches and of NICs that send as fast as they may.

use crate::events::Events;
use crate::fabric::paused::{Action, Arrival, Buffers, PauseFrame, Port, Sent, Switch};
use crate::fabric::routes::Routes;
use crate::fabric::topology::{reverse, Node, Topology};
use crate::packet::{Class, Host};
use crate::time::Ps;

/// Bytes of every packet.
pub const BYTES: u32 = 1_500;

/// So many packets from one host to another.
pub type Flow = (Host, Host, u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// The last bit of something leaves a link's port.
    Free(u32),
    /// A packet of a flow comes to the end of a link.
    Packet(u32, usize),
    /// A pause frame does.
    Pause(u32, PauseFrame),
}

pub struct Network {
    topology: Topology,
    routes: Routes,
    events: Events<Event>,
    now: Ps,
    flows: Vec<Flow>,
    /// Not yet sent, by flow.
    left: Vec<u32>,
    nics: Vec<Port<usize>>,
    switches: Vec<Switch<usize>>,
    /// By switch: the links that its ports send on.
    outputs: Vec<Vec<u32>>,
    /// By flow: delivered, and when last.
    pub delivered: Vec<u32>,
    pub last: Vec<Ps>,
    pub dropped: u32,
    pub frames: u32,
}

impl Network {
    /// Of one plane.
    pub fn new(topology: Topology, buffers: Buffers, flows: &[Flow]) -> Self {
        let outputs_of = |switch| {
            let mine = topology.links.iter().zip(0..).filter(|(link, _)| link.from == Node::Switch(switch));
            mine.map(|(_, number)| number).collect::<Vec<u32>>()
        };
        let outputs: Vec<_> = (0..topology.switches).map(outputs_of).collect();
        let port = |&link: &u32| {
            let link = topology.links[link as usize];
            (link.rate, link.delay)
        };
        let switch = |links: &Vec<u32>| {
            let ports: Vec<_> = links.iter().map(port).collect();
            Switch::new(buffers, &ports).unwrap()
        };
        Self {
            routes: Routes::new(&topology, &vec![true; topology.links.len()]),
            events: Events::default(),
            now: Ps::ZERO,
            left: flows.iter().map(|flow| flow.2).collect(),
            nics: (0..topology.hosts).map(|host| Port::new(port(&topology.uplink(host, 0)).0)).collect(),
            switches: outputs.iter().map(switch).collect(),
            outputs,
            delivered: vec![0; flows.len()],
            last: vec![Ps::ZERO; flows.len()],
            flows: flows.to_vec(),
            dropped: 0,
            frames: 0,
            topology,
        }
    }

    /// Until nothing happens any more; then every packet has been delivered or dropped, and every buffer is
    /// empty.
    pub fn run(&mut self) {
        for host in 0..self.topology.hosts {
            self.send(host);
        }
        while let Some((now, event)) = self.events.pop() {
            self.now = now;
            match event {
                Event::Free(link) => self.free(link),
                Event::Packet(link, flow) => self.packet(link, flow),
                Event::Pause(link, frame) => self.pause(link, frame),
            }
        }
        let sent: u32 = self.flows.iter().map(|flow| flow.2).sum();
        assert_eq!(self.left, vec![0; self.flows.len()]);
        assert_eq!(self.delivered.iter().sum::<u32>() + self.dropped, sent);
        assert!(self.switches.iter().all(|switch| switch.held_bytes() == 0));
        let drops: u64 = self.switches.iter().map(Switch::drops).sum();
        assert_eq!(drops, u64::from(self.dropped));
    }

    /// How long the ports that send on these links were paused, and how often.
    pub fn paused(&self, links: impl IntoIterator<Item = u32>) -> (u64, Ps) {
        let one = |link: u32| match self.topology.links[link as usize].from {
            Node::Host(host) => self.nics[host as usize].paused(self.now),
            Node::Switch(switch) => self.switches[switch as usize].paused(self.now, self.port(switch, link)),
        };
        let add = |(times, time): (u64, Ps), link| (times + one(link).times, time + one(link).time);
        links.into_iter().fold((0, Ps::ZERO), add)
    }

    /// Most bytes that waited in a queue of a switch.
    pub fn longest(&self) -> u64 {
        let ports = |(switch, links): (&Switch<usize>, &Vec<u32>)| {
            (0..links.len() as u32).map(|port| switch.longest_bytes(port)).max().unwrap()
        };
        self.switches.iter().zip(&self.outputs).map(ports).max().unwrap()
    }

    fn port(&self, switch: u32, link: u32) -> u32 {
        self.outputs[switch as usize].binary_search(&link).unwrap() as u32
    }

    /// A NIC takes turns among its flows.
    fn send(&mut self, host: Host) {
        let mut mine: Vec<_> = (0..self.flows.len()).filter(|&flow| self.flows[flow].0 == host).collect();
        mine.sort_by_key(|&flow| std::cmp::Reverse(self.left[flow]));
        let nic = &mut self.nics[host as usize];
        if let Some(&flow) = mine.first().filter(|&&flow| self.left[flow] > 0 && nic.queue_bytes(0) == 0) {
            self.left[flow] -= 1;
            nic.push(flow, BYTES, 0);
        }
        if let Some((sent, leaves)) = nic.start(self.now) {
            let link = self.topology.uplink(host, 0);
            let Sent::Packet { packet, .. } = sent else { panic!("a NIC pauses nobody: {sent:?}") };
            self.events.push(leaves, Event::Free(link));
            let arrives = leaves + self.topology.links[link as usize].delay;
            self.events.push(arrives, Event::Packet(link, packet));
        }
    }

    fn free(&mut self, link: u32) {
        match self.topology.links[link as usize].from {
            Node::Host(host) => {
                self.nics[host as usize].free();
                self.send(host);
            }
            Node::Switch(switch) => {
                let port = self.port(switch, link);
                self.with(switch, |this, now, actions| this.on_free(now, port, actions));
            }
        }
    }

    fn packet(&mut self, link: u32, flow: usize) {
        match self.topology.links[link as usize].to {
            Node::Host(host) => {
                assert_eq!(host, self.flows[flow].1);
                self.delivered[flow] += 1;
                self.last[flow] = self.now;
            }
            Node::Switch(switch) => {
                let to = self.port(switch, self.routes.candidates(switch, self.flows[flow].1)[0]);
                let from = self.port(switch, reverse(link));
                let arrival = Arrival { from, to, packet: flow, bytes: BYTES, class: Class::Data };
                self.with(switch, |this, now, actions| this.enqueue(now, arrival, actions));
            }
        }
    }

    fn pause(&mut self, link: u32, frame: PauseFrame) {
        self.frames += 1;
        match self.topology.links[link as usize].to {
            Node::Host(host) => {
                self.nics[host as usize].pause(self.now, frame);
                self.send(host);
            }
            Node::Switch(switch) => {
                let port = self.port(switch, reverse(link));
                self.with(switch, |this, now, actions| this.on_pause(now, port, frame, actions));
            }
        }
    }

    fn with(&mut self, switch: u32, call: impl FnOnce(&mut Switch<usize>, Ps, &mut Vec<Action<usize>>)) {
        let mut actions = Vec::new();
        call(&mut self.switches[switch as usize], self.now, &mut actions);
        for action in actions {
            let (port, leaves) = match action {
                Action::Drop { .. } => {
                    self.dropped += 1;
                    continue;
                }
                Action::Send { port, leaves, .. } | Action::Pause { port, leaves, .. } => (port, leaves),
            };
            let link = self.outputs[switch as usize][port as usize];
            self.events.push(leaves, Event::Free(link));
            let arrives = leaves + self.topology.links[link as usize].delay;
            match action {
                Action::Send { packet, .. } => self.events.push(arrives, Event::Packet(link, packet)),
                Action::Pause { frame, .. } => self.events.push(arrives, Event::Pause(link, frame)),
                Action::Drop { .. } => {}
            }
        }
    }
}
