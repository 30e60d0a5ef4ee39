//! How a connection ends: RESET again and again until it is answered, for a second at most.
//!
//! Owns one row per connection. docs/blocks/tx-reset.md has the widths.

use heddle_wire::{Status, Time32};

/// Longest wait for the answer to a RESET: 1 s. Source: docs/protocol.md section 7.
pub const MAX_WAIT_TICKS: u32 = 125_000_000;
/// First interval between two RESETs, 200 us, doubling: RTO0 of a path without a sample. Source: docs/protocol.md section 6.
pub const FIRST_REPEAT_TICKS: u32 = 25_000;

/// Where a connection is in its life, 2 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Life {
    /// Not set up, or ended: it may be set up anew.
    #[default]
    Closed,
    /// Set up.
    Open,
    /// Ended here; the peer has not answered yet.
    Ending,
}

/// One connection's end, 2 + 8 + 5 + 32 + 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResetRow {
    life: Life,
    /// Why it ends, 8 bits.
    status: Option<Status>,
    /// RESETs sent, 5 bits.
    sent: u8,
    /// When the next RESET is due.
    next: Time32,
    /// When the wait is over.
    end: Time32,
}

/// What a row asks for when its time has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// A RESET, the n-th of this end.
    Reset(u8),
    /// The wait is over: the connection is closed.
    Over,
}

impl ResetRow {
    /// Where the connection is.
    pub fn life(&self) -> Life {
        self.life
    }

    /// It is set up; false while its last incarnation has not ended.
    pub fn open(&mut self) -> bool {
        let closed = self.life == Life::Closed;
        if closed {
            *self = Self { life: Life::Open, ..Self::default() };
        }
        closed
    }

    /// It ends here and now; the peer is told, for `wait` ticks at most. False when it has ended before.
    // REQ-CONN-5
    pub fn end(&mut self, status: Status, wait: u32, now: Time32) -> bool {
        let open = self.life == Life::Open;
        if open {
            let end = now.plus(wait.min(MAX_WAIT_TICKS));
            *self = Self { life: Life::Ending, status: Some(status), sent: 0, next: now, end };
        }
        open
    }

    /// The peer has ended it, or has answered: nothing of it comes any more. Why it ended, unless it was closed before.
    pub fn close(&mut self, status: Status) -> Option<Status> {
        let ended = (self.life != Life::Closed).then(|| self.status.unwrap_or(status));
        *self = Self::default();
        ended
    }

    /// When [`Self::due`] has something to say.
    pub fn deadline(&self) -> Option<Time32> {
        let first = if self.end.is_ahead(self.next) { self.next } else { self.end };
        (self.life == Life::Ending).then_some(first)
    }

    /// What is to be done now.
    // REQ-CONN-6
    pub fn due(&mut self, now: Time32) -> Option<Due> {
        if self.deadline().is_none_or(|at| at.is_ahead(now)) {
            return None;
        }
        if !self.end.is_ahead(now) {
            return Some(Due::Over);
        }
        let interval = (u64::from(FIRST_REPEAT_TICKS) << self.sent).min(MAX_WAIT_TICKS.into());
        self.next = now.plus(interval as u32);
        self.sent = (self.sent + 1).min(31);
        Some(Due::Reset(self.sent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // REQ-CONN-5, REQ-CONN-6
    #[test]
    fn a_reset_is_sent_at_once_then_after_200_us_doubling_and_given_up_after_a_second() {
        let mut row = ResetRow::default();
        assert!(row.open() && !row.open());
        let start = Time32::new(u32::MAX - 1000);
        assert!(row.end(Status::RetryBudget, u32::MAX, start));
        assert!(!row.end(Status::LocalMemory, u32::MAX, start), "an end has one reason");
        let mut sent = vec![];
        let mut now = start;
        while let Some(Due::Reset(n)) = row.due(now) {
            sent.push((n, now.distance_from(start)));
            now = row.deadline().expect("it goes on");
        }
        assert_eq!(row.due(now), Some(Due::Over));
        // By hand: 0, then 25,000 x (2^n - 1) ticks.
        let want: Vec<_> = (0..13u8).map(|n| (n + 1, 25_000 * ((1 << n) - 1))).collect();
        assert_eq!(sent, want);
        assert_eq!(now.distance_from(start), MAX_WAIT_TICKS);
        assert_eq!(row.close(Status::Flushed), Some(Status::RetryBudget));
        assert_eq!((row.life(), row.deadline()), (Life::Closed, None));
        assert!(row.open());
    }

    #[test]
    fn a_connection_that_the_peer_ends_is_closed_once() {
        let mut row = ResetRow::default();
        assert_eq!(row.close(Status::RemoteConnection), None);
        row.open();
        assert_eq!(row.close(Status::RemoteConnection), Some(Status::RemoteConnection));
        assert_eq!(row.close(Status::RemoteConnection), None);
    }
}
