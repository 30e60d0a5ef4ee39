//! Registers behind AXI4-Lite, set-up of the tables, interrupt.
//!
//! One write in 2 cycles, one read in 5. A set-up command writes its row in the next cycle; the paths' engines take theirs when they
//! can. A command is refused while one is busy, while the tables are cleared after a reset (status says busy), and when there is no
//! such table or row. The core's reset by control.reset leaves the registers alone. Counters are read
//! through `count_index`: their answer is taken a cycle later.
//! Registers: docs/registers.md. Doc `docs/blocks/csr.md`.

pub mod drops;
mod ports;
mod rows;
pub mod traffic;

pub use ports::{Csr, PLANES};

use rust_hdl::prelude::*;

impl Logic for Csr {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clk, answer, refused, reading, address, read, enabled, boot, restart, planes, rx_sweep,
            tx_sweep
        );
        dff_setup!(self, clk, irq_status, irq_enable, error, udp_port, ip_class, mac_high, mac_low, ipv4);
        dff_setup!(self, clk, seed_word, rto, delay, window, guard, command, commanded, pending_rx);
        dff_setup!(self, clk, pending_tx, command_refused);
        for k in 0..4 {
            self.ipv6[k].clock.next = self.clk.val();
            self.ipv6[k].d.next = self.ipv6[k].q.val();
        }
        for k in 0..8 {
            self.words[k].clock.next = self.clk.val();
            self.words[k].d.next = self.words[k].q.val();
        }

        // Reset: the other blocks' tables are cleared while `boot` counts.
        self.reset.next = self.rst.val() | self.restart.q.val();
        self.core_rst.next = self.reset.val();
        self.restart.d.next = false;
        // No path is ever without a state: each begins at PSN 0, until it is set up.
        self.rx_sweeping.next = self.rx_sweep.q.val() != self.paths.val();
        self.tx_sweeping.next = self.tx_sweep.q.val() != self.paths.val();
        if self.rx_sweeping.val() & self.rx_path_ready.val() {
            self.rx_sweep.d.next = self.rx_sweep.q.val() + 1;
        }
        if self.tx_sweeping.val() & self.tx_path_ready.val() {
            self.tx_sweep.d.next = self.tx_sweep.q.val() + 1;
        }
        self.booting.next = self.boot.q.val() != self.boot_cycles.val();
        if !self.rx_sweeping.val() & !self.tx_sweeping.val() & self.booting.val() {
            self.boot.d.next = self.boot.q.val() + 1;
        }
        self.ready.next = !self.booting.val();
        self.busy.next = self.booting.val()
            | self.restart.q.val()
            | self.commanded.q.val()
            | self.pending_rx.q.val()
            | self.pending_tx.q.val();

        // The command of the last cycle: which table, and is there such a row.
        self.table.next = bit_cast::<8, 32>(self.command.q.val() >> 24);
        self.index.next = bit_cast::<24, 32>(self.command.q.val());
        self.known.next = false;
        if (self.table.val() == 1) | (self.table.val() == 2) {
            self.known.next = !(self.index.val() & self.no_connection.val()).any();
        }
        if (self.table.val() == 3) | (self.table.val() == 4) | (self.table.val() == 5) {
            self.known.next = !(self.index.val() & self.no_path.val()).any();
        }
        if self.table.val() == 6 {
            self.known.next = !(self.index.val() & self.no_region.val()).any();
        }
        self.commanded.d.next = false;
        self.set_index.next = self.index.val();
        self.set_rx_connection.next = self.commanded.q.val() & self.known.val() & (self.table.val() == 1);
        self.set_tx_connection.next = self.commanded.q.val() & self.known.val() & (self.table.val() == 2);
        self.set_route.next = self.commanded.q.val() & self.known.val() & (self.table.val() == 5);
        self.set_region.next = self.commanded.q.val() & self.known.val() & (self.table.val() == 6);
        if self.rx_path_ready.val() {
            self.pending_rx.d.next = false;
        }
        if self.tx_path_ready.val() {
            self.pending_tx.d.next = false;
        }
        self.refuse.next = self.commanded.q.val() & !self.known.val();
        if self.commanded.q.val() {
            self.command_refused.d.next = !self.known.val();
            self.pending_rx.d.next = self.known.val() & (self.table.val() == 3);
            self.pending_tx.d.next = self.known.val() & (self.table.val() == 4);
        }
        self.first_psn.next = bit_cast::<24, 32>(self.words[0].q.val());
        self.rx_path_valid.next = self.pending_rx.q.val();
        self.rx_path_index.next = self.index.val();
        self.rx_path_psn.next = self.first_psn.val();
        if self.rx_sweeping.val() {
            self.rx_path_valid.next = true;
            self.rx_path_index.next = self.rx_sweep.q.val();
            self.rx_path_psn.next = 0.into();
        }
        self.tx_path_valid.next = self.pending_tx.q.val();
        self.tx_path_index.next = self.index.val();
        self.tx_path_psn.next = self.first_psn.val();
        if self.tx_sweeping.val() {
            self.tx_path_valid.next = true;
            self.tx_path_index.next = self.tx_sweep.q.val();
            self.tx_path_psn.next = 0.into();
        }

        // Rows.
        for k in 0..8 {
            self.rows.words[k].next = self.words[k].q.val();
        }
        self.rx_connection.next = self.rows.rx_connection.val();
        self.tx_connection.next = self.rows.tx_connection.val();
        self.route.next = self.rows.route.val();
        self.region.next = self.rows.region.val();

        // Writes: address and data together; whole words only.
        self.write.next = self.s_axil.awvalid.val() & self.s_axil.wvalid.val() & !self.answer.q.val();
        self.s_axil.awready.next = self.write.val();
        self.s_axil.wready.next = self.write.val();
        self.s_axil.bvalid.next = self.answer.q.val();
        self.s_axil.bresp.next = bit_cast::<2, 1>(self.refused.q.val().into()) << 1;
        if self.s_axil.bready.val() {
            self.answer.d.next = false;
        }
        self.at.next = (self.s_axil.awaddr.val() >> 2) << 2;
        self.value.next = self.s_axil.wdata.val();
        self.cleared.next = 0.into();
        self.seed_we.next = false;
        // Refused: a part of a word, and a value that its register's users cannot take.
        self.legal.next = self.s_axil.wstrb.val().all();
        if (self.at.val() == 0x080) & (!self.value.val().any() | (self.value.val() > self.longest.val())) {
            self.legal.next = false;
        }
        if (self.at.val() == 0x088) & (!self.value.val().any() | (self.value.val() >> 16).any()) {
            self.legal.next = false;
        }
        if (self.at.val() == 0x098) & ((self.value.val() < 256) | (self.value.val() > 65536)) {
            self.legal.next = false;
        }
        if self.write.val() {
            self.answer.d.next = true;
            self.refused.d.next = !self.legal.val();
        }
        if self.write.val() & self.legal.val() {
            if self.at.val() == 0x020 {
                self.enabled.d.next = self.value.val().get_bit(0);
                self.seed_we.next = self.value.val().get_bit(0) & !self.enabled.q.val();
                self.restart.d.next = self.value.val().get_bit(1);
            }
            if self.at.val() == 0x028 {
                self.cleared.next = bit_cast::<4, 32>(self.value.val());
            }
            if self.at.val() == 0x02C {
                self.irq_enable.d.next = bit_cast::<4, 32>(self.value.val());
            }
            if self.at.val() == 0x040 {
                self.udp_port.d.next = bit_cast::<16, 32>(self.value.val());
            }
            if self.at.val() == 0x044 {
                self.ip_class.d.next = self.value.val() & self.class_mask.val();
            }
            if self.at.val() == 0x048 {
                self.mac_high.d.next = bit_cast::<16, 32>(self.value.val());
            }
            if self.at.val() == 0x04C {
                self.mac_low.d.next = self.value.val();
            }
            if self.at.val() == 0x050 {
                self.ipv4.d.next = self.value.val();
            }
            if (self.at.val() >> 4) == 6 {
                for k in 0..4 {
                    if self.at.val().get_bits::<2>(2) == k.to_bits() {
                        self.ipv6[k].d.next = self.value.val();
                    }
                }
            }
            if self.at.val() == 0x070 {
                self.seed_word.d.next = self.value.val();
            }
            if self.at.val() == 0x080 {
                self.rto.d.next = bit_cast::<27, 32>(self.value.val());
            }
            if self.at.val() == 0x088 {
                self.delay.d.next = bit_cast::<16, 32>(self.value.val());
            }
            if self.at.val() == 0x098 {
                self.window.d.next = bit_cast::<17, 32>(self.value.val());
            }
            if self.at.val() == 0x09C {
                self.guard.d.next = bit_cast::<8, 32>(self.value.val());
            }
            if ((self.at.val() >> 5) == 8) & !self.busy.val() {
                for k in 0..8 {
                    if self.at.val().get_bits::<3>(2) == k.to_bits() {
                        self.words[k].d.next = self.value.val();
                    }
                }
            }
            if self.at.val() == 0x140 {
                if self.busy.val() {
                    self.command_refused.d.next = true;
                    self.refuse.next = true;
                } else {
                    self.command.d.next = self.value.val();
                    self.commanded.d.next = true;
                }
            }
        }

        // What the other blocks are told.
        self.enable.next = self.enabled.q.val() & !self.booting.val();
        self.seed.next = self.seed_word.q.val();
        self.port.next = self.udp_port.q.val();
        self.hops.next = self.ip_class.q.val().get_bits::<8>(16);
        self.data_dscp.next = self.ip_class.q.val().get_bits::<6>(8);
        self.ack_dscp.next = self.ip_class.q.val().get_bits::<6>(0);
        self.own_mac.next =
            (bit_cast::<48, 16>(self.mac_high.q.val()) << 32) | bit_cast::<48, 32>(self.mac_low.q.val());
        self.own_ipv4.next = self.ipv4.q.val();
        self.own_ipv6.next = (bit_cast::<128, 32>(self.ipv6[0].q.val()) << 96)
            | (bit_cast::<128, 32>(self.ipv6[1].q.val()) << 64)
            | (bit_cast::<128, 32>(self.ipv6[2].q.val()) << 32)
            | bit_cast::<128, 32>(self.ipv6[3].q.val());
        self.rto0.next = self.rto.q.val();
        self.ack_delay.next = self.delay.q.val();
        self.cwnd.next = bit_cast::<9, 17>(self.window.q.val() >> 8);
        self.reorder.next = self.guard.q.val();

        // Events that interrupt.
        self.planes.d.next = self.plane_up.val();
        self.raised.next = bit_cast::<4, 1>((self.rx_error.val() | self.tx_error.val()).into())
            | (bit_cast::<4, 1>((self.refuse.val() | self.wqe_bad.val()).into()) << 1)
            | (bit_cast::<4, 1>((self.planes.q.val() != self.plane_up.val()).into()) << 2);
        self.irq_status.d.next = (self.irq_status.q.val() & !self.cleared.val()) | self.raised.val();
        self.irq.next = (self.irq_status.q.val() & self.irq_enable.q.val()).any();
        if self.tx_error.val() {
            self.error.d.next = bit_cast::<32, 16>(self.tx_error_conn.val()) | self.memory_error.val();
        }
        if self.rx_error.val() {
            self.error.d.next = bit_cast::<32, 16>(self.rx_error_conn.val()) | self.length_error.val();
            if self.rx_error_code.val() == 1 {
                self.error.d.next = bit_cast::<32, 16>(self.rx_error_conn.val()) | self.memory_error.val();
            }
        }

        // Reads: 1 counters are read, 2 they are there, 3 the answer is offered.
        self.s_axil.arready.next = self.reading.q.val() == 0;
        self.s_axil.rvalid.next = self.reading.q.val() == 3;
        self.s_axil.rdata.next = self.read.q.val();
        self.s_axil.rresp.next = 0.into();
        if (self.reading.q.val() == 0) & self.s_axil.arvalid.val() {
            self.address.d.next = (self.s_axil.araddr.val() >> 2) << 2;
            self.reading.d.next = 1.into();
        }
        self.count_index.next = self.address.q.val().get_bits::<6>(2);
        if self.reading.q.val() == 1 {
            self.reading.d.next = 2.into();
        }
        if self.reading.q.val() == 2 {
            self.reading.d.next = 3.into();
        }
        if (self.reading.q.val() == 3) & self.s_axil.rready.val() {
            self.reading.d.next = 0.into();
        }
        self.selected.next = 0.into();
        if self.address.q.val() == 0x000 {
            self.selected.next = self.id.val();
        }
        if self.address.q.val() == 0x004 {
            self.selected.next = self.version.val();
        }
        if self.address.q.val() == 0x008 {
            self.selected.next = self.sizes.val();
        }
        if self.address.q.val() == 0x00C {
            self.selected.next = self.clock.val();
        }
        if self.address.q.val() == 0x020 {
            self.selected.next = bit_cast::<32, 1>(self.enabled.q.val().into())
                | (bit_cast::<32, 1>((self.booting.val() | self.restart.q.val()).into()) << 1);
        }
        if self.address.q.val() == 0x024 {
            self.selected.next = bit_cast::<32, 16>(self.planes.q.val());
        }
        if self.address.q.val() == 0x028 {
            self.selected.next = bit_cast::<32, 4>(self.irq_status.q.val());
        }
        if self.address.q.val() == 0x02C {
            self.selected.next = bit_cast::<32, 4>(self.irq_enable.q.val());
        }
        if self.address.q.val() == 0x030 {
            self.selected.next = self.error.q.val();
        }
        if self.address.q.val() == 0x040 {
            self.selected.next = bit_cast::<32, 16>(self.udp_port.q.val());
        }
        if self.address.q.val() == 0x044 {
            self.selected.next = self.ip_class.q.val();
        }
        if self.address.q.val() == 0x048 {
            self.selected.next = bit_cast::<32, 16>(self.mac_high.q.val());
        }
        if self.address.q.val() == 0x04C {
            self.selected.next = self.mac_low.q.val();
        }
        if self.address.q.val() == 0x050 {
            self.selected.next = self.ipv4.q.val();
        }
        if (self.address.q.val() >> 4) == 6 {
            for k in 0..4 {
                if self.address.q.val().get_bits::<2>(2) == k.to_bits() {
                    self.selected.next = self.ipv6[k].q.val();
                }
            }
        }
        if self.address.q.val() == 0x070 {
            self.selected.next = self.seed_word.q.val();
        }
        if self.address.q.val() == 0x080 {
            self.selected.next = bit_cast::<32, 27>(self.rto.q.val());
        }
        if self.address.q.val() == 0x084 {
            self.selected.next = self.longest.val();
        }
        if self.address.q.val() == 0x088 {
            self.selected.next = bit_cast::<32, 16>(self.delay.q.val());
        }
        if self.address.q.val() == 0x08C {
            self.selected.next = self.arrivals.val();
        }
        if self.address.q.val() == 0x090 {
            self.selected.next = self.echo_age.val();
        }
        if self.address.q.val() == 0x098 {
            self.selected.next = bit_cast::<32, 17>(self.window.q.val());
        }
        if self.address.q.val() == 0x09C {
            self.selected.next = bit_cast::<32, 8>(self.guard.q.val());
        }
        if (self.address.q.val() >> 5) == 8 {
            for k in 0..8 {
                if self.address.q.val().get_bits::<3>(2) == k.to_bits() {
                    self.selected.next = self.words[k].q.val();
                }
            }
        }
        if self.address.q.val() == 0x144 {
            self.selected.next = bit_cast::<32, 1>(self.busy.val().into())
                | (bit_cast::<32, 1>(self.command_refused.q.val().into()) << 1);
        }
        if (self.address.q.val() >> 8) == 2 {
            self.selected.next = self.drop_count.val();
        }
        if (self.address.q.val() >> 7) == 6 {
            self.selected.next = self.traffic_count.val();
        }
        if self.reading.q.val() == 2 {
            self.read.d.next = self.selected.val();
        }

        if self.reset.val() {
            self.boot.d.next = 0.into();
            self.rx_sweep.d.next = 0.into();
            self.tx_sweep.d.next = 0.into();
            self.commanded.d.next = false;
            self.pending_rx.d.next = false;
            self.pending_tx.d.next = false;
        }
        if self.rst.val() {
            self.answer.d.next = false;
            self.reading.d.next = 0.into();
            self.enabled.d.next = false;
            self.restart.d.next = false;
            self.irq_status.d.next = 0.into();
            self.irq_enable.d.next = 0.into();
            self.error.d.next = 0.into();
            self.udp_port.d.next = self.port_reset.val();
            self.ip_class.d.next = self.class_reset.val();
            self.mac_high.d.next = 0.into();
            self.mac_low.d.next = 0.into();
            self.ipv4.d.next = 0.into();
            for k in 0..4 {
                self.ipv6[k].d.next = 0.into();
            }
            self.seed_word.d.next = self.seed_reset.val();
            self.rto.d.next = self.rto_reset.val();
            self.delay.d.next = self.delay_reset.val();
            self.window.d.next = self.window_reset.val();
            self.guard.d.next = 0.into();
            for k in 0..8 {
                self.words[k].d.next = 0.into();
            }
            self.command_refused.d.next = false;
        }
    }
}
