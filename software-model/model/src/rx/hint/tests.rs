//! Levels, counts and periods, worked out by hand.

use super::*;

/// 0.98 of the 125,000 bytes that 100 Gb/s brings in 10 us.
const TARGET: u32 = 122_500;
/// What one connection alone is told of it: ceil(5225 x 64,225 / 2^16).
const ALONE: u64 = 5121;
const BYTES: u32 = 4214;
const T: u16 = 250;

fn block(connections: u32) -> RxHint {
    RxHint::new(connections, HintConfig::new(TARGET).unwrap().with_packets(BYTES, T))
}

fn at(ticks: u32) -> Time32 {
    // Time wraps in every test.
    Time32::new(ticks.wrapping_sub(3_000))
}

fn data(conn: u16, limited: bool) -> Arrived {
    Arrived { conn, plane: 0, limited, bytes: BYTES, ce: Some(false) }
}

fn probe(conn: u16) -> Arrived {
    Arrived { conn, plane: 0, limited: true, bytes: 90, ce: None }
}

// REQ-HINT-1, REQ-HINT-2
#[test]
fn one_connection_alone_is_told_all_of_the_port_and_n_a_share_of_the_target() {
    let mut block = block(1000);
    // 640,000,000 / 122,500 = 5224.5; 5225 x 64,225 >> 16 = 5120.5, and 640,000,000 / 125,000 = 5120.
    assert_eq!(block.level, 5225);
    assert_eq!(block.hint(at(0)), Hint::encode(ALONE));
    block.on_arrival(&probe(0), at(1));
    assert_eq!(block.hint(at(1)), Hint::encode(ALONE));
    for conn in 1..1000 {
        block.on_arrival(&probe(conn), at(1));
        assert_eq!(block.hint(at(1)), Hint::encode(5225 * (u64::from(conn) + 1)));
    }
    assert_eq!(block.limited(), 1000);
    // The newest packet counts, at once.
    block.on_arrival(&data(3, false), at(2));
    assert_eq!(block.hint(at(2)), Hint::encode(5225 * 999));
    (0..998).filter(|conn| *conn != 3).for_each(|conn| block.on_arrival(&data(conn, false), at(2)));
    assert_eq!((block.limited(), block.hint(at(2))), (2, Hint::encode(5225 * 2)));
    block.on_arrival(&data(998, false), at(2));
    assert_eq!((block.limited(), block.hint(at(2))), (1, Hint::encode(ALONE)));
}

// REQ-HINT-1
#[test]
fn what_the_others_take_is_smoothed_over_eight_intervals_and_leaves_an_eighth() {
    let mut block = block(4);
    let mut interval = 0;
    let mut levels = |block: &mut RxHint, bytes: u32| {
        block.on_arrival(&Arrived { bytes, ..data(0, false) }, at(INTERVAL_TICKS * interval + 7));
        interval += 1;
        block.hint(at(INTERVAL_TICKS * interval + 6));
        let before = block.level;
        block.hint(at(INTERVAL_TICKS * interval + 7));
        (before, block.level)
    };
    // L x 8: 12,250, then 12,250 - 1531 + 12,250 = 22,969; 640,000,000 / (122,500 - 1531), / (122,500 - 2871).
    assert_eq!(levels(&mut block, 12_250), (5225, 5291));
    assert_eq!(levels(&mut block, 12_250), (5291, 5350));
    for _ in 0..100 {
        levels(&mut block, 12_250);
    }
    // The shift rounds down, so 8 x L comes to rest up to 7 below: 640,000,000 / (122,500 - 12,249).
    assert_eq!(levels(&mut block, 12_250).1, 5805);
    for _ in 0..100 {
        levels(&mut block, 200_000);
    }
    // 640,000,000 / 15,313
    assert_eq!(levels(&mut block, 200_000).1, 41_795);
    for conn in 0..4 {
        block.on_arrival(&Arrived { bytes: 0, ..data(conn, false) }, at(INTERVAL_TICKS * 300));
    }
    assert_eq!(block.hint(at(INTERVAL_TICKS * 400)), Hint::encode(ALONE));
}

