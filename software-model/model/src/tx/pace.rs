//! Window and pacer of each connection: the sender's side of receiver hints.
//!
//! A hint is a time per byte, so every rule is a multiplication. A connection that starts is *fresh* until its next hint: it sends a
//! few packets blind, or announces itself with a PROBE. docs/blocks/tx-pace.md holds the widths and worked examples.
//!
//! Time here is *pacer time*: 64 bits in 1/64 ps, ticks x 512,000. It wraps after 80 hours; a start renews every stamp, so only the
//! age of a hint is ever compared over more than seconds, and that one unsigned.

mod config;
mod min_rtt;
mod stretch;

pub use config::{PaceConfig, PaceConfigError};
pub use min_rtt::{MinRtt, AGE_BITS, MOST_TIMES};
pub use stretch::MAX_STRETCH;

use heddle_wire::hint::UNITS_PER_PS;
use heddle_wire::{Hint, Seq16, Time32};
use stretch::Stretch;

/// Pacer time of one tick of 8 ns.
pub const TICK: u64 = 8_000 * UNITS_PER_PS;
/// A connection whose hint is older than 20 us starts anew (section 6).
pub const START_AGE: u64 = 20_000_000 * UNITS_PER_PS;
/// A hint up to 100 ms old says how many packets go blind (section 6).
pub const MEMORY_AGE: u64 = 100_000_000_000 * UNITS_PER_PS;
/// A hint is stale at 2 ms (section 6), or at four packet times when they are longer.
pub const STALE_AGE: u64 = 2_000_000_000 * UNITS_PER_PS;
/// No packet waits longer for a hint: 1 s, as all timers. A hint of a peer that means harm says up to 280 s.
pub const LONGEST_GAP: u64 = 1_000_000_000_000 * UNITS_PER_PS;
/// Packets that may go blind at most (section 6).
pub const MAX_BLIND: u8 = 16;
/// Packets in a row that wait for the own port alone until the connection is not limited by its hint (section 6).
pub const LATE_PACKETS: u8 = 4;
/// Quarters of a round trip that a window has before it stretches: 1.25 (section 6).
pub const WINDOW_QUARTERS: u8 = 5;
/// A round trip is below 2^21 ticks.
pub const RTT_BITS: u32 = 21;

/// What says how much may be sent, 2 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The peer gives no hints: the windows of the paths alone.
    Alone,
    /// A number of packets in flight, until the next hint.
    Fresh,
    /// Window and pacer, by the hint.
    Hinted,
}

/// State of one connection, 436 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaceRow {
    mode: Mode,
    /// The newest hint; none before the first. 16 bits.
    hint: Hint,
    /// When it came, 64 bits.
    hint_at: u64,
    /// The number of the ACK that it came in, 1 + 16 bits.
    ack_seq: Option<Seq16>,
    /// Since when bytes are owed, 64 bits.
    last: u64,
    /// Bytes, 15 bits: up to 1 1/8 packets.
    owed: u32,
    /// Shortest round trip of late, 77 bits.
    min_rtt: MinRtt,
    /// What the window has more than at first, 93 bits.
    stretch: Stretch,
    /// Packets that a fresh connection may have in flight, 0 to 16: 5 bits.
    blind: u8,
    /// Since when only the own port is in the way, 1 + 64 bits.
    ready_at: Option<u64>,
    /// The next packet asks for an ACK: it is the first at a first hint, and those who were gathered before others came learn of them
    /// from its answer.
    asks: bool,
    /// Packets in a row that waited longer than a packet time for the own port, 0 to 4: 3 bits.
    late: u8,
    /// Bytes of a full packet on the wire, 14 bits; set with the connection.
    packet_bytes: u32,
    /// Stretch at most, quarters of a round trip; set with the connection.
    stretch_quarters: u8,
}

impl PaceRow {
    /// A connection that has never sent; `packet_bytes` is what a full packet takes of the wire, below 2^14.
    pub fn new(packet_bytes: u32) -> Self {
        Self {
            mode: Mode::Alone,
            hint: Hint::NONE,
            hint_at: 0,
            ack_seq: None,
            last: 0,
            owed: 0,
            min_rtt: MinRtt::default(),
            stretch: Stretch::default(),
            blind: 0,
            ready_at: None,
            asks: false,
            late: 0,
            packet_bytes,
            stretch_quarters: MAX_STRETCH,
        }
    }

