//! Which cycles a waveform shows.

use super::oracle::FirstLoss;
use super::run::Outcome;
use std::ops::Range;

/// Cycles before the loss, and after its resend has left.
const MARGIN: u64 = 500;
/// Most cycles of a window: what keeps the waveform of a core below 50 MB.
const MOST: u64 = 8_000;

/// The cycles around the first loss and its resend; around the first packets of a run without a loss.
pub fn wave_window(outcome: &Outcome) -> Range<u64> {
    let Some(FirstLoss { lost_at, resent_at, .. }) = outcome.first_loss else {
        return 0..outcome.end.min(MOST);
    };
    let start = lost_at.saturating_sub(MARGIN);
    // One that was never sent again shows the loss alone.
    let end = resent_at.unwrap_or(lost_at) + MARGIN;
    start..end.min(start + MOST)
}
