//! Ports and blocks of the core.
//!
//! Compiled once per named configuration, against the widths of the module around it: rust-hdl has no arithmetic on const parameters.

use super::widths::*;
use crate::bus::AxiLiteSlave;
use crate::csr::drops::DropCounters;
use crate::csr::traffic::Traffic;
use crate::csr::Csr;
use crate::rx::access::RxAccess;
use crate::rx::ack::RxAck;
use crate::rx::ack_build::RxAckBuild;
use crate::rx::conn::RxConn;
use crate::top::rx_feed::RxFeed;
use crate::top::gate::RxGate;
use crate::rx::hold::Hold;
use crate::rx::msg::RxMsg;
use crate::rx::place::RxPlace;
use crate::rx::rows::LocatedFrame;
use crate::rx::verdict::RxVerdict;
use crate::top::tick::Tick;
use crate::tx::ack_in::TxAckIn;
use crate::tx::build::TxBuild;
use crate::tx::cpl::TxCpl;
use crate::top::tx_feed::TxFeed;
use crate::tx::msg::TxMsg;
use crate::tx::path::TxPath;
use crate::tx::probe::TxProbe;
use crate::tx::rows::{FrameRequest, JobRow};
use crate::tx::rto::TxRto;
use crate::tx::sched::TxSched;
use crate::tx::wqe::TxWqe;
use rust_hdl::prelude::*;