    /// With the stretch of this configuration.
    pub(crate) fn with_stretch(self, config: &PaceConfig) -> Self {
        Self { stretch_quarters: config.stretch_quarters, ..self }
    }

    /// As new, to the same peer.
    pub fn renewed(&self) -> Self {
        Self { stretch_quarters: self.stretch_quarters, ..Self::new(self.packet_bytes) }
    }

    /// The hint in charge, 1/64 ps per byte; none while fresh, stale or without one.
    pub fn rate(&self, now: u64) -> Option<u64> {
        (self.mode == Mode::Hinted && !self.is_stale(now)).then(|| self.hint.decode())
    }

    /// Whether the connection waits for its first hint since it started.
    pub fn is_fresh(&self) -> bool {
        self.mode == Mode::Fresh
    }

    /// Whether a PROBE must announce the connection, as not even one packet may go blind.
    pub fn announces(&self) -> bool {
        self.mode == Mode::Fresh && self.blind == 0
    }

    /// Time that these bytes take at the hint.
    fn time_of(&self, bytes: u32) -> u64 {
        (u64::from(bytes) * self.hint.decode()).min(LONGEST_GAP)
    }

    /// g: the time of a full packet at the hint.
    pub fn gap(&self) -> u64 {
        self.time_of(self.packet_bytes)
    }

    /// 1.25 min RTT + T, and a quarter of a round trip for each of stretch.
    fn window_time(&self, config: &PaceConfig) -> u64 {
        let rtt = u64::from(self.min_rtt.ticks().unwrap_or(config.rtt0_ticks));
        (u64::from(config.window_quarters + self.stretch.quarters()) * rtt
            + 4 * u64::from(config.ack_delay_ticks))
            * (TICK / 4)
    }

    fn is_stale(&self, now: u64) -> bool {
        now.wrapping_sub(self.hint_at) > STALE_AGE.max(4 * self.gap())
    }

    /// Something is queued while nothing was queued or in flight; `packets` of the message. True when the connection became fresh.
    // REQ-PACE-4
    pub fn start(&mut self, packets: u32, now: u64, config: &PaceConfig) -> bool {
        let known = self.hint != Hint::NONE;
        let age = now.wrapping_sub(self.hint_at);
        if known && age <= START_AGE {
            return false;
        }
        self.blind = match known && age <= MEMORY_AGE {
            true => self.remembered(config),
            false if packets <= config.small_packets.into() => config.small_packets,
            false => 0,
        };
        self.mode = Mode::Fresh;
        (self.last, self.owed, self.late, self.ready_at) = (now, 0, 0, None);
        true
    }

    /// The most packets k <= 16 with k x g <= 1.25 min RTT + T, bit by bit.
    fn remembered(&self, config: &PaceConfig) -> u8 {
        let (gap, room) = (self.gap(), self.window_time(config));
        if gap * u64::from(MAX_BLIND) <= room {
            return MAX_BLIND;
        }
        [8, 4, 2, 1].iter().fold(0u64, |k, bit| if gap * (k + bit) <= room { k + bit } else { k }) as u8
    }

    /// A round trip was measured; `marked`: the ACK told of CE marks.
    pub fn on_rtt(&mut self, ticks: u32, marked: bool, now: Time32) {
        self.min_rtt.on_sample(ticks, marked, now);
    }

    /// The shortest round trip of late in ticks; none before the first.
    pub fn min_rtt(&self) -> Option<u32> {
        self.min_rtt.ticks()
    }

    /// The hint of an ACK that is believed. True when it is the first since the connection started: then [`Self::phase`] follows.
    // REQ-PACE-5
    pub fn on_hint(&mut self, hint: Hint, ack_seq: Seq16, now: u64) -> bool {
        if self.ack_seq.is_some_and(|newest| !ack_seq.is_ahead(newest)) {
            return false;
        }
        self.ack_seq = Some(ack_seq);
        self.take_hint(hint, now)
    }

    /// The hint that a request for an answer carries: it opens a connection that has nothing newer.
    // REQ-PACE-5
    pub fn on_request(&mut self, hint: Hint, now: u64) -> bool {
        let newer = self.hint != Hint::NONE && now.wrapping_sub(self.hint_at) <= START_AGE;
        if hint.decode() == 0 || newer {
            return false;
        }
        if self.mode != Mode::Fresh {
            (self.last, self.owed) = (now, 0);
            self.mode = Mode::Fresh;
        }
        self.take_hint(hint, now)
    }

