//! The documents' tables.

use super::{text, NOTICE, PAYLOADS, TRANSPORT};
use crate::drop::{Answer, DropReason};
use crate::field::{Layout, Order, Source};
use crate::kinds::{AckForm, Code, Flag, NakCode, Opcode, PacketType};
use crate::net::{IPV4_HEADER, IPV6_HEADER, MAC_HEADER, UDP_HEADER, VLAN_TAG};
use crate::queues::{CompletionFlag, Status, WorkFlag, COMPLETION, RECEIVE, WORK_REQUEST};
use crate::registers::{Access, Counter, Interrupt, REGISTERS};
use crate::setup::{SetupTable, KEY};

mod prose;

fn source(source: Source) -> String {
    match source {
        Source::Protocol(section) => format!("protocol.md {section}"),
        Source::Rfc(number) => format!("RFC {number}"),
        Source::Ieee(name) => format!("IEEE {name}"),
        Source::Architecture => "architecture.md".into(),
    }
}

/// Where a field lies: word and bits, or bytes for records and for headers that are no whole words.
fn place(layout: &Layout, index: usize, first_word: usize) -> String {
    let (at, bits) = (layout.offset_of_index(index), usize::from(layout.fields[index].bits));
    if layout.order == Order::Little || !layout.is_word_aligned() {
        return format!("bytes {} to {}", at / 8, (at + bits) / 8 - 1);
    }
    let word = first_word + at / 32;
    if bits > 32 {
        return format!("words {word} to {}", word + bits / 32 - 1);
    }
    format!("word {word} \\[{}:{}\\]", 31 - at % 32, 32 - at % 32 - bits)
}

fn layout_table(out: &mut Vec<String>, layout: &Layout, first_word: usize) {
    out.push(format!("### {}, {} bytes", layout.name, layout.bytes()));
    out.push(String::new());
    out.push(text(layout.doc));
    out.push(String::new());
    out.push("| where | field | bits | meaning | source |".into());
    out.push("|---|---|---|---|---|".into());
    for (index, field) in layout.fields.iter().enumerate() {
        out.push(format!(
            "| {} | {} | {} | {} | {} |",
            place(layout, index, first_word),
            field.name,
            field.bits,
            text(field.doc),
            source(field.source)
        ));
    }
    out.push(String::new());
}

fn code_table(out: &mut Vec<String>, title: &str, codes: &[Code]) {
    out.push(format!("### {title}"));
    out.push(String::new());
    out.push("| number | name | meaning |".into());
    out.push("|---|---|---|".into());
    for code in codes {
        out.push(format!("| {} | {} | {} |", code.code, code.name, text(code.doc)));
    }
    out.push(String::new());
}

fn document(title: &str) -> Vec<String> {
    vec![format!("# {title}"), String::new(), format!("<!-- {NOTICE} -->"), String::new()]
}

fn finish(out: Vec<String>) -> String {
    out.join("\n").trim_end().to_string() + "\n"
}

/// `docs/wire-format.md`.
pub fn wire_format() -> String {
    let mut out = document("Wire format");
    out.push(prose::WIRE_FORMAT.into());
    out.push("## Transport headers".into());
    out.push(String::new());
    for (layout, first_word) in TRANSPORT {
        layout_table(&mut out, layout, first_word);
    }
    out.push(prose::PAYLOAD.into());
    for layout in PAYLOADS {
        layout_table(&mut out, layout, 0);
    }
    out.push("## Numbers".into());
    out.push(String::new());
    code_table(&mut out, "Packet types", PacketType::CODES);
    code_table(&mut out, "Opcodes", Opcode::CODES);
    code_table(&mut out, "Opcodes of an ACK", AckForm::CODES);
    code_table(&mut out, "Flags, and ack_flags (bit positions)", Flag::CODES);
    code_table(&mut out, "NAK codes", NakCode::CODES);
    out.push("## Below the transport".into());
    out.push(String::new());
    for layout in [&MAC_HEADER, &VLAN_TAG, &IPV4_HEADER, &IPV6_HEADER, &UDP_HEADER] {
        layout_table(&mut out, layout, 0);
    }
    finish(out)
}

