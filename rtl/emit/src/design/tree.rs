//! Collects the instance tree through rust-hdl's probe.
use super::name::SCOPE;
use crate::lower::literal;
use num_bigint::BigInt;
use rust_hdl::core::atom::AtomKind;
use rust_hdl::core::probe::Probe;
use rust_hdl::prelude::{Atom, Block, TypeDescriptor, Verilog};

/// A field of a block: port, Local or constant.
#[derive(Debug, Clone)]
pub(crate) struct Signal {
    /// Path inside the block, `$` between levels.
    pub path: String,
    pub kind: AtomKind,
    pub width: usize,
    pub ty: TypeDescriptor,
    /// Present value; for a constant, the value.
    pub value: BigInt,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Instance {
    pub path: String,
    pub signals: Vec<Signal>,
    pub children: Vec<Instance>,
    pub code: Verilog,
    /// From a `ModuleName` field.
    pub module_name: Option<String>,
}

/// The tree under `block`; `None` when it is no block but a bare signal.
pub(crate) fn collect(block: &dyn Block) -> Option<Instance> {
    let mut collect = Collect::default();
    block.accept("top", &mut collect);
    collect.root
}

#[derive(Default)]
struct Collect {
    open: Vec<Open>,
    root: Option<Instance>,
}

#[derive(Default)]
struct Open {
    instance: Instance,
    namespace: Vec<String>,
}

impl Open {
    fn path(&self, name: &str) -> String {
        self.namespace.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("$")
    }
}

impl Probe for Collect {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let code = if name.starts_with(SCOPE) { Verilog::Empty } else { node.hdl() };
        let instance = Instance { path: name.into(), code, ..Default::default() };
        self.open.push(Open { instance, namespace: vec![] });
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        let Some(mut done) = self.open.pop().map(|open| open.instance) else { return };
        match self.open.last_mut() {
            None => self.root = Some(done),
            Some(parent) => match done.path.strip_prefix(SCOPE) {
                Some(name) => parent.instance.module_name = Some(name.to_string()),
                None => {
                    done.path = parent.path(&done.path);
                    parent.instance.children.push(done);
                }
            },
        }
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        if let Some(open) = self.open.last_mut() {
            open.namespace.push(name.into());
        }
    }

    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        if let Some(open) = self.open.last_mut() {
            open.namespace.pop();
        }
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        if let Some(open) = self.open.last_mut() {
            let (value, _) = literal(&atom.verilog());
            let signal = Signal {
                path: open.path(name),
                kind: atom.kind(),
                width: atom.bits(),
                ty: atom.descriptor(),
                value,
            };
            open.instance.signals.push(signal);
        }
    }
}
