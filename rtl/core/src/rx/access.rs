//! Receive access check: message slot, slice, key, right and bounds of a DATA packet; and the fork by packet type.
//!
//! Latency 6 cycles from `c` to the first output, one frame every 7 cycles or more. The fault of a DATA packet is carried to the path
//! engine, not acted upon. Each frame first enters the order queue `o`, then goes to the path engine (`p`: DATA, PROBE) or to
//! the acknowledgements (`k`: ACK). Owns the regions; `done` is looked up in `rx_msg` (`q`, answer in the next cycle).
//! For 2^`RW` cycles after `rst` the regions are cleared and `c_ready` is low.
//! Model `rx::access`. Doc `docs/blocks/rx-access.md`.

mod ports;

pub use ports::RxAccess;

use crate::generated::wire::{common, data, key};
use rust_hdl::prelude::*;

// The kernel's literals are these positions.
const _: () =
    assert!(common::DST_CONN_LSB == 336 && common::PACKET_TYPE_LSB == 376 && common::FLAGS_LSB == 360);
const _: () = assert!(common::OPCODE_LSB == 368 && common::PATH_LSB == 352 && data::STREAM_LSB == 248);
const _: () = assert!(data::MSN_LSB == 224 && data::OFFSET_LSB == 192 && data::LENGTH_LSB == 160);
const _: () =
    assert!(data::ADDRESS_LSB == 96 && data::KEY_LSB == 64 && key::INDEX_LSB == 16 && key::TAG_BITS == 16);

