//! A plane as one connection sees it: which of its paths travel there, and whether it is trusted.

use super::RouteConfig;
use crate::tx::rto::MAX_INTERVAL_TICKS;
use heddle_wire::Time32;

/// Doublings that bring the shortest interval, 1 tick, beyond [`MAX_INTERVAL_TICKS`]: 5 bits.
const MAX_BACKOFF: u8 = 27;

/// What a connection thinks of a plane, 2 bits; the order is that in which a plane is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Health {
    /// Paths may travel there.
    #[default]
    Good = 0,
    /// A test was answered and nothing progressed yet: one path may travel there.
    Trial = 1,
    /// A route failed there: avoided, and tested.
    Suspect = 2,
}

/// State of one plane of one connection, 137 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaneRow {
    /// Bit i: path i of the connection travels there, 64 bits.
    pub members: u64,
    /// 2 bits.
    health: Health,
    /// Failures and tests without an answer since the last progress there, 5 bits.
    backoff: u8,
    /// When the next test is due, while suspect and up: 1 + 32 bits.
    test_at: Option<Time32>,
    /// Timestamp of the test that may be answered: 1 + 32 bits.
    asked: Option<Time32>,
}

impl PlaneRow {
    /// Paths of the connection that travel there, 0 to 64.
    pub fn population(&self) -> u32 {
        self.members.count_ones()
    }

    /// What the connection thinks of it.
    pub fn health(&self) -> Health {
        self.health
    }

    /// Whether a path may come to rest there: a trial is of one path.
    pub fn takes_paths(&self) -> bool {
        match self.health {
            Health::Good => true,
            Health::Trial => self.members == 0,
            Health::Suspect => false,
        }
    }

    /// A packet got through there: whatever was thought of it is forgotten.
    pub fn on_progress(&mut self) {
        let members = self.members;
        *self = Self { members, ..Self::default() };
    }

    /// A path that travelled there is dead, and nobody else progressed.
    // REQ-ROUTE-3
    pub fn on_failure(&mut self, now: Time32, config: &RouteConfig) {
        if self.health != Health::Suspect {
            self.health = Health::Suspect;
            self.asked = None;
            self.wait(now, config);
        }
    }

    /// The carrier is lost: there is nothing to test.
    pub fn on_carrier_lost(&mut self) {
        self.health = Health::Suspect;
        (self.test_at, self.asked) = (None, None);
    }

    /// The carrier is back: a test is due now.
    pub fn on_carrier_back(&mut self, now: Time32) {
        self.test_at = Some(now);
    }

    /// When a test is due.
    pub fn test_at(&self) -> Option<Time32> {
        self.test_at
    }

    /// The timestamp of the test that may be answered.
    pub fn asked(&self) -> Option<Time32> {
        self.asked
    }

    /// If a test is due it is sent now, with this timestamp; the next one follows unless it is answered.
    // REQ-ROUTE-4
    pub fn test(&mut self, now: Time32, config: &RouteConfig) -> bool {
        let due = self.test_at.is_some_and(|at| !at.is_ahead(now));
        if due {
            self.asked = Some(now);
            self.wait(now, config);
        }
        due
    }

    /// An answer that echoes `timestamp`; whether it is that of the newest test.
    // REQ-ROUTE-4
    pub fn on_answer(&mut self, timestamp: Time32) -> bool {
        let ours = self.asked == Some(timestamp);
        if ours {
            self.health = Health::Trial;
            (self.test_at, self.asked) = (None, None);
        }
        ours
    }

    /// The next test: after an interval that doubles to 1 s.
    fn wait(&mut self, now: Time32, config: &RouteConfig) {
        let interval = u64::from(config.suspect_ticks()) << self.backoff;
        self.test_at = Some(now.plus(interval.min(MAX_INTERVAL_TICKS.into()) as u32));
        self.backoff = (self.backoff + 1).min(MAX_BACKOFF);
    }
}
