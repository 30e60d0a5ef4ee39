//! Transmit path engine: which packets of a path are acknowledged, lost and resent, and which to resend next.
//!
//! ```text
//!  in - c0 -+- row memory - c3 - check - plan - visit - c9 - words x 4 - gather - c20 - out
//!  sk - sack store --------------+                  +-- map memory --+               +- row memory
//! ```
//!
//! Latency 20 cycles from the transfer to `out_valid`, one operation every 4 cycles over distinct paths,
//! every 20 on one path. `in_ready` is high in one cycle of four, and low while an operation of the same
//! path is in flight, or while an ACK's SACK words are not all here. `out` never stalls. `sk_ready` is
//! low while four ACKs' words wait.
//!
//! Assumes: a path's first operation after power-up or reset is INIT (reset drops what is in flight and
//! leaves the memories as they are); SACK words come in the order of their ACKs, and do not wait for them
//! to be taken.
//!
//! State per path: a row of 206 bits, three planes of 256 bits (see `path/row.rs`). No search is in the
//! loop from read to write. RESEND and EXPIRE know their PSN from the row, where the visit before left
//! the lowest lost and the highest unreceived one, found behind the write. And "if `old` is empty, old =
//! resent", which needs all four words before any can be written, is a flag in the row, `sync`, that the
//! next visit applies as it reads the words.
//!
//! Source: docs/protocol.md section 5. Model: `tx::path`. Doc: docs/blocks/tx-path.md.

mod check;
pub(super) mod find;
mod finish;
mod gather;
mod intake;
mod lanes;
mod maps;
mod plan;
mod row;
mod sack;
mod slots;
mod span;
mod visit;
mod words;

use check::Check;
use finish::Finish;
use gather::Gather;
use heddle_emit::prims::SdpRamNc;
use intake::Intake;
use maps::Maps;
use plan::Planner;
use row::Row;
use rust_hdl::prelude::*;
use sack::SackStore;
use slots::Slots;
use visit::Visitor;
use words::Words;

/// Ticks of 8 ns that an echoed timestamp may be old. Source: docs/protocol.md section 5, "default 2^21
/// ticks".
pub const MAX_ECHO_AGE_TICKS: u32 = 1 << 21;

/// Transmit path engine for 2^PW paths. `MA` must be `PW + 2`: the map memory holds four words per path.
#[derive(LogicBlock)]
pub struct TxPath<const PW: usize, const MA: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// An operation is there.
    pub in_valid: Signal<In, Bit>,
    /// It is taken.
    pub in_ready: Signal<Out, Bit>,
    /// 0 ACK, 1 RESEND, 2 EXPIRE, 3 VOLUNTARY, 4 VOLUNTARY_TIMEOUT, 5 DEAD, 6 SENT, 7 INIT.
    pub in_op: Signal<In, Bits<3>>,
    /// Path.
    pub in_path: Signal<In, Bits<PW>>,
    /// ACK: lowest PSN not received. INIT: first PSN.
    pub in_cum: Signal<In, Bits<24>>,
    /// ACK: its PSN field, the highest received.
    pub in_high: Signal<In, Bits<24>>,
    /// ACK: echoed route.
    pub in_route: Signal<In, Bits<8>>,
    /// ACK: echoed timestamp, ticks.
    pub in_ts: Signal<In, Bits<32>>,
    /// Tick of the operation.
    pub in_now: Signal<In, Bits<32>>,
    /// ACK: packets by which arrivals may be out of order without being lost.
    pub in_reorder: Signal<In, Bits<8>>,
    /// A SACK word is there.
    pub sk_valid: Signal<In, Bit>,
    /// It is taken.
    pub sk_ready: Signal<Out, Bit>,
    /// SACK word: four per ACK, in index order.
    pub sk_word: Signal<In, Bits<64>>,
    /// An operation is done; one cycle.
    pub out_valid: Signal<Out, Bit>,
    /// Its code.
    pub out_op: Signal<Out, Bits<3>>,
    /// Its path.
    pub out_path: Signal<Out, Bits<PW>>,
    /// ACK: accepted. RESEND, EXPIRE: there was one. SENT: the window had room. Else 1.
    pub out_ok: Signal<Out, Bit>,
    /// ACK: 0 good, 1 invalid, 2 stale.
    pub out_bad: Signal<Out, Bits<2>>,
    /// Lowest PSN not acknowledged; `base + 256` limits `next`.
    pub out_base: Signal<Out, Bits<24>>,
    /// The next new PSN.
    pub out_next: Signal<Out, Bits<24>>,
    /// Current route.
    pub out_route: Signal<Out, Bits<8>>,
    /// RESEND, EXPIRE, SENT, if ok: the PSN to send.
    pub out_psn: Signal<Out, Bits<24>>,
    /// ACK: PSNs newly known received, 0 to 256.
    pub out_newly: Signal<Out, Bits<9>>,
    /// PSNs of `[base, next)` not known received, 0 to 256.
    pub out_inflight: Signal<Out, Bits<9>>,
    /// PSNs waiting to be resent, 0 to 256.
    pub out_waiting: Signal<Out, Bits<9>>,
    /// Some are.
    pub out_lost: Signal<Out, Bit>,
    /// The operation's `in_now`.
    pub out_now: Signal<Out, Bits<32>>,

    slots: Slots<PW>,
    store: SackStore,
    rows: SdpRamNc<Row, PW>,
    intake: Intake,
    check: Check,
    planner: Planner,
    visitor: Visitor,
    maps: Maps<PW, MA>,
    words: Words,
    gather: Gather,
    finish: Finish,
    max_age: Constant<Bits<32>>,
}

