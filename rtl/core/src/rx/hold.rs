//! Receive hold: keeps a frame until its ICRC is known, and its payload until the path engine has decided.
//!
//! Latency 6 cycles from `k_valid` to `f_valid`, 4 from an `x` pulse to the first payload beat; one beat per cycle on both sides.
//! `room` is what the MAC side sees as `tready`: it leaves [`SLACK_BEATS`] beats for what is inside the parser. Frames come out
//! in the order in which they came in; a frame that the parser or the ICRC refuses is rewound and counted once.
//! Assumes: one `h` and one `k` pulse per frame, in order, `h` not after `k`; the last `p` beat not after `k`; the next frame's first
//! stored beat at least two cycles after `k`; one `x` pulse per frame taken at `f`, in order.
//! Model `rx::hold`. Doc `docs/blocks/rx-hold.md`.

use crate::generated::wire::{drop, HEADER_BITS};
use heddle_emit::prims::{Fifo, SdpRamNc, Skid};
use rust_hdl::prelude::*;

use super::rows::{Disposition, HeldFrame};

/// Beats that can still arrive after `room` falls: the parser's pipeline and the register on `room`.
pub const SLACK_BEATS: u64 = 16;

/// Bytes of an ACK behind header word 11: SACK words 2 to 7.
const ACK_TAIL_BYTES: u64 = 24;
const ICRC_BYTES: u64 = 4;

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
    dispositions: Fifo<Disposition, 4, 5>,
    out: Skid<Bits<W>>,
    out_ack: Skid<Bit>,
    // Write side.
    first: DFF<Bits<C>>,
    write: DFF<Bits<C>>,
    beat: DFF<Bits<3>>,
    previous: DFF<Bits<W>>,
    begun: DFF<Bit>,
    flush: DFF<Bit>,
    header: DFF<HeldFrame>,
    header_drop: DFF<Bits<8>>,
    known: DFF<Bit>,
    good: DFF<Bit>,
    store: Signal<Local, Bit>,
    stored: Signal<Local, Bits<W>>,
    whole: Signal<Local, Bit>,
    span: Signal<Local, Bits<C>>,
    beats: Signal<Local, Bits<16>>,
    reason: Signal<Local, Bits<8>>,
    accept: Signal<Local, Bit>,
    frame: Signal<Local, HeldFrame>,
    disposition: Signal<Local, Disposition>,
    // Read side.
    read: DFF<Bits<C>>,
    left: DFF<Bits<16>>,
    open: DFF<Bits<5>>,
    ack: DFF<Bit>,
    fetched_ack: DFF<Bit>,
    fetched: DFF<Bit>,
    step: Signal<Local, Bit>,
    offer: Signal<Local, Bit>,
    begin: Signal<Local, Bit>,
    used: Signal<Local, Bits<C>>,
    room_now: DFF<Bit>,
    head: Signal<Local, Disposition>,
    skip: Constant<Bits<3>>,
    wide: Constant<Bit>,
    round: Constant<Bits<16>>,
    shift: Constant<Bits<4>>,
    header_bytes: Constant<Bits<16>>,
    max_len: Constant<Bits<16>>,
    max_beats: Constant<Bits<C>>,
    limit: Constant<Bits<C>>,
    oversize: Constant<Bits<8>>,
    icrc: Constant<Bits<8>>,
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
        let header = HEADER_BITS / 8;
        // An ACK's words 12 to 17 are stored like a payload.
        let longest = slice_bytes.max(ACK_TAIL_BYTES);
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
            frames: Fifo::new(10),
            order: Fifo::new(32),
            dispositions: Fifo::new(16),
            out: Default::default(),
            out_ack: Default::default(),
            first: Default::default(),
            write: Default::default(),
            beat: Default::default(),
            previous: Default::default(),
            begun: Default::default(),
            flush: Default::default(),
            header: Default::default(),
            header_drop: Default::default(),
            known: Default::default(),
            good: Default::default(),
            store: Default::default(),
            stored: Default::default(),
            whole: Default::default(),
            span: Default::default(),
            beats: Default::default(),
            reason: Default::default(),
            accept: Default::default(),
            frame: Default::default(),
            disposition: Default::default(),
            read: Default::default(),
            left: Default::default(),
            open: Default::default(),
            offer: Default::default(),
            begin: Default::default(),
            ack: Default::default(),
            fetched_ack: Default::default(),
            fetched: Default::default(),
            step: Default::default(),
            used: Default::default(),
            room_now: Default::default(),
            head: Default::default(),
            skip: Constant::new((header / beat_bytes).to_bits()),
            wide: Constant::new(W == 512),
            round: Constant::new((beat_bytes - 1).to_bits()),
            shift: Constant::new(u64::from(beat_bytes.trailing_zeros()).to_bits()),
            header_bytes: Constant::new((header + ICRC_BYTES).to_bits()),
            max_len: Constant::new(longest.to_bits()),
            max_beats: Constant::new(beats.to_bits()),
            limit: Constant::new(((1 << A) - SLACK_BEATS).to_bits()),
            oversize: Constant::new(drop::OVERSIZE.to_bits()),
            icrc: Constant::new(drop::ICRC.to_bits()),
        }
    }
}

