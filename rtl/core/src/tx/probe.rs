//! Probe timer of each connection: a message wholly sent and not done is asked about on path after path.
//!
//! A sequential machine: measured RTOs first, then news of messages, else one connection of the scan. Cycles
//! per event: RTO 5, message 5 (with a restart 7 and one per doubling of the interval), scan 4 (with a
//! question 7 and one per doubling). While a question is not taken the scan stands still, the rest goes on.
//! After `rst`, 2^`CW` cycles clear the rows. Assumes: RTOs of at most a second, 7 cycles apart or more.
//! Model `tx::probe`. Doc `docs/blocks/tx-probe.md`.

use super::rows::{ProbeRow, RtoReport};
use heddle_emit::prims::{Fifo, SdpRamNc};
use rust_hdl::prelude::*;

/// Longest interval between two questions, ticks: 1 s. Source: docs/protocol.md section 7.
const MAX_INTERVAL_TICKS: u64 = 125_000_000;
/// Doublings beyond the longest interval whatever the first.
const MAX_BACKOFF: u64 = 27;

/// The block: 2^`CW` connections (`CC` = `CW` + 1) of 2^`LW` paths; `PW` = `CW` + `LW`.
#[derive(LogicBlock)]
pub struct TxProbe<const CW: usize, const CC: usize, const LW: usize, const PW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: no timer runs, no path is measured.
    pub rst: Signal<In, Bit>,
    /// Time, ticks of 8 ns.
    pub now: Signal<In, Bits<32>>,
    /// First interval until a path of the connection is measured, ticks, 1 to 125,000,000.
    pub rto0: Signal<In, Bits<27>>,
    /// Pulse: the RTO of a path.
    pub o_valid: Signal<In, Bit>,
    /// The path.
    pub o_path: Signal<In, Bits<PW>>,
    /// Ticks, 1 to 125,000,000.
    pub o_rto: Signal<In, Bits<27>>,
    /// News of a connection's messages are offered: one is wholly sent, or reported done.
    pub w_valid: Signal<In, Bit>,
    /// They are taken.
    pub w_ready: Signal<Out, Bit>,
    /// The connection.
    pub w_conn: Signal<In, Bits<CW>>,
    /// Some message is wholly sent and not done.
    pub w_waiting: Signal<In, Bit>,
    /// `done` advanced.
    pub w_progress: Signal<In, Bit>,
    /// A question is offered.
    pub u_valid: Signal<Out, Bit>,
    /// It is taken.
    pub u_ready: Signal<In, Bit>,
    /// The path to ask on.
    pub u_path: Signal<Out, Bits<PW>>,
    /// Asked before, without an advance of `done` since.
    pub u_repeat: Signal<Out, Bit>,
    /// Pulse: an event is committed; its time is `now` of this cycle.
    pub log_valid: Signal<Out, Bit>,
    /// 0 RTO, 1 message, 2 scan.
    pub log_kind: Signal<Out, Bits<2>>,
    /// Its connection.
    pub log_conn: Signal<Out, Bits<CW>>,
    rows: SdpRamNc<ProbeRow, CW>,
    reports: Fifo<RtoReport, 4, 5>,
    clear: DFF<Bits<CC>>,
    state: DFF<Bits<3>>,
    kind: DFF<Bits<2>>,
    conn: DFF<Bits<CW>>,
    scan: DFF<Bits<CW>>,
    at: DFF<Bits<32>>,
    rto: DFF<Bits<27>>,
    waiting: DFF<Bit>,
    progress: DFF<Bit>,
    row: DFF<ProbeRow>,
    value: DFF<Bits<28>>,
    left: DFF<Bits<5>>,
    question: DFF<Bit>,
    question_path: DFF<Bits<PW>>,
    repeat: DFF<Bit>,
    clearing: Signal<Local, Bit>,
    head: Signal<Local, RtoReport>,
    gap: Signal<Local, Bits<32>>,
    due: Signal<Local, Bit>,
    backoff: Signal<Local, Bits<5>>,
    doubled: Signal<Local, Bits<28>>,
    write: Signal<Local, ProbeRow>,
    rows_end: Constant<Bits<CC>>,
    local_bits: Constant<Bits<4>>,
    max_interval: Constant<Bits<28>>,
    max_backoff: Constant<Bits<5>>,
}

