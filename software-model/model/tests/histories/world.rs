//! Discrete events: ports, arrivals, ACKs, deadlines and timers.

use crate::net::{Kind, Net};
use crate::plan::{Plan, TICK, US};
use crate::receiver::{Ack, Packet, Receiver};
use crate::sender::Sender;
use crate::truth::Tally;
use heddle_model::{Psn, Time32};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A transfer that takes longer is taken for a deadlock. Half the ring of the timestamps is 17 s.
const TOO_LONG: u64 = 16_000_000 * US;

enum Event {
    PortFree { plane: u32 },
    Arrive(Packet),
    AckArrive(Ack),
    AckDeadline,
    Timer { path: usize },
    ChangeRoute { path: usize },
    GiveUpOldRoute { path: usize },
}

struct Scheduled {
    at: u64,
    /// Events of one moment happen in the order in which they were scheduled.
    number: u64,
    event: Event,
}

impl Ord for Scheduled {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

impl PartialOrd for Scheduled {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scheduled {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Scheduled {}

struct World {
    plan: Plan,
    net: Net,
    sender: Sender,
    receiver: Receiver,
    rng: ChaCha8Rng,
    tally: Tally,
    events: BinaryHeap<Scheduled>,
    scheduled: u64,
    now: u64,
    port_busy: Vec<bool>,
    /// The one event that looks at each path's timer.
    timer_event: Vec<Option<u64>>,
    ack_deadline_event: Option<u64>,
}

/// Runs one history to its end.
pub fn run(plan: &Plan) -> Tally {
    let mut rng = ChaCha8Rng::seed_from_u64(plan.seed ^ 0x776f_726c_6400_0000);
    let firsts: Vec<Psn> =
        (0..plan.paths).map(|_| Psn::new(0).minus(rng.gen_range(0..=plan.psns_before_wrap))).collect();
    let first = |path: u16| firsts[usize::from(path)];
    let mut world = World {
        net: Net::new(plan),
        sender: Sender::new(plan, first, sender_clock(plan, 0)),
        receiver: Receiver::new(plan, first),
        rng,
        tally: Tally::default(),
        events: BinaryHeap::new(),
        scheduled: 0,
        now: 0,
        port_busy: vec![false; plan.planes as usize],
        timer_event: vec![None; plan.paths.into()],
        ack_deadline_event: None,
        plan: plan.clone(),
    };
    world.run();
    world.tally
}

fn sender_clock(plan: &Plan, now: u64) -> Time32 {
    Time32::new((now / TICK) as u32).minus(plan.ticks_before_wrap)
}

/// The two ends' clocks have nothing to do with each other.
fn receiver_clock(plan: &Plan, now: u64) -> Time32 {
    sender_clock(plan, now).plus(plan.seed as u32)
}

impl World {
    fn schedule(&mut self, at: u64, event: Event) {
        self.scheduled += 1;
        self.events.push(Scheduled { at, number: self.scheduled, event });
    }

    /// The first moment at which a clock that now shows `clock` shows `deadline`.
    fn moment(&self, deadline: Time32, clock: Time32) -> u64 {
        let ahead = if deadline.is_ahead(clock) { deadline.distance_from(clock) } else { 0 };
        (self.now / TICK + u64::from(ahead)) * TICK
    }

    fn run(&mut self) {
        for path in 0..self.timer_event.len() {
            self.schedule_route_change(path);
        }
        self.feed_ports();
        while let Some(next) = self.events.pop() {
            if next.at > TOO_LONG {
                break;
            }
            self.now = self.now.max(next.at);
            self.happen(next.event);
            if self.sender.is_done() {
                self.tally.done_at = self.now;
                break;
            }
        }
        if !self.sender.is_done() {
            self.tally
                .violation(format!("deadlock: {} of {} acknowledged", self.sender.acked, self.plan.packets));
            return;
        }
        self.sender.check_empty(&mut self.tally);
        if let Some(index) = self.receiver.placed.iter().position(|placed| *placed != 1) {
            self.tally.violation(format!("packet {index} placed {} times", self.receiver.placed[index]));
        }
    }

