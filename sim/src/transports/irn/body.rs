//! What IRN puts into packets.

use heddle_wire::Psn;

/// A packet of a queue pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IrnBody {
    /// Which of the connections between the two hosts.
    pub connection: u16,
    /// Which of its queue pairs.
    pub lane: u16,
    /// Its own, or that of the packet that it answers. Nothing in a CNP.
    pub psn: Psn,
    /// Number of the transmission, or of the one that it answers; 32 bits on the wire are enough.
    pub number: u64,
    /// What it is.
    pub what: What,
}

/// Kinds of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A packet with a PSN.
    Data(Data),
    /// An ACK, or a NACK where its PSN is not before `cum`.
    Ack(Ack),
    /// Marked packets have come.
    Cnp,
}

/// Of a message, or a request for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// Bytes of the payload.
    pub bytes: u32,
    /// It answers a READ.
    pub response: bool,
    /// What happens when it and all before it have come: the application's business, not on the wire.
    pub end: Option<End>,
}

/// What a packet is the end of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A part of a WRITE, its message and how many parts that has.
    Write(u32, u32),
    /// The answer to a READ, likewise.
    Response(u32, u32),
    /// A request to READ so many bytes, likewise.
    Read(u32, u32, u32),
}

/// What has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ack {
    /// The lowest PSN that has not come.
    pub cum: Psn,
    /// What has come of the 64 PSNs around its own, from the multiple of 64 on; of those from `cum` on.
    pub word: u64,
}