impl<const CW: usize, const CC: usize, const LW: usize, const PW: usize> Default for TxProbe<CW, CC, LW, PW> {
    fn default() -> Self {
        assert_eq!((CC, PW), (CW + 1, CW + LW), "derived widths");
        Self {
            clk: Default::default(),
            rst: Default::default(),
            now: Default::default(),
            rto0: Default::default(),
            o_valid: Default::default(),
            o_path: Default::default(),
            o_rto: Default::default(),
            w_valid: Default::default(),
            w_ready: Default::default(),
            w_conn: Default::default(),
            w_waiting: Default::default(),
            w_progress: Default::default(),
            u_valid: Default::default(),
            u_ready: Default::default(),
            u_path: Default::default(),
            u_repeat: Default::default(),
            log_valid: Default::default(),
            log_kind: Default::default(),
            log_conn: Default::default(),
            rows: Default::default(),
            reports: Fifo::new(16),
            clear: Default::default(),
            state: Default::default(),
            kind: Default::default(),
            conn: Default::default(),
            scan: Default::default(),
            at: Default::default(),
            rto: Default::default(),
            waiting: Default::default(),
            progress: Default::default(),
            row: Default::default(),
            value: Default::default(),
            left: Default::default(),
            question: Default::default(),
            question_path: Default::default(),
            repeat: Default::default(),
            clearing: Default::default(),
            head: Default::default(),
            gap: Default::default(),
            due: Default::default(),
            backoff: Default::default(),
            doubled: Default::default(),
            write: Default::default(),
            rows_end: Constant::new((1u64 << CW).to_bits()),
            local_bits: Constant::new((LW as u64).to_bits()),
            max_interval: Constant::new(MAX_INTERVAL_TICKS.to_bits()),
            max_backoff: Constant::new(MAX_BACKOFF.to_bits()),
        }
    }
}

