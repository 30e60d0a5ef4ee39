//! Renderings of the tables: files that are committed and must never be edited by hand.

pub mod c_header;
pub mod dissector;
pub mod docs;
pub mod rtl;
pub mod systemrdl;

use crate::field::Layout;
use crate::header::{ACK, ATOMIC_OPERANDS, ATOMIC_RESULT, COMMON, DATA, NAK, PROBE};

/// A file made from the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendering {
    /// Where it lies, from the root of the repository.
    pub path: &'static str,
    /// What it holds.
    pub text: String,
}

/// Every rendering.
pub fn all() -> Vec<Rendering> {
    vec![
        Rendering { path: "rtl/core/src/generated/wire.rs", text: rtl::render() },
        Rendering { path: "software-model/wire/dissector/heddle.lua", text: dissector::render() },
        Rendering { path: "software-model/wire/include/heddle.h", text: c_header::render() },
        Rendering { path: "software-model/wire/rdl/heddle.rdl", text: systemrdl::render() },
        Rendering { path: "docs/wire-format.md", text: docs::wire_format() },
        Rendering { path: "docs/drop-reasons.md", text: docs::drop_reasons() },
        Rendering { path: "docs/registers.md", text: docs::registers() },
    ]
}

/// What every rendering says of itself.
const NOTICE: &str =
    "Rendered from software-model/wire by `cargo run -p heddle-wire --bin wire-gen`. Do not edit.";

/// The transport's layouts with the number of their first word.
const TRANSPORT: [(&Layout, usize); 5] = [(&COMMON, 0), (&DATA, 4), (&ACK, 4), (&NAK, 4), (&PROBE, 4)];

/// Payloads that have a layout.
const PAYLOADS: [&Layout; 2] = [&ATOMIC_OPERANDS, &ATOMIC_RESULT];

/// A doc comment as running text: no leading blank, no escapes of the documentation tool.
fn text(doc: &str) -> String {
    doc.trim().replace("\\[", "[")
}

/// Text as comment lines of at most 110 columns, each with `prefix`.
fn comment(prefix: &str, text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= 110 => *line = format!("{line} {word}"),
            _ => lines.push(format!("{prefix} {word}")),
        }
    }
    lines
}
