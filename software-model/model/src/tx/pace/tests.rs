//! Windows and gaps, worked out by hand. A packet takes 4214 bytes of the wire.

use super::*;

const CONFIG: PaceConfig = PaceConfig::DEFAULT;
const BYTES: u32 = 4214;

fn at(ticks: u64) -> u64 {
    ticks.wrapping_mul(TICK)
}

/// The hint of `n` limited connections at 0.98 of 100 Gb/s: 5225 x n, rounded up to 11 bits.
fn hint(n: u64) -> Hint {
    Hint::encode(5225 * n)
}

/// A connection that started at `tick` and got this hint 10 us later.
fn hinted(n: u64, tick: u64) -> PaceRow {
    let mut row = PaceRow::new(BYTES);
    assert!(row.start(100, at(tick), &CONFIG));
    row.on_rtt(1250, false, Time32::new(tick as u32));
    assert!(row.on_hint(hint(n), Seq16::new(0), at(tick + 1250)));
    row
}

#[test]
fn a_tick_is_512_000_and_a_full_packet_at_the_line_rate_43_of_them() {
    assert_eq!(TICK, 512_000);
    let row = hinted(1, 0);
    assert_eq!(row.rate(at(1250)), Some(5228));
    assert_eq!(row.gap(), 4214 * 5228);
    assert_eq!(row.gap() / TICK, 43);
}

// REQ-PACE-1
#[test]
fn the_window_is_what_the_hint_lets_through_in_a_round_trip_and_a_quarter() {
    // (5 x 1250 + 4 x 250) x 128,000 = 928,000,000; 42 packets take 925,293,264, 43 take 947,324,056.
    let row = hinted(1, 0);
    assert!(row.window_open(42, at(1250), &CONFIG));
    assert!(!row.window_open(43, at(1250), &CONFIG));
    // One packet of a thousand takes 22,024,454,144: it goes alone.
    let row = hinted(1000, 0);
    assert!(row.window_open(0, at(1250), &CONFIG));
    assert!(!row.window_open(1, at(1250), &CONFIG));
}

// REQ-PACE-1
#[test]
fn the_shortest_round_trip_counts_and_an_impossible_one_does_not() {
    let mut row = hinted(1, 0);
    row.on_rtt(1 << RTT_BITS, false, Time32::new(0));
    row.on_rtt(2000, false, Time32::new(0));
    assert!(row.window_open(42, at(1250), &CONFIG));
    // (5 x 600 + 1000) x 128,000 = 512,000,000; 23 packets take 506,708,216, 24 take 528,739,008.
    row.on_rtt(600, false, Time32::new(0));
    assert!(row.window_open(23, at(1250), &CONFIG));
    assert!(!row.window_open(24, at(1250), &CONFIG));
}

// REQ-PACE-1
#[test]
fn a_stale_hint_leaves_one_packet_in_flight_and_the_pacer_on() {
    let mut row = hinted(1, 0);
    row.on_sent(BYTES, at(1250), 0);
    let came = at(1250);
    assert!(row.window_open(1, came + STALE_AGE, &CONFIG));
    assert!(!row.window_open(1, came + STALE_AGE + 1, &CONFIG));
    assert!(row.window_open(0, came + STALE_AGE + 1, &CONFIG));
    assert_eq!(row.rate(came + STALE_AGE + 1), None);
    assert!(row.due().is_some());
    // 6,000 senders: four packet times are 8.3 ms, so 8 ms is not stale.
    let row = hinted(6000, 0);
    assert!(row.rate(came + 4 * STALE_AGE).is_some());
    assert!(row.rate(came + 5 * STALE_AGE).is_none());
}

// REQ-PACE-2, REQ-PACE-3// REQ-PACE-4
#[test]
fn a_start_owes_nothing_of_what_was_sent_before() {
    let mut row = hinted(1000, 0);
    row.on_sent(BYTES, at(1250), 0);
    assert!(!row.pacer_open(at(1250)));
    let again = 1250 + START_AGE / TICK + 1;
    assert!(row.start(1, at(again), &CONFIG) && row.on_hint(hint(1000), Seq16::new(1), at(again)));
    assert_eq!(row.due(), Some(at(again)));
}