/// The core.
#[derive(LogicBlock)]
pub struct HeddleCore {
    /// Clock, rising edge.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// A beat of a received frame is offered.
    pub s_axis_rx_tvalid: Signal<In, Bit>,
    /// It is taken. Registered but for the frames that are ignored.
    pub s_axis_rx_tready: Signal<Out, Bit>,
    /// Frame bytes from the Ethernet header on, without FCS; byte 0 in bits 7 to 0.
    pub s_axis_rx_tdata: Signal<In, Bits<W>>,
    /// Bytes that count: all but in the last beat, there ones from byte 0 on.
    pub s_axis_rx_tkeep: Signal<In, Bits<K>>,
    /// Last beat of the frame.
    pub s_axis_rx_tlast: Signal<In, Bit>,
    /// At the last beat: the MAC found the frame bad.
    pub s_axis_rx_tuser: Signal<In, Bit>,
    /// At the first beat: plane on which the frame came.
    pub s_axis_rx_tdest: Signal<In, Bits<4>>,
    /// A beat of a frame is offered; once begun a frame has no gap.
    pub m_axis_tx_tvalid: Signal<Out, Bit>,
    /// It is taken.
    pub m_axis_tx_tready: Signal<In, Bit>,
    /// Frame bytes, without FCS.
    pub m_axis_tx_tdata: Signal<Out, Bits<W>>,
    /// Bytes that count.
    pub m_axis_tx_tkeep: Signal<Out, Bits<K>>,
    /// Last beat of the frame.
    pub m_axis_tx_tlast: Signal<Out, Bit>,
    /// Plane on which the frame leaves.
    pub m_axis_tx_tdest: Signal<Out, Bits<4>>,
    /// A beat of a work request is offered.
    pub s_axis_wqe_tvalid: Signal<In, Bit>,
    /// It is taken.
    pub s_axis_wqe_tready: Signal<Out, Bit>,
    /// 64 bytes per request: docs/registers.md, WORK_REQUEST.
    pub s_axis_wqe_tdata: Signal<In, Bits<W>>,
    /// Last beat of the request.
    pub s_axis_wqe_tlast: Signal<In, Bit>,
    /// A beat of a completion is offered.
    pub m_axis_cpl_tvalid: Signal<Out, Bit>,
    /// It is taken.
    pub m_axis_cpl_tready: Signal<In, Bit>,
    /// 32 bytes per completion: docs/registers.md, COMPLETION.
    pub m_axis_cpl_tdata: Signal<Out, Bits<W>>,
    /// Bytes that count.
    pub m_axis_cpl_tkeep: Signal<Out, Bits<K>>,
    /// Last beat of the completion.
    pub m_axis_cpl_tlast: Signal<Out, Bit>,
    /// AXI4 write address is offered.
    pub m_axi_awvalid: Signal<Out, Bit>,
    /// It is taken.
    pub m_axi_awready: Signal<In, Bit>,
    /// 0: in order.
    pub m_axi_awid: Signal<Out, Bits<1>>,
    /// First byte.
    pub m_axi_awaddr: Signal<Out, Bits<64>>,
    /// Beats - 1.
    pub m_axi_awlen: Signal<Out, Bits<8>>,
    /// log2 of the bytes of a beat.
    pub m_axi_awsize: Signal<Out, Bits<3>>,
    /// 1, INCR.
    pub m_axi_awburst: Signal<Out, Bits<2>>,
    /// AXI4 write data are offered.
    pub m_axi_wvalid: Signal<Out, Bit>,
    /// They are taken.
    pub m_axi_wready: Signal<In, Bit>,
    /// Data.
    pub m_axi_wdata: Signal<Out, Bits<W>>,
    /// Bytes that count.
    pub m_axi_wstrb: Signal<Out, Bits<K>>,
    /// Last beat of the burst.
    pub m_axi_wlast: Signal<Out, Bit>,
    /// AXI4 write answer is offered.
    pub m_axi_bvalid: Signal<In, Bit>,
    /// It is taken.
    pub m_axi_bready: Signal<Out, Bit>,
    /// 0 OKAY; 2 and 3 end the connection.
    pub m_axi_bresp: Signal<In, Bits<2>>,
    /// AXI4 read address is offered.
    pub m_axi_arvalid: Signal<Out, Bit>,
    /// It is taken.
    pub m_axi_arready: Signal<In, Bit>,
    /// 0: in order.
    pub m_axi_arid: Signal<Out, Bits<1>>,
    /// First byte.
    pub m_axi_araddr: Signal<Out, Bits<64>>,
    /// Beats - 1.
    pub m_axi_arlen: Signal<Out, Bits<8>>,
    /// log2 of the bytes of a beat.
    pub m_axi_arsize: Signal<Out, Bits<3>>,
    /// 1, INCR.
    pub m_axi_arburst: Signal<Out, Bits<2>>,
    /// AXI4 read data are offered.
    pub m_axi_rvalid: Signal<In, Bit>,
    /// They are taken.
    pub m_axi_rready: Signal<Out, Bit>,
    /// Data.
    pub m_axi_rdata: Signal<In, Bits<W>>,
    /// 0 OKAY; 2 and 3 end the connection.
    pub m_axi_rresp: Signal<In, Bits<2>>,
    /// Last beat of the burst.
    pub m_axi_rlast: Signal<In, Bit>,
    /// Registers: docs/registers.md.
    pub s_axil: AxiLiteSlave,
    /// Carrier of each plane, synchronous to `clk`.
    pub plane_up: Signal<In, Bits<16>>,
    /// Interrupt line, level.
    pub irq: Signal<Out, Bit>,
    pub(super) gate: RxGate,
    pub(super) parse: Parser,
    pub(super) icrc: Icrc,
    pub(super) hold: Hold<W, HA, HC>,
    pub(super) conn: RxConn<CW, CC, LW>,
    pub(super) access: RxAccess<RW, RC, CW, SW, QW>,
    pub(super) rx_feed: RxFeed<CW, LW, PW>,
    pub(super) rx_path: RxEngine,
    pub(super) verdict: RxVerdict,
    pub(super) place: RxPlace<W, K>,
    pub(super) rx_msg: RxMsg<CW, QW, AW, AC, PW>,
    pub(super) ack: RxAck<PW, PC, DA, DC>,
    pub(super) ack_build: RxAckBuild<CW, CC, PW>,
    pub(super) ack_in: TxAckIn<W, CW, LW, PW>,
    pub(super) tx_feed: TxFeed<PW>,
    pub(super) tx_path: TxPath<PW, PM>,
    pub(super) sched: TxSched<CW, CC, LW, PW, PC>,
    pub(super) rto: TxRto<PW, PC>,
    pub(super) probe: TxProbe<CW, CC, LW, PW>,
    pub(super) wqe: TxWqe<W>,
    pub(super) tx_msg: TxMsg<CW, PW, QW, QC, AW>,
    pub(super) cpl: TxCpl<W, K>,
    pub(super) build: TxBuild<W, K, CW, LW, PW, BR, FA>,
    pub(super) framer: Framer<CW, LW, PW, PC, FA, FC>,
    pub(super) csr: Csr,
    pub(super) tick: Tick,
    pub(super) drops: DropCounters,
    pub(super) traffic: Traffic,
    pub(super) now: Signal<Local, Bits<32>>,
    pub(super) core_rst: Signal<Local, Bit>,
    pub(super) enable: Signal<Local, Bit>,
    pub(super) located: Signal<Local, LocatedFrame>,
    pub(super) job: Signal<Local, JobRow>,
    pub(super) acked: Signal<Local, Bit>,
    pub(super) ack_frame: Signal<Local, FrameRequest>,
    pub(super) completed: Signal<Local, Bit>,
    pub(super) expired: Signal<Local, Bit>,
}

