//! Refusals and RESETs on their way out, and the planes that they leave on.
//!
//! A NAK travels as the connection's ACKs do, a RESET too, and its answer also on the plane that the RESET came in on. What may have been
//! lost before (RETX), and the first RESET of a connection that suspects a plane, goes out on every plane that is up. A core without
//! routes knows of no planes: there each leaves on its path's route.

use super::{Cause, Core, Departing, Line};
use crate::tx::framer::{Route, Stranger};
use heddle_wire::{Body, Flag, Flags, Packet, Psn, Time32};
use std::collections::VecDeque;

/// A RESET that is to leave, 16 + 8 + 5 + 1 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Farewell {
    pub(super) conn: u16,
    /// The path that it names.
    pub(super) local: u8,
    /// It answers a RESET that came in on this plane.
    pub(super) answers: Option<u8>,
    /// On every plane.
    pub(super) wide: bool,
}

/// A frame and where it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parting {
    conn: u16,
    route: Route,
    packet: Packet<&'static [u8]>,
    cause: Cause,
}

/// RESETs that wait, at most two per connection, and the copies of the frame that left last.
#[derive(Clone, Debug, Default)]
pub(super) struct Farewells {
    waiting: VecDeque<Farewell>,
    copies: VecDeque<Parting>,
}

impl Farewells {
    /// Whether an answer to a RESET of this connection is still to leave, or a copy of anything.
    pub(super) fn speaks(&self, conn: u16) -> bool {
        let answers = |farewell: &Farewell| farewell.conn == conn && farewell.answers.is_some();
        self.waiting.iter().any(answers) || self.copies.iter().any(|parting| parting.conn == conn)
    }

    /// A RESET is to leave.
    pub(super) fn reset(&mut self, farewell: Farewell) {
        self.waiting.push_back(farewell);
    }

    /// A RESET is to be answered. One answer waits per connection, to the newest; on every plane, if any of them asks for that.
    // REQ-CONN-9
    pub(super) fn answer(&mut self, farewell: Farewell) {
        let mut answers = self.waiting.iter_mut().filter(|waiting| waiting.answers.is_some());
        match answers.find(|waiting| waiting.conn == farewell.conn) {
            Some(waiting) => *waiting = Farewell { wide: farewell.wide | waiting.wide, ..farewell },
            None => self.waiting.push_back(farewell),
        }
    }

    /// The connection's own RESETs leave no more; answers do.
    pub(super) fn over(&mut self, conn: u16) {
        let answers = |parting: &Parting| parting.packet.flags.has(Flag::Response);
        self.waiting.retain(|farewell| farewell.conn != conn || farewell.answers.is_some());
        self.copies.retain(|parting| parting.conn != conn || answers(parting));
    }

    /// The connection ends: what was refused of it is not told any more.
    pub(super) fn clear_copies(&mut self, conn: u16) {
        self.copies.retain(|parting| parting.conn != conn);
    }
}

impl Core {
    /// What goes before everything else: copies, RESETs, then refusals.
    pub(super) fn transmit_life(&mut self, line: &mut impl Line) -> Option<Departing> {
        if let Some(parting) = self.life.farewells.copies.pop_front() {
            return self.part(&parting, line);
        }
        let (paths, all) = (self.config.paths as u16, u16::MAX);
        if let Some(Farewell { conn, local, answers, wide }) = self.life.farewells.waiting.pop_front() {
            let local = u16::from(local) % paths;
            let route = self.control_route(conn * paths + local);
            let packet = reset(local as u8, answers.is_some(), wide);
            let planes = if wide { all } else { answers.map_or(0, bit) };
            return self.part_on(planes, Parting { conn, route, packet, cause: Cause::Reset }, line);
        }
        if let Some((path, packet, again)) = self.life.naks.take(self.config.paths) {
            let (conn, route) = (path / paths, self.control_route(path));
            let planes = if again { all } else { 0 };
            return self.part_on(planes, Parting { conn, route, packet, cause: Cause::Nak }, line);
        }
        let stranger = self.life.strangers.pop_front()?;
        self.counters.naks_sent += 1;
        let Stranger { plane, frame } = stranger;
        line.put(&frame).ok().map(|bytes| Departing { plane, cause: Cause::Nak, bytes })
    }

    /// The route of ACKs; the path's in a core without routes.
    // REQ-CONN-10
    fn control_route(&self, path: u16) -> Route {
        let conn = path / self.config.paths as u16;
        let own = self.rerouting.as_ref().map(|rerouting| rerouting.ack_routes.route(conn));
        own.unwrap_or_else(|| self.framer.route(path))
    }

    /// One frame, and its copies on these planes, one bit each, as far as they are up.
    // REQ-CONN-10
    fn part_on(&mut self, planes: u16, parting: Parting, line: &mut impl Line) -> Option<Departing> {
        if let Some(rerouting) = &self.rerouting {
            let others = rerouting.ack_routes.others(parting.conn).filter(|&plane| planes & bit(plane) != 0);
            let on = |plane| Parting { route: Route { plane, ..parting.route }, ..parting };
            self.life.farewells.copies.extend(others.map(on));
        }
        self.part(&parting, line)
    }

    fn part(&mut self, parting: &Parting, line: &mut impl Line) -> Option<Departing> {
        match parting.cause {
            Cause::Reset => self.counters.resets_sent += 1,
            _ => self.counters.naks_sent += 1,
        }
        self.frame_on(parting.route, parting.conn, parting.packet, parting.cause, line)
    }
}

/// One plane as a map.
fn bit(plane: u8) -> u16 {
    1u16.checked_shl(plane.into()).unwrap_or(0)
}

fn reset(path: u8, answer: bool, again: bool) -> Packet<&'static [u8]> {
    let flag = |flags: Flags, flag, set| if set { flags.with(flag) } else { flags };
    Packet {
        flags: flag(flag(Flags::NONE, Flag::Response, answer), Flag::Retx, again && !answer),
        path,
        dst_conn: 0,
        tag: 0,
        route: 0,
        psn: Psn::new(0),
        timestamp: Time32::new(0),
        body: Body::Reset,
    }
}
