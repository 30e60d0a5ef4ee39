//! Samples and intervals, worked out by hand. An interval is 1,048,576 ticks.

use super::*;

/// So many ticks into an interval; time wraps in every test.
fn at(interval: u32, ticks: u32) -> Time32 {
    Time32::new((0xFFE_u32 << AGE_BITS).wrapping_add((interval << AGE_BITS) + ticks))
}

/// The minimum after each of these unmarked samples.
fn minima(samples: &[(u32, u32, u32)]) -> Vec<u32> {
    let mut row = MinRtt::default();
    let after = |&(interval, ticks, sample): &(u32, u32, u32)| {
        row.on_sample(sample, false, at(interval, ticks));
        row.ticks().expect("a sample")
    };
    samples.iter().map(after).collect()
}

// REQ-PACE-8
#[test]
fn a_minimum_is_forgotten_when_an_interval_has_passed_without_it() {
    assert_eq!(MinRtt::default().ticks(), None);
    let last = (1 << AGE_BITS) - 1;
    let samples = [
        (0, 9, 1300),
        (0, last, 1250),
        (1, 0, 2000),
        (1, last, 1900),
        (2, 0, 2500),
        (2, 1, 2400),
        (3, 0, 3000),
    ];
    assert_eq!(minima(&samples), [1300, 1250, 1250, 1250, 1900, 1900, 2400]);
    assert_eq!(
        minima(&[(0, 0, 1250), (1, 0, 2000), (1, 1, 1100), (2, 0, 1800), (3, 0, 1800)])[2..],
        [1100, 1100, 1800]
    );
}

// REQ-PACE-8
#[test]
fn a_rest_makes_nothing_forgotten() {
    // Intervals 1 to 6 without a sample: the minimum of interval 0 holds through 7.
    assert_eq!(minima(&[(0, 0, 1250), (7, 0, 2000), (7, 9, 1990), (8, 0, 2100)]), [1250, 1250, 1250, 1990]);
    // Samples in every second interval only.
    assert_eq!(minima(&[(0, 0, 1250), (2, 0, 2000), (4, 0, 2100)]), [1250, 1250, 2000]);
}

// REQ-PACE-8
#[test]
fn the_minimum_is_at_most_four_times_the_shortest_ever() {
    let samples = [
        (0, 0, 1000),
        (1, 0, 4500),
        (2, 0, 4500),
        (3, 0, 9000),
        (4, 0, 3999),
        (4, 1, 900),
        (5, 0, 9000),
        (6, 0, 9000),
    ];
    assert_eq!(minima(&samples), [1000, 1000, 4000, 4000, 3999, 900, 900, 3600]);
}

// REQ-PACE-8
#[test]
fn a_sample_with_marks_lowers_the_minimum_and_never_raises_it() {
    let mut row = MinRtt::default();
    let mut after = |sample, marked, now| {
        row.on_sample(sample, marked, now);
        row.ticks()
    };
    assert_eq!(after(2000, true, at(0, 0)), Some(2000), "the first of all counts");
    assert_eq!(after(1500, true, at(0, 1)), Some(1500));
    for interval in 1..10 {
        assert_eq!(after(1600, true, at(interval, 0)), Some(1500));
    }
    assert_eq!(after(1700, false, at(10, 0)), Some(1500));
    assert_eq!(after(1500, true, at(11, 0)), Some(1500), "no sample, so the interval before stays");
    assert_eq!(after(1700, false, at(11, 1)), Some(1700));
}

// REQ-PACE-8
#[test]
fn a_round_trip_that_cannot_be_changes_nothing() {
    for marked in [false, true] {
        let mut row = MinRtt::default();
        row.on_sample(1 << RTT_BITS, marked, at(0, 0));
        assert_eq!(row, MinRtt::default());
        row.on_sample((1 << RTT_BITS) - 1, marked, at(0, 0));
        assert_eq!(row.ticks(), Some((1 << RTT_BITS) - 1));
        row.on_sample(u32::MAX, marked, at(3, 0));
        row.on_sample(0, marked, at(4, 0));
        assert_eq!(row.ticks(), Some(0));
    }
}
