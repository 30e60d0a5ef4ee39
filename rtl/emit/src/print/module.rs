//! Whole modules.
use super::expr::{number, Printer};
use super::ports::{declarations, layouts, port_list, range};
use super::sink::Reads;
use crate::design::{fields, legal};
use crate::ir::{Expr, Function, Named, NetId, Range, Role};
use crate::module::Naming;
use crate::plan::{Comb, Plan};
use std::collections::{BTreeMap, BTreeSet};

/// Stands for the module's name, which is chosen after the text is known.
pub(crate) const MODULE: &str = "@MODULE@";

/// A module from a kernel; `header` are the comments above it.
pub(crate) fn kernel_module(header: &[String], naming: &mut Naming, plan: &Plan) -> String {
    let uses = Uses::new(plan);
    let reads = Reads::new(naming, plan);
    let mut registers: BTreeSet<NetId> = naming.registers.iter().map(|register| register.q).collect();
    for comb in &plan.comb {
        if let Comb::Block(steps) = comb {
            registers.extend(steps.iter().flat_map(|step| step.stmt.writes()));
        }
    }
    let declared = declared(naming, plan, &reads);
    let is_reg = |net: NetId| registers.contains(&net);
    let field_names = name_fields(naming, plan);
    let sink = reads.sink(naming, &declared);

    let printer = Printer { scope: &naming.scope, fields: field_names };
    let mut text: String = header.iter().map(|line| format!("// {line}\n")).collect();
    text += &layouts(naming);
    text += &format!("module {MODULE}{}", port_list(naming, &is_reg, true));
    text += &localparams(&uses.named);
    text += &declarations(naming, &declared, &is_reg);
    text += &field_wires(&printer);
    for function in &uses.functions {
        text += "\n";
        text += &indent(&function.text());
    }
    text += &logic(&printer, plan);
    text += &initial(naming);
    text += &instances(naming, plan, &printer);
    if !sink.is_empty() {
        text += &format!("\n{sink}");
    }
    text + "endmodule\n"
}

/// The wires of the struct fields that are read.
fn field_wires(printer: &Printer) -> String {
    let column = printer.fields.keys().map(|(_, part)| range(part.1).len()).max().unwrap_or(0);
    let wire = |((net, part), name): (&(NetId, Range), &String)| {
        let net = &printer.scope.net(*net).name;
        let select = super::expr::part(Some(*part));
        format!("  wire {:<column$}{name} = {net}{select};\n", range(part.1))
    };
    printer.fields.iter().map(wire).collect()
}

/// A module around Verilog text of a block's own.
pub(crate) fn custom_module(naming: &Naming, body: &str, registered: bool) -> String {
    let mut text = format!("module {MODULE}{}", port_list(naming, &|_| registered, false));
    let constants: BTreeMap<String, Named> =
        naming.scope.constants.values().map(|named| (named.name.clone(), named.clone())).collect();
    text += &localparams(&constants);
    text += "\n";
    let renamed: BTreeMap<&str, &str> =
        naming.scope.nets.iter().map(|net| (net.path.as_str(), net.name.as_str())).collect();
    text += &indent(&rename_words(body.trim_end(), &renamed));
    text + "endmodule\n"
}

/// Constants and functions the expressions refer to.
struct Uses {
    named: BTreeMap<String, Named>,
    functions: BTreeSet<Function>,
}

impl Uses {
    fn new(plan: &Plan) -> Self {
        let mut uses = Uses { named: BTreeMap::new(), functions: BTreeSet::new() };
        plan.exprs(&mut |expr| {
            expr.visit(&mut |node| match node {
                Expr::Named(named) => {
                    uses.named.insert(named.name.clone(), named.clone());
                }
                Expr::Call(function, _) => {
                    uses.functions.insert(*function);
                }
                _ => {}
            })
        });
        uses
    }
}

/// Nets that need a declaration besides the ports.
fn declared(naming: &Naming, plan: &Plan, reads: &Reads) -> BTreeSet<NetId> {
    let driven: BTreeSet<NetId> =
        plan.comb.iter().flat_map(Comb::steps).flat_map(|step| step.stmt.writes()).collect();
    let wanted = |id: &NetId| match naming.scope.net(*id).role {
        Role::Input | Role::Output => false,
        Role::Local | Role::RegisterInput => {
            driven.contains(id) || (reads.any(*id) && !plan.connect.contains_key(id))
        }
        Role::ChildInput => !plan.connect.contains_key(id),
        Role::ChildOutput | Role::Register => true,
    };
    naming.scope.ids().filter(wanted).collect()
}

/// Names for the struct fields that are read from nets no `always` block computes in steps.
fn name_fields(naming: &mut Naming, plan: &Plan) -> BTreeMap<(NetId, Range), String> {
    let mut names = BTreeMap::new();
    let mut wanted: BTreeSet<(NetId, Range)> = BTreeSet::new();
    plan.exprs(&mut |expr| {
        expr.visit(&mut |node| {
            if let Expr::Select { net, lo, width } = node {
                wanted.insert((*net, (*lo, *width)));
            }
        })
    });
    for (id, part) in wanted {
        let net = naming.scope.net(id);
        if !matches!(net.role, Role::Input | Role::ChildOutput | Role::Register) {
            continue;
        }
        if let Some(field) = fields(&net.ty).iter().find(|field| (field.lo, field.width) == part) {
            let name = format!("{}_{}", net.name, field.path.join("_"));
            names.insert((id, part), naming.names.take(&legal(&name)));
        }
    }
    names
}

fn localparams(named: &BTreeMap<String, Named>) -> String {
    let line = |named: &Named| {
        format!(
            "  localparam {}{} = {};\n",
            range(named.width),
            named.name,
            number(&named.value, named.width)
        )
    };
    named.values().map(line).collect()
}

fn logic(printer: &Printer, plan: &Plan) -> String {
    let mut text = String::new();
    let mut after_line = false;
    for comb in &plan.comb {
        let line = matches!(comb, Comb::Assign(_));
        if !(line && after_line) {
            text += "\n";
        }
        after_line = line;
        text += &printer.comb(comb);
    }
    text + &plan.clocked.iter().map(|block| printer.clocked(block)).collect::<String>()
}

/// Power-on values of the registers.
fn initial(naming: &Naming) -> String {
    if naming.registers.is_empty() {
        return String::new();
    }
    let mut text = "\n  initial begin\n".to_string();
    for register in &naming.registers {
        let net = naming.scope.net(register.q);
        text += &format!("    {} = {};\n", net.name, number(&register.init, net.width));
    }
    text + "  end\n"
}

fn instances(naming: &Naming, plan: &Plan, printer: &Printer) -> String {
    let mut text = String::new();
    for child in &naming.children {
        let connections: Vec<_> = child
            .ports
            .iter()
            .map(|(port, net)| {
                let value = match plan.connect.get(net) {
                    Some(value) => printer.expr(value),
                    None => naming.scope.net(*net).name.clone(),
                };
                format!("    .{port}({value})")
            })
            .collect();
        text += &format!("\n  {} {} (\n{}\n  );\n", child.module, child.name, connections.join(",\n"));
    }
    text
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_string() + "\n").collect()
}

/// Replaces whole identifiers.
fn rename_words(text: &str, names: &BTreeMap<&str, &str>) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if is_word(c) {
            word.push(c);
            continue;
        }
        out += names.get(word.as_str()).copied().unwrap_or(&word);
        word.clear();
        out.push(c);
    }
    out
}
