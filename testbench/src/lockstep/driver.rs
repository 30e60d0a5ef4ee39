//! A source: offers transactions on a link, with idle cycles between them.

use super::link::Link;
use super::stall::Pace;

/// Offers one transaction at a time and keeps it until it is taken.
#[derive(Clone, Debug)]
pub struct Driver<T> {
    pace: Pace,
    current: Option<T>,
    sent: u64,
}

impl<T> Driver<T> {
    /// A source with the idle cycles of `pace`.
    pub fn new(pace: Pace) -> Self {
        Self { pace, current: None, sent: 0 }
    }

    /// The transaction to drive in this cycle, if any; `next` makes a new one, or none, when the last was taken and
    /// the pattern lets one start. Call once per cycle.
    pub fn offer(&mut self, next: impl FnOnce() -> Option<T>) -> Option<&T> {
        let go = self.pace.go();
        if self.current.is_none() && go {
            self.current = next();
        }
        self.current.as_ref()
    }

    /// Tells what the link did in this cycle.
    pub fn settle(&mut self, link: &Link<T>) {
        if self.current.is_some() && link.crossing().is_some() {
            self.current = None;
            self.sent += 1;
        }
    }

    /// Transactions taken.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Transactions made: those taken and the one on offer.
    pub fn made(&self) -> u64 {
        self.sent + u64::from(self.current.is_some())
    }

    /// Withdraws the offer, as a source does that is reset.
    pub fn reset(&mut self) {
        self.current = None;
    }
}