impl<const W: usize, const A: usize, const C: usize> Logic for Hold<W, A, C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            first,
            write,
            beat,
            previous,
            begun,
            flush,
            header,
            header_drop,
            known,
            good,
            read,
            left,
            open,
            ack,
            fetched,
            fetched_ack,
            room_now
        );
        self.ring.clk.next = self.clk.val();
        self.planes.clk.next = self.clk.val();
        self.frames.clk.next = self.clk.val();
        self.order.clk.next = self.clk.val();
        self.dispositions.clk.next = self.clk.val();
        self.out.clk.next = self.clk.val();
        self.out_ack.clk.next = self.clk.val();
        self.planes.rst.next = self.rst.val();
        self.frames.rst.next = self.rst.val();
        self.order.rst.next = self.rst.val();
        self.dispositions.rst.next = self.rst.val();
        self.out.rst.next = self.rst.val();
        self.out_ack.rst.next = self.rst.val();

        // The plane waits beside its frame: the parser has begun the next one when this one's headers come.
        self.planes.in_valid.next = self.s_first.val();
        self.planes.in_data.next = self.s_plane.val();

        // Store what follows transport offset 48. At 512 bits that is inside the first beat, so each word joins two beats.
        self.store.next = false;
        self.stored.next = self.p_tdata.val();
        self.flush.d.next = false;
        if self.wide.val() {
            self.previous.d.next = self.p_tdata.val();
            self.stored.next = (self.previous.q.val() >> 384) | (self.p_tdata.val() << 128);
            self.store.next = (self.p_tvalid.val() & self.begun.q.val()) | self.flush.q.val();
            if self.flush.q.val() {
                self.stored.next = self.previous.q.val() >> 384;
            }
            self.flush.d.next = self.p_tvalid.val() & self.p_tlast.val();
        } else {
            self.store.next = self.p_tvalid.val() & (self.beat.q.val() == self.skip.val());
        }
        if self.p_tvalid.val() {
            self.begun.d.next = !self.p_tlast.val();
            if self.beat.q.val() != self.skip.val() {
                self.beat.d.next = self.beat.q.val() + 1;
            }
            if self.p_tlast.val() {
                self.beat.d.next = 0.into();
            }
        }
        self.span.next = self.write.q.val() - self.first.q.val();
        self.whole.next = self.span.val() == self.max_beats.val();
        self.ring.we.next = self.store.val() & !self.whole.val();
        self.ring.waddr.next = bit_cast::<A, C>(self.write.q.val());
        self.ring.wdata.next = self.stored.val();
        if self.store.val() & !self.whole.val() {
            self.write.d.next = self.write.q.val() + 1;
        }

        // Headers, then the ICRC one cycle later: accept, or rewind.
        if self.h_valid.val() {
            self.header_drop.d.next = self.h_drop.val();
        }
        self.frame.next.words = self.h_words.val();
        self.frame.next.src = self.h_src.val();
        self.frame.next.v6 = self.h_v6.val();
        self.frame.next.ce = self.h_ce.val();
        self.frame.next.plane = 0.into();
        self.frame.next.len = 0.into();
        if self.h_paylen.val() >= self.header_bytes.val() {
            self.frame.next.len = self.h_paylen.val() - self.header_bytes.val();
        }
        if self.h_valid.val() {
            self.header.d.next = self.frame.val();
        }
        self.known.d.next = self.k_valid.val();
        self.good.d.next = self.k_good.val();
        self.planes.out_ready.next = self.known.q.val();
        self.beats.next = (self.header.q.val().len + self.round.val()) >> self.shift.val();
        self.reason.next = 0.into();
        if !self.good.q.val() {
            self.reason.next = self.icrc.val();
        }
        if self.header.q.val().len > self.max_len.val() {
            self.reason.next = self.oversize.val();
        }
        if self.header_drop.q.val().any() {
            self.reason.next = self.header_drop.q.val();
        }
        self.accept.next = self.known.q.val() & !self.reason.val().any();
        self.drop_valid.next = self.known.q.val() & self.reason.val().any();
        self.drop_reason.next = self.reason.val();
        if self.known.q.val() {
            self.write.d.next = self.first.q.val();
        }
        if self.accept.val() {
            self.write.d.next = self.first.q.val() + bit_cast::<C, 16>(self.beats.val());
            self.first.d.next = self.first.q.val() + bit_cast::<C, 16>(self.beats.val());
        }
        self.frames.in_valid.next = self.accept.val();
        self.frames.in_data.next.words = self.header.q.val().words;
        self.frames.in_data.next.src = self.header.q.val().src;
        self.frames.in_data.next.v6 = self.header.q.val().v6;
        self.frames.in_data.next.ce = self.header.q.val().ce;
        self.frames.in_data.next.plane = self.planes.out_data.val();
        self.frames.in_data.next.len = self.header.q.val().len;
        self.order.in_valid.next = self.accept.val();
        self.order.in_data.next = self.beats.val();
        // At most 16 frames are between `f` and the read side, so that no disposition finds its FIFO full.
        self.offer.next = self.frames.out_valid.val() & (self.open.q.val() != 16);
        self.f_valid.next = self.offer.val();
        self.f_frame.next = self.frames.out_data.val();
        self.frames.out_ready.next = self.f_ready.val() & (self.open.q.val() != 16);

        // Dispositions join the frames' places in order.
        self.order.out_ready.next = self.x_valid.val();
        self.disposition.next.take = self.x_take.val();
        self.disposition.next.ack = self.x_ack.val();
        self.disposition.next.beats = self.order.out_data.val();
        self.dispositions.in_valid.next = self.x_valid.val();
        self.dispositions.in_data.next = self.disposition.val();

        // Read side: the pipeline of one beat moves while the skid buffer has room.
        self.head.next = self.dispositions.out_data.val();
        self.begin.next = !self.left.q.val().any() & self.dispositions.out_valid.val();
        self.dispositions.out_ready.next = !self.left.q.val().any();
        if self.offer.val() & self.f_ready.val() & !self.begin.val() {
            self.open.d.next = self.open.q.val() + 1;
        }
        if self.begin.val() & !(self.offer.val() & self.f_ready.val()) {
            self.open.d.next = self.open.q.val() - 1;
        }
        self.step.next = self.left.q.val().any() & self.out.in_ready.val();
        self.ring.re.next = self.step.val();
        self.ring.raddr.next = bit_cast::<A, C>(self.read.q.val());
        if self.step.val() {
            self.read.d.next = self.read.q.val() + 1;
            self.left.d.next = self.left.q.val() - 1;
        }
        if self.begin.val() {
            self.ack.d.next = self.head.val().ack;
            if self.head.val().take {
                self.left.d.next = self.head.val().beats;
            } else {
                self.read.d.next = self.read.q.val() + bit_cast::<C, 16>(self.head.val().beats);
            }
        }
        if self.out.in_ready.val() {
            self.fetched.d.next = self.step.val();
            self.fetched_ack.d.next = self.ack.q.val();
        }
        self.out.in_valid.next = self.fetched.q.val();
        self.out.in_data.next = self.ring.rdata.val();
        self.d_valid.next = self.out.out_valid.val();
        self.d_data.next = self.out.out_data.val();
        self.out.out_ready.next = self.d_ready.val();
        self.out_ack.in_valid.next = self.fetched.q.val();
        self.out_ack.in_data.next = self.fetched_ack.q.val();
        self.d_ack.next = self.out_ack.out_data.val();
        self.out_ack.out_ready.next = self.d_ready.val();

        self.used.next = self.write.q.val() - self.read.q.val();
        self.room_now.d.next = (self.used.val() < self.limit.val()) & !self.frames.almost_full.val();
        self.room.next = self.room_now.q.val();
        if self.rst.val() {
            self.first.d.next = 0.into();
            self.write.d.next = 0.into();
            self.read.d.next = 0.into();
            self.left.d.next = 0.into();
            self.open.d.next = 0.into();
            self.beat.d.next = 0.into();
            self.begun.d.next = false;
            self.flush.d.next = false;
            self.known.d.next = false;
            self.fetched.d.next = false;
            self.room_now.d.next = false;
        }
    }
}
