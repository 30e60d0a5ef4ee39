//! A host's transport, as the fabric sees it: sans-IO, time as an argument.

use crate::outcome::Transport;
use crate::packet::{Host, Packet};
use crate::time::Ps;

/// What a message does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Bytes from who posts it to the peer.
    Write,
    /// Bytes from the peer to who posts it.
    Read,
}

/// A message to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Post {
    /// Comes back in what is told of it.
    pub id: u32,
    /// The other host.
    pub peer: Host,
    /// Which of the connections between the two, from 0.
    pub connection: u16,
    /// What to do.
    pub verb: Verb,
    /// Bytes of the message, 1 or more.
    pub bytes: u32,
}

/// What an endpoint tells of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Every byte is in this host's memory: told by the receiver of a WRITE, and by who posted a READ.
    Delivered(u32),
    /// Who posted it knows that it is done.
    Completed(u32),
    /// It has failed; nothing more is told of it.
    Failed(u32),
}

/// A host's transport.
pub trait Endpoint {
    /// What it puts into packets.
    type Body: Clone;

    /// Takes a message.
    fn post(&mut self, now: Ps, post: &Post);

    /// Takes a packet whose last bit is here, and whose checksum was right. Returns how many bytes of messages it brought that were not
    /// here before.
    fn receive(&mut self, now: Ps, packet: &Packet<Self::Body>) -> u32;

    /// The next packet. Bit p of `ports` says that the port of plane p has room for one; what is long or comes in numbers waits inside
    /// for the port of its plane.
    /// `None`: nothing can be sent before a port, a packet, a post or the deadline brings something.
    fn transmit(&mut self, now: Ps, ports: u16) -> Option<Packet<Self::Body>>;

    /// When [`Self::advance`] is to be called, if nothing happens before.
    fn next_deadline(&mut self, now: Ps) -> Option<Ps>;

    /// A deadline has come.
    fn advance(&mut self, now: Ps);

    /// The carrier of a plane's port is lost, or back.
    fn set_plane(&mut self, now: Ps, plane: u8, up: bool);

    /// The oldest news not yet taken.
    fn news(&mut self) -> Option<News>;

    /// How fast it may send to a peer now, bits per second, where it knows.
    fn allowed_bps(&self, _now: Ps, _peer: Host) -> Option<u64> {
        None
    }

    /// What it has counted.
    fn counters(&self) -> Transport;
}
