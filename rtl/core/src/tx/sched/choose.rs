//! The path of a new packet: of a connection's paths, seen one by one from a rotating start, the usable one with the most free
//! cwnd, the first of equals. After `start` one path per `judge`, up to the one of which `last` speaks.

use super::super::rows::SchedPath;
use rust_hdl::prelude::*;

/// The part, for 2^`LW` paths.
#[derive(LogicBlock)]
pub struct Choose<const LW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Pulse: a new search.
    pub start: Signal<In, Bit>,
    /// The path of the connection that is seen first, held during the search.
    pub first: Signal<In, Bits<8>>,
    /// Pulse: the path `local` is judged.
    pub judge: Signal<In, Bit>,
    /// Its row.
    pub row: Signal<In, SchedPath>,
    /// It may take a new packet.
    pub usable: Signal<In, Bit>,
    /// Packets in flight allowed per path.
    pub cwnd: Signal<In, Bits<9>>,
    /// Path of the connection that is seen now.
    pub local: Signal<Out, Bits<LW>>,
    /// It is the last.
    pub last: Signal<Out, Bit>,
    /// Some path is usable.
    pub found: Signal<Out, Bit>,
    /// The best of them.
    pub best: Signal<Out, Bits<LW>>,
    /// Its row.
    pub best_row: Signal<Out, SchedPath>,
    /// Its packet takes the last of cwnd or window.
    pub takes_last: Signal<Out, Bit>,
    scan: DFF<Bits<9>>,
    any: DFF<Bit>,
    at: DFF<Bits<LW>>,
    at_free: DFF<Bits<9>>,
    at_row: DFF<SchedPath>,
    of: Signal<Local, SchedPath>,
    free: Signal<Local, Bits<9>>,
    now: Signal<Local, Bits<LW>>,
    end: Constant<Bits<9>>,
}

impl<const LW: usize> Default for Choose<LW> {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            start: Default::default(),
            first: Default::default(),
            judge: Default::default(),
            row: Default::default(),
            usable: Default::default(),
            cwnd: Default::default(),
            local: Default::default(),
            last: Default::default(),
            found: Default::default(),
            best: Default::default(),
            best_row: Default::default(),
            takes_last: Default::default(),
            scan: Default::default(),
            any: Default::default(),
            at: Default::default(),
            at_free: Default::default(),
            at_row: Default::default(),
            of: Default::default(),
            free: Default::default(),
            now: Default::default(),
            end: Constant::new(((1u64 << LW) - 1).to_bits()),
        }
    }
}

impl<const LW: usize> Logic for Choose<LW> {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module tx_sched_choose");
        dff_setup!(self, clk, scan, any, at, at_free, at_row);
        self.of.next = self.row.val();
        self.free.next = self.cwnd.val() - self.of.val().inflight;
        self.now.next = bit_cast::<LW, 9>(self.scan.q.val()) + bit_cast::<LW, 8>(self.first.val());
        self.local.next = self.now.val();
        self.last.next = self.scan.q.val() == self.end.val();
        self.found.next = self.any.q.val();
        self.best.next = self.at.q.val();
        self.best_row.next = self.at_row.q.val();
        self.takes_last.next = (self.at_free.q.val() == 1) | (self.at_row.q.val().span == 255);
        if self.judge.val() {
            if self.usable.val() & (!self.any.q.val() | (self.free.val() > self.at_free.q.val())) {
                self.any.d.next = true;
                self.at.d.next = self.now.val();
                self.at_free.d.next = self.free.val();
                self.at_row.d.next = self.row.val();
            }
            self.scan.d.next = self.scan.q.val() + 1;
        }
        if self.start.val() {
            self.scan.d.next = 0.into();
            self.any.d.next = false;
            self.at_free.d.next = 0.into();
        }
    }
}
