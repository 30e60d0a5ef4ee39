//! Receive messages: counts the bytes that memory has accepted, and advances `done` in stream order.
//!
//! Owns the receive slots, 64 per connection (`streams x slots`), and `done` per stream. Exactly-once placement makes
//! a byte count enough to know a message complete. Mirrors the RTL block `rx_msg` as far as WRITE goes; docs/blocks/rx-msg.md has ports
//! and latency.

use heddle_wire::serial::{Msn, Seq16};

/// Sizes of the block, from the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RxMsgConfig {
    /// Connections, a power of two.
    pub connections: u32,
    /// Streams per connection, a power of two.
    pub streams: u32,
    /// Messages in flight per stream (M), a power of two.
    pub slots: u32,
}

/// One placed packet: its payload is in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    /// Connection index.
    pub conn: u16,
    /// Stream index.
    pub stream: u8,
    /// Message.
    pub msn: Msn,
    /// Bytes of the whole message; 0 of a request, which is one packet without any.
    pub message_len: u32,
    /// Bytes of this packet.
    pub len: u16,
    /// Path of the connection that carried it.
    pub path: u8,
    /// Memory accepted every beat.
    pub ok: bool,
    /// Wire opcode number.
    pub opcode: u8,
    /// Posted receive that the message consumes, or the place of a request in the responder's table.
    pub rq_index: Seq16,
    /// Immediate.
    pub imm: u32,
}

/// Why a connection cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum RxMsgError {
    /// Memory answered with an error: a write here, or a read of the sender.
    Memory = 1,
    /// Two packets of one message tell different lengths, or more bytes came than it has.
    Length = 2,
    /// A region was withdrawn while a request of the peer on it was to be answered.
    Withdrawn = 3,
}

/// What one placed packet caused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The message is not complete yet.
    Partial,
    /// The message is complete: acknowledge at once, on the path that completed it.
    Complete,
    /// The connection has an error; the packet's bytes do not count.
    Error(RxMsgError),
}

/// A message slot: 1 + 1 + 32 + 32 + 4 + 16 + 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    /// Its first packet has come.
    pub valid: bool,
    /// Every byte has come.
    pub complete: bool,
    /// Bytes of the message.
    pub message_len: u32,
    /// Bytes that have come.
    pub bytes: u32,
    /// Wire opcode number.
    pub opcode: u8,
    /// Posted receive, or the place of a request in the responder's table.
    pub rq_index: Seq16,
    /// Immediate.
    pub imm: u32,
}

/// A message that `done` has just passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The message.
    pub msn: Msn,
    /// What it was.
    pub slot: Slot,
}

#[derive(Clone, Debug)]
struct Stream {
    done: Msn,
    reported: Msn,
    /// A PROBE asked for this stream.
    asked: bool,
    slots: Vec<Slot>,
}

impl Stream {
    fn is_dirty(&self) -> bool {
        self.asked || self.done != self.reported
    }
}

/// The block.
#[derive(Clone, Debug)]
pub struct RxMsg {
    config: RxMsgConfig,
    first: Msn,
    streams: Vec<Stream>,
    /// Per connection: the stream reported last.
    last: Vec<u8>,
}

impl RxMsg {
    /// Every stream at msn 0, nothing received.
    pub fn new(config: RxMsgConfig) -> Self {
        Self::starting_at(config, Msn::new(0))
    }

    /// As [`Self::new`], but every stream at message `first`: what a test of the wrap needs.
    pub fn starting_at(config: RxMsgConfig, first: Msn) -> Self {
        let slots = vec![Slot::default(); config.slots as usize];
        let stream = Stream { done: first, reported: first, asked: false, slots };
        Self {
            config,
            first,
            streams: vec![stream; (config.connections * config.streams) as usize],
            last: vec![(config.streams - 1) as u8; config.connections as usize],
        }
    }

    /// The connection has ended: its streams are as new.
    pub fn reset(&mut self, conn: u16) {
        let new = Self::starting_at(RxMsgConfig { connections: 1, ..self.config }, self.first);
        let first = self.index(conn, 0);
        self.streams.splice(first..first + new.streams.len(), new.streams);
        self.last[usize::from(conn)] = new.last[0];
    }

    /// Leading complete messages of a stream.
    pub fn done(&self, conn: u16, stream: u8) -> Msn {
        self.streams[self.index(conn, stream)].done
    }

