//! Why a packet is declared lost: for observers; the rules themselves are the row's.

use super::{TxOp, TxPathIn, TxPathRow};
use crate::map::RingMap;
use crate::tx::route::Cause;
use heddle_wire::Psn;

/// The evidence that declares a packet lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossReason {
    /// An ACK shows packets as received that were sent after it on its route, beyond what the path may
    /// reorder.
    Overtaken {
        /// Packets of the path with a higher PSN that are known received, 1 to 255.
        newer: u16,
    },
    /// An ACK echoes a packet that was sent on its route after all first transmissions, and it is not
    /// received.
    Echo,
    /// An ACK echoes a packet that was sent on its route after its last resend, and it is not received.
    Again,
    /// It was sent on the route before a voluntary change, which has had its time.
    OldRoute,
    /// Its route is dead.
    Dead(Cause),
}

impl TxPathRow {
    /// Why `input`, applied to this row, declares `psn` lost, if it does. A dead route has expired as far as
    /// is known here.
    pub(crate) fn loss_reason(&self, input: &TxPathIn, psn: Psn) -> LossReason {
        let [acked, _, resent, _] = self.maps();
        match input.op {
            TxOp::VoluntaryTimeout => LossReason::OldRoute,
            TxOp::Dead => LossReason::Dead(Cause::Expiries),
            _ if resent.get(psn) => LossReason::Again,
            _ if psn.plus(input.reorder.into()).is_behind(input.high) => {
                let ahead = RingMap::range(psn.plus(1), input.high.distance_from(psn));
                let behind_cum = RingMap::range(self.base(), input.cum.distance_from(self.base()));
                let newer = (acked | behind_cum | input.sack) & ahead;
                LossReason::Overtaken { newer: newer.count() as u16 }
            }
            _ => LossReason::Echo,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_wire::Time32;

    /// PSN `n` of the path, which wraps in between.
    fn psn(n: u32) -> Psn {
        Psn::new(0xFF_FFFE).plus(n)
    }

    /// Ten packets, sent at ticks 10 to 19.
    fn row() -> TxPathRow {
        let mut row = TxPathRow::default();
        row.apply(&TxPathIn { op: TxOp::Init, cum: psn(0), ..TxPathIn::default() });
        for now in 10..20 {
            row.apply(&at(TxOp::Sent, now));
        }
        row
    }

    fn at(op: TxOp, now: u32) -> TxPathIn {
        TxPathIn { op, now: Time32::new(now), ..TxPathIn::default() }
    }

    fn ack(received: &[u32], reorder: u8, echo: u32, now: u32) -> TxPathIn {
        let sack = received.iter().fold(RingMap::EMPTY, |map, &n| map | RingMap::of(psn(n)));
        let high = psn(received.last().copied().unwrap_or_default());
        TxPathIn { cum: psn(0), high, ts: Time32::new(echo), reorder, sack, ..at(TxOp::Ack, now) }
    }

    /// What `input` declares lost, and why; the row is as it left it.
    fn losses(row: &mut TxPathRow, input: &TxPathIn) -> Vec<(u32, LossReason)> {
        let before = *row;
        assert!(row.apply(input).ok);
        let found = row.lost() & !before.lost();
        let loss = |lost: Psn| (lost.distance_from(psn(0)), before.loss_reason(input, lost));
        found.psns_from(row.base()).map(loss).collect()
    }

    #[test]
    fn every_rule_that_declares_a_packet_lost_is_named() {
        let overtaken = |newer| LossReason::Overtaken { newer };
        let mut row = row();
        // One packet of tolerance: 4 may only be late.
        let first = losses(&mut row, &ack(&[2, 5], 1, 15, 30));
        assert_eq!(first, [(0, overtaken(2)), (1, overtaken(2)), (3, overtaken(1))]);
        // What was known received before counts too.
        assert_eq!(losses(&mut row, &ack(&[2, 5, 6], 1, 16, 31)), [(4, overtaken(2))]);
        // 0 is sent again; its echo tells of those that were never overtaken, the echo of 1 of 0 itself.
        for now in 40..42 {
            row.apply(&at(TxOp::Resend, now));
        }
        let echo = losses(&mut row, &ack(&[2, 5, 6], 1, 40, 50));
        assert_eq!(echo, [(7, LossReason::Echo), (8, LossReason::Echo), (9, LossReason::Echo)]);
        assert_eq!(losses(&mut row, &ack(&[1, 2, 5, 6], 1, 41, 51)), [(0, LossReason::Again)]);
    }

    #[test]
    fn what_travelled_on_a_route_that_was_left_or_died_is_lost_with_it() {
        let mut row = row();
        row.apply(&at(TxOp::Voluntary, 30));
        let old: Vec<_> = (0..10).map(|n| (n, LossReason::OldRoute)).collect();
        assert_eq!(losses(&mut row, &at(TxOp::VoluntaryTimeout, 60)), old);
        row.apply(&at(TxOp::Resend, 61));
        // What waits already was lost before.
        assert_eq!(losses(&mut row, &at(TxOp::Dead, 70)), [(0, LossReason::Dead(Cause::Expiries))]);
    }
}
