//! Posted receives: the sinks of SEND, and the right of a WRITE_IMM to a completion.
//!
//! Owns a ring per connection. The peer names a receive by the number that it got when it was posted, and knows how many there are: the
//! credit of every ACK. Mirrors no RTL block yet; docs/blocks/rx-recv.md says what one will hold.

use heddle_wire::serial::{Msn, Seq16};

/// Most receives that a ring can hold: posted - consumed stays below half of the number's ring.
pub const MAX_RING: u32 = 1 << 14;

/// A receive, as the host posts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Receive {
    /// Chosen by the host, returned in the completion.
    pub wr_id: u64,
    /// First byte of the sink in local memory.
    pub address: u64,
    /// Bytes of the sink.
    pub length: u32,
}

/// A posted receive: 64 + 64 + 32 + 1 + 1 + 8 + 24 = 194 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecvRow {
    /// What the host posted.
    pub receive: Receive,
    /// The message that fills it, from its first packet on: stream and msn.
    pub claimed: Option<(u8, Msn)>,
}

/// What posting a receive changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posted {
    /// It is posted. `exhausted`: none was left that no message had claimed, so the peer may be waiting for this one.
    Taken {
        /// The peer is told at once.
        exhausted: bool,
    },
    /// The ring has no place: not posted.
    Full,
}

#[derive(Clone, Debug)]
struct Ring {
    /// Receives posted, 16 bits: the credit.
    posted: Seq16,
    /// Posted and claimed by no message.
    unclaimed: u32,
    rows: Vec<Option<RecvRow>>,
}

/// The block.
#[derive(Clone, Debug)]
pub struct Recv {
    rings: Vec<Ring>,
    first: Seq16,
}

impl Recv {
    /// Nothing posted. `ring` receives per connection, a power of two, at most [`MAX_RING`].
    pub fn new(connections: u32, ring: u32) -> Self {
        Self::starting_at(connections, ring, Seq16::new(0))
    }

    /// As [`Self::new`], but the first receive has number `first`: what a test of the wrap needs.
    pub fn starting_at(connections: u32, ring: u32, first: Seq16) -> Self {
        let ring = Ring { posted: first, unclaimed: 0, rows: vec![None; ring as usize] };
        Self { rings: vec![ring; connections as usize], first }
    }

    /// Posts a receive; [`Posted::Full`] also when there is no such connection.
    pub fn post(&mut self, conn: u16, receive: Receive) -> Posted {
        let Some(ring) = self.rings.get_mut(usize::from(conn)) else { return Posted::Full };
        let at = place(ring, ring.posted);
        if ring.rows[at].is_some() {
            return Posted::Full;
        }
        let exhausted = ring.unclaimed == 0;
        ring.rows[at] = Some(RecvRow { receive, claimed: None });
        ring.posted = ring.posted.next();
        ring.unclaimed += 1;
        Posted::Taken { exhausted }
    }

    /// Receives posted so far, modulo 2^16: `rq_credit` of every ACK of the connection.
    pub fn credit(&self, conn: u16) -> Seq16 {
        self.rings[usize::from(conn)].posted
    }

    /// Receives posted that no message has claimed.
    pub fn unclaimed(&self, conn: u16) -> u32 {
        self.rings[usize::from(conn)].unclaimed
    }

    /// The receive of this number; `None` when it is not posted, or was completed.
    pub fn look_up(&self, conn: u16, rq_index: Seq16) -> Option<RecvRow> {
        let ring = self.rings.get(usize::from(conn))?;
        let back = ring.posted.distance_from(rq_index) as usize;
        if back == 0 || back > ring.rows.len() {
            return None;
        }
        ring.rows[place(ring, rq_index)]
    }

    /// A packet of the message is accepted: the receive is that message's. The access check has looked the receive up.
    pub fn claim(&mut self, conn: u16, rq_index: Seq16, stream: u8, msn: Msn) {
        let ring = &mut self.rings[usize::from(conn)];
        let at = place(ring, rq_index);
        if let Some(row) = ring.rows[at].as_mut().filter(|row| row.claimed.is_none()) {
            row.claimed = Some((stream, msn));
            ring.unclaimed -= 1;
        }
    }

    /// The message is complete and its turn has come: its receive leaves the ring.
    pub fn complete(&mut self, conn: u16, rq_index: Seq16) -> Option<Receive> {
        let ring = &mut self.rings[usize::from(conn)];
        let at = place(ring, rq_index);
        ring.rows[at].take().map(|row| row.receive)
    }

    /// The connection has ended: the oldest receive left is given back, until none is; then the ring is as new.
    pub fn flush(&mut self, conn: u16) -> Option<Receive> {
        let first = self.first;
        let ring = self.rings.get_mut(usize::from(conn))?;
        let size = ring.rows.len();
        let oldest = (0..size).map(|step| place(ring, ring.posted) + step).map(|at| at % size);
        let oldest = oldest.into_iter().find(|&at| ring.rows[at].is_some());
        match oldest {
            Some(at) => ring.rows[at].take().map(|row| row.receive),
            None => {
                (ring.posted, ring.unclaimed) = (first, 0);
                None
            }
        }
    }
}

