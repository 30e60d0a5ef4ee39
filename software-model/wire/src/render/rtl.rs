//! Constants and structs for the RTL crate.

use super::{comment, text, NOTICE, TRANSPORT};
use crate::drop::DropReason;
use crate::field::{Layout, Order};
use crate::header::{ACK, COMMON, DATA, DEFAULT_PORT, NAK, PROBE, VERSION};
use crate::icrc::POLYNOMIAL;
use crate::kinds::{AckForm, Code, Flag, NakCode, Opcode, PacketType};
use crate::queues::{CompletionFlag, Status, WorkFlag, COMPLETION, RECEIVE, WORK_REQUEST};
use crate::registers::{Counter, Interrupt, ADDRESS_BITS, ID, REGISTERS};
use crate::setup::{SetupTable, KEY, PATH, REGION, ROUTE, RX_CONNECTION, TX_CONNECTION};

/// Words of a header that the parser gives in one vector.
const HEADER_WORDS: usize = 12;

/// Lowest bit of a field in a vector of `width` bits whose top bit is `above` bits over the layout's first.
fn lsb(layout: &Layout, index: usize, width: usize, above: usize) -> Option<usize> {
    let (at, bits) = (layout.offset_of_index(index), usize::from(layout.fields[index].bits));
    match layout.order {
        Order::Little => Some(at),
        Order::Big => width.checked_sub(above + at + bits),
    }
}

/// A module with position and width of every field that lies in the vector.
fn positions(out: &mut Vec<String>, layout: &Layout, width: usize, above: usize, vector: &str) {
    out.extend(comment("///", &format!("{} Positions in {vector}.", text(layout.doc))));
    out.push(format!("pub mod {} {{", layout.name.to_lowercase()));
    for (index, field) in layout.fields.iter().enumerate() {
        let Some(lsb) = lsb(layout, index, width, above) else { continue };
        let name = field.name.to_uppercase();
        out.extend(comment("    ///", &format!("Lowest bit: {}", text(field.doc))));
        out.push(format!("    pub const {name}_LSB: usize = {lsb};"));
        out.push(format!("    /// Width in bits of {}.", field.name));
        out.push(format!("    pub const {name}_BITS: usize = {};", field.bits));
    }
    out.push("}".into());
    out.push(String::new());
}

fn codes(out: &mut Vec<String>, module: &str, doc: &str, codes: &[Code]) {
    out.extend(comment("///", doc));
    out.push(format!("pub mod {module} {{"));
    for code in codes {
        out.extend(comment("    ///", &text(code.doc)));
        out.push(format!("    pub const {}: u64 = {};", code.name, code.code));
    }
    out.push("}".into());
    out.push(String::new());
}

fn drops(out: &mut Vec<String>) {
    out.push("/// Drop reasons; of several that hold the lowest number is the reason. 0 is none.".into());
    out.push("pub mod drop {".into());
    for reason in DropReason::ALL {
        out.extend(comment("    ///", reason.doc()));
        out.push(format!("    pub const {}: u64 = {};", reason.name().to_uppercase(), reason.code()));
    }
    out.push("}".into());
    out.push(String::new());
}

fn registers(out: &mut Vec<String>) {
    out.push(
        "/// Registers: byte address, value after reset, and the lowest bit and width of each field.".into(),
    );
    out.push("pub mod register {".into());
    let constant = |out: &mut Vec<String>, doc: String, name: String, value: String| {
        out.extend(comment("    ///", &doc));
        out.push(format!("    pub const {name}: u64 = {value};"));
    };
    constant(out, "Width of an address in bits.".into(), "ADDRESS_BITS".into(), ADDRESS_BITS.to_string());
    constant(out, "Value of the register id.".into(), "ID_VALUE".into(), format!("0x{ID:x}"));
    for register in REGISTERS {
        let name = register.name.to_uppercase();
        let doc = text(register.doc);
        constant(out, format!("Address: {doc}"), name.clone(), format!("0x{:03x}", register.address));
        if register.count > 1 {
            let doc = format!("How many registers {} has.", register.name);
            constant(out, doc, format!("{name}_COUNT"), register.count.to_string());
        }
        let doc = format!("Value of {} after reset.", register.name);
        constant(out, doc, format!("{name}_RESET"), format!("0x{:x}", register.reset));
        for (index, field) in register.fields.iter().enumerate() {
            if field.name == "reserved" {
                continue;
            }
            let field_name = format!("{name}_{}", field.name.to_uppercase());
            let doc = format!("Lowest bit: {}", text(field.doc));
            constant(out, doc, format!("{field_name}_LSB"), register.lsb(index).to_string());
            let doc = format!("Width in bits of {} in {}.", field.name, register.name);
            constant(out, doc, format!("{field_name}_BITS"), field.bits.to_string());
        }
    }
    out.push("}".into());
    out.push(String::new());
}

