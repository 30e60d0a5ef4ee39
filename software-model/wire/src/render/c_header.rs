//! The C header: numbers, records of the host's queues, and access to header fields.

use super::{comment, text, NOTICE, PAYLOADS, TRANSPORT};
use crate::drop::DropReason;
use crate::field::Layout;
use crate::header::{DEFAULT_PORT, ICRC_BYTES, VERSION};
use crate::kinds::{AckForm, Code, Flag, NakCode, Opcode, PacketType};
use crate::queues::{CompletionFlag, Status, WorkFlag, COMPLETION, RECEIVE, WORK_REQUEST};
use crate::registers::{Counter, Interrupt, ID, REGISTERS};
use crate::setup::{SetupTable, KEY, PATH, REGION, ROUTE, RX_CONNECTION, TX_CONNECTION};

/// A comment of its own in front of what it is about.
fn note(indent: &str, doc: &str) -> Vec<String> {
    let (first, next) = (format!("{indent}/*"), format!("{indent} *"));
    let mut lines = comment(&first, &format!("{} */", text(doc)));
    for line in lines.iter_mut().skip(1) {
        *line = line.replacen(&first, &next, 1);
    }
    lines
}

fn codes(out: &mut Vec<String>, prefix: &str, codes: &[Code]) {
    out.push("enum {".into());
    for code in codes {
        out.extend(note("    ", code.doc));
        out.push(format!("    HEDDLE_{prefix}_{} = {},", code.name, code.code));
    }
    out.push("};".into());
    out.push(String::new());
}

fn drops(out: &mut Vec<String>) {
    out.push("/* Drop reasons; of several that hold the lowest number is the reason. */".into());
    out.push("enum {".into());
    for reason in DropReason::ALL {
        let name = reason.name().to_uppercase();
        out.extend(note("    ", reason.doc()));
        out.push(format!("    HEDDLE_DROP_{name} = {},", reason.code()));
    }
    out.push("};".into());
    out.push(String::new());
}

/// Position and width of each field, for `heddle_get` and `heddle_put`.
fn positions(out: &mut Vec<String>, layout: &Layout) {
    out.push(format!("/* {} */", text(layout.doc)));
    out.push(format!("#define HEDDLE_{}_BYTES {}", layout.name, layout.bytes()));
    for (index, field) in layout.fields.iter().enumerate() {
        let name = format!("HEDDLE_{}_{}", layout.name, field.name.to_uppercase());
        out.extend(note("", field.doc));
        out.push(format!("#define {name} {}, {}", layout.offset_of_index(index), field.bits));
    }
    out.push(String::new());
}

/// A record in host memory: little-endian, every field at a multiple of its size.
fn record(out: &mut Vec<String>, layout: &Layout) {
    let name = format!("heddle_{}", layout.name.to_lowercase());
    out.push(format!("/* {} */", text(layout.doc)));
    out.push(format!("struct {name} {{"));
    for field in layout.fields {
        out.extend(note("    ", field.doc));
        out.push(format!("    uint{}_t {};", field.bits, field.name));
    }
    out.push("};".into());
    out.push(format!("HEDDLE_ASSERT(sizeof(struct {name}) == {}, {name}_size);", layout.bytes()));
    out.push(String::new());
}

fn registers(out: &mut Vec<String>) {
    out.push("/* Registers: byte addresses, and shift and mask of each field. */".into());
    out.push(format!("#define HEDDLE_ID_VALUE 0x{ID:08x}u"));
    for register in REGISTERS {
        let name = format!("HEDDLE_REG_{}", register.name.to_uppercase());
        if register.count > 1 {
            let count = register.count;
            out.push(format!("#define {name}(i) (0x{:03x}u + 4u * (i)) /* i < {count} */", register.address));
        } else {
            out.extend(note("", register.doc));
            out.push(format!("#define {name} 0x{:03x}u", register.address));
        }
        for (index, field) in register.fields.iter().enumerate().filter(|(_, field)| field.name != "reserved")
        {
            let field_name = format!("{name}_{}", field.name.to_uppercase());
            let mask = u32::MAX >> (32 - u32::from(field.bits));
            out.push(format!("#define {field_name}_SHIFT {}", register.lsb(index)));
            out.push(format!("#define {field_name}_MASK 0x{mask:x}u"));
        }
    }
    out.push(String::new());
}

const ACCESS: &str = r"/* A field of a big-endian layout, at most 64 bits: heddle_get(bytes, HEDDLE_COMMON_PSN). */
static inline uint64_t heddle_get(const uint8_t *bytes, unsigned at, unsigned bits)
{
    uint64_t value = 0;
    unsigned i;
    for (i = at; i < at + bits; i++)
        value = value << 1 | (uint64_t)(bytes[i / 8] >> (7 - i % 8) & 1);
    return value;
}

static inline void heddle_put(uint8_t *bytes, unsigned at, unsigned bits, uint64_t value)
{
    unsigned i;
    for (i = 0; i < bits; i++) {
        uint8_t mask = (uint8_t)(0x80u >> ((at + i) % 8));
        if (value >> (bits - 1 - i) & 1)
            bytes[(at + i) / 8] |= mask;
        else
            bytes[(at + i) / 8] &= (uint8_t)~mask;
    }
}
";

/// The file.
pub fn render() -> String {
    let mut out = vec![
        "/* Heddle: wire format, host queues and registers.".into(),
        format!(" * {NOTICE} */"),
        "#ifndef HEDDLE_H".into(),
        "#define HEDDLE_H".into(),
        String::new(),
        "#include <stdint.h>".into(),
        String::new(),
        "#define HEDDLE_ASSERT(holds, name) typedef char name[(holds) ? 1 : -1]".into(),
        format!("#define HEDDLE_VERSION {VERSION}"),
        format!("#define HEDDLE_DEFAULT_PORT {DEFAULT_PORT}"),
        format!("#define HEDDLE_ICRC_BYTES {ICRC_BYTES}"),
        String::new(),
    ];
    codes(&mut out, "TYPE", PacketType::CODES);
    codes(&mut out, "OP", Opcode::CODES);
    codes(&mut out, "ACK_FORM", AckForm::CODES);
    codes(&mut out, "FLAG_BIT", Flag::CODES);
    codes(&mut out, "NAK", NakCode::CODES);
    codes(&mut out, "WORK_FLAG_BIT", WorkFlag::CODES);
    codes(&mut out, "COMPLETION_FLAG_BIT", CompletionFlag::CODES);
    codes(&mut out, "STATUS", Status::CODES);
    codes(&mut out, "IRQ_BIT", Interrupt::CODES);
    codes(&mut out, "COUNTER", Counter::CODES);
    codes(&mut out, "TABLE", SetupTable::CODES);
    drops(&mut out);
    out.push(ACCESS.into());
    for layout in TRANSPORT.map(|(layout, _)| layout).into_iter().chain(PAYLOADS) {
        positions(&mut out, layout);
    }
    out.push("/* Rows of the set-up tables, words written in order to setup_data. */".into());
    for layout in [&RX_CONNECTION, &TX_CONNECTION, &PATH, &ROUTE, &REGION, &KEY] {
        positions(&mut out, layout);
    }
    out.push("/* Records of the host's queues: little-endian in memory, whatever the host is. */".into());
    for layout in [&WORK_REQUEST, &RECEIVE, &COMPLETION] {
        record(&mut out, layout);
    }
    registers(&mut out);
    out.push("#endif".into());
    out.join("\n") + "\n"
}
