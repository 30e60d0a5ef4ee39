//! Receive hold: keeps a frame until its ICRC is known, and its payload until the path engine has decided.
//!
//! Latency 4 cycles from `k_valid` to `f_valid`, 6 from an `x` pulse to the first payload beat; one beat per
//! cycle on both sides. `room` is what the MAC side sees as `tready`: it leaves [`SLACK_BEATS`] beats and
//! [`SLACK_FRAMES`] frames for what is inside the parser. Frames come out in the order in which they came
//! in; a frame that the parser or the ICRC refuses is given up and counted once.
//! Assumes: one `h` and one `k` pulse per frame, in order, `h` not after its `k` and after the `k` of the
//! frame before; the last `p` beat before `k`, the next frame's first in the cycle of `k` at the earliest;
//! one `x` pulse per frame taken at `f`, in order.
//! Model `rx::hold`. Doc `docs/blocks/rx-hold.md`.

mod fetch;
mod judge;
mod store;

use super::rows::{Disposition, HeldFrame};
use fetch::Fetch;
use heddle_emit::prims::{Fifo, SdpRamNc};
use judge::Judge;
use rust_hdl::prelude::*;
use store::Store;

/// Beats that can still arrive after `room` falls: the parser's pipeline, the write side's and the register
/// on `room`.
pub const SLACK_BEATS: u64 = 16;
/// Frames that can: each of one beat, as 512 bits allow. Of 16 places, so many are left when `room` falls.
pub const SLACK_FRAMES: usize = 8;

/// The block: `W` data bits, a ring of 2^`A` beats (`C` = `A` + 1).
#[derive(LogicBlock)]
pub struct Hold<const W: usize, const A: usize, const C: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: forgets everything.
    pub rst: Signal<In, Bit>,
    /// Pulse: the first beat of a frame enters the parser.
    pub s_first: Signal<In, Bit>,
    /// Plane of that frame.
    pub s_plane: Signal<In, Bits<4>>,
    /// Pulse: a frame's headers.
    pub h_valid: Signal<In, Bit>,
    /// DropReason number, 0 = none.
    pub h_drop: Signal<In, Bits<8>>,
    /// The addresses are IPv6.
    pub h_v6: Signal<In, Bit>,
    /// Source address.
    pub h_src: Signal<In, Bits<128>>,
    /// ECN says congestion experienced.
    pub h_ce: Signal<In, Bit>,
    /// Header words 0 to 11, word 0 on top.
    pub h_words: Signal<In, Bits<384>>,
    /// Bytes from the transport header to the ICRC.
    pub h_paylen: Signal<In, Bits<16>>,
    /// A beat of the transport packet, aligned to its first byte.
    pub p_tvalid: Signal<In, Bit>,
    /// Its bytes, byte 0 in the low lane.
    pub p_tdata: Signal<In, Bits<W>>,
    /// It is the packet's last.
    pub p_tlast: Signal<In, Bit>,
    /// Pulse: a frame's ICRC is known.
    pub k_valid: Signal<In, Bit>,
    /// It is right.
    pub k_good: Signal<In, Bit>,
    /// The MAC side may send. Registered.
    pub room: Signal<Out, Bit>,
    /// A frame is offered.
    pub f_valid: Signal<Out, Bit>,
    /// It is taken.
    pub f_ready: Signal<In, Bit>,
    /// The frame.
    pub f_frame: Signal<Out, HeldFrame>,
    /// Pulse: the oldest frame taken at `f` without one gets its disposition.
    pub x_valid: Signal<In, Bit>,
    /// Its payload leaves on `d`; else it is skipped.
    pub x_take: Signal<In, Bit>,
    /// The payload is an ACK's.
    pub x_ack: Signal<In, Bit>,
    /// A payload beat is offered.
    pub d_valid: Signal<Out, Bit>,
    /// It is taken.
    pub d_ready: Signal<In, Bit>,
    /// Payload, byte 0 in the low lane.
    pub d_data: Signal<Out, Bits<W>>,
    /// The beat is of an ACK.
    pub d_ack: Signal<Out, Bit>,
    /// Pulse: a frame was refused.
    pub drop_valid: Signal<Out, Bit>,
    /// DropReason number.
    pub drop_reason: Signal<Out, Bits<8>>,
    ring: SdpRamNc<Bits<W>, A>,
    planes: Fifo<Bits<4>, 3, 4>,
    frames: Fifo<HeldFrame, 4, 5>,
    order: Fifo<Bits<16>, 5, 6>,
    judge: Judge,
    store: Store<W, C>,
    fetch: Fetch<W, C>,
    /// Frames taken at `f` whose disposition has no effect yet.
    open: DFF<Bits<5>>,
    may_offer: DFF<Bit>,
    used: DFF<Bits<C>>,
    room_now: DFF<Bit>,
    next_open: Signal<Local, Bits<5>>,
    taken: Signal<Local, Bit>,
    disposition: Signal<Local, Disposition>,
    limit: Constant<Bits<C>>,
}

