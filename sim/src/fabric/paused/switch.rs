//! A switch: ports and the memory they share.

use super::buffer::{Admission, Memory};
use super::config::{Buffers, ConfigError};
use super::port::{Paused, Port, Sent};
use super::PauseFrame;
use crate::packet::Class;
use crate::time::{Ps, Rate};

/// What follows from a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action<P> {
    /// The packet's first bit goes on the wire of a port now. At `leaves`, with its last bit,
    /// [`Switch::on_free`] is to be called.
    Send {
        /// Port.
        port: u32,
        /// Packet.
        packet: P,
        /// Last bit.
        leaves: Ps,
    },
    /// The same of a pause frame, for whoever is at the other end of the port's cable.
    Pause {
        /// Port.
        port: u32,
        /// Frame.
        frame: PauseFrame,
        /// Last bit.
        leaves: Ps,
    },
    /// There was no room for it, or its link has failed.
    Drop {
        /// Packet.
        packet: P,
    },
}

/// A packet whose last bit has come in.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<P> {
    /// Port that it came in by.
    pub from: u32,
    /// Port that it is to go out by.
    pub to: u32,
    /// Packet.
    pub packet: P,
    /// Bytes on the wire.
    pub bytes: u32,
    /// Class.
    pub class: Class,
}

/// A packet in a queue.
#[derive(Clone, Debug)]
struct Entry<P> {
    packet: P,
    from: u32,
}

/// The switch. Port n is both directions of its cable: what comes in by it and what goes out.
#[derive(Clone, Debug)]
pub struct Switch<P> {
    classes: u8,
    ports: Vec<Port<Entry<P>>>,
    /// By port: ingress port, class and bytes of what is being sent.
    leaving: Vec<Option<(u32, usize, u32)>>,
    memory: Memory,
    drops: u64,
}

impl<P> Switch<P> {
    /// `ports`: rate and one-way delay of each one's cable.
    pub fn new(buffers: Buffers, ports: &[(Rate, Ps)]) -> Result<Self, ConfigError> {
        buffers.check()?;
        Ok(Self {
            classes: buffers.classes,
            ports: ports.iter().map(|&(rate, _)| Port::new(rate)).collect(),
            leaving: vec![None; ports.len()],
            memory: Memory::new(buffers, ports),
            drops: 0,
        })
    }

    /// Queue of a packet's class.
    pub fn queue_of(&self, class: Class) -> usize {
        match self.classes {
            1 => 0,
            _ => class as usize,
        }
    }

    /// A packet comes in.
    pub fn enqueue(&mut self, now: Ps, arrival: Arrival<P>, actions: &mut Vec<Action<P>>) {
        let Arrival { from, to, packet, bytes, class } = arrival;
        let class = self.queue_of(class);
        let out = &self.ports[to as usize];
        let admission = match self.memory.is_lossless(class) {
            true => self.memory.admit_lossless(from, class, bytes.into()),
            false => {
                let backlog = out.backlog(now, class) + out.rate().time_of(bytes.into());
                self.memory.admit_lossy(bytes.into(), out.queue_bytes(class), backlog, out.rate())
            }
        };
        if admission == Admission::Full {
            self.drops += 1;
            actions.push(Action::Drop { packet });
            return;
        }
        self.ports[to as usize].push(Entry { packet, from }, bytes, class);
        self.start(now, to, actions);
        if admission == Admission::StoredAndPause {
            self.send_frame(now, from, PauseFrame { class: class as u8, is_paused: true }, actions);
        }
    }

    /// The last bit of what a port was sending has left.
    pub fn on_free(&mut self, now: Ps, port: u32, actions: &mut Vec<Action<P>>) {
        self.ports[port as usize].free();
        if let Some((from, class, bytes)) = self.leaving[port as usize].take() {
            self.memory.release(from, class, bytes.into());
        }
        self.resume(now, actions);
        self.start(now, port, actions);
    }

    /// A pause frame has come in by a port.
    pub fn on_pause(&mut self, now: Ps, port: u32, frame: PauseFrame, actions: &mut Vec<Action<P>>) {
        self.ports[port as usize].pause(now, frame);
        self.start(now, port, actions);
    }

    /// The cable of a port has failed: what waits for it is dropped.
    pub fn on_down(&mut self, now: Ps, port: u32, actions: &mut Vec<Action<P>>) {
        self.memory.forget(port);
        for (Entry { packet, from }, bytes, class) in self.ports[port as usize].clear(now) {
            self.memory.release(from, class, bytes.into());
            self.drops += 1;
            actions.push(Action::Drop { packet });
        }
        self.resume(now, actions);
    }

    /// A port has another rate for what it begins from now on; headroom stays what it was.
    pub fn set_rate(&mut self, port: u32, rate: Rate) {
        self.ports[port as usize].set_rate(rate);
    }

    /// What stands in a queue of a port, the rest of its packet that is being sent included, bytes: what
    /// marking looks at.
    pub fn backlog_bytes(&self, now: Ps, port: u32, class: Class) -> u64 {
        self.ports[port as usize].backlog_bytes(now, self.queue_of(class))
    }

    /// How often and how long a port was paused by its other end.
    pub fn paused(&self, now: Ps, port: u32) -> Paused {
        self.ports[port as usize].paused(now)
    }

    /// Most bytes that ever waited in one queue of a port.
    pub fn longest_bytes(&self, port: u32) -> u64 {
        self.ports[port as usize].longest_bytes()
    }

    /// Packets dropped.
    pub fn drops(&self) -> u64 {
        self.drops
    }

    /// What all packets here occupy, bytes, those being sent included.
    pub fn held_bytes(&self) -> u64 {
        self.memory.held()
    }

    fn resume(&mut self, now: Ps, actions: &mut Vec<Action<P>>) {
        while let Some((port, class)) = self.memory.resume() {
            self.send_frame(now, port, PauseFrame { class, is_paused: false }, actions);
        }
    }

    fn send_frame(&mut self, now: Ps, port: u32, frame: PauseFrame, actions: &mut Vec<Action<P>>) {
        self.ports[port as usize].push_frame(frame);
        self.start(now, port, actions);
    }

    fn start(&mut self, now: Ps, port: u32, actions: &mut Vec<Action<P>>) {
        let Some((sent, leaves)) = self.ports[port as usize].start(now) else { return };
        actions.push(match sent {
            Sent::Pause(frame) => Action::Pause { port, frame, leaves },
            Sent::Packet { packet: Entry { packet, from }, bytes, class } => {
                self.leaving[port as usize] = Some((from, class, bytes));
                Action::Send { port, packet, leaves }
            }
        });
    }
}
