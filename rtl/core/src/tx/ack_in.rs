//! Acknowledgements in: hands an ACK to the path engine and believes of it what the engine's verdict allows.
//!
//! At 64 bits 9 cycles per ACK: taken at `k`, three payload beats, four SACK words, operation; the operation
//! is offered 5 cycles after the last beat. One without SACK words takes 6: it has no payload, and its
//! operation is offered 5 cycles after `k`. One ACK at a time up to there; up to 8 are with the path engine or
//! wait at `n`. `t` and `drop` leave 1 cycle after the result, `n` 3. Assumes: results of ACK operations come in
//! order, at least 4 cycles after the operation; `d` carries payloads of ACKs alone. Model `tx::ack_in`. Doc
//! `docs/blocks/tx-ack-in.md`.

use super::rows::{AckSample, DoneEvent, PendingAck};
use crate::generated::wire::{ack, ack_form, common, drop};
use crate::rx::rows::LocatedFrame;
use heddle_emit::prims::Fifo;
use rust_hdl::prelude::*;

// The kernel's literals are these positions.
const _: () = assert!(common::DST_CONN_LSB == 336 && common::PATH_LSB == 352 && common::ROUTE_LSB == 312);
const _: () = assert!(common::PSN_LSB == 288 && common::TIMESTAMP_LSB == 256 && ack::CUM_LSB == 224);
const _: () = assert!(ack::HOLD_LSB == 208 && ack::DONE_STREAM_LSB == 120 && ack::DONE_MSN_LSB == 96);
const _: () = assert!(common::OPCODE_LSB == 368);

/// Bits of an ACK behind the header words: the last six SACK words.
const TAIL_BITS: usize = 192;

/// The block, at `W` data bits: 2^`CW` connections of 2^`LW` paths; `PW` = `CW` + `LW`.
#[derive(LogicBlock)]
pub struct TxAckIn<const W: usize, const CW: usize, const LW: usize, const PW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: forgets everything.
    pub rst: Signal<In, Bit>,
    /// Time, ticks of 8 ns.
    pub now: Signal<In, Bits<32>>,
    /// The timer has room for the samples of 8 more ACKs.
    pub t_room: Signal<In, Bit>,
    /// An ACK is offered.
    pub k_valid: Signal<In, Bit>,
    /// It is taken.
    pub k_ready: Signal<Out, Bit>,
    /// The ACK; its connection and path exist.
    pub k_frame: Signal<In, LocatedFrame>,
    /// A beat of an ACK's words 12 to 17 is offered.
    pub d_valid: Signal<In, Bit>,
    /// It is taken.
    pub d_ready: Signal<Out, Bit>,
    /// The beat, byte 0 in the low lane.
    pub d_data: Signal<In, Bits<W>>,
    /// A SACK word for the path engine is offered: four before each operation.
    pub sk_valid: Signal<Out, Bit>,
    /// It is taken.
    pub sk_ready: Signal<In, Bit>,
    /// Bits 64 k to 64 k + 63 of the ring, k = 0 to 3.
    pub sk_word: Signal<Out, Bits<64>>,
    /// An ACK operation for the path engine is offered.
    pub i_valid: Signal<Out, Bit>,
    /// It is taken.
    pub i_ready: Signal<In, Bit>,
    /// Path index.
    pub i_path: Signal<Out, Bits<PW>>,
    /// Lowest PSN not received.
    pub i_cum: Signal<Out, Bits<24>>,
    /// Highest PSN received.
    pub i_high: Signal<Out, Bits<24>>,
    /// Echoed route.
    pub i_route: Signal<Out, Bits<8>>,
    /// Echoed timestamp.
    pub i_ts: Signal<Out, Bits<32>>,
    /// Time at which the ACK was taken at `k`.
    pub i_now: Signal<Out, Bits<32>>,
    /// Pulse: a result of the path engine.
    pub r_valid: Signal<In, Bit>,
    /// Its operation; only 0, ACK, is looked at.
    pub r_op: Signal<In, Bits<3>>,
    /// 0 good, 1 invalid, 2 stale.
    pub r_bad: Signal<In, Bits<2>>,
    /// Packets newly known received.
    pub r_newly: Signal<In, Bits<9>>,
    /// Packets sent and not known received.
    pub r_inflight: Signal<In, Bits<9>>,
    /// A report of complete messages is offered.
    pub n_valid: Signal<Out, Bit>,
    /// It is taken.
    pub n_ready: Signal<In, Bit>,
    /// The report.
    pub n_done: Signal<Out, DoneEvent>,
    /// Pulse: a good ACK.
    pub t_valid: Signal<Out, Bit>,
    /// What it tells the timer.
    pub t_sample: Signal<Out, AckSample>,
    /// Pulse: an ACK was not good.
    pub drop_valid: Signal<Out, Bit>,
    /// DropReason number.
    pub drop_reason: Signal<Out, Bits<8>>,
    pending: Fifo<PendingAck, 3, 4>,
    dones: Fifo<DoneEvent, 3, 4>,
    state: DFF<Bits<2>>,
    count: DFF<Bits<2>>,
    ack: DFF<PendingAck>,
    cum: DFF<Bits<24>>,
    high: DFF<Bits<24>>,
    route: DFF<Bits<8>>,
    ts: DFF<Bits<32>>,
    at: DFF<Bits<32>>,
    hold: DFF<Bits<16>>,
    trip: DFF<Bits<32>>,
    first: DFF<Bits<64>>,
    tail: DFF<Bits<192>>,
    good: DFF<Bit>,
    sample: DFF<AckSample>,
    refused: DFF<Bit>,
    reason: DFF<Bits<8>>,
    words: Signal<Local, Bits<384>>,
    used: Signal<Local, Bits<4>>,
    free: Signal<Local, Bit>,
    low: Signal<Local, Bits<64>>,
    swapped: Signal<Local, Bits<64>>,
    head: Signal<Local, PendingAck>,
    result: Signal<Local, Bit>,
    wide: Constant<Bit>,
    local_bits: Constant<Bits<4>>,
    last_beat: Constant<Bits<2>>,
    no_sack: Constant<Bits<8>>,
    stale: Constant<Bits<8>>,
    invalid: Constant<Bits<8>>,
}

