//! The receiving end: the receive path engine, the ACK triggers, placement and the ACK's route.

use crate::net::Route;
use crate::plan::{Plan, US};
use crate::truth::Tally;
use heddle_model::map::RingMap;
use heddle_model::rx::ack::AckTrigger;
use heddle_model::rx::path::{RxClass, RxOp, RxPathIn, RxPaths};
use heddle_model::{Flag, Flags, Psn, Time32};

/// A DATA packet or a PROBE on its way.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    pub path: u16,
    /// Of a PROBE: none.
    pub psn: Option<Psn>,
    /// Which packet of the transfer this is.
    pub index: u32,
    pub flags: Flags,
    pub ts: Time32,
    pub route_count: u8,
}

/// An ACK on its way.
#[derive(Clone, Copy, Debug)]
pub struct Ack {
    pub path: u16,
    pub cum: Psn,
    pub high: Psn,
    pub sack: RingMap,
    pub route_count: u8,
    pub ts: Time32,
    /// Ticks from the echoed arrival to this ACK; saturated means unknown.
    pub hold: u16,
    pub arrivals: u16,
    pub dup_count: u16,
}

pub struct Receiver {
    paths: RxPaths,
    pub trigger: AckTrigger,
    pub placed: Vec<u8>,
    /// Packets of each message still to come.
    missing: Vec<u32>,
    message: u32,
    pub ack_route: Route,
    moved_at: Option<u64>,
}

impl Receiver {
    pub fn new(plan: &Plan, first: impl Fn(u16) -> Psn) -> Self {
        let mut paths = RxPaths::new(plan.paths);
        for path in 0..plan.paths {
            paths.apply(&RxPathIn { op: RxOp::Init, path, psn: first(path), ..RxPathIn::default() });
        }
        let messages = plan.packets.div_ceil(plan.message);
        let missing = (0..messages).map(|m| plan.message.min(plan.packets - m * plan.message)).collect();
        Self {
            paths,
            trigger: AckTrigger::new(plan.paths, plan.ack),
            placed: vec![0; plan.packets as usize],
            missing,
            message: plan.message,
            ack_route: 0,
            moved_at: None,
        }
    }

    /// A packet arrives; returns the path to acknowledge now, if any.
    pub fn arrive(&mut self, packet: &Packet, now: u64, ticks: Time32, tally: &mut Tally) -> Option<u16> {
        let input = RxPathIn {
            op: if packet.psn.is_some() { RxOp::Data } else { RxOp::Probe },
            path: packet.path,
            psn: packet.psn.unwrap_or_default(),
            flags: packet.flags,
            ts: packet.ts,
            route: packet.route_count,
            now: ticks,
            ..RxPathIn::default()
        };
        let out = self.paths.apply(&input);
        let mut request = self.trigger.on_result(&out, ticks);
        match out.class {
            Some(RxClass::Accept) => {
                if self.place(packet.index, tally) {
                    request = request.or(self.trigger.demand(packet.path));
                }
            }
            Some(RxClass::OutOfWindow | RxClass::Fault) => tally.violation(format!("{:?}", out.class)),
            Some(RxClass::Duplicate) | None if packet.flags.has(Flag::Retx) => self.move_ack_route(now),
            Some(RxClass::Duplicate) | None => {}
        }
        request
    }

    /// Returns whether a message is now complete.
    fn place(&mut self, index: u32, tally: &mut Tally) -> bool {
        let placed = &mut self.placed[index as usize];
        *placed += 1;
        if *placed > 1 {
            tally.violation(format!("packet {index} placed {placed} times"));
        }
        let missing = &mut self.missing[(index / self.message) as usize];
        *missing = missing.saturating_sub(1);
        *missing == 0
    }

    /// The sender did not hear the last ACK: the next goes another way, at most once per 64 us.
    fn move_ack_route(&mut self, now: u64) {
        if self.moved_at.is_none_or(|at| now >= at + 64 * US) {
            self.moved_at = Some(now);
            self.ack_route += 1;
        }
    }

    /// The ACK of `path` as of now.
    pub fn build_ack(&mut self, path: u16, ticks: Time32) -> Ack {
        self.trigger.on_taken(path);
        let look = self.paths.apply(&RxPathIn { op: RxOp::Look, path, ..RxPathIn::default() });
        Ack {
            path,
            cum: look.cum,
            high: look.high,
            sack: look.before,
            route_count: look.route,
            ts: look.ts,
            hold: ticks.distance_from(look.at).min(u16::MAX.into()) as u16,
            arrivals: look.arrivals,
            dup_count: look.dup,
        }
    }
}
