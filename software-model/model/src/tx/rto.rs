//! Round-trip time and retransmission timer of each transmit path.
//!
//! Integer, in ticks of 8 ns; docs/blocks/tx-rto.md holds the widths. The row holds a deadline and no timer:
//! a scanner asks [`RtoRow::expired`] again and again. After an expiry the timer stands still until the
//! packet that the expiry asked for is sent, however long the pacer keeps it.

use heddle_wire::Time32;
use thiserror::Error;

/// Longest interval between two expiries: 1 s (section 5).
pub const MAX_INTERVAL_TICKS: u32 = 125_000_000;
/// First repeat of an expiry without a round-trip sample: 100 us (section 6), doubling.
pub const REPEAT_TICKS: u32 = 12_500;
/// Random addition to a repeat: up to 25 us (section 6).
pub const REPEAT_JITTER_TICKS: u32 = 3_125;
/// Expiries in a row that make a route dead (section 5).
pub const DEAD_AFTER: u8 = 2;
/// The same on a path without a round-trip sample (section 6).
pub const DEAD_AFTER_WITHOUT_SAMPLE: u8 = 4;
/// A round-trip sample is below 2^21 ticks: an older echo is stale.
pub const SAMPLE_BITS: u32 = 21;

/// Doublings that bring the shortest interval, 2 ticks, beyond [`MAX_INTERVAL_TICKS`]: 5 bits.
const MAX_BACKOFF: u8 = 26;

/// The configured times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RtoConfig {
    ack_delay_ticks: u16,
    rto0_ticks: u32,
}

/// A time that no timer can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RtoConfigError {
    /// The receiver's delay T must be at least a tick, or a path without jitter would expire with each
    /// packet.
    #[error("an ACK delay of no ticks: at least 1 is needed")]
    AckDelay,
    /// RTO0.
    #[error("an RTO0 of {got} ticks: 1 to {max} are possible")]
    Rto0 {
        /// The value given.
        got: u32,
        /// The largest possible.
        max: u32,
    },
}

impl RtoConfig {
    /// T = 2 us, RTO0 = 200 us (sections 4 and 6).
    pub const DEFAULT: Self = Self { ack_delay_ticks: 250, rto0_ticks: 25_000 };

    /// The first interval of a path without a sample, in ticks.
    pub const fn rto0_ticks(&self) -> u32 {
        self.rto0_ticks
    }

    /// The T of the peer's receiver, in ticks.
    pub const fn ack_delay_ticks(&self) -> u16 {
        self.ack_delay_ticks
    }

    /// `ack_delay_ticks`: the T of the peer's receiver. `rto0_ticks`: the first interval of a path without a
    /// sample.
    pub fn new(ack_delay_ticks: u16, rto0_ticks: u32) -> Result<Self, RtoConfigError> {
        if ack_delay_ticks == 0 {
            return Err(RtoConfigError::AckDelay);
        }
        if rto0_ticks == 0 || rto0_ticks > MAX_INTERVAL_TICKS {
            return Err(RtoConfigError::Rto0 { got: rto0_ticks, max: MAX_INTERVAL_TICKS });
        }
        Ok(Self { ack_delay_ticks, rto0_ticks })
    }
}

/// What a packet of a path is sent for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentAs {
    /// A new packet: from now on something is in flight.
    New,
    /// A resend by evidence.
    Resend,
    /// What an expiry asked for, or a question: a resend or a PROBE.
    Awaited,
}

/// What an expiry asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// Resend the highest unreceived packet with ACK_REQ as soon as the pacer allows (EXPIRE of the path
    /// engine); a PROBE where plenty is queued, which the scheduler knows.
    Resend,
    /// Send a PROBE: nothing is known of this path's round trip, so data is not risked.
    Probe,
    /// The route is dead: change it (DEAD of the path engine).
    Dead,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Timer {
    /// Nothing is in flight.
    #[default]
    Stopped,
    /// Expires when the deadline is not ahead of now.
    Until(Time32),
    /// Stands still until the packet that the last expiry asked for is sent.
    Waiting,
}

/// State of one path, 92 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RtoRow {
    /// Smoothed round-trip time, 1/8 tick, 24 bits.
    srtt_x8: u32,
    /// Its variation, 1/8 tick, 24 bits.
    rttvar_x8: u32,
    /// Whether there was a sample.
    sampled: bool,
    /// Doublings of the interval, 5 bits.
    backoff: u8,
    /// Expiries in a row, 2 bits.
    expiries: u8,
    /// An expiry was not followed by progress yet.
    suspended: bool,
    /// The connection is fresh: the path is timed as one without a sample.
    fresh: bool,
    /// State and deadline, 2 + 32 bits.
    timer: Timer,
}

impl RtoRow {
    /// Whether new packets may go on this path and its packets count as the connection's in flight: not
    /// between an expiry and the next progress.
    // REQ-RTO-6
    pub fn usable(&self) -> bool {
        !self.suspended
    }

    /// Whether the packet that the last expiry asked for is still to be sent; progress withdraws it.
    pub fn awaits_send(&self) -> bool {
        self.timer == Timer::Waiting
    }

    /// The smoothed round-trip time in ticks, rounded down; none before the first sample.
    pub fn srtt_ticks(&self) -> Option<u32> {
        self.sampled.then_some(self.srtt_x8 >> 3)
    }

    /// Whether a round trip is known that counts.
    pub(crate) fn is_measured(&self) -> bool {
        self.sampled && !self.fresh
    }

    /// The connection becomes fresh, or is no more.
    pub fn set_fresh(&mut self, fresh: bool) {
        self.fresh = fresh;
    }

