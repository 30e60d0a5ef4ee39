//! What travels through the fabric.

/// Number of a host.
pub type Host = u32;

/// Bytes on the wire beside a frame: preamble 8, FCS 4, gap 12. Source: IEEE 802.3.
pub const ETHERNET_OVERHEAD: u32 = 24;

/// Which of a port's queues a packet stands in, where a switch has two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// DATA and whatever must not overtake it.
    Data = 0,
    /// Answers: ACK, NAK, CNP.
    Control = 1,
}

/// A packet; `B` is what its transport put in.
#[derive(Clone, Debug)]
pub struct Packet<B> {
    /// Who sends it.
    pub src: Host,
    /// Whom it is for.
    pub dst: Host,
    /// Plane it leaves on, from 0.
    pub plane: u8,
    /// UDP source port: with both addresses, what ECMP hashes.
    pub src_port: u16,
    /// Queue.
    pub class: Class,
    /// A switch may mark it.
    pub ect: bool,
    /// A switch has marked it.
    pub ce: bool,
    /// Bytes on the wire, [`ETHERNET_OVERHEAD`] included.
    pub bytes: u32,
    /// What its transport put in.
    pub body: B,
}

impl<B> Packet<B> {
    /// The same packet with something else in it.
    pub fn map<C>(self, body: impl FnOnce(B) -> C) -> Packet<C> {
        let Self { src, dst, plane, src_port, class, ect, ce, bytes, body: inside } = self;
        Packet { src, dst, plane, src_port, class, ect, ce, bytes, body: body(inside) }
    }
}
