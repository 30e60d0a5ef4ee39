//! A run as it goes: the capture, the paths, what is to be plotted, and a progress bar on a terminal.

use super::outputs::{Capture, PathTrace};
use heddle_testbench::cosim::{Goodput, Observer, PathSample, Scenario, Transmission};
use indicatif::{ProgressBar, ProgressStyle};
use std::io;

/// What was seen of a run.
pub struct Seen<'a> {
    /// The capture, still to be put in place.
    pub capture: Option<Capture<'a>>,
    /// State of the paths over time, still to be put in place.
    pub paths: Option<PathTrace>,
    /// Payload over time.
    pub goodput: Goodput,
}

/// Looks at a run.
pub struct Show<'a> {
    bar: ProgressBar,
    seen: Seen<'a>,
    /// Cycles of 10 us.
    look_every: u64,
}

impl<'a> Show<'a> {
    /// For messages of `bytes`.
    pub fn new(
        scenario: &Scenario,
        bytes: u64,
        capture: Option<Capture<'a>>,
        paths: Option<PathTrace>,
    ) -> Self {
        // Drawn on standard error, and there only when it is a terminal.
        let bar = ProgressBar::new(bytes);
        let style = ProgressStyle::with_template("{bar:40} {bytes} of {total_bytes} completed, {elapsed}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        // A microsecond, until the run is longer than that many.
        let step = u64::from(scenario.config().clock_hz()) / 1_000_000;
        let goodput = Goodput::new(scenario.planes(), step);
        Self { bar, seen: Seen { capture, paths, goodput }, look_every: 10 * step }
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

    fn paths_every(&self) -> Option<u64> {
        self.seen.paths.as_ref().map(|_| self.look_every)
    }

    fn on_path(&mut self, sample: &PathSample) -> io::Result<()> {
        match &mut self.seen.paths {
            Some(paths) => paths.serialize(sample).map_err(io::Error::other),
            None => Ok(()),
        }
    }

    fn on_progress(&mut self, bytes: u64) {
        self.bar.set_position(bytes);
    }
}
