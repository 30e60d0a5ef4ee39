//! Every monitor of a core at once.

use super::monitor::{Report, Watcher};

/// The monitors that watch one view.
pub struct Watchers<V> {
    all: Vec<Box<dyn Watcher<V> + Send>>,
    in_reset: fn(&V) -> bool,
    /// The cycle before was one of reset: there is nothing to forget.
    forgotten: bool,
}

impl<V> Default for Watchers<V> {
    fn default() -> Self {
        Self::resetting(|_| false)
    }
}

impl<V> Watchers<V> {
    /// None yet; they are reset in the cycles in which `in_reset` says that the view is: a core resets its blocks
    /// by itself.
    pub fn resetting(in_reset: fn(&V) -> bool) -> Self {
        Self { all: Vec::new(), in_reset, forgotten: false }
    }

    /// Adds a monitor.
    pub fn add(&mut self, watcher: impl Watcher<V> + Send + 'static) {
        self.all.push(Box::new(watcher));
    }

    /// Shows `view` to every monitor, after `eval` and before the clock edge of `cycle`.
    pub fn watch(&mut self, view: &V, cycle: u64) {
        if !(self.in_reset)(view) {
            self.forgotten = false;
            self.all.iter_mut().for_each(|watcher| watcher.watch(view, cycle));
        } else if !std::mem::replace(&mut self.forgotten, true) {
            self.reset();
        }
    }

    /// A cycle with `rst` high.
    pub fn reset(&mut self) {
        self.all.iter_mut().for_each(|watcher| watcher.reset());
    }

    /// The run is over, and everything was given time to leave: what is still under way is a mismatch.
    pub fn finish(&mut self) {
        self.all.iter_mut().for_each(|watcher| watcher.finish());
    }

    /// A report per monitor, in the order in which they were added.
    pub fn reports(&self) -> Vec<Report> {
        self.all.iter().map(|watcher| watcher.report()).collect()
    }

    /// Sums over all monitors.
    pub fn totals(&self) -> Totals {
        self.reports().iter().fold(Totals::default(), |sum, report| Totals {
            crossed: sum.crossed + report.crossed,
            compared: sum.compared + report.compared,
            explained: sum.explained + report.explained(),
            mismatches: sum.mismatches + report.mismatches,
        })
    }
}

/// Sums over monitors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Requests that went in.
    pub crossed: u64,
    /// Answers compared.
    pub compared: u64,
    /// Requests without an answer, for a counted reason.
    pub explained: u64,
    /// Differences, and broken handshakes.
    pub mismatches: u64,
}
