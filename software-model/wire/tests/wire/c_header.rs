//! The C header, by a C compiler: every field of every layout read and written from C, every record's offsets, every address.

use crate::robustness::seed;
use crate::tools::{root, run};
use heddle_wire::field::{Layout, Value};
use heddle_wire::header::{ACK, ATOMIC_OPERANDS, ATOMIC_RESULT, COMMON, DATA, NAK, PROBE};
use heddle_wire::queues::{COMPLETION, RECEIVE, WORK_REQUEST};
use heddle_wire::registers::REGISTERS;
use heddle_wire::setup::{KEY, PATH, REGION, ROUTE, RX_CONNECTION, TX_CONNECTION};
use heddle_wire::DropReason;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;
use std::process::Command;

const WIRE: [&Layout; 13] = [
    &COMMON,
    &DATA,
    &ACK,
    &NAK,
    &PROBE,
    &ATOMIC_OPERANDS,
    &ATOMIC_RESULT,
    &RX_CONNECTION,
    &TX_CONNECTION,
    &PATH,
    &ROUTE,
    &REGION,
    &KEY,
];

/// A C program that prints what the header says, and the lines that it must print.
fn program(rng: &mut ChaCha8Rng) -> (String, Vec<String>) {
    let mut c = String::from(
        "#include <stddef.h>\n#include <stdio.h>\n#include <string.h>\n#include \"heddle.h\"\n\
         #define SHOW(v) printf(\"%llu\\n\", (unsigned long long)(v))\nint main(void) {\n",
    );
    let mut want = Vec::new();
    let mut show = |c: &mut String, expression: String, value: u64| {
        writeln!(c, "SHOW({expression});").unwrap();
        want.push(value.to_string());
    };
    for layout in WIRE {
        let mut bytes = vec![0; layout.bytes()];
        rng.fill_bytes(&mut bytes);
        let list: Vec<_> = bytes.iter().map(u8::to_string).collect();
        writeln!(c, "{{ uint8_t from[] = {{{}}}, to[sizeof from] = {{0}};", list.join(",")).unwrap();
        show(&mut c, format!("HEDDLE_{}_BYTES", layout.name), layout.bytes() as u64);
        let mut copied = 0;
        for (index, field) in layout.fields.iter().enumerate().filter(|(_, field)| field.bits <= 64) {
            let name = format!("HEDDLE_{}_{}", layout.name, field.name.to_uppercase());
            let value = u64::load(&bytes, layout.offset_of_index(index), field.bits);
            show(&mut c, format!("heddle_get(from, {name})"), value);
            writeln!(c, "heddle_put(to, {name}, heddle_get(from, {name}));").unwrap();
            copied += usize::from(field.bits);
        }
        if copied == layout.bits() {
            show(&mut c, "memcmp(from, to, sizeof from)".into(), 0);
        }
        c.push_str("}\n");
    }
    for layout in [&WORK_REQUEST, &RECEIVE, &COMPLETION] {
        let name = format!("struct heddle_{}", layout.name.to_lowercase());
        show(&mut c, format!("sizeof({name})"), layout.bytes() as u64);
        for (index, field) in layout.fields.iter().enumerate() {
            let at = layout.offset_of_index(index) as u64 / 8;
            show(&mut c, format!("offsetof({name}, {})", field.name), at);
            show(&mut c, format!("sizeof((({name} *)0)->{})", field.name), u64::from(field.bits / 8));
        }
    }
    for register in REGISTERS {
        let name = format!("HEDDLE_REG_{}", register.name.to_uppercase());
        let (last, index) = (register.count - 1, format!("({})", register.count - 1));
        let index = if register.count > 1 { index } else { String::new() };
        show(&mut c, format!("{name}{index}"), u64::from(register.address + 4 * last));
        for (index, field) in register.fields.iter().enumerate().filter(|(_, f)| f.name != "reserved") {
            let field_name = format!("{name}_{}", field.name.to_uppercase());
            show(&mut c, format!("{field_name}_SHIFT"), register.lsb(index).into());
            show(&mut c, format!("{field_name}_MASK"), (1 << field.bits) - 1);
        }
    }
    for reason in DropReason::ALL {
        show(&mut c, format!("HEDDLE_DROP_{}", reason.name().to_uppercase()), reason.code().into());
    }
    c.push_str("return 0; }\n");
    (c, want)
}

#[test]
fn a_c_program_sees_the_same_fields_offsets_and_addresses() {
    let (c, want) = program(&mut ChaCha8Rng::seed_from_u64(seed(51)));
    let folder = tempfile::tempdir().unwrap();
    let (source, binary) = (folder.path().join("check.c"), folder.path().join("check"));
    std::fs::write(&source, c).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]);
    compiler.arg(root().join("software-model/wire/include"));
    run(compiler.arg("-o").arg(&binary).arg(&source), b"");
    let printed = run(&mut Command::new(&binary), b"");
    let printed: Vec<_> = printed.lines().collect();
    assert_eq!(printed, want);
    assert!(want.len() > 300, "{} values compared", want.len());
}