impl<const W: usize, const CW: usize, const LW: usize, const PW: usize> Default for TxAckIn<W, CW, LW, PW> {
    fn default() -> Self {
        assert_eq!(PW, CW + LW, "derived width");
        assert!(W == 64 || W == 512, "{W} data bits: 64 and 512 are built");
        Self {
            clk: Default::default(),
            rst: Default::default(),
            now: Default::default(),
            t_room: Default::default(),
            k_valid: Default::default(),
            k_ready: Default::default(),
            k_frame: Default::default(),
            d_valid: Default::default(),
            d_ready: Default::default(),
            d_data: Default::default(),
            sk_valid: Default::default(),
            sk_ready: Default::default(),
            sk_word: Default::default(),
            i_valid: Default::default(),
            i_ready: Default::default(),
            i_path: Default::default(),
            i_cum: Default::default(),
            i_high: Default::default(),
            i_route: Default::default(),
            i_ts: Default::default(),
            i_now: Default::default(),
            r_valid: Default::default(),
            r_op: Default::default(),
            r_bad: Default::default(),
            r_newly: Default::default(),
            r_inflight: Default::default(),
            n_valid: Default::default(),
            n_ready: Default::default(),
            n_done: Default::default(),
            t_valid: Default::default(),
            t_sample: Default::default(),
            drop_valid: Default::default(),
            drop_reason: Default::default(),
            pending: Fifo::new(8),
            dones: Fifo::new(8),
            state: Default::default(),
            count: Default::default(),
            ack: Default::default(),
            cum: Default::default(),
            high: Default::default(),
            route: Default::default(),
            ts: Default::default(),
            at: Default::default(),
            hold: Default::default(),
            trip: Default::default(),
            first: Default::default(),
            tail: Default::default(),
            good: Default::default(),
            sample: Default::default(),
            refused: Default::default(),
            reason: Default::default(),
            words: Default::default(),
            used: Default::default(),
            free: Default::default(),
            low: Default::default(),
            swapped: Default::default(),
            head: Default::default(),
            result: Default::default(),
            wide: Constant::new(W == 512),
            local_bits: Constant::new((LW as u64).to_bits()),
            last_beat: Constant::new((TAIL_BITS.div_ceil(W) as u64 - 1).to_bits()),
            no_sack: Constant::new(ack_form::NO_SACK.to_bits()),
            stale: Constant::new(drop::ACK_STALE.to_bits()),
            invalid: Constant::new(drop::ACK_INVALID.to_bits()),
        }
    }
}

