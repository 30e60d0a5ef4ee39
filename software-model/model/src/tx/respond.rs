//! Responder: READ and atomic requests of the peer, from their arrival until their answer is known to be placed.
//!
//! Owns a table per connection with as many places as requests may be outstanding. The requester names the place, and names one again
//! only when the earlier answer is placed, so no place is ever waited for; what it must not do is a fault that is seen at once.
//! Answers are cut into slices, packet by packet in turn among the requests whose turn in their stream has come.
//! Mirrors no RTL block yet; docs/blocks/tx-respond.md says what one will hold.

use super::msg::{Slice, REQUEST_DEPTH};
use heddle_wire::serial::{Msn, Seq16};
use heddle_wire::Opcode;

/// A request, as it arrived: 8 + 24 + 4 + 64 + 32 + 32 + 16 + 128 bits. The earlier value of an atomic takes the place of `operand`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Stream of the requester.
    pub stream: u8,
    /// Message of the requester.
    pub msn: Msn,
    /// READ_REQ, FETCH_ADD or CMP_SWAP.
    pub opcode: Opcode,
    /// First byte of the source.
    pub address: u64,
    /// Bytes of the answer.
    pub length: u32,
    /// Key of the source's region.
    pub key: u32,
    /// Protection domain of the connection.
    pub domain: u16,
    /// Added, or swapped in; then the earlier value.
    pub operand: u64,
    /// Compared with.
    pub compare: u64,
}

/// How far a place has come, 2 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Its turn in the stream has not come.
    Waiting,
    /// Executed; slices from `next` on are to be sent.
    Sending { next: u32 },
    /// Every slice was sent once.
    Sent,
}

#[derive(Clone, Debug)]
struct Table {
    rows: [Option<(Request, State)>; REQUEST_DEPTH as usize],
    /// Place of the last slice; the next search starts behind it.
    last: u8,
    /// Slices to be sent for the first time.
    queued: u64,
}

/// The block.
#[derive(Clone, Debug)]
pub struct Respond {
    slice_log2: u32,
    tables: Vec<Table>,
}

const EMPTY: Table = Table { rows: [None; REQUEST_DEPTH as usize], last: REQUEST_DEPTH - 1, queued: 0 };

impl Respond {
    /// Empty tables.
    pub fn new(connections: u32, slice_log2: u32) -> Self {
        Self { slice_log2, tables: vec![EMPTY; connections as usize] }
    }

    /// Whether a new request may take this place: there is one, and no request in it is still to be answered. REQ-OP-6.
    pub fn is_free(&self, conn: u16, place: Seq16) -> bool {
        let row = self.tables[usize::from(conn)].rows.get(usize::from(place.get()));
        row.is_some_and(|row| matches!(row, None | Some((_, State::Sent))))
    }

    /// A request is accepted; call only when [`Self::is_free`] says so.
    pub fn take(&mut self, conn: u16, place: Seq16, request: Request) {
        let rows = &mut self.tables[usize::from(conn)].rows;
        if let Some(row) = rows.get_mut(usize::from(place.get())) {
            *row = Some((request, State::Waiting));
        }
    }

    /// The request in the place whose turn has come, for the caller to execute.
    pub fn turn(&self, conn: u16, place: Seq16) -> Option<Request> {
        let row = self.tables[usize::from(conn)].rows.get(usize::from(place.get()))?;
        row.filter(|(_, state)| *state == State::Waiting).map(|(request, _)| request)
    }

    /// The place's request is executed: its answer is sent from here on, `original` being what an atomic found. REQ-OP-5.
    pub fn executed(&mut self, conn: u16, place: Seq16, original: u64) {
        let table = &mut self.tables[usize::from(conn)];
        let row = table.rows.get_mut(usize::from(place.get())).and_then(Option::as_mut);
        if let Some((request, state)) = row.filter(|(_, state)| *state == State::Waiting) {
            *state = State::Sending { next: 0 };
            request.operand = original;
            table.queued += u64::from(slices(request.length, self.slice_log2));
        }
    }

    /// Slices to be sent for the first time.
    pub fn queued(&self, conn: u16) -> u64 {
        self.tables[usize::from(conn)].queued
    }

    /// Cuts the next slice of an answer, places in turn; `None` when there is none. What asks for an ACK is the caller's to say.
    pub fn cut(&mut self, conn: u16) -> Option<Slice> {
        let table = &mut self.tables[usize::from(conn)];
        let sending = |row: &Option<(Request, State)>| matches!(row, Some((_, State::Sending { .. })));
        let place = (1..=REQUEST_DEPTH)
            .map(|step| (table.last + step) % REQUEST_DEPTH)
            .find(|&place| sending(&table.rows[usize::from(place)]))?;
        table.last = place;
        let (request, state) = table.rows[usize::from(place)].as_mut()?;
        let State::Sending { next: index } = *state else { return None };
        let last = index + 1 == slices(request.length, self.slice_log2);
        *state = if last { State::Sent } else { State::Sending { next: index + 1 } };
        table.queued -= 1;
        let &mut Request { stream, msn, .. } = request;
        let (more, left) = (table.queued > 0, Slice::left_of(table.queued));
        Some(Slice { conn, stream, msn, index, tail: false, more, left, answer: Some(place) })
    }

    /// The request whose answer a packet belongs to, while it is not known to be placed.
    pub fn look_up(&self, conn: u16, place: u8, stream: u8, msn: Msn) -> Option<Request> {
        let row = self.tables[usize::from(conn)].rows.get(usize::from(place))?;
        let (request, _) = row.filter(|(_, state)| *state != State::Waiting)?;
        (request.stream == stream && request.msn == msn).then_some(request)
    }

