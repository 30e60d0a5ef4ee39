//! Ports, memory and registers of the packet builder.

use super::super::rows::{FrameRequest, JobRow, MessageFields};
use super::drain::Drain;
use super::gather::Gatherer;
use super::header::Header;
use super::read::Reader;
use super::rows::{BuiltPacket, PacketRecord, ReadBurst, ReadRequest};
use heddle_emit::prims::{Fifo, SdpRamNc};
use rust_hdl::prelude::*;

/// The block, at `W` data bits, `K` = `W` / 8 lanes: 2^`CW` connections of 2^`LW` paths, `PW` = `CW` + `LW`, `RA` =
/// `PW` + 8; a buffer of 2^`A` words, which is 4 slices.
#[derive(LogicBlock)]
pub struct TxBuild<
    const W: usize,
    const K: usize,
    const CW: usize,
    const LW: usize,
    const PW: usize,
    const RA: usize,
    const A: usize,
> {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high: forgets what is under way; memory must be reset with it when reads are in
    /// flight. Records stay: none is read before it is written anew.
    pub rst: Signal<In, Bit>,
    /// A job is offered.
    pub j_valid: Signal<In, Bit>,
    /// It is taken.
    pub j_ready: Signal<Out, Bit>,
    /// The job.
    pub j_job: Signal<In, JobRow>,
    /// A question for a message is offered.
    pub l_valid: Signal<Out, Bit>,
    /// It is taken.
    pub l_ready: Signal<In, Bit>,
    /// Connection of the message.
    pub l_conn: Signal<Out, Bits<CW>>,
    /// Its stream.
    pub l_stream: Signal<Out, Bits<8>>,
    /// The message.
    pub l_msn: Signal<Out, Bits<24>>,
    /// Pulse, in a cycle after the question was taken: the answer.
    pub l_answer: Signal<In, Bit>,
    /// The message is neither done nor unknown.
    pub l_live: Signal<In, Bit>,
    /// The message.
    pub l_row: Signal<In, MessageFields>,
    /// A packet is offered. Its payload does not wait for it.
    pub g_valid: Signal<Out, Bit>,
    /// It is taken.
    pub g_ready: Signal<In, Bit>,
    /// The packet; dst_conn and tag are 0.
    pub g_frame: Signal<Out, FrameRequest>,
    /// A payload beat is offered, in the order of the packets, each payload from a beat of its own on. It does not wait
    /// for `g`.
    pub y_valid: Signal<Out, Bit>,
    /// It is taken.
    pub y_ready: Signal<In, Bit>,
    /// The beat, byte 0 in the low lane; zeros behind the payload.
    pub y_data: Signal<Out, Bits<W>>,
    /// A burst of reads is offered.
    pub m_axi_arvalid: Signal<Out, Bit>,
    /// It is taken.
    pub m_axi_arready: Signal<In, Bit>,
    /// Always 0: data comes in order.
    pub m_axi_arid: Signal<Out, Bits<1>>,
    /// Byte address of lane 0 of the first beat.
    pub m_axi_araddr: Signal<Out, Bits<64>>,
    /// Beats - 1.
    pub m_axi_arlen: Signal<Out, Bits<8>>,
    /// Constant: log2 of `K`.
    pub m_axi_arsize: Signal<Out, Bits<3>>,
    /// Constant: INCR.
    pub m_axi_arburst: Signal<Out, Bits<2>>,
    /// A beat is offered.
    pub m_axi_rvalid: Signal<In, Bit>,
    /// It is taken.
    pub m_axi_rready: Signal<Out, Bit>,
    /// Its bytes.
    pub m_axi_rdata: Signal<In, Bits<W>>,
    /// 2 or 3: an error.
    pub m_axi_rresp: Signal<In, Bits<2>>,
    /// Not looked at: beats are counted.
    pub m_axi_rlast: Signal<In, Bit>,
    /// Pulse: a packet is not sent, because memory answered with an error.
    pub e_valid: Signal<Out, Bit>,
    /// Its connection.
    pub e_conn: Signal<Out, Bits<CW>>,
    /// Pulse, the cycle after a packet was taken at `g`.
    pub sent_valid: Signal<Out, Bit>,
    /// 0 new data, 1 resent, 2 resent by an expiry, 3 a PROBE.
    pub sent_kind: Signal<Out, Bits<2>>,
    /// Its payload bytes.
    pub sent_len: Signal<Out, Bits<16>>,
    /// Per path and PSN modulo 256.
    pub(super) records: SdpRamNc<PacketRecord, RA>,
    pub(super) header: Header<LW>,
    pub(super) reader: Reader<K>,
    pub(super) gatherer: Gatherer<W, K, A>,
    pub(super) drain: Drain<W, K, A>,
    pub(super) packets: Fifo<BuiltPacket, 2, 3>,
    pub(super) step: DFF<Bits<3>>,
    pub(super) taken: DFF<Bits<3>>,
    pub(super) given: DFF<Bits<3>>,
    pub(super) freed: DFF<Bits<3>>,
    pub(super) job: DFF<JobRow>,
    pub(super) record: DFF<PacketRecord>,
    pub(super) live: DFF<Bit>,
    pub(super) message: DFF<MessageFields>,
    pub(super) offset: DFF<Bits<32>>,
    pub(super) local: DFF<Bits<64>>,
    pub(super) len: DFF<Bits<16>>,
    pub(super) last: DFF<Bit>,
    pub(super) error: DFF<Bit>,
    pub(super) error_conn: DFF<Bits<CW>>,
    pub(super) sent: DFF<Bit>,
    pub(super) sent_as: DFF<Bits<2>>,
    pub(super) sent_bytes: DFF<Bits<16>>,
    pub(super) offered: Signal<Local, JobRow>,
    pub(super) free: Signal<Local, Bit>,
    pub(super) take: Signal<Local, Bit>,
    pub(super) at: Signal<Local, Bits<RA>>,
    pub(super) known: Signal<Local, JobRow>,
    pub(super) written: Signal<Local, PacketRecord>,
    pub(super) sought: Signal<Local, PacketRecord>,
    pub(super) row: Signal<Local, MessageFields>,
    pub(super) before: Signal<Local, Bits<32>>,
    pub(super) left: Signal<Local, Bits<32>>,
    pub(super) made: Signal<Local, BuiltPacket>,
    pub(super) reads: Signal<Local, Bit>,
    pub(super) push: Signal<Local, Bit>,
    pub(super) request: Signal<Local, ReadRequest>,
    pub(super) burst: Signal<Local, ReadBurst>,
    pub(super) head: Signal<Local, BuiltPacket>,
    pub(super) judged: Signal<Local, Bit>,
    pub(super) offer: Signal<Local, Bit>,
    pub(super) refuse: Signal<Local, Bit>,
    pub(super) give: Signal<Local, Bit>,
    pub(super) frame: Signal<Local, FrameRequest>,
    pub(super) local_bits: Constant<Bits<4>>,
    pub(super) slice: Constant<Bits<32>>,
    pub(super) slice_bits: Constant<Bits<4>>,
    pub(super) unused_words: Constant<Bits<10>>,
    pub(super) lg: Constant<Bits<3>>,
    pub(super) incr: Constant<Bits<2>>,
}

