//! The Wireshark dissector: the tables as Lua, in front of a fixed program that walks them.

use super::{text, NOTICE, PAYLOADS, TRANSPORT};
use crate::drop::DropReason;
use crate::field::Layout;
use crate::header::{DEFAULT_PORT, VERSION};
use crate::icrc::{IPV4_MASKED, IPV6_MASKED, POLYNOMIAL};
use crate::kinds::{AckForm, Code, Flag, NakCode, Opcode, PacketType, PayloadRule};
use crate::packet::Packet;

/// The part that is the same whatever the tables say.
const PROGRAM: &str = include_str!("dissector/program.lua");

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn codes(out: &mut Vec<String>, name: &str, codes: &[Code]) {
    out.push(format!("local {name} = {{"));
    for code in codes {
        out.push(format!("    [{}] = {},", code.code, quoted(code.name)));
    }
    out.push("}".into());
}

fn layout(out: &mut Vec<String>, layout: &Layout) {
    out.push(format!("LAYOUTS.{} = {{", layout.name.to_lowercase()));
    for (index, field) in layout.fields.iter().enumerate() {
        let (name, at) = (quoted(field.name), layout.offset_of_index(index));
        out.push(format!("    {{ name = {name}, at = {at}, bits = {},", field.bits));
        out.push(format!("        doc = {} }},", quoted(&text(field.doc))));
    }
    out.push("}".into());
}

/// Bytes by packet type and ACK form without the ICRC, and payload bytes by opcode (-1 for any multiple of 4).
fn lengths(out: &mut Vec<String>) {
    out.push("local HEADER_BYTES = {".into());
    for packet_type in PacketType::ALL {
        out.push(format!("    [{}] = {},", packet_type.code(), Packet::header_bytes(*packet_type, 0)));
    }
    out.push("}".into());
    out.push("local ACK_BYTES = {".into());
    for form in AckForm::ALL {
        let bytes = Packet::header_bytes(PacketType::Ack, form.code());
        out.push(format!("    [{}] = {bytes},", form.code()));
    }
    out.push("}".into());
    out.push("local PAYLOAD_BYTES = {".into());
    for opcode in Opcode::ALL {
        let bytes = match opcode.payload_rule() {
            PayloadRule::Slice => -1,
            PayloadRule::Exactly(bytes) => bytes as i64,
        };
        out.push(format!("    [{}] = {bytes},", opcode.code()));
    }
    out.push("}".into());
}

fn masked(positions: &[usize]) -> String {
    let entries: Vec<_> = positions.iter().map(|at| format!("[{at}] = true")).collect();
    format!("{{ {} }}", entries.join(", "))
}

/// The file.
pub fn render() -> String {
    let mut out = vec![
        "-- Wireshark dissector of the Heddle transport.".to_string(),
        format!("-- {NOTICE}"),
        "-- Use: tshark -X lua_script:heddle.lua -r capture.pcapng, or put it into Wireshark's plugin folder.".into(),
        String::new(),
        format!("local VERSION = {VERSION}"),
        format!("local DEFAULT_PORT = {DEFAULT_PORT}"),
        format!("local CRC_POLYNOMIAL = 0x{POLYNOMIAL:x}"),
        format!("local IPV4_MASKED = {}", masked(&IPV4_MASKED)),
        format!("local IPV6_MASKED = {}", masked(&IPV6_MASKED)),
    ];
    codes(&mut out, "TYPES", PacketType::CODES);
    codes(&mut out, "OPCODES", Opcode::CODES);
    codes(&mut out, "ACK_FORMS", AckForm::CODES);
    codes(&mut out, "FLAGS", Flag::CODES);
    codes(&mut out, "NAK_CODES", NakCode::CODES);
    lengths(&mut out);
    out.push("local DROPS = {".into());
    out.push("    [0] = \"none\",".into());
    for reason in DropReason::ALL {
        out.push(format!("    [{}] = {},", reason.code(), quoted(reason.name())));
    }
    out.push("}".into());
    out.push("local LAYOUTS = {}".into());
    for entry in TRANSPORT.map(|(entry, _)| entry).into_iter().chain(PAYLOADS) {
        layout(&mut out, entry);
    }
    out.push(String::new());
    out.join("\n") + PROGRAM
}
