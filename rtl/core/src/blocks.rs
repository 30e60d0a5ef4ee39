//! The catalogue: which blocks a named configuration has, and their Verilog.

use crate::config::{named, Config};
use crate::top;
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
    pub(crate) const fn new(
        name: &'static str,
        top: &'static str,
        emit: fn(&mut Emitter, &str) -> Result<Netlist, EmitError>,
    ) -> Self {
        Self { name, top, emit }
    }

    /// Its modules, sharing definitions with whatever `emitter` has emitted before.
    pub fn emit(&self, emitter: &mut Emitter) -> Result<Netlist, EmitError> {
        (self.emit)(emitter, self.top)
    }

    /// Its modules alone.
    pub fn emit_alone(&self) -> Result<Netlist, EmitError> {
        self.emit(&mut Emitter::new())
    }
}

/// The Verilog of `uut` as `top`.
pub(crate) fn emit(emitter: &mut Emitter, top: &str, mut uut: impl Hardware) -> Result<Netlist, EmitError> {
    uut.connect_all();
    emitter.top(top, &uut, &[])
}

/// The blocks of a named configuration, in the order in which a packet meets them; the core is the last.
pub fn blocks(config: &Config) -> Result<Vec<Block>, NotNamed> {
    const TINY: Config = named::tiny();
    const GBE: Config = named::gbe();
    const DC100: Config = named::dc100();
    match *config {
        TINY => Ok(top::tiny::blocks()),
        GBE => Ok(top::gbe::blocks()),
        DC100 => Ok(top::dc100::blocks()),
        _ => Err(NotNamed { got: config.name() }),
    }
}
