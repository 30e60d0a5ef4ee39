//! Receiver hints: one inverse rate for everybody who sends to this port.
//!
//! Counts the *limited* connections, measures what the others take, and divides once per 10 us; every ACK carries the quotient times the
//! count. Connections that start together are gathered before they are answered. docs/blocks/rx-hint.md holds the widths and worked
//! examples.

mod config;
mod planes;

pub use config::{HintConfig, HintConfigError};
pub use planes::{MAX_WINDOW, WINDOW_PACKETS};

use heddle_wire::hint::UNITS_PER_PS;
use heddle_wire::{Hint, Time32};
use planes::Planes;
use std::collections::VecDeque;

/// One interval: 10 us (section 4).
pub const INTERVAL_TICKS: u32 = 1250;
/// The same in 1/64 ps: a byte per interval is this long.
pub const INTERVAL_UNITS: u64 = INTERVAL_TICKS as u64 * 8_000 * UNITS_PER_PS;
/// A connection newly limited after more silence than 50 us is a newcomer (section 4).
pub const NEWCOMER_TICKS: u32 = 6_250;
/// Silence that ends a limited connection: 1 ms (section 4), or four packet times when they are longer.
pub const SILENCE_TICKS: u32 = 125_000;
/// Periods of T that a newcomer waits at most (section 4).
pub const MAX_PERIODS: u8 = 5;
/// d after an interval whose arrivals were mostly marked: 0.95 (section 4) in Q16, rounded down.
pub const DRAIN_Q16: u64 = 62_259;
/// Share of B that one connection alone is told: 0.98 (section 4) in Q16, rounded down, which takes back what the target leaves free.
pub const ALONE_Q16: u64 = 64_225;
/// Bytes that the sender's MAC adds to a frame without FCS: FCS 4, preamble 8, gap 12. Source: IEEE 802.3.
pub const MAC_BYTES: u32 = 24;

/// What arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Connection index.
    pub conn: u16,
    /// Plane that it came in on.
    pub plane: u8,
    /// HINT_LIMITED was set.
    pub limited: bool,
    /// Bytes on the wire, with what the MAC adds.
    pub bytes: u32,
    /// It is DATA, and this is its CE mark; none of a PROBE.
    pub ce: Option<bool>,
}

/// One connection, 40 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    /// The newest packet said so, and silence did not end it.
    limited: bool,
    /// It was limited before.
    known: bool,
    /// When its newest packet came, 32 bits.
    last: Time32,
    /// ACKs wait.
    gathered: bool,
    /// Periods of T waited for, 3 bits.
    periods: u8,
}

/// A newcomer's period of T, 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Period {
    conn: u16,
    end: Time32,
    /// Newcomers counted when it began.
    newcomers: u16,
}

/// The block: one receiving port.
#[derive(Clone, Debug)]
pub struct RxHint {
    config: HintConfig,
    rows: Vec<Row>,
    /// Limited connections, n.
    limited: u32,
    /// Bytes of all others in this interval, 22 bits, saturating.
    light_bytes: u32,
    /// Their smoothed count per interval, 1/8 byte, 25 bits.
    light_x8: u32,
    /// DATA packets in this interval, and the marked ones, 16 bits each.
    arrivals: u32,
    marked: u32,
    /// B: inverse rate of one connection alone, 1/64 ps per byte, 29 bits.
    level: u64,
    planes: Planes,
    /// When this interval began; none before the first arrival.
    began: Option<Time32>,
    /// No limited connection's newest packet is older.
    oldest: Time32,
    /// Newcomers so far, 16 bits, wraps.
    newcomers: u16,
    periods: VecDeque<Period>,
}

impl RxHint {
    /// Nobody is known of `connections`.
    pub fn new(connections: u32, config: HintConfig) -> Self {
        let planes = Planes::new(&config);
        let mut block = Self {
            config,
            rows: vec![Row::default(); connections as usize],
            limited: 0,
            light_bytes: 0,
            light_x8: 0,
            arrivals: 0,
            marked: 0,
            level: 0,
            planes,
            began: None,
            oldest: Time32::default(),
            newcomers: 0,
            periods: VecDeque::new(),
        };
        block.divide(false);
        block
    }

