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

/// Bytes of stack: a whole core is a large value, and threads are made with little.
const STACK: usize = 256 << 20;

/// Does work that has whole cores on its stack.
pub(crate) fn on_a_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread.expect("a thread can be made").join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The Verilog of what `make` makes, as `top`.
pub(crate) fn emit<U: Hardware>(
    emitter: &mut Emitter,
    top: &str,
    make: fn() -> U,
) -> Result<Netlist, EmitError> {
    on_a_large_stack(|| {
        let mut uut = make();
        uut.connect_all();
        emitter.top(top, &uut, &[])
    })
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
