//! Rules of the transmit path, one test each. Times and verdicts are worked out by hand.

use super::*;

fn psn(value: u32) -> Psn {
    Psn::new(value)
}

/// A path and the operations on it, PSNs given relative to the first.
struct Bench {
    row: TxPathRow,
    first: u32,
    now: u32,
}

impl Bench {
    fn new(first: u32, sent: u32) -> Self {
        let mut bench = Self { row: TxPathRow::default(), first, now: EARLY };
        bench.row.apply(&TxPathIn {
            op: TxOp::Init,
            cum: psn(first),
            now: bench.time(),
            ..TxPathIn::default()
        });
        for _ in 0..sent {
            assert!(bench.op(TxOp::Sent).ok);
        }
        bench
    }

    fn time(&self) -> Time32 {
        Time32::new(self.now)
    }

    fn psn(&self, offset: u32) -> Psn {
        psn(self.first).plus(offset)
    }

    /// An operation, ten ticks after the one before.
    fn op(&mut self, op: TxOp) -> TxPathOut {
        self.now = self.now.wrapping_add(10);
        self.row.apply(&TxPathIn { op, now: self.time(), ..TxPathIn::default() })
    }

    /// An operation that must give a packet to send: its offset.
    fn sends(&mut self, op: TxOp) -> u32 {
        self.op(op).psn.expect("a packet to send").distance_from(psn(self.first))
    }

    /// An ACK that comes now and says that the offsets below `cum` and those in `beyond` are received.
    fn ack(&self, cum: u32, beyond: &[u32], echo: u32) -> TxPathIn {
        let sack = beyond.iter().fold(RingMap::EMPTY, |map, &p| map | RingMap::of(self.psn(p)));
        let high = beyond.last().map_or(self.psn(cum).minus(1), |&p| self.psn(p));
        TxPathIn {
            op: TxOp::Ack,
            cum: self.psn(cum),
            high,
            sack,
            route: self.row.route(),
            ts: Time32::new(echo),
            now: self.time(),
            ..TxPathIn::default()
        }
    }

    /// Takes such an ACK.
    fn take(&mut self, cum: u32, beyond: &[u32], echo: u32) -> TxPathOut {
        let ack = self.ack(cum, beyond, echo);
        self.row.apply(&ack)
    }

    fn lost(&self) -> Vec<u32> {
        self.members(1)
    }

    /// The members of `acked`, `lost`, `resent` or `old`, as offsets.
    fn members(&self, map: usize) -> Vec<u32> {
        let offset = |p: Psn| p.distance_from(psn(self.first));
        self.row.maps()[map].psns_from(self.row.base()).map(offset).collect()
    }
}

/// The time of INIT: an echo that proves nothing. The clock wraps 50 operations later.
const EARLY: u32 = 0u32.wrapping_sub(500);

const OLD: usize = 3;
const RESENT: usize = 2;

// REQ-TX-2
#[test]
fn a_gap_below_the_highest_received_is_lost_and_the_tail_is_not() {
    let mut bench = Bench::new(0xFF_FFFE, 6);
    let out = bench.take(1, &[2, 4], EARLY);
    assert_eq!((out.ok, out.newly, out.inflight, out.waiting), (true, 3, 3, 2));
    assert_eq!((out.base, out.next), (psn(0xFF_FFFF), psn(4)));
    assert_eq!(bench.lost(), [1, 3]);
    let again = bench.take(1, &[2, 4], EARLY);
    assert_eq!((again.newly, again.waiting), (0, 2), "the same ACK again adds nothing");
}

// REQ-TX-2
#[test]
fn the_reorder_guard_spares_packets_just_below_the_highest_received() {
    for (reorder, lost) in
        [(0u8, vec![0, 1, 2, 3]), (1, vec![0, 1, 2]), (3, vec![0]), (4, vec![]), (255, vec![])]
    {
        let mut bench = Bench::new(5, 8);
        let ack = TxPathIn { reorder, ..bench.ack(0, &[4], EARLY) };
        bench.row.apply(&ack);
        assert_eq!(bench.lost(), lost, "reorder {reorder}");
    }
}

// REQ-TX-3
#[test]
fn an_echo_of_a_packet_sent_after_the_newest_first_transmission_finds_the_lost_tail() {
    let mut bench = Bench::new(0, 4);
    let tn = bench.now;
    bench.take(0, &[1], tn.wrapping_sub(20));
    assert_eq!(bench.sends(TxOp::Resend), 0);
    let resend = bench.now;
    bench.take(2, &[], tn);
    assert_eq!(bench.lost(), [0u32; 0], "an echo of the newest new packet itself proves nothing");
    bench.take(2, &[], resend);
    assert_eq!(bench.lost(), [2, 3]);
}

