//! The pins of a core, of either data width.

use crate::Dut;

/// A beat's data.
pub trait Word: Copy + Default + Send {
    /// Bytes of a beat.
    const BYTES: usize;
    /// Of at most [`Self::BYTES`] bytes, byte 0 in the low lane, zeros above.
    fn from_bytes(bytes: &[u8]) -> Self;
    /// Its bytes, the low lane first.
    fn put(&self, to: &mut Vec<u8>);
}

impl Word for u64 {
    const BYTES: usize = 8;

    fn from_bytes(bytes: &[u8]) -> Self {
        let mut all = [0; 8];
        all[..bytes.len()].copy_from_slice(bytes);
        Self::from_le_bytes(all)
    }

    fn put(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.to_le_bytes());
    }
}

impl Word for [u32; 16] {
    const BYTES: usize = 64;

    fn from_bytes(bytes: &[u8]) -> Self {
        let mut all = [0; 64];
        all[..bytes.len()].copy_from_slice(bytes);
        crate::wide::from_bytes(&all)
    }

    fn put(&self, to: &mut Vec<u8>) {
        self.iter().for_each(|word| to.extend_from_slice(&word.to_le_bytes()));
    }
}

/// What is driven into a core in a cycle.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "the names are those of the pins: docs/core.md")]
pub struct Inputs<W> {
    pub rst: bool,
    pub rx_valid: bool,
    pub rx_data: W,
    pub rx_keep: u64,
    pub rx_last: bool,
    pub rx_user: bool,
    pub rx_dest: u8,
    pub tx_ready: bool,
    pub wqe_valid: bool,
    pub wqe_data: W,
    pub wqe_last: bool,
    pub cpl_ready: bool,
    pub aw_ready: bool,
    pub w_ready: bool,
    pub b_valid: bool,
    pub b_resp: u8,
    pub ar_ready: bool,
    pub r_valid: bool,
    pub r_data: W,
    pub r_resp: u8,
    pub r_last: bool,
    pub lite_aw_valid: bool,
    pub lite_aw_addr: u16,
    pub lite_w_data: u32,
    pub lite_w_strb: u8,
    pub lite_b_ready: bool,
    pub lite_ar_valid: bool,
    pub lite_ar_addr: u16,
    pub lite_r_ready: bool,
    pub plane_up: u16,
}

/// What a core puts out in a cycle.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "the names are those of the pins: docs/core.md")]
pub struct Outputs<W> {
    pub rx_ready: bool,
    pub tx_valid: bool,
    pub tx_data: W,
    pub tx_keep: u64,
    pub tx_last: bool,
    pub tx_dest: u8,
    pub wqe_ready: bool,
    pub cpl_valid: bool,
    pub cpl_data: W,
    pub cpl_last: bool,
    pub aw_valid: bool,
    pub aw_addr: u64,
    pub aw_len: u8,
    pub w_valid: bool,
    pub w_data: W,
    pub w_strb: u64,
    pub w_last: bool,
    pub b_ready: bool,
    pub ar_valid: bool,
    pub ar_addr: u64,
    pub ar_len: u8,
    pub r_ready: bool,
    pub lite_aw_ready: bool,
    pub lite_b_valid: bool,
    pub lite_b_resp: u8,
    pub lite_ar_ready: bool,
    pub lite_r_valid: bool,
    pub lite_r_data: u32,
    pub irq: bool,
}

/// A Verilated core.
pub trait CorePins: Dut {
    /// Its data width.
    type Word: Word;
    /// Drives every input.
    fn drive(&mut self, inputs: &Inputs<Self::Word>);
    /// Reads every output; of a payload whose `valid` is low, nothing.
    fn sample(&self, outputs: &mut Outputs<Self::Word>);
}

