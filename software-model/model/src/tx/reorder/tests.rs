//! The guard's rise and fall, by hand.

use super::*;

// REQ-TX-12
#[test]
fn duplicates_that_resends_explain_raise_the_guard_to_a_quarter_of_the_window() {
    let mut row = ReorderRow { dup_count: 0xFFFE, ..ReorderRow::default() };
    let mut guards = vec![];
    for dup_count in [0xFFFF, 0, 1, 2, 3] {
        row.on_resend();
        row.on_ack(dup_count, 1);
        guards.push(row.guard(false));
    }
    assert_eq!(guards, [4, 12, 28, 60, 64], "across the wrap of the counter");
}

// REQ-TX-12
#[test]
fn duplicates_without_resends_are_the_networks() {
    let mut row = ReorderRow::default();
    row.on_ack(9, 1);
    assert_eq!(row.guard(false), 0);
    row.on_resend();
    row.on_ack(9, 1);
    assert_eq!(row.guard(false), 0, "this resend was not in vain");
    row.on_ack(8, 1);
    assert_eq!(row.dup_count, 9, "a count that is behind changes nothing");
}

// REQ-TX-12
#[test]
fn duplicates_are_laid_to_the_timers_first() {
    let mut row = ReorderRow::default();
    row.on_given_up(2);
    for _ in 0..4 {
        row.on_resend();
    }
    row.on_ack(2, 1);
    assert_eq!((row.guard(false), row.resends), (0, 4));
    row.on_ack(4, 1);
    assert_eq!((row.guard(false), row.resends), (4, 2));
    row.on_given_up(256);
    assert_eq!(row.given_up, 255);
}

// REQ-TX-12
#[test]
fn the_guard_falls_by_a_quarter_per_window_without_a_resend_in_vain() {
    let mut row = ReorderRow { guard: 64, ..ReorderRow::default() };
    let mut guards = vec![];
    for _ in 0..16 {
        row.on_ack(0, 255);
        row.on_ack(0, 1);
        guards.push(row.guard(false));
    }
    assert_eq!(guards, [48, 36, 27, 20, 15, 11, 8, 6, 4, 3, 2, 1, 0, 0, 0, 0]);
}

// REQ-TX-12
#[test]
fn an_expiry_waives_the_guard_until_progress() {
    let row = ReorderRow { guard: 28, ..ReorderRow::default() };
    assert_eq!((row.guard(true), row.guard(false)), (0, 28));
}

#[test]
fn the_fields_stay_in_their_widths() {
    let (mut row, mut highest) = (ReorderRow::default(), 0);
    for step in 0..2000u16 {
        row.on_resend();
        row.on_ack(step / 7 * 5, if step % 3 == 0 { 256 } else { 0 });
        assert!(row.clean < 512);
        highest = highest.max(row.guard);
    }
    assert_eq!(highest, MAX_GUARD);
}
