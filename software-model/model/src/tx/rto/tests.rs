//! Round-trip time and timer, worked out by hand.

use super::*;

const CONFIG: RtoConfig = RtoConfig::DEFAULT;

fn at(ticks: u32) -> Time32 {
    Time32::new(ticks)
}

/// A path with one packet in flight since tick 0 and a round trip of `sample` ticks.
fn sampled(sample: u32) -> RtoRow {
    let mut row = RtoRow::default();
    row.on_sent(SentAs::New, at(0), &CONFIG, 0);
    row.on_ack(Some(sample), 1, 1, at(0), &CONFIG);
    row
}

/// The ticks from `from` to the next expiry, found as the scanner does; leaves the row expired.
fn wait(row: &mut RtoRow, from: u32, random: u16) -> (u32, Expiry) {
    let mut probe = *row;
    let (mut low, mut high) = (0, MAX_INTERVAL_TICKS);
    assert!(
        probe.expired(at(from.wrapping_add(high)), &CONFIG, random).is_some(),
        "no expiry within a second"
    );
    while low < high {
        let middle = (low + high) / 2;
        let mut probe = *row;
        match probe.expired(at(from.wrapping_add(middle)), &CONFIG, random) {
            Some(_) => high = middle,
            None => low = middle + 1,
        }
    }
    (low, row.expired(at(from.wrapping_add(low)), &CONFIG, random).expect("found above"))
}

// REQ-RTO-1
#[test]
fn smoothing_follows_rfc_6298_with_shifts_three_and_two() {
    let mut row = sampled(1000);
    assert_eq!((row.srtt_x8, row.rttvar_x8), (8000, 4000), "srtt = R, rttvar = R / 2");
    row.on_ack(Some(1400), 0, 1, at(0), &CONFIG);
    // rttvar: 4000 - 1000 + |8000 - 11200| / 4 = 3800; srtt: 8000 - 1000 + 1400 = 8400.
    assert_eq!((row.srtt_x8, row.rttvar_x8), (8400, 3800));
    row.on_ack(Some(1001), 0, 1, at(0), &CONFIG);
    // rttvar: 3800 - 950 + |8400 - 8008| / 4 = 2948; srtt: 8400 - 1050 + 1001 = 8351.
    assert_eq!((row.srtt_x8, row.rttvar_x8), (8351, 2948));
    assert_eq!(row.srtt_ticks(), Some(1043), "rounded down");
}

// REQ-RTO-1
#[test]
fn impossible_samples_are_ignored_and_the_largest_fits_the_row() {
    let mut row = sampled((1 << 21) - 1);
    for _ in 0..100 {
        row.on_ack(Some(0), 0, 1, at(0), &CONFIG);
        row.on_ack(Some((1 << 21) - 1), 0, 1, at(0), &CONFIG);
        assert!(row.srtt_x8 < 1 << 24 && row.rttvar_x8 < 1 << 24 && row.rto_ticks(&CONFIG) < 1 << 24);
    }
    let before = row;
    row.on_ack(Some(1 << 21), 0, 1, at(0), &CONFIG);
    row.on_ack(Some(u32::MAX), 0, 1, at(0), &CONFIG);
    row.on_ack(None, 0, 1, at(0), &CONFIG);
    assert_eq!(row, before);
}

// REQ-RTO-2
#[test]
fn the_timeout_is_srtt_plus_the_variation_or_t_plus_t() {
    assert_eq!(RtoRow::default().rto_ticks(&CONFIG), 25_000, "RTO0 = 200 us");
    assert_eq!(sampled(1000).rto_ticks(&CONFIG), 1000 + 2000 + 250, "4 rttvar = 2000");
    let mut calm = sampled(1000);
    for _ in 0..100 {
        calm.on_ack(Some(1000), 0, 1, at(0), &CONFIG);
    }
    assert_eq!(calm.rttvar_x8, 3, "the shift rounds down, so it stays above zero");
    assert_eq!(calm.rto_ticks(&CONFIG), 1000 + 250 + 250);
}

