//! Gives every signal of a block its net and its name.
//!
//! Names are claimed in the order of what a reader looks for first: ports, registers, Locals, constants,
//! child ports.
use super::children::{Child, Control, Register};
use super::{Definition, Port};
use crate::design::{legal, variants, Instance, Names, RegisterKind, Signal};
use crate::error::Reason;
use crate::ir::{Named, Net, NetId, Role, Scope};
use crate::lower::wrap;
use rust_hdl::core::atom::AtomKind;
use rust_hdl::prelude::TypeKind;

/// Identifiers inside helper functions, and the sink of unused bits.
const RESERVED: [&str; 5] = ["f_value", "f_index", "f_bit", "unused_high", "unused_low"];

/// The nets, ports, registers and children of one module.
pub(crate) struct Naming {
    pub scope: Scope,
    pub ports: Vec<Port>,
    pub registers: Vec<Register>,
    pub children: Vec<Child>,
    pub names: Names,
}

/// A child, with its definition unless it is a register.
pub(crate) enum Kind<'a> {
    Register(RegisterKind),
    Module(&'a Definition),
}

/// A refusal and the signal it is about.
pub(super) type Refusal = (String, Reason);

pub(super) fn assign_names(
    instance: &Instance,
    children: &[(&Instance, Kind)],
    renames: &[(&str, &str)],
) -> Result<Naming, Refusal> {
    let mut out = Naming {
        scope: Scope::default(),
        ports: vec![],
        registers: vec![],
        children: vec![],
        names: Names::default(),
    };
    check_signals(instance, renames)?;
    out.ports(instance, renames)?;
    for name in RESERVED {
        out.names.claim(name);
    }
    for (child, kind) in children {
        if let Kind::Register(kind) = kind {
            out.register(child, kind);
        }
    }
    for signal in &instance.signals {
        match signal.kind {
            AtomKind::LocalSignal => {
                let name = out.names.take(&legal(&signal.path));
                out.net(signal, signal.path.clone(), name, Role::Local);
            }
            AtomKind::Constant => out.constant(signal),
            _ => {}
        }
    }
    for (child, kind) in children {
        if let Kind::Module(definition) = kind {
            out.child(child, definition);
        }
    }
    let mut variants = std::mem::take(&mut out.scope.variants);
    for named in variants.values_mut() {
        named.name = out.names.take(&legal(&named.name));
    }
    out.scope.variants = variants;
    Ok(out)
}

fn check_signals(instance: &Instance, renames: &[(&str, &str)]) -> Result<(), Refusal> {
    for signal in &instance.signals {
        let refuse = |reason| Err((signal.path.replace('$', "."), reason));
        if signal.width == 0 {
            return refuse(Reason::NoBits);
        }
        if matches!(signal.kind, AtomKind::InOutParameter | AtomKind::OutputPassthrough) {
            return refuse(Reason::Bidirectional);
        }
    }
    for (from, _) in renames {
        if !instance.signals.iter().any(|signal| signal.path == *from) {
            return Err((from.to_string(), Reason::UnknownName(from.to_string())));
        }
    }
    Ok(())
}

impl Naming {
    fn net(&mut self, signal: &Signal, path: String, name: String, role: Role) -> NetId {
        variants(&signal.ty, &mut self.scope.variants);
        self.scope.add(Net { path, name, width: signal.width, ty: signal.ty.clone(), role })
    }

    fn ports(&mut self, instance: &Instance, renames: &[(&str, &str)]) -> Result<(), Refusal> {
        for signal in &instance.signals {
            let role = match signal.kind {
                AtomKind::InputParameter => Role::Input,
                AtomKind::OutputParameter => Role::Output,
                _ => continue,
            };
            let rename = renames.iter().find(|(from, _)| *from == signal.path);
            let name = rename.map_or_else(|| legal(&signal.path), |(_, to)| to.to_string());
            if !self.names.claim(&name) {
                return Err((signal.path.replace('$', "."), Reason::PortName(name)));
            }
            self.net(signal, signal.path.clone(), name.clone(), role);
            self.ports.push(Port { signal: signal.clone(), name });
        }
        Ok(())
    }

    fn register(&mut self, child: &Instance, kind: &RegisterKind) {
        let name = self.names.take(&legal(&child.path));
        let port = |scope: &mut Self, port: &str| {
            let signal = child.signals.iter().find(|signal| signal.path == port);
            let signal = signal.unwrap_or_else(|| unreachable!("a register has the port {port}"));
            let path = format!("{}${port}", child.path);
            let (name, role) = match port {
                "q" => (name.clone(), Role::Register),
                _ => (scope.names.take(&format!("{name}_{port}")), Role::RegisterInput),
            };
            scope.net(signal, path, name, role)
        };
        let (q, d) = (port(self, "q"), port(self, "d"));
        let (clock, control) = match kind {
            RegisterKind::Plain { .. } => (port(self, "clock"), None),
            RegisterKind::Controlled { .. } => {
                let control = Control { rst: port(self, "rst"), en: port(self, "en") };
                (port(self, "clk"), Some(control))
            }
        };
        let (path, init) = (child.path.clone(), kind.init().clone());
        self.registers.push(Register { path, q, d, clock, control, init });
    }

    fn constant(&mut self, signal: &Signal) {
        variants(&signal.ty, &mut self.scope.variants);
        let named = Named {
            name: self.names.take(&legal(&signal.path)),
            value: wrap(&signal.value, signal.width),
            width: signal.width,
            signed: matches!(signal.ty.kind, TypeKind::Signed(_)),
        };
        self.scope.constants.insert(signal.path.clone(), named);
    }

    fn child(&mut self, child: &Instance, definition: &Definition) {
        let mut ports = vec![];
        for port in &definition.ports {
            let path = format!("{}${}", child.path, port.signal.path);
            let role = match port.signal.kind {
                AtomKind::InputParameter => Role::ChildInput,
                _ => Role::ChildOutput,
            };
            let name = self.names.take(&legal(&path));
            ports.push((port.name.clone(), self.net(&port.signal, path, name, role)));
        }
        let name = self.names.take(&format!("u_{}", child.path.replace('$', "_")));
        self.children.push(Child { name, module: definition.name.clone(), ports });
    }
}
