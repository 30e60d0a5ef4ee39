//! What crosses the receive links, taken out of and put into the RTL's packed vectors.

use crate::bits::{Packer, Unpacker};

/// A frame behind the hold. RTL: `HeldFrame`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Held {
    /// Header words 0 to 11.
    pub words: [u32; 12],
    /// Source address.
    pub src: u128,
    /// The addresses are IPv6.
    pub v6: bool,
    /// Congestion experienced.
    pub ce: bool,
    /// Plane it arrived on.
    pub plane: u8,
    /// Bytes stored.
    pub len: u16,
}

impl Held {
    /// Into the vector.
    pub fn pack(&self) -> [u32; 17] {
        let packer = Packer::default().put_header(&self.words).put(128, self.src).put(1, self.v6);
        packer.put(1, self.ce).put(4, self.plane).put(16, self.len).finish()
    }

    /// From the vector.
    pub fn unpack(words: &[u32]) -> Self {
        let mut fields = Unpacker::new(words);
        Self {
            words: fields.header(),
            src: fields.take(128),
            v6: fields.flag(),
            ce: fields.flag(),
            plane: fields.take(4) as u8,
            len: fields.take(16) as u16,
        }
    }
}

/// A frame whose connection was looked up. RTL: `LocatedFrame`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Located {
    /// Header words 0 to 11.
    pub words: [u32; 12],
    /// Congestion experienced.
    pub ce: bool,
    /// Bytes stored.
    pub len: u16,
    /// Protection domain.
    pub domain: u16,
}

impl Located {
    /// Into the vector.
    pub fn pack(&self) -> [u32; 14] {
        Packer::default()
            .put_header(&self.words)
            .put(1, self.ce)
            .put(16, self.len)
            .put(16, self.domain)
            .finish()
    }

    /// From the vector.
    pub fn unpack(words: &[u32]) -> Self {
        let mut fields = Unpacker::new(words);
        let (words, ce, len) = (fields.header(), fields.flag(), fields.take(16) as u16);
        Self { words, ce, len, domain: fields.take(16) as u16 }
    }
}

/// A payload to place. RTL: `PlaceRequest`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// First byte.
    pub address: u64,
    /// Bytes.
    pub len: u16,
    /// Connection index.
    pub conn: u16,
    /// Path of the connection.
    pub path: u8,
    /// Stream.
    pub stream: u8,
    /// Message.
    pub msn: u32,
    /// Bytes of the whole message.
    pub message_len: u32,
}

impl Place {
    fn put<const N: usize>(&self, packer: Packer<N>) -> Packer<N> {
        let packer = packer.put(64, self.address).put(16, self.len).put(16, self.conn).put(8, self.path);
        packer.put(8, self.stream).put(24, self.msn).put(32, self.message_len)
    }

    fn take(fields: &mut Unpacker) -> Self {
        Self {
            address: fields.take(64) as u64,
            len: fields.take(16) as u16,
            conn: fields.take(16) as u16,
            path: fields.take(8) as u8,
            stream: fields.take(8) as u8,
            msn: fields.take(24) as u32,
            message_len: fields.take(32) as u32,
        }
    }

    /// Into the vector.
    pub fn pack(&self) -> [u32; 6] {
        self.put(Packer::default()).finish()
    }

    /// From the vector.
    pub fn unpack(words: &[u32]) -> Self {
        Self::take(&mut Unpacker::new(words))
    }
}

/// A frame's place in the order of dispositions. RTL: `OrderEntry`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Order {
    /// 0 drop, 1 DATA, 2 ACK, 3 PROBE.
    pub kind: u8,
    /// Reason or fault, 0 = none.
    pub reason: u8,
    /// What to place.
    pub place: Place,
}

impl Order {
    /// Into the vector.
    pub fn pack(&self) -> [u32; 6] {
        self.place.put(Packer::default().put(2, self.kind).put(8, self.reason)).finish()
    }

    /// From the vector.
    pub fn unpack(words: &[u32]) -> Self {
        let mut fields = Unpacker::new(words);
        let (kind, reason) = (fields.take(2) as u8, fields.take(8) as u8);
        Self { kind, reason, place: Place::take(&mut fields) }
    }
}