    /// What link or host can take changes, from the next interval on. A value that cannot be is refused.
    pub fn set_target(&mut self, target_bytes: u32) -> Result<(), HintConfigError> {
        let HintConfig { target_bytes, .. } = HintConfig::new(target_bytes)?;
        self.config = HintConfig { target_bytes, ..self.config };
        Ok(())
    }

    /// A plane's carrier is lost, or is back: hints follow at once.
    // REQ-HINT-5
    pub fn set_plane(&mut self, plane: u8, up: bool) {
        self.planes.set(plane, up);
        self.divide(false);
    }

    /// A connection starts anew.
    pub fn reset(&mut self, conn: u16) {
        if let Some(row) = self.rows.get_mut(usize::from(conn)) {
            self.limited -= u32::from(row.limited);
            *row = Row { gathered: row.gathered, ..Row::default() };
        }
    }

    /// Limited connections, n.
    pub fn limited(&self) -> u32 {
        self.limited
    }

    /// A DATA or PROBE of a connection has arrived.
    // REQ-HINT-2, REQ-HINT-4
    pub fn on_arrival(&mut self, arrived: &Arrived, now: Time32) {
        self.pass(now);
        if let Some(ce) = arrived.ce {
            self.arrivals += 1;
            self.marked += u32::from(ce);
            self.planes.on_data(arrived.plane, arrived.bytes);
        }
        let row = &mut self.rows[usize::from(arrived.conn)];
        let silence = now.distance_from(std::mem::replace(&mut row.last, now));
        if !arrived.limited {
            self.limited -= u32::from(std::mem::replace(&mut row.limited, false));
            self.add_light(arrived.bytes);
            return;
        }
        let newcomer = !row.known || silence > NEWCOMER_TICKS;
        if self.join(arrived.conn, now) && newcomer {
            self.gather(arrived.conn, now);
        }
    }

    /// The connection is limited; false when it was.
    fn join(&mut self, conn: u16, now: Time32) -> bool {
        let row = &mut self.rows[usize::from(conn)];
        (row.known, row.last) = (true, now);
        if std::mem::replace(&mut row.limited, true) {
            return false;
        }
        if self.limited == 0 {
            self.oldest = now;
        }
        self.limited += 1;
        true
    }

    /// Something else has arrived that takes its share of the port: an ACK, NAK or RESET.
    // REQ-HINT-1
    pub fn on_other(&mut self, bytes: u32, now: Time32) {
        self.pass(now);
        self.add_light(bytes);
    }

    fn add_light(&mut self, bytes: u32) {
        self.light_bytes = self.light_bytes.saturating_add(bytes).min(HintConfig::MAX_TARGET);
    }

    /// A request for an answer is posted: its responder counts from now on, before its first packet.
    // REQ-HINT-3
    pub fn on_request(&mut self, conn: u16, now: Time32) {
        self.pass(now);
        self.join(conn, now);
    }

    /// The hint that an ACK carries now: B x n, and 0.98 B, rounded up, for one connection alone.
    // REQ-HINT-1
    pub fn hint(&mut self, now: Time32) -> Hint {
        self.pass(now);
        Hint::encode(match self.limited {
            0 | 1 => (self.level * ALONE_Q16).div_ceil(1 << 16),
            n => self.level * u64::from(n),
        })
    }

    /// Whether ACKs of this connection wait, but for those of a complete message.
    // REQ-HINT-4
    pub fn gathers(&self, conn: u16) -> bool {
        self.rows[usize::from(conn)].gathered
    }

    fn gather(&mut self, conn: u16, now: Time32) {
        self.newcomers = self.newcomers.wrapping_add(1);
        let row = &mut self.rows[usize::from(conn)];
        if !std::mem::replace(&mut row.gathered, true) {
            row.periods = 1;
            self.begin_period(conn, now);
        }
    }

