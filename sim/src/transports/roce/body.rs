//! What RoCE puts into packets.

use heddle_wire::Psn;

/// A packet of a queue pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoceBody {
    /// Which of the connections between the two hosts.
    pub connection: u16,
    /// Which of its queue pairs.
    pub lane: u16,
    /// Of the request, or of the request that this answers. Nothing in a CNP.
    pub psn: Psn,
    /// What it is.
    pub what: What,
}

/// Kinds of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A packet of a WRITE.
    Write(Write),
    /// A READ of so many bytes: from its start on, or from a gap on.
    Read {
        /// Bytes of the answer.
        bytes: u32,
    },
    /// A packet of the answer to a READ, with so many bytes.
    Response {
        /// Bytes of the payload.
        bytes: u32,
    },
    /// Everything up to the PSN has come.
    Ack,
    /// Everything before the PSN has come, and this has not.
    Nak,
    /// Marked packets have come.
    Cnp,
}

/// A packet of a WRITE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// Bytes of the payload.
    pub bytes: u32,
    /// The message, and how many parts it has, in the last packet of a part: the application's business, not
    /// on the wire.
    pub ends: Option<(u32, u32)>,
    /// An ACK is asked for.
    pub ack_req: bool,
}