// REQ-RTO-4, REQ-RTO-5
#[test]
fn the_timer_runs_from_the_later_of_the_last_send_and_the_last_progress() {
    let rto = 3250;
    let mut row = sampled(1000);
    assert_eq!(row.expired(at(rto - 1), &CONFIG, 0), None);
    row.on_sent(SentAs::New, at(100), &CONFIG, 0);
    assert_eq!(row.expired(at(100 + rto - 1), &CONFIG, 0), None);
    row.on_ack(None, 1, 3, at(500), &CONFIG);
    row.on_ack(None, 0, 3, at(3000), &CONFIG);
    assert_eq!(row.expired(at(500 + rto - 1), &CONFIG, 0), None);
    assert_eq!(
        row.expired(at(500 + rto), &CONFIG, 0),
        Some(Expiry::Resend),
        "an ACK without progress restarts nothing"
    );
    let mut row = sampled(1000);
    row.on_ack(None, 1, 0, at(10), &CONFIG);
    assert_eq!(row.expired(at(10 + MAX_INTERVAL_TICKS), &CONFIG, 0), None, "nothing is in flight");
}

// REQ-RTO-4
#[test]
fn nothing_but_a_new_packet_starts_a_stopped_timer() {
    for sent in [SentAs::Resend, SentAs::Awaited] {
        let mut row = RtoRow::default();
        row.on_sent(sent, at(0), &CONFIG, 0);
        assert_eq!(row.deadline(), None, "{sent:?} of a path with nothing in flight");
        row.on_sent(SentAs::New, at(10), &CONFIG, 0);
        row.on_sent(sent, at(20), &CONFIG, 0);
        assert_eq!(row.deadline(), Some(at(20 + CONFIG.rto0_ticks())), "{sent:?}");
    }
}

// REQ-RTO-4
#[test]
fn the_timer_stands_still_while_the_resend_waits_for_the_pacer() {
    let mut row = sampled(1000);
    assert_eq!(row.expired(at(3250), &CONFIG, 0), Some(Expiry::Resend));
    for later in [3251, 100_000, 50_000_000] {
        assert_eq!(row.expired(at(later), &CONFIG, 0), None, "it waits");
        row.on_sent(SentAs::New, at(later), &CONFIG, 0);
    }
    row.on_sent(SentAs::Awaited, at(60_000_000), &CONFIG, 0);
    assert_eq!(wait(&mut row, 60_000_000, 0), (3250, Expiry::Dead));
}

// REQ-RTO-5, REQ-RTO-6
#[test]
fn between_an_expiry_and_progress_the_path_takes_no_new_data() {
    let mut row = sampled(1000);
    assert!(row.usable());
    assert_eq!(wait(&mut row, 0, 0).1, Expiry::Resend);
    assert!(!row.usable());
    row.on_sent(SentAs::Awaited, at(4000), &CONFIG, 0);
    row.on_ack(Some(900), 0, 1, at(4900), &CONFIG);
    assert!(!row.usable(), "a sample is no progress");
    row.on_ack(None, 2, 1, at(5000), &CONFIG);
    assert!(row.usable());
    assert_eq!((row.expiries, row.backoff), (0, 0));
    let mut dead = sampled(1000);
    dead.on_dead(at(1), &CONFIG, 0);
    assert!(!dead.usable(), "nor after a death");
}

// REQ-RTO-7
#[test]
fn progress_withdraws_an_expiry_that_still_waits() {
    let mut row = sampled(1000);
    wait(&mut row, 0, 0);
    row.on_ack(None, 1, 1, at(4000), &CONFIG);
    assert_eq!(
        wait(&mut row, 4000, 0),
        (3250, Expiry::Resend),
        "the timer runs again, and this is the first in a row"
    );
}

// REQ-RTO-7, REQ-RTO-8, F15.
#[test]
fn the_second_expiry_in_a_row_is_a_dead_route_and_doubles_the_interval() {
    let mut row = sampled(1000);
    let mut now = 0u32;
    for interval in [3250, 6500, 13_000] {
        let (waited, expiry) = wait(&mut row, now, 0);
        assert_eq!((waited, expiry), (interval, Expiry::Resend));
        now = now.wrapping_add(waited + 77);
        row.on_sent(SentAs::Awaited, at(now), &CONFIG, 0);
        let (waited, expiry) = wait(&mut row, now, 0);
        assert_eq!((waited, expiry), (interval, Expiry::Dead));
        now = now.wrapping_add(waited);
    }
    row.on_ack(None, 1, 1, at(now), &CONFIG);
    assert_eq!(wait(&mut row, now, 0), (3250, Expiry::Resend), "progress clears the backoff");
}

