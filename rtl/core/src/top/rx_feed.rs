//! Receive feed: one operation at a time for the receive path engine.
//!
//! No latency. A path made new goes first, then the look of an ACK (rare and short), then packets. What a packet's CE mark counted
//! for is known at its verdict: the marks of packets in the engine wait in a FIFO. Doc `docs/core.md`.

use crate::generated::wire::{self, common};
use crate::rx::rows::LocatedFrame;
use heddle_emit::prims::Fifo;
use rust_hdl::prelude::*;

// The kernel's literals are these positions.
const _: () = assert!(common::FLAGS_LSB == 360 && common::PATH_LSB == 352 && common::DST_CONN_LSB == 336);
const _: () = assert!(common::ROUTE_LSB == 312 && common::PSN_LSB == 288 && common::TIMESTAMP_LSB == 256);
const _: () = assert!(wire::probe::STREAM_LSB == 248);

/// The block: 2^`CW` connections of 2^`LW` paths, `PW` = `CW` + `LW`.
#[derive(LogicBlock)]
pub struct RxFeed<const CW: usize, const LW: usize, const PW: usize> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// Ticks of 8 ns.
    pub now: Signal<In, Bits<32>>,
    /// A path to be made new is offered.
    pub i_valid: Signal<In, Bit>,
    /// It is taken.
    pub i_ready: Signal<Out, Bit>,
    /// The path.
    pub i_path: Signal<In, Bits<PW>>,
    /// Its first PSN.
    pub i_psn: Signal<In, Bits<24>>,
    /// A look is offered.
    pub l_valid: Signal<In, Bit>,
    /// It is taken.
    pub l_ready: Signal<Out, Bit>,
    /// The path.
    pub l_path: Signal<In, Bits<PW>>,
    /// DATA or a PROBE is offered.
    pub p_valid: Signal<In, Bit>,
    /// It is taken.
    pub p_ready: Signal<Out, Bit>,
    /// It is a PROBE.
    pub p_probe: Signal<In, Bit>,
    /// The look-ups found a fault.
    pub p_fault: Signal<In, Bit>,
    /// The packet.
    pub p_frame: Signal<In, LocatedFrame>,
    /// An operation is offered to the engine.
    pub o_valid: Signal<Out, Bit>,
    /// It is taken.
    pub o_ready: Signal<In, Bit>,
    /// 0 DATA, 1 PROBE, 2 LOOK, 3 INIT.
    pub o_op: Signal<Out, Bits<2>>,
    /// Path.
    pub o_path: Signal<Out, Bits<PW>>,
    /// PSN.
    pub o_psn: Signal<Out, Bits<24>>,
    /// CE-marked.
    pub o_ce: Signal<Out, Bit>,
    /// The look-ups found a fault.
    pub o_fault: Signal<Out, Bit>,
    /// Flags.
    pub o_flags: Signal<Out, Bits<8>>,
    /// Timestamp.
    pub o_ts: Signal<Out, Bits<32>>,
    /// Route.
    pub o_route: Signal<Out, Bits<8>>,
    /// Arrival time.
    pub o_now: Signal<Out, Bits<32>>,
    /// Pulse: the engine's verdict on a DATA packet.
    pub v_valid: Signal<In, Bit>,
    /// 0 accept, 1 duplicate, 2 out of window, 3 fault.
    pub v_class: Signal<In, Bits<2>>,
    /// Pulse: an accepted or duplicate packet carried CE.
    pub ce: Signal<Out, Bit>,
    /// Pulse: a PROBE asks for a stream.
    pub ask_valid: Signal<Out, Bit>,
    /// Its connection.
    pub ask_conn: Signal<Out, Bits<CW>>,
    /// The stream.
    pub ask_stream: Signal<Out, Bits<8>>,
    marks: Fifo<Bit, 4, 5>,
    words: Signal<Local, Bits<384>>,
    conn: Signal<Local, Bits<CW>>,
    local: Signal<Local, Bits<LW>>,
    packet: Signal<Local, Bit>,
    local_bits: Constant<Bits<4>>,
}

