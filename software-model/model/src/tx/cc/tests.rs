//! The window, worked out by hand.

use super::*;

/// A path on which nothing was marked for long.
fn calm() -> CcRow {
    CcRow { alpha: 0, ..CcRow::new(Psn::new(100)) }
}

/// An ACK of a path with PSNs 100 to 119 in flight.
fn ack(newly: u16, lost: u16, arrivals: u16, ce_count: u16) -> CcAck {
    CcAck { newly, lost, inflight: 256, arrivals, ce_count, base: Psn::new(100), next: Psn::new(120) }
}

// REQ-CC-1
#[test]
fn a_path_starts_with_sixteen_packets_and_rounds_down() {
    let mut row = CcRow::new(Psn::new(100));
    assert_eq!(row.packets(), 16);
    row.cwnd = 17 * PACKET - 1;
    assert_eq!(row.packets(), 16);
}

// REQ-CC-1
#[test]
fn the_first_mark_of_a_new_path_halves_its_window() {
    let mut row = CcRow::new(Psn::new(100));
    // 16 packets: s = 8, alpha = 65,536 + ((65,536 - 65,536) >> 8).
    row.on_ack(&ack(1, 0, 1, 1));
    assert_eq!((row.alpha(), row.cwnd), (ALPHA_ONE, START / 2));
    let mut row = CcRow::new(Psn::new(100));
    // 32 packets after 16 unmarked arrivals: 65,536 - (16 x 65,536 >> 8) = 61,440; a mark among four at s = 9:
    // + (65,536 - 4 x 61,440) >> 9.
    row.on_ack(&ack(16, 0, 16, 0));
    row.on_ack(&ack(4, 0, 20, 1));
    assert_eq!((row.alpha(), row.cwnd), (61_440 - 352, 32 * PACKET - ((32 * PACKET * 61_088) >> 17)));
}

// REQ-CC-2
#[test]
fn it_grows_by_what_is_acknowledged_until_the_first_mark_up_to_the_window() {
    let mut row = calm();
    row.on_ack(&ack(4, 0, 4, 0));
    assert_eq!(row.packets(), 20);
    row.on_ack(&ack(256, 0, 260, 0));
    assert_eq!(row.cwnd, CAP);
    // One mark among 4: s = 12, alpha = (1 << 16) >> 12 = 16, cut (65,536 x 16) >> 17 = 8.
    row.on_ack(&ack(4, 0, 264, 1));
    assert_eq!((row.alpha(), row.cwnd), (16, CAP - 8));
    // From here on a packet per cwnd: 255 packets are short of it, the next four are not; 259 - 255.96 are left over.
    row.on_ack(&ack(255, 0, 519, 1));
    assert_eq!((row.cwnd, row.grown), (CAP - 8, 255 * PACKET));
    row.on_ack(&ack(4, 0, 523, 1));
    assert_eq!((row.cwnd, row.grown), (CAP, 259 * PACKET - (CAP - 8)));
}

// REQ-CC-2
#[test]
fn a_path_that_uses_less_than_half_of_its_cwnd_does_not_grow() {
    for slow in [true, false] {
        let mut row = CcRow { slow, grown: START - PACKET, ..calm() };
        row.on_ack(&CcAck { inflight: 3, ..ack(4, 0, 4, 0) });
        assert_eq!(row.cwnd, START, "7 packets were in flight");
        row.on_ack(&CcAck { inflight: 4, ..ack(4, 0, 8, 0) });
        assert_eq!(row.packets(), if slow { 20 } else { 17 });
    }
}

// REQ-CC-3, REQ-CC-4
#[test]
fn alpha_follows_the_marks_and_each_round_is_cut_once() {
    let mut row = calm();
    row.on_ack(&ack(4, 0, 4, 0));
    // 20 packets: s = 4 + 4. Two of four: (2 << 16) >> 8 = 512; cut 5120 x 512 >> 17 = 20.
    row.on_ack(&ack(4, 0, 8, 2));
    assert_eq!((row.alpha(), row.cwnd), (512, 5100));
    // Four of four: (262,144 - 4 x 512) >> 8 = 1016. The round goes on to PSN 120.
    row.on_ack(&CcAck { base: Psn::new(119), next: Psn::new(139), ..ack(4, 0, 12, 6) });
    assert_eq!((row.alpha(), row.cwnd), (1528, 5100));
    // (262,144 - 4 x 1528) >> 8 = 1000.1; cut 5100 x 2528 >> 17 = 98.4.
    row.on_ack(&CcAck { base: Psn::new(120), next: Psn::new(140), ..ack(4, 0, 16, 10) });
    assert_eq!((row.alpha(), row.cwnd), (2528, 5002));
    // None of four: -4 x 2528 >> 8 = -39.5, rounded down.
    row.on_ack(&CcAck { base: Psn::new(124), next: Psn::new(140), ..ack(4, 0, 20, 10) });
    assert_eq!((row.alpha(), row.grown), (2488, 4 * PACKET));
}

