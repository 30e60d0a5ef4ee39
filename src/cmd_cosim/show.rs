//! A run as it goes: the capture, and a progress bar on a terminal.

use super::outputs::Capture;
use heddle_testbench::cosim::{Observer, Transmission};
use indicatif::{ProgressBar, ProgressStyle};
use std::io;

/// Looks at a run.
pub struct Show<'a> {
    bar: ProgressBar,
    capture: Option<Capture<'a>>,
}

impl<'a> Show<'a> {
    /// For a file of `bytes`.
    pub fn new(bytes: u64, capture: Option<Capture<'a>>) -> Self {
        // Drawn on standard error, and there only when it is a terminal.
        let bar = ProgressBar::new(bytes);
        let style = ProgressStyle::with_template("{bar:40} {bytes} of {total_bytes} completed, {elapsed}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Self { bar, capture }
    }

    /// The run is over; the capture is still to be put in place.
    pub fn finish(self) -> Option<Capture<'a>> {
        self.bar.finish_and_clear();
        self.capture
    }
}

impl Observer for Show<'_> {
    fn on_frame(&mut self, seen: &Transmission<'_>) -> io::Result<()> {
        match &mut self.capture {
            Some(capture) => capture.write(seen),
            None => Ok(()),
        }
    }

    fn on_progress(&mut self, bytes: u64) {
        self.bar.set_position(bytes);
    }
}
