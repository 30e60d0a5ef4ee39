//! Traffic counters: what happened, by kind, 32 bits each, wrapping.
//!
//! Every pulse counts in its cycle. A read: `r_count` 1 cycle after `r_index`. Indices: registers.md, traffic counters.
//! Doc `docs/blocks/csr.md`.

use crate::generated::wire::counter;
use rust_hdl::prelude::*;

// The kernel's literals are these numbers.
const _: () = assert!(counter::DATA_SENT == 0 && counter::DATA_RESENT == 1 && counter::EXPIRY_RESENT == 2);
const _: () = assert!(counter::PROBES_SENT == 3 && counter::ACKS_SENT == 4 && counter::BYTES_SENT == 6);
const _: () =
    assert!(counter::FRAMES_RECEIVED == 7 && counter::DATA_ACCEPTED == 8 && counter::CE_RECEIVED == 9);
const _: () = assert!(counter::PROBES_RECEIVED == 10 && counter::ACKS_RECEIVED == 11);
const _: () = assert!(counter::BYTES_WRITTEN == 13 && counter::EXPIRIES == 14 && counter::DEAD_ROUTES == 15);
const _: () = assert!(counter::MESSAGES_SENT == 17 && counter::MESSAGES_RECEIVED == 18);
const _: () = assert!(counter::CONNECTION_ERRORS == 19);

/// The block.
#[derive(LogicBlock, Default)]
pub struct Traffic {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: every counter becomes 0.
    pub rst: Signal<In, Bit>,
    /// Pulse: a packet is handed to the framer.
    pub sent: Signal<In, Bit>,
    /// 0 new data, 1 data resent, 2 sent for an expiry, 3 PROBE.
    pub sent_kind: Signal<In, Bits<2>>,
    /// Its payload, bytes.
    pub sent_len: Signal<In, Bits<16>>,
    /// Pulse: an ACK is handed to the framer.
    pub ack_sent: Signal<In, Bit>,
    /// Pulse: a frame has arrived.
    pub frame: Signal<In, Bit>,
    /// Pulse: DATA was accepted.
    pub accepted: Signal<In, Bit>,
    /// Pulse: DATA, accepted or duplicate, carried CE.
    pub ce: Signal<In, Bit>,
    /// Pulse: a PROBE has arrived.
    pub probe: Signal<In, Bit>,
    /// Pulse: a good ACK has arrived.
    pub ack: Signal<In, Bit>,
    /// Pulse: a payload is in memory.
    pub written: Signal<In, Bit>,
    /// Its bytes.
    pub written_len: Signal<In, Bits<16>>,
    /// Pulse: a timer expired.
    pub expiry: Signal<In, Bit>,
    /// Pulse: a route is dead.
    pub dead: Signal<In, Bit>,
    /// Pulse: a message of ours is done.
    pub message_sent: Signal<In, Bit>,
    /// Pulse: a message has arrived whole.
    pub message_received: Signal<In, Bit>,
    /// Pulses: a connection has ended with an error, found by the receive or the transmit side.
    pub error: [Signal<In, Bit>; 2],
    /// The counter to be read.
    pub r_index: Signal<In, Bits<5>>,
    /// Its value a cycle later; 0 for an index without a counter.
    pub r_count: Signal<Out, Bits<32>>,
    counters: [DFF<Bits<32>>; 20],
    add: [Signal<Local, Bits<32>>; 20],
    read: DFF<Bits<32>>,
}

impl Logic for Traffic {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, read);
        for k in 0..20 {
            self.add[k].next = 0.into();
        }
        if self.sent.val() {
            if self.sent_kind.val() == 0 {
                self.add[0].next = 1.into();
            }
            if self.sent_kind.val() == 1 {
                self.add[1].next = 1.into();
            }
            if self.sent_kind.val() == 2 {
                self.add[2].next = 1.into();
            }
            if self.sent_kind.val() == 3 {
                self.add[3].next = 1.into();
            }
            self.add[6].next = bit_cast::<32, 16>(self.sent_len.val());
        }
        self.add[4].next = bit_cast::<32, 1>(self.ack_sent.val().into());
        self.add[7].next = bit_cast::<32, 1>(self.frame.val().into());
        self.add[8].next = bit_cast::<32, 1>(self.accepted.val().into());
        self.add[9].next = bit_cast::<32, 1>(self.ce.val().into());
        self.add[10].next = bit_cast::<32, 1>(self.probe.val().into());
        self.add[11].next = bit_cast::<32, 1>(self.ack.val().into());
        if self.written.val() {
            self.add[13].next = bit_cast::<32, 16>(self.written_len.val());
        }
        self.add[14].next = bit_cast::<32, 1>(self.expiry.val().into());
        self.add[15].next = bit_cast::<32, 1>(self.dead.val().into());
        self.add[17].next = bit_cast::<32, 1>(self.message_sent.val().into());
        self.add[18].next = bit_cast::<32, 1>(self.message_received.val().into());
        self.add[19].next =
            bit_cast::<32, 1>(self.error[0].val().into()) + bit_cast::<32, 1>(self.error[1].val().into());
        self.read.d.next = 0.into();
        for k in 0..20 {
            self.counters[k].clock.next = self.clk.val();
            self.counters[k].d.next = self.counters[k].q.val() + self.add[k].val();
            if self.rst.val() {
                self.counters[k].d.next = 0.into();
            }
            if self.r_index.val() == k.to_bits() {
                self.read.d.next = self.counters[k].q.val();
            }
        }
        self.r_count.next = self.read.q.val();
    }
}