// REQ-HINT-1
#[test]
fn acks_take_their_share_too() {
    let mut block = block(1);
    block.on_other(12_250, at(0));
    // 5291 x 64,225 >> 16 = 5185.2
    assert_eq!(block.hint(at(INTERVAL_TICKS)), Hint::encode(5186));
}

// REQ-HINT-1
#[test]
fn an_interval_mostly_marked_is_followed_by_one_at_0_95() {
    let mut block = block(1);
    let marked = |ce| Arrived { ce: Some(ce), ..data(0, true) };
    for (n, (marks, level)) in [(2, 5225), (3, 5500), (0, 5225)].into_iter().enumerate() {
        let start = INTERVAL_TICKS * n as u32;
        for packet in 0..4 {
            block.on_arrival(&marked(packet < marks), at(start + 1));
        }
        // PROBEs are no arrivals.
        (0..10).for_each(|_| block.on_arrival(&probe(0), at(start + 2)));
        block.hint(at(start + INTERVAL_TICKS + 1));
        // 122,500 x 62,259 >> 16 = 116,374; 640,000,000 / 116,374 = 5499.5
        assert_eq!(block.level, level, "{marks} of 4 marked");
    }
}

// REQ-HINT-3
#[test]
fn a_millisecond_of_silence_ends_a_limited_connection() {
    let mut block = block(2);
    block.on_arrival(&data(0, true), at(0));
    block.on_arrival(&data(1, true), at(1_000));
    // Looked at when an interval ends: the first end beyond 125,000 ticks, then beyond 126,000.
    block.hint(at(126_249));
    assert_eq!(block.limited(), 1 + 1);
    block.hint(at(126_250));
    assert_eq!(block.limited(), 0, "125,250 ticks of the second too");
    block.on_arrival(&data(0, true), at(126_251));
    assert_eq!(block.limited(), 1);
}

// REQ-HINT-3
#[test]
fn four_packet_times_at_the_hint_are_waited_for_when_they_are_longer() {
    let mut block = block(2000);
    (0..2000).for_each(|conn| block.on_arrival(&probe(conn), at(0)));
    // 4 x 4214 x 5225 x 2000 / 512,000 = 344,035 ticks.
    block.on_arrival(&data(7, true), at(344_000));
    block.hint(at(343_750 + 1_249));
    assert_eq!(block.limited(), 2000);
    block.hint(at(345_000));
    assert_eq!(block.limited(), 1);
}

// REQ-HINT-3
#[test]
fn a_responder_counts_from_the_request_on() {
    let mut block = block(2);
    block.on_request(1, at(0));
    block.on_request(1, at(5));
    assert_eq!(block.hint(at(5)), Hint::encode(ALONE));
    block.on_request(0, at(6));
    assert_eq!(block.hint(at(6)), Hint::encode(2 * 5225));
    assert!(!block.gathers(0));
    block.on_arrival(&data(1, false), at(7));
    assert_eq!(block.limited(), 1);
}

// REQ-HINT-4
#[test]
fn a_newcomer_waits_whole_periods_until_one_passes_without_another() {
    let mut block = block(8);
    block.on_arrival(&probe(0), at(0));
    assert!(block.gathers(0) && !block.gathers(1));
    assert_eq!(block.next_deadline(), Some(at(250)));
    block.on_arrival(&probe(1), at(100));
    // Its own further packets are no newcomers.
    block.on_arrival(&data(0, true), at(120));
    assert_eq!(block.on_tick(at(249)), None);
    assert_eq!(block.on_tick(at(250)), None, "1 came in its first period");
    assert_eq!(block.next_deadline(), Some(at(350)));
    assert_eq!(block.on_tick(at(350)), Some(1));
    assert_eq!(block.on_tick(at(499)), None);
    assert_eq!(block.on_tick(at(500)), Some(0));
    assert!(!block.gathers(0) && !block.gathers(1));
    assert_eq!((block.next_deadline(), block.hint(at(500))), (None, Hint::encode(2 * 5225)));
}

