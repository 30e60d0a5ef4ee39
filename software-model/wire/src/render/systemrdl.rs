//! The register map as SystemRDL 2.0.

use super::{text, NOTICE};
use crate::registers::{Access, Register, REGISTERS};

fn field_access(access: Access) -> &'static str {
    match access {
        Access::ReadOnly => "sw = r; hw = w;",
        Access::ReadWrite => "sw = rw; hw = r;",
        Access::WriteOneToClear => "sw = rw; hw = rw; woclr; hwset;",
        Access::WriteOnly => "sw = w; hw = r;",
    }
}

fn register(out: &mut Vec<String>, register: &Register) {
    out.push(format!("    reg {{ desc = \"{}\";", text(register.doc)));
    for (index, field) in register.fields.iter().enumerate().filter(|(_, field)| field.name != "reserved") {
        let (lsb, bits) = (register.lsb(index), u32::from(field.bits));
        let reset = (register.reset >> lsb) & (u32::MAX >> (32 - bits));
        out.push(format!(
            "        field {{ desc = \"{}\"; {} }} {}[{}:{lsb}] = 0x{reset:x};",
            text(field.doc),
            field_access(register.access),
            field.name,
            lsb + bits - 1
        ));
    }
    let array = if register.count > 1 { format!("[{}]", register.count) } else { String::new() };
    let stride = if register.count > 1 { " += 0x4" } else { "" };
    out.push(format!("    }} {}{array} @ 0x{:03x}{stride};", register.name, register.address));
    out.push(String::new());
}

/// The file.
pub fn render() -> String {
    let mut out = vec![
        format!("// {NOTICE}"),
        String::new(),
        "addrmap heddle {".into(),
        "    name = \"Heddle transport core\";".into(),
        "    desc = \"AXI4-Lite registers of heddle_core.\";".into(),
        "    default regwidth = 32;".into(),
        "    default accesswidth = 32;".into(),
        String::new(),
    ];
    for entry in REGISTERS {
        register(&mut out, entry);
    }
    out.pop();
    out.push("};".into());
    out.join("\n") + "\n"
}
