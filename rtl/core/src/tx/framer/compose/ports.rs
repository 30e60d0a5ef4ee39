//! Ports, memories and registers of the front.

use crate::generated::wire::rows::{Route, TxConnection};
use crate::generated::wire::{common, packet_type, HEADER_BITS};
use crate::tx::framer::rows::ComposedFrame;
use crate::tx::rows::FrameRequest;
use heddle_emit::prims::SdpRam;
use rust_hdl::prelude::*;

/// Bits of 18 header words.
pub(super) const WORDS_BITS: usize = 576;
/// Bits below those of words 0 to 11.
const BELOW: usize = WORDS_BITS - HEADER_BITS as usize;
// The kernel's literals are these positions.
const _: () = assert!(common::PACKET_TYPE_LSB + BELOW == 568 && common::TAG_LSB + BELOW == 512);
const _: () = assert!(common::DST_CONN_LSB + BELOW == 528);

/// EtherTypes of IPv4, IPv6 and an 802.1Q tag. Source: IEEE 802 numbers.
const ETHERTYPES: [u64; 3] = [0x0800, 0x86DD, 0x8100];
/// ECN-capable transport, ECT(0). Source: RFC 3168 section 5.
const ECT0: u64 = 2;
/// IP protocol number. Source: RFC 768.
const UDP: u64 = 17;
/// The front: 2^`CW` connections, 2^`PW` paths (`PC` = `PW` + 1), 2^`LW` of them per connection.
#[derive(LogicBlock)]
pub struct Compose<const CW: usize, const LW: usize, const PW: usize, const PC: usize> {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub cfg_conn_we: Signal<In, Bit>,
    pub cfg_conn: Signal<In, Bits<CW>>,
    pub cfg_conn_row: Signal<In, TxConnection>,
    pub cfg_route_we: Signal<In, Bit>,
    pub cfg_route: Signal<In, Bits<PW>>,
    pub cfg_route_row: Signal<In, Route>,
    pub own_mac: Signal<In, Bits<48>>,
    pub own_ipv4: Signal<In, Bits<32>>,
    pub own_ipv6: Signal<In, Bits<128>>,
    pub hops: Signal<In, Bits<8>>,
    pub data_dscp: Signal<In, Bits<6>>,
    pub ack_dscp: Signal<In, Bits<6>>,
    pub port: Signal<In, Bits<16>>,
    pub a_valid: Signal<In, Bit>,
    pub a_ready: Signal<Out, Bit>,
    pub a_frame: Signal<In, FrameRequest>,
    pub b_valid: Signal<In, Bit>,
    pub b_ready: Signal<Out, Bit>,
    pub b_frame: Signal<In, FrameRequest>,
    /// A payload beat enters the buffer.
    pub y_taken: Signal<In, Bit>,
    pub out_valid: Signal<Out, Bit>,
    pub out_ready: Signal<In, Bit>,
    pub out_frame: Signal<Out, ComposedFrame>,
    /// The connection is not set up: the frame's payload is only taken out of the buffer.
    pub out_void: Signal<Out, Bit>,
    pub(super) conns: SdpRam<TxConnection, CW>,
    pub(super) routes: SdpRam<Route, PW>,
    pub(super) clear: DFF<Bits<PC>>,
    pub(super) state: DFF<Bits<3>>,
    pub(super) buffered: DFF<Bits<16>>,
    pub(super) offered: DFF<Bit>,
    pub(super) beats: DFF<Bits<16>>,
    pub(super) fits: DFF<Bit>,
    pub(super) request: DFF<FrameRequest>,
    pub(super) row: DFF<TxConnection>,
    pub(super) route: DFF<Route>,
    pub(super) udp_bytes: DFF<Bits<16>>,
    pub(super) ip_bytes: DFF<Bits<16>>,
    pub(super) payload_words: DFF<Bits<16>>,
    pub(super) made_beats: DFF<Bits<16>>,
    pub(super) words: DFF<Bits<6>>,
    pub(super) total: DFF<Bits<16>>,
    pub(super) left: DFF<Bits<16>>,
    pub(super) traffic_class: DFF<Bits<8>>,
    pub(super) sum: DFF<Bits<20>>,
    pub(super) addresses: DFF<Bits<20>>,
    pub(super) clearing: Signal<Local, Bit>,
    pub(super) idle: Signal<Local, Bit>,
    pub(super) taken: Signal<Local, FrameRequest>,
    pub(super) take_a: Signal<Local, Bit>,
    pub(super) take_b: Signal<Local, Bit>,
    pub(super) path: Signal<Local, Bits<PW>>,
    pub(super) write_conn: Signal<Local, TxConnection>,
    pub(super) write_route: Signal<Local, Route>,
    pub(super) packet_type: Signal<Local, Bits<4>>,
    pub(super) given: Signal<Local, Bits<WORDS_BITS>>,
    pub(super) kept: Signal<Local, Bits<WORDS_BITS>>,
    pub(super) packet: Signal<Local, Bits<WORDS_BITS>>,
    pub(super) layout: Signal<Local, Bits<2>>,
    pub(super) packet_words: Signal<Local, Bits<16>>,
    pub(super) src4: Signal<Local, Bits<32>>,
    pub(super) dst6: Signal<Local, Bits<128>>,
    pub(super) checksum: Signal<Local, Bits<16>>,
    pub(super) udp: Signal<Local, Bits<64>>,
    pub(super) layer2: Signal<Local, Bits<160>>,
    pub(super) layer3: Signal<Local, Bits<384>>,
    pub(super) prefix: Signal<Local, Bits<6>>,
    pub(super) made: Signal<Local, ComposedFrame>,
    pub(super) ether_type: Signal<Local, Bits<160>>,
    pub(super) macs: Signal<Local, Bits<160>>,
    pub(super) wide2: Signal<Local, Bits<1120>>,
    pub(super) wide3: Signal<Local, Bits<1120>>,
    pub(super) wide4: Signal<Local, Bits<1120>>,
    pub(super) rows_end: Constant<Bits<PC>>,
    pub(super) local_bits: Constant<Bits<4>>,
    pub(super) data: Constant<Bits<4>>,
    pub(super) probe: Constant<Bits<4>>,
    pub(super) round: Constant<Bits<16>>,
    pub(super) shift: Constant<Bits<3>>,
    pub(super) word_shift: Constant<Bits<3>>,
    pub(super) word_mask: Constant<Bits<16>>,
    /// Ones in header word k, none in word 1.
    pub(super) given_word: [Constant<Bits<WORDS_BITS>>; 18],
    pub(super) ether4: Constant<Bits<160>>,
    pub(super) ether6: Constant<Bits<160>>,
    pub(super) ether_tag: Constant<Bits<160>>,
    pub(super) fixed4: Constant<Bits<384>>,
    pub(super) fixed6: Constant<Bits<384>>,
    pub(super) fixed_sum: Constant<Bits<20>>,
    pub(super) ect0: Constant<Bits<8>>,
}

