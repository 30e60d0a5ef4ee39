//! A queue pair: requester, responder and rate.

use super::body::What;
use super::requester::Requester;
use super::responder::Responder;
use super::settings::Config;
use crate::packet::{Class, Host, Packet};
use crate::time::Ps;
use crate::transports::dcqcn::Limiter;
use crate::transports::pairs::plane_of;
use crate::transports::wire;
use heddle_wire::Psn;

#[derive(Debug)]
pub(super) struct Qp {
    pub(super) peer: Host,
    pub(super) connection: u16,
    pub(super) lane: u16,
    /// Plane when all are up, and now.
    home: u8,
    pub(super) plane: u8,
    src_port: u16,
    pub(super) requester: Requester,
    pub(super) responder: Responder,
    pub(super) limiter: Limiter,
    /// The last packet with payload was an answer.
    responded: bool,
    pub(super) failed: bool,
}

/// A packet and what it counts as.
#[derive(Debug)]
pub(super) struct Sent {
    /// What it is.
    pub(super) what: What,
    pub(super) psn: Psn,
    /// Bytes on the wire.
    pub(super) bytes: u32,
    /// Whether message bytes are sent, and again.
    pub(super) data: Option<bool>,
}

impl Qp {
    pub(super) fn new(config: &Config, host: Host, peer: Host, connection: u16, lane: u16) -> Self {
        let home = ((u32::from(connection) + u32::from(lane)) % u32::from(config.planes)) as u8;
        let first = |from, to| wire::first_psn(config.seed, from, to, connection, lane);
        Self {
            peer,
            connection,
            lane,
            home,
            plane: home,
            src_port: wire::src_port(config.seed, host, peer, connection, lane),
            requester: Requester::new(first(host, peer)),
            responder: Responder::new(first(peer, host)),
            limiter: Limiter::new(config.dcqcn.as_ref()),
            responded: false,
            failed: false,
        }
    }

    /// Whether there is an ACK, NAK or CNP to send.
    pub(super) fn has_answer(&self) -> bool {
        self.limiter.has_cnp() || self.responder.has_answer()
    }

    /// Whether there is a request or an answer to a READ to send, were it due.
    pub(super) fn has_data(&self, config: &Config) -> bool {
        self.responder.has_response() || self.requester.can_send(config)
    }

    /// The next CNP, ACK or NAK.
    pub(super) fn answer(&mut self) -> Option<Sent> {
        if self.limiter.take_cnp() {
            return Some(Sent {
                what: What::Cnp,
                psn: Psn::new(0),
                bytes: wire::BASE + wire::CNP,
                data: None,
            });
        }
        let (psn, nak) = self.responder.take_answer()?;
        let what = if nak { What::Nak } else { What::Ack };
        Some(Sent { what, psn, bytes: wire::BASE + wire::AETH, data: None })
    }

    /// The next packet of a request or of an answer to a READ, in turn.
    pub(super) fn data(&mut self, now: Ps, config: &Config) -> Option<Sent> {
        let can_send = self.requester.can_send(config);
        self.responded = self.responder.has_response() && !(self.responded && can_send);
        let sent = if self.responded {
            let response = self.responder.respond(config.mtu)?;
            let what = What::Response { bytes: response.bytes };
            let header = if response.edge { wire::AETH } else { 0 };
            Sent {
                what,
                psn: response.psn,
                bytes: wire::BASE + header + response.bytes,
                data: Some(response.again),
            }
        } else {
            let request = Some(()).filter(|()| can_send).and_then(|()| self.requester.send(now, config))?;
            let (payload, data) = match request.what {
                What::Write(write) => (write.bytes, Some(request.again)),
                _ => (0, None),
            };
            let header = if request.first || data.is_none() { wire::RETH } else { 0 };
            Sent { what: request.what, psn: request.psn, bytes: wire::BASE + header + payload, data }
        };
        self.limiter.on_sent(now, sent.bytes, config.dcqcn.as_ref());
        Some(sent)
    }

    /// Planes have lost their carrier, or have it back.
    pub(super) fn move_to(&mut self, up: u16) {
        self.plane = plane_of(self.home, up);
    }

    pub(super) fn packet(&self, host: Host, sent: &Sent, config: &Config) -> Packet<super::RoceBody> {
        let class = match sent.what {
            What::Cnp => Class::Control,
            What::Ack | What::Nak if config.ack_priority => Class::Control,
            _ => Class::Data,
        };
        Packet {
            src: host,
            dst: self.peer,
            plane: self.plane,
            src_port: self.src_port,
            class,
            ect: config.dcqcn.is_some() && class == Class::Data,
            ce: false,
            bytes: sent.bytes,
            body: super::RoceBody {
                connection: self.connection,
                lane: self.lane,
                psn: sent.psn,
                what: sent.what,
            },
        }
    }
}
