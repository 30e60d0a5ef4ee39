//! Tests of planes in the core: a PROBE with PLANE_TEST, and the ACK that answers it.
//!
//! The test names its plane in `route`, as it is no packet of a path; the answer echoes it with the
//! timestamp, and travels on the connection's ACK route.

use super::timers::Timer;
use super::transmit::wire_packet;
use super::{Cause, Core, Departing, Line};
use crate::rx::path::{RxOp, RxPathIn};
use crate::tx::framer::Route;
use crate::tx::route::{port, FIRST_PORT};
use heddle_wire::header::VERSION;
use heddle_wire::{Body, Common, DropReason, Flag, Flags, PacketType, Probe, Psn, Time32};
use std::collections::VecDeque;

/// Answers that wait at most; beyond them a test goes unanswered, and is sent again by its peer.
const ANSWERS: usize = 64;

/// A test that was received, 97 bits.
#[derive(Clone, Copy, Debug)]
struct Received {
    path: u16,
    plane: u8,
    timestamp: Time32,
    at: Time32,
}

/// What is to be sent.
#[derive(Clone, Debug, Default)]
pub(super) struct PlaneTests {
    /// Connection and plane.
    due: VecDeque<(u16, u8)>,
    answers: VecDeque<Received>,
}

impl PlaneTests {
    /// Nothing of a connection is sent any more.
    pub(super) fn clear(&mut self, conn: u16, paths: u16) {
        self.due.retain(|&(of, _)| of != conn);
        self.answers.retain(|received| received.path / paths != conn);
    }
}

impl Core {
    /// A PROBE with PLANE_TEST: no arrival of its path.
    // REQ-ROUTE-4
    pub(super) fn receive_test(&mut self, path: u16, common: &Common, now: Time32) {
        let Some(rerouting) = &mut self.rerouting else { return };
        self.counters.probes_received += 1;
        let answers = &mut rerouting.tests.answers;
        match answers.len() < ANSWERS {
            true => {
                let (plane, timestamp) = (common.route, common.timestamp);
                answers.push_back(Received { path, plane, timestamp, at: now });
            }
            false => self.counters.tests_unanswered += 1,
        }
    }

    /// An ACK with PLANE_TEST: nothing in it but its echo counts.
    // REQ-ROUTE-4
    pub(super) fn receive_test_answer(&mut self, conn: u16, common: &Common) -> Result<(), DropReason> {
        let routes = self.rerouting.as_mut().map(|rerouting| &mut rerouting.routes);
        match routes.is_some_and(|routes| routes.on_test_answer(conn, common.route, common.timestamp)) {
            true => {
                self.tell_suspects(conn);
                self.counters.acks_received += 1;
                Ok(())
            }
            false => Err(DropReason::AckPlaneTest),
        }
    }

    /// A connection may have planes to test.
    pub(super) fn test_timer(&mut self, conn: u16, now: Time32) {
        let Some(rerouting) = &mut self.rerouting else { return };
        while let Some(plane) = rerouting.routes.test(conn, now) {
            rerouting.tests.due.push_back((conn, plane));
        }
        self.arm_tests(conn);
    }

    pub(super) fn arm_tests(&mut self, conn: u16) {
        let next = self.rerouting.as_ref().and_then(|rerouting| rerouting.routes.next_test(conn));
        self.timers.arm(Timer::Tests(conn), next);
    }

    /// The next answer or test, if there is any to send.
    pub(super) fn transmit_test(&mut self, now: Time32, line: &mut impl Line) -> Option<Departing> {
        if let Some(received) = self.rerouting.as_mut()?.tests.answers.pop_front() {
            return self.answer(&received, now, line);
        }
        loop {
            let (conn, plane) = self.rerouting.as_mut()?.tests.due.pop_front()?;
            // A plane that is good, or without carrier, by now is not tested; the next one is.
            if let Some(departing) = self.test(conn, plane, line) {
                return Some(departing);
            }
        }
    }

    fn answer(&mut self, received: &Received, now: Time32, line: &mut impl Line) -> Option<Departing> {
        let path = received.path;
        let conn = path / self.config.paths as u16;
        let look = RxPathIn { op: RxOp::Look, path, now, ..RxPathIn::default() };
        let mut look = self.rows[usize::from(path)].rx.apply(&look);
        (look.route, look.ts, look.at) = (received.plane, received.timestamp, received.at);
        let done = (0, self.rx_msg.done(conn, 0));
        let mut packet = self.ack_build.build(&look, done, now);
        packet.ack.ack_flags = Flags::NONE.with(Flag::PlaneTest);
        // Who tests planes may hear nothing on the one of our ACKs, and has no other way to tell: every plane carries the answer.
        let rerouting = self.rerouting.as_mut()?;
        let src_port = rerouting.ack_routes.route(conn).src_port;
        let others = rerouting.ack_routes.others(conn);
        rerouting.copies.extend(others.map(|plane| (Route { plane, src_port }, packet)));
        self.counters.acks_sent += 1;
        self.frame_ack(path, wire_packet(&packet.common, Body::<&[u8]>::Ack(packet.ack)), line)
    }

    /// The timestamp is that by which the answer is matched: the time at which the test became due.
    fn test(&mut self, conn: u16, plane: u8, line: &mut impl Line) -> Option<Departing> {
        let timestamp = self.rerouting.as_ref()?.routes.plane(conn, plane).asked()?;
        let common = Common {
            version: VERSION,
            packet_type: PacketType::Probe.code(),
            opcode: 0,
            flags: Flags::NONE.with(Flag::PlaneTest),
            path: 0,
            dst_conn: 0,
            tag: 0,
            route: plane,
            psn: Psn::new(0),
            timestamp,
        };
        let body = Body::<&[u8]>::Probe(Probe { stream: 0, reserved: 0 });
        let route = Route { plane, src_port: port(self.lfsr.next16(), FIRST_PORT) };
        self.counters.probes_sent += 1;
        self.frame_on(route, conn, wire_packet(&common, body), Cause::Probe, line)
    }
}
