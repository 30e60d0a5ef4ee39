//! The sender's congestion control, joined: windows of paths, windows and pacers of connections.
//!
//! A connection whose window or pacer is closed leaves the scheduler's queues. An ACK, an expiry or its pacer's deadline brings it back.
//! Random draws, in this order: of a packet its timer's, then its pacer's; of a first hint its phase.

use super::rows::PathRows;
use super::timers::Timer;
use super::Core;
use crate::map::RingMap;
use crate::rx::hint::MAC_BYTES;
use crate::tx::cc::{CcAck, CcRow};
use crate::tx::framer::TxConnRow;
use crate::tx::pace::{PaceRow, TICK};
use crate::tx::path::TxPathOut;
use crate::tx::rto::Expiry;
use heddle_wire::{Ack, Hint, Psn, Time32};

/// Shortest round trips after which an answer on a path that was never measured is late, besides 2 T for the ACK: queues are in it.
const LATE_ROUND_TRIPS: u32 = 4;

/// What a connection was before its hint came.
#[derive(Clone, Copy)]
struct Before {
    fresh: bool,
    announces: bool,
}

impl Before {
    fn of(row: &PaceRow) -> Self {
        Self { fresh: row.is_fresh(), announces: row.announces() }
    }
}

impl Core {
    /// Pacer time.
    fn clock(&self) -> u64 {
        self.timers.clock().wrapping_mul(TICK)
    }

    /// The rate that a hint allows this connection now, 1/64 ps per byte; none while fresh, stale or without a hint.
    pub fn hinted(&self, conn: u16) -> Option<u64> {
        self.congestion.as_ref()?.rows.get(usize::from(conn))?.rate(self.clock())
    }

    /// The shortest round trip of a connection of late, in ticks; none without congestion control, or before the first.
    pub fn min_rtt_ticks(&self, conn: u16) -> Option<u32> {
        self.congestion.as_ref()?.rows.get(usize::from(conn))?.min_rtt()
    }

    /// Packets in flight allowed on a path.
    pub fn window(&self, path: u16) -> u32 {
        let rows = self.congestion.as_ref().and_then(|_| self.rows.get(usize::from(path)));
        rows.map_or(self.config.cwnd, |rows| rows.window.packets())
    }

    pub(super) fn open_pace(&mut self, conn: u16, row: &TxConnRow) {
        if let Some(congestion) = &mut self.congestion {
            congestion.open(conn, row);
        }
    }

    pub(super) fn close_pace(&mut self, conn: u16) {
        if let Some(congestion) = &mut self.congestion {
            congestion.close(conn);
        }
    }

    /// A path starts at `first`.
    pub(super) fn open_window(&mut self, path: u16, first: Psn) {
        if let Some(congestion) = &self.congestion {
            let row = CcRow::starting_at(first, congestion.start);
            self.rows[usize::from(path)].window = row;
            self.sched.set_path_cwnd(path, row.packets());
        }
    }

    /// A connection has something of so many packets to send; it starts if nothing was queued or in flight.
    pub(super) fn begin(&mut self, conn: u16, packets: u32) {
        let starts = !self.sched.has_work(conn) && self.sched.rests(conn);
        if let Some(congestion) = self.congestion.as_mut().filter(|_| starts) {
            congestion.starts.push_back((conn, packets));
        }
    }

    // REQ-PACE-4
    pub(super) fn start_connections(&mut self, now: Time32) {
        while let Some((conn, packets)) = self.congestion.as_mut().and_then(|c| c.starts.pop_front()) {
            let clock = self.clock();
            let Some(congestion) = &mut self.congestion else { return };
            let row = &mut congestion.rows[usize::from(conn)];
            if row.start(packets, clock, &congestion.pace) {
                let announces = row.announces();
                self.set_fresh(conn, true);
                if announces {
                    self.announce(conn, now);
                }
            }
            self.note_ready(conn);
        }
    }

    fn set_fresh(&mut self, conn: u16, fresh: bool) {
        let paths = self.config.paths as usize;
        self.rows[usize::from(conn) * paths..][..paths].iter_mut().for_each(|rows| rows.rto.set_fresh(fresh));
    }

    /// Whether a PROBE is to announce the connection.
    pub(super) fn announces(&self, conn: u16) -> bool {
        self.congestion.as_ref().is_some_and(|congestion| congestion.rows[usize::from(conn)].announces())
    }

    /// The probe timer runs while a message is wholly sent and not done, or an announcement is not answered. `progress`: `done` has
    /// advanced, or the answer came.
    pub(super) fn tell_probe(&mut self, conn: u16, progress: bool, now: Time32) {
        let waits = self.tx_msg.waits(conn) || self.announces(conn);
        if !waits {
            // What was asked about has come, be it without an ACK: nobody asks again, and no question is unanswered.
            self.note_answer(conn);
        }
        self.probe[usize::from(conn)].on_message(waits, progress, now);
        self.arm_probe(conn);
    }

