//! A queue pair: sender, receiver and rate.

use super::body::{Data, IrnBody, What};
use super::receiver::Receiver;
use super::sender::Sender;
use super::settings::Config;
use crate::packet::{Class, Host, Packet};
use crate::time::Ps;
use crate::transports::dcqcn::Limiter;
use crate::transports::pairs::plane_of;
use crate::transports::wire;
use heddle_wire::Psn;

/// Bytes that the number of a transmission takes.
const NUMBER: u32 = 4;
/// Bytes of the PSN that a NACK names, and of a word of the bitmap.
const NAMED: u32 = 4;
const WORD: u32 = 8;

#[derive(Debug)]
pub(super) struct Qp {
    pub(super) peer: Host,
    connection: u16,
    lane: u16,
    home: u8,
    /// Where its next packet leaves, or all of them if it does not spray.
    pub(super) plane: u8,
    src_port: u16,
    /// Packets so far: the next one's source port is this many from the first.
    turn: u16,
    pub(super) sender: Sender,
    pub(super) receiver: Receiver,
    pub(super) limiter: Limiter,
    pub(super) failed: bool,
}

impl Qp {
    pub(super) fn new(config: &Config, host: Host, peer: Host, connection: u16, lane: u16) -> Self {
        let first = |from, to| wire::first_psn(config.seed, from, to, connection, lane);
        let home = ((u32::from(connection) + u32::from(lane)) % u32::from(config.planes)) as u8;
        Self {
            peer,
            connection,
            lane,
            home,
            plane: home,
            src_port: wire::src_port(config.seed, host, peer, connection, lane),
            turn: 0,
            sender: Sender::new(first(host, peer)),
            receiver: Receiver::new(first(peer, host)),
            limiter: Limiter::new(config.dcqcn.as_ref()),
            failed: false,
        }
    }

    /// Planes have lost their carrier, or have it back.
    pub(super) fn move_to(&mut self, up: u16) {
        self.plane = plane_of(self.home, up);
    }

    /// Whether there is an ACK or CNP to send.
    pub(super) fn has_answer(&self) -> bool {
        self.limiter.has_cnp() || self.receiver.has_answer()
    }

    /// The next CNP or ACK, to leave on one of `ports`.
    pub(super) fn answer(&mut self, host: Host, ports: u16, config: &Config) -> Option<Packet<IrnBody>> {
        if self.limiter.take_cnp() {
            let bytes = wire::BASE + wire::CNP;
            return Some(self.packet(host, ports, bytes, (Psn::new(0), 0, What::Cnp), config));
        }
        let (psn, number, ack) = self.receiver.take_answer()?;
        let named = if config.published { NAMED } else { NAMED + WORD + NUMBER };
        let bytes = wire::BASE + wire::AETH + named;
        Some(self.packet(host, ports, bytes, (psn, number, What::Ack(ack)), config))
    }

    /// The next packet with a PSN, and whether it was sent before.
    pub(super) fn data(
        &mut self,
        now: Ps,
        host: Host,
        ports: u16,
        config: &Config,
    ) -> Option<(Packet<IrnBody>, bool)> {
        let request =
            Some(()).filter(|()| self.sender.can_send(config)).and_then(|()| self.sender.send(config))?;
        let Data { bytes, response, .. } = request.data;
        let header = if response { wire::AETH } else { wire::RETH };
        let bytes = wire::BASE + header + bytes + if config.published { 0 } else { NUMBER };
        self.limiter.on_sent(now, bytes, config.dcqcn.as_ref());
        let what = (request.psn, request.number, What::Data(request.data));
        Some((self.packet(host, ports, bytes, what, config), request.again))
    }

    /// The plane and the source port of the next packet.
    fn path(&mut self, ports: u16, config: &Config) -> (u8, u16) {
        if !config.sprays() {
            return (self.plane, self.src_port);
        }
        let planes = (1..=config.planes).map(|step| (self.plane + step) % config.planes);
        self.plane = planes.into_iter().find(|plane| ports >> plane & 1 == 1).unwrap_or(self.plane);
        self.turn = (self.turn + 1) % config.ports;
        (self.plane, wire::FIRST_SRC_PORT | (self.src_port.wrapping_add(self.turn) & 0x3FFF))
    }

    fn packet(
        &mut self,
        host: Host,
        ports: u16,
        bytes: u32,
        (psn, number, what): (Psn, u64, What),
        config: &Config,
    ) -> Packet<IrnBody> {
        let (plane, src_port) = self.path(ports, config);
        let data = matches!(what, What::Data(_));
        Packet {
            src: host,
            dst: self.peer,
            plane,
            src_port,
            class: if data { Class::Data } else { Class::Control },
            ect: data && config.dcqcn.is_some(),
            ce: false,
            bytes,
            body: IrnBody { connection: self.connection, lane: self.lane, psn, number, what },
        }
    }

    /// It has failed: the messages that it was to move, with their parts.
    pub(super) fn fail(&mut self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.failed = true;
        self.receiver.fail();
        self.sender.fail()
    }
}
