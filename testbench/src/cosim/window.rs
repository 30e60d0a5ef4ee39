//! Which cycles a waveform shows.

use super::error::RunError;
use super::oracle::FirstLoss;
use super::run::Outcome;
use std::ops::Range;

/// Cycles before what is looked at, and after it.
const MARGIN: u64 = 500;
/// Most cycles of a window: what keeps the waveform of a core below 50 MB.
const MOST: u64 = 4_000;

/// The cycles around the first difference from the model; without one, around the first loss and its resend;
/// without a loss, the first cycles of the run.
pub fn wave_window(outcome: &Outcome) -> Range<u64> {
    if let Some(cycle) = outcome.differences.iter().map(|(_, one)| one.cycle).min() {
        return around(cycle.max(0) as u64);
    }
    let Some(FirstLoss { lost_at, resent_at, .. }) = outcome.first_loss else {
        return 0..outcome.end.min(MOST);
    };
    let start = lost_at.saturating_sub(MARGIN);
    // One that was never sent again shows the loss alone.
    let end = resent_at.unwrap_or(lost_at) + MARGIN;
    start..end.min(start + MOST)
}

/// The cycles around what went wrong.
pub fn failure_window(error: &RunError) -> Option<Range<u64>> {
    error.cycle().map(around)
}

fn around(cycle: u64) -> Range<u64> {
    cycle.saturating_sub(MOST - MARGIN)..cycle + MARGIN
}
