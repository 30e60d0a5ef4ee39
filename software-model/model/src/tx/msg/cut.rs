//! Which stream's message the next packet is cut from, and what holds a stream back.

use super::{Connection, Cut, MessageRow, Slice, Stream, TxMsg, REQUEST_DEPTH};
use heddle_wire::serial::Seq16;

/// What holds a stream's next message back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// FENCE: an earlier message of the stream is not complete.
    Fence,
    /// The peer has posted no receive that is not used.
    Credit,
    /// As many READs and atomics are outstanding as the connection may have.
    Depth,
}

impl Stream {
    fn next_row(&self, slots: u32) -> &MessageRow {
        &self.rows[(self.cur.get() % slots) as usize]
    }
}

impl Connection {
    /// `None` also when the stream has nothing queued. A message that is begun is held by nothing.
    fn held(&self, stream: &Stream, slots: u32) -> Option<Held> {
        if stream.cur == stream.head || stream.index > 0 {
            return None;
        }
        let row = stream.next_row(slots);
        // REQ-OP-10: what is fenced waits in its stream until all before it is complete.
        if row.request.fence && stream.completed != stream.cur {
            return Some(Held::Fence);
        }
        // REQ-MSG-2: rq_index within credit.
        if row.request.needs_credit() && !self.credit.is_ahead(self.rq_next) {
            return Some(Held::Credit);
        }
        // REQ-MSG-3: READs and atomics outstanding within the depth.
        if row.request.is_answered() && self.free_place().is_none() {
            return Some(Held::Depth);
        }
        None
    }

    fn can_cut(&self, stream: &Stream, slots: u32) -> bool {
        stream.cur != stream.head && self.held(stream, slots).is_none()
    }

    fn can_cut_any(&self, slots: u32) -> bool {
        self.queued > 0 && self.streams.iter().any(|stream| self.can_cut(stream, slots))
    }

    /// The first place at the responder without a request outstanding.
    fn free_place(&self) -> Option<u8> {
        let place = self.requests.trailing_ones() as u8;
        (place < REQUEST_DEPTH).then_some(place)
    }

    /// What the message's first packet and all others name: a receive, or a place.
    fn assign(&mut self, row: &MessageRow) -> Seq16 {
        if row.request.needs_credit() {
            let rq_index = self.rq_next;
            self.rq_next = rq_index.next();
            return rq_index;
        }
        match self.free_place().filter(|_| row.request.is_answered()) {
            Some(place) => {
                self.requests |= 1 << place;
                Seq16::new(place.into())
            }
            None => Seq16::new(0),
        }
    }
}

impl TxMsg {
    /// Whether some stream of the connection has a slice that nothing holds back.
    pub fn can_cut(&self, conn: u16) -> bool {
        self.connections[usize::from(conn)].can_cut_any(self.config.slots)
    }

    /// Slices of the connection that are queued, those that are held back among them.
    pub fn queued(&self, conn: u16) -> u64 {
        self.connections[usize::from(conn)].queued
    }

    /// Cuts the connection's next slice, streams in turn; `None` when nothing can be cut.
    pub fn slice(&mut self, conn: u16) -> Option<Slice> {
        match self.cut(conn, false)? {
            Cut::Slice(slice) => Some(slice),
            Cut::Answer => None,
        }
    }

    /// What the connection sends next. Streams take turns, packet by packet; the answers, if there are any to send, are one more of
    /// them, behind the last. A stream that is held back loses nothing but its turn.
    pub fn cut(&mut self, conn: u16, answers: bool) -> Option<Cut> {
        let (slots, streams, paths) = (self.config.slots, self.config.streams, self.config.paths);
        let connection = self.connections.get_mut(usize::from(conn))?;
        let turns = streams + 1;
        let chosen = (1..=turns).map(|step| (connection.last + step) % turns).find(|&turn| {
            let stream = connection.streams.get(turn as usize);
            stream.map_or(answers, |stream| connection.can_cut(stream, slots))
        })?;
        connection.last = chosen;
        if chosen == streams {
            return Some(Cut::Answer);
        }
        let stream = &connection.streams[chosen as usize];
        let (msn, index, row) = (stream.cur, stream.index, *stream.next_row(slots));
        let rq_index = if index == 0 { connection.assign(&row) } else { row.rq_index };
        connection.queued -= 1;
        let stream = &mut connection.streams[chosen as usize];
        stream.rows[(msn.get() % slots) as usize].rq_index = rq_index;
        // A request is one packet. Else the slice is the last when it reaches the end; an empty message ends with its first.
        let end = (u64::from(index) + 1) << self.config.slice_log2;
        if row.request.is_answered() || end >= u64::from(row.request.length) {
            stream.cur = stream.cur.plus(1);
            stream.index = 0;
            connection.unfinished += 1;
        } else {
            stream.index += 1;
        }
        let (queued, more) = (connection.queued, connection.can_cut_any(slots));
        let tail = queued < u64::from(paths) || !more;
        let left = Slice::left_of(queued);
        Some(Cut::Slice(Slice { conn, stream: chosen as u8, msn, index, tail, more, left, answer: None }))
    }

    /// The peer has posted this many receives, modulo 2^16; behind what is known it is old news.
    pub fn credit(&mut self, conn: u16, credit: Seq16) {
        // REQ-MSG-2: credit is taken by serial maximum.
        let connection = &mut self.connections[usize::from(conn)];
        connection.credit = connection.credit.serial_max(credit);
    }

    /// Whether the stream's next message waits for credit: only the peer can tell that there is more.
    pub(super) fn lacks_credit(&self, conn: u16, stream: u32) -> bool {
        let connection = &self.connections[usize::from(conn)];
        let stream = &connection.streams[stream as usize];
        connection.held(stream, self.config.slots) == Some(Held::Credit)
    }
}
