//! Receive messages: counts the bytes that memory has accepted, and advances `done` in stream order.
//!
//! Owns the receive slots, 64 per connection (`streams x slots`), and `done` per stream. Exactly-once placement makes
//! a byte count enough to know a message complete. Mirrors the RTL block `rx_msg`; docs/blocks/rx-msg.md has ports and latency.

use heddle_wire::serial::Msn;

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
    /// Bytes of the whole message.
    pub message_len: u32,
    /// Bytes of this packet.
    pub len: u16,
    /// Path of the connection that carried it.
    pub path: u8,
    /// Memory accepted every beat.
    pub ok: bool,
}

/// Why a connection cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum RxMsgError {
    /// Memory answered with an error: a write here, or a read of the sender.
    Memory = 1,
    /// Two packets of one message tell different lengths, or more bytes came than it has.
    Length = 2,
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

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    valid: bool,
    complete: bool,
    message_len: u32,
    bytes: u32,
}

#[derive(Clone, Debug)]
struct Stream {
    done: Msn,
    reported: Msn,
    /// A PROBE asked for this stream.
    asked: bool,
    slots: Vec<Slot>,
}

/// The block.
#[derive(Clone, Debug)]
pub struct RxMsg {
    config: RxMsgConfig,
    streams: Vec<Stream>,
    /// Per connection: the stream reported last.
    last: Vec<u8>,
}

impl RxMsg {
    /// Every stream at msn 0, nothing received.
    pub fn new(config: RxMsgConfig) -> Self {
        let slots = vec![Slot::default(); config.slots as usize];
        let stream = Stream { done: Msn::new(0), reported: Msn::new(0), asked: false, slots };
        Self {
            config,
            streams: vec![stream; (config.connections * config.streams) as usize],
            last: vec![(config.streams - 1) as u8; config.connections as usize],
        }
    }

    /// The connection has ended: its streams are as new.
    pub fn reset(&mut self, conn: u16) {
        let new = Self::new(RxMsgConfig { connections: 1, ..self.config });
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
            *slot = Slot { valid: true, complete: false, message_len: placed.message_len, bytes: 0 };
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
        loop {
            let slot = &mut stream.slots[(stream.done.get() % slots) as usize];
            if !slot.complete {
                break;
            }
            *slot = Slot::default();
            stream.done = stream.done.plus(1);
        }
        Counted::Complete
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
        let dirty = |block: &Self, stream: u32| {
            let state = &block.streams[block.index(conn, stream as u8)];
            state.asked || state.done != state.reported
        };
        let chosen =
            (1..=streams).map(|step| (last + step) % streams).find(|&s| dirty(self, s)).unwrap_or(last);
        let index = self.index(conn, chosen as u8);
        self.streams[index].reported = self.streams[index].done;
        self.streams[index].asked = false;
        self.last[usize::from(conn)] = chosen as u8;
        let more = (0..streams).any(|stream| dirty(self, stream));
        (chosen as u8, self.streams[index].done, more)
    }

    fn index(&self, conn: u16, stream: u8) -> usize {
        usize::from(conn) * self.config.streams as usize + usize::from(stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: RxMsgConfig = RxMsgConfig { connections: 2, streams: 4, slots: 16 };

    fn placed(stream: u8, msn: u32, message_len: u32, len: u16) -> Placed {
        Placed { conn: 1, stream, msn: Msn::new(msn), message_len, len, path: 2, ok: true }
    }

    #[test]
    fn a_message_is_complete_when_its_bytes_are_whatever_their_order() {
        let mut msg = RxMsg::new(CONFIG);
        assert_eq!(msg.on_placed(&placed(0, 0, 2500, 452)), Counted::Partial);
        assert_eq!(msg.on_placed(&placed(0, 0, 2500, 1024)), Counted::Partial);
        assert_eq!(msg.done(1, 0), Msn::new(0));
        assert_eq!(msg.on_placed(&placed(0, 0, 2500, 1024)), Counted::Complete);
        assert_eq!(msg.done(1, 0), Msn::new(1));
        assert_eq!(msg.done(0, 0), Msn::new(0));
    }

    #[test]
    fn done_waits_for_the_earlier_message_and_then_passes_both() {
        let mut msg = RxMsg::new(CONFIG);
        assert_eq!(msg.on_placed(&placed(3, 1, 0, 0)), Counted::Complete);
        assert_eq!(msg.done(1, 3), Msn::new(0));
        assert_eq!(msg.on_placed(&placed(3, 0, 8, 8)), Counted::Complete);
        assert_eq!(msg.done(1, 3), Msn::new(2));
    }

    #[test]
    fn slots_are_reused_lap_after_lap() {
        let mut msg = RxMsg::new(CONFIG);
        for lap in 0..5 {
            for n in (0..16).rev() {
                assert_eq!(msg.on_placed(&placed(2, lap * 16 + n, 4, 4)), Counted::Complete);
            }
            assert_eq!(msg.done(1, 2), Msn::new(lap * 16 + 16));
        }
    }

    #[test]
    fn a_second_length_too_many_bytes_and_a_memory_error_do_not_count() {
        let mut msg = RxMsg::new(CONFIG);
        msg.on_placed(&placed(0, 0, 100, 60));
        assert_eq!(msg.on_placed(&placed(0, 0, 101, 40)), Counted::Error(RxMsgError::Length));
        assert_eq!(msg.on_placed(&placed(0, 0, 100, 41)), Counted::Error(RxMsgError::Length));
        let failed = Placed { ok: false, ..placed(0, 0, 100, 40) };
        assert_eq!(msg.on_placed(&failed), Counted::Error(RxMsgError::Memory));
        assert_eq!(msg.on_placed(&placed(0, 0, 100, 40)), Counted::Complete);
        msg.on_placed(&placed(0, 2, 0, 0));
        assert_eq!(msg.on_placed(&placed(0, 2, 0, 0)), Counted::Error(RxMsgError::Length));
    }

    /// A hostile peer sends a slice twice under two PSNs: the second copy is placed when the message is done.
    #[test]
    fn a_packet_of_a_message_that_is_done_fills_no_other_messages_slot() {
        let mut msg = RxMsg::new(CONFIG);
        assert_eq!(msg.on_placed(&placed(0, 0, 40, 40)), Counted::Complete);
        assert_eq!(msg.on_placed(&placed(0, 0, 40, 40)), Counted::Error(RxMsgError::Length));
        (1..16).for_each(|n| assert_eq!(msg.on_placed(&placed(0, n, 4, 4)), Counted::Complete));
        assert_eq!(msg.done(1, 0), Msn::new(16), "not 17: msn 16 never came");
        assert_eq!(msg.on_placed(&placed(0, 32, 4, 4)), Counted::Error(RxMsgError::Length));
        assert_eq!(msg.on_placed(&placed(0, 16, 4, 4)), Counted::Complete);
    }

    #[test]
    fn every_stream_with_an_advance_is_reported_in_turn() {
        let mut msg = RxMsg::new(CONFIG);
        for stream in [0, 2, 3] {
            msg.on_placed(&placed(stream, 0, 0, 0));
        }
        assert_eq!(msg.report(1), (0, Msn::new(1), true));
        assert_eq!(msg.report(1), (2, Msn::new(1), true));
        assert_eq!(msg.report(1), (3, Msn::new(1), false));
        assert_eq!(msg.report(1), (3, Msn::new(1), false));
        assert_eq!(msg.report(0), (3, Msn::new(0), false));
        msg.ask(1, 2);
        msg.ask(1, 4);
        assert_eq!(msg.report(1), (2, Msn::new(1), false));
    }
}
