//! Acknowledgements in: what of an ACK is believed, once the path engine has judged it.
//!
//! Mirrors the RTL block `ack_in`; docs/blocks/tx-ack-in.md has ports and latency.

use super::path::{AckVerdict, TxOp, TxPathIn, TxPathOut};
use crate::map::RingMap;
use heddle_wire::serial::{Msn, Psn, Seq16, Time32};
use heddle_wire::{Ack, Common, DropReason, Flag};

/// A hold of this value carries no RTT sample. Source: docs/protocol.md section 3, word 5.
pub const HOLD_SATURATED: u16 = 0xFFFF;

/// What is remembered of an ACK while the path engine judges it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingAck {
    conn: u16,
    done_stream: u8,
    done_msn: Msn,
    rtt_ticks: Option<u32>,
    credit: Seq16,
    answers: bool,
}

/// What an ACK told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckNews {
    /// Connection, stream and its leading complete messages; `None` for an ACK that is not believed.
    pub done: Option<(u16, u8, Msn)>,
    /// Receives that the peer has posted; `None` for an ACK that is not believed.
    pub credit: Option<Seq16>,
    /// `done` speaks of answers: every READ and atomic of the stream before its message is answered.
    pub answers: bool,
    /// RTT sample in ticks, of a good ACK whose hold was not saturated.
    pub rtt_ticks: Option<u32>,
    /// Counted reason of an ACK that was not good.
    pub reason: Option<DropReason>,
}

/// The operation for the path engine and what to remember until its result. `path` is {connection, path of the connection}.
pub fn submit(conn: u16, path: u16, common: &Common, ack: &Ack, now: Time32) -> (TxPathIn, PendingAck) {
    let operation = TxPathIn {
        op: TxOp::Ack,
        path,
        cum: Psn::new(ack.cum.get()),
        high: common.psn,
        route: common.route,
        ts: common.timestamp,
        now,
        reorder: 0,
        sack: RingMap::from_words(ack.sack.lanes),
    };
    // The peer's hold is believed only to make the sample smaller; one longer than the whole trip gives none.
    let trip = now.distance_from(common.timestamp);
    let rtt_ticks = match ack.hold {
        HOLD_SATURATED => None,
        hold => trip.checked_sub(u32::from(hold)),
    };
    let pending = PendingAck {
        conn,
        done_stream: ack.done_stream,
        done_msn: ack.done_msn,
        rtt_ticks,
        credit: ack.rq_credit,
        answers: ack.ack_flags.has(Flag::Response),
    };
    (operation, pending)
}

/// Joins the path engine's verdict with what was remembered.
pub fn judge(pending: &PendingAck, result: &TxPathOut) -> AckNews {
    let told = AckNews {
        done: Some((pending.conn, pending.done_stream, pending.done_msn)),
        credit: Some(pending.credit),
        answers: pending.answers,
        rtt_ticks: None,
        reason: None,
    };
    match result.bad {
        AckVerdict::Good => AckNews { rtt_ticks: pending.rtt_ticks, ..told },
        AckVerdict::Stale => AckNews { reason: Some(DropReason::AckStale), ..told },
        AckVerdict::Invalid => {
            AckNews { done: None, credit: None, reason: Some(DropReason::AckInvalid), ..told }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tx::path::TxPathRow;
    use heddle_wire::Flags;

    /// Credit and answers are believed as `done` is: from any ACK but an invalid one.
    #[test]
    fn an_ack_that_is_not_invalid_tells_of_credit_and_answers() {
        let ack = Ack {
            ack_flags: Flags::NONE.with(Flag::Response),
            rq_credit: Seq16::new(77),
            done_stream: 3,
            done_msn: Msn::new(5),
            ..Ack::default()
        };
        let (operation, pending) = submit(1, 4, &Common::default(), &ack, Time32::new(0));
        let result = TxPathRow::default().apply(&operation);
        for (bad, believed) in
            [(AckVerdict::Good, true), (AckVerdict::Stale, true), (AckVerdict::Invalid, false)]
        {
            let news = judge(&pending, &TxPathOut { bad, ..result });
            assert_eq!(news.credit, believed.then_some(Seq16::new(77)));
            assert_eq!(news.done, believed.then_some((1, 3, Msn::new(5))));
            assert!(news.answers || !believed);
        }
        let plain = Ack { ack_flags: Flags::NONE.with(Flag::PlaneTest), ..ack };
        let (_, pending) = submit(1, 4, &Common::default(), &plain, Time32::new(0));
        assert!(!judge(&pending, &result).answers);
    }
}
