//! Probe timer of each connection: nothing that the peer alone can tell may be waited for without asking.
//!
//! A report of `done` travels in an ACK, and ACKs are lost. While a message is wholly sent and not done, the timer asks for it with a
//! PROBE: after one RTO without an advance of `done`, then doubling to 1 s, each time on the connection's next path.
//! Mirrors the RTL block `probe`; docs/blocks/tx-probe.md has ports and latency.

use super::rto::MAX_INTERVAL_TICKS;
use heddle_wire::Time32;

/// Doublings that bring the shortest interval beyond [`MAX_INTERVAL_TICKS`]: 5 bits.
const MAX_BACKOFF: u8 = 27;

/// Times that an announcement is repeated before its interval doubles.
const REPEATS: u8 = 7;

/// One connection's timer, 71 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeRow {
    /// RTO of the path that was measured last, 27 bits.
    rto_ticks: u32,
    /// Doublings, 5 bits.
    backoff: u8,
    /// The question that the timer repeats was asked at once.
    announced: bool,
    /// Path of the connection to ask on next.
    path: u8,
    /// Running, and its deadline.
    deadline: Option<Time32>,
}

impl ProbeRow {
    /// A stopped timer; `rto0_ticks` until a path is measured.
    pub fn new(rto0_ticks: u32) -> Self {
        Self { rto_ticks: rto0_ticks, backoff: 0, announced: false, path: 0, deadline: None }
    }

    /// A path of the connection has a new RTO.
    pub fn on_rto(&mut self, rto_ticks: u32) {
        self.rto_ticks = rto_ticks;
    }

    /// A message is wholly sent, or `done` advanced (`progress`). `waiting`: some message is wholly sent and not done.
    pub fn on_message(&mut self, waiting: bool, progress: bool, now: Time32) {
        if progress {
            (self.backoff, self.announced) = (0, false);
        }
        if !waiting {
            self.deadline = None;
        } else if progress || self.deadline.is_none() {
            self.restart(now);
        }
    }

    /// The connection announces itself: the path of the connection to send a PROBE on now. The timer runs, anew, from `interval_ticks`.
    // REQ-PACE-4
    pub fn announce(&mut self, interval_ticks: u32, now: Time32, paths: u32) -> u8 {
        (self.rto_ticks, self.backoff, self.announced) = (interval_ticks, 0, true);
        self.restart(now);
        self.next_path(paths)
    }

    fn next_path(&mut self, paths: u32) -> u8 {
        let path = self.path;
        self.path = ((u32::from(path) + 1) % paths) as u8;
        path
    }

    /// The deadline of a running timer.
    pub fn deadline(&self) -> Option<Time32> {
        self.deadline
    }

    /// When the deadline has passed: the path of the connection to send a PROBE on, and whether it is a repeat. Restarts the timer.
    pub fn expired(&mut self, now: Time32, paths: u32) -> Option<(u8, bool)> {
        if self.deadline.is_none_or(|deadline| deadline.is_ahead(now)) {
            return None;
        }
        let question = (self.next_path(paths), self.announced || self.backoff > 0);
        self.backoff = (self.backoff + 1).min(MAX_BACKOFF);
        self.restart(now);
        Some(question)
    }

    fn restart(&mut self, now: Time32) {
        // REQ-PACE-4: nothing of the connection is on its way that could be in anybody's way.
        let first = if self.announced { REPEATS } else { 0 };
        let doublings = self.backoff.saturating_sub(first);
        let interval = (u64::from(self.rto_ticks) << doublings).min(MAX_INTERVAL_TICKS.into());
        self.deadline = Some(now.plus(interval as u32));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_asks_after_one_rto_then_doubles_to_a_second_on_path_after_path() {
        let mut row = ProbeRow::new(25_000);
        row.on_rto(1000);
        let start = Time32::new(u32::MAX - 10);
        row.on_message(true, false, start);
        assert_eq!(row.expired(start.plus(999), 4), None);
        let (mut now, mut interval) = (start, 1000);
        for repeat in 0..40u8 {
            now = now.plus(interval);
            assert_eq!(row.expired(now, 4), Some((repeat % 4, repeat > 0)));
            interval = (interval * 2).min(MAX_INTERVAL_TICKS);
        }
        assert_eq!(interval, MAX_INTERVAL_TICKS);
    }

    #[test]
    fn an_advance_of_done_starts_anew_and_nothing_to_wait_for_stops_it() {
        let mut row = ProbeRow::new(500);
        row.on_message(true, false, Time32::new(0));
        row.expired(Time32::new(500), 4);
        row.on_message(true, false, Time32::new(600));
        assert_eq!(row.deadline(), Some(Time32::new(1500)), "a further message sent does not put it off");
        row.on_message(true, true, Time32::new(700));
        assert_eq!(row.deadline(), Some(Time32::new(1200)));
        row.on_message(false, true, Time32::new(800));
        assert_eq!(row.deadline(), None);
    }

    // REQ-PACE-4
    #[test]
    fn an_announcement_goes_at_once_and_is_repeated_at_its_interval_doubling_from_the_eighth_repeat_on() {
        let mut row = ProbeRow::new(500);
        row.on_rto(80);
        let now = Time32::new(1_000);
        assert_eq!(row.announce(500, now, 4), 0);
        assert_eq!(row.expired(now.plus(499), 4), None);
        assert_eq!(row.expired(now.plus(500), 4), Some((1, true)));
        for (at, path) in [
            (1000, 2),
            (1500, 3),
            (2000, 0),
            (2500, 1),
            (3000, 2),
            (3500, 3),
            (4000, 0),
            (5000, 1),
            (7000, 2),
        ] {
            assert_eq!(row.deadline(), Some(now.plus(at)));
            assert_eq!(row.expired(now.plus(at), 4), Some((path, true)));
        }
        assert_eq!(row.deadline(), Some(now.plus(11_000)));
        // Answered: what it asks for later is asked for the first time.
        row.on_message(false, true, now.plus(7100));
        assert_eq!(row.deadline(), None);
        row.on_message(true, false, now.plus(8000));
        assert_eq!(row.expired(now.plus(8500), 4), Some((3, false)));
    }
}