/// Structs that can be rows of a memory or payloads of a FIFO; the first field is lowest.
fn logic_structs(out: &mut Vec<String>, structs: &[(&Layout, &str)]) {
    out.push(
        "/// Layouts as rows of memories and payloads of FIFOs; reserved fields left out, the first lowest."
            .into(),
    );
    out.push("#[allow(missing_docs)] // of public methods that the derive makes".into());
    out.push("pub mod rows {".into());
    out.push("    use rust_hdl::prelude::*;".into());
    for (layout, name) in structs {
        out.push(String::new());
        out.extend(comment("    ///", &text(layout.doc)));
        out.push("    #[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]".into());
        out.push(format!("    pub struct {name} {{"));
        for field in layout.fields.iter().filter(|field| !field.name.starts_with("reserved")) {
            out.extend(comment("        ///", &text(field.doc)));
            out.push(format!("        pub {}: Bits<{}>,", field.name, field.bits));
        }
        out.push("    }".into());
    }
    out.push("}".into());
}

/// The file.
pub fn render() -> String {
    let mut out = vec![
        "//! Numbers of the wire format and of the register map.".to_string(),
        "//!".into(),
        format!("//! {NOTICE}"),
        String::new(),
    ];
    let numbers = [
        ("VERSION", u64::from(VERSION), "The version on the wire."),
        ("DEFAULT_PORT", DEFAULT_PORT.into(), "The UDP destination port after reset."),
        ("CRC_POLYNOMIAL", POLYNOMIAL.into(), "Reflected generator polynomial of the ICRC."),
        ("HEADER_BITS", 32 * HEADER_WORDS as u64, "Width of the vector of header words, word 0 on top."),
    ];
    for (name, value, doc) in numbers {
        out.extend(comment("///", doc));
        out.push(format!("pub const {name}: u64 = {value};"));
    }
    out.push(String::new());
    codes(&mut out, "packet_type", "Packet types.", PacketType::CODES);
    codes(&mut out, "opcode", "Opcodes of DATA.", Opcode::CODES);
    codes(&mut out, "ack_form", "Opcodes of ACK.", AckForm::CODES);
    codes(&mut out, "flag", "Bit positions of flags and ack_flags.", Flag::CODES);
    codes(&mut out, "nak_code", "NAK codes.", NakCode::CODES);
    codes(&mut out, "work_flag", "Bit positions of a work request's flags.", WorkFlag::CODES);
    codes(&mut out, "completion_flag", "Bit positions of a completion's flags.", CompletionFlag::CODES);
    codes(&mut out, "status", "Completion status.", Status::CODES);
    codes(&mut out, "interrupt", "Bit positions of the interrupt registers.", Interrupt::CODES);
    codes(&mut out, "counter", "Indices of the traffic counters.", Counter::CODES);
    codes(&mut out, "setup_table", "Tables behind the set-up window.", SetupTable::CODES);
    drops(&mut out);
    for (layout, word) in TRANSPORT {
        positions(&mut out, layout, 32 * HEADER_WORDS, 32 * word, "the 384-bit vector of header words");
    }
    for layout in [&WORK_REQUEST, &RECEIVE, &COMPLETION] {
        positions(&mut out, layout, layout.bits(), 0, "the record, byte 0 in bits 7 to 0");
    }
    for layout in [&RX_CONNECTION, &TX_CONNECTION, &PATH, &ROUTE, &REGION, &KEY] {
        positions(&mut out, layout, layout.bits(), 0, "the row, its word 0 on top");
    }
    registers(&mut out);
    logic_structs(
        &mut out,
        &[
            (&COMMON, "Common"),
            (&DATA, "Data"),
            (&ACK, "Ack"),
            (&NAK, "Nak"),
            (&PROBE, "Probe"),
            (&WORK_REQUEST, "WorkRequest"),
            (&RECEIVE, "Receive"),
            (&COMPLETION, "Completion"),
            (&RX_CONNECTION, "RxConnection"),
            (&TX_CONNECTION, "TxConnection"),
            (&ROUTE, "Route"),
            (&REGION, "Region"),
        ],
    );
    out.join("\n").trim_end().to_string() + "\n"
}