    fn take_hint(&mut self, hint: Hint, now: u64) -> bool {
        if hint.decode() == 0 {
            // A peer without hints: what it answers leaves the windows alone in charge.
            if self.mode == Mode::Fresh {
                self.mode = Mode::Alone;
            }
            return false;
        }
        let first = self.mode != Mode::Hinted;
        let before = self.hint.decode();
        let slower = first || hint.decode() > before + (before >> 3);
        self.stretch.on_hint(slower, self.min_rtt.ticks().unwrap_or(0), self.stretch_quarters, now);
        if self.mode == Mode::Alone {
            (self.last, self.owed) = (now, 0);
        }
        (self.mode, self.hint, self.hint_at) = (Mode::Hinted, hint, now);
        first
    }

    /// Nothing but the window is in the way of a packet.
    // REQ-PACE-9
    pub fn on_held(&mut self) {
        self.stretch.on_held();
    }

    /// An ACK tells of so many new arrivals, `marked` of them CE.
    // REQ-PACE-9
    pub fn on_arrivals(&mut self, arrived: u16, marked: u16) {
        self.stretch.on_arrivals(arrived, marked);
    }

    /// At the first hint, `random` / 2^16 of a packet is owed: those who start together do not send together.
    // REQ-PACE-3
    pub fn phase(&mut self, random: u16) {
        self.asks = true;
        self.owed += (self.packet_bytes * u32::from(random)) >> 16;
    }

    /// Whether a new packet may follow `in_flight` of this connection.
    // REQ-PACE-1
    pub fn window_open(&self, in_flight: u32, now: u64, config: &PaceConfig) -> bool {
        match self.mode {
            Mode::Alone => true,
            Mode::Fresh => in_flight < self.blind.into(),
            Mode::Hinted if in_flight == 0 => true,
            Mode::Hinted => {
                let time = u64::from(in_flight) * self.gap();
                !self.is_stale(now) && time < self.window_time(config)
            }
        }
    }

    /// When the next packet may go; none when it is not paced.
    // REQ-PACE-2
    pub fn due(&self) -> Option<u64> {
        (self.mode == Mode::Hinted).then(|| self.last.wrapping_add(self.time_of(self.owed)))
    }

    /// Whether a packet that is paced may go now.
    pub fn pacer_open(&self, now: u64) -> bool {
        self.due().is_none_or(|due| !is_ahead(due, now))
    }

    /// Whether the packet that is sent now asks for an ACK: the first after a first hint does.
    // REQ-PACE-5
    pub fn asks(&mut self) -> bool {
        std::mem::take(&mut self.asks)
    }

    /// From here on nothing but the own port is in the way.
    pub fn on_ready(&mut self, now: u64) {
        self.ready_at.get_or_insert(now);
    }

    /// A packet of this many bytes on the wire is sent; not a PROBE. `random` is used when [`Self::due`] says something.
    // REQ-PACE-2, REQ-PACE-6
    pub fn on_sent(&mut self, bytes: u32, now: u64, random: u16) {
        let ready_at = self.ready_at.take();
        let Some(due) = self.due() else { return };
        let gap = self.gap();
        let waited = ready_at.is_some_and(|at| now.wrapping_sub(at) > gap);
        self.late = if waited { (self.late + 1).min(LATE_PACKETS) } else { 0 };
        let earliest = now.wrapping_sub(gap);
        self.last = if is_ahead(due, earliest) { due } else { earliest };
        // 7/8 of the packet and a random quarter.
        self.owed = bytes - (bytes >> 3) + ((bytes * u32::from(random)) >> 18);
    }

    /// HINT_LIMITED of a packet; `more` is queued behind it.
    // REQ-PACE-6
    pub fn limited(&self, more: bool) -> bool {
        more && (self.mode != Mode::Hinted || self.late < LATE_PACKETS)
    }
}

/// Pacer time `a` comes after `b`.
fn is_ahead(a: u64, b: u64) -> bool {
    a.wrapping_sub(b) as i64 > 0
}

#[cfg(test)]
mod tests;