// REQ-CC-3
#[test]
fn alpha_is_one_when_all_is_marked_and_half_goes_at_once_down_to_one_packet() {
    let mut row = calm();
    // 300 arrivals are taken for 2^8 = 256, and as many marks: ((256 << 16) - 0) >> 8 is 1, which needs bit 16.
    row.on_ack(&ack(16, 0, 300, 300));
    assert_eq!((row.alpha(), row.packets()), (ALPHA_ONE, 8));
    for round in 1..10u32 {
        let base = Psn::new(100 + 20 * round);
        let arrivals = 300 + 300 * round as u16;
        row.on_ack(&CcAck { base, next: base.plus(20), ..ack(16, 0, arrivals, arrivals) });
        assert_eq!(row.packets(), (8 >> round).max(1));
    }
    assert_eq!((row.cwnd, row.alpha()), (FLOOR, ALPHA_ONE));
}

#[test]
fn counters_of_an_older_ack_change_nothing_and_wrap() {
    let mut row = CcRow { arrivals: 0xFFFE, ce_count: 0xFFFF, ..calm() };
    row.on_ack(&ack(0, 0, 0xFFFD, 0xFFFD));
    assert_eq!((row.arrivals, row.ce_count, row.alpha()), (0xFFFE, 0xFFFF, 0));
    // Three arrivals, two of them marked: (2 << 16) >> 8.
    row.on_ack(&ack(0, 0, 1, 1));
    assert_eq!((row.arrivals, row.ce_count, row.alpha()), (1, 1, 512));
    // That cut 4096 by 16, to 15 packets: s = 7. More marks than arrivals is a peer's nonsense: one of one,
    // (65,536 - 512) >> 7.
    row.on_ack(&ack(0, 0, 2, 0x9000));
    assert_eq!(row.alpha(), 512 + 508);
}

// REQ-CC-5
#[test]
fn a_quarter_of_a_round_lost_cuts_nothing_and_more_halves() {
    let fast = CcRow { slow: false, ..calm() };
    let mut row = fast;
    row.on_ack(&ack(12, 4, 12, 0));
    assert_eq!((row.cwnd, row.known), (START, 0));
    let mut row = fast;
    row.on_ack(&ack(11, 4, 11, 0));
    assert_eq!((row.cwnd, row.known, row.lost), (START, 15, 4), "15 of 16 packets are known");
    row.on_ack(&ack(0, 1, 11, 0));
    assert_eq!((row.cwnd, row.known, row.lost), (START / 2, 0, 0));
    row.on_ack(&ack(0, 8, 11, 0));
    assert_eq!(row.packets(), 8, "the round of the cut goes on to PSN 120");
    row.on_ack(&CcAck { base: Psn::new(120), ..ack(0, 8, 11, 0) });
    assert_eq!(row.packets(), 4);
}

#[test]
fn a_path_that_sends_for_long_without_a_cut_is_cut_when_it_must_be() {
    let mut row = CcRow::new(Psn::new(0xFF_FFF0));
    row.on_ack(&CcAck { base: Psn::new(0xFF_FFF0), next: Psn::new(0), ..ack(0, 0, 1, 1) });
    let cwnd = row.cwnd;
    for step in 1..=16u32 {
        let base = Psn::new(0xFF_FFF0u32.wrapping_add(step << 20));
        row.on_ack(&CcAck { base, next: base.plus(16), ..ack(0, 0, 1, 1) });
    }
    let base = Psn::new(0xFF_FFF0);
    row.on_ack(&CcAck { base, next: base.plus(16), ..ack(0, 0, 257, 257) });
    assert!(row.cwnd < cwnd * 3 / 4, "{cwnd} {}", row.cwnd);
}

/// Any ACK whatever, a hostile peer's too: the row stays in its widths.
#[test]
fn no_ack_takes_the_row_out_of_its_widths() {
    let mut rng = <rand_chacha::ChaCha8Rng as rand::SeedableRng>::seed_from_u64(31);
    use rand::Rng;
    let mut row = CcRow::new(Psn::new(0));
    let mut base = 0u32;
    for _ in 0..200_000 {
        base += rng.gen_range(0..4);
        let (base, next) = (Psn::new(base), Psn::new(base + rng.gen_range(0..=256)));
        let any =
            |rng: &mut rand_chacha::ChaCha8Rng| if rng.gen() { rng.gen() } else { rng.gen_range(0..64) };
        let most_lost = if rng.gen() { 256 } else { 1 };
        let (newly, lost) = (rng.gen_range(0..=256), rng.gen_range(0..=most_lost));
        let arrivals = row.arrivals.wrapping_add(any(&mut rng));
        let ce_count = row.ce_count.wrapping_add(any(&mut rng));
        let inflight = rng.gen_range(0..=256);
        row.on_ack(&CcAck { newly, lost, inflight, arrivals, ce_count, base, next });
        assert!((FLOOR..=CAP).contains(&row.cwnd) && row.alpha <= ALPHA_ONE, "{row:?}");
        assert!(
            row.grown < row.cwnd && u32::from(row.known) < row.packets() && row.lost <= row.known,
            "{row:?}"
        );
    }
}
