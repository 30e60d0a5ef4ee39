//! Port values as rust-hdl sees them.
use super::DiffError;
use crate::design::legal;
use crate::lower::{literal, wrap};
use rust_hdl::core::atom::AtomKind;
use rust_hdl::core::probe::Probe;
use rust_hdl::prelude::{simulate, Atom, Block};

/// Delta cycles rust-hdl may take to settle.
const DELTAS: usize = 1_000;

/// A port of the block under test.
pub(super) struct Port {
    pub name: String,
    pub input: bool,
    pub width: usize,
    digits: String,
}

/// The recorded run: one line of binary digits per vector, inputs first.
pub(super) struct Record {
    pub seed: u64,
    /// Inputs before outputs.
    pub ports: Vec<Port>,
    pub lines: String,
    vectors: usize,
}

impl Record {
    pub fn new(block: &dyn Block, seed: u64, renames: &[(&str, &str)]) -> Self {
        let mut ports = ports(block);
        for port in &mut ports {
            let rename = renames.iter().find(|(from, _)| *from == port.name);
            port.name = rename.map_or_else(|| legal(&port.name), |(_, to)| to.to_string());
        }
        Self { seed, ports, lines: String::new(), vectors: 0 }
    }

    pub fn vectors(&self) -> usize {
        self.vectors
    }

    pub fn outputs(&self) -> usize {
        self.ports.iter().filter(|port| !port.input).count()
    }

    /// Settles the block and records its ports.
    pub fn vector<B: Block>(&mut self, block: &mut B) -> Result<(), DiffError> {
        if !simulate(block, DELTAS) {
            return Err(DiffError::Unsettled { vector: self.vectors, seed: self.seed });
        }
        for port in ports(block) {
            self.lines += &port.digits;
        }
        self.lines.push('\n');
        self.vectors += 1;
        Ok(())
    }
}

fn ports(block: &dyn Block) -> Vec<Port> {
    let mut collect = Collect { depth: 0, namespace: vec![], ports: vec![] };
    block.accept("top", &mut collect);
    let (mut ports, outputs): (Vec<_>, Vec<_>) = collect.ports.into_iter().partition(|port| port.input);
    ports.extend(outputs);
    ports
}

struct Collect {
    depth: usize,
    namespace: Vec<String>,
    ports: Vec<Port>,
}

impl Probe for Collect {
    fn visit_start_scope(&mut self, _: &str, _: &dyn Block) {
        self.depth += 1;
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.depth -= 1;
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.namespace.push(name.into());
    }

    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.namespace.pop();
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let kind = atom.kind();
        if self.depth != 1 || !matches!(kind, AtomKind::InputParameter | AtomKind::OutputParameter) {
            return;
        }
        let path = self.namespace.iter().map(String::as_str).chain([name]).collect::<Vec<_>>();
        let width = atom.bits();
        let value = wrap(&literal(&atom.verilog()).0, width);
        let digits = format!("{:0>width$}", value.to_str_radix(2));
        let input = kind == AtomKind::InputParameter;
        self.ports.push(Port { name: path.join("$"), input, width, digits });
    }
}
