//! Last step of the framer: the ICRC at the end of a frame, and the buffer before the MAC.
//!
//! A beat waits in a ring of RAM for as long as the ICRC of a last one takes; then it enters the output
//! buffer. `go` falls while that is half full, so that what is on its way fits, and rises soon enough that
//! no frame runs dry once begun. Latency 6 + LB cycles. Doc `docs/blocks/tx-framer.md`.

use super::rows::{BeatNotes, FramedNotes};
use crate::icrc::Icrc;
use crate::rx::parse::{bits_where, Mask};
use heddle_emit::prims::{Fifo, SdpRamNc};
use rust_hdl::prelude::*;

/// Beats in the output buffer at which `go` falls. It holds 64; up to 15 are on their way.
const HALF: usize = 32;

/// The step: `W` data bits, `B` bytes, `LB` = log2 B, `NW` words, `NB` beats up to frame byte 65, `G` = W /
/// 64.
#[derive(LogicBlock)]
pub struct Seal<
    const W: usize,
    const B: usize,
    const LB: usize,
    const NW: usize,
    const NB: usize,
    const G: usize,
> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// A beat of a frame.
    pub in_valid: Signal<In, Bit>,
    /// Its bytes, byte 0 in the low lane, zeros behind them.
    pub in_data: Signal<In, Bits<W>>,
    /// What goes with it.
    pub in_notes: Signal<In, BeatNotes>,
    /// Beats may come.
    pub go: Signal<Out, Bit>,
    /// A beat is offered.
    pub out_valid: Signal<Out, Bit>,
    /// It is taken.
    pub out_ready: Signal<In, Bit>,
    /// Byte 0 in the low lane.
    pub out_data: Signal<Out, Bits<W>>,
    /// Bytes that are there.
    pub out_keep: Signal<Out, Bits<B>>,
    /// Last of the frame.
    pub out_last: Signal<Out, Bit>,
    /// Plane of the frame.
    pub out_plane: Signal<Out, Bits<4>>,

    mask: Mask<W, B, LB, NB>,
    crc: Icrc<W, B, LB, G>,
    line: SdpRamNc<Bits<W>, 4>,
    notes_line: SdpRamNc<BeatNotes, 4>,
    buffer: Fifo<Bits<W>, 6, 7>,
    notes_buffer: Fifo<FramedNotes, 6, 7>,
    /// Number of the beat in its frame, saturated at 15.
    number: DFF<Bits<4>>,
    turn: DFF<Bits<4>>,
    /// Bit k: a beat came k + 1 cycles ago.
    waiting: DFF<Bits<16>>,
    icrc: DFF<Bits<32>>,

    place: Signal<Local, Bits<2>>,
    layout: Signal<Local, Bits<2>>,
    last: Signal<Local, Bit>,
    end: Signal<Local, Bits<6>>,
    due: Signal<Local, Bit>,
    word: Signal<Local, Bits<W>>,
    notes: Signal<Local, BeatNotes>,
    sealed_place: Signal<Local, Bits<2>>,
    sealed: Signal<Local, Bits<W>>,
    framed: Signal<Local, FramedNotes>,
    left: Signal<Local, FramedNotes>,

    all: Constant<Bits<B>>,
    delay: Constant<Bits<4>>,
    /// By `rest`: bits up to the ICRC in its first beat; bytes of a frame's last beat.
    up: [Constant<Bits<10>>; NW],
    keep: [Constant<Bits<B>>; NW],
}

impl<const W: usize, const B: usize, const LB: usize, const NW: usize, const NB: usize, const G: usize>
    Default for Seal<W, B, LB, NW, NB, G>
{
    fn default() -> Self {
        let number = |n: usize| n as LiteralType;
        Self {
            clk: Default::default(),
            rst: Default::default(),
            in_valid: Default::default(),
            in_data: Default::default(),
            in_notes: Default::default(),
            go: Default::default(),
            out_valid: Default::default(),
            out_ready: Default::default(),
            out_data: Default::default(),
            out_keep: Default::default(),
            out_last: Default::default(),
            out_plane: Default::default(),
            mask: Default::default(),
            crc: Default::default(),
            line: Default::default(),
            notes_line: Default::default(),
            buffer: Fifo::new(HALF),
            notes_buffer: Fifo::new(HALF),
            number: Default::default(),
            turn: Default::default(),
            waiting: Default::default(),
            icrc: Default::default(),
            place: Default::default(),
            layout: Default::default(),
            last: Default::default(),
            end: Default::default(),
            due: Default::default(),
            word: Default::default(),
            notes: Default::default(),
            sealed_place: Default::default(),
            sealed: Default::default(),
            framed: Default::default(),
            left: Default::default(),
            all: Constant::new(bits_where(|_| true)),
            // Through the mask, 1 cycle, and the ICRC engine, 2 + LB; a cycle of it is the RAM's.
            delay: Constant::new(bits(number(2 + LB))),
            up: std::array::from_fn(|k| Constant::new(bits(number((32 * k + W - 16) % W)))),
            keep: std::array::from_fn(|k| Constant::new(bits_where(|byte| byte < 4 * k + 2))),
        }
    }
}

