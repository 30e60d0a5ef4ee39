//! Framer: Ethernet, IP, UDP and ICRC around a transport packet, and the plane it leaves on.
//!
//! 17 + LB cycles from a packet's acceptance to its frame's first beat at `m_axis_tx`: 20 at 64 data bits,
//! 23 at 512. One beat per cycle and no gap inside a frame, however long it had to wait: the payload is
//! complete before its packet is taken. One packet in 8 cycles; the headers of the next are made while a
//! frame leaves. Acknowledgements (`a`) go first. A packet of a connection that is not set up leaves
//! nothing. For 2^`PW` cycles after `rst` the rows are cleared and nothing is taken.
//! Model `tx::framer`. Doc `docs/blocks/tx-framer.md`.

mod compose;
mod issue;
mod merge;
mod rows;
mod seal;

use super::rows::FrameRequest;
use crate::generated::wire::rows::{Route, TxConnection};
use compose::Compose;
use heddle_emit::prims::Fifo;
use issue::Issue;
use merge::Merge;
use rust_hdl::prelude::*;
use seal::Seal;

/// The framer at 64 data bits (`tiny`, `gbe`): see [`Framer`] for the parameters.
pub type TxFramer<
    const CW: usize,
    const LW: usize,
    const PW: usize,
    const PC: usize,
    const A: usize,
    const C: usize,
> = Framer<64, 8, 3, 2, 9, 1, CW, LW, PW, PC, A, C>;
/// The framer at 512 data bits (`dc100`).
pub type TxFramer512<
    const CW: usize,
    const LW: usize,
    const PW: usize,
    const PC: usize,
    const A: usize,
    const C: usize,
> = Framer<512, 64, 6, 16, 2, 8, CW, LW, PW, PC, A, C>;

/// The block: `W` data bits, `B` bytes, `LB` = log2 B, `NW` words, `NB` beats up to frame byte 65, `G` = W /
/// 64; 2^`CW` connections of 2^`LW` paths, `PW` = `CW` + `LW`, `PC` = `PW` + 1; 2^`A` beats of payload, `C`
/// = `A` + 1.
#[derive(LogicBlock)]
pub struct Framer<
    const W: usize,
    const B: usize,
    const LB: usize,
    const NW: usize,
    const NB: usize,
    const G: usize,
    const CW: usize,
    const LW: usize,
    const PW: usize,
    const PC: usize,
    const A: usize,
    const C: usize,
> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: no connection is set up, every route is plane 0, port 0.
    pub rst: Signal<In, Bit>,
    /// Pulse: the control plane writes a connection row. Ignored while rows are cleared.
    pub cfg_conn_we: Signal<In, Bit>,
    /// Connection index.
    pub cfg_conn: Signal<In, Bits<CW>>,
    /// Its row.
    pub cfg_conn_row: Signal<In, TxConnection>,
    /// Pulse: the control plane writes a route. Ignored while rows are cleared.
    pub cfg_route_we: Signal<In, Bit>,
    /// Path index.
    pub cfg_route: Signal<In, Bits<PW>>,
    /// Its route.
    pub cfg_route_row: Signal<In, Route>,
    /// Ethernet source, first byte on top. This and the next six are changed only while nothing is sent.
    pub own_mac: Signal<In, Bits<48>>,
    /// IPv4 source.
    pub own_ipv4: Signal<In, Bits<32>>,
    /// IPv6 source.
    pub own_ipv6: Signal<In, Bits<128>>,
    /// TTL or hop limit.
    pub hops: Signal<In, Bits<8>>,
    /// DSCP of DATA and PROBE.
    pub data_dscp: Signal<In, Bits<6>>,
    /// DSCP of the other types.
    pub ack_dscp: Signal<In, Bits<6>>,
    /// UDP destination port.
    pub port: Signal<In, Bits<16>>,
    /// A packet without payload is offered; it goes first.
    pub a_valid: Signal<In, Bit>,
    /// It is taken.
    pub a_ready: Signal<Out, Bit>,
    /// The packet; `len` is ignored.
    pub a_frame: Signal<In, FrameRequest>,
    /// A packet is offered.
    pub b_valid: Signal<In, Bit>,
    /// It is taken: no `a` is offered and its payload is complete in the buffer.
    pub b_ready: Signal<Out, Bit>,
    /// The packet.
    pub b_frame: Signal<In, FrameRequest>,
    /// A beat of payload for `b` is offered; each packet's starts with a beat of its own.
    pub y_valid: Signal<In, Bit>,
    /// It is taken.
    pub y_ready: Signal<Out, Bit>,
    /// The beat, byte 0 in the low lane.
    pub y_data: Signal<In, Bits<W>>,
    /// A beat of a frame is offered.
    pub m_axis_tx_tvalid: Signal<Out, Bit>,
    /// It is taken.
    pub m_axis_tx_tready: Signal<In, Bit>,
    /// Byte 0 in the low lane.
    pub m_axis_tx_tdata: Signal<Out, Bits<W>>,
    /// Bytes that are there: all but in the last beat, there the lower ones.
    pub m_axis_tx_tkeep: Signal<Out, Bits<B>>,
    /// Last beat of the frame.
    pub m_axis_tx_tlast: Signal<Out, Bit>,
    /// Plane of the frame.
    pub m_axis_tx_tdest: Signal<Out, Bits<4>>,
    payload: Fifo<Bits<W>, A, C>,
    compose: Compose<CW, LW, PW, PC>,
    issue: Issue<W, B, LB>,
    merge: Merge<W, B, LB>,
    seal: Seal<W, B, LB, NW, NB, G>,
}