    /// The requester reports every request of the stream before `msn` answered: their places are empty. One that is still to be sent is
    /// not answered, whatever the report says. REQ-OP-9.
    pub fn answered(&mut self, conn: u16, stream: u8, msn: Msn) {
        for row in &mut self.tables[usize::from(conn)].rows {
            let over = |(request, state): &mut (Request, State)| {
                *state == State::Sent && request.stream == stream && request.msn.is_behind(msn)
            };
            if row.as_mut().is_some_and(over) {
                *row = None;
            }
        }
    }

    /// Whether no request is to be answered, and of none an answer was sent that is not known to be placed.
    pub fn is_empty(&self, conn: u16) -> bool {
        self.tables[usize::from(conn)].rows.iter().all(Option::is_none)
    }

    /// The connection has ended: nothing is answered any more.
    pub fn flush(&mut self, conn: u16) {
        self.tables[usize::from(conn)] = EMPTY;
    }
}

fn slices(length: u32, slice_log2: u32) -> u32 {
    (u64::from(length).div_ceil(1 << slice_log2)).max(1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(stream: u8, msn: u32, length: u32) -> Request {
        let (msn, opcode) = (Msn::new(msn), Opcode::ReadReq);
        Request { stream, msn, opcode, address: 64, length, key: 1, domain: 2, operand: 0, compare: 0 }
    }

    fn place(n: u16) -> Seq16 {
        Seq16::new(n)
    }

    fn cuts(respond: &mut Respond, conn: u16) -> Vec<(u8, u32, bool)> {
        let cuts = std::iter::from_fn(|| respond.cut(conn));
        cuts.map(|slice| (slice.answer.expect("an answer"), slice.index, slice.more)).collect()
    }

    /// REQ-OP-5: nothing is sent before the request's turn in its stream.
    #[test]
    fn an_answer_is_cut_when_its_turn_has_come_and_answers_share_packet_by_packet() {
        let mut respond = Respond::new(2, 10);
        respond.take(1, place(3), request(0, 5, 2049));
        respond.take(1, place(7), request(1, 9, 0));
        assert_eq!((respond.cut(1), respond.queued(1)), (None, 0));
        assert_eq!(respond.turn(1, place(3)).map(|r| r.msn), Some(Msn::new(5)));
        respond.executed(1, place(3), 0);
        assert_eq!(respond.turn(1, place(3)), None);
        respond.executed(1, place(7), 0);
        assert_eq!(respond.queued(1), 4);
        assert_eq!(cuts(&mut respond, 1), [(3, 0, true), (7, 0, true), (3, 1, true), (3, 2, false)]);
        assert_eq!((respond.cut(1), respond.queued(0)), (None, 0));
    }

    /// REQ-OP-6: a place with an answer still to be sent, or beyond the depth, is no place for a new request.
    #[test]
    fn a_place_is_free_again_when_its_answer_was_sent_and_the_old_answer_is_then_gone() {
        let mut respond = Respond::new(1, 10);
        assert!(
            respond.is_free(0, place(15))
                && !respond.is_free(0, place(16))
                && !respond.is_free(0, place(0xFFFF))
        );
        respond.take(0, place(0), request(2, 1, 2000));
        assert!(!respond.is_free(0, place(0)), "waits for its turn");
        respond.executed(0, place(0), 0);
        assert!(respond.cut(0).is_some() && !respond.is_free(0, place(0)), "half sent");
        assert!(respond.cut(0).is_some() && respond.is_free(0, place(0)), "sent");
        assert!(respond.look_up(0, 0, 2, Msn::new(1)).is_some(), "for resends");
        respond.take(0, place(0), request(2, 4, 10));
        assert_eq!(respond.look_up(0, 0, 2, Msn::new(1)), None, "resends of the old answer find nothing");
        assert_eq!(respond.look_up(0, 0, 2, Msn::new(4)), None, "not executed");
        respond.executed(0, place(0), 77);
        assert_eq!(respond.look_up(0, 0, 2, Msn::new(4)).map(|r| r.operand), Some(77));
        assert_eq!(respond.look_up(0, 0, 2, Msn::new(1)), None, "the place is another's");
        assert_eq!(respond.look_up(0, 0, 3, Msn::new(4)), None, "of another stream");
        assert!(respond.look_up(0, 0, 2, Msn::new(4)).is_some());
    }

    /// REQ-OP-9: a report frees what was sent, before the mark, of that stream, across the wrap.
    #[test]
    fn a_report_frees_the_places_of_what_is_answered() {
        let mut respond = Respond::new(1, 10);
        for (at, (stream, msn)) in [(0, 0xFF_FFFE), (0, 1), (1, 0), (0, 2)].into_iter().enumerate() {
            respond.take(0, place(at as u16), request(stream, msn, 8));
        }
        (0..3).for_each(|at| respond.executed(0, place(at), 0));
        assert_eq!(cuts(&mut respond, 0).len(), 3);
        respond.answered(0, 0, Msn::new(1));
        let left = |respond: &Respond| respond.tables[0].rows.map(|row| row.is_some());
        assert_eq!(left(&respond)[..4], [false, true, true, true]);
        respond.answered(0, 0, Msn::new(9));
        assert_eq!(left(&respond)[..4], [false, false, true, true], "what was not sent is not answered");
        assert!(!respond.is_empty(0));
        respond.flush(0);
        assert!(respond.is_empty(0) && respond.queued(0) == 0);
    }
}
