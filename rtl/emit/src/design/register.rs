//! Recognises the registers that are written into their parent: rust-hdl's `DFF` and our `Reg`.
//!
//! Neither has a type visible through `dyn Block`; their Verilog text is exact enough to know them by.
use super::Instance;
use crate::prims::REG_TEXT;
use num_bigint::{BigInt, BigUint};
use rust_hdl::prelude::Verilog;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RegisterKind {
    /// Ports `clock`, `d`, `q`.
    Plain { init: BigUint },
    /// Ports `clk`, `rst`, `en`, `d`, `q`.
    Controlled { init: BigUint },
}

impl RegisterKind {
    pub fn init(&self) -> &BigUint {
        match self {
            RegisterKind::Plain { init } | RegisterKind::Controlled { init } => init,
        }
    }
}

/// The kind of register `instance` is, if it is one.
pub(crate) fn recognise(instance: &Instance) -> Option<RegisterKind> {
    let Verilog::Custom(text) = &instance.code else { return None };
    let width = instance.signals.iter().find(|signal| signal.path == "q")?.width;
    if text == REG_TEXT {
        let init = instance.signals.iter().find(|signal| signal.path == "init")?;
        return Some(RegisterKind::Controlled { init: bits(&init.value, width) });
    }
    let words: Vec<_> = text.split_whitespace().collect();
    let (value, frame) = words.get(4).zip(words.get(5..))?;
    let dff = words[..4] == ["initial", "begin", "q", "="]
        && frame.join(" ") == "end always @(posedge clock) begin q <= d; end";
    let (_, digits) = value.strip_suffix(';')?.split_once("'h")?;
    let init = BigInt::parse_bytes(digits.as_bytes(), 16)?;
    dff.then(|| RegisterKind::Plain { init: bits(&init, width) })
}

fn bits(value: &BigInt, width: usize) -> BigUint {
    crate::lower::wrap(value, width)
}