// REQ-TX-4
#[test]
fn two_rounds_of_resends_are_closed_by_their_own_stamps() {
    let mut bench = Bench::new(0, 10);
    bench.take(0, &[4, 9], EARLY);
    let stamps: Vec<u32> = (0..3).map(|_| (bench.op(TxOp::Resend), bench.now).1).collect();
    assert_eq!((bench.members(OLD), bench.members(RESENT)), (vec![0], vec![0, 1, 2]));

    // The echo of the resend of 0 itself: nothing is later than it yet, but it is received.
    bench.take(1, &[4, 9], stamps[0]);
    assert_eq!((bench.members(OLD), bench.members(RESENT)), (vec![1, 2], vec![1, 2]), "old takes over");
    // Packets 3 and 5 are resent after that; the arrival of 3 proves 1 and 2 lost again, but not 5.
    assert_eq!(bench.sends(TxOp::Resend), 3);
    let third = bench.now;
    assert_eq!(bench.sends(TxOp::Resend), 5);
    bench.take(1, &[3, 4, 9], third);
    assert_eq!((bench.members(OLD), bench.members(RESENT)), (vec![5], vec![5]));
    assert_eq!(bench.lost(), [1, 2, 6, 7, 8]);
}

// REQ-TX-4
#[test]
fn an_echo_later_than_the_last_resend_loses_every_resend() {
    let mut bench = Bench::new(0, 6);
    bench.take(0, &[3], EARLY);
    for want in 0..3 {
        assert_eq!(bench.sends(TxOp::Resend), want);
    }
    bench.op(TxOp::Sent);
    let out = bench.take(0, &[3, 6], bench.now);
    assert_eq!(bench.lost(), [0, 1, 2, 4, 5]);
    assert_eq!((bench.members(RESENT).len(), out.waiting), (0, 5));
}

// REQ-TX-2, REQ-TX-4, F07.
#[test]
fn evidence_comes_from_the_same_route_only() {
    let mut bench = Bench::new(0, 4);
    bench.op(TxOp::Voluntary);
    bench.op(TxOp::Sent);
    bench.op(TxOp::Sent);
    // Packet 5 overtook everything on a shorter route.
    let mut ack = bench.ack(0, &[5], bench.now);
    bench.row.apply(&ack);
    assert_eq!(bench.lost(), [4], "0 to 3 travel on the old route");
    // An echo from the old route speaks of nothing on the new one, however late.
    bench.op(TxOp::Resend);
    ack.route = 0;
    ack.ts = Time32::new(bench.now + 5);
    ack.now = Time32::new(bench.now + 9);
    bench.row.apply(&ack);
    assert_eq!((bench.lost(), bench.members(RESENT)), (vec![], vec![4]));
}

// REQ-TX-1
#[test]
fn an_ack_is_good_stale_or_invalid() {
    let bench = Bench::new(0xFF_FF80, 200);
    let mut acked = bench;
    acked.row.apply(&acked.ack(100, &[], 0));
    let good = acked.ack(120, &[122, 199], 5);
    let age = |ticks: u32| good.now.minus(ticks);
    let at = |offset: u32| acked.psn(offset);
    let bit = |offset: u32| good.sack | RingMap::of(at(offset));
    let cases = [
        (good, AckVerdict::Good),
        (TxPathIn { cum: at(99), ..good }, AckVerdict::Stale),
        (TxPathIn { cum: at(99), high: at(5000), ..good }, AckVerdict::Stale),
        (TxPathIn { ts: age(MAX_ECHO_AGE_TICKS), ..good }, AckVerdict::Good),
        (TxPathIn { ts: age(MAX_ECHO_AGE_TICKS + 1), ..good }, AckVerdict::Stale),
        (TxPathIn { ts: age(0), ..good }, AckVerdict::Good),
        (TxPathIn { ts: good.now.plus(1), ..good }, AckVerdict::Stale),
        (TxPathIn { ts: good.now.plus(1), high: at(200), ..good }, AckVerdict::Stale),
        (TxPathIn { cum: at(200), high: at(199), sack: RingMap::EMPTY, ..good }, AckVerdict::Good),
        (TxPathIn { cum: at(201), high: at(199), sack: RingMap::EMPTY, ..good }, AckVerdict::Invalid),
        (TxPathIn { high: at(119), ..good }, AckVerdict::Good),
        (TxPathIn { high: at(118), ..good }, AckVerdict::Invalid),
        (TxPathIn { high: at(200), ..good }, AckVerdict::Invalid),
        (TxPathIn { sack: bit(121), ..good }, AckVerdict::Good),
        (TxPathIn { sack: bit(120), ..good }, AckVerdict::Invalid),
        (TxPathIn { sack: bit(200), ..good }, AckVerdict::Invalid),
        (TxPathIn { cum: at(199), high: at(199), sack: RingMap::EMPTY, ..good }, AckVerdict::Good),
        (TxPathIn { cum: at(199), high: at(199), ..good }, AckVerdict::Invalid),
    ];
    for (index, (ack, want)) in cases.iter().enumerate() {
        let mut row = acked.row;
        let out = row.apply(ack);
        assert_eq!((out.bad, out.ok), (*want, *want == AckVerdict::Good), "case {index}");
        assert_eq!(
            row == acked.row,
            *want != AckVerdict::Good,
            "case {index}: only a good ACK changes the row"
        );
    }
    assert_eq!(cases.len(), 18);
}