impl<const PW: usize, const MA: usize> TxPath<PW, MA> {
    /// An engine that takes an echoed timestamp for stale when it is more than `max_echo_age_ticks` old.
    ///
    /// # Panics
    /// If `MA` is not `PW + 2`.
    pub fn new(max_echo_age_ticks: u32) -> Self {
        assert_eq!(MA, PW + 2, "map address of {MA} bits for {PW} bits of path");
        Self {
            clk: Default::default(),
            rst: Default::default(),
            in_valid: Default::default(),
            in_ready: Default::default(),
            in_op: Default::default(),
            in_path: Default::default(),
            in_cum: Default::default(),
            in_high: Default::default(),
            in_route: Default::default(),
            in_ts: Default::default(),
            in_now: Default::default(),
            in_reorder: Default::default(),
            sk_valid: Default::default(),
            sk_ready: Default::default(),
            sk_word: Default::default(),
            out_valid: Default::default(),
            out_op: Default::default(),
            out_path: Default::default(),
            out_ok: Default::default(),
            out_bad: Default::default(),
            out_base: Default::default(),
            out_next: Default::default(),
            out_route: Default::default(),
            out_psn: Default::default(),
            out_newly: Default::default(),
            out_inflight: Default::default(),
            out_waiting: Default::default(),
            out_lost: Default::default(),
            out_now: Default::default(),
            slots: Default::default(),
            store: Default::default(),
            rows: Default::default(),
            intake: Default::default(),
            check: Default::default(),
            planner: Default::default(),
            visitor: Default::default(),
            maps: Default::default(),
            words: Default::default(),
            gather: Default::default(),
            finish: Default::default(),
            max_age: Constant::new(u64::from(max_echo_age_ticks).into()),
        }
    }
}

impl<const PW: usize, const MA: usize> Default for TxPath<PW, MA> {
    fn default() -> Self {
        Self::new(MAX_ECHO_AGE_TICKS)
    }
}

