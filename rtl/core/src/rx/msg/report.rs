//! Which stream an ACK speaks of: the first with news behind the one reported last, or that one again.
//!
//! `finish` comes 2^(`QW` - `CW`) + 4 cycles after `start`. Owns the stream reported last, per connection.

use super::rows::Stream;
use heddle_emit::prims::SdpRamNc;
use rust_hdl::prelude::*;

/// The part: 2^`CW` connections, 2^(`QW` - `CW`) streams each.
#[derive(LogicBlock)]
pub struct Report<const CW: usize, const QW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: drops the question.
    pub rst: Signal<In, Bit>,
    /// The connection's row is made new: its last stream counts as reported last.
    pub clear: Signal<In, Bit>,
    /// That connection.
    pub clear_conn: Signal<In, Bits<CW>>,
    /// Pulse: a question. Not before the `finish` of the one before.
    pub start: Signal<In, Bit>,
    /// Its connection.
    pub conn: Signal<In, Bits<CW>>,
    /// Read the streams' memory.
    pub re: Signal<Out, Bit>,
    /// At {connection, stream}.
    pub raddr: Signal<Out, Bits<QW>>,
    /// The stream read in the cycle before.
    pub rdata: Signal<In, Stream>,
    /// Pulse: the answer.
    pub finish: Signal<Out, Bit>,
    /// The stream to speak of: {connection, stream}.
    pub chosen: Signal<Out, Bits<QW>>,
    /// Its row.
    pub row: Signal<Out, Stream>,
    /// Another one has news.
    pub more: Signal<Out, Bit>,
    lasts: SdpRamNc<Bits<QW>, CW>,
    asked: DFF<Bit>,
    asked_conn: DFF<Bits<CW>>,
    scanning: DFF<Bit>,
    index: DFF<Bits<QW>>,
    count: DFF<Bits<QW>>,
    valid1: DFF<Bit>,
    final1: DFF<Bit>,
    valid2: DFF<Bit>,
    final2: DFF<Bit>,
    index2: DFF<Bits<QW>>,
    row2: DFF<Stream>,
    found: DFF<Bit>,
    several: DFF<Bit>,
    choice: DFF<Bits<QW>>,
    choice_row: DFF<Stream>,
    known: DFF<Bit>,
    following: Signal<Local, Bits<QW>>,
    is_final: Signal<Local, Bit>,
    dirty: Signal<Local, Bit>,
    stream_mask: Constant<Bits<QW>>,
    stream_bits: Constant<Bits<5>>,
}

impl<const CW: usize, const QW: usize> Default for Report<CW, QW> {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            rst: Default::default(),
            clear: Default::default(),
            clear_conn: Default::default(),
            start: Default::default(),
            conn: Default::default(),
            re: Default::default(),
            raddr: Default::default(),
            rdata: Default::default(),
            finish: Default::default(),
            chosen: Default::default(),
            row: Default::default(),
            more: Default::default(),
            lasts: Default::default(),
            asked: Default::default(),
            asked_conn: Default::default(),
            scanning: Default::default(),
            index: Default::default(),
            count: Default::default(),
            valid1: Default::default(),
            final1: Default::default(),
            valid2: Default::default(),
            final2: Default::default(),
            index2: Default::default(),
            row2: Default::default(),
            found: Default::default(),
            several: Default::default(),
            choice: Default::default(),
            choice_row: Default::default(),
            known: Default::default(),
            following: Default::default(),
            is_final: Default::default(),
            dirty: Default::default(),
            stream_mask: Constant::new(((1u64 << (QW - CW)) - 1).to_bits()),
            stream_bits: Constant::new(((QW - CW) as u64).to_bits()),
        }
    }
}

impl<const CW: usize, const QW: usize> Logic for Report<CW, QW> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, asked, asked_conn, scanning, index, count, valid1, final1, valid2, final2);
        dff_setup!(self, clk, index2, row2, found, several, choice, choice_row, known);
        self.lasts.clk.next = self.clk.val();

        // The stream reported last.
        self.lasts.re.next = self.start.val();
        self.lasts.raddr.next = self.conn.val();
        self.asked.d.next = self.start.val();
        if self.start.val() {
            self.asked_conn.d.next = self.conn.val();
        }
        if self.asked.q.val() {
            self.index.d.next = self.lasts.rdata.val();
            self.count.d.next = 0.into();
            self.scanning.d.next = true;
            self.found.d.next = false;
            self.several.d.next = false;
        }

        // The streams behind it in turn, that one at the end.
        self.following.next = (self.index.q.val() & !self.stream_mask.val())
            | ((self.index.q.val() + 1) & self.stream_mask.val());
        self.is_final.next = self.scanning.q.val() & (self.count.q.val() == self.stream_mask.val());
        self.re.next = self.scanning.q.val();
        self.raddr.next = self.following.val();
        self.valid1.d.next = self.scanning.q.val();
        self.final1.d.next = self.is_final.val();
        if self.scanning.q.val() {
            self.index.d.next = self.following.val();
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.is_final.val() {
            self.scanning.d.next = false;
        }
        self.valid2.d.next = self.valid1.q.val();
        self.final2.d.next = self.final1.q.val();
        self.index2.d.next = self.index.q.val();
        self.row2.d.next = self.rdata.val();

        // The first with news is chosen; a second means more. Without any, the last one read is the one
        // reported last.
        self.dirty.next = self.row2.q.val().asked | (self.row2.q.val().done != self.row2.q.val().reported);
        if self.valid2.q.val() {
            if self.found.q.val() {
                self.several.d.next = self.several.q.val() | self.dirty.val();
            } else if self.dirty.val() | self.final2.q.val() {
                self.found.d.next = true;
                self.choice.d.next = self.index2.q.val();
                self.choice_row.d.next = self.row2.q.val();
            }
        }
        self.known.d.next = self.final2.q.val();
        self.finish.next = self.known.q.val();
        self.chosen.next = self.choice.q.val();
        self.row.next = self.choice_row.q.val();
        self.more.next = self.several.q.val();
        self.lasts.we.next = self.known.q.val();
        self.lasts.waddr.next = self.asked_conn.q.val();
        self.lasts.wdata.next = self.choice.q.val();
        if self.clear.val() {
            self.lasts.we.next = true;
            self.lasts.waddr.next = self.clear_conn.val();
            self.lasts.wdata.next = (bit_cast::<QW, CW>(self.clear_conn.val()) << self.stream_bits.val())
                | self.stream_mask.val();
        }
        if self.rst.val() {
            self.asked.d.next = false;
            self.scanning.d.next = false;
            self.valid1.d.next = false;
            self.final1.d.next = false;
            self.valid2.d.next = false;
            self.final2.d.next = false;
            self.known.d.next = false;
        }
    }
}
