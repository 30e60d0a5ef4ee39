//! Why a host sends what it sends on one connection: for a trace. Nothing of a run depends on it.

use super::{Heddle, HeddleBody};
use crate::packet::{Host, Packet};
use crate::time::Ps;
use heddle_model::core::Cause;
use heddle_model::tx::path::LossReason;
use heddle_wire::{Body, Psn};
use std::collections::HashMap;

/// A connection of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Connection {
    /// The host's number of it: the connection in the header of what it receives.
    pub conn: u16,
    /// The other host.
    pub peer: Host,
    /// Which of the connections between the two, from 0.
    pub number: u16,
}

/// What declared a packet lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The rule.
    pub reason: LossReason,
    /// When.
    pub at: Ps,
    /// PSN in the ACK that told of it, if one did.
    pub ack: Option<Psn>,
}

/// A packet that was handed over to be sent, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sending {
    /// The packet.
    pub body: HeddleBody,
    /// What for.
    pub cause: Cause,
    /// Of a packet that was declared lost: how.
    pub found: Option<Found>,
}

/// The connection that is watched.
#[derive(Debug)]
pub(super) struct Watched {
    peer: Host,
    peer_conn: u16,
    paths: u16,
    /// By path of the connection.
    found: HashMap<(u8, Psn), Found>,
    log: Vec<Sending>,
}

impl Heddle {
    /// Its connections in the order of their numbers.
    pub fn connections(&self) -> Vec<Connection> {
        let of = |(&(peer, number), &conn): (&(Host, u16), &u16)| Connection { conn, peer, number };
        let mut all: Vec<_> = self.connections.iter().map(of).collect();
        all.sort_unstable();
        all
    }

    /// Keeps from now on why it sends the packets of a connection, which the peer knows as `peer_conn`.
    pub fn watch(&mut self, connection: &Connection, peer_conn: u16) {
        let &Connection { conn, peer, .. } = connection;
        self.core.watch(conn);
        let (paths, found, log) = (self.core.paths(), HashMap::new(), Vec::new());
        self.watched = Some(Box::new(Watched { peer, peer_conn, paths, found, log }));
    }

    /// All that was handed over to be sent on the connection that is watched, in this order.
    pub fn sendings(&self) -> &[Sending] {
        self.watched.as_ref().map_or(&[], |watched| &watched.log)
    }

    /// The core was called, for `packet` if it came in.
    pub(super) fn note_losses(&mut self, now: Ps, packet: Option<&Packet<HeddleBody>>) {
        let Some(watched) = &mut self.watched else { return };
        let ack = packet.filter(|packet| matches!(packet.body.body, Body::Ack(_)));
        while let Some(loss) = self.core.loss() {
            let found = Found { reason: loss.reason, at: now, ack: ack.map(|packet| packet.body.psn) };
            watched.found.insert(((loss.path % watched.paths) as u8, loss.psn), found);
        }
    }

    /// A packet has left the core.
    pub(super) fn note_sending(&mut self, packet: &Packet<HeddleBody>, cause: Cause) {
        let Some(watched) = &mut self.watched else { return };
        let body = &packet.body;
        if (packet.dst, body.dst_conn) != (watched.peer, watched.peer_conn) {
            return;
        }
        // Whatever sends it again, its loss is dealt with.
        let found = match cause {
            Cause::Resend(psn) | Cause::Expire(psn) => watched.found.remove(&(body.path, psn)),
            _ => None,
        };
        let found = found.filter(|_| matches!(cause, Cause::Resend(_)));
        watched.log.push(Sending { body: *body, cause, found });
    }
}
