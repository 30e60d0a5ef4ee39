//! The receiver's congestion control, joined: who sends, what the port is told, and ACKs that wait while senders gather.

use super::congestion::target;
use super::Core;
use crate::rx::hint::{Arrived, HintConfigError, MAC_BYTES};
use crate::tx::build::{Body as PacketBody, Packet};
use crate::tx::msg::WorkRequest;
use heddle_wire::{Body, Flag, Frame, Hint, Opcode, Time32};

impl Core {
    /// A frame of a known connection has come in; `bytes` without what the MAC adds.
    pub(super) fn note(&mut self, conn: u16, plane: u8, frame: &Frame<&[u8]>, bytes: usize, now: Time32) {
        let Some(congestion) = &mut self.congestion else { return };
        let bytes = bytes as u32 + MAC_BYTES;
        let ce = match frame.packet.body {
            Body::Data { .. } => Some(frame.ip.ce()),
            Body::Probe(_) if !frame.packet.flags.has(Flag::PlaneTest) => None,
            // A test of a plane says nothing of what its connection has to send.
            Body::Probe(_) | Body::Ack(_) | Body::Nak(_) | Body::Reset => {
                return congestion.hint.on_other(bytes, now);
            }
        };
        let limited = frame.packet.flags.has(Flag::HintLimited);
        congestion.hint.on_arrival(&Arrived { conn, plane, limited, bytes, ce }, now);
    }

    /// The hint of an ACK that leaves now.
    pub(super) fn hint(&mut self, now: Time32) -> Hint {
        self.congestion.as_mut().map_or(Hint::NONE, |congestion| congestion.hint.hint(now))
    }

    /// A work request is posted: the responder of a READ counts from here on, so the first of many requests tells of them all.
    // REQ-HINT-3
    pub(super) fn expect_answer(&mut self, request: &WorkRequest) {
        let read = request.opcode == Opcode::ReadReq.code();
        if let Some(congestion) = self.congestion.as_mut().filter(|_| read) {
            congestion.asked.push_back(request.conn);
        }
    }

    /// Responders of what was posted count from now on.
    pub(super) fn count_responders(&mut self, now: Time32) {
        let Some(congestion) = &mut self.congestion else { return };
        while let Some(conn) = congestion.asked.pop_front() {
            congestion.hint.on_request(conn, now);
        }
    }

    /// A READ_REQ leaves now and tells how fast to answer. Other packets stay as they are.
    // REQ-HINT-3
    pub(super) fn bring_hint(&mut self, conn: u16, packet: &mut Packet, now: Time32) {
        let PacketBody::Data { opcode: Opcode::ReadReq, header, .. } = &mut packet.body else { return };
        if let Some(congestion) = &mut self.congestion {
            // It may have waited for long, or be sent again.
            congestion.hint.on_request(conn, now);
            header.imm = congestion.hint.hint(now).bits().into();
        }
    }

    /// What the core can take in 10 us has changed, as when its host is slower: hints follow from the next interval on. What planes bring
    /// is known without this ([`super::CongestionConfig::with_plane_capacity`]). Nothing without congestion control. A value that
    /// cannot be is refused, and the old one stays.
    // REQ-HINT-1
    pub fn set_capacity(&mut self, capacity_bytes: u32) -> Result<(), HintConfigError> {
        match &mut self.congestion {
            Some(congestion) => congestion.hint.set_target(target(capacity_bytes)),
            None => Ok(()),
        }
    }

    /// Connections that count as limited by their hints.
    pub fn limited_connections(&self) -> u32 {
        self.congestion.as_ref().map_or(0, |congestion| congestion.hint.limited())
    }

    /// An ACK is due, if one is requested; it waits while its connection is gathered.
    // REQ-HINT-4
    pub(super) fn ask_ack(&mut self, request: Option<u16>) {
        let Some(path) = request else { return };
        if let Some(congestion) = &mut self.congestion {
            if congestion.hint.gathers(path / self.config.paths as u16) {
                congestion.held[usize::from(path)] = true;
                return;
            }
        }
        self.ack_queue.push_back(path);
    }

    /// An ACK is due that tells of a complete message: it never waits.
    // REQ-HINT-4
    pub(super) fn ask_ack_at_once(&mut self, path: u16) {
        let requested = self.ack.demand(path);
        self.ack_queue.extend(requested);
        self.let_go(path);
    }

    fn let_go(&mut self, path: u16) {
        let held = self.congestion.as_mut().map(|congestion| &mut congestion.held[usize::from(path)]);
        if held.is_some_and(std::mem::take) {
            self.ack_queue.push_back(path);
        }
    }

    pub(super) fn gathering_deadline(&self) -> Option<Time32> {
        self.congestion.as_ref()?.hint.next_deadline()
    }

    /// ACKs of connections that are gathered leave when their time has come.
    pub(super) fn end_gathering(&mut self, now: Time32) {
        let paths = self.config.paths as u16;
        while self.gathering_deadline().is_some_and(|end| !end.is_ahead(now)) {
            let gathered = self.congestion.as_mut().and_then(|congestion| congestion.hint.on_tick(now));
            if let Some(conn) = gathered {
                (conn * paths..(conn + 1) * paths).for_each(|path| self.let_go(path));
            }
        }
    }
}
