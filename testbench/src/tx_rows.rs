//! What crosses the transmit links, taken out of and put into the RTL's packed vectors.

use crate::bits::{Packer, Unpacker};

/// Leading complete messages of a stream at the peer. RTL: `DoneEvent`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Done {
    /// Connection index.
    pub conn: u16,
    /// Stream.
    pub stream: u8,
    /// Messages.
    pub msn: u32,
}

impl Done {
    /// Into the vector.
    pub fn pack(&self) -> u64 {
        low64(Packer::default().put(16, self.conn).put(8, self.stream).put(24, self.msn).finish())
    }

    /// From the vector.
    pub fn unpack(vector: u64) -> Self {
        let words = [vector as u32, (vector >> 32) as u32];
        let mut fields = Unpacker::new(&words);
        Self { conn: fields.take(16) as u16, stream: fields.take(8) as u8, msn: fields.take(24) as u32 }
    }
}

/// A slice of a message. RTL: `SliceRow`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Stream.
    pub stream: u8,
    /// Message.
    pub msn: u32,
    /// Slice number.
    pub index: u32,
    /// One of the last packets of the connection.
    pub tail: bool,
    /// The connection has further slices.
    pub more: bool,
    /// Packets of the connection queued behind it, saturated.
    pub left: u16,
}

impl Cut {
    /// From the vector, and the packets left behind it.
    pub fn unpack(vector: u64, left: u16) -> Self {
        let words = [vector as u32, (vector >> 32) as u32];
        let mut fields = Unpacker::new(&words);
        Self {
            stream: fields.take(8) as u8,
            msn: fields.take(24) as u32,
            index: fields.take(22) as u32,
            tail: fields.flag(),
            more: fields.flag(),
            left,
        }
    }
}

/// What the builder needs of a message. RTL: `MessageFields`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Local address.
    pub local: u64,
    /// Remote address.
    pub remote: u64,
    /// Bytes.
    pub length: u32,
    /// Remote key.
    pub rkey: u32,
}

impl Message {
    /// Into the vector.
    pub fn pack(&self) -> [u32; 6] {
        let packer = Packer::default().put(64, self.local).put(64, self.remote);
        packer.put(32, self.length).put(32, self.rkey).finish()
    }

    /// From the vector.
    pub fn unpack(words: &[u32]) -> Self {
        let mut fields = Unpacker::new(words);
        let (local, remote) = (fields.take(64) as u64, fields.take(64) as u64);
        Self { local, remote, length: fields.take(32) as u32, rkey: fields.take(32) as u32 }
    }
}

/// What a good ACK tells the timer. RTL: `AckSample`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Path index.
    pub path: u16,
    /// Round trip, ticks.
    pub rtt: Option<u32>,
    /// Packets newly known received.
    pub newly: u16,
    /// Packets sent and not known received.
    pub inflight: u16,
}

impl Sample {
    /// Into the vector.
    pub fn pack(&self) -> [u32; 3] {
        let packer = Packer::default().put(16, self.path).put(32, self.rtt.unwrap_or(0));
        packer.put(1, self.rtt.is_some()).put(9, self.newly).put(9, self.inflight).finish()
    }

    /// From the vector.
    pub fn unpack(words: &[u32]) -> Self {
        let mut fields = Unpacker::new(words);
        let (path, rtt) = (fields.take(16) as u16, fields.take(32) as u32);
        let rtt = fields.flag().then_some(rtt);
        Self { path, rtt, newly: fields.take(9) as u16, inflight: fields.take(9) as u16 }
    }
}

/// A packet for the framer. RTL: `FrameRequest`.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Path index.
    pub path: u16,
    /// Header words.
    pub words: [u32; 18],
    /// How many of them.
    pub count: u8,
    /// Payload bytes.
    pub len: u16,
}

impl Request {
    /// Into the vector.
    pub fn pack(&self) -> [u32; 20] {
        let packer = Packer::default().put(16, self.path);
        let packer = self.words.iter().rev().fold(packer, |packer, &word| packer.put(32, word));
        packer.put(5, self.count).put(16, self.len).finish()
    }

    /// From the vector.
    pub fn unpack(vector: &[u32]) -> Self {
        let mut fields = Unpacker::new(vector);
        let path = fields.take(16) as u16;
        let mut words = [0; 18];
        words.iter_mut().rev().for_each(|word| *word = fields.take(32) as u32);
        Self { path, words, count: fields.take(5) as u8, len: fields.take(16) as u16 }
    }
}

fn low64(words: [u32; 2]) -> u64 {
    u64::from(words[0]) | u64::from(words[1]) << 32
}