impl<const W: usize, const A: usize, const C: usize> Hold<W, A, C> {
    /// A hold for payloads of at most `slice_bytes`.
    ///
    /// # Panics
    /// When `C` is not `A` + 1, or two payloads and the slack do not fit in 2^`A` beats.
    pub fn new(slice_bytes: u64) -> Self {
        let beat_bytes = W as u64 / 8;
        let beats = slice_bytes.div_ceil(beat_bytes) + 1;
        assert_eq!(C, A + 1, "pointers of a ring of 2^{A} beats have {} bits, not {C}", A + 1);
        assert!(
            2 * beats + SLACK_BEATS <= 1 << A,
            "2^{A} beats do not hold two payloads of {slice_bytes} bytes"
        );
        Self {
            clk: Default::default(),
            rst: Default::default(),
            s_first: Default::default(),
            s_plane: Default::default(),
            h_valid: Default::default(),
            h_drop: Default::default(),
            h_v6: Default::default(),
            h_src: Default::default(),
            h_ce: Default::default(),
            h_words: Default::default(),
            h_paylen: Default::default(),
            p_tvalid: Default::default(),
            p_tdata: Default::default(),
            p_tlast: Default::default(),
            k_valid: Default::default(),
            k_good: Default::default(),
            room: Default::default(),
            f_valid: Default::default(),
            f_ready: Default::default(),
            f_frame: Default::default(),
            x_valid: Default::default(),
            x_take: Default::default(),
            x_ack: Default::default(),
            d_valid: Default::default(),
            d_ready: Default::default(),
            d_data: Default::default(),
            d_ack: Default::default(),
            drop_valid: Default::default(),
            drop_reason: Default::default(),
            ring: Default::default(),
            planes: Fifo::new(8),
            frames: Fifo::new(16 - SLACK_FRAMES),
            order: Fifo::new(32),
            judge: Judge::new(slice_bytes, beat_bytes),
            store: Store::new(beats),
            fetch: Default::default(),
            open: Default::default(),
            may_offer: Default::default(),
            used: Default::default(),
            room_now: Default::default(),
            next_open: Default::default(),
            taken: Default::default(),
            disposition: Default::default(),
            limit: Constant::new(((1 << A) - SLACK_BEATS).to_bits()),
        }
    }
}

