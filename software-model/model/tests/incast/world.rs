//! Many senders, each with a port of its own, one switch queue, one receiver: whole cores, 100 Gb/s, a base round trip of 10.3 to 10.9 us.

use crate::frames::{is_ack, is_data, is_markable, lie, mark, path_of};
use crate::hosts::{address_of, Sink, Source};
use crate::plan::{cores, request, sender_of, tick, Message, Plan, SLICE, US};
use heddle_model::core::Core;
use heddle_model::lfsr::Lfsr;
use heddle_wire::Status;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Intervals of the measurement, about a round trip.
pub const INTERVAL: u64 = 10 * US;
/// How often the hints of all are looked at, from the last start on, and for how long.
pub const LOOK: u64 = US / 2;
const LOOKED_AT: u64 = 30 * INTERVAL;
/// A byte at 100 Gb/s takes this many ps.
const BYTE: u64 = 80;
/// FCS, preamble and gap.
const MAC_BYTES: u64 = 24;
/// One way, up to 1/16 more by route.
const PROPAGATION: u64 = 4_800_000;
/// A core is asked again at multiples of its tick.
const TICK: u64 = 8_000;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A message is handed in.
    Message(usize),
    /// A core's port is free, or a deadline has come. The receiver is the last.
    Wake(usize),
    /// A frame reaches the switch.
    Switch(Vec<u8>),
    /// A frame reaches the receiver.
    Arrival(Vec<u8>),
    /// A frame reaches a sender.
    Answer(usize, Vec<u8>),
    /// An interval ends.
    Interval,
    /// The hints of all senders are looked at.
    Look,
}

struct Host {
    core: Core,
    port_free: u64,
    /// The earliest wake-up that is on its way.
    wake: u64,
}

/// What was seen.
#[derive(Default)]
pub struct Seen {
    /// The least and the greatest hint of all senders at each look; 0 of one without a hint.
    pub hints: Vec<(u64, u64)>,
    /// Frames that the switch dropped, and marked.
    pub drops: u64,
    pub marks: u64,
    /// Most bytes in the switch, in each interval.
    pub queue: Vec<u64>,
    /// When each message was completed, in ps.
    pub completed: Vec<Option<u64>>,
    /// When sender 0 sent its DATA packets, in ps.
    pub sent: Vec<u64>,
}

/// All of it.
pub struct World {
    plan: Plan,
    hosts: Vec<Host>,
    pub sink: Sink,
    pub seen: Seen,
    events: BinaryHeap<Reverse<(u64, u64, Event)>>,
    numbered: u64,
    now: u64,
    /// When the switch has sent all that it holds.
    busy_until: u64,
    /// Bytes handed in, by sender.
    submitted: Vec<u64>,
    rng: ChaCha8Rng,
}

impl World {
    /// Nothing has happened yet.
    pub fn new(plan: Plan) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(plan.seed ^ 0x1CA5);
        let host = |core| Host { core, port_free: 0, wake: u64::MAX };
        let hosts = cores(&plan, &mut rng).into_iter().map(host).collect();
        let completed = vec![None; plan.messages.len()];
        let mut world = Self {
            hosts,
            sink: Sink::new(plan.senders),
            seen: Seen { completed, ..Seen::default() },
            events: BinaryHeap::new(),
            numbered: 0,
            now: 0,
            busy_until: 0,
            submitted: vec![0; plan.senders],
            rng,
            plan,
        };
        for n in 0..world.plan.messages.len() {
            world.push(world.plan.messages[n].at, Event::Message(n));
        }
        world.push(INTERVAL, Event::Interval);
        world.push(world.plan.last_start() + LOOK, Event::Look);
        world
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The receiver can take so many bytes in 10 us from now on.
    pub fn set_capacity(&mut self, bytes: u32) {
        self.hosts[self.plan.senders].core.set_capacity(bytes).expect("a capacity that can be");
    }

    /// The core of a sender; the receiver's behind the last.
    pub fn core(&self, host: usize) -> &Core {
        &self.hosts[host].core
    }

    fn push(&mut self, at: u64, event: Event) {
        self.numbered += 1;
        self.events.push(Reverse((at, self.numbered, event)));
    }

    /// Runs until a time, or until every message is completed: whether they are.
    pub fn run(&mut self, until: u64) -> bool {
        let mut left = self.seen.completed.iter().filter(|at| at.is_none()).count();
        while left > 0 && self.events.peek().is_some_and(|Reverse((at, ..))| *at <= until) {
            let Some(Reverse((at, _, event))) = self.events.pop() else { break };
            self.now = at;
            left -= self.handle(event);
        }
        left == 0
    }

    /// Handles one event; the number of messages that it completed.
    fn handle(&mut self, event: Event) -> usize {
        let (now, receiver) = (tick(self.now), self.plan.senders);
        match event {
            Event::Message(n) => {
                let host = self.submit(n);
                return self.turn(host);
            }
            // An earlier one has taken its place.
            Event::Wake(host) if self.hosts[host].wake != self.now => return 0,
            Event::Wake(host) => {
                self.hosts[host].wake = u64::MAX;
                return self.turn(host);
            }
            Event::Arrival(frame) => {
                let plane = path_of(&frame) % self.plan.planes;
                self.hosts[receiver].core.receive_on(now, plane, &frame, &mut self.sink);
                return self.turn(receiver);
            }
            Event::Answer(n, frame) => {
                self.hosts[n].core.receive(now, &frame, &mut Source);
                return self.turn(n);
            }
            Event::Switch(frame) => self.switch(frame),
            Event::Interval => {
                self.sink.interval = (self.now / INTERVAL) as usize;
                self.push(self.now + INTERVAL, Event::Interval);
            }
            Event::Look => self.look(),
        }
        0
    }

