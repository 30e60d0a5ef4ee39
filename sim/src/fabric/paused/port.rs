//! An output port: its queues, what is on the wire, and which classes are paused.

use super::{PauseFrame, CLASSES, PAUSE_BYTES};
use crate::time::{Ps, Rate};
use std::collections::VecDeque;

/// What a port has begun to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent<T> {
    /// A packet.
    Packet {
        /// Which.
        packet: T,
        /// Bytes on the wire.
        bytes: u32,
        /// Of which queue.
        class: usize,
    },
    /// A pause frame.
    Pause(PauseFrame),
}

/// How often and how long a port was paused, all classes together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paused {
    /// Times.
    pub times: u64,
    /// Time.
    pub time: Ps,
}

/// The port of a switch or of a NIC: strict priority, pause frames before everything, nothing is interrupted.
#[derive(Clone, Debug)]
pub struct Port<T> {
    rate: Rate,
    frames: VecDeque<PauseFrame>,
    queues: [VecDeque<(T, u32)>; CLASSES],
    bytes: [u64; CLASSES],
    /// How long what waits takes.
    waiting: [Ps; CLASSES],
    longest: u64,
    /// Class of what is being sent, and when it will have left; a pause frame has none.
    sending: Option<(Option<usize>, Ps)>,
    paused_since: [Option<Ps>; CLASSES],
    paused: Paused,
}

impl<T> Port<T> {
    /// An empty one.
    pub fn new(rate: Rate) -> Self {
        Self {
            rate,
            frames: VecDeque::new(),
            queues: Default::default(),
            bytes: [0; CLASSES],
            waiting: [Ps::ZERO; CLASSES],
            longest: 0,
            sending: None,
            paused_since: [None; CLASSES],
            paused: Paused::default(),
        }
    }

    /// Puts a packet into the queue of a class.
    pub fn push(&mut self, packet: T, bytes: u32, class: usize) {
        self.queues[class].push_back((packet, bytes));
        self.bytes[class] += u64::from(bytes);
        self.waiting[class] = self.waiting[class] + self.rate.time_of(bytes.into());
        self.longest = self.longest.max(self.bytes[class]);
    }

    /// Has a pause frame sent as soon as the wire is free.
    pub fn push_frame(&mut self, frame: PauseFrame) {
        self.frames.push_back(frame);
    }

    /// Begins with the next, if the wire is free and something may be sent: its last bit leaves at the time
    /// that comes back, and [`Self::free`] is to be called then.
    pub fn start(&mut self, now: Ps) -> Option<(Sent<T>, Ps)> {
        if self.sending.is_some() {
            return None;
        }
        if let Some(frame) = self.frames.pop_front() {
            let leaves = now + self.rate.time_of(PAUSE_BYTES.into());
            self.sending = Some((None, leaves));
            return Some((Sent::Pause(frame), leaves));
        }
        let may_send = |&class: &usize| self.paused_since[class].is_none() && !self.queues[class].is_empty();
        let class = (0..CLASSES).rev().find(may_send)?;
        let (packet, bytes) = self.queues[class].pop_front()?;
        let time = self.rate.time_of(bytes.into());
        self.bytes[class] -= u64::from(bytes);
        self.waiting[class] = self.waiting[class] - time;
        self.sending = Some((Some(class), now + time));
        Some((Sent::Packet { packet, bytes, class }, now + time))
    }

    /// The last bit of what was being sent has left.
    pub fn free(&mut self) {
        self.sending = None;
    }

    /// A pause frame has come.
    pub fn pause(&mut self, now: Ps, frame: PauseFrame) {
        let since = &mut self.paused_since[usize::from(frame.class)];
        match (frame.is_paused, *since) {
            (true, None) => {
                *since = Some(now);
                self.paused.times += 1;
            }
            (false, Some(then)) => {
                *since = None;
                self.paused.time = self.paused.time + (now - then);
            }
            _ => {}
        }
    }

    /// Whether a class is paused.
    pub fn is_paused(&self, class: usize) -> bool {
        self.paused_since[class].is_some()
    }

    /// How often and how long it was paused until now.
    pub fn paused(&self, now: Ps) -> Paused {
        let open = self.paused_since.iter().flatten().map(|since| (now - *since).0).sum();
        Paused { time: self.paused.time + Ps(open), ..self.paused }
    }

    /// What waits in the queue of a class, bytes; not what is being sent.
    pub fn queue_bytes(&self, class: usize) -> u64 {
        self.bytes[class]
    }

    /// Most bytes that ever waited in one of its queues.
    pub fn longest_bytes(&self) -> u64 {
        self.longest
    }

    /// How long what waits in the queue of a class and the rest of its packet that is being sent take.
    pub fn backlog(&self, now: Ps, class: usize) -> Ps {
        match self.sending {
            Some((Some(sending), leaves)) if sending == class => {
                self.waiting[class] + (leaves.max(now) - now)
            }
            _ => self.waiting[class],
        }
    }

    /// The same in bytes.
    pub fn backlog_bytes(&self, now: Ps, class: usize) -> u64 {
        self.rate.bytes_in(self.backlog(now, class))
    }

    /// Its rate.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// Whatever begins from now on is sent at this rate.
    pub fn set_rate(&mut self, rate: Rate) {
        self.rate = rate;
        for (queue, waiting) in self.queues.iter().zip(&mut self.waiting) {
            *waiting = Ps(queue.iter().map(|(_, bytes)| rate.time_of(u64::from(*bytes)).0).sum());
        }
    }

    /// Its link has failed: takes out all that waits, and forgets that it was paused. What is being sent
    /// still ends in time.
    pub fn clear(&mut self, now: Ps) -> Vec<(T, u32, usize)> {
        self.frames.clear();
        let mut out = Vec::new();
        for class in 0..CLASSES {
            self.pause(now, PauseFrame { class: class as u8, is_paused: false });
            (self.bytes[class], self.waiting[class]) = (0, Ps::ZERO);
            out.extend(self.queues[class].drain(..).map(|(packet, bytes)| (packet, bytes, class)));
        }
        out
    }
}
