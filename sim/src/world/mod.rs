//! A run: hosts with their endpoints, the fabric between them, and the messages that they move.

mod host;
mod record;

pub use record::Watch;

use crate::endpoint::{Endpoint, News, Post};
use crate::events::Events;
use crate::fabric::background::Background;
use crate::fabric::fault::{Faults, Step};
use crate::fabric::topology::{Link, Node};
use crate::fabric::{Fabric, Happening, Told};
use crate::outcome::Outcome;
use crate::packet::Host;
use crate::time::Ps;
use crate::traffic::Schedule;
use host::HostPort;
use record::Record;

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// Something that the fabric waits for.
    Fabric(Happening),
    /// A host looks after its endpoint.
    Host(Host),
    /// A message starts.
    Start(u32),
    /// An interval of the series ends.
    Interval,
    /// Something fails, or is repaired.
    Fault,
    /// A source of background traffic sends.
    Background(u32),
}

/// Hosts, fabric and messages.
#[derive(Debug)]
pub struct World<E: Endpoint> {
    now: Ps,
    events: Events<Event>,
    fabric: Fabric<E::Body>,
    hosts: Vec<HostPort<E>>,
    schedule: Schedule,
    faults: Faults,
    background: Background,
    record: Record,
    taken: u64,
}

impl<E: Endpoint> World<E> {
    /// Everything at rest, at time 0. One endpoint for each host of the fabric.
    ///
    /// # Panics
    /// If there are more or fewer.
    pub fn new(
        fabric: Fabric<E::Body>,
        endpoints: Vec<E>,
        schedule: Schedule,
        faults: Faults,
        mut background: Background,
        watch: Watch,
    ) -> Self {
        assert_eq!(endpoints.len(), fabric.topology().hosts as usize, "one endpoint for each host");
        let mut events = Events::default();
        for message in schedule.roots() {
            events.push(schedule.start(message, Ps::ZERO), Event::Start(message));
        }
        if let Some(at) = faults.next_at() {
            events.push(at, Event::Fault);
        }
        for source in 0..background.len() {
            events.push(background.first(source), Event::Background(source));
        }
        if let Some(interval) = watch.interval {
            events.push(interval, Event::Interval);
        }
        let planes = fabric.topology().planes;
        let record = Record::new(watch, schedule.messages().len(), planes);
        let hosts = endpoints.into_iter().map(|endpoint| HostPort::new(endpoint, planes)).collect();
        Self { now: Ps::ZERO, events, fabric, hosts, schedule, faults, background, record, taken: 0 }
    }

    /// Runs until every message is delivered or has failed, until nothing happens any more (with background traffic something
    /// always does), or until `end`.
    pub fn run(&mut self, end: Ps) {
        while !self.record.is_over() {
            let Some((now, event)) = self.events.pop() else { return };
            if now > end {
                return;
            }
            self.now = now;
            self.taken += 1;
            if let Some(Event::Fabric(next)) = self.events.upcoming() {
                self.fabric.expect(next);
            }
            match event {
                Event::Fabric(happening) => self.happen(happening),
                Event::Host(host) => {
                    if self.hosts[host as usize].wakes(now) {
                        self.serve(host);
                    }
                }
                Event::Start(message) => self.start(message),
                Event::Interval => self.interval(),
                Event::Fault => self.fail(),
                Event::Background(source) => self.disturb(source),
            }
        }
    }

    fn happen(&mut self, happening: Happening) {
        match self.fabric.happen(self.now, happening, &mut self.events, Event::Fabric) {
            Told::Nothing => {}
            Told::Room(host, plane) => {
                if self.hosts[host as usize].waits_for(plane) {
                    self.serve(host);
                }
            }
            Told::Packet(host, packet) => {
                let new = self.hosts[host as usize].endpoint.receive(self.now, &packet);
                self.record.packet(packet.plane, new);
                self.serve(host);
            }
        }
    }