    /// A good ACK moves its path's cwnd; whether it told of CE marks. `waiting`: the packets that waited to be resent before it.
    pub(super) fn congest(&mut self, result: &TxPathOut, waiting: RingMap, ack: &Ack) -> bool {
        let Some(congestion) = &mut self.congestion else { return false };
        let path = usize::from(result.path);
        let PathRows { tx, window: row, .. } = &mut self.rows[path];
        let lost = tx.lost() & !waiting;
        let (arrived, marked) = row.on_ack(&CcAck {
            newly: result.newly,
            lost: lost.count() as u16,
            inflight: result.inflight,
            arrivals: ack.arrivals.get(),
            ce_count: ack.ce_count.get(),
            base: result.base,
            next: result.next,
        });
        self.sched.set_path_cwnd(result.path, row.packets());
        congestion.rows[path / self.config.paths as usize].on_arrivals(arrived, marked);
        marked > 0
    }

    /// An ACK that is believed brings its hint and its round trip, in ticks and whether it told of CE marks.
    // REQ-PACE-5, REQ-PACE-8
    pub(super) fn take_hint(&mut self, path: u16, ack: &Ack, rtt: Option<(u32, bool)>, now: Time32) {
        let (clock, conn) = (self.clock(), path / self.config.paths as u16);
        let Some(congestion) = &mut self.congestion else { return };
        let row = &mut congestion.rows[usize::from(conn)];
        let before = Before::of(row);
        if let Some((ticks, marked)) = rtt {
            row.on_rtt(ticks, marked, now);
        }
        let first = row.on_hint(ack.hint, ack.ack_seq, clock);
        self.hint_came(path, first, before, rtt.map(|(ticks, _)| ticks), now);
    }

    /// A READ_REQ brings the hint for its answer.
    // REQ-PACE-5
    pub(super) fn take_request_hint(&mut self, path: u16, hint: Hint, now: Time32) {
        let (clock, conn) = (self.clock(), path / self.config.paths as u16);
        let Some(congestion) = &mut self.congestion else { return };
        let row = &mut congestion.rows[usize::from(conn)];
        let before = Before::of(row);
        let first = row.on_request(hint, clock);
        self.hint_came(path, first, before, None, now);
    }

    /// What the first hint since the connection started brings about, and the news that there will be none.
    // REQ-PACE-3
    fn hint_came(&mut self, path: u16, first: bool, before: Before, rtt_ticks: Option<u32>, now: Time32) {
        let conn = path / self.config.paths as u16;
        let Some(congestion) = &mut self.congestion else { return };
        let row = &mut congestion.rows[usize::from(conn)];
        if first {
            row.phase(self.lfsr.next16());
        }
        if !before.fresh || row.is_fresh() {
            return;
        }
        self.set_fresh(conn, false);
        self.hasten(path, rtt_ticks, now);
        if before.announces {
            self.tell_probe(conn, true, now);
        }
        self.sched.wake(conn);
    }

    /// The other paths of a connection that is fresh no more wait no longer than need be: for one more of the round trip that has just
    /// been measured, in which the ACK was not held back, and 2 T.
    // REQ-PACE-7
    fn hasten(&mut self, path: u16, rtt_ticks: Option<u32>, now: Time32) {
        let Some(rtt) = rtt_ticks else { return };
        let ticks = rtt + 2 * u32::from(self.config.rto.ack_delay_ticks());
        let paths = self.config.paths as u16;
        let first = path / paths * paths;
        for other in (first..first + paths).filter(|other| *other != path) {
            self.rows[usize::from(other)].rto.hasten(now, ticks);
            self.arm_path(other);
        }
    }

    /// A packet has left on a path that was never measured: what the connection knows of its round trip says when its answer is late.
    // REQ-PACE-7
    pub(super) fn expect_answer_soon(&mut self, path: u16, now: Time32) {
        let Some(congestion) = &self.congestion else { return };
        let row = &congestion.rows[usize::from(path) / self.config.paths as usize];
        let timer = &mut self.rows[usize::from(path)].rto;
        if let Some(rtt) = row.min_rtt().filter(|_| !row.is_fresh() && !timer.is_measured()) {
            let late = LATE_ROUND_TRIPS * rtt + 2 * u32::from(self.config.rto.ack_delay_ticks());
            timer.hasten(now, late);
        }
    }

    fn pacer_open(&self, conn: u16) -> bool {
        let open = |row: &PaceRow| row.pacer_open(self.clock());
        self.congestion.as_ref().is_none_or(|congestion| open(&congestion.rows[usize::from(conn)]))
    }

    fn window_open(&self, conn: u16) -> bool {
        let Some(congestion) = &self.congestion else { return true };
        let in_flight = self.sched.in_flight(conn);
        congestion.rows[usize::from(conn)].window_open(in_flight, self.clock(), &congestion.pace)
    }