// The states, as the kernel's literals: 0 idle, 1 payload beats, 2 SACK words, 3 operation.
impl<const W: usize, const CW: usize, const LW: usize, const PW: usize> Logic for TxAckIn<W, CW, LW, PW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clk, state, count, ack, cum, high, route, ts, at, hold, trip, first, tail, good, sample,
            refused, reason
        );
        self.pending.clk.next = self.clk.val();
        self.pending.rst.next = self.rst.val();
        self.dones.clk.next = self.clk.val();
        self.dones.rst.next = self.rst.val();

        // An ACK is taken when neither its result nor its report can find a full queue.
        self.used.next = self.pending.count.val() + self.dones.count.val();
        self.free.next = (self.state.q.val() == 0) & (self.used.val() < 8) & self.t_room.val();
        self.k_ready.next = self.free.val();
        self.words.next = self.k_frame.val().words;
        if self.free.val() & self.k_valid.val() {
            self.ack.d.next.conn = bit_cast::<16, CW>(self.words.val().get_bits::<CW>(336));
            self.ack.d.next.path = (bit_cast::<16, CW>(self.words.val().get_bits::<CW>(336))
                << self.local_bits.val())
                | bit_cast::<16, LW>(self.words.val().get_bits::<LW>(352));
            self.ack.d.next.done_stream = self.words.val().get_bits::<8>(120);
            self.ack.d.next.done_msn = self.words.val().get_bits::<24>(96);
            self.cum.d.next = self.words.val().get_bits::<24>(224);
            self.high.d.next = self.words.val().get_bits::<24>(288);
            self.route.d.next = self.words.val().get_bits::<8>(312);
            self.ts.d.next = self.words.val().get_bits::<32>(256);
            self.hold.d.next = self.words.val().get_bits::<16>(208);
            // Words 10 and 11, the lower one first.
            self.first.d.next = bit_cast::<64, 32>(self.words.val().get_bits::<32>(32))
                | (bit_cast::<64, 32>(self.words.val().get_bits::<32>(0)) << 32);
            self.at.d.next = self.now.val();
            self.state.d.next = 1.into();
            // REQ-ACK-5: what an ACK does not carry is zeros, and no beat of it comes.
            if self.words.val().get_bits::<8>(368) == self.no_sack.val() {
                self.first.d.next = 0.into();
                self.tail.d.next = 0.into();
                self.state.d.next = 2.into();
            }
        }

        // Payload beats, the first of them lowest.
        self.d_ready.next = self.state.q.val() == 1;
        if (self.state.q.val() == 1) & self.d_valid.val() {
            if self.wide.val() {
                self.tail.d.next = bit_cast::<192, W>(self.d_data.val());
            } else {
                self.tail.d.next = (self.tail.q.val() >> 64) | (bit_cast::<192, W>(self.d_data.val()) << 128);
            }
            self.count.d.next = self.count.q.val() + 1;
            if self.count.q.val() == self.last_beat.val() {
                self.count.d.next = 0.into();
                self.state.d.next = 2.into();
            }
        }

        // The peer's hold is believed only to make the round trip smaller.
        self.trip.d.next = self.at.q.val() - self.ts.q.val();
        if self.state.q.val() == 2 {
            self.ack.d.next.rtt = self.trip.q.val() - bit_cast::<32, 16>(self.hold.q.val());
            self.ack.d.next.has_rtt =
                !self.hold.q.val().all() & (self.trip.q.val() >= bit_cast::<32, 16>(self.hold.q.val()));
        }

        // SACK words in index order; on the wire their bytes come highest first.
        self.low.next = self.tail.q.val().get_bits::<64>(0);
        self.swapped.next = (bit_cast::<64, 8>(self.low.val().get_bits::<8>(0)) << 24)
            | (bit_cast::<64, 8>(self.low.val().get_bits::<8>(8)) << 16)
            | (bit_cast::<64, 8>(self.low.val().get_bits::<8>(16)) << 8)
            | bit_cast::<64, 8>(self.low.val().get_bits::<8>(24))
            | (bit_cast::<64, 8>(self.low.val().get_bits::<8>(32)) << 56)
            | (bit_cast::<64, 8>(self.low.val().get_bits::<8>(40)) << 48)
            | (bit_cast::<64, 8>(self.low.val().get_bits::<8>(48)) << 40)
            | (bit_cast::<64, 8>(self.low.val().get_bits::<8>(56)) << 32);
        self.sk_valid.next = self.state.q.val() == 2;
        self.sk_word.next = self.swapped.val();
        if self.count.q.val() == 0 {
            self.sk_word.next = self.first.q.val();
        }
        if (self.state.q.val() == 2) & self.sk_ready.val() {
            if self.count.q.val() != 0 {
                self.tail.d.next = self.tail.q.val() >> 64;
            }
            self.count.d.next = self.count.q.val() + 1;
            if self.count.q.val() == 3 {
                self.state.d.next = 3.into();
            }
        }

        // The operation; what is to be remembered until its result.
        self.i_valid.next = self.state.q.val() == 3;
        self.i_path.next = bit_cast::<PW, 16>(self.ack.q.val().path);
        self.i_cum.next = self.cum.q.val();
        self.i_high.next = self.high.q.val();
        self.i_route.next = self.route.q.val();
        self.i_ts.next = self.ts.q.val();
        self.i_now.next = self.at.q.val();
        self.pending.in_valid.next = (self.state.q.val() == 3) & self.i_ready.val();
        self.pending.in_data.next = self.ack.q.val();
        if (self.state.q.val() == 3) & self.i_ready.val() {
            self.state.d.next = 0.into();
        }

        // The verdict: an invalid ACK is not believed at all, a stale one only in what it says of messages.
        self.head.next = self.pending.out_data.val();
        self.result.next = self.r_valid.val() & (self.r_op.val() == 0);
        self.pending.out_ready.next = self.result.val();
        self.dones.in_valid.next = self.result.val() & (self.r_bad.val() != 1);
        self.dones.in_data.next.conn = self.head.val().conn;
        self.dones.in_data.next.stream = self.head.val().done_stream;
        self.dones.in_data.next.msn = self.head.val().done_msn;
        self.good.d.next = self.result.val() & (self.r_bad.val() == 0);
        self.sample.d.next.path = self.head.val().path;
        self.sample.d.next.rtt = self.head.val().rtt;
        self.sample.d.next.has_rtt = self.head.val().has_rtt;
        self.sample.d.next.newly = self.r_newly.val();
        self.sample.d.next.inflight = self.r_inflight.val();
        self.refused.d.next = self.result.val() & (self.r_bad.val() != 0);
        self.reason.d.next = self.stale.val();
        if self.r_bad.val() == 1 {
            self.reason.d.next = self.invalid.val();
        }
        self.n_valid.next = self.dones.out_valid.val();
        self.n_done.next = self.dones.out_data.val();
        self.dones.out_ready.next = self.n_ready.val();
        self.t_valid.next = self.good.q.val();
        self.t_sample.next = self.sample.q.val();
        self.drop_valid.next = self.refused.q.val();
        self.drop_reason.next = self.reason.q.val();
        if self.rst.val() {
            self.state.d.next = 0.into();
            self.count.d.next = 0.into();
            self.good.d.next = false;
            self.refused.d.next = false;
        }
    }
}
