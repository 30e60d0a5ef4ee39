//! The primitives of heddle-emit, each as a design of its own.

use heddle_emit::prims::{Fifo, Skid};
use heddle_emit::Emitter;
use heddle_verilate::Source;
use rust_hdl::prelude::*;

/// One design per primitive that has a link.
pub fn sources() -> Vec<Source> {
    vec![
        source("prim_fifo", Fifo::<Bits<36>, 4, 5>::new(12)),
        source("prim_skid", Skid::<Bits<36>>::default()),
    ]
}

fn source<B: Block>(name: &str, mut block: B) -> Source {
    block.connect_all();
    let netlist = match Emitter::new().top(name, &block, &[]) {
        Ok(netlist) => netlist,
        Err(error) => panic!("{name} is not emitted: {error}"),
    };
    Source::new(name, netlist.modules().iter().map(|m| (m.name.clone(), m.text.clone())).collect())
}
