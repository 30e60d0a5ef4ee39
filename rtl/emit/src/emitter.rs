//! The emitter: visits instances children first and keeps one definition per distinct text.
use crate::design::{collect, legal, recognise, Instance, Names};
use crate::error::{EmitError, Reason};
use crate::lower::Fault;
use crate::module::{build, Definition, Kind, Port, Unnamed};
use crate::netlist::{Module, Netlist};
use crate::print::MODULE;
use rust_hdl::core::atom::AtomKind;
use rust_hdl::core::check_error::{check_all, CheckError};
use rust_hdl::prelude::{Block, Verilog};
use std::collections::{BTreeSet, HashMap};

/// Turns rust-hdl blocks into Verilog modules, one per distinct definition.
///
/// Definitions stay known to an emitter, so several tops may share them.
#[derive(Default)]
pub struct Emitter {
    definitions: Vec<Definition>,
    /// By text and, when the block insists on one, name.
    known: HashMap<(String, Option<String>), usize>,
    /// By text, what [`Emitter::register`] has named.
    registered: HashMap<String, usize>,
    names: Names,
}

impl Emitter {
    /// An emitter that knows no definition yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the definition of `sample` the name `name` wherever an equal block is instantiated.
    ///
    /// # Errors
    /// When `sample` cannot be emitted exactly.
    pub fn register(&mut self, name: &str, sample: &dyn Block) -> Result<(), EmitError> {
        let instance = collect(sample).ok_or_else(|| not_a_block(name))?;
        let index = self.define(&instance, name, Some(name), &[])?;
        let definition = &self.definitions[index];
        let heading = format!("module {}", definition.name);
        let text = definition.text.replacen(&heading, &format!("module {MODULE}"), 1);
        self.registered.insert(text, index);
        Ok(())
    }

    /// Emits `uut`, on which `connect_all` has been called, as module `name`. `renames` pairs a port's
    /// path in rust-hdl, `$` between levels (`"s$tdata"`), with the name wanted (`"s_axis_tdata"`).
    ///
    /// # Errors
    /// When rust-hdl's own checks fail, or when some part cannot be emitted exactly.
    pub fn top<B: Block>(
        &mut self,
        name: &str,
        uut: &B,
        renames: &[(&str, &str)],
    ) -> Result<Netlist, EmitError> {
        let instance = collect(uut).ok_or_else(|| not_a_block(name))?;
        check_all(uut).map_err(|error| EmitError {
            path: name.to_string(),
            signal: None,
            statement: None,
            reason: Reason::Checks(describe(&error)),
        })?;
        let top = self.define(&instance, name, Some(name), renames)?;
        Ok(Netlist::new(self.reachable(top)))
    }

    fn reachable(&self, top: usize) -> Vec<Module> {
        let mut seen = BTreeSet::new();
        let mut todo = vec![self.definitions[top].name.as_str()];
        while let Some(name) = todo.pop() {
            if seen.insert(name) {
                let found = self.definitions.iter().find(|definition| definition.name == name);
                todo.extend(found.iter().flat_map(|definition| &definition.uses).map(String::as_str));
            }
        }
        let wanted = |definition: &&Definition| seen.contains(definition.name.as_str());
        let module =
            |definition: &Definition| Module { name: definition.name.clone(), text: definition.text.clone() };
        self.definitions.iter().filter(wanted).map(module).collect()
    }