    fn start(&mut self, number: u32) {
        let message = &self.schedule.messages()[number as usize];
        let post = Post {
            id: number,
            peer: message.peer,
            connection: message.connection,
            verb: message.verb,
            bytes: message.bytes,
        };
        let host = message.host;
        self.record.started(number, self.now);
        self.hosts[host as usize].endpoint.post(self.now, &post);
        self.serve(host);
    }

    /// The endpoint sends what it can, tells what it has to tell, and is looked after again when it must be.
    fn serve(&mut self, number: Host) {
        let (now, host) = (self.now, &mut self.hosts[number as usize]);
        host.advance(now);
        let mut ports = host.ports(now, number, &self.fabric);
        while ports.open != 0 {
            let Some(packet) = host.endpoint.transmit(now, ports.open) else { break };
            self.fabric.send(now, packet, &mut self.events, Event::Fabric);
            ports = host.ports(now, number, &self.fabric);
        }
        while let Some(news) = host.endpoint.news() {
            match news {
                News::Delivered(message) => {
                    self.record.delivered(message, now, self.schedule.messages()[message as usize].bytes);
                    let events = &mut self.events;
                    self.schedule.delivered(message, |next| events.push(now, Event::Start(next)));
                }
                News::Completed(_) => {}
                News::Failed(message) => self.record.failed(message),
            }
        }
        if let Some(at) = host.rest(now, ports) {
            self.events.push(at, Event::Host(number));
        }
    }

    /// The next step of the faults. A host learns of its own cable at once.
    fn fail(&mut self) {
        let Some(step) = self.faults.step(self.fabric.topology()) else { return };
        self.fabric.fail(self.now, &step, self.faults.up(), &mut self.events, Event::Fabric);
        if let Step::Links { down, up } = &step {
            for (links, is_up) in [(down, false), (up, true)] {
                for &link in links {
                    let Link { from, plane, .. } = self.fabric.topology().links[link as usize];
                    if let Node::Host(host) = from {
                        self.hosts[host as usize].endpoint.set_plane(self.now, plane, is_up);
                        self.serve(host);
                    }
                }
            }
        }
        if let Some(at) = self.faults.next_at() {
            self.events.push(at, Event::Fault);
        }
    }

    /// A source sends its next packet, whatever its port thinks of it.
    fn disturb(&mut self, source: u32) {
        let (packet, gap) = self.background.next(source);
        self.fabric.send_background(self.now, packet, &mut self.events, Event::Fabric);
        self.events.push(self.now + gap, Event::Background(source));
    }

    fn interval(&mut self) {
        let rates =
            self.record.senders().iter().map(|&(host, peer)| {
                self.hosts[host as usize].endpoint.allowed_bps(self.now, peer).unwrap_or(0)
            });
        let rates = rates.collect();
        self.record.interval(rates, self.fabric.take_longest());
        if let Some(interval) = self.record.interval_length() {
            self.events.push(self.now + interval, Event::Interval);
        }
    }

    /// Runs, as [`Self::run`], and tells what is known then.
    pub fn run_to(&mut self, end: Ps) -> Outcome {
        self.run(end);
        self.outcome()
    }

    /// What is known now.
    pub fn outcome(&self) -> Outcome {
        let mut outcome = self.record.outcome();
        self.fabric.tell(self.now, &mut outcome);
        for host in &self.hosts {
            outcome.transport.add(&host.endpoint.counters());
        }
        outcome.events = self.taken;
        outcome
    }

    /// A host's endpoint.
    ///
    /// # Panics
    /// If there is no such host.
    pub fn endpoint_mut(&mut self, host: Host) -> &mut E {
        &mut self.hosts[host as usize].endpoint
    }

    /// What lies between the hosts.
    pub fn fabric(&self) -> &Fabric<E::Body> {
        &self.fabric
    }

    /// Keeps from now on what becomes of the packets between two hosts: [`Fabric::histories`].
    pub fn follow(&mut self, between: [Host; 2]) {
        self.fabric.follow(between);
    }

    /// When it is.
    pub fn now(&self) -> Ps {
        self.now
    }
}