// REQ-RTO-3, REQ-RTO-7
#[test]
fn a_path_without_a_sample_probes_three_times_with_doubling_random_repeats() {
    let mut row = RtoRow::default();
    let random = 0xFFFF;
    row.on_sent(SentAs::New, at(0), &CONFIG, random);
    let mut now = 0;
    for (interval, kind) in [
        (25_000, Expiry::Probe),
        (12_500 + 3_124, Expiry::Probe),
        (25_000 + 3_124, Expiry::Probe),
        (50_000 + 3_124, Expiry::Dead),
        (50_000, Expiry::Probe),
        (25_000 + 3_124, Expiry::Probe),
    ] {
        assert_eq!(wait(&mut row, now, random), (interval, kind));
        now += interval;
        if kind == Expiry::Probe {
            row.on_sent(SentAs::Awaited, at(now), &CONFIG, random);
        }
    }
}

// REQ-RTO-3, F19.
#[test]
fn sixty_four_expiries_in_a_row_stay_below_a_second() {
    for start in [None, Some(1), Some(1000), Some((1 << 21) - 1)] {
        let mut row = start.map_or_else(RtoRow::default, sampled);
        let (mut now, mut last, mut deaths) = (0u32, 0, 0);
        row.on_sent(SentAs::New, at(now), &CONFIG, 0);
        for _ in 0..64 {
            let (waited, expiry) = wait(&mut row, now, 0xFFFF);
            assert!(waited <= MAX_INTERVAL_TICKS);
            now = now.wrapping_add(waited);
            last = waited;
            match expiry {
                Expiry::Dead => deaths += 1,
                _ => row.on_sent(SentAs::Awaited, at(now), &CONFIG, 0xFFFF),
            }
        }
        assert_eq!((last, deaths), (MAX_INTERVAL_TICKS, if start.is_some() { 32 } else { 16 }));
        for _ in 0..64 {
            row.on_dead(at(now), &CONFIG, 0);
        }
        assert_eq!(wait(&mut row, now, 0).0, MAX_INTERVAL_TICKS);
    }
}

#[test]
fn impossible_configurations_are_refused() {
    assert_eq!(RtoConfig::new(250, 25_000), Ok(CONFIG));
    assert_eq!(RtoConfig::new(0, 25_000), Err(RtoConfigError::AckDelay));
    for got in [0, MAX_INTERVAL_TICKS + 1] {
        assert_eq!(RtoConfig::new(250, got), Err(RtoConfigError::Rto0 { got, max: MAX_INTERVAL_TICKS }));
    }
}

// REQ-PACE-7
#[test]
fn a_path_of_a_fresh_connection_is_timed_as_one_without_a_sample() {
    let mut row = sampled(1000);
    row.set_fresh(true);
    row.on_sent(SentAs::New, at(0), &CONFIG, 0);
    assert_eq!(wait(&mut row, 0, 0), (25_000, Expiry::Probe));
    row.on_sent(SentAs::Awaited, at(25_000), &CONFIG, 0);
    assert_eq!(wait(&mut row, 25_000, 0), (12_500, Expiry::Probe), "100 us, doubling");
    row.on_sent(SentAs::Awaited, at(37_500), &CONFIG, 0);
    assert_eq!(wait(&mut row, 37_500, 0), (25_000, Expiry::Probe));
    row.on_sent(SentAs::Awaited, at(62_500), &CONFIG, 0);
    assert_eq!(wait(&mut row, 62_500, 0).1, Expiry::Dead);
    // The connection is fresh no more: the sample counts again.
    let mut row = sampled(1000);
    row.set_fresh(true);
    row.set_fresh(false);
    row.on_sent(SentAs::New, at(0), &CONFIG, 0);
    assert_eq!(wait(&mut row, 0, 0), (3250, Expiry::Resend));
}

// REQ-PACE-7
#[test]
fn the_first_hint_hastens_timers_that_run_longer_and_no_others() {
    let mut row = RtoRow::default();
    row.hasten(at(100), 1300);
    assert_eq!(row.deadline(), None, "nothing is in flight");
    row.on_sent(SentAs::New, at(100), &CONFIG, 0);
    row.hasten(at(2000), 1300);
    assert_eq!(row.deadline(), Some(at(3300)));
    row.hasten(at(2100), 1300);
    assert_eq!(row.deadline(), Some(at(3300)), "not later than it was");
}
