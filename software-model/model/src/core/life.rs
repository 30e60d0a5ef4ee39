//! How connections begin and end: NAK, RESET, one completion for every request.

use super::farewell::{Farewell, Farewells};
use super::timers::Timer;
use super::Core;
use crate::rx::msg::RxMsgError;
use crate::rx::nak::{nak, NakQueue};
use crate::tx::framer::Stranger;
use crate::tx::msg::Completion;
use crate::tx::path::{TxPathRow, MAX_ECHO_AGE_TICKS};
use crate::tx::probe::ProbeRow;
use crate::tx::reset::{Due, Life as LifeState, ResetRow, MAX_WAIT_TICKS};
use crate::tx::rto::RtoRow;
use heddle_wire::drop::Answer;
use heddle_wire::{Common, DropReason, Flag, Frame, Msn, Nak, NakCode, PacketType, Status, Time32};
use std::collections::VecDeque;

/// CONNECTION NAKs that wait for the control plane at most.
const CONTROL_DEPTH: usize = 16;
/// Tags of a connection that are not used again.
const TAGS: usize = 16;

/// A peer says that it does not know a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionNak {
    /// Who says so; IPv4 in the low 32 bits.
    pub source: u128,
    /// Header of the packet that was refused, as far as the NAK tells: words 0 to 2.
    pub offender: Common,
}

/// A connection has ended, and everything of it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Connection index.
    pub conn: u16,
    /// Why.
    pub status: Status,
}

/// State of it all.
#[derive(Clone, Debug)]
pub(super) struct Life {
    rows: Vec<ResetRow>,
    tags: Vec<VecDeque<u16>>,
    /// Completions of a connection that ends, kept until nothing of it can land any more.
    kept: Vec<VecDeque<Completion>>,
    pub(super) naks: NakQueue,
    pub(super) strangers: VecDeque<Stranger>,
    pub(super) farewells: Farewells,
    /// Connections that suspected a plane when they ended, 1 bit each.
    doubtful: Vec<bool>,
    control: VecDeque<ConnectionNak>,
    ended: VecDeque<Ended>,
}

impl Life {
    pub(super) fn new(connections: u32) -> Self {
        let count = connections as usize;
        Self {
            rows: vec![ResetRow::default(); count],
            tags: vec![VecDeque::new(); count],
            kept: vec![VecDeque::new(); count],
            naks: NakQueue::new(connections),
            strangers: VecDeque::new(),
            farewells: Farewells::default(),
            doubtful: vec![false; count],
            control: VecDeque::new(),
            ended: VecDeque::new(),
        }
    }

    /// A connection is set up under this tag, if it may be.
    // REQ-CONN-1
    pub(super) fn open(&mut self, conn: u16, tag: u16) -> bool {
        let at = usize::from(conn);
        // What is still to leave speaks for the last incarnation.
        if self.farewells.speaks(conn) {
            return false;
        }
        if self.tags.get(at).is_none_or(|last| last.contains(&tag)) || !self.rows[at].open() {
            return false;
        }
        let last = &mut self.tags[at];
        last.push_back(tag);
        if last.len() > TAGS {
            last.pop_front();
        }
        true
    }

    /// A CONNECTION NAK passes no look-up: it is about a connection that the peer does not know.
    pub(super) fn is_for_control(common: &Common, nak: &Nak) -> bool {
        nak.code == NakCode::Connection.code() && (common.dst_conn, common.tag) == (0, 0)
    }

    // REQ-CONN-4
    pub(super) fn on_connection_nak(
        &mut self,
        source: u128,
        common: &Common,
        nak: &Nak,
    ) -> Result<(), DropReason> {
        if self.control.len() == CONTROL_DEPTH {
            return Err(DropReason::NakOverflow);
        }
        let offender = Common { timestamp: common.timestamp, ..offender(nak) };
        self.control.push_back(ConnectionNak { source, offender });
        Ok(())
    }
}

/// The header that a NAK repeats; its timestamp is the NAK's own.
fn offender(nak: &Nak) -> Common {
    let mut bytes = [0; Common::BYTES];
    for (n, word) in [nak.offender0, nak.offender1, nak.offender2].into_iter().enumerate() {
        bytes[4 * n..4 * n + 4].copy_from_slice(&word.to_be_bytes());
    }
    Common::parse(&bytes)
}

impl Core {
    /// The oldest CONNECTION NAK not yet taken. It proves nothing: see [`Self::confirms`].
    pub fn connection_nak(&mut self) -> Option<ConnectionNak> {
        self.life.control.pop_front()
    }

