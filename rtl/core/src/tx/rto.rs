//! Round-trip time and retransmission timer of each transmit path.
//!
//! A sequential machine: good ACKs first, then packets sent, else one path of the scan. Cycles per event:
//! good ACK 10 (7 without progress or with nothing in flight), packet sent 10 and one per doubling of the
//! interval (4 when it counts for nothing), scan 4 (expiry 5, dead route 10 and one per doubling). While
//! an expiry is not taken the scan stands still, the rest goes on. After `rst`, 2^`PW` cycles clear the
//! rows. Assumes: `t` comes only as `t_room` allows. Model `tx::rto`, `lfsr`. Doc `docs/blocks/tx-rto.md`.

mod ports;

pub use ports::TxRto;

use rust_hdl::prelude::*;

// The states, as the kernel's literals: 0 idle, 1 row read, 9 event committed, 2 what it says, 3 RTO, 4 first
// interval, 5 doublings, 6 random addition, 7 deadline, 8 row written.
impl<const PW: usize, const PC: usize> Logic for TxRto<PW, PC> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clk,
            clear,
            state,
            kind,
            path,
            scan,
            at,
            sent_kind,
            ack,
            row,
            value,
            jitter,
            left,
            lfsr,
            random,
            expiry,
            expiry_path,
            expiry_kind,
            told,
            room
        );
        self.rows.clk.next = self.clk.val();
        self.samples.clk.next = self.clk.val();
        self.samples.rst.next = self.rst.val();
        self.samples.in_valid.next = self.t_valid.val();
        self.samples.in_data.next = self.t_sample.val();
        self.room.d.next = !self.samples.almost_full.val();
        self.t_room.next = self.room.q.val();
        self.clearing.next = self.clear.q.val() != self.rows_end.val();

        // Idle: the next event; its row is read.
        self.draw.next = false;
        self.head.next = self.samples.out_data.val();
        self.samples.out_ready.next = false;
        self.s_ready.next = (self.state.q.val() == 0) & !self.samples.out_valid.val() & !self.clearing.val();
        self.rows.re.next = self.state.q.val() == 1;
        self.rows.raddr.next = self.path.q.val();
        if (self.state.q.val() == 0) & !self.clearing.val() {
            if self.samples.out_valid.val() {
                self.samples.out_ready.next = true;
                self.ack.d.next = self.head.val();
                self.kind.d.next = 0.into();
                self.path.d.next = bit_cast::<PW, 16>(self.head.val().path);
                self.state.d.next = 1.into();
            } else {
                if self.s_valid.val() {
                    self.draw.next = true;
                    self.at.d.next = self.s_now.val();
                    self.sent_kind.d.next = self.s_kind.val();
                    self.kind.d.next = 1.into();
                    self.path.d.next = self.s_path.val();
                    self.state.d.next = 1.into();
                } else {
                    if !self.expiry.q.val() {
                        self.kind.d.next = 2.into();
                        self.path.d.next = self.scan.q.val();
                        self.scan.d.next = self.scan.q.val() + 1;
                        self.state.d.next = 1.into();
                    }
                }
            }
        }

        // The row is read; the event is committed when it arrives.
        if self.state.q.val() == 1 {
            self.state.d.next = 9.into();
        }
        self.log_valid.next = self.state.q.val() == 9;
        self.log_kind.next = self.kind.q.val();
        self.log_path.next = self.path.q.val();
        if self.state.q.val() == 9 {
            self.row.d.next = self.rows.rdata.val();
            if self.kind.q.val() != 1 {
                self.at.d.next = self.now.val();
            }
            self.state.d.next = 2.into();
        }

        // What the event says. A sample that the peer's hold makes impossible is none.
        self.sample_x8.next = bit_cast::<24, 32>(self.ack.q.val().rtt) << 3;
        self.error_x8.next = self.row.q.val().srtt - self.sample_x8.val();
        if self.row.q.val().srtt < self.sample_x8.val() {
            self.error_x8.next = self.sample_x8.val() - self.row.q.val().srtt;
        }
        self.gap.next = self.row.q.val().deadline - self.at.q.val();
        self.due.next = (self.row.q.val().timer == 1) & (self.gap.val().get_bit(31) | !self.gap.val().any());
        // The second expiry in a row, the fourth without a sample.
        self.dead.next =
            (self.row.q.val().sampled & self.row.q.val().expiries.any()) | (self.row.q.val().expiries == 3);
        if (self.state.q.val() == 2) & (self.kind.q.val() == 0) {
            if self.ack.q.val().has_rtt & !(self.ack.q.val().rtt >> 21).any() {
                self.row.d.next.sampled = true;
                if self.row.q.val().sampled {
                    self.row.d.next.rttvar =
                        self.row.q.val().rttvar - (self.row.q.val().rttvar >> 2) + (self.error_x8.val() >> 2);
                    self.row.d.next.srtt = self.row.q.val().srtt - (self.row.q.val().srtt >> 3)
                        + bit_cast::<24, 32>(self.ack.q.val().rtt);
                } else {
                    self.row.d.next.srtt = self.sample_x8.val();
                    self.row.d.next.rttvar = self.sample_x8.val() >> 1;
                }
            }
            if self.ack.q.val().newly.any() {
                self.row.d.next.expiries = 0.into();
                self.row.d.next.backoff = 0.into();
                self.row.d.next.suspended = false;
            }
            self.state.d.next = 3.into();
        }
        if (self.state.q.val() == 2) & (self.kind.q.val() == 1) {
            // Nothing but a new packet starts a stopped timer; while one is awaited no other counts.
            self.state.d.next = 0.into();
            if (self.row.q.val().timer == 1)
                | ((self.row.q.val().timer == 0) & (self.sent_kind.q.val() == 0))
                | ((self.row.q.val().timer == 2) & self.sent_kind.q.val().get_bit(1))
            {
                self.state.d.next = 3.into();
            }
        }
        if self.e_ready.val() {
            self.expiry.d.next = false;
        }
        if (self.state.q.val() == 2) & (self.kind.q.val() == 2) {
            self.state.d.next = 0.into();
            if self.due.val() {
                self.draw.next = true;
                self.expiry.d.next = true;
                self.expiry_path.d.next = self.path.q.val();
                self.row.d.next.suspended = true;
                if self.dead.val() {
                    self.expiry_kind.d.next = 2.into();
                    self.row.d.next.expiries = 0.into();
                    if self.row.q.val().backoff != self.max_backoff.val() {
                        self.row.d.next.backoff = self.row.q.val().backoff + 1;
                    }
                    self.state.d.next = 3.into();
                } else {
                    self.expiry_kind.d.next = 1.into();
                    if self.row.q.val().sampled {
                        self.expiry_kind.d.next = 0.into();
                    }
                    self.row.d.next.expiries = self.row.q.val().expiries + 1;
                    self.row.d.next.timer = 2.into();
                    self.state.d.next = 8.into();
                }
            }
        }
        self.e_valid.next = self.expiry.q.val();
        self.e_path.next = self.expiry_path.q.val();
        self.e_kind.next = self.expiry_kind.q.val();

        // RTO = srtt + max(4 rttvar, T) + T.
        self.wide_delay.next = bit_cast::<24, 16>(self.ack_delay.val());
        self.half.next = self.row.q.val().rttvar >> 1;
        self.spread.next = self.half.val();
        if self.half.val() < self.wide_delay.val() {
            self.spread.next = self.wide_delay.val();
        }
        self.told.d.next = false;
        if self.state.q.val() == 3 {
            self.value.d.next = bit_cast::<28, 27>(self.rto0.val());
            if self.row.q.val().sampled {
                self.value.d.next = bit_cast::<28, 24>(
                    (self.row.q.val().srtt >> 3) + self.spread.val() + self.wide_delay.val(),
                );
            }
            self.told.d.next = self.kind.q.val() == 0;
            self.state.d.next = 4.into();
        }
        self.o_valid.next = self.told.q.val();
        self.o_path.next = self.path.q.val();
        self.o_rto.next = bit_cast::<27, 28>(self.value.q.val());

        // The first interval. An ACK without progress moves no timer, one of everything stops it.
        self.product.next = self.random.q.val() * self.jitter_factor.val();
        if self.state.q.val() == 4 {
            self.left.d.next = self.row.q.val().backoff;
            self.jitter.d.next = 0.into();
            if !self.row.q.val().sampled & self.row.q.val().expiries.any() {
                self.jitter.d.next = bit_cast::<28, 32>(self.product.val() >> 16);
                for k in 1..4 {
                    if self.row.q.val().expiries == k.to_bits() {
                        self.value.d.next = self.repeat[k - 1].val();
                    }
                }
            }
            self.state.d.next = 5.into();
            if self.kind.q.val() == 0 {
                if !self.ack.q.val().newly.any() {
                    self.state.d.next = 8.into();
                } else {
                    if !self.ack.q.val().inflight.any() {
                        self.row.d.next.timer = 0.into();
                        self.state.d.next = 8.into();
                    }
                }
            }
        }
        // Doublings up to a second, then the random addition up to the same.
        self.doubled.next = self.value.q.val() << 1;
        if self.state.q.val() == 5 {
            if self.left.q.val().any() {
                self.left.d.next = self.left.q.val() - 1;
                self.value.d.next = self.doubled.val();
                if self.doubled.val() > self.max_interval.val() {
                    self.value.d.next = self.max_interval.val();
                }
            } else {
                self.state.d.next = 6.into();
            }
        }
        self.sum.next = self.value.q.val() + self.jitter.q.val();
        if self.state.q.val() == 6 {
            self.value.d.next = self.sum.val();
            if self.sum.val() > self.max_interval.val() {
                self.value.d.next = self.max_interval.val();
            }
            self.state.d.next = 7.into();
        }
        if self.state.q.val() == 7 {
            self.row.d.next.timer = 1.into();
            self.row.d.next.deadline = self.at.q.val() + bit_cast::<32, 28>(self.value.q.val());
            self.state.d.next = 8.into();
        }

        // The row is written; after reset all rows are cleared one by one.
        self.write.next = self.row.q.val();
        self.rows.we.next = self.state.q.val() == 8;
        self.rows.waddr.next = self.path.q.val();
        if self.state.q.val() == 8 {
            self.state.d.next = 0.into();
        }
        if self.clearing.val() {
            self.clear.d.next = self.clear.q.val() + 1;
            self.rows.we.next = true;
            self.rows.waddr.next = bit_cast::<PW, PC>(self.clear.q.val());
            self.write.next.srtt = 0.into();
            self.write.next.rttvar = 0.into();
            self.write.next.sampled = false;
            self.write.next.backoff = 0.into();
            self.write.next.expiries = 0.into();
            self.write.next.suspended = false;
            self.write.next.timer = 0.into();
        }
        self.rows.wdata.next = self.write.val();

        // One step of the random register per draw.
        self.stepped.next = self.lfsr.q.val() >> 1;
        if self.lfsr.q.val().get_bit(0) {
            self.stepped.next = (self.lfsr.q.val() >> 1) ^ self.taps.val();
        }
        if self.draw.val() {
            self.lfsr.d.next = self.stepped.val();
            self.random.d.next = bit_cast::<16, 32>(self.stepped.val());
        }
        if self.seed_we.val() {
            self.lfsr.d.next = self.seed.val();
            if !self.seed.val().any() {
                self.lfsr.d.next = self.ones.val();
            }
        }
        if self.rst.val() {
            self.clear.d.next = 0.into();
            self.state.d.next = 0.into();
            self.scan.d.next = 0.into();
            self.expiry.d.next = false;
            self.told.d.next = false;
            self.room.d.next = false;
            self.lfsr.d.next = 1.into();
        }
    }
}
