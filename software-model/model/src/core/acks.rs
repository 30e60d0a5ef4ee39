//! Where ACKs leave: on the connection's own route, and on every plane when the peer hears none.

use super::transmit::wire_packet;
use super::{Cause, Core, Departing, Line};
use crate::rx::ack_build::AckPacket;
use crate::rx::path::RxClass;
use crate::tx::framer::Route;
use heddle_wire::{Body, Common, Flag, Packet, Time32};

impl Core {
    /// DATA or a PROBE (no class) has arrived. What a timer sends again although it is here shows that the
    /// peer may hear no ACK; so does what comes again first thing on another route (`moved`).
    // REQ-ACK-4
    pub(super) fn note_arrival(
        &mut self,
        path: u16,
        common: &Common,
        class: Option<RxClass>,
        moved: bool,
        now: Time32,
    ) {
        let Some(rerouting) = &mut self.rerouting else { return };
        let flags = common.flags;
        if class.is_some() && !flags.has(Flag::Retx) {
            rerouting.ack_routes.on_new(path, common.timestamp);
        }
        let again = match class {
            None => true,
            Some(RxClass::Duplicate) => moved || flags.has(Flag::AckReq),
            Some(_) => moved,
        };
        if again && flags.has(Flag::Retx) {
            rerouting.ack_routes.on_cry(path, common.timestamp, now);
        }
    }

    /// An ACK, and what of it follows on other planes.
    // REQ-ACK-4
    pub(super) fn send_ack(&mut self, packet: &AckPacket, line: &mut impl Line) -> Option<Departing> {
        let conn = packet.path / self.config.paths as u16;
        if let Some(rerouting) = &mut self.rerouting {
            let src_port = rerouting.ack_routes.route(conn).src_port;
            let others = rerouting.ack_routes.take_others(packet.path);
            rerouting.copies.extend(others.map(|plane| (Route { plane, src_port }, *packet)));
        }
        self.counters.acks_sent += 1;
        let body = Body::<&[u8]>::Ack(packet.ack);
        self.frame_ack(packet.path, wire_packet(&packet.common, body), line)
    }

    /// The next copy of an ACK that goes out on every plane.
    // REQ-ACK-4
    pub(super) fn transmit_copy(&mut self, line: &mut impl Line) -> Option<Departing> {
        let (route, packet) = self.rerouting.as_mut()?.copies.pop_front()?;
        self.counters.acks_sent += 1;
        let body = Body::<&[u8]>::Ack(packet.ack);
        let conn = packet.path / self.config.paths as u16;
        self.frame_on(route, conn, wire_packet(&packet.common, body), Cause::Ack, line)
    }

    /// An ACK travels on the connection's route for ACKs, or on the path's when the core has none.
    // REQ-ACK-4
    pub(super) fn frame_ack(
        &mut self,
        path: u16,
        packet: Packet<&[u8]>,
        line: &mut impl Line,
    ) -> Option<Departing> {
        let conn = path / self.config.paths as u16;
        let own = self.rerouting.as_ref().map(|rerouting| rerouting.ack_routes.route(conn));
        let route = own.unwrap_or_else(|| self.framer.route(path));
        self.frame_on(route, conn, packet, Cause::Ack, line)
    }
}
