//! The oracle: what really became of every transmission, and what the sender took it for.

use heddle_model::map::RingMap;
use heddle_model::Psn;

/// Totals of one history.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub transmissions: u64,
    pub resends: u64,
    pub probes: u64,
    pub lost: u64,
    pub acks: u64,
    pub expiries: u64,
    pub deaths: u64,
    pub stale: u64,
    pub invalid: u64,
    /// Lost transmissions that a later arrival proved lost.
    pub found_by_evidence: u64,
    /// Lost transmissions that a timer gave up.
    pub found_by_timer: u64,
    /// Transmissions taken for lost that were not, by evidence and by timers.
    pub spurious_by_evidence: u64,
    pub spurious_by_timer: u64,
    pub done_at: u64,
    pub violations: Vec<String>,
}

impl Tally {
    pub fn violation(&mut self, what: String) {
        if self.violations.len() < 4 {
            self.violations.push(what);
        }
    }

    pub fn add(&mut self, other: &Self) {
        self.transmissions += other.transmissions;
        self.resends += other.resends;
        self.probes += other.probes;
        self.lost += other.lost;
        self.acks += other.acks;
        self.expiries += other.expiries;
        self.deaths += other.deaths;
        self.stale += other.stale;
        self.invalid += other.invalid;
        self.found_by_evidence += other.found_by_evidence;
        self.found_by_timer += other.found_by_timer;
        self.spurious_by_evidence += other.spurious_by_evidence;
        self.spurious_by_timer += other.spurious_by_timer;
        self.done_at = self.done_at.max(other.done_at);
    }
}

/// Who takes a transmission for lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judge {
    Evidence,
    Timer,
}

/// The newest transmission of each packet of one path.
#[derive(Clone, Copy, Default)]
pub struct PathTruth {
    was_lost: RingMap,
}

impl PathTruth {
    pub fn sent(&mut self, psn: Psn, lost: bool, tally: &mut Tally) {
        tally.transmissions += 1;
        if lost {
            tally.lost += 1;
            self.was_lost.set(psn);
        } else {
            self.was_lost.clear(psn);
        }
    }

    /// The sender takes the newest transmission of each of `psns` for lost.
    pub fn judged(&self, psns: RingMap, judge: Judge, tally: &mut Tally) {
        let right = u64::from((psns & self.was_lost).count());
        let wrong = u64::from((psns & !self.was_lost).count());
        let (found, spurious) = match judge {
            Judge::Evidence => (&mut tally.found_by_evidence, &mut tally.spurious_by_evidence),
            Judge::Timer => (&mut tally.found_by_timer, &mut tally.spurious_by_timer),
        };
        *found += right;
        *spurious += wrong;
    }
}
