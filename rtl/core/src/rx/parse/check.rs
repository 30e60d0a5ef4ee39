//! Step 3 of the parser: what the IP and UDP headers say, from the aligned beats. Latency 1 cycle, never
//! stalls. Every output keeps its value until the same field of a later frame. Doc
//! `docs/blocks/rx-parse.md`.

use super::layout::{ipv4, ipv6, udp};
use super::pick::Pick;
use heddle_wire::net::{DONT_FRAGMENT, PROTOCOL_UDP};
use rust_hdl::prelude::*;

/// Field checks: `W` data bits.
#[derive(LogicBlock)]
pub struct Check<const W: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// UDP port of the transport.
    pub cfg_port: Signal<In, Bits<16>>,
    /// Number of the aligned beat.
    pub beat: Signal<In, Bits<5>>,
    /// The aligned beat, byte 0 in the top bits.
    pub data: Signal<In, Bits<W>>,
    /// IPv6.
    pub v6: Signal<In, Bit>,

    /// The version field disagrees with the EtherType.
    pub ip_version: Signal<Out, Bit>,
    /// IPv4 header longer than 5 words, or shorter.
    pub ip_options: Signal<Out, Bit>,
    /// IPv4 flags and fragment offset other than DF.
    pub ip_fragment: Signal<Out, Bit>,
    /// Not UDP.
    pub ip_protocol: Signal<Out, Bit>,
    /// Bytes of IP payload, two's complement: negative for an IPv4 length below its header's.
    pub ip_payload: Signal<Out, Bits<18>>,
    /// Not the configured port.
    pub udp_port: Signal<Out, Bit>,
    /// UDP length field.
    pub udp_length: Signal<Out, Bits<16>>,

    version4: Pick<W, 8>,
    total_length4: Pick<W, 16>,
    fragment4: Pick<W, 16>,
    protocol4: Pick<W, 8>,
    version6: Pick<W, 4>,
    payload_length6: Pick<W, 16>,
    next_header6: Pick<W, 8>,
    port: Pick<W, 16>,
    length: Pick<W, 16>,

    ip_version3: DFF<Bit>,
    ip_options3: DFF<Bit>,
    ip_fragment3: DFF<Bit>,
    ip_protocol3: DFF<Bit>,
    ip_payload3: DFF<Bits<18>>,
    udp_port3: DFF<Bit>,
    udp_length3: DFF<Bits<16>>,

    dont_fragment: Constant<Bits<16>>,
    protocol_udp: Constant<Bits<8>>,
}

impl<const W: usize> Default for Check<W> {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            cfg_port: Default::default(),
            beat: Default::default(),
            data: Default::default(),
            v6: Default::default(),
            ip_version: Default::default(),
            ip_options: Default::default(),
            ip_fragment: Default::default(),
            ip_protocol: Default::default(),
            ip_payload: Default::default(),
            udp_port: Default::default(),
            udp_length: Default::default(),
            version4: Pick::new(ipv4(0)),
            total_length4: Pick::new(ipv4(2)),
            fragment4: Pick::new(ipv4(6)),
            protocol4: Pick::new(ipv4(9)),
            version6: Pick::new(ipv6(0)),
            payload_length6: Pick::new(ipv6(4)),
            next_header6: Pick::new(ipv6(6)),
            port: Pick::new(udp(2)),
            length: Pick::new(udp(4)),
            ip_version3: Default::default(),
            ip_options3: Default::default(),
            ip_fragment3: Default::default(),
            ip_protocol3: Default::default(),
            ip_payload3: Default::default(),
            udp_port3: Default::default(),
            udp_length3: Default::default(),
            dont_fragment: Constant::new(bits(DONT_FRAGMENT.into())),
            protocol_udp: Constant::new(bits(PROTOCOL_UDP.into())),
        }
    }
}

impl<const W: usize> Logic for Check<W> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, ip_version3, ip_options3, ip_fragment3, ip_protocol3, ip_payload3);
        dff_setup!(self, clk, udp_port3, udp_length3);
        self.version4.beat.next = self.beat.val();
        self.version4.data.next = self.data.val();
        self.total_length4.beat.next = self.beat.val();
        self.total_length4.data.next = self.data.val();
        self.fragment4.beat.next = self.beat.val();
        self.fragment4.data.next = self.data.val();
        self.protocol4.beat.next = self.beat.val();
        self.protocol4.data.next = self.data.val();
        self.version6.beat.next = self.beat.val();
        self.version6.data.next = self.data.val();
        self.payload_length6.beat.next = self.beat.val();
        self.payload_length6.data.next = self.data.val();
        self.next_header6.beat.next = self.beat.val();
        self.next_header6.data.next = self.data.val();
        self.port.beat.next = self.beat.val();
        self.port.data.next = self.data.val();
        self.length.beat.next = self.beat.val();
        self.length.data.next = self.data.val();

        if self.v6.val() {
            self.ip_options3.d.next = false;
            self.ip_fragment3.d.next = false;
            if self.version6.hit.val() {
                self.ip_version3.d.next = self.version6.value.val() != 6;
            }
            if self.next_header6.hit.val() {
                self.ip_protocol3.d.next = self.next_header6.value.val() != self.protocol_udp.val();
            }
            if self.payload_length6.hit.val() {
                self.ip_payload3.d.next = bit_cast::<18, 16>(self.payload_length6.value.val());
            }
        } else {
            if self.version4.hit.val() {
                self.ip_version3.d.next = self.version4.value.val().get_bits::<4>(4) != 4;
                self.ip_options3.d.next = self.version4.value.val().get_bits::<4>(0) != 5;
            }
            if self.fragment4.hit.val() {
                self.ip_fragment3.d.next = self.fragment4.value.val() != self.dont_fragment.val();
            }
            if self.protocol4.hit.val() {
                self.ip_protocol3.d.next = self.protocol4.value.val() != self.protocol_udp.val();
            }
            if self.total_length4.hit.val() {
                self.ip_payload3.d.next = bit_cast::<18, 16>(self.total_length4.value.val()) - 20;
            }
        }
        if self.port.hit.val() {
            self.udp_port3.d.next = self.port.value.val() != self.cfg_port.val();
        }
        if self.length.hit.val() {
            self.udp_length3.d.next = self.length.value.val();
        }

        self.ip_version.next = self.ip_version3.q.val();
        self.ip_options.next = self.ip_options3.q.val();
        self.ip_fragment.next = self.ip_fragment3.q.val();
        self.ip_protocol.next = self.ip_protocol3.q.val();
        self.ip_payload.next = self.ip_payload3.q.val();
        self.udp_port.next = self.udp_port3.q.val();
        self.udp_length.next = self.udp_length3.q.val();
    }
}