fn place(ring: &Ring, rq_index: Seq16) -> usize {
    usize::from(rq_index.get()) & (ring.rows.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receive(wr_id: u64) -> Receive {
        Receive { wr_id, address: wr_id * 100, length: 100 }
    }

    fn seq(n: u32) -> Seq16 {
        Seq16::new(n as u16)
    }

    #[test]
    fn a_receive_is_found_by_its_number_from_posting_to_completion() {
        let mut recv = Recv::new(2, 4);
        assert_eq!(recv.look_up(1, seq(0)), None);
        assert_eq!(recv.post(1, receive(7)), Posted::Taken { exhausted: true });
        assert_eq!(recv.post(1, receive(8)), Posted::Taken { exhausted: false });
        assert_eq!(recv.credit(1), seq(2));
        assert_eq!(recv.credit(0), seq(0));
        assert_eq!(recv.look_up(1, seq(1)), Some(RecvRow { receive: receive(8), claimed: None }));
        assert_eq!(recv.look_up(1, seq(2)), None, "not posted yet");
        assert_eq!(recv.look_up(1, seq(0xFFFF)), None, "never posted");
        assert_eq!(recv.look_up(2, seq(0)), None, "no such connection");
        recv.claim(1, seq(1), 3, Msn::new(9));
        assert_eq!(recv.look_up(1, seq(1)).and_then(|row| row.claimed), Some((3, Msn::new(9))));
        assert_eq!(recv.complete(1, seq(1)), Some(receive(8)));
        assert_eq!(recv.look_up(1, seq(1)), None, "completed");
        assert_eq!(recv.complete(1, seq(1)), None);
    }

    /// REQ-ACK-1: a receive that finds every earlier one claimed is told of at once.
    #[test]
    fn credit_is_exhausted_when_every_receive_is_claimed() {
        let mut recv = Recv::new(1, 8);
        recv.post(0, receive(0));
        recv.claim(0, seq(0), 0, Msn::new(0));
        recv.claim(0, seq(0), 0, Msn::new(0));
        assert_eq!(recv.unclaimed(0), 0, "further packets of the message claim nothing more");
        assert_eq!(recv.post(0, receive(1)), Posted::Taken { exhausted: true });
        assert_eq!(recv.post(0, receive(2)), Posted::Taken { exhausted: false });
    }

    #[test]
    fn a_full_ring_refuses_and_numbers_wrap_lap_after_lap() {
        let mut recv = Recv::starting_at(1, 4, seq(0xFFF9));
        let mut posted = 0;
        for n in 0..40u32 {
            let taken = recv.post(0, receive(n.into()));
            if n < 4 {
                assert!(matches!(taken, Posted::Taken { .. }));
                continue;
            }
            assert_eq!(taken, Posted::Full, "{n}");
            let oldest = seq(0xFFF9 + posted);
            assert!(recv.look_up(0, oldest).is_some(), "the ring holds as many as it has places");
            assert!(recv.complete(0, oldest).is_some());
            posted += 1;
            assert!(matches!(recv.post(0, receive(n.into())), Posted::Taken { .. }));
            assert_eq!(recv.look_up(0, oldest), None, "its place is another's now");
        }
        assert_eq!(recv.credit(0), seq(0xFFF9 + 40));
        assert_eq!(recv.post(1, receive(0)), Posted::Full, "no such connection");
    }

    #[test]
    fn streams_complete_receives_out_of_order_and_only_the_place_of_the_next_number_counts() {
        let mut recv = Recv::new(1, 4);
        (0..4).for_each(|n| _ = recv.post(0, receive(n)));
        assert!(recv.complete(0, seq(2)).is_some());
        assert_eq!(recv.post(0, receive(4)), Posted::Full, "number 4 shares the place of number 0");
        assert!(recv.complete(0, seq(0)).is_some());
        assert!(matches!(recv.post(0, receive(4)), Posted::Taken { .. }));
    }

    #[test]
    fn a_flush_gives_back_what_is_left_in_the_order_of_posting_and_the_ring_is_as_new() {
        let mut recv = Recv::starting_at(1, 8, seq(0xFFFE));
        (0..6).for_each(|n| _ = recv.post(0, receive(n)));
        recv.claim(0, seq(0xFFFE), 0, Msn::new(0));
        recv.complete(0, seq(0));
        let given: Vec<u64> = std::iter::from_fn(|| recv.flush(0)).map(|receive| receive.wr_id).collect();
        assert_eq!(given, [0, 1, 3, 4, 5]);
        assert_eq!((recv.credit(0), recv.unclaimed(0)), (seq(0xFFFE), 0));
        assert_eq!(recv.post(0, receive(9)), Posted::Taken { exhausted: true });
    }
}