    fn begin_period(&mut self, conn: u16, now: Time32) {
        let end = now.plus(self.config.ack_delay_ticks.into());
        self.periods.push_back(Period { conn, end, newcomers: self.newcomers });
    }

    /// The end of the oldest period: T is constant, so they are a FIFO.
    pub fn next_deadline(&self) -> Option<Time32> {
        self.periods.front().map(|period| period.end)
    }

    /// Looks at the oldest period; a connection whose ACKs need not wait any longer.
    // REQ-HINT-4
    pub fn on_tick(&mut self, now: Time32) -> Option<u16> {
        let Period { conn, newcomers, .. } = *self.periods.front().filter(|p| !p.end.is_ahead(now))?;
        self.periods.pop_front();
        let row = &mut self.rows[usize::from(conn)];
        if row.limited && newcomers != self.newcomers && row.periods < MAX_PERIODS {
            row.periods += 1;
            self.begin_period(conn, now);
            return None;
        }
        row.gathered = false;
        Some(conn)
    }

    /// Ends the intervals that have passed.
    fn pass(&mut self, now: Time32) {
        let began = *self.began.get_or_insert(now);
        let mut left = now.distance_from(began);
        while left >= INTERVAL_TICKS {
            if self.is_still() {
                left %= INTERVAL_TICKS;
                break;
            }
            left -= INTERVAL_TICKS;
            self.end_interval(now.minus(left));
        }
        self.began = Some(now.minus(left));
    }

    /// Whether a further interval would change nothing.
    fn is_still(&self) -> bool {
        let counted = self.arrivals + self.light_bytes + self.limited;
        counted == 0
            && self.light_x8 >> 3 == 0
            && self.planes.is_still()
            && self.level == self.level_at(self.planes.target(self.config.target_bytes).into())
    }

    fn end_interval(&mut self, now: Time32) {
        // EWMA 1/8, rounded down, 3 fraction bits kept.
        self.light_x8 = self.light_x8 - (self.light_x8 >> 3) + self.light_bytes;
        let congested = 2 * self.marked > self.arrivals;
        (self.light_bytes, self.arrivals, self.marked) = (0, 0, 0);
        self.end_silent(now);
        self.planes.end_interval(self.limited);
        self.divide(congested);
    }

    /// B, by the only division. `congested`: more than half of the arrivals were marked.
    // REQ-HINT-1
    fn divide(&mut self, congested: bool) {
        let target = u64::from(self.planes.target(self.config.target_bytes));
        self.level = self.level_at(if congested { (target * DRAIN_Q16) >> 16 } else { target });
    }

    /// B when `target` bytes are wanted per interval, the others' share included; rounded up.
    fn level_at(&self, target: u64) -> u64 {
        let light = u64::from(self.light_x8 >> 3);
        INTERVAL_UNITS.div_ceil(target - light.min(target - target.div_ceil(8)))
    }

    /// Connections of which nothing was heard for long are limited no more.
    // REQ-HINT-3
    fn end_silent(&mut self, now: Time32) {
        let silence = self.silence_units();
        let is_silent = |last: Time32| u64::from(now.distance_from(last)) * (8_000 * UNITS_PER_PS) > silence;
        if self.limited == 0 || !is_silent(self.oldest) {
            return;
        }
        self.oldest = now;
        for row in self.rows.iter_mut().filter(|row| row.limited) {
            if is_silent(row.last) {
                row.limited = false;
                self.limited -= 1;
            } else if row.last.is_behind(self.oldest) {
                self.oldest = row.last;
            }
        }
    }

    /// max(1 ms, 4 packet times at the hint), 1/64 ps.
    fn silence_units(&self) -> u64 {
        let packet = u64::from(self.config.packet_bytes) * self.level * u64::from(self.limited.max(1));
        (u64::from(SILENCE_TICKS) * 8_000 * UNITS_PER_PS).max(4 * packet)
    }
}

#[cfg(test)]
mod tests;