    /// The connection that a CONNECTION NAK is about, when it can only come from the peer or from the way to it: it
    /// repeats a packet that is on its way now, or a PROBE of late, which has no PSN, under the tag that the peer gave.
    // REQ-CONN-4
    pub fn confirms(&self, nak: &ConnectionNak, now: Time32) -> Option<u16> {
        let Common { packet_type, dst_conn, tag, path, psn, timestamp, .. } = nak.offender;
        let conn = self.framer.find(dst_conn, tag, nak.source)?;
        (self.life.rows[usize::from(conn)].life() == LifeState::Open).then_some(())?;
        let row = &self.rows.get(self.path_index(conn, path)?)?.tx;
        let on_its_way = match packet_type == PacketType::Probe.code() {
            true => !timestamp.is_ahead(now) && now.distance_from(timestamp) <= MAX_ECHO_AGE_TICKS,
            false => psn.is_within(row.base(), row.next().distance_from(row.base())),
        };
        on_its_way.then_some(conn)
    }

    /// The oldest connection that has ended and was not told of yet. It may be set up anew, and keys and buffers are the user's again.
    pub fn ended(&mut self) -> Option<Ended> {
        self.life.ended.pop_front()
    }

    /// Whether the connection is set up and has not ended.
    pub fn is_open(&self, conn: u16) -> bool {
        self.life.rows.get(usize::from(conn)).is_some_and(|row| row.life() == LifeState::Open)
    }

    /// The user ends a connection: what is outstanding is flushed. False when it is not open.
    pub fn close(&mut self, conn: u16, now: Time32) -> bool {
        self.timers.set_now(now);
        self.is_open(conn) && self.fail(conn, Status::Flushed, None, MAX_WAIT_TICKS, now)
    }

    fn path_index(&self, conn: u16, local: u8) -> Option<usize> {
        let paths = self.config.paths;
        (u32::from(local) < paths).then_some((u32::from(conn) * paths + u32::from(local)) as usize)
    }

    /// The connection ends here: it accepts nothing from now on, tells the peer, and completes every request once it can be sure that
    /// nothing lands any more: the peer has answered, or `wait` ticks are over. `refused`: the (stream, msn) that is at fault.
    // REQ-CONN-5, REQ-CONN-7
    pub(super) fn fail(
        &mut self,
        conn: u16,
        status: Status,
        refused: Option<(u8, Msn)>,
        wait: u32,
        now: Time32,
    ) -> bool {
        if !self.config.life || !self.life.rows[usize::from(conn)].end(status, wait, now) {
            return false;
        }
        let suspects = self.rerouting.as_ref().map_or(0, |rerouting| rerouting.routes.suspects(conn));
        self.life.doubtful[usize::from(conn)] = suspects != 0;
        self.stop(conn, status, refused);
        self.arm_reset(conn);
        true
    }

    /// Memory has failed, or the peer's packets contradict each other.
    pub(super) fn end_by_message(&mut self, conn: u16, error: RxMsgError, now: Time32) {
        let status = match error {
            RxMsgError::Memory => Status::LocalMemory,
            _ => Status::Flushed,
        };
        self.fail(conn, status, None, MAX_WAIT_TICKS, now);
    }

    /// Nothing of the connection goes in or out any more; its rows are as new.
    fn stop(&mut self, conn: u16, status: Status, refused: Option<(u8, Msn)>) {
        self.connections.close(conn);
        let kept = self.tx_msg.flush(conn, status, refused);
        let given_back = std::iter::from_fn(|| self.recv.flush(conn)).map(|receive| Completion {
            wr_id: receive.wr_id,
            conn,
            stream: 0,
            opcode: 0,
            status: Status::Flushed,
            byte_len: 0,
            msn: Msn::new(0),
            receive: true,
            imm: None,
        });
        let receives: Vec<_> = given_back.collect();
        let all = &mut self.life.kept[usize::from(conn)];
        all.extend(kept);
        all.extend(receives);
        let paths = self.config.paths as u16;
        let of_it = |path: u16| path / paths == conn;
        for path in (0..paths).map(|local| conn * paths + local) {
            let rows = &mut self.rows[usize::from(path)];
            (rows.tx, rows.rto) = (TxPathRow::default(), RtoRow::default());
            self.ack.reset(path);
        }
        self.probe[usize::from(conn)] = ProbeRow::new(self.config.rto.rto0_ticks());
        self.sched.reset(conn);
        self.close_pace(conn);
        self.rx_msg.reset(conn);
        self.respond.flush(conn);
        self.turns[usize::from(conn)] = Default::default();
        self.ack_build.reset(conn);
        self.life.naks.reset(conn, self.config.paths);
        self.life.farewells.clear_copies(conn);
        self.jobs.retain(|job| !of_it(job.path));
        self.ack_queue.retain(|&path| !of_it(path));
        self.expiries.retain(|&(path, _)| !of_it(path));
        self.questions.retain(|&(path, _)| !of_it(path));
        self.forget_routes(conn);
    }