// REQ-TX-1, F03.
#[test]
fn acks_in_any_order_leave_the_same_knowledge() {
    let acks: [(u32, &[u32]); 4] = [(2, &[4]), (2, &[4, 6, 7]), (5, &[6, 7, 9]), (5, &[6, 7, 9, 12])];
    let mut orders = 0;
    for order in 0..256u32 {
        let order: Vec<usize> = (0..4).map(|i| (order >> (2 * i)) as usize % 4).collect();
        if (0..4).any(|ack| !order.contains(&ack)) {
            continue;
        }
        let mut bench = Bench::new(0xFF_FFFA, 16);
        for &i in &order {
            bench.take(acks[i].0, acks[i].1, EARLY);
        }
        assert_eq!(bench.row.base(), bench.psn(5), "{order:?}");
        assert_eq!(bench.members(0), [6, 7, 9, 12], "{order:?}");
        assert_eq!(bench.lost(), [5, 8, 10, 11], "{order:?}");
        orders += 1;
    }
    assert_eq!(orders, 24);
}

// REQ-TX-1, F05.
#[test]
fn a_sack_speaks_of_distances_1_to_255_at_every_wrap() {
    for first in (0..=0xFF_FFFF).step_by(0x7_FFF1).chain([1, 255, 0x7F_FFFF, 0x80_0000, 0xFF_FF00, 0xFF_FFFF])
    {
        let bench = Bench::new(first, 256);
        for (distance, want) in [(1, AckVerdict::Good), (255, AckVerdict::Good), (256, AckVerdict::Invalid)] {
            let mut row = bench.row;
            let ack = TxPathIn { high: bench.psn(0), ..bench.ack(0, &[distance], EARLY) };
            let out = row.apply(&ack);
            assert_eq!(out.bad, want, "first {first:#x} distance {distance}");
        }
        let mut row = bench.row;
        let out = row.apply(&bench.ack(256, &[], EARLY));
        assert_eq!((out.newly, out.inflight, out.base), (256, 0, bench.psn(256)));
    }
}

// REQ-TX-7, F01.
#[test]
fn never_a_packet_beyond_base_plus_256() {
    let mut bench = Bench::new(0xFF_FFF0, 256);
    let full = bench.row;
    let out = bench.op(TxOp::Sent);
    assert_eq!((out.ok, out.psn, out.inflight, out.next), (false, None, 256, bench.psn(256)));
    assert_eq!(bench.row, full, "not even its time is taken");
    // Resends do not widen the window: all but the first are received, and it is lost.
    let beyond: Vec<u32> = (1..256).collect();
    bench.take(0, &beyond, EARLY);
    assert_eq!(bench.sends(TxOp::Resend), 0);
    let out = bench.op(TxOp::Sent);
    assert_eq!((out.ok, out.inflight), (false, 1), "one packet in flight, and still no room");
    bench.take(256, &[], bench.now);
    assert_eq!(bench.sends(TxOp::Sent), 256);
}

// REQ-TX-5, REQ-TX-11, F13.
#[test]
fn a_packet_acknowledged_while_waiting_to_be_resent_leaves_the_queue() {
    let mut bench = Bench::new(0, 5);
    let out = bench.take(0, &[3], EARLY);
    assert_eq!((out.waiting, out.inflight), (3, 4));
    let out = bench.take(0, &[1, 2, 3], EARLY);
    assert_eq!((out.waiting, out.inflight, out.newly), (1, 2, 2));
    let out = bench.take(5, &[], EARLY);
    assert_eq!((out.waiting, out.inflight, out.lost), (0, 0, false));
    let out = bench.op(TxOp::Resend);
    assert_eq!((out.ok, out.psn), (false, None));
    assert_eq!(bench.row.maps(), [RingMap::EMPTY; 4]);
    assert_eq!(bench.sends(TxOp::Sent), 5, "the path goes on");
}