impl<const CW: usize, const LW: usize, const PW: usize> Default for RxFeed<CW, LW, PW> {
    fn default() -> Self {
        assert_eq!(PW, CW + LW, "derived width");
        Self {
            clk: Default::default(),
            rst: Default::default(),
            now: Default::default(),
            i_valid: Default::default(),
            i_ready: Default::default(),
            i_path: Default::default(),
            i_psn: Default::default(),
            l_valid: Default::default(),
            l_ready: Default::default(),
            l_path: Default::default(),
            p_valid: Default::default(),
            p_ready: Default::default(),
            p_probe: Default::default(),
            p_fault: Default::default(),
            p_frame: Default::default(),
            o_valid: Default::default(),
            o_ready: Default::default(),
            o_op: Default::default(),
            o_path: Default::default(),
            o_psn: Default::default(),
            o_ce: Default::default(),
            o_fault: Default::default(),
            o_flags: Default::default(),
            o_ts: Default::default(),
            o_route: Default::default(),
            o_now: Default::default(),
            v_valid: Default::default(),
            v_class: Default::default(),
            ce: Default::default(),
            ask_valid: Default::default(),
            ask_conn: Default::default(),
            ask_stream: Default::default(),
            marks: Fifo::new(16),
            words: Default::default(),
            conn: Default::default(),
            local: Default::default(),
            packet: Default::default(),
            local_bits: Constant::new((LW as u64).to_bits()),
        }
    }
}

impl<const CW: usize, const LW: usize, const PW: usize> Logic for RxFeed<CW, LW, PW> {
    #[hdl_gen]
    fn update(&mut self) {
        self.marks.clk.next = self.clk.val();
        self.marks.rst.next = self.rst.val();
        self.words.next = self.p_frame.val().words;
        self.conn.next = bit_cast::<CW, 16>(self.words.val().get_bits::<16>(336));
        self.local.next = bit_cast::<LW, 8>(self.words.val().get_bits::<8>(352));
        self.packet.next = self.p_valid.val() & !self.i_valid.val() & !self.l_valid.val();

        self.o_valid.next = self.i_valid.val() | self.l_valid.val() | self.p_valid.val();
        self.o_op.next = bit_cast::<2, 1>(self.p_probe.val().into());
        self.o_path.next = (bit_cast::<PW, CW>(self.conn.val()) << self.local_bits.val())
            | bit_cast::<PW, LW>(self.local.val());
        self.o_psn.next = self.words.val().get_bits::<24>(288);
        if self.l_valid.val() {
            self.o_op.next = 2.into();
            self.o_path.next = self.l_path.val();
        }
        if self.i_valid.val() {
            self.o_op.next = 3.into();
            self.o_path.next = self.i_path.val();
            self.o_psn.next = self.i_psn.val();
        }
        self.o_ce.next = self.p_frame.val().ce;
        self.o_fault.next = self.p_fault.val();
        self.o_flags.next = self.words.val().get_bits::<8>(360);
        self.o_ts.next = self.words.val().get_bits::<32>(256);
        self.o_route.next = self.words.val().get_bits::<8>(312);
        self.o_now.next = self.now.val();
        self.i_ready.next = self.o_ready.val();
        self.l_ready.next = self.o_ready.val() & !self.i_valid.val();
        self.p_ready.next = self.o_ready.val() & !self.i_valid.val() & !self.l_valid.val();

        self.ask_valid.next = self.packet.val() & self.o_ready.val() & self.p_probe.val();
        self.ask_conn.next = self.conn.val();
        self.ask_stream.next = self.words.val().get_bits::<8>(248);

        self.marks.in_valid.next = self.packet.val() & self.o_ready.val() & !self.p_probe.val();
        self.marks.in_data.next = self.p_frame.val().ce;
        self.marks.out_ready.next = self.v_valid.val();
        self.ce.next = self.v_valid.val() & self.marks.out_data.val() & !self.v_class.val().get_bit(1);
    }
}