/// `docs/drop-reasons.md`.
pub fn drop_reasons() -> String {
    let mut out = document("Drop reasons");
    out.push(prose::DROP_REASONS.into());
    out.push("| number | name | step | answer | when |".into());
    out.push("|---|---|---|---|---|".into());
    for reason in DropReason::ALL {
        let answer = match reason.answer() {
            Answer::Silence => "none".into(),
            Answer::Ack => "ACK".into(),
            Answer::Nak(code) => format!("NAK {code}"),
        };
        let step = format!("{:?}", reason.stage()).to_lowercase();
        out.push(format!(
            "| {} | {} | {step} | {answer} | {} |",
            reason.code(),
            reason.name(),
            text(reason.doc())
        ));
    }
    finish(out)
}

fn access(access: Access) -> &'static str {
    match access {
        Access::ReadOnly => "read",
        Access::ReadWrite => "read, write",
        Access::WriteOneToClear => "read, write 1 to clear",
        Access::WriteOnly => "write",
    }
}

fn register_tables(out: &mut Vec<String>) {
    out.push("| address | register | access | after reset | meaning |".into());
    out.push("|---|---|---|---|---|".into());
    for register in REGISTERS {
        let (name, address) = (register.name, register.address);
        let (name, address) = match register.count {
            1 => (format!("[{name}](#{name})"), format!("0x{address:03x}")),
            count => (
                format!("[{name}](#{name})\\[{count}\\]"),
                format!("0x{address:03x} to 0x{:03x}", register.end() - 4),
            ),
        };
        out.push(format!(
            "| {address} | {name} | {} | 0x{:x} | {} |",
            access(register.access),
            register.reset,
            text(register.doc)
        ));
    }
    out.push(String::new());
    for register in REGISTERS {
        out.push(format!("### {}", register.name));
        out.push(String::new());
        out.push("| bits | field | after reset | meaning |".into());
        out.push("|---|---|---|---|".into());
        for (index, field) in register.fields.iter().enumerate().filter(|(_, field)| field.name != "reserved")
        {
            let (lsb, bits) = (register.lsb(index), u32::from(field.bits));
            let reset = (register.reset >> lsb) & (u32::MAX >> (32 - bits));
            out.push(format!(
                "| {}:{lsb} | {} | 0x{reset:x} | {} |",
                lsb + bits - 1,
                field.name,
                text(field.doc)
            ));
        }
        out.push(String::new());
    }
}

/// `docs/registers.md`.
pub fn registers() -> String {
    let mut out = document("Registers, set-up tables and host queues");
    out.push(prose::REGISTERS.into());
    out.push("## Registers".into());
    out.push(String::new());
    register_tables(&mut out);
    code_table(&mut out, "Interrupts (bit positions)", Interrupt::CODES);
    code_table(&mut out, "Traffic counters (index into traffic)", Counter::CODES);
    out.push("## Set-up tables".into());
    out.push(String::new());
    out.push(prose::SETUP.into());
    code_table(&mut out, "Tables", SetupTable::CODES);
    let mut shown: Vec<&str> = Vec::new();
    for layout in SetupTable::ALL.iter().map(|table| table.layout()).chain([&KEY]) {
        if !shown.contains(&layout.name) {
            layout_table(&mut out, layout, 0);
            shown.push(layout.name);
        }
    }
    out.push("## Host queues".into());
    out.push(String::new());
    out.push(prose::QUEUES.into());
    for layout in [&WORK_REQUEST, &RECEIVE, &COMPLETION] {
        layout_table(&mut out, layout, 0);
    }
    code_table(&mut out, "Work request flags (bit positions)", WorkFlag::CODES);
    code_table(&mut out, "Completion flags (bit positions)", CompletionFlag::CODES);
    code_table(&mut out, "Completion status", Status::CODES);
    finish(out)
}