impl<const PW: usize, const MA: usize> Logic for TxPath<PW, MA> {
    #[hdl_gen]
    fn update(&mut self) {
        self.slots.clk.next = self.clk.val();
        self.slots.rst.next = self.rst.val();
        self.store.clk.next = self.clk.val();
        self.store.rst.next = self.rst.val();
        self.rows.clk.next = self.clk.val();
        self.intake.clk.next = self.clk.val();
        self.check.clk.next = self.clk.val();
        self.planner.clk.next = self.clk.val();
        self.visitor.clk.next = self.clk.val();
        self.maps.clk.next = self.clk.val();
        self.maps.rst.next = self.rst.val();
        self.words.clk.next = self.clk.val();
        self.gather.clk.next = self.clk.val();
        self.finish.clk.next = self.clk.val();

        // SACK words wait for their ACK.
        self.store.word_valid.next = self.sk_valid.val();
        self.sk_ready.next = self.store.word_ready.val();
        self.store.word.next = self.sk_word.val();
        self.store.take.next = self.slots.sack_take.val();

        // c0: take an operation. c1: read its row. c2: into registers.
        self.slots.in_valid.next = self.in_valid.val();
        self.in_ready.next = self.slots.in_ready.val();
        self.slots.in_path.next = self.in_path.val();
        self.slots.in_ack.next = self.in_op.val() == 0;
        self.slots.sack_here.next = self.store.complete.val();
        self.slots.sack_slot.next = self.store.slot.val();
        self.intake.take.next = self.slots.at0.val();
        self.intake.offered.next.op = self.in_op.val();
        self.intake.offered.next.cum = self.in_cum.val();
        self.intake.offered.next.high = self.in_high.val();
        self.intake.offered.next.route = self.in_route.val();
        self.intake.offered.next.ts = self.in_ts.val();
        self.intake.offered.next.now = self.in_now.val();
        self.intake.reorder.next = self.in_reorder.val();
        self.rows.re.next = self.slots.at1.val();
        self.rows.raddr.next = self.slots.row_path.val();
        self.intake.load.next = self.slots.at2.val();
        self.intake.read.next = self.rows.rdata.val();

        // c3 to c8: compare with the row, and the SACK words with the window.
        self.check.request.next = self.intake.request.val();
        self.check.row.next = self.intake.scalars.val();
        self.check.limit.next = self.intake.limit.val();
        self.check.behind_cum.next = self.intake.behind_cum.val();
        self.check.max_age.next = self.max_age.val();
        self.check.word.next = self.slots.check_word.val();
        self.check.fresh.next = self.slots.at1.val();
        self.store.check_slot.next = self.slots.check_slot.val();
        self.store.check_word.next = self.slots.check_word.val();
        self.check.sack.next = self.store.check_data.val();

        // c6: plan. c8: visit.
        self.planner.load.next = self.slots.at2.val();
        self.planner.request.next = self.intake.request.val();
        self.planner.row.next = self.intake.scalars.val();
        self.planner.cache.next = self.intake.cache.val();
        self.planner.limit.next = self.intake.limit.val();
        self.planner.verdict.next = self.check.verdict.val();
        self.visitor.load.next = self.slots.at0.val();
        self.visitor.plan.next = self.planner.plan.val();
        self.visitor.row.next = self.planner.scalars.val();
        self.visitor.outside.next = self.check.outside.val();

        // c9 + i: read the map words in ring order from base on. c12 + i: write them.
        self.words.step.next = self.slots.map_step.val();
        self.maps.read.next = self.slots.map_valid.val();
        self.maps.path.next = self.slots.map_path.val();
        self.maps.word.next = self.words.word.val();
        self.maps.written.next = self.words.written.val();
        self.store.use_slot.next = self.slots.map_slot.val();
        self.store.use_word.next = self.words.word.val();
        // c11: the last SACK word is read in c12, the cycle in which the first may be written again.
        self.store.free.next =
            self.slots.at3.val() & self.slots.map_valid.val() & (self.visitor.outcome.val().op == 0);
        self.words.visit.next = self.visitor.visit.val();
        self.words.is_first.next = self.slots.at1.val();
        self.words.sack.next = self.store.use_data.val();
        self.words.planes.next = self.maps.planes.val();

        // c15 + i: bring the sums together. c19: complete the row.
        self.gather.sum.next = self.words.sum.val();
        self.gather.word.next = self.maps.word_done.val();
        self.gather.fresh.next = self.slots.at3.val();
        self.finish.load.next = self.slots.at0.val();
        self.finish.scalars.next = self.visitor.scalars.val();
        self.finish.outcome.next = self.visitor.outcome.val();
        self.finish.tally.next = self.gather.tally.val();

        // c20: report, and write the row back.
        self.rows.we.next = self.slots.out_valid.val();
        self.rows.waddr.next = self.slots.out_path.val();
        self.rows.wdata.next = self.finish.row.val();
        self.out_valid.next = self.slots.out_valid.val();
        self.out_op.next = self.finish.out_outcome.val().op;
        self.out_path.next = self.slots.out_path.val();
        self.out_ok.next = self.finish.out_outcome.val().ok;
        self.out_bad.next = self.finish.out_outcome.val().bad;
        self.out_base.next = self.finish.out_scalars.val().base;
        self.out_next.next = self.finish.out_scalars.val().next_psn;
        self.out_route.next = self.finish.out_scalars.val().route;
        self.out_psn.next = self.finish.out_outcome.val().psn;
        self.out_newly.next = self.finish.out_newly.val();
        self.out_inflight.next = self.finish.out_scalars.val().inflight;
        self.out_waiting.next = self.finish.out_waiting.val();
        self.out_lost.next = self.finish.out_lost.val();
        self.out_now.next = self.finish.out_outcome.val().now;
    }
}
