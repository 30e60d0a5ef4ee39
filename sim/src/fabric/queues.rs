//! The fabric's ports where they have real queues: switches of [`paused`](super::paused), and NICs that can
//! be paused.

use super::paused::{Action, Arrival, Buffers, ConfigError, PauseFrame, Paused, Port, Sent, Switch};
use super::topology::{reverse, Node, Topology};
use crate::packet::Class;
use crate::time::{Ps, Rate};

/// All of them. What follows from a call is put into `actions`, with numbers of links for those of ports.
#[derive(Debug)]
pub(super) struct Queues {
    switches: Vec<Switch<u32>>,
    nics: Vec<Port<u32>>,
    /// By link: who sends on it, and by which of its ports.
    senders: Vec<(Sender, u32)>,
    /// By switch and port: the link that it sends on.
    links: Vec<Vec<u32>>,
    /// Queues of a port.
    classes: u8,
    inner: Vec<Action<u32>>,
    pub(super) actions: Vec<Action<u32>>,
}

/// Number of a NIC's port or of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sender {
    Nic(u32),
    Switch(u32),
}

impl Queues {
    pub(super) fn new(topology: &Topology, buffers: Buffers) -> Result<Self, ConfigError> {
        let mut links = vec![Vec::new(); topology.switches as usize];
        let (mut nics, mut senders) = (Vec::new(), Vec::new());
        for (link, number) in topology.links.iter().zip(0..) {
            senders.push(match link.from {
                Node::Host(_) => {
                    nics.push(Port::new(link.rate));
                    (Sender::Nic(nics.len() as u32 - 1), 0)
                }
                Node::Switch(switch) => {
                    let links: &mut Vec<u32> = &mut links[switch as usize];
                    links.push(number);
                    (Sender::Switch(switch), links.len() as u32 - 1)
                }
            });
        }
        let cable = |&link: &u32| (topology.links[link as usize].rate, topology.links[link as usize].delay);
        let switch = |links: &Vec<u32>| Switch::new(buffers, &links.iter().map(cable).collect::<Vec<_>>());
        let switches = links.iter().map(switch).collect::<Result<_, _>>()?;
        let classes = buffers.classes;
        Ok(Self { switches, nics, senders, links, classes, inner: Vec::new(), actions: Vec::new() })
    }

    /// A packet that came by the link `from`, or was made by the host, is to go out on the link `to`.
    pub(super) fn enter(
        &mut self,
        now: Ps,
        from: Option<u32>,
        to: u32,
        packet: u32,
        bytes: u32,
        class: Class,
    ) {
        match (self.senders[to as usize], from) {
            ((Sender::Switch(switch), to), Some(from)) => {
                let (_, from) = self.senders[reverse(from) as usize];
                let arrival = Arrival { from, to, packet, bytes, class };
                self.switches[switch as usize].enqueue(now, arrival, &mut self.inner);
                self.collect(switch);
            }
            ((Sender::Nic(nic), _), _) => {
                let class = if self.classes == 1 { 0 } else { class as usize };
                self.nics[nic as usize].push(packet, bytes, class);
                self.start(now, nic, to);
            }
            ((Sender::Switch(_), _), None) => {}
        }
    }

    /// The last bit of what was being sent on a link has left.
    pub(super) fn free(&mut self, now: Ps, link: u32) {
        match self.senders[link as usize] {
            (Sender::Nic(nic), _) => {
                self.nics[nic as usize].free();
                self.start(now, nic, link);
            }
            (Sender::Switch(switch), port) => {
                self.switches[switch as usize].on_free(now, port, &mut self.inner);
                self.collect(switch);
            }
        }
    }

    /// A pause frame for who sends on this link.
    pub(super) fn pause(&mut self, now: Ps, link: u32, frame: PauseFrame) {
        match self.senders[link as usize] {
            (Sender::Nic(nic), _) => {
                self.nics[nic as usize].pause(now, frame);
                self.start(now, nic, link);
            }
            (Sender::Switch(switch), port) => {
                self.switches[switch as usize].on_pause(now, port, frame, &mut self.inner);
                self.collect(switch);
            }
        }
    }

    /// A host sends a pause frame.
    pub(super) fn send_frame(&mut self, now: Ps, link: u32, frame: PauseFrame) {
        if let (Sender::Nic(nic), _) = self.senders[link as usize] {
            self.nics[nic as usize].push_frame(frame);
            self.start(now, nic, link);
        }
    }

    /// A link has failed.
    pub(super) fn down(&mut self, now: Ps, link: u32) {
        match self.senders[link as usize] {
            (Sender::Nic(nic), _) => {
                let waiting = self.nics[nic as usize].clear(now);
                self.actions.extend(waiting.into_iter().map(|(packet, ..)| Action::Drop { packet }));
            }
            (Sender::Switch(switch), port) => {
                self.switches[switch as usize].on_down(now, port, &mut self.inner);
                self.collect(switch);
            }
        }
    }

    pub(super) fn set_rate(&mut self, link: u32, rate: Rate) {
        match self.senders[link as usize] {
            (Sender::Nic(nic), _) => self.nics[nic as usize].set_rate(rate),
            (Sender::Switch(switch), port) => self.switches[switch as usize].set_rate(port, rate),
        }
    }

    /// What stands in the queue of a class before a link, the rest of its packet that is being sent included,
    /// bytes.
    pub(super) fn backlog_bytes(&self, now: Ps, link: u32, class: Class) -> u64 {
        match self.senders[link as usize] {
            (Sender::Nic(nic), _) => {
                let class = if self.classes == 1 { 0 } else { class as usize };
                self.nics[nic as usize].backlog_bytes(now, class)
            }
            (Sender::Switch(switch), port) => self.switches[switch as usize].backlog_bytes(now, port, class),
        }
    }

    /// Most bytes that ever waited in a queue of a switch.
    pub(super) fn longest_bytes(&self) -> u64 {
        let ports = self.switches.iter().zip(&self.links);
        ports
            .flat_map(|(s, links)| (0..links.len() as u32).map(|port| s.longest_bytes(port)))
            .max()
            .unwrap_or(0)
    }

    /// How often and how long all ports together were paused.
    pub(super) fn paused(&self, now: Ps) -> Paused {
        let nics = self.nics.iter().map(|nic| nic.paused(now));
        let ports = self.switches.iter().zip(&self.links);
        let ports = ports.flat_map(|(switch, links)| (0..links.len() as u32).map(|p| switch.paused(now, p)));
        nics.chain(ports).fold(Paused::default(), |sum, one| Paused {
            times: sum.times + one.times,
            time: sum.time + one.time,
        })
    }

    fn start(&mut self, now: Ps, nic: u32, link: u32) {
        self.actions.extend(self.nics[nic as usize].start(now).map(|(sent, leaves)| match sent {
            Sent::Packet { packet, .. } => Action::Send { port: link, packet, leaves },
            Sent::Pause(frame) => Action::Pause { port: link, frame, leaves },
        }));
    }

    /// A switch's actions, with links for its ports.
    fn collect(&mut self, switch: u32) {
        let links = &self.links[switch as usize];
        self.actions.extend(self.inner.drain(..).map(|action| match action {
            Action::Send { port, packet, leaves } => {
                Action::Send { port: links[port as usize], packet, leaves }
            }
            Action::Pause { port, frame, leaves } => {
                Action::Pause { port: links[port as usize], frame, leaves }
            }
            Action::Drop { packet } => Action::Drop { packet },
        }));
    }
}
