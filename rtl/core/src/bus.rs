//! Buses that several blocks share, as interfaces: a field `s_axil` is the ports `s_axil_awvalid` and so on.
#![allow(missing_docs, reason = "rust-hdl's LogicInterface derive makes undocumented methods")]

use rust_hdl::prelude::*;

/// AXI4-Lite with 12 address and 32 data bits, without `prot`: the side of the registers.
#[derive(LogicInterface, Clone, Debug, Default)]
#[join = "AxiLiteMaster"]
pub struct AxiLiteSlave {
    /// Write address is offered.
    pub awvalid: Signal<In, Bit>,
    /// It is taken, with its data.
    pub awready: Signal<Out, Bit>,
    /// Byte address; bits 1 and 0 are ignored.
    pub awaddr: Signal<In, Bits<12>>,
    /// Write data are offered.
    pub wvalid: Signal<In, Bit>,
    /// They are taken.
    pub wready: Signal<Out, Bit>,
    /// The data.
    pub wdata: Signal<In, Bits<32>>,
    /// Bytes that count: all, or the write is refused.
    pub wstrb: Signal<In, Bits<4>>,
    /// A write answer is offered.
    pub bvalid: Signal<Out, Bit>,
    /// It is taken.
    pub bready: Signal<In, Bit>,
    /// 0 OKAY, 2 SLVERR.
    pub bresp: Signal<Out, Bits<2>>,
    /// A read address is offered.
    pub arvalid: Signal<In, Bit>,
    /// It is taken.
    pub arready: Signal<Out, Bit>,
    /// Byte address; bits 1 and 0 are ignored.
    pub araddr: Signal<In, Bits<12>>,
    /// A read answer is offered.
    pub rvalid: Signal<Out, Bit>,
    /// It is taken.
    pub rready: Signal<In, Bit>,
    /// The data.
    pub rdata: Signal<Out, Bits<32>>,
    /// 0 OKAY.
    pub rresp: Signal<Out, Bits<2>>,
}

/// The side of the control plane.
#[derive(LogicInterface, Clone, Debug, Default)]
#[join = "AxiLiteSlave"]
pub struct AxiLiteMaster {
    /// Write address is offered.
    pub awvalid: Signal<Out, Bit>,
    /// It is taken, with its data.
    pub awready: Signal<In, Bit>,
    /// Byte address; bits 1 and 0 are ignored.
    pub awaddr: Signal<Out, Bits<12>>,
    /// Write data are offered.
    pub wvalid: Signal<Out, Bit>,
    /// They are taken.
    pub wready: Signal<In, Bit>,
    /// The data.
    pub wdata: Signal<Out, Bits<32>>,
    /// Bytes that count: all, or the write is refused.
    pub wstrb: Signal<Out, Bits<4>>,
    /// A write answer is offered.
    pub bvalid: Signal<In, Bit>,
    /// It is taken.
    pub bready: Signal<Out, Bit>,
    /// 0 OKAY, 2 SLVERR.
    pub bresp: Signal<In, Bits<2>>,
    /// A read address is offered.
    pub arvalid: Signal<Out, Bit>,
    /// It is taken.
    pub arready: Signal<In, Bit>,
    /// Byte address; bits 1 and 0 are ignored.
    pub araddr: Signal<Out, Bits<12>>,
    /// A read answer is offered.
    pub rvalid: Signal<In, Bit>,
    /// It is taken.
    pub rready: Signal<Out, Bit>,
    /// The data.
    pub rdata: Signal<In, Bits<32>>,
    /// 0 OKAY.
    pub rresp: Signal<In, Bits<2>>,
}