impl Default for HeddleCore {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            rst: Default::default(),
            s_axis_rx_tvalid: Default::default(),
            s_axis_rx_tready: Default::default(),
            s_axis_rx_tdata: Default::default(),
            s_axis_rx_tkeep: Default::default(),
            s_axis_rx_tlast: Default::default(),
            s_axis_rx_tuser: Default::default(),
            s_axis_rx_tdest: Default::default(),
            m_axis_tx_tvalid: Default::default(),
            m_axis_tx_tready: Default::default(),
            m_axis_tx_tdata: Default::default(),
            m_axis_tx_tkeep: Default::default(),
            m_axis_tx_tlast: Default::default(),
            m_axis_tx_tdest: Default::default(),
            s_axis_wqe_tvalid: Default::default(),
            s_axis_wqe_tready: Default::default(),
            s_axis_wqe_tdata: Default::default(),
            s_axis_wqe_tlast: Default::default(),
            m_axis_cpl_tvalid: Default::default(),
            m_axis_cpl_tready: Default::default(),
            m_axis_cpl_tdata: Default::default(),
            m_axis_cpl_tkeep: Default::default(),
            m_axis_cpl_tlast: Default::default(),
            m_axi_awvalid: Default::default(),
            m_axi_awready: Default::default(),
            m_axi_awid: Default::default(),
            m_axi_awaddr: Default::default(),
            m_axi_awlen: Default::default(),
            m_axi_awsize: Default::default(),
            m_axi_awburst: Default::default(),
            m_axi_wvalid: Default::default(),
            m_axi_wready: Default::default(),
            m_axi_wdata: Default::default(),
            m_axi_wstrb: Default::default(),
            m_axi_wlast: Default::default(),
            m_axi_bvalid: Default::default(),
            m_axi_bready: Default::default(),
            m_axi_bresp: Default::default(),
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
            s_axil: Default::default(),
            plane_up: Default::default(),
            irq: Default::default(),
            gate: RxGate::default(),
            parse: Parser::default(),
            icrc: Icrc::default(),
            hold: Hold::new(CONFIG.slice_bytes().into()),
            conn: RxConn::default(),
            access: RxAccess::new(CONFIG.slice_bytes(), CONFIG.slots()),
            rx_feed: RxFeed::default(),
            rx_path: RxEngine::default(),
            verdict: RxVerdict::default(),
            place: RxPlace::default(),
            rx_msg: RxMsg::default(),
            ack: RxAck::new(ACK_ARRIVALS),
            ack_build: RxAckBuild::new(FIRST_WORD),
            ack_in: TxAckIn::default(),
            tx_feed: TxFeed::default(),
            tx_path: TxPath::default(),
            sched: TxSched::default(),
            rto: TxRto::default(),
            probe: TxProbe::default(),
            wqe: TxWqe::default(),
            tx_msg: TxMsg::new(CONFIG.slice_bytes()),
            cpl: TxCpl::default(),
            build: TxBuild::default(),
            framer: Framer::default(),
            csr: Csr::new(&CONFIG),
            tick: Tick::new(CONFIG.tick_scale()),
            drops: DropCounters::default(),
            traffic: Traffic::default(),
            now: Default::default(),
            core_rst: Default::default(),
            enable: Default::default(),
            located: Default::default(),
            job: Default::default(),
            acked: Default::default(),
            ack_frame: Default::default(),
            completed: Default::default(),
            expired: Default::default(),
        }
    }
}
