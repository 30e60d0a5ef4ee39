//! The SystemRDL, by a SystemRDL compiler: every field of every register where the table says.

use crate::tools::{python, root, run};
use heddle_wire::registers::{Access, REGISTERS};
use std::path::Path;

#[test]
fn a_systemrdl_compiler_finds_every_field_where_the_table_says() {
    let mut want = Vec::new();
    for register in REGISTERS {
        let access = match register.access {
            Access::ReadOnly => "r",
            Access::ReadWrite => "rw",
            Access::WriteOneToClear => "woclr",
            Access::WriteOnly => "w",
        };
        for copy in 0..register.count {
            let index = if register.count > 1 { format!(" {copy}") } else { String::new() };
            // The compiler lists the fields of a register from the lowest bit up.
            let named = register.fields.iter().enumerate().rev().filter(|(_, f)| f.name != "reserved");
            for (number, field) in named {
                let (lsb, address) = (register.lsb(number), register.address + 4 * copy);
                let reset = u64::from(register.reset) >> lsb & ((1 << field.bits) - 1);
                let (name, field_name, bits) = (register.name, field.name, field.bits);
                want.push(format!("{name}{index} {address} {field_name} {lsb} {bits} {reset} {access}"));
            }
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/rdl.py");
    let output = run(python().arg(script).arg(root().join("software-model/wire/rdl/heddle.rdl")), b"");
    assert_eq!(output.lines().collect::<Vec<_>>(), want);
    assert!(want.len() > 150, "{} fields compared", want.len());
}