impl<
        const W: usize,
        const B: usize,
        const LB: usize,
        const NW: usize,
        const NB: usize,
        const G: usize,
        const CW: usize,
        const LW: usize,
        const PW: usize,
        const PC: usize,
        const A: usize,
        const C: usize,
    > Default for Framer<W, B, LB, NW, NB, G, CW, LW, PW, PC, A, C>
{
    fn default() -> Self {
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
            y_valid: Default::default(),
            y_ready: Default::default(),
            y_data: Default::default(),
            m_axis_tx_tvalid: Default::default(),
            m_axis_tx_tready: Default::default(),
            m_axis_tx_tdata: Default::default(),
            m_axis_tx_tkeep: Default::default(),
            m_axis_tx_tlast: Default::default(),
            m_axis_tx_tdest: Default::default(),
            payload: Fifo::new(1 << A),
            compose: Compose::new(B as u64),
            issue: Default::default(),
            merge: Default::default(),
            seal: Default::default(),
        }
    }
}

impl<
        const W: usize,
        const B: usize,
        const LB: usize,
        const NW: usize,
        const NB: usize,
        const G: usize,
        const CW: usize,
        const LW: usize,
        const PW: usize,
        const PC: usize,
        const A: usize,
        const C: usize,
    > Logic for Framer<W, B, LB, NW, NB, G, CW, LW, PW, PC, A, C>
{
    #[hdl_gen]
    fn update(&mut self) {
        self.payload.clk.next = self.clk.val();
        self.payload.rst.next = self.rst.val();
        self.compose.clk.next = self.clk.val();
        self.compose.rst.next = self.rst.val();
        self.issue.clk.next = self.clk.val();
        self.issue.rst.next = self.rst.val();
        self.merge.clk.next = self.clk.val();
        self.merge.rst.next = self.rst.val();
        self.seal.clk.next = self.clk.val();
        self.seal.rst.next = self.rst.val();

        self.compose.cfg_conn_we.next = self.cfg_conn_we.val();
        self.compose.cfg_conn.next = self.cfg_conn.val();
        self.compose.cfg_conn_row.next = self.cfg_conn_row.val();
        self.compose.cfg_route_we.next = self.cfg_route_we.val();
        self.compose.cfg_route.next = self.cfg_route.val();
        self.compose.cfg_route_row.next = self.cfg_route_row.val();
        self.compose.own_mac.next = self.own_mac.val();
        self.compose.own_ipv4.next = self.own_ipv4.val();
        self.compose.own_ipv6.next = self.own_ipv6.val();
        self.compose.hops.next = self.hops.val();
        self.compose.data_dscp.next = self.data_dscp.val();
        self.compose.ack_dscp.next = self.ack_dscp.val();
        self.compose.port.next = self.port.val();
        self.compose.a_valid.next = self.a_valid.val();
        self.compose.a_frame.next = self.a_frame.val();
        self.a_ready.next = self.compose.a_ready.val();
        self.compose.b_valid.next = self.b_valid.val();
        self.compose.b_frame.next = self.b_frame.val();
        self.b_ready.next = self.compose.b_ready.val();

        self.payload.in_valid.next = self.y_valid.val();
        self.payload.in_data.next = self.y_data.val();
        self.y_ready.next = self.payload.in_ready.val();
        self.compose.y_taken.next = self.y_valid.val() & self.payload.in_ready.val();

        self.issue.in_valid.next = self.compose.out_valid.val();
        self.issue.in_frame.next = self.compose.out_frame.val();
        self.issue.in_void.next = self.compose.out_void.val();
        self.compose.out_ready.next = self.issue.in_ready.val();
        self.issue.y_valid.next = self.payload.out_valid.val();
        self.issue.y_data.next = self.payload.out_data.val();
        self.payload.out_ready.next = self.issue.y_ready.val();
        self.issue.go.next = self.seal.go.val();

        self.merge.in_valid.next = self.issue.out_valid.val();
        self.merge.in_head.next = self.issue.out_head.val();
        self.merge.in_payload.next = self.issue.out_payload.val();
        self.merge.in_start.next = self.issue.out_start.val();
        self.merge.in_notes.next = self.issue.out_notes.val();

        self.seal.in_valid.next = self.merge.out_valid.val();
        self.seal.in_data.next = self.merge.out_data.val();
        self.seal.in_notes.next = self.merge.out_notes.val();
        self.m_axis_tx_tvalid.next = self.seal.out_valid.val();
        self.seal.out_ready.next = self.m_axis_tx_tready.val();
        self.m_axis_tx_tdata.next = self.seal.out_data.val();
        self.m_axis_tx_tkeep.next = self.seal.out_keep.val();
        self.m_axis_tx_tlast.next = self.seal.out_last.val();
        self.m_axis_tx_tdest.next = self.seal.out_plane.val();
    }
}