// The states, as the kernel's literals: 0 idle, 1 row read, 2 event committed, 3 what it says, 4 doublings,
// 5 deadline, 6 row written.
impl<const CW: usize, const CC: usize, const LW: usize, const PW: usize> Logic for TxProbe<CW, CC, LW, PW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            clear,
            state,
            kind,
            conn,
            scan,
            at,
            rto,
            waiting,
            progress,
            row,
            value,
            left,
            question,
            question_path,
            repeat
        );
        self.rows.clk.next = self.clk.val();
        self.reports.clk.next = self.clk.val();
        self.reports.rst.next = self.rst.val();
        self.reports.in_valid.next = self.o_valid.val();
        self.reports.in_data.next.conn = bit_cast::<16, PW>(self.o_path.val() >> self.local_bits.val());
        self.reports.in_data.next.rto = self.o_rto.val();
        self.clearing.next = self.clear.q.val() != self.rows_end.val();

        // Idle: the next event.
        self.head.next = self.reports.out_data.val();
        self.reports.out_ready.next = false;
        self.w_ready.next = (self.state.q.val() == 0) & !self.reports.out_valid.val() & !self.clearing.val();
        if (self.state.q.val() == 0) & !self.clearing.val() {
            if self.reports.out_valid.val() {
                self.reports.out_ready.next = true;
                self.rto.d.next = self.head.val().rto;
                self.kind.d.next = 0.into();
                self.conn.d.next = bit_cast::<CW, 16>(self.head.val().conn);
                self.state.d.next = 1.into();
            } else {
                if self.w_valid.val() {
                    self.waiting.d.next = self.w_waiting.val();
                    self.progress.d.next = self.w_progress.val();
                    self.kind.d.next = 1.into();
                    self.conn.d.next = self.w_conn.val();
                    self.state.d.next = 1.into();
                } else {
                    if !self.question.q.val() {
                        self.kind.d.next = 2.into();
                        self.conn.d.next = self.scan.q.val();
                        self.scan.d.next = self.scan.q.val() + 1;
                        self.state.d.next = 1.into();
                    }
                }
            }
        }

        // Its row.
        self.rows.re.next = self.state.q.val() == 1;
        self.rows.raddr.next = self.conn.q.val();
        if self.state.q.val() == 1 {
            self.state.d.next = 2.into();
        }
        self.log_valid.next = self.state.q.val() == 2;
        self.log_kind.next = self.kind.q.val();
        self.log_conn.next = self.conn.q.val();
        if self.state.q.val() == 2 {
            self.row.d.next = self.rows.rdata.val();
            self.at.d.next = self.now.val();
            self.state.d.next = 3.into();
        }

        // What it says: a new RTO, a restart, a stop, a question and a restart, or nothing.
        self.gap.next = self.row.q.val().deadline - self.at.q.val();
        self.due.next = self.row.q.val().running & (self.gap.val().get_bit(31) | !self.gap.val().any());
        self.backoff.next = self.row.q.val().backoff;
        if self.kind.q.val() == 1 {
            if self.progress.q.val() {
                self.backoff.next = 0.into();
            }
        } else {
            if self.row.q.val().backoff != self.max_backoff.val() {
                self.backoff.next = self.row.q.val().backoff + 1;
            }
        }
        if self.u_ready.val() {
            self.question.d.next = false;
        }
        if self.state.q.val() == 3 {
            self.value.d.next = bit_cast::<28, 27>(self.rto0.val());
            if self.row.q.val().known {
                self.value.d.next = bit_cast::<28, 27>(self.row.q.val().rto);
            }
            self.left.d.next = self.backoff.val();
            self.state.d.next = 6.into();
            if self.kind.q.val() == 0 {
                self.row.d.next.rto = self.rto.q.val();
                self.row.d.next.known = true;
            }
            if self.kind.q.val() == 1 {
                self.row.d.next.backoff = self.backoff.val();
                if !self.waiting.q.val() {
                    self.row.d.next.running = false;
                } else {
                    if self.progress.q.val() | !self.row.q.val().running {
                        self.state.d.next = 4.into();
                    }
                }
            }
            if self.kind.q.val() == 2 {
                self.state.d.next = 0.into();
                if self.due.val() {
                    self.row.d.next.backoff = self.backoff.val();
                    self.row.d.next.path = self.row.q.val().path + 1;
                    self.question.d.next = true;
                    self.question_path.d.next = (bit_cast::<PW, CW>(self.conn.q.val())
                        << self.local_bits.val())
                        | bit_cast::<PW, LW>(bit_cast::<LW, 8>(self.row.q.val().path));
                    self.repeat.d.next = self.row.q.val().backoff.any();
                    self.state.d.next = 4.into();
                }
            }
        }
        self.u_valid.next = self.question.q.val();
        self.u_path.next = self.question_path.q.val();
        self.u_repeat.next = self.repeat.q.val();

        // The interval doubles up to a second.
        self.doubled.next = self.value.q.val() << 1;
        if self.state.q.val() == 4 {
            if self.left.q.val().any() {
                self.left.d.next = self.left.q.val() - 1;
                self.value.d.next = self.doubled.val();
                if self.doubled.val() > self.max_interval.val() {
                    self.value.d.next = self.max_interval.val();
                }
            } else {
                self.state.d.next = 5.into();
            }
        }
        if self.state.q.val() == 5 {
            self.row.d.next.running = true;
            self.row.d.next.deadline = self.at.q.val() + bit_cast::<32, 28>(self.value.q.val());
            self.state.d.next = 6.into();
        }

        // The row is written; after reset all rows are cleared one by one.
        self.write.next = self.row.q.val();
        self.rows.we.next = self.state.q.val() == 6;
        self.rows.waddr.next = self.conn.q.val();
        if self.state.q.val() == 6 {
            self.state.d.next = 0.into();
        }
        if self.clearing.val() {
            self.clear.d.next = self.clear.q.val() + 1;
            self.rows.we.next = true;
            self.rows.waddr.next = bit_cast::<CW, CC>(self.clear.q.val());
            self.write.next.known = false;
            self.write.next.backoff = 0.into();
            self.write.next.path = 0.into();
            self.write.next.running = false;
        }
        self.rows.wdata.next = self.write.val();
        if self.rst.val() {
            self.clear.d.next = 0.into();
            self.state.d.next = 0.into();
            self.scan.d.next = 0.into();
            self.question.d.next = false;
        }
    }
}