impl<
        const W: usize,
        const K: usize,
        const CW: usize,
        const LW: usize,
        const PW: usize,
        const RA: usize,
        const A: usize,
    > Default for TxBuild<W, K, CW, LW, PW, RA, A>
{
    fn default() -> Self {
        assert!(W == 64 || W == 512, "{W} data bits: 64 and 512 are built");
        assert_eq!((K, PW, RA), (W / 8, CW + LW, PW + 8), "derived widths");
        assert!((4..=9).contains(&A), "a slice of 2^{} beats: 4 to 128 are built", A - 2);
        let lg = u64::from(K.trailing_zeros());
        let slice_bits = lg + A as u64 - 2;
        Self {
            clk: Default::default(),
            rst: Default::default(),
            j_valid: Default::default(),
            j_ready: Default::default(),
            j_job: Default::default(),
            l_valid: Default::default(),
            l_ready: Default::default(),
            l_conn: Default::default(),
            l_stream: Default::default(),
            l_msn: Default::default(),
            l_answer: Default::default(),
            l_live: Default::default(),
            l_row: Default::default(),
            g_valid: Default::default(),
            g_ready: Default::default(),
            g_frame: Default::default(),
            y_valid: Default::default(),
            y_ready: Default::default(),
            y_data: Default::default(),
            m_axi_arvalid: Default::default(),
            m_axi_arready: Default::default(),
            m_axi_arid: Default::default(),
            m_axi_araddr: Default::default(),
            m_axi_arlen: Default::default(),
            m_axi_arsize: Default::default(),
            m_axi_arburst: Default::default(),
            m_axi_rvalid: Default::default(),
            m_axi_rready: Default::default(),
            m_axi_rdata: Default::default(),
            m_axi_rresp: Default::default(),
            m_axi_rlast: Default::default(),
            e_valid: Default::default(),
            e_conn: Default::default(),
            sent_valid: Default::default(),
            sent_kind: Default::default(),
            sent_len: Default::default(),
            records: Default::default(),
            header: Default::default(),
            reader: Default::default(),
            gatherer: Default::default(),
            drain: Default::default(),
            packets: Default::default(),
            step: Default::default(),
            taken: Default::default(),
            given: Default::default(),
            freed: Default::default(),
            job: Default::default(),
            record: Default::default(),
            live: Default::default(),
            message: Default::default(),
            offset: Default::default(),
            local: Default::default(),
            len: Default::default(),
            last: Default::default(),
            error: Default::default(),
            error_conn: Default::default(),
            sent: Default::default(),
            sent_as: Default::default(),
            sent_bytes: Default::default(),
            offered: Default::default(),
            free: Default::default(),
            take: Default::default(),
            at: Default::default(),
            known: Default::default(),
            written: Default::default(),
            sought: Default::default(),
            row: Default::default(),
            before: Default::default(),
            left: Default::default(),
            made: Default::default(),
            reads: Default::default(),
            push: Default::default(),
            request: Default::default(),
            burst: Default::default(),
            head: Default::default(),
            judged: Default::default(),
            offer: Default::default(),
            refuse: Default::default(),
            give: Default::default(),
            frame: Default::default(),
            local_bits: Constant::new((LW as u64).to_bits()),
            slice: Constant::new((1u64 << slice_bits).to_bits()),
            slice_bits: Constant::new(slice_bits.to_bits()),
            unused_words: Constant::new(192u64.to_bits()),
            lg: Constant::new(lg.to_bits()),
            incr: Constant::new(1u64.to_bits()),
        }
    }
}
