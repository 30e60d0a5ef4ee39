//! Port lists and declarations.
use crate::design::fields;
use crate::ir::{Net, NetId, Role};
use crate::module::Naming;
use rust_hdl::prelude::{TypeDescriptor, TypeKind};
use std::collections::BTreeSet;

/// The port list; `registers` are outputs assigned in an `always` block. Without `notes` it does not
/// name types, so that memories of equal shape are one module.
pub(super) fn port_list(naming: &Naming, registers: &dyn Fn(NetId) -> bool, notes: bool) -> String {
    let ports: Vec<(NetId, &Net)> = naming
        .scope
        .ids()
        .map(|id| (id, naming.scope.net(id)))
        .filter(|(_, net)| matches!(net.role, Role::Input | Role::Output))
        .collect();
    let column = ports.iter().map(|(_, net)| range(net.width).len()).max().unwrap_or(0);
    let mut text = String::new();
    for (index, (id, net)) in ports.iter().enumerate() {
        let direction = match net.role {
            Role::Input => "input  wire",
            _ if registers(*id) => "output reg ",
            _ => "output wire",
        };
        let comma = if index + 1 < ports.len() { "," } else { "" };
        let note = if notes { type_note(&net.ty) } else { String::new() };
        let range = format!("{:<column$}", range(net.width));
        text += &format!("  {direction} {range}{}{comma}{note}\n", net.name);
    }
    if text.is_empty() {
        "();\n".into()
    } else {
        format!(" (\n{text});\n")
    }
}

/// Declarations of nets that are not ports.
pub(super) fn declarations(
    naming: &Naming,
    declared: &BTreeSet<NetId>,
    registers: &dyn Fn(NetId) -> bool,
) -> String {
    let nets: Vec<(NetId, &Net)> = declared.iter().map(|id| (*id, naming.scope.net(*id))).collect();
    let column = nets.iter().map(|(_, net)| range(net.width).len()).max().unwrap_or(0);
    let line = |(id, net): &(NetId, &Net)| {
        let kind = if registers(*id) { "reg " } else { "wire" };
        format!("  {kind} {:<column$}{};{}\n", range(net.width), net.name, type_note(&net.ty))
    };
    nets.iter().map(line).collect()
}

/// `[hi:0] `, or nothing for one bit.
pub(super) fn range(width: usize) -> String {
    if width == 1 {
        String::new()
    } else {
        format!("[{}:0] ", width - 1)
    }
}

/// What a reader wants to know about a type; struct layouts stand above the module.
fn type_note(ty: &TypeDescriptor) -> String {
    match &ty.kind {
        TypeKind::Bits(_) => String::new(),
        TypeKind::Signed(_) => " // signed".into(),
        TypeKind::Enum(_) | TypeKind::Composite(_) => format!(" // {}", ty.name),
    }
}

/// The layout of every struct type in the module, as comments.
pub(super) fn layouts(naming: &Naming) -> String {
    let mut lines = BTreeSet::new();
    for net in &naming.scope.nets {
        layout(&net.ty, &mut lines);
    }
    lines.into_iter().collect()
}

fn layout(ty: &TypeDescriptor, lines: &mut BTreeSet<String>) {
    let TypeKind::Composite(inner) = &ty.kind else { return };
    let mut text = String::new();
    let mut line = format!("// {}:", ty.name);
    for field in fields(ty).iter().filter(|field| field.path.len() == 1) {
        let word = format!(" {}{}", field.path[0], super::expr::part(Some((field.lo, field.width))));
        if line.len() + word.len() > super::wrap::LIMIT {
            text += &format!("{line}\n");
            line = "//  ".into();
        }
        line += &word;
    }
    lines.insert(text + &line + "\n");
    inner.iter().for_each(|field| layout(&field.kind, lines));
}
