//! What memory has taken, taken out of and put into the RTL's packed vector.

use crate::bits::{Packer, Unpacker};
use crate::rows::Place;

/// A packet whose payload is in memory, or was refused by it. RTL: `PlacedPacket`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
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
    /// Bytes of this packet.
    pub len: u16,
    /// Memory accepted every beat.
    pub ok: bool,
}

impl Placed {
    /// What became of a request.
    pub fn of(place: &Place, ok: bool) -> Self {
        let &Place { conn, path, stream, msn, message_len, len, .. } = place;
        Self { conn, path, stream, msn, message_len, len, ok }
    }

    /// Into the vector.
    pub fn pack(&self) -> [u32; 4] {
        let packer = Packer::default().put(16, self.conn).put(8, self.path).put(8, self.stream);
        packer.put(24, self.msn).put(32, self.message_len).put(16, self.len).put(1, self.ok).finish()
    }

    /// From the vector.
    pub fn unpack(words: &[u32]) -> Self {
        let mut fields = Unpacker::new(words);
        Self {
            conn: fields.take(16) as u16,
            path: fields.take(8) as u8,
            stream: fields.take(8) as u8,
            msn: fields.take(24) as u32,
            message_len: fields.take(32) as u32,
            len: fields.take(16) as u16,
            ok: fields.flag(),
        }
    }
}