    /// Hands a message in; the host that took it.
    fn submit(&mut self, number: usize) -> usize {
        let message @ Message { sender, packets, read, .. } = self.plan.messages[number];
        let request = request(number, &message, address_of(sender) + self.submitted[sender]);
        self.submitted[sender] += packets * SLICE;
        let host = if read { self.plan.senders } else { sender };
        let core = &mut self.hosts[host].core;
        assert!(core.accepts(&request), "host {host} has no slot for message {number}");
        core.submit(request);
        host
    }

    /// A core does what is due, and sends a frame if its port is free; the number of messages that it completed.
    fn turn(&mut self, host: usize) -> usize {
        let (now, at) = (tick(self.now), self.now);
        let is_receiver = host == self.plan.senders;
        let this = &mut self.hosts[host];
        this.core.advance(now);
        let frame = match (this.port_free <= at, is_receiver) {
            (true, true) => this.core.transmit(now, &mut self.sink),
            (true, false) => this.core.transmit(now, &mut Source),
            (false, _) => None,
        };
        let mut completed = 0;
        while let Some(completion) = this.core.completion() {
            assert_eq!(completion.status, Status::Success);
            self.seen.completed[completion.wr_id as usize] = Some(at);
            completed += 1;
        }
        if let Some(outgoing) = frame {
            self.depart(host, outgoing.bytes);
        }
        self.wake(host);
        completed
    }

    /// The host's next turn: at its deadline, and when its port is free.
    fn wake(&mut self, host: usize) {
        let now = tick(self.now);
        let this = &mut self.hosts[host];
        let deadline = this.core.next_deadline().map(|due| {
            let ticks = if due.is_ahead(now) { due.distance_from(now) } else { 1 };
            (self.now / TICK + u64::from(ticks)) * TICK
        });
        let free = Some(this.port_free).filter(|free| *free > self.now);
        if let Some(next) = deadline.into_iter().chain(free).min().filter(|next| *next < this.wake) {
            this.wake = next;
            self.push(next, Event::Wake(host));
        }
    }

    fn depart(&mut self, host: usize, frame: Vec<u8>) {
        let byte = self.plan.slow.filter(|slow| slow.0 == host).map_or(BYTE, |slow| slow.1);
        let sent = self.now + (frame.len() as u64 + MAC_BYTES) * byte;
        self.hosts[host].port_free = sent;
        if host == 0 && is_data(&frame) {
            self.seen.sent.push(self.now);
        }
        if host < self.plan.senders {
            if !self.rng.gen_bool(self.plan.loss.0) {
                self.push(sent + delay(host, &frame), Event::Switch(frame));
            }
            return;
        }
        let to = sender_of(&frame);
        let at = sent + delay(to, &frame);
        let lies = self.plan.lie.filter(|&(_, share)| is_ack(&frame) && self.rng.gen_bool(share));
        let frame = lies.map(|(what, _)| lie(&frame, what, &mut self.rng)).unwrap_or(frame);
        if !self.rng.gen_bool(self.plan.loss.1) {
            self.push(at, Event::Answer(to, frame));
        }
    }

    /// The switch drops beyond its buffer, marks beyond its threshold, and sends at 100 Gb/s.
    fn switch(&mut self, mut frame: Vec<u8>) {
        let bytes = frame.len() as u64 + MAC_BYTES;
        let queued = self.busy_until.saturating_sub(self.now) / BYTE;
        let interval = (self.now / INTERVAL) as usize;
        self.seen.queue.resize(self.seen.queue.len().max(interval + 1), 0);
        self.seen.queue[interval] = self.seen.queue[interval].max(queued);
        if queued + bytes > self.plan.buffer {
            self.seen.drops += 1;
            return;
        }
        if queued > self.plan.ecn && is_markable(&frame) {
            self.seen.marks += 1;
            mark(&mut frame);
        }
        self.busy_until = self.busy_until.max(self.now) + bytes * BYTE;
        self.push(self.busy_until, Event::Arrival(frame));
    }

    fn look(&mut self) {
        let now = tick(self.now);
        let senders = &mut self.hosts[..self.plan.senders];
        let hints = senders.iter_mut().map(|sender| {
            sender.core.advance(now);
            sender.core.hinted(0).unwrap_or(0)
        });
        let range = hints.fold((u64::MAX, 0), |(least, most), hint| (hint.min(least), hint.max(most)));
        self.seen.hints.push(range);
        if self.now < self.plan.last_start() + LOOKED_AT {
            self.push(self.now + LOOK, Event::Look);
        }
    }
}

/// The way from or to sender `n`: the source port chooses the route.
fn delay(n: usize, frame: &[u8]) -> u64 {
    let mut hash = Lfsr::new((n as u32 + 1) << 8 | u32::from(frame[35]));
    (0..40).for_each(|_| _ = hash.next16());
    PROPAGATION + ((PROPAGATION / 16 * u64::from(hash.next16())) >> 16)
}
