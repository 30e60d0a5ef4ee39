//! A small world for the baselines: hosts around one switch, with loss, marks, delays that depend on the
//! source port, and dead planes.

pub mod messages;

use heddle_sim::endpoint::{Endpoint, News, Post};
use heddle_sim::packet::{Class, Host, Packet};
use heddle_sim::seed;
use heddle_sim::time::{Ps, Rate};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What the world does to packets.
#[derive(Clone, Copy, Debug)]
pub struct Weather {
    /// Of every link.
    pub rate: Rate,
    /// Of each of the two hops.
    pub delay: Ps,
    /// Chance that a packet of data is lost, and one of control.
    pub loss: [f64; 2],
    /// Longest extra delay: a source port has its own share of it, all packets of a port keep their order.
    pub skew: Ps,
    /// Marks begin, and are sure, at these queue lengths, bytes; the chance at the second before it is sure.
    pub red: Option<(u64, u64, f64)>,
    /// Bytes in the queue of a port of the switch.
    pub buffer: u64,
    /// Planes that swallow everything, one bit each.
    pub dead: u16,
    pub seed: u64,
}

impl Weather {
    /// 100 Gb/s, a microsecond per hop, nothing lost.
    pub fn fair(seed: u64) -> Self {
        Self {
            rate: Rate::new(100_000_000_000).unwrap(),
            delay: Ps::from_us(1),
            loss: [0.0; 2],
            skew: Ps::ZERO,
            red: None,
            buffer: u64::MAX >> 32,
            dead: 0,
            seed,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Switch(usize),
    Arrival(usize),
    Wake(Host),
}

/// The world.
pub struct Pipe<E: Endpoint> {
    pub now: Ps,
    pub weather: Weather,
    pub hosts: Vec<E>,
    /// (when, host, what it told).
    pub told: Vec<(Ps, Host, News)>,
    pub sent: u64,
    pub lost: u64,
    pub delivered: u64,
    pub longest_queue: u64,
    /// Message bytes that endpoints said were new.
    pub placed: u64,
    planes: u8,
    /// The next deadline that an event stands for, by host.
    wakes: Vec<Ps>,
    uplinks: Vec<Ps>,
    queues: Vec<Ps>,
    last: std::collections::HashMap<(Host, Host, u16), Ps>,
    events: BinaryHeap<Reverse<(Ps, u64, Event)>>,
    order: u64,
    flights: Vec<Option<Packet<E::Body>>>,
    free: Vec<usize>,
    rng: ChaCha8Rng,
}

impl<E: Endpoint> Pipe<E> {
    pub fn new(hosts: Vec<E>, planes: u8, weather: Weather) -> Self {
        let ports = hosts.len() * usize::from(planes);
        Self {
            now: Ps::ZERO,
            rng: seed::stream(weather.seed, "pipe", 0),
            weather,
            wakes: vec![Ps::NEVER; hosts.len()],
            hosts,
            told: Vec::new(),
            sent: 0,
            lost: 0,
            delivered: 0,
            longest_queue: 0,
            placed: 0,
            planes,
            uplinks: vec![Ps::ZERO; ports],
            queues: vec![Ps::ZERO; ports],
            last: Default::default(),
            events: BinaryHeap::new(),
            order: 0,
            flights: Vec::new(),
            free: Vec::new(),
        }
    }

    fn push(&mut self, at: Ps, event: Event) {
        self.order += 1;
        self.events.push(Reverse((at, self.order, event)));
    }

    pub fn post(&mut self, host: Host, post: &Post) {
        self.hosts[host as usize].post(self.now, post);
        self.serve(host);
    }

    pub fn set_plane(&mut self, host: Host, plane: u8, up: bool) {
        self.hosts[host as usize].set_plane(self.now, plane, up);
        self.serve(host);
    }

    /// Runs until nothing happens any more, or until `end`.
    pub fn run(&mut self, end: Ps) {
        while let Some(&Reverse((at, _, event))) = self.events.peek() {
            if at > end {
                break;
            }
            self.events.pop();
            self.now = at;
            match event {
                Event::Switch(number) => self.forward(number),
                Event::Arrival(number) => {
                    let packet = self.flights[number].take().unwrap();
                    self.free.push(number);
                    self.delivered += 1;
                    self.placed += u64::from(self.hosts[packet.dst as usize].receive(at, &packet));
                    self.serve(packet.dst);
                }
                Event::Wake(host) => self.serve(host),
            }
        }
        self.now = self.now.max(end);
        let flying = self.flights.iter().flatten().count() as u64;
        assert_eq!(self.sent, self.delivered + self.lost + flying, "packets are conserved");
    }

    fn serve(&mut self, host: Host) {
        let (now, base) = (self.now, host as usize * usize::from(self.planes));
        if self.hosts[host as usize].next_deadline(now).is_some_and(|at| at <= now) {
            self.hosts[host as usize].advance(now);
        }
        loop {
            let free = (0..self.planes).filter(|p| self.uplinks[base + usize::from(*p)] <= now);
            let ports = free.fold(0, |ports, plane| ports | 1 << plane);
            let Some(packet) = self.hosts[host as usize].transmit(now, ports) else { break };
            assert_eq!(ports >> packet.plane & 1, 1, "the port had room");
            let free_at = now + self.weather.rate.time_of(packet.bytes.into());
            self.uplinks[base + usize::from(packet.plane)] = free_at;
            self.push(free_at, Event::Wake(host));
            self.send(free_at, packet);
        }
        while let Some(news) = self.hosts[host as usize].news() {
            self.told.push((now, host, news));
        }
        let wake = &mut self.wakes[host as usize];
        if *wake <= now {
            *wake = Ps::NEVER;
        }
        if let Some(at) = self.hosts[host as usize].next_deadline(now).map(|at| at.max(now)) {
            if at < *wake {
                *wake = at;
                self.push(at, Event::Wake(host));
            }
        }
    }

    fn send(&mut self, left: Ps, packet: Packet<E::Body>) {
        self.sent += 1;
        let chance = self.weather.loss[usize::from(packet.class == Class::Control)];
        let dead = self.weather.dead >> packet.plane & 1 == 1;
        if dead || (chance > 0.0 && self.rng.gen_bool(chance)) {
            self.lost += 1;
            return;
        }
        let mut at = left + self.weather.delay;
        if self.weather.skew > Ps::ZERO {
            let share = u64::from(packet.src_port).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48;
            at = at + Ps((self.weather.skew.0 * share) >> 16);
            let last = self.last.entry((packet.src, packet.dst, packet.src_port)).or_default();
            at = at.max(*last);
            *last = at;
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.flights.push(None);
            self.flights.len() - 1
        });
        self.flights[number] = Some(packet);
        self.push(at, Event::Switch(number));
    }

    fn forward(&mut self, number: usize) {
        let now = self.now;
        let packet = self.flights[number].as_mut().unwrap();
        let port = packet.dst as usize * usize::from(self.planes) + usize::from(packet.plane);
        let start = self.queues[port].max(now);
        let backlog = self.weather.rate.bytes_in(start - now);
        if backlog + u64::from(packet.bytes) > self.weather.buffer {
            self.lost += 1;
            self.flights[number] = None;
            self.free.push(number);
            return;
        }
        self.longest_queue = self.longest_queue.max(backlog);
        if let Some((least, most, chance)) = self.weather.red.filter(|_| packet.ect) {
            let share = backlog.saturating_sub(least) as f64 / (most - least) as f64;
            packet.ce |= backlog > most || self.rng.gen_bool((share * chance).min(1.0));
        }
        let leaves = start + self.weather.rate.time_of(packet.bytes.into());
        self.queues[port] = leaves;
        self.push(leaves + self.weather.delay, Event::Arrival(number));
    }
}