#[test]
fn packets_follow_each_other_at_the_hint_with_one_packet_of_credit() {
    let mut row = hinted(4, 1000);
    assert_eq!(row.gap(), 4214 * 20_912);
    row.phase(0x8000);
    // Half a packet, 2107 bytes, is owed since the start: 512,000,000 + 2107 x 20,912.
    assert_eq!(row.due(), Some(556_061_584));
    // Sent at tick 2250 = 1,152,000,000: not more than a packet time, 88,123,168, is saved up; 4214 - 526 is owed.
    row.on_sent(BYTES, at(2250), 0);
    assert_eq!(row.due(), Some(1_063_876_832 + 3688 * 20_912));
    assert!(row.pacer_open(at(2250)));
    // 4214 - 526 + (4214 x 65,535 >> 18) = 4741 is owed since the last was due.
    row.on_sent(BYTES, at(2250), 0xFFFF);
    assert_eq!(row.due(), Some(1_141_000_288 + 4741 * 20_912));
    assert!(!row.pacer_open(at(2422)) && row.pacer_open(at(2423)));
    // A new hint holds for what is owed already.
    row.on_hint(hint(1), Seq16::new(1), at(2300));
    assert_eq!(row.due(), Some(1_141_000_288 + 4741 * 5228));
}

// REQ-PACE-4
#[test]
fn a_start_without_a_hint_sends_a_small_message_blind_and_announces_a_large_one() {
    let mut row = PaceRow::new(BYTES);
    assert!(row.start(4, at(5), &CONFIG));
    assert!(row.is_fresh() && !row.announces() && row.due().is_none());
    assert!(row.window_open(3, at(5), &CONFIG) && !row.window_open(4, at(5), &CONFIG));
    assert!(row.start(5, at(5), &CONFIG));
    assert!(row.announces() && !row.window_open(0, at(5), &CONFIG));
}

// REQ-PACE-4
#[test]
fn a_remembered_hint_says_how_many_go_blind() {
    let start_again = |n, after: u64| {
        let mut row = hinted(n, 0);
        let started = row.start(100, at(1250) + after, &CONFIG);
        (started, row.blind, row.announces())
    };
    assert!(!start_again(1, START_AGE).0, "not older than 20 us: no start");
    assert_eq!(start_again(1, START_AGE + 1), (true, 16, false));
    // 928,000,000 / 88,123,168 = 10.5
    assert_eq!(start_again(4, MEMORY_AGE), (true, 10, false));
    assert_eq!(start_again(1000, MEMORY_AGE), (true, 0, true));
    assert_eq!(start_again(4, MEMORY_AGE + 1), (true, 0, true), "forgotten");
    for n in 1..200 {
        let blind = (928_000_000 / (4214 * hint(n).decode())).min(16) as u8;
        assert_eq!(start_again(n, MEMORY_AGE), (true, blind, blind == 0), "{n}");
    }
}

// REQ-PACE-5
#[test]
fn hints_are_taken_from_newer_acks_only() {
    let mut row = PaceRow::new(BYTES);
    row.start(100, at(0), &CONFIG);
    assert!(row.on_hint(hint(8), Seq16::new(0xFFFF), at(10)));
    assert!(!row.on_hint(hint(4), Seq16::new(0xFFFF), at(11)));
    assert!(!row.on_hint(hint(4), Seq16::new(0xFFF0), at(11)));
    assert_eq!(row.rate(at(11)), Some(hint(8).decode()));
    assert!(!row.on_hint(hint(4), Seq16::new(1), at(12)));
    assert_eq!(row.rate(at(12)), Some(hint(4).decode()));
}

// REQ-PACE-5
#[test]
fn no_hint_changes_nothing_except_that_a_fresh_connection_goes_by_its_windows_alone() {
    let mut row = hinted(8, 0);
    row.on_hint(Hint::NONE, Seq16::new(1), at(1300));
    assert_eq!(row.rate(at(1300)), Some(hint(8).decode()));
    // An exponent over a mantissa of zero is no hint either.
    for none in [Hint::NONE, Hint::from_bits(0x7800)] {
        let mut row = PaceRow::new(BYTES);
        row.start(100, at(0), &CONFIG);
        assert!(!row.on_hint(none, Seq16::new(0), at(1250)));
        assert!(!row.is_fresh() && row.due().is_none() && row.window_open(10_000, at(1250), &CONFIG));
        assert!(row.limited(true) && !row.limited(false));
        assert!(row.on_hint(hint(1), Seq16::new(1), at(1300)), "a later hint is the first");
        assert_eq!(row.due(), Some(at(1300)));
    }
}

// REQ-PACE-5
#[test]
fn a_request_brings_the_hint_for_its_answer() {
    let mut row = PaceRow::new(BYTES);
    assert!(row.on_request(hint(8), at(100)));
    assert_eq!((row.rate(at(100)), row.due()), (Some(hint(8).decode()), Some(at(100))));
    assert!(!row.on_request(hint(1), at(100) + START_AGE), "the one it has is not old");
    assert_eq!(row.rate(at(100)), Some(hint(8).decode()));
    assert!(!row.on_request(Hint::NONE, at(100_000)));
    assert!(row.on_request(hint(1), at(100_000)));
    assert_eq!(row.rate(at(100_000)), Some(hint(1).decode()));
}