    fn happen(&mut self, event: Event) {
        let ticks = sender_clock(&self.plan, self.now);
        match event {
            Event::PortFree { plane } => {
                self.port_busy[plane as usize] = false;
                self.feed_port(plane);
            }
            Event::Arrive(packet) => self.arrive(&packet),
            Event::AckArrive(ack) => {
                self.sender.on_ack(&ack, self.now, ticks, &mut self.tally);
                self.watch_timer(ack.path.into());
                self.feed_ports();
            }
            Event::AckDeadline => self.ack_deadline(),
            Event::Timer { path } => {
                self.timer_event[path] = None;
                self.sender.scan(path, self.now, ticks, &mut self.tally);
                self.watch_timer(path);
                self.feed_ports();
            }
            Event::ChangeRoute { path } => {
                match self.sender.change_route(path, ticks, &mut self.tally) {
                    Some(wait) => self.schedule(self.now + wait, Event::GiveUpOldRoute { path }),
                    None => self.schedule_route_change(path),
                }
                self.feed_ports();
            }
            Event::GiveUpOldRoute { path } => {
                self.sender.give_up_old_route(path, ticks, &mut self.tally);
                self.schedule_route_change(path);
                self.feed_ports();
            }
        }
    }

    fn schedule_route_change(&mut self, path: usize) {
        if let Some(mean) = self.plan.voluntary_every {
            let at = self.now + self.rng.gen_range(0..2 * mean);
            self.schedule(at, Event::ChangeRoute { path });
        }
    }

    fn feed_ports(&mut self) {
        for plane in 0..self.plan.planes {
            self.feed_port(plane);
        }
    }

    fn feed_port(&mut self, plane: u32) {
        if self.port_busy[plane as usize] {
            return;
        }
        let ticks = sender_clock(&self.plan, self.now);
        let Some((packet, route)) = self.sender.next(plane, ticks, &mut self.tally) else { return };
        self.port_busy[plane as usize] = true;
        self.schedule(self.now + self.net.serialisation(), Event::PortFree { plane });
        let arrivals = self.net.send(Kind::Data, route, self.now);
        self.sender.left(&packet, arrivals.is_empty(), &mut self.tally);
        for at in arrivals {
            self.schedule(at, Event::Arrive(packet));
        }
        self.watch_timer(packet.path.into());
    }

    fn arrive(&mut self, packet: &Packet) {
        let ticks = receiver_clock(&self.plan, self.now);
        if let Some(path) = self.receiver.arrive(packet, self.now, ticks, &mut self.tally) {
            self.send_ack(path, ticks);
        }
        self.watch_ack_deadline(ticks);
    }

    fn ack_deadline(&mut self) {
        self.ack_deadline_event = None;
        let ticks = receiver_clock(&self.plan, self.now);
        while self.receiver.trigger.next_deadline().is_some_and(|deadline| !deadline.is_ahead(ticks)) {
            if let Some(path) = self.receiver.trigger.on_tick(ticks) {
                self.send_ack(path, ticks);
            }
        }
        self.watch_ack_deadline(ticks);
    }

    fn watch_ack_deadline(&mut self, ticks: Time32) {
        if let (Some(deadline), None) = (self.receiver.trigger.next_deadline(), self.ack_deadline_event) {
            let at = self.moment(deadline, ticks);
            self.ack_deadline_event = Some(at);
            self.schedule(at, Event::AckDeadline);
        }
    }

    fn send_ack(&mut self, path: u16, ticks: Time32) {
        self.tally.acks += 1;
        let ack = self.receiver.build_ack(path, ticks);
        for at in self.net.send(Kind::Ack, self.receiver.ack_route, self.now) {
            self.schedule(at, Event::AckArrive(ack));
        }
    }

    fn watch_timer(&mut self, path: usize) {
        let Some(deadline) = self.sender.deadline(path) else { return };
        let at = self.moment(deadline, sender_clock(&self.plan, self.now));
        if self.timer_event[path].is_none_or(|event| event > at) {
            self.timer_event[path] = Some(at);
            self.schedule(at, Event::Timer { path });
        }
    }
}