    /// Nothing of the connection can land any more: its requests are completed.
    fn over(&mut self, conn: u16, status: Status) {
        let Some(status) = self.life.rows[usize::from(conn)].close(status) else { return };
        let kept = std::mem::take(&mut self.life.kept[usize::from(conn)]);
        self.completions.extend(kept);
        self.life.farewells.over(conn);
        self.life.doubtful[usize::from(conn)] = false;
        self.life.ended.push_back(Ended { conn, status });
    }

    pub(super) fn reset_timer(&mut self, conn: u16, now: Time32) {
        match self.life.rows[usize::from(conn)].due(now) {
            Some(Due::Reset(n)) => {
                // The first goes where ACKs go, unless that may be in vain.
                let wide = n > 1 || self.life.doubtful[usize::from(conn)];
                self.life.farewells.reset(Farewell { conn, local: n - 1, answers: None, wide });
            }
            Some(Due::Over) => self.over(conn, Status::Flushed),
            None => {}
        }
        self.arm_reset(conn);
    }

    fn arm_reset(&mut self, conn: u16) {
        self.timers.arm(Timer::Reset(conn), self.life.rows[usize::from(conn)].deadline());
    }

    /// A DATA packet has a fault: the sender is told, unless the fault is not answered.
    // REQ-CONN-3
    pub(super) fn refuse(&mut self, conn: u16, path: u16, common: &Common, reason: DropReason) {
        if let (true, Answer::Nak(code)) = (self.config.life, reason.answer()) {
            self.life.naks.refuse(conn, path, code, common);
        }
    }

    /// A packet is of no connection, or of an earlier incarnation.
    // REQ-CONN-4
    pub(super) fn refuse_stranger(&mut self, frame: &Frame<&[u8]>, plane: u8, now: Time32) {
        let common = frame.packet.common();
        if self.life.naks.may_refuse_stranger(&common, now) {
            let answer = Stranger::answer(frame, plane, nak(NakCode::Connection, &common));
            self.life.strangers.push_back(answer);
        }
    }

    /// A NAK of a known connection: valid for a PSN that is on its way, and for words that are what was sent.
    // REQ-CONN-8
    pub(super) fn receive_nak(
        &mut self,
        conn: u16,
        path: u16,
        common: &Common,
        nak: &Nak,
        now: Time32,
    ) -> Result<(), DropReason> {
        let status = NakCode::from_code(nak.code).filter(|code| *code != NakCode::Connection);
        let status = status.and_then(|code| Status::from_code(code.code())).ok_or(DropReason::NakInvalid)?;
        let row = &self.rows[usize::from(path)].tx;
        let offender = offender(nak);
        let inside = common.psn.is_within(row.base(), row.next().distance_from(row.base()));
        let told = (offender.path, offender.psn) == (common.path, common.psn);
        if !inside || !told || self.framer.peer(conn) != Some((offender.dst_conn, offender.tag)) {
            return Err(DropReason::NakInvalid);
        }
        self.counters.naks_received += 1;
        let refused = self.build.request_of(path, common.psn);
        self.fail(conn, status, refused, MAX_WAIT_TICKS, now);
        Ok(())
    }

    /// A RESET: the peer has ended the connection, or answers ours.
    // REQ-CONN-9
    pub(super) fn receive_reset(&mut self, conn: u16, plane: u8, common: &Common) -> Result<(), DropReason> {
        let life = self.life.rows[usize::from(conn)].life();
        if common.flags.has(Flag::Response) {
            if life != LifeState::Ending {
                return Err(DropReason::ResetUnmatched);
            }
            self.counters.resets_received += 1;
            self.over(conn, Status::Flushed);
            return Ok(());
        }
        self.counters.resets_received += 1;
        // Where ACKs are heard, and on the plane that it came in on: one of the two works. What comes again is answered everywhere.
        let (answers, wide) = (Some(plane), common.flags.has(Flag::Retx));
        self.life.farewells.answer(Farewell { conn, local: common.path, answers, wide });
        if life == LifeState::Open {
            self.stop(conn, Status::RemoteConnection, None);
        }
        self.over(conn, Status::RemoteConnection);
        Ok(())
    }
}