/// Ones in header word `word`; none in word 1, the connection's row has that.
fn given_word(word: usize) -> Bits<WORDS_BITS> {
    at(u64::from(word != 1) * u64::from(u32::MAX), WORDS_BITS - 32 * (word + 1))
}

/// `value` moved up by `by` bits.
fn at<const N: usize>(value: u64, by: usize) -> Bits<N> {
    let value: Bits<N> = value.to_bits();
    value << by as LiteralType
}

impl<const CW: usize, const LW: usize, const PW: usize, const PC: usize> Compose<CW, LW, PW, PC> {
    /// A front for beats of `beat_bytes`.
    pub fn new(beat_bytes: u64) -> Self {
        assert_eq!((PW, PC), (CW + LW, PW + 1), "derived widths");
        let beat_words = beat_bytes / 4;
        Self {
            clk: Default::default(),
            rst: Default::default(),
            cfg_conn_we: Default::default(),
            cfg_conn: Default::default(),
            cfg_conn_row: Default::default(),
            cfg_route_we: Default::default(),
            cfg_route: Default::default(),
            cfg_route_row: Default::default(),
            own_mac: Default::default(),
            own_ipv4: Default::default(),
            own_ipv6: Default::default(),
            hops: Default::default(),
            data_dscp: Default::default(),
            ack_dscp: Default::default(),
            port: Default::default(),
            a_valid: Default::default(),
            a_ready: Default::default(),
            a_frame: Default::default(),
            b_valid: Default::default(),
            b_ready: Default::default(),
            b_frame: Default::default(),
            y_taken: Default::default(),
            out_valid: Default::default(),
            out_ready: Default::default(),
            out_frame: Default::default(),
            out_void: Default::default(),
            conns: Default::default(),
            routes: Default::default(),
            clear: Default::default(),
            state: Default::default(),
            buffered: Default::default(),
            offered: Default::default(),
            beats: Default::default(),
            fits: Default::default(),
            request: Default::default(),
            row: Default::default(),
            route: Default::default(),
            udp_bytes: Default::default(),
            ip_bytes: Default::default(),
            payload_words: Default::default(),
            made_beats: Default::default(),
            words: Default::default(),
            total: Default::default(),
            left: Default::default(),
            traffic_class: Default::default(),
            sum: Default::default(),
            addresses: Default::default(),
            clearing: Default::default(),
            idle: Default::default(),
            taken: Default::default(),
            take_a: Default::default(),
            take_b: Default::default(),
            path: Default::default(),
            write_conn: Default::default(),
            write_route: Default::default(),
            packet_type: Default::default(),
            given: Default::default(),
            kept: Default::default(),
            packet: Default::default(),
            layout: Default::default(),
            packet_words: Default::default(),
            src4: Default::default(),
            dst6: Default::default(),
            checksum: Default::default(),
            udp: Default::default(),
            layer2: Default::default(),
            layer3: Default::default(),
            prefix: Default::default(),
            made: Default::default(),
            ether_type: Default::default(),
            macs: Default::default(),
            wide2: Default::default(),
            wide3: Default::default(),
            wide4: Default::default(),
            rows_end: Constant::new((1u64 << PW).to_bits()),
            local_bits: Constant::new((LW as u64).to_bits()),
            data: Constant::new(packet_type::DATA.to_bits()),
            probe: Constant::new(packet_type::PROBE.to_bits()),
            round: Constant::new((beat_bytes - 1).to_bits()),
            shift: Constant::new(u64::from(beat_bytes.trailing_zeros()).to_bits()),
            word_shift: Constant::new(u64::from(beat_words.trailing_zeros()).to_bits()),
            word_mask: Constant::new((beat_words - 1).to_bits()),
            given_word: std::array::from_fn(|word| Constant::new(given_word(word))),
            ether4: Constant::new(at(ETHERTYPES[0], 0)),
            ether6: Constant::new(at(ETHERTYPES[1], 0)),
            ether_tag: Constant::new(at(ETHERTYPES[2], 32)),
            fixed4: Constant::new(at(0x45, 376) | at(0x4000, 320) | at(UDP, 304)),
            fixed6: Constant::new(at(0x6, 380) | at(UDP, 328)),
            fixed_sum: Constant::new((0x4500 + 0x4000 + UDP).to_bits()),
            ect0: Constant::new(ECT0.to_bits()),
        }
    }
}