// REQ-PACE-5
#[test]
fn the_first_packet_at_a_first_hint_asks_for_an_ack_and_no_other() {
    let mut row = hinted(8, 0);
    assert!(!row.asks(), "before the phase");
    row.phase(7);
    assert!(row.asks() && !row.asks());
    assert!(!row.on_hint(hint(9), Seq16::new(1), at(2000)));
    assert!(!row.asks());
}

// REQ-PACE-6
#[test]
fn four_packets_late_for_the_own_port_and_the_connection_is_not_limited() {
    let mut row = hinted(1, 0);
    let gap = row.gap();
    let send = |row: &mut PaceRow, ready: u64, waited: u64| {
        row.on_ready(ready);
        row.on_ready(ready + waited);
        row.on_sent(BYTES, ready + waited, 0);
        row.limited(true)
    };
    let flags = [gap + 1, gap + 1, gap, gap + 1, gap + 1, gap + 1, gap + 1, gap + 1, 0]
        .map(|waited| send(&mut row, at(2000), waited));
    assert_eq!(flags, [true, true, true, true, true, true, false, false, true]);
    assert!(!row.limited(false));
}

/// Hints of none, the smallest, the largest, old ones and any: no time is out of range, and a packet always goes within a second.
#[test]
fn whatever_hints_come_a_packet_goes_within_a_second() {
    use rand::{Rng, SeedableRng};
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(21);
    let mut row = PaceRow::new(9216);
    // Pacer time wraps on the way.
    let mut now = 0u64.wrapping_sub(3 * LONGEST_GAP);
    let (mut seq, mut sent) = (0u16, 0);
    for _ in 0..100_000 {
        if rng.gen_bool(0.02) {
            row.start(rng.gen_range(1..10), now, &CONFIG);
        }
        let bits = match rng.gen_range(0..4) {
            0 => 0,
            1 => 1,
            2 => u16::MAX,
            _ => rng.gen(),
        };
        seq = seq.wrapping_add(rng.gen_range(0..3));
        if row.on_hint(Hint::from_bits(bits), Seq16::new(seq), now) {
            row.phase(rng.gen());
        }
        row.on_rtt(rng.gen(), rng.gen(), Time32::new(rng.gen()));
        if row.announces() {
            continue;
        }
        assert!(row.window_open(0, now, &CONFIG), "{row:?}");
        let due = row.due().unwrap_or(now);
        assert!(!is_ahead(due, now.wrapping_add(LONGEST_GAP)), "{row:?}");
        now = if is_ahead(due, now) { due } else { now.wrapping_add(rng.gen_range(0..LONGEST_GAP / 100)) };
        assert!(row.pacer_open(now));
        row.on_sent(rng.gen_range(90..=9216), now, rng.gen());
        assert!(row.owed < 1 << 15);
        sent += 1;
    }
    assert!(sent > 50_000, "{sent}");
}

#[test]
fn values_that_no_pacer_can_have_are_refused() {
    assert_eq!(PaceConfig::new(1250, 4), Ok(CONFIG));
    assert_eq!(PaceConfig::new(0, 4), Err(PaceConfigError::Rtt0 { got: 0, max: (1 << RTT_BITS) - 1 }));
    assert!(PaceConfig::new(1 << RTT_BITS, 4).is_err());
    let window = |quarters, stretch| CONFIG.with_window(quarters, stretch);
    assert_eq!(window(5, 11), Ok(CONFIG));
    assert_eq!(window(3, 7), Err(PaceConfigError::Window { got: 3, min: 4, max: 15 }));
    assert_eq!(window(16, 7), Err(PaceConfigError::Window { got: 16, min: 4, max: 15 }));
    assert_eq!(window(5, 16), Err(PaceConfigError::Stretch { got: 16, max: 15 }));
    assert_eq!(PaceConfig::new(1250, 17), Err(PaceConfigError::Small { got: 17, max: MAX_BLIND }));
}

// REQ-PACE-9
#[test]
fn a_hint_slower_by_more_than_an_eighth_takes_the_stretch_back_and_no_other() {
    // 1024 << 3 is exact on the wire; an eighth more is 1152 << 3.
    let exact = |mantissa: u64| Hint::encode(mantissa << 3);
    assert_eq!(exact(1024).decode(), 1024 << 3);
    for (next, quarters) in [(1152, 1), (900, 1), (1153, 0)] {
        let mut row = hinted(1, 0);
        assert!(!row.on_hint(exact(1024), Seq16::new(1), at(1250)));
        row.on_held();
        row.on_hint(exact(1024), Seq16::new(2), at(1250 + 1250));
        assert_eq!(row.stretch.quarters(), 1);
        row.on_hint(exact(next), Seq16::new(3), at(1250 + 1251));
        assert_eq!(row.stretch.quarters(), quarters, "{next} after 1024");
    }
}