    /// A running timer expires `ticks` from now at the latest.
    // REQ-PACE-7
    pub fn hasten(&mut self, now: Time32, ticks: u32) {
        let latest = now.plus(ticks);
        if self.deadline().is_some_and(|deadline| deadline.is_ahead(latest)) {
            self.timer = Timer::Until(latest);
        }
    }

    /// RTO = srtt + max(4 rttvar, T) + T, rounded down to ticks, below 2^24; RTO0 without a sample or while fresh. No
    /// backoff.
    // REQ-RTO-2
    pub fn rto_ticks(&self, config: &RtoConfig) -> u32 {
        if !self.is_measured() {
            return config.rto0_ticks;
        }
        let t = u32::from(config.ack_delay_ticks);
        (self.srtt_x8 >> 3) + (self.rttvar_x8 >> 1).max(t) + t
    }

    /// Ticks to the next expiry. `random` is 16 fresh random bits.
    // REQ-RTO-3
    fn interval_ticks(&self, config: &RtoConfig, random: u16) -> u32 {
        let (base, jitter) = match (self.is_measured(), self.expiries) {
            (false, repeat @ 1..) => {
                (REPEAT_TICKS << (repeat - 1), (u32::from(random) * REPEAT_JITTER_TICKS) >> 16)
            }
            _ => (self.rto_ticks(config), 0),
        };
        let backed_off = (u64::from(base) << self.backoff) + u64::from(jitter);
        backed_off.min(MAX_INTERVAL_TICKS.into()) as u32
    }

    fn restart(&mut self, now: Time32, config: &RtoConfig, random: u16) {
        self.timer = Timer::Until(now.plus(self.interval_ticks(config, random)));
    }

    /// A packet of this path is sent. A stopped timer is started by a new packet alone: a PROBE, or a resend that
    /// was decided on before an ACK of everything, leaves nothing in flight to wait for. While an expiry's packet
    /// waits, only that packet counts.
    // REQ-RTO-4
    pub fn on_sent(&mut self, sent: SentAs, now: Time32, config: &RtoConfig, random: u16) {
        let counts = match self.timer {
            Timer::Stopped => sent == SentAs::New,
            Timer::Until(_) => true,
            Timer::Waiting => sent == SentAs::Awaited,
        };
        if counts {
            self.restart(now, config, random);
        }
    }

    /// A good ACK: `sample_ticks` is now - ts_echo - hold, none when hold is saturated; `newly` packets are
    /// newly known received and `inflight` are still unknown.
    // REQ-RTO-5
    pub fn on_ack(
        &mut self,
        sample_ticks: Option<u32>,
        newly: u16,
        inflight: u16,
        now: Time32,
        config: &RtoConfig,
    ) {
        if let Some(sample) = sample_ticks {
            self.sample(sample);
        }
        if newly > 0 {
            self.expiries = 0;
            self.backoff = 0;
            self.suspended = false;
            match inflight {
                0 => self.timer = Timer::Stopped,
                _ => self.restart(now, config, 0),
            }
        }
    }

    /// RFC 6298 (2.2) and (2.3): alpha = 1/8 and beta = 1/4 as shifts, each rounded down; 3 fraction bits
    /// kept.
    // REQ-RTO-1
    fn sample(&mut self, ticks: u32) {
        // hold is the peer's word: a sample that it makes impossible is none.
        if ticks >> SAMPLE_BITS != 0 {
            return;
        }
        let sample_x8 = ticks << 3;
        if self.sampled {
            let error_x8 = self.srtt_x8.abs_diff(sample_x8);
            self.rttvar_x8 = self.rttvar_x8 - (self.rttvar_x8 >> 2) + (error_x8 >> 2);
            self.srtt_x8 = self.srtt_x8 - (self.srtt_x8 >> 3) + ticks;
        } else {
            (self.srtt_x8, self.rttvar_x8, self.sampled) = (sample_x8, sample_x8 >> 1, true);
        }
    }

    /// When the timer expires, if it runs.
    pub fn deadline(&self) -> Option<Time32> {
        match self.timer {
            Timer::Until(deadline) => Some(deadline),
            Timer::Stopped | Timer::Waiting => None,
        }
    }

    /// Whether [`Self::expired`] has something to say.
    pub fn is_due(&self, now: Time32) -> bool {
        self.deadline().is_some_and(|deadline| !deadline.is_ahead(now))
    }

    /// Asks whether the timer has expired, and what for.
    // REQ-RTO-7
    pub fn expired(&mut self, now: Time32, config: &RtoConfig, random: u16) -> Option<Expiry> {
        if !self.is_due(now) {
            return None;
        }
        self.suspended = true;
        self.expiries += 1;
        let dead_after = if self.is_measured() { DEAD_AFTER } else { DEAD_AFTER_WITHOUT_SAMPLE };
        if self.expiries >= dead_after {
            self.on_dead(now, config, random);
            return Some(Expiry::Dead);
        }
        self.timer = Timer::Waiting;
        Some(if self.is_measured() { Expiry::Resend } else { Expiry::Probe })
    }

    /// The route is dead, by expiry or because its plane lost its carrier: the backoff doubles, the count
    /// starts anew.
    // REQ-RTO-8
    pub fn on_dead(&mut self, now: Time32, config: &RtoConfig, random: u16) {
        self.suspended = true;
        self.expiries = 0;
        self.backoff = (self.backoff + 1).min(MAX_BACKOFF);
        self.restart(now, config, random);
    }
}

#[cfg(test)]
mod tests;
