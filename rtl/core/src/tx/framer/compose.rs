//! First step of the framer: takes a packet, looks up its connection and its route, and makes its headers.
//!
//! 7 cycles from a packet's acceptance to `out_valid`, one packet in 8 cycles; whether the payload of the
//! packet at `b` is complete is found out meanwhile, within 2 cycles of its last beat. Doc `docs/blocks/tx-
//! framer.md`.

mod ports;

pub use ports::Compose;

use rust_hdl::prelude::*;

// The states, as the kernel's literals: 0 idle, 1 rows read, 2 rows arrive, 3 lengths, 4 sums, 5 their sum,
// 6 folded, 7 offered.
impl<const CW: usize, const LW: usize, const PW: usize, const PC: usize> Logic for Compose<CW, LW, PW, PC> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, clear, state, buffered, offered, beats, fits, request, row, route);
        dff_setup!(self, clk, udp_bytes, ip_bytes, payload_words, made_beats, words, total, left);
        dff_setup!(self, clk, traffic_class, sum, addresses);
        self.conns.clk.next = self.clk.val();
        self.routes.clk.next = self.clk.val();

        // Rows: cleared one by one after reset; then the control plane writes them.
        self.clearing.next = self.clear.q.val() != self.rows_end.val();
        self.write_conn.next = self.cfg_conn_row.val();
        self.write_route.next = self.cfg_route_row.val();
        self.conns.we.next = self.cfg_conn_we.val();
        self.conns.waddr.next = self.cfg_conn.val();
        self.routes.we.next = self.cfg_route_we.val();
        self.routes.waddr.next = self.cfg_route.val();
        if self.clearing.val() {
            self.clear.d.next = self.clear.q.val() + 1;
            self.write_conn.next.valid = 0.into();
            self.conns.we.next = true;
            self.conns.waddr.next = bit_cast::<CW, PC>(self.clear.q.val());
            self.write_route.next.plane = 0.into();
            self.write_route.next.src_port = 0.into();
            self.routes.we.next = true;
            self.routes.waddr.next = bit_cast::<PW, PC>(self.clear.q.val());
        }
        self.conns.wdata.next = self.write_conn.val();
        self.routes.wdata.next = self.write_route.val();

        // Idle: an acknowledgement, else a packet whose payload is complete in the buffer.
        self.idle.next = (self.state.q.val() == 0) & !self.clearing.val();
        self.take_a.next = self.idle.val() & self.a_valid.val();
        self.take_b.next = self.idle.val() & !self.a_valid.val() & self.b_valid.val() & self.fits.q.val();
        self.a_ready.next = self.idle.val();
        self.b_ready.next = self.idle.val() & !self.a_valid.val() & self.fits.q.val();
        self.taken.next = self.b_frame.val();
        if self.take_a.val() {
            self.taken.next = self.a_frame.val();
            self.taken.next.len = 0.into();
        }
        if self.take_a.val() | self.take_b.val() {
            self.request.d.next = self.taken.val();
            self.state.d.next = 1.into();
        }

        // The buffer only fills while a packet waits at `b`, so what fits stays so.
        self.offered.d.next = self.b_valid.val() & !self.take_b.val();
        self.beats.d.next = (self.b_frame.val().len + self.round.val()) >> self.shift.val();
        self.fits.d.next =
            self.offered.q.val() & !self.take_b.val() & (self.buffered.q.val() >= self.beats.q.val());
        if self.y_taken.val() {
            self.buffered.d.next = self.buffered.q.val() + 1;
        }
        if self.take_b.val() {
            self.buffered.d.next = self.buffered.q.val() - self.beats.q.val();
            if self.y_taken.val() {
                self.buffered.d.next = self.buffered.q.val() - self.beats.q.val() + 1;
            }
        }

        // Its rows.
        self.path.next = bit_cast::<PW, 16>(self.request.q.val().path);
        self.conns.re.next = self.state.q.val() == 1;
        self.conns.raddr.next = bit_cast::<CW, PW>(self.path.val() >> self.local_bits.val());
        self.routes.re.next = self.state.q.val() == 1;
        self.routes.raddr.next = self.path.val();
        if self.state.q.val() == 1 {
            self.state.d.next = 2.into();
        }
        if self.state.q.val() == 2 {
            self.row.d.next = self.conns.rdata.val();
            self.route.d.next = self.routes.rdata.val();
            self.payload_words.d.next = (self.request.q.val().len + 3) >> 2;
            self.made_beats.d.next = (self.request.q.val().len + self.round.val()) >> self.shift.val();
            self.state.d.next = 3.into();
        }

        // Lengths and class. The ICRC is a word more.
        self.packet_words.next =
            bit_cast::<16, 5>(self.request.q.val().count) + self.payload_words.q.val() + 1;
        self.given.next = self.request.q.val().words;
        self.packet_type.next = self.given.val().get_bits::<4>(568);
        self.prefix.next = 11.into();
        if self.row.q.val().v6.any() {
            self.prefix.next = 16.into();
        }
        if self.state.q.val() == 3 {
            self.udp_bytes.d.next = (self.packet_words.val() << 2) + 8;
            self.ip_bytes.d.next = (self.packet_words.val() << 2) + 28;
            self.traffic_class.d.next = bit_cast::<8, 6>(self.ack_dscp.val()) << 2;
            if (self.packet_type.val() == self.data.val()) | (self.packet_type.val() == self.probe.val()) {
                self.traffic_class.d.next = (bit_cast::<8, 6>(self.data_dscp.val()) << 2) | self.ect0.val();
            }
            self.words.d.next = self.prefix.val() + bit_cast::<6, 5>(self.request.q.val().count);
            if self.row.q.val().tagged.any() {
                self.words.d.next = self.prefix.val() + bit_cast::<6, 5>(self.request.q.val().count) + 1;
            }
            self.state.d.next = 4.into();
        }

        // Beats, and the checksum of an IPv4 header: the sum of its halfwords, carries folded in twice.
        self.src4.next = self.own_ipv4.val();
        self.dst6.next = self.row.q.val().peer_address;
        if self.state.q.val() == 4 {
            self.total.d.next = bit_cast::<16, 6>(self.words.q.val()) + self.payload_words.q.val();
            self.sum.d.next = self.fixed_sum.val()
                + bit_cast::<20, 8>(self.traffic_class.q.val())
                + bit_cast::<20, 16>(self.ip_bytes.q.val())
                + (bit_cast::<20, 8>(self.hops.val()) << 8);
            self.addresses.d.next = bit_cast::<20, 16>(self.src4.val().get_bits::<16>(0))
                + bit_cast::<20, 16>(self.src4.val().get_bits::<16>(16))
                + bit_cast::<20, 16>(self.dst6.val().get_bits::<16>(0))
                + bit_cast::<20, 16>(self.dst6.val().get_bits::<16>(16));
            self.state.d.next = 5.into();
        }
        if self.state.q.val() == 5 {
            self.left.d.next = (self.total.q.val() >> self.word_shift.val()) + 1;
            self.sum.d.next = self.sum.q.val() + self.addresses.q.val();
            self.state.d.next = 6.into();
        }
        if self.state.q.val() == 6 {
            self.sum.d.next =
                bit_cast::<20, 16>(bit_cast::<16, 20>(self.sum.q.val())) + (self.sum.q.val() >> 16);
            self.state.d.next = 7.into();
        }
        self.checksum.next =
            !(bit_cast::<16, 20>(self.sum.q.val()) + bit_cast::<16, 20>(self.sum.q.val() >> 16));

        // The headers, each with its first byte on top.
        self.kept.next = 0.into();
        for k in 0..18 {
            if self.request.q.val().count > k.to_bits() {
                self.kept.next = self.kept.val() | self.given_word[k].val();
            }
        }
        self.packet.next = (self.given.val() & self.kept.val())
            | (bit_cast::<576, 16>(self.row.q.val().peer_conn) << 528)
            | (bit_cast::<576, 16>(self.row.q.val().peer_tag) << 512);
        self.udp.next = (bit_cast::<64, 16>(self.route.q.val().src_port) << 48)
            | (bit_cast::<64, 16>(self.port.val()) << 32)
            | (bit_cast::<64, 16>(self.udp_bytes.q.val()) << 16);
        self.ether_type.next = self.ether4.val();
        if self.row.q.val().v6.any() {
            self.ether_type.next = self.ether6.val();
        }
        self.macs.next = (bit_cast::<160, 16>(self.row.q.val().peer_mac_high) << 128)
            | (bit_cast::<160, 32>(self.row.q.val().peer_mac_low) << 96)
            | (bit_cast::<160, 48>(self.own_mac.val()) << 48);
        self.layer2.next = self.macs.val() | (self.ether_type.val() << 32);
        if self.row.q.val().tagged.any() {
            self.layer2.next = self.macs.val()
                | self.ether_tag.val()
                | (bit_cast::<160, 16>(self.row.q.val().vlan_tci) << 16)
                | self.ether_type.val();
        }
        self.layer3.next = self.fixed4.val()
            | (bit_cast::<384, 8>(self.traffic_class.q.val()) << 368)
            | (bit_cast::<384, 16>(self.ip_bytes.q.val()) << 352)
            | (bit_cast::<384, 8>(self.hops.val()) << 312)
            | (bit_cast::<384, 16>(self.checksum.val()) << 288)
            | (bit_cast::<384, 32>(self.src4.val()) << 256)
            | (bit_cast::<384, 32>(bit_cast::<32, 128>(self.dst6.val())) << 224)
            | (bit_cast::<384, 64>(self.udp.val()) << 160);
        if self.row.q.val().v6.any() {
            self.layer3.next = self.fixed6.val()
                | (bit_cast::<384, 8>(self.traffic_class.q.val()) << 372)
                | (bit_cast::<384, 16>(self.udp_bytes.q.val()) << 336)
                | (bit_cast::<384, 8>(self.hops.val()) << 320)
                | (bit_cast::<384, 128>(self.own_ipv6.val()) << 192)
                | (bit_cast::<384, 128>(self.dst6.val()) << 64)
                | bit_cast::<384, 64>(self.udp.val());
        }

        // Behind each other, by family and tag.
        self.wide2.next = bit_cast::<1120, 160>(self.layer2.val()) << 960;
        self.wide3.next = bit_cast::<1120, 384>(self.layer3.val()) << 608;
        self.wide4.next = bit_cast::<1120, 576>(self.packet.val()) << 192;
        self.layout.next = 0.into();
        if self.row.q.val().v6.any() {
            self.wide4.next = bit_cast::<1120, 576>(self.packet.val()) << 32;
            self.layout.next = 2.into();
        }
        self.made.next.head = self.wide2.val() | self.wide3.val() | self.wide4.val();
        self.made.next.layout = self.layout.val();
        if self.row.q.val().tagged.any() {
            self.made.next.head = self.wide2.val() | (self.wide3.val() >> 32) | (self.wide4.val() >> 32);
            self.made.next.layout = self.layout.val() | 1;
        }
        self.made.next.words = self.words.q.val();
        self.made.next.beats = self.made_beats.q.val();
        self.made.next.tail = bit_cast::<6, 16>(self.request.q.val().len & self.round.val());
        self.made.next.left = self.left.q.val();
        self.made.next.rest = bit_cast::<4, 16>(self.total.q.val() & self.word_mask.val());
        self.made.next.plane = bit_cast::<4, 8>(self.route.q.val().plane);
        self.out_valid.next = self.state.q.val() == 7;
        self.out_frame.next = self.made.val();
        self.out_void.next = !self.row.q.val().valid.any();
        if (self.state.q.val() == 7) & self.out_ready.val() {
            self.state.d.next = 0.into();
        }
        if self.rst.val() {
            self.clear.d.next = 0.into();
            self.state.d.next = 0.into();
            self.buffered.d.next = 0.into();
            self.offered.d.next = false;
            self.fits.d.next = false;
        }
    }
}