    /// The pacer is closed: the connection is looked at again when it opens.
    fn arm_pace(&mut self, conn: u16) {
        let due = self.congestion.as_ref().and_then(|congestion| congestion.rows[usize::from(conn)].due());
        if let (Some(due), Some(now)) = (due, self.timers.last()) {
            let ticks = due.wrapping_sub(self.clock()).div_ceil(TICK);
            self.timers.arm(Timer::Pace(conn), Some(now.plus(ticks as u32)));
        }
    }

    /// The pacer's deadline has come, or it was moved.
    pub(super) fn pace_timer(&mut self, conn: u16) {
        if !self.pacer_open(conn) {
            return self.arm_pace(conn);
        }
        let Some(congestion) = &mut self.congestion else { return };
        let expired = std::mem::take(&mut congestion.expired[usize::from(conn)]);
        let paths = self.config.paths as u16;
        for local in (0..paths).filter(|local| expired >> local & 1 == 1) {
            // Progress has withdrawn the others.
            let path = conn * paths + local;
            if self.rows[usize::from(path)].rto.awaits_send() {
                self.expiries.push_back((path, Expiry::Resend));
            }
        }
        self.sched.wake(conn);
        self.note_ready(conn);
    }

    /// True when the resend that an expiry asks for must wait for the pacer, and does.
    // REQ-PACE-2
    pub(super) fn defers_expiry(&mut self, path: u16, expiry: Expiry) -> bool {
        let conn = path / self.config.paths as u16;
        if expiry == Expiry::Dead || self.sched.expiry_asks(path, expiry) || self.pacer_open(conn) {
            return false;
        }
        if let Some(congestion) = &mut self.congestion {
            congestion.expired[usize::from(conn)] |= 1 << (u32::from(path) % self.config.paths);
        }
        self.arm_pace(conn);
        true
    }

    /// Its packets have left the connection's in-flight count: others may go.
    pub(super) fn after_expiry(&mut self, path: u16) {
        if self.congestion.is_some() {
            self.sched.wake(path / self.config.paths as u16);
        }
    }

    /// True when the first resend must wait for the pacer, and does.
    // REQ-PACE-2
    pub(super) fn defers_resend(&mut self) -> bool {
        let conn = self.sched.first_resend().map(|path| path / self.config.paths as u16);
        let Some(conn) = conn.filter(|conn| !self.pacer_open(*conn)) else { return false };
        self.sched.leave_resends();
        self.arm_pace(conn);
        true
    }

    /// True when the first new packet must wait for pacer or window, and does.
    // REQ-PACE-1, REQ-PACE-2, REQ-PACE-9
    pub(super) fn defers_new(&mut self) -> bool {
        let Some(conn) = self.sched.first_ready() else { return false };
        let paced = self.pacer_open(conn);
        if paced && self.window_open(conn) {
            return false;
        }
        self.sched.leave_ready();
        if !paced {
            self.arm_pace(conn);
        } else if let Some(congestion) = &mut self.congestion {
            congestion.rows[usize::from(conn)].on_held();
        }
        true
    }

    /// The packet that takes the last of the window asks for an ACK.
    // REQ-TX-14
    pub(super) fn ask_at_window_end(&mut self, conn: u16) {
        let asks =
            self.congestion.as_mut().is_some_and(|congestion| congestion.rows[usize::from(conn)].asks());
        if asks || !self.window_open(conn) {
            self.jobs.iter_mut().for_each(|job| job.ack_req = true);
        }
    }

    /// HINT_LIMITED of the connection's next packet.
    // REQ-PACE-6
    pub(super) fn limited(&self, conn: u16) -> bool {
        let more = self.sched.has_work(conn);
        self.congestion.as_ref().is_some_and(|congestion| congestion.rows[usize::from(conn)].limited(more))
    }

    /// A packet of the connection is on its way; no PROBE.
    pub(super) fn paced(&mut self, conn: u16, frame_bytes: usize) {
        let clock = self.clock();
        let Some(congestion) = &mut self.congestion else { return };
        let row = &mut congestion.rows[usize::from(conn)];
        let random = if row.due().is_some() { self.lfsr.next16() } else { 0 };
        row.on_sent(frame_bytes as u32 + MAC_BYTES, clock, random);
        self.note_ready(conn);
    }

    /// When nothing but the port is in the connection's way, it counts the time from here; the pacer's end is waited for.
    pub(super) fn note_ready(&mut self, conn: u16) {
        let resends = self.sched.may_resend(conn);
        if self.congestion.is_none() || !(resends || (self.sched.may_send(conn) && self.window_open(conn))) {
            return;
        }
        if !self.pacer_open(conn) {
            return self.arm_pace(conn);
        }
        let clock = self.clock();
        if let Some(congestion) = &mut self.congestion {
            congestion.rows[usize::from(conn)].on_ready(clock);
        }
    }
}