// REQ-HINT-4
#[test]
fn five_periods_are_the_most_and_who_is_not_limited_any_more_waits_no_further() {
    let mut block = block(64);
    block.on_arrival(&probe(0), at(0));
    let mut released = vec![];
    for step in 1..=20u32 {
        let now = at(step * 125);
        released.extend(std::iter::from_fn(|| {
            let due = block.next_deadline().is_some_and(|end| !end.is_ahead(now));
            due.then(|| block.on_tick(now))
        }));
        block.on_arrival(&probe(step as u16), now);
    }
    let first = released.iter().flatten().next();
    assert_eq!(first, Some(&0));
    let waited = released.iter().position(|conn| *conn == Some(0)).unwrap();
    // 0 ends periods at 250, 500, 750, 1000 and 1250; those who came at 125 k end theirs in between.
    assert_eq!(
        released[..waited].iter().filter(|conn| conn.is_none()).count(),
        4 + 4 + 3 + 3 + 2 + 2 + 1 + 1
    );
    let mut block = self::block(4);
    block.on_arrival(&probe(0), at(0));
    block.on_arrival(&probe(1), at(1));
    block.on_arrival(&data(0, false), at(2));
    assert_eq!(block.on_tick(at(250)), Some(0));
}

// REQ-HINT-4
#[test]
fn only_the_first_time_or_after_50_us_of_silence_is_one_a_newcomer() {
    let mut block = block(2);
    block.on_arrival(&data(0, false), at(0));
    block.on_arrival(&data(0, true), at(1));
    assert!(block.gathers(0), "for the first time, though it was heard a tick ago");
    assert_eq!(block.on_tick(at(251)), Some(0));
    block.on_arrival(&data(0, false), at(300));
    block.on_arrival(&data(0, true), at(300 + NEWCOMER_TICKS));
    assert!(!block.gathers(0));
    block.on_arrival(&data(0, false), at(8_000));
    block.on_arrival(&data(0, true), at(8_001 + NEWCOMER_TICKS));
    assert!(block.gathers(0));
}

#[test]
fn a_long_rest_is_the_same_as_its_intervals_one_by_one() {
    let busy = |block: &mut RxHint| {
        for conn in 0..3 {
            block.on_arrival(&Arrived { bytes: 99_999, ..data(conn, conn == 0) }, at(u32::from(conn)));
        }
    };
    let (mut jumps, mut walks) = (block(3), block(3));
    busy(&mut jumps);
    busy(&mut walks);
    for end in (0..1_000_003).step_by(13) {
        walks.hint(at(end));
    }
    jumps.hint(at(999_999));
    walks.hint(at(999_999));
    assert_eq!((jumps.began, jumps.level, jumps.limited), (walks.began, walks.level, walks.limited));
    assert_eq!(jumps.light_x8, walks.light_x8);
    // 30 s without a packet.
    jumps.hint(at(999_999).plus(3_750_000_000));
    assert_eq!(jumps.hint(at(999_999).plus(3_750_000_001)), Hint::encode(ALONE));
}

#[test]
fn a_connection_that_starts_anew_is_as_never_seen() {
    let mut block = block(2);
    block.on_arrival(&probe(1), at(0));
    block.reset(1);
    assert_eq!(block.limited(), 0);
    assert_eq!(block.on_tick(at(250)), Some(1));
    block.on_arrival(&probe(1), at(260));
    assert!(block.gathers(1));
}

#[test]
fn targets_out_of_range_are_refused_and_the_smallest_and_largest_divide() {
    for got in [0, 15, 1 << 22] {
        let (min, max) = (HintConfig::MIN_TARGET, HintConfig::MAX_TARGET);
        assert_eq!(HintConfig::new(got), Err(HintConfigError::Target { got, min, max }));
    }
    let mut block = block(1);
    for (target, level) in [(16, 40_000_000), ((1 << 22) - 1, 153)] {
        block.set_target(target).unwrap();
        block.divide(false);
        assert_eq!(block.level, level);
        // The others take more than there is: an eighth is left, and for 16 bytes that is two.
        block.light_x8 = (1 << 25) - 1;
        assert_eq!(block.level_at(16), 320_000_000);
        block.light_x8 = 0;
    }
    assert!(block.set_target(0).is_err());
}