// REQ-TX-6
#[test]
fn an_expiry_resends_the_highest_unreceived_and_keeps_the_older_round() {
    let mut bench = Bench::new(0, 5);
    assert_eq!(bench.sends(TxOp::Expire), 4);
    assert_eq!((bench.members(OLD), bench.members(RESENT), bench.lost()), (vec![4], vec![4], vec![]));
    // The same packet again: it leaves its round, and cannot open one, since old was not empty before.
    assert_eq!(bench.sends(TxOp::Expire), 4);
    assert_eq!((bench.members(OLD), bench.members(RESENT)), (vec![], vec![4]));
    // Its arrival proves the four before it lost.
    let out = bench.take(0, &[4], bench.now);
    assert_eq!((bench.lost(), out.newly), (vec![0, 1, 2, 3], 1));
    // A waiting packet that expires leaves the queue.
    assert_eq!(bench.sends(TxOp::Expire), 3);
    assert_eq!(bench.lost(), [0, 1, 2]);
    bench.take(5, &[], bench.now);
    let out = bench.op(TxOp::Expire);
    assert_eq!((out.ok, out.psn), (false, None), "nothing is unreceived");
}

// REQ-TX-8, REQ-TX-9
#[test]
fn after_a_voluntary_change_the_old_route_is_given_up_but_not_what_was_resent_since() {
    let mut bench = Bench::new(0, 6);
    bench.take(0, &[2], EARLY);
    bench.op(TxOp::Resend);
    let out = bench.op(TxOp::Voluntary);
    assert_eq!((out.route, out.waiting), (1, 1));
    assert_eq!((bench.members(RESENT), bench.members(OLD)), (vec![], vec![]));
    assert_eq!(bench.sends(TxOp::Resend), 1);
    bench.op(TxOp::Sent);
    let out = bench.op(TxOp::VoluntaryTimeout);
    assert_eq!((bench.lost(), out.waiting), (vec![0, 3, 4, 5], 4));
    assert_eq!(bench.members(RESENT), [1]);
}

// REQ-TX-10, F15.
#[test]
fn a_dead_route_loses_everything_unreceived() {
    let mut bench = Bench::new(0, 6);
    bench.take(1, &[3], EARLY);
    bench.op(TxOp::Resend);
    let out = bench.op(TxOp::Dead);
    assert_eq!((out.route, out.waiting, out.inflight, bench.lost()), (1, 4, 4, vec![1, 2, 4, 5]));
    assert_eq!((bench.members(RESENT), bench.members(OLD)), (vec![], vec![]));
    for want in [1, 2, 4, 5] {
        assert_eq!(bench.sends(TxOp::Resend), want);
    }
    // Evidence from the new route finds a resend that was lost again.
    bench.take(1, &[3, 5], bench.now);
    assert_eq!(bench.lost(), [1], "the round of 1 ended before 5 was resent, that of 2 and 4 with it");
    bench.op(TxOp::Sent);
    bench.take(1, &[3, 5, 6], bench.now);
    assert_eq!(bench.lost(), [1, 2, 4]);
}

// REQ-TX-8
#[test]
fn the_route_counter_wraps() {
    let mut bench = Bench::new(0, 1);
    for want in (1..=255).chain([0]) {
        assert_eq!(bench.op(TxOp::Voluntary).route, want);
    }
    bench.op(TxOp::Sent);
    bench.op(TxOp::Sent);
    bench.take(0, &[2], bench.now);
    assert_eq!(bench.lost(), [1]);
}

#[test]
fn init_forgets_everything() {
    let mut bench = Bench::new(77, 9);
    bench.take(0, &[5], EARLY);
    bench.op(TxOp::Resend);
    bench.op(TxOp::Voluntary);
    let init = TxPathIn { op: TxOp::Init, cum: psn(0xABCDEF), now: Time32::new(42), ..TxPathIn::default() };
    let out = bench.row.apply(&init);
    assert_eq!((out.base, out.next, out.route), (psn(0xABCDEF), psn(0xABCDEF), 0));
    assert_eq!((out.inflight, out.waiting, out.ok), (0, 0, true));
    assert_eq!(bench.row, TxPathRow::init(psn(0xABCDEF), Time32::new(42)));
}