impl<const W: usize, const B: usize, const LB: usize, const NW: usize, const NB: usize, const G: usize> Logic
    for Seal<W, B, LB, NW, NB, G>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, number, turn, waiting, icrc);
        self.mask.clk.next = self.clk.val();
        self.mask.rst.next = self.rst.val();
        self.crc.clk.next = self.clk.val();
        self.crc.rst.next = self.rst.val();
        self.line.clk.next = self.clk.val();
        self.notes_line.clk.next = self.clk.val();
        self.buffer.clk.next = self.clk.val();
        self.buffer.rst.next = self.rst.val();
        self.notes_buffer.clk.next = self.clk.val();
        self.notes_buffer.rst.next = self.rst.val();

        // What the ICRC covers: every beat but one that has only the ICRC's second half.
        self.place.next = self.in_notes.val().place;
        self.layout.next = self.in_notes.val().layout;
        self.last.next = self.place.val().get_bit(0);
        // The highest byte that it covers in its last beat.
        self.end.next = (bit_cast::<6, 4>(self.in_notes.val().rest) << 2) - 3;
        self.mask.valid.next = self.in_valid.val() & (self.place.val() != 3);
        self.mask.last.next = self.place.val().any();
        self.mask.data.next = self.in_data.val();
        self.mask.keep.next = self.all.val();
        self.mask.top.next = bit_cast::<LB, 6>(self.end.val());
        self.mask.n.next = self.number.q.val();
        self.mask.tag.next = self.layout.val().get_bit(0);
        self.mask.layout.next = self.layout.val();
        self.crc.in_valid.next = self.mask.c_valid.val();
        self.crc.in_first.next = self.mask.c_first.val();
        self.crc.in_last.next = self.mask.c_last.val();
        self.crc.in_skip.next = self.mask.c_skip.val();
        self.crc.in_tail.next = self.mask.c_tail.val();
        self.crc.in_data.next = self.mask.c_data.val();
        if self.in_valid.val() {
            if self.number.q.val() != 15 {
                self.number.d.next = self.number.q.val() + 1;
            }
            if self.last.val() {
                self.number.d.next = 0.into();
            }
        }

        // The wait: a ring that turns every cycle.
        self.turn.d.next = self.turn.q.val() + 1;
        self.waiting.d.next = (self.waiting.q.val() << 1) | bit_cast::<16, 1>(self.in_valid.val().into());
        self.due.next = (self.waiting.q.val() >> self.delay.val()).get_bit(0);
        self.line.we.next = self.in_valid.val();
        self.line.waddr.next = self.turn.q.val();
        self.line.wdata.next = self.in_data.val();
        self.line.re.next = true;
        self.line.raddr.next = self.turn.q.val() - self.delay.val();
        self.notes_line.we.next = self.in_valid.val();
        self.notes_line.waddr.next = self.turn.q.val();
        self.notes_line.wdata.next = self.in_notes.val();
        self.notes_line.re.next = true;
        self.notes_line.raddr.next = self.turn.q.val() - self.delay.val();

        // The ICRC is there now; its second half goes with the next beat, however late that comes.
        self.word.next = bit_cast::<W, 32>(self.icrc.q.val());
        if self.crc.w_valid.val() {
            self.icrc.d.next = self.crc.w_icrc.val();
            self.word.next = bit_cast::<W, 32>(self.crc.w_icrc.val());
        }
        self.notes.next = self.notes_line.rdata.val();
        self.sealed_place.next = self.notes.val().place;
        self.sealed.next = self.line.rdata.val();
        for k in 0..NW {
            if (self.notes.val().rest == k.to_bits()) & self.sealed_place.val().any() {
                self.sealed.next = self.line.rdata.val() | (self.word.val() << self.up[k].val());
            }
        }
        if self.sealed_place.val() == 3 {
            self.sealed.next = self.word.val() >> 16;
        }
        self.framed.next.last = self.sealed_place.val().get_bit(0);
        self.framed.next.rest = self.notes.val().rest;
        self.framed.next.plane = self.notes.val().plane;
        self.buffer.in_valid.next = self.due.val();
        self.buffer.in_data.next = self.sealed.val();
        self.notes_buffer.in_valid.next = self.due.val();
        self.notes_buffer.in_data.next = self.framed.val();
        self.go.next = !self.buffer.almost_full.val();

        // Out.
        self.buffer.out_ready.next = self.out_ready.val();
        self.notes_buffer.out_ready.next = self.out_ready.val();
        self.left.next = self.notes_buffer.out_data.val();
        self.out_valid.next = self.buffer.out_valid.val();
        self.out_data.next = self.buffer.out_data.val();
        self.out_keep.next = self.all.val();
        if self.left.val().last {
            for k in 0..NW {
                if self.left.val().rest == k.to_bits() {
                    self.out_keep.next = self.keep[k].val();
                }
            }
        }
        self.out_last.next = self.left.val().last;
        self.out_plane.next = self.left.val().plane;
        if self.rst.val() {
            self.number.d.next = 0.into();
            self.waiting.d.next = 0.into();
        }
    }
}