    /// Counts a placed packet. The path engine has let each packet through once, and access has checked `msn` against `done`; since then
    /// `done` may have passed it, when the peer sent a slice under two PSNs: then the slot is another message's.
    pub fn on_placed(&mut self, placed: &Placed) -> Counted {
        let counted = self.count(placed);
        while self.pass(placed.conn, placed.stream).is_some() {}
        counted
    }

    /// As [`Self::on_placed`], but `done` stays: the caller asks for what it passes, one by one, with [`Self::pass`].
    pub fn count(&mut self, placed: &Placed) -> Counted {
        let slots = self.config.slots;
        let index = self.index(placed.conn, placed.stream);
        let stream = &mut self.streams[index];
        if !placed.ok {
            return Counted::Error(RxMsgError::Memory);
        }
        if placed.msn.distance_from(stream.done) >= slots {
            return Counted::Error(RxMsgError::Length);
        }
        let slot = &mut stream.slots[(placed.msn.get() % slots) as usize];
        if !slot.valid {
            let &Placed { message_len, opcode, rq_index, imm, .. } = placed;
            *slot = Slot { valid: true, complete: false, message_len, bytes: 0, opcode, rq_index, imm };
        }
        let left = slot.message_len - slot.bytes;
        if slot.complete || slot.message_len != placed.message_len || u32::from(placed.len) > left {
            return Counted::Error(RxMsgError::Length);
        }
        slot.bytes += u32::from(placed.len);
        if slot.bytes != slot.message_len {
            return Counted::Partial;
        }
        slot.complete = true;
        Counted::Complete
    }

    /// The message at `done`, when it is complete: `done` passes it, and its slot is free. REQ-OP-1.
    pub fn pass(&mut self, conn: u16, stream: u8) -> Option<Passed> {
        let slots = self.config.slots;
        let index = self.index(conn, stream);
        let stream = &mut self.streams[index];
        let msn = stream.done;
        let slot = &mut stream.slots[(msn.get() % slots) as usize];
        if !slot.complete {
            return None;
        }
        stream.done = msn.next();
        Some(Passed { msn, slot: std::mem::take(slot) })
    }

    /// The slot of a message of which some packet has come. An unknown stream has none, nor has a message outside of [done, done + M).
    pub fn slot(&self, conn: u16, stream: u8, msn: Msn) -> Option<Slot> {
        let slots = self.config.slots;
        if u32::from(stream) >= self.config.streams {
            return None;
        }
        let state = &self.streams[self.index(conn, stream)];
        let open = msn.distance_from(state.done) < slots;
        let slot = state.slots[(msn.get() % slots) as usize];
        (open && slot.valid).then_some(slot)
    }

    /// Whether some stream has an advance to report, or was asked for.
    pub fn has_report(&self, conn: u16) -> bool {
        (0..self.config.streams).any(|stream| self.streams[self.index(conn, stream as u8)].is_dirty())
    }

    /// A PROBE asks for a stream: the next report speaks of it, in its turn. An unknown stream asks for nothing.
    pub fn ask(&mut self, conn: u16, stream: u8) {
        if u32::from(stream) < self.config.streams {
            let index = self.index(conn, stream);
            self.streams[index].asked = true;
        }
    }

    /// The stream an ACK of this connection speaks of, its `done`, and whether yet another stream has an advance to report.
    /// Streams with an unreported advance come in turn behind the one reported last; without any, that one is repeated.
    pub fn report(&mut self, conn: u16) -> (u8, Msn, bool) {
        let streams = self.config.streams;
        let last = u32::from(self.last[usize::from(conn)]);
        let dirty = |block: &Self, stream: u32| block.streams[block.index(conn, stream as u8)].is_dirty();
        let chosen =
            (1..=streams).map(|step| (last + step) % streams).find(|&s| dirty(self, s)).unwrap_or(last);
        let index = self.index(conn, chosen as u8);
        self.streams[index].reported = self.streams[index].done;
        self.streams[index].asked = false;
        self.last[usize::from(conn)] = chosen as u8;
        (chosen as u8, self.streams[index].done, self.has_report(conn))
    }

    fn index(&self, conn: u16, stream: u8) -> usize {
        usize::from(conn) * self.config.streams as usize + usize::from(stream)
    }
}

#[cfg(test)]
mod tests;
