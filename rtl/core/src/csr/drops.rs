//! Drop counters: one 32-bit counter per reason in a block RAM, fed by every block that drops.
//!
//! Each source's pulses wait in a FIFO of 16; one event is counted per cycle. A frame is dropped once and a beat per cycle comes in,
//! so the sources together never outrun it. Reads have a copy of their own: `r_count` 1 cycle after `r_reason`. For 64 cycles after
//! `rst` the counters are cleared. Doc `docs/blocks/csr.md`.

use heddle_emit::prims::{Fifo, SdpRam};
use rust_hdl::prelude::*;

/// The block.
#[derive(LogicBlock)]
pub struct DropCounters {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: every counter becomes 0.
    pub rst: Signal<In, Bit>,
    /// Pulse per source: a frame was dropped. Sources: hold, verdict, ack_in, tx_msg.
    pub e_valid: [Signal<In, Bit>; 4],
    /// Its reason.
    pub e_reason: [Signal<In, Bits<8>>; 4],
    /// The counter to be read.
    pub r_reason: Signal<In, Bits<6>>,
    /// Its value a cycle later.
    pub r_count: Signal<Out, Bits<32>>,
    counters: SdpRam<Bits<32>, 6>,
    copy: SdpRam<Bits<32>, 6>,
    queues: [Fifo<Bits<8>, 4, 5>; 4],
    clear: DFF<Bits<7>>,
    counting: DFF<Bit>,
    reason: DFF<Bits<6>>,
    again: DFF<Bit>,
    last: DFF<Bits<32>>,
    clearing: Signal<Local, Bit>,
    take: [Signal<Local, Bit>; 4],
    found: Signal<Local, Bit>,
    chosen: Signal<Local, Bits<6>>,
    count: Signal<Local, Bits<32>>,
    write: Signal<Local, Bit>,
    write_at: Signal<Local, Bits<6>>,
    write_count: Signal<Local, Bits<32>>,
}

impl Default for DropCounters {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            rst: Default::default(),
            e_valid: Default::default(),
            e_reason: Default::default(),
            r_reason: Default::default(),
            r_count: Default::default(),
            counters: Default::default(),
            copy: Default::default(),
            queues: std::array::from_fn(|_| Fifo::new(16)),
            clear: Default::default(),
            counting: Default::default(),
            reason: Default::default(),
            again: Default::default(),
            last: Default::default(),
            clearing: Default::default(),
            take: Default::default(),
            found: Default::default(),
            chosen: Default::default(),
            count: Default::default(),
            write: Default::default(),
            write_at: Default::default(),
            write_count: Default::default(),
        }
    }
}

impl Logic for DropCounters {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, clear, counting, reason, again, last);
        self.counters.clk.next = self.clk.val();
        self.clearing.next = !self.clear.q.val().get_bit(6);
        for k in 0..4 {
            self.queues[k].clk.next = self.clk.val();
            self.queues[k].rst.next = self.rst.val();
            self.queues[k].in_valid.next = self.e_valid[k].val();
            self.queues[k].in_data.next = self.e_reason[k].val();
        }

        // One event: the last source that has one.
        self.take[3].next = self.queues[3].out_valid.val() & !self.clearing.val();
        self.take[2].next =
            self.queues[2].out_valid.val() & !self.queues[3].out_valid.val() & !self.clearing.val();
        self.take[1].next = self.queues[1].out_valid.val()
            & !self.queues[2].out_valid.val()
            & !self.queues[3].out_valid.val()
            & !self.clearing.val();
        self.take[0].next = self.queues[0].out_valid.val()
            & !self.queues[1].out_valid.val()
            & !self.queues[2].out_valid.val()
            & !self.queues[3].out_valid.val()
            & !self.clearing.val();
        self.found.next = self.take[0].val() | self.take[1].val() | self.take[2].val() | self.take[3].val();
        self.chosen.next = 0.into();
        for k in 0..4 {
            self.queues[k].out_ready.next = self.take[k].val();
            if self.take[k].val() {
                self.chosen.next = self.queues[k].out_data.val().get_bits::<6>(0);
            }
        }

        // Read, add, write; an event behind one of the same reason takes the sum that is being written.
        self.counters.re.next = self.found.val();
        self.counters.raddr.next = self.chosen.val();
        self.copy.clk.next = self.clk.val();
        self.copy.re.next = true;
        self.copy.raddr.next = self.r_reason.val();
        self.counting.d.next = self.found.val();
        self.reason.d.next = self.chosen.val();
        self.again.d.next = self.counting.q.val() & (self.reason.q.val() == self.chosen.val());
        self.count.next = self.counters.rdata.val() + 1;
        if self.again.q.val() {
            self.count.next = self.last.q.val() + 1;
        }
        self.last.d.next = self.count.val();
        self.write.next = self.counting.q.val();
        self.write_at.next = self.reason.q.val();
        self.write_count.next = self.count.val();
        if self.clearing.val() {
            self.clear.d.next = self.clear.q.val() + 1;
            self.write.next = true;
            self.write_at.next = bit_cast::<6, 7>(self.clear.q.val());
            self.write_count.next = 0.into();
        }
        self.counters.we.next = self.write.val();
        self.counters.waddr.next = self.write_at.val();
        self.counters.wdata.next = self.write_count.val();
        self.copy.we.next = self.write.val();
        self.copy.waddr.next = self.write_at.val();
        self.copy.wdata.next = self.write_count.val();
        self.r_count.next = self.copy.rdata.val();

        if self.rst.val() {
            self.clear.d.next = 0.into();
            self.counting.d.next = false;
        }
    }
}