    fn define(
        &mut self,
        instance: &Instance,
        path: &str,
        name: Option<&str>,
        renames: &[(&str, &str)],
    ) -> Result<usize, EmitError> {
        if let Verilog::Blackbox(code) = &instance.code {
            return Ok(self.foreign(&code.name, &code.code, black_box_ports(instance)));
        }
        let registers: Vec<_> = instance.children.iter().map(recognise).collect();
        let mut defined = vec![];
        for (child, register) in instance.children.iter().zip(&registers) {
            let path = format!("{path}.{}", child.path.replace('$', "."));
            defined.push(match register {
                Some(_) => None,
                None => Some(self.define(child, &path, None, &[])?),
            });
        }
        let children: Vec<_> = instance
            .children
            .iter()
            .zip(registers)
            .zip(&defined)
            .map(|((child, register), defined)| match (register, defined) {
                (Some(register), _) => (child, Kind::Register(register)),
                (None, Some(index)) => (child, Kind::Module(&self.definitions[*index])),
                (None, None) => unreachable!("every child is a register or defined"),
            })
            .collect();
        let built = build(instance, &children, renames).map_err(|fault| located(path, fault))?;
        let mut uses: Vec<String> =
            defined.iter().flatten().map(|index| self.definitions[*index].name.clone()).collect();
        if let Verilog::Wrapper(wrapper) = &instance.code {
            let core = module_name(&wrapper.cores);
            self.foreign(&core, &wrapper.cores, vec![]);
            uses.push(core);
        }
        Ok(self.intern(built, uses, name, &instance.path))
    }

    /// Keeps `built` unless an equal definition is known.
    fn intern(&mut self, built: Unnamed, uses: Vec<String>, name: Option<&str>, instance: &str) -> usize {
        if let (None, Some(index)) = (name, self.registered.get(&built.text)) {
            return *index;
        }
        let insisted = name.map(str::to_string).or(built.wanted);
        let key = (built.text, insisted);
        let same_text = (key.0.clone(), None);
        if let Some(index) = self.known.get(&key) {
            return *index;
        }
        let base = key.1.clone().unwrap_or_else(|| without_index(instance));
        let name = self.names.take(&legal(&base));
        let text = key.0.replace(MODULE, &name);
        let index = self.definitions.len();
        self.definitions.push(Definition { name, text, uses, ports: built.ports });
        self.known.entry(same_text).or_insert(index);
        self.known.insert(key, index);
        index
    }

    /// A module whose text is not ours.
    fn foreign(&mut self, name: &str, text: &str, ports: Vec<Port>) -> usize {
        let key = (text.to_string(), Some(name.to_string()));
        if let Some(index) = self.known.get(&key) {
            return *index;
        }
        self.names.claim(name);
        let index = self.definitions.len();
        let (name, text) = (name.to_string(), text.to_string());
        self.definitions.push(Definition { name, text, uses: vec![], ports });
        self.known.insert(key, index);
        index
    }
}

fn not_a_block(name: &str) -> EmitError {
    EmitError { path: name.to_string(), signal: None, statement: None, reason: Reason::NotABlock }
}

fn located(path: &str, fault: Fault) -> EmitError {
    EmitError {
        path: path.to_string(),
        signal: fault.signal,
        statement: fault.statement,
        reason: fault.reason,
    }
}

fn describe(error: &CheckError) -> String {
    let mut names: Vec<String> = match error {
        CheckError::OpenSignal(open) => open.values().map(|p| format!("{}.{}", p.path, p.name)).collect(),
        CheckError::LogicLoops(paths) | CheckError::WritesToInputs(paths) => {
            paths.iter().map(|p| format!("{}.{}", p.path, p.name)).collect()
        }
    };
    names.sort();
    let what = match error {
        CheckError::OpenSignal(_) => "not connected",
        CheckError::LogicLoops(_) => "combinational loop through",
        CheckError::WritesToInputs(_) => "inputs written",
    };
    format!("{what}: {}", names.join(", ").replace('$', "."))
}

fn black_box_ports(instance: &Instance) -> Vec<Port> {
    let port = |kind| matches!(kind, AtomKind::InputParameter | AtomKind::OutputParameter);
    let signals = instance.signals.iter().filter(|signal| port(signal.kind));
    signals.map(|signal| Port { signal: signal.clone(), name: signal.path.clone() }).collect()
}

/// The name after the first `module` of foreign text.
fn module_name(text: &str) -> String {
    let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|w| !w.is_empty());
    words.by_ref().find(|word| *word == "module");
    words.next().unwrap_or("cores").to_string()
}

/// `st$3` is named `st`.
fn without_index(path: &str) -> String {
    let mut base = path;
    while let Some((rest, index)) = base.rsplit_once('$') {
        if !index.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        base = rest;
    }
    base.to_string()
}
