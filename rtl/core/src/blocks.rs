//! The catalogue: which blocks exist for a named configuration, and their Verilog.

use crate::config::{named, Config};
use crate::icrc::{Icrc512, Icrc64};
use crate::rx::access::RxAccess;
use crate::rx::conn::RxConn;
use crate::rx::hold::Hold;
use crate::rx::parse::{Parse512, Parse64};
use crate::rx::path::RxPath;
use crate::rx::path_wide::RxPathWide;
use crate::rx::verdict::RxVerdict;
use crate::tx::build::TxBuild;
use crate::tx::path::TxPath;
use crate::tx::sched::TxSched;
use heddle_emit::{EmitError, Emitter, Netlist};
use rust_hdl::prelude::Block as Hardware;

/// A block that can be emitted alone.
pub struct Block {
    /// Name in reports.
    pub name: &'static str,
    /// Its top module.
    pub top: &'static str,
    emit: fn(&mut Emitter, &str) -> Result<Netlist, EmitError>,
}

/// The configuration has no circuit: widths are fixed when the crate is compiled, for the named ones only.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{got} is built for no circuit, need one of the named configurations as it is")]
pub struct NotNamed {
    /// Name of the configuration.
    pub got: &'static str,
}

impl Block {
    /// Its modules, sharing definitions with whatever `emitter` has emitted before.
    pub fn emit(&self, emitter: &mut Emitter) -> Result<Netlist, EmitError> {
        (self.emit)(emitter, self.top)
    }

    /// Its modules alone.
    pub fn emit_alone(&self) -> Result<Netlist, EmitError> {
        self.emit(&mut Emitter::new())
    }
}

/// The block `$uut` under `$name`.
macro_rules! block {
    ($name:literal, $uut:expr) => {
        Block { name: $name, top: $name, emit: |emitter, top| emit(emitter, top, $uut) }
    };
}

fn emit(emitter: &mut Emitter, top: &str, mut uut: impl Hardware) -> Result<Netlist, EmitError> {
    uut.connect_all();
    emitter.top(top, &uut, &[])
}

/// The blocks of a named configuration, in the order in which a packet meets them.
pub fn blocks(config: &Config) -> Result<Vec<Block>, NotNamed> {
    const TINY: Config = named::tiny();
    const GBE: Config = named::gbe();
    const DC100: Config = named::dc100();
    match *config {
        TINY => Ok(tiny()),
        GBE => Ok(gbe()),
        DC100 => Ok(dc100()),
        _ => Err(NotNamed { got: config.name() }),
    }
}

/// The widths of a configuration and those that rust-hdl needs computed beside them.
macro_rules! blocks_of {
    ($config:ident, parse: $parse:ty, icrc: $icrc:ty, hold: $hold_bits:literal,
        path: $path_name:literal $path:ty) => {
        fn $config() -> Vec<Block> {
            const C: Config = named::$config();
            const CW: usize = C.connection_bits();
            const LW: usize = C.local_path_bits();
            const PW: usize = C.path_bits();
            const RW: usize = C.region_bits();
            const SW: usize = C.stream_bits();
            const LANES: usize = C.data_bits() / 8;
            vec![
                block!("parse", <$parse>::default()),
                block!("icrc", <$icrc>::default()),
                block!(
                    "rx_hold",
                    Hold::<{ C.data_bits() }, $hold_bits, { $hold_bits + 1 }>::new(C.slice_bytes().into())
                ),
                block!("rx_conn", RxConn::<CW, { CW + 1 }, LW>::default()),
                block!(
                    "rx_access",
                    RxAccess::<RW, { RW + 1 }, CW, SW, { CW + SW }>::new(C.slice_bytes(), C.slots())
                ),
                block!($path_name, <$path>::default()),
                block!("rx_verdict", RxVerdict::default()),
                block!("tx_path", TxPath::<PW, { PW + 2 }>::default()),
                block!(
                    "tx_build",
                    TxBuild::<
                        { C.data_bits() },
                        { LANES },
                        CW,
                        LW,
                        PW,
                        { PW + 8 },
                        { C.slice_offset_bits() + 2 - LANES.ilog2() as usize },
                    >::default()
                ),
                block!("tx_sched", TxSched::<CW, { CW + 1 }, LW, PW, { PW + 1 }>::default()),
            ]
        }
    };
}

// The hold's ring is the smallest that takes two payloads and what is inside the parser.
blocks_of!(tiny, parse: Parse64, icrc: Icrc64, hold: 7, path: "rx_path" RxPath<PW, { PW + 2 }>);
blocks_of!(gbe, parse: Parse64, icrc: Icrc64, hold: 9, path: "rx_path" RxPath<PW, { PW + 2 }>);
blocks_of!(dc100, parse: Parse512, icrc: Icrc512, hold: 8, path: "rx_path_wide" RxPathWide<PW>);