impl<const W: usize, const A: usize, const C: usize> Logic for Hold<W, A, C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, open, may_offer, used, room_now);
        self.ring.clk.next = self.clk.val();
        self.planes.clk.next = self.clk.val();
        self.planes.rst.next = self.rst.val();
        self.frames.clk.next = self.clk.val();
        self.frames.rst.next = self.rst.val();
        self.order.clk.next = self.clk.val();
        self.order.rst.next = self.rst.val();
        self.judge.clk.next = self.clk.val();
        self.judge.rst.next = self.rst.val();
        self.store.clk.next = self.clk.val();
        self.store.rst.next = self.rst.val();
        self.fetch.clk.next = self.clk.val();
        self.fetch.rst.next = self.rst.val();

        // The plane waits beside its frame: the parser has begun the next one when this one's headers come.
        self.planes.in_valid.next = self.s_first.val();
        self.planes.in_data.next = self.s_plane.val();
        self.planes.out_ready.next = self.judge.known.val();

        // The verdict.
        self.judge.h_valid.next = self.h_valid.val();
        self.judge.h_drop.next = self.h_drop.val();
        self.judge.h_v6.next = self.h_v6.val();
        self.judge.h_src.next = self.h_src.val();
        self.judge.h_ce.next = self.h_ce.val();
        self.judge.h_words.next = self.h_words.val();
        self.judge.h_paylen.next = self.h_paylen.val();
        self.judge.k_valid.next = self.k_valid.val();
        self.judge.k_good.next = self.k_good.val();
        self.judge.plane.next = self.planes.out_data.val();
        self.drop_valid.next = self.judge.known.val() & !self.judge.accept.val();
        self.drop_reason.next = self.judge.reason.val();

        // What is behind transport offset 48 goes into the ring.
        self.store.p_tvalid.next = self.p_tvalid.val();
        self.store.p_tdata.next = self.p_tdata.val();
        self.store.p_tlast.next = self.p_tlast.val();
        self.store.known.next = self.judge.known.val();
        self.store.keep.next = self.judge.keep.val();
        self.ring.we.next = self.store.we.val();
        self.ring.waddr.next = bit_cast::<A, C>(self.store.write.val());
        self.ring.wdata.next = self.store.data.val();

        // A frame that is kept: what it says, and how much of the ring it has.
        self.frames.in_valid.next = self.judge.accept.val();
        self.frames.in_data.next = self.judge.frame.val();
        self.order.in_valid.next = self.judge.accept.val();
        self.order.in_data.next = self.judge.keep.val();

        // At most 16 frames are between `f` and the read side, so that no disposition finds its FIFO full.
        self.f_valid.next = self.frames.out_valid.val() & self.may_offer.q.val();
        self.f_frame.next = self.frames.out_data.val();
        self.frames.out_ready.next = self.f_ready.val() & self.may_offer.q.val();
        self.taken.next = self.frames.out_valid.val() & self.may_offer.q.val() & self.f_ready.val();
        self.next_open.next = self.open.q.val();
        if self.taken.val() & !self.fetch.begin.val() {
            self.next_open.next = self.open.q.val() + 1;
        }
        if self.fetch.begin.val() & !self.taken.val() {
            self.next_open.next = self.open.q.val() - 1;
        }
        if self.rst.val() {
            self.next_open.next = 0.into();
        }
        self.open.d.next = self.next_open.val();
        self.may_offer.d.next = self.next_open.val() != 16;

        // Dispositions join the frames' places in order.
        self.order.out_ready.next = self.x_valid.val();
        self.disposition.next.take = self.x_take.val();
        self.disposition.next.ack = self.x_ack.val();
        self.disposition.next.beats = self.order.out_data.val();
        self.fetch.x_valid.next = self.x_valid.val();
        self.fetch.x.next = self.disposition.val();
        self.ring.re.next = self.fetch.re.val();
        self.ring.raddr.next = bit_cast::<A, C>(self.fetch.read.val());
        self.fetch.rdata.next = self.ring.rdata.val();
        self.d_valid.next = self.fetch.d_valid.val();
        self.d_data.next = self.fetch.d_data.val();
        self.d_ack.next = self.fetch.d_ack.val();
        self.fetch.d_ready.next = self.d_ready.val();

        self.used.d.next = self.store.write.val() - self.fetch.read.val();
        self.room_now.d.next = (self.used.q.val() < self.limit.val()) & !self.frames.almost_full.val();
        self.room.next = self.room_now.q.val();
        if self.rst.val() {
            self.used.d.next = 0.into();
            self.room_now.d.next = false;
        }
    }
}