impl<const RW: usize, const RC: usize, const CW: usize, const SW: usize, const QW: usize> Logic
    for RxAccess<RW, RC, CW, SW, QW>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            clear,
            step,
            frame,
            drop,
            region,
            done,
            left,
            misplaced,
            len,
            last,
            fault,
            outside_slots,
            wrong_key,
            end,
            limit,
            below,
            beyond,
            odd_slice
        );
        self.regions.clk.next = self.clk.val();

        // Regions are cleared one by one after reset; then the control plane writes them.
        self.clearing.next = self.clear.q.val() != self.rows_end.val();
        self.write_row.next = self.cfg_row.val();
        self.regions.we.next = self.cfg_we.val();
        self.regions.waddr.next = self.cfg_region.val();
        if self.clearing.val() {
            self.clear.d.next = self.clear.q.val() + 1;
            self.write_row.next.valid = 0.into();
            self.regions.we.next = true;
            self.regions.waddr.next = bit_cast::<RW, RC>(self.clear.q.val());
        }
        self.regions.wdata.next = self.write_row.val();

        // Step 0: take a frame; read its region and its stream's `done`.
        self.c_ready.next = (self.step.q.val() == 0) & !self.clearing.val();
        self.take.next = self.c_valid.val() & (self.step.q.val() == 0) & !self.clearing.val();
        self.in_words.next = self.c_frame.val().words;
        self.regions.re.next = self.take.val();
        self.regions.raddr.next = self.in_words.val().get_bits::<RW>(80);
        self.q_stream.next = (bit_cast::<QW, CW>(self.in_words.val().get_bits::<CW>(336))
            << self.stream_bits.val())
            | bit_cast::<QW, SW>(self.in_words.val().get_bits::<SW>(248));
        if self.take.val() {
            self.frame.d.next = self.c_frame.val();
            self.drop.d.next = self.c_drop.val();
            self.step.d.next = 1.into();
        }

        // The fields of words 0 and 4 to 9.
        self.words.next = self.frame.q.val().words;
        self.kind.next = self.words.val().get_bits::<4>(376);
        self.flags.next = self.words.val().get_bits::<8>(360);
        self.stream.next = self.words.val().get_bits::<8>(248);
        self.offset.next = self.words.val().get_bits::<32>(192);
        self.length.next = self.words.val().get_bits::<32>(160);
        self.address.next = self.words.val().get_bits::<64>(96);
        self.key.next = self.words.val().get_bits::<32>(64);

        // Step 1: the look-ups' answers; how much of the message is left from the offset on.
        if self.step.q.val() == 1 {
            self.region.d.next = self.regions.rdata.val();
            self.done.d.next = self.q_done.val();
            self.left.d.next = self.length.val() - self.offset.val();
            self.misplaced.d.next = (self.offset.val() & self.slice_mask.val()).any()
                | ((self.offset.val() >= self.length.val())
                    & (self.offset.val().any() | self.length.val().any()));
            self.step.d.next = 2.into();
        }

        // Step 2: the slice's true length, the slot, the key.
        self.ahead.next = self.words.val().get_bits::<24>(224) - self.done.q.val();
        if self.step.q.val() == 2 {
            self.last.d.next = self.left.q.val() <= self.slice.val();
            self.len.d.next = bit_cast::<16, 32>(self.slice.val());
            if self.left.q.val() <= self.slice.val() {
                self.len.d.next = self.left.q.val().get_bits::<16>(0);
            }
            self.outside_slots.d.next = self.ahead.val() >= self.slots.val();
            self.wrong_key.d.next = !self.region.q.val().valid.any()
                | (self.region.q.val().tag != self.key.val().get_bits::<16>(0))
                | (self.key.val() & self.key_mask.val()).any()
                | (self.region.q.val().pd != self.frame.q.val().domain);
            self.below.d.next = self.address.val() < self.region.q.val().base;
            self.step.d.next = 3.into();
        }

        // Step 3: the ends, in 65 bits so that nothing wraps into the region.
        self.padded.next = (self.len.q.val() + 3) & 0xFFFC;
        if self.step.q.val() == 3 {
            self.end.d.next = bit_cast::<65, 64>(self.address.val()) + bit_cast::<65, 16>(self.len.q.val());
            self.limit.d.next =
                bit_cast::<65, 64>(self.region.q.val().base) + bit_cast::<65, 64>(self.region.q.val().length);
            self.odd_slice.d.next = self.misplaced.q.val()
                | (self.padded.val() != self.frame.q.val().len)
                | ((self.flags.val() & self.last_mask.val()).any() != self.last.q.val());
            self.step.d.next = 4.into();
        }

        // Step 4: the first fault, in the order of the drop reasons.
        if self.step.q.val() == 4 {
            self.beyond.d.next = self.end.q.val() > self.limit.q.val();
            self.step.d.next = 5.into();
        }
        if self.step.q.val() == 5 {
            self.fault.d.next = 0.into();
            if self.length.val().any() {
                if self.below.q.val() | self.beyond.q.val() {
                    self.fault.d.next = self.no_bounds.val();
                }
                if !self.region.q.val().remote_write.any() {
                    self.fault.d.next = self.no_right.val();
                }
                if self.wrong_key.q.val() {
                    self.fault.d.next = self.no_key.val();
                }
            }
            if self.odd_slice.q.val() {
                self.fault.d.next = self.no_slice.val();
            }
            if self.outside_slots.q.val() {
                self.fault.d.next = self.no_slot.val();
            }
            if (self.stream.val() & self.stream_mask.val()).any() {
                self.fault.d.next = self.no_stream.val();
            }
            if self.words.val().get_bits::<8>(368) != self.write.val() {
                self.fault.d.next = self.not_built.val();
            }
            self.step.d.next = 6.into();
        }

        // Step 6: into the order. Step 7: to the path engine or to the acknowledgements.
        self.is_data.next = (self.kind.val() == self.data.val()) & !self.drop.q.val().any();
        self.is_probe.next = (self.kind.val() == self.probe.val()) & !self.drop.q.val().any();
        self.is_ack.next = (self.kind.val() == self.ack.val()) & !self.drop.q.val().any();
        self.o_valid.next = self.step.q.val() == 6;
        self.o_entry.next.kind = 0.into();
        self.o_entry.next.reason = self.unsupported.val();
        if self.drop.q.val().any() {
            self.o_entry.next.reason = self.drop.q.val();
        }
        if self.is_data.val() {
            self.o_entry.next.kind = 1.into();
            self.o_entry.next.reason = self.fault.q.val();
        }
        if self.is_ack.val() {
            self.o_entry.next.kind = 2.into();
        }
        if self.is_probe.val() {
            self.o_entry.next.kind = 3.into();
        }
        self.place.next.address = self.address.val();
        self.place.next.len = self.len.q.val();
        self.place.next.conn = self.words.val().get_bits::<16>(336);
        self.place.next.path = self.words.val().get_bits::<8>(352);
        self.place.next.stream = self.stream.val();
        self.place.next.msn = self.words.val().get_bits::<24>(224);
        self.place.next.message_len = self.length.val();
        self.o_entry.next.place = self.place.val();
        if (self.step.q.val() == 6) & self.o_ready.val() {
            self.step.d.next = 0.into();
            if self.is_data.val() | self.is_probe.val() | self.is_ack.val() {
                self.step.d.next = 7.into();
            }
        }
        self.p_valid.next = (self.step.q.val() == 7) & !self.is_ack.val();
        self.p_probe.next = self.is_probe.val();
        self.p_fault.next = self.fault.q.val().any();
        self.k_valid.next = (self.step.q.val() == 7) & self.is_ack.val();
        self.a_frame.next = self.frame.q.val();
        if (self.step.q.val() == 7)
            & ((self.is_ack.val() & self.k_ready.val()) | (!self.is_ack.val() & self.p_ready.val()))
        {
            self.step.d.next = 0.into();
        }
        if self.rst.val() {
            self.clear.d.next = 0.into();
            self.step.d.next = 0.into();
        }
    }
}
