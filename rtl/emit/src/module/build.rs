//! Builds the definition of one instance whose children are defined.
use super::assigned;
use super::scope::{assign_names, Kind, Naming};
use crate::design::{Instance, Signal};
use crate::error::Reason;
use crate::ir::Stmt;
use crate::lower::{Fault, Lower};
use crate::plan::Plan;
use crate::print;
use rust_hdl::core::ast::VerilogBlock;
use rust_hdl::prelude::Verilog;

/// A port: the rust-hdl signal and its Verilog name.
#[derive(Debug, Clone)]
pub(crate) struct Port {
    pub signal: Signal,
    pub name: String,
}

/// A module definition.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub name: String,
    /// Empty for a black box.
    pub text: String,
    /// Modules it instantiates.
    pub uses: Vec<String>,
    pub ports: Vec<Port>,
}

/// A definition whose text still has [`print::MODULE`] where its name belongs.
pub(crate) struct Unnamed {
    pub text: String,
    pub ports: Vec<Port>,
    /// The name the block itself asks for.
    pub wanted: Option<String>,
}

/// The definition of `instance`.
pub(crate) fn build(
    instance: &Instance,
    children: &[(&Instance, Kind)],
    renames: &[(&str, &str)],
) -> Result<Unnamed, Fault> {
    let naming = assign_names(instance, children, renames).map_err(|(signal, reason)| Fault {
        signal: Some(signal),
        statement: None,
        reason,
    })?;
    match &instance.code {
        Verilog::Combinatorial(kernel) => from_kernel(instance, naming, kernel),
        Verilog::Empty => from_kernel(instance, naming, &vec![]),
        Verilog::Custom(text) => from_text(instance, children, naming, text),
        Verilog::Wrapper(wrapper) => from_text(instance, children, naming, &wrapper.code),
        Verilog::Blackbox(_) => unreachable!("black boxes have no definition"),
    }
}

fn from_kernel(instance: &Instance, mut naming: Naming, kernel: &VerilogBlock) -> Result<Unnamed, Fault> {
    let mut stmts = Lower::new(&naming.scope).block(kernel)?;
    let said = match stmts.first() {
        Some(Stmt::Comment(text)) => text.strip_prefix("module ").map(|name| name.trim().to_string()),
        _ => None,
    };
    if said.is_some() {
        stmts.remove(0);
    }
    let mut header = vec![];
    while let Some(Stmt::Comment(text)) = stmts.first() {
        header.push(text.clone());
        stmts.remove(0);
    }
    let located =
        |(net, reason)| Fault { signal: Some(naming.scope.net(net).spelling()), statement: None, reason };
    assigned::check(&stmts, &naming.scope).map_err(located)?;
    let plan = Plan::new(stmts, &naming.scope, &naming.registers).map_err(located)?;
    let text = print::kernel_module(&header, &mut naming, &plan);
    Ok(Unnamed { text, ports: naming.ports, wanted: instance.module_name.clone().or(said) })
}

fn from_text(
    instance: &Instance,
    children: &[(&Instance, Kind)],
    naming: Naming,
    text: &str,
) -> Result<Unnamed, Fault> {
    if !children.is_empty() {
        return Err(Reason::ChildrenOfCustom.into());
    }
    let named = text.strip_prefix("// module ").and_then(|rest| rest.split_once('\n'));
    let (said, text) = match named {
        Some((name, text)) => (Some(name.trim().to_string()), text),
        None => (None, text),
    };
    let registered = matches!(instance.code, Verilog::Custom(_));
    let text = print::custom_module(&naming, text, registered);
    Ok(Unnamed { text, ports: naming.ports, wanted: instance.module_name.clone().or(said) })
}
