//! A run as it goes: the capture, what is to be plotted, and a progress bar on a terminal.

use super::outputs::Capture;
use heddle_testbench::cosim::{Goodput, Observer, Scenario, Transmission};
use indicatif::{ProgressBar, ProgressStyle};
use std::io;

/// What was seen of a run.
pub struct Seen<'a> {
    /// The capture, still to be put in place.
    pub capture: Option<Capture<'a>>,
    /// Payload over time.
    pub goodput: Goodput,
}

/// Looks at a run.
pub struct Show<'a> {
    bar: ProgressBar,
    seen: Seen<'a>,
}

impl<'a> Show<'a> {
    /// For messages of `bytes`.
    pub fn new(scenario: &Scenario, bytes: u64, capture: Option<Capture<'a>>) -> Self {
        // Drawn on standard error, and there only when it is a terminal.
        let bar = ProgressBar::new(bytes);
        let style = ProgressStyle::with_template("{bar:40} {bytes} of {total_bytes} completed, {elapsed}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        // A microsecond, until the run is longer than that many.
        let step = u64::from(scenario.config().clock_hz()) / 1_000_000;
        Self { bar, seen: Seen { capture, goodput: Goodput::new(scenario.planes(), step) } }
    }

    /// The run is over.
    pub fn finish(self) -> Seen<'a> {
        self.bar.finish_and_clear();
        self.seen
    }
}

impl Observer for Show<'_> {
    fn on_frame(&mut self, seen: &Transmission<'_>) -> io::Result<()> {
        match &mut self.seen.capture {
            Some(capture) => capture.write(seen),
            None => Ok(()),
        }
    }

    fn on_payload(&mut self, plane: u8, cycle: u64, bytes: u64) {
        self.seen.goodput.add(plane, cycle, bytes);
    }

    fn on_progress(&mut self, bytes: u64) {
        self.bar.set_position(bytes);
    }
}