macro_rules! core_pins {
    ($core:ty, $word:ty, |$value:ident| $given:expr, |$seen:ident| $read:expr) => {
        impl CorePins for $core {
            type Word = $word;

            #[inline]
            fn drive(&mut self, inputs: &Inputs<$word>) {
                self.set_rst(inputs.rst);
                self.set_s_axis_rx_tvalid(inputs.rx_valid);
                if inputs.rx_valid {
                    let $value = inputs.rx_data;
                    self.set_s_axis_rx_tdata($given);
                    self.set_s_axis_rx_tkeep(inputs.rx_keep as _);
                    self.set_s_axis_rx_tlast(inputs.rx_last);
                    self.set_s_axis_rx_tuser(inputs.rx_user);
                    self.set_s_axis_rx_tdest(inputs.rx_dest);
                }
                self.set_m_axis_tx_tready(inputs.tx_ready);
                self.set_s_axis_wqe_tvalid(inputs.wqe_valid);
                if inputs.wqe_valid {
                    let $value = inputs.wqe_data;
                    self.set_s_axis_wqe_tdata($given);
                    self.set_s_axis_wqe_tlast(inputs.wqe_last);
                }
                self.set_m_axis_cpl_tready(inputs.cpl_ready);
                self.set_m_axi_awready(inputs.aw_ready);
                self.set_m_axi_wready(inputs.w_ready);
                self.set_m_axi_bvalid(inputs.b_valid);
                self.set_m_axi_bresp(inputs.b_resp);
                self.set_m_axi_arready(inputs.ar_ready);
                self.set_m_axi_rvalid(inputs.r_valid);
                if inputs.r_valid {
                    let $value = inputs.r_data;
                    self.set_m_axi_rdata($given);
                    self.set_m_axi_rresp(inputs.r_resp);
                    self.set_m_axi_rlast(inputs.r_last);
                }
                self.set_s_axil_awvalid(inputs.lite_aw_valid);
                self.set_s_axil_awaddr(inputs.lite_aw_addr);
                self.set_s_axil_wvalid(inputs.lite_aw_valid);
                self.set_s_axil_wdata(inputs.lite_w_data);
                self.set_s_axil_wstrb(inputs.lite_w_strb);
                self.set_s_axil_bready(inputs.lite_b_ready);
                self.set_s_axil_arvalid(inputs.lite_ar_valid);
                self.set_s_axil_araddr(inputs.lite_ar_addr);
                self.set_s_axil_rready(inputs.lite_r_ready);
                self.set_plane_up(inputs.plane_up);
            }

            #[inline]
            fn sample(&self, outputs: &mut Outputs<$word>) {
                outputs.rx_ready = self.s_axis_rx_tready();
                outputs.tx_valid = self.m_axis_tx_tvalid();
                if outputs.tx_valid {
                    let $seen = self.m_axis_tx_tdata();
                    outputs.tx_data = $read;
                    outputs.tx_keep = self.m_axis_tx_tkeep().into();
                    outputs.tx_last = self.m_axis_tx_tlast();
                    outputs.tx_dest = self.m_axis_tx_tdest();
                }
                outputs.wqe_ready = self.s_axis_wqe_tready();
                outputs.cpl_valid = self.m_axis_cpl_tvalid();
                if outputs.cpl_valid {
                    let $seen = self.m_axis_cpl_tdata();
                    outputs.cpl_data = $read;
                    outputs.cpl_last = self.m_axis_cpl_tlast();
                }
                outputs.aw_valid = self.m_axi_awvalid();
                outputs.aw_addr = self.m_axi_awaddr();
                outputs.aw_len = self.m_axi_awlen();
                outputs.w_valid = self.m_axi_wvalid();
                if outputs.w_valid {
                    let $seen = self.m_axi_wdata();
                    outputs.w_data = $read;
                    outputs.w_strb = self.m_axi_wstrb().into();
                    outputs.w_last = self.m_axi_wlast();
                }
                outputs.b_ready = self.m_axi_bready();
                outputs.ar_valid = self.m_axi_arvalid();
                outputs.ar_addr = self.m_axi_araddr();
                outputs.ar_len = self.m_axi_arlen();
                outputs.r_ready = self.m_axi_rready();
                outputs.lite_aw_ready = self.s_axil_awready();
                outputs.lite_b_valid = self.s_axil_bvalid();
                outputs.lite_b_resp = self.s_axil_bresp();
                outputs.lite_ar_ready = self.s_axil_arready();
                outputs.lite_r_valid = self.s_axil_rvalid();
                outputs.lite_r_data = self.s_axil_rdata();
                outputs.irq = self.irq();
            }
        }
    };
}

core_pins!(crate::duts::CoreGbe, u64, |value| value, |seen| seen);
core_pins!(crate::duts::CoreTiny, u64, |value| value, |seen| seen);
