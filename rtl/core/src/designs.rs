//! The designs that the testbench verilates: each block alone, one line per block, and the core.

use crate::blocks::on_a_large_stack;
use crate::config::named;
use crate::csr::Csr;
use crate::icrc::{Icrc512, Icrc64};
use crate::{rx, top, tx};
use heddle_emit::{Emitter, Netlist};
use rust_hdl::prelude::*;

/// A design, ready to be written to files or verilated.
#[derive(Clone, Debug)]
pub struct Design {
    /// Name of the top module, in snake_case; the testbench's type has it in upper camel case.
    pub name: String,
    /// Its modules.
    pub netlist: Netlist,
    /// Internal signals that the testbench reads.
    pub probes: Vec<Probe>,
    /// Ports, of the design or of instances inside it, that the testbench reads as those of another design.
    pub views: Vec<View>,
    /// Simulated for long: compiled for run time rather than for build time.
    pub hot: bool,
}

impl Design {
    /// A design without probes.
    pub fn new(name: impl Into<String>, netlist: Netlist) -> Self {
        Self { name: name.into(), netlist, probes: Vec::new(), views: Vec::new(), hot: false }
    }

    /// With `signal` readable in every instance of `module`.
    pub fn probe(mut self, module: &str, signal: &str) -> Self {
        self.probes.push(Probe { module: module.into(), signal: signal.into() });
        self
    }

    /// With the ports of the block in `field` (of the top block; a path of fields joined by dots, further
    /// down) readable as those of the design `of`: what watches that block alone watches it here too.
    pub fn view(mut self, field: &str, of: &str) -> Self {
        self.views.push(View { field: field.into(), of: of.into() });
        self
    }

    /// With its own ports readable as those of the design `of`, which has the same at other widths.
    pub fn like(self, of: &str) -> Self {
        self.view("", of)
    }

    /// Marked as simulated for long.
    pub fn hot(mut self) -> Self {
        self.hot = true;
        self
    }
}

/// An internal signal made readable in simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Module that declares it.
    pub module: String,
    /// Its name.
    pub signal: String,
}

/// A block that is read as another design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Where it is: fields joined by dots, empty for the top block itself.
    pub field: String,
    /// Name of the design.
    pub of: String,
}

/// Every design, blocks first.
///
/// # Panics
/// When a block says what the emitter cannot say in Verilog, with the place; that is an error in the block.
pub fn designs() -> Vec<Design> {
    on_a_large_stack(all)
}

fn all() -> Vec<Design> {
    vec![
        block("icrc", Icrc64::default()),
        block("icrc512", Icrc512::default()).like("icrc"),
        block("parse", rx::parse::Parse64::default()),
        block("parse512", rx::parse::Parse512::default()).like("parse"),
        block("rx_hold", rx::hold::Hold::<64, 9, 10>::new(1024)),
        block("rx_hold_512", rx::hold::Hold::<512, 6, 7>::new(1024)).like("rx_hold"),
        block("rx_conn", rx::conn::RxConn::<4, 5, 2>::default()),
        block("rx_access", rx::access::RxAccess::<6, 7, 4, 2, 6>::new(1024, 16)),
        block("rx_path", rx::path::RxPath::<6, 8>::default()).hot(),
        block("rx_path_wide", rx::path_wide::RxPathWide::<6>::default()).hot(),
        block("rx_verdict", rx::verdict::RxVerdict::default()),
        block("rx_place", rx::place::RxPlace::<64, 8>::default()),
        block("rx_place_512", rx::place::RxPlace::<512, 64>::default()).like("rx_place"),
        block("rx_msg", rx::msg::RxMsg::<4, 6, 10, 11, 6>::default()),
        block("rx_ack", rx::ack::RxAck::<6, 7, 6, 7>::new(4)),
        block("rx_ack_build", rx::ack_build::RxAckBuild::<4, 5, 6>::default()),
        block("tx_path", tx::path::TxPath::<6, 8>::default()).hot(),
        block("tx_sched", tx::sched::TxSched::<4, 5, 2, 6, 7>::default()),
        block("tx_build", tx::build::TxBuild::<64, 8, 4, 2, 6, 14, 9>::default()),
        block("tx_build_512", tx::build::TxBuild::<512, 64, 4, 2, 6, 14, 8>::default()).like("tx_build"),
        block("tx_ack_in", tx::ack_in::TxAckIn::<64, 4, 2, 6>::default()),
        block("tx_rto", tx::rto::TxRto::<6, 7>::default()),
        block("tx_framer", tx::framer::TxFramer::<4, 2, 6, 7, 8, 9>::default()),
        block("tx_framer_512", tx::framer::TxFramer512::<4, 2, 6, 7, 7, 8>::default()).like("tx_framer"),
        block("tx_wqe", tx::wqe::TxWqe::<64>::default()),
        block("tx_wqe_512", tx::wqe::TxWqe::<512>::default()).like("tx_wqe"),
        block("tx_msg", tx::msg::TxMsg::<4, 6, 6, 7, 10>::new(1024)),
        block("tx_msg_16", tx::msg::TxMsg::<2, 3, 6, 7, 8>::starting_at(256, 0xFF_FFF0)).like("tx_msg"),
        block("tx_msg_1", tx::msg::TxMsg::<3, 6, 3, 4, 9>::starting_at(4096, 0xFF_FF80)).like("tx_msg"),
        block("tx_cpl", tx::cpl::TxCpl::<64, 8>::default()),
        block("tx_cpl_512", tx::cpl::TxCpl::<512, 64>::default()).like("tx_cpl"),
        block("tx_probe", tx::probe::TxProbe::<4, 5, 2, 6>::default()),
        block("csr", Csr::new(&named::gbe())),
        core("core_tiny", top::tiny::HeddleCore::default()).like("core_gbe"),
        core("core_gbe", top::gbe::HeddleCore::default()),
    ]
}

/// Blocks of a core, and the designs that have the same ports.
const INSIDE: [(&str, &str); 21] = [
    ("parse", "parse"),
    ("icrc", "icrc"),
    ("hold", "rx_hold"),
    ("conn", "rx_conn"),
    ("access", "rx_access"),
    ("rx_path", "rx_path"),
    ("verdict", "rx_verdict"),
    ("place", "rx_place"),
    ("rx_msg", "rx_msg"),
    ("ack", "rx_ack"),
    ("ack_build", "rx_ack_build"),
    ("ack_in", "tx_ack_in"),
    ("tx_path", "tx_path"),
    ("sched", "tx_sched"),
    ("rto", "tx_rto"),
    ("probe", "tx_probe"),
    ("wqe", "tx_wqe"),
    ("tx_msg", "tx_msg"),
    ("cpl", "tx_cpl"),
    ("build", "tx_build"),
    ("framer", "tx_framer"),
];

/// A core, with the links of its blocks to be watched.
fn core(name: &str, uut: impl Block) -> Design {
    INSIDE.iter().fold(block(name, uut), |design, (field, of)| design.view(field, of)).hot()
}

/// A block alone, as its own top module.
fn block(name: &str, mut uut: impl Block) -> Design {
    uut.connect_all();
    match Emitter::new().top(name, &uut, &[]) {
        Ok(netlist) => Design::new(name, netlist),
        Err(error) => panic!("{name}: {error}"),
    }
}
