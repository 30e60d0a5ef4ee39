//! The Rust type of one design: a getter per port and probe, a setter per input.

use crate::header::{Port, ProbePort};
use crate::views::Seen;
use std::fmt::Write as _;

/// Rust text of the type for `design`; included by the testbench, which has `Model`, `Dut` and `PortInfo`. `seen`
/// are the instances that it shows as views.
pub fn rust(design: &str, ports: &[Port], probes: &[ProbePort], seen: &[Seen]) -> String {
    let (camel, count) = (upper_camel(design), ports.len() + probes.len());
    let (mut table, mut methods) = (String::new(), String::new());
    for (i, port) in ports.iter().enumerate() {
        let Port { name, width, input } = port;
        writeln!(table, "PortInfo {{ name: {name:?}, width: {width}, input: {input} }},").expect("string");
        let direction = if *input { "Input" } else { "Output" };
        getter(&mut methods, i, name, *width, &format!("{direction} `{name}`, {width} bits."));
        if *input {
            setter(&mut methods, i, name, *width);
        }
    }
    for (i, probe) in probes.iter().enumerate() {
        let (name, width) = (format!("probe_{}", probe.name), probe.width);
        getter(&mut methods, ports.len() + i, &name, width, &format!("Internal signal, {width} bits."));
    }
    let views: String = seen.iter().map(|seen| seen.method()).collect();
    let position = |name: &str| match ports.iter().position(|p| p.name == name && p.input && p.width == 1) {
        Some(i) => format!("Some({i})"),
        None => "None".into(),
    };
    let (clock, reset) = (position("clk"), position("rst"));
    format!(
        r#"
mod ffi_{design} {{
    use std::ffi::c_void;
    extern "C" {{
        pub fn heddle_{design}_new(seed: u32) -> *mut c_void;
        pub fn heddle_{design}_delete(handle: *mut c_void);
        pub fn heddle_{design}_eval(handle: *mut c_void) -> bool;
        pub fn heddle_{design}_trace(handle: *mut c_void, vcd: *mut c_void);
        pub fn heddle_{design}_address(handle: *mut c_void, index: u32) -> *mut c_void;
    }}
}}
/// The Verilated design `{design}`.
pub struct {camel} {{
    model: Model,
    at: [*mut c_void; {count}],
}}
// SAFETY: the model has its own context, and the pointers go into it; nothing is shared between models.
unsafe impl Send for {camel} {{}}
impl Dut for {camel} {{
    const NAME: &'static str = "{design}";
    const PORTS: &'static [PortInfo] = &[{table}];
    fn power_on(seed: u32) -> Self {{
        let functions = Functions {{
            new: ffi_{design}::heddle_{design}_new,
            delete: ffi_{design}::heddle_{design}_delete,
            eval: ffi_{design}::heddle_{design}_eval,
            trace: ffi_{design}::heddle_{design}_trace,
            address: ffi_{design}::heddle_{design}_address,
        }};
        let model = Model::new(functions, seed, {clock}, {reset});
        let at = std::array::from_fn(|i| model.address(i));
        Self {{ model, at }}
    }}
    fn model(&self) -> &Model {{
        &self.model
    }}
    fn model_mut(&mut self) -> &mut Model {{
        &mut self.model
    }}
}}
impl {camel} {{
{methods}{views}}}
"#
    )
}

fn getter(out: &mut String, index: usize, name: &str, width: usize, doc: &str) {
    let body = match width {
        1 => format!("-> bool {{ unsafe {{ *self.at[{index}].cast::<u8>() != 0 }} }}"),
        2..=64 => {
            format!("-> {ty} {{ unsafe {{ *self.at[{index}].cast::<{ty}>() }} }}", ty = rust_type(width))
        }
        _ => format!("-> &{ty} {{ unsafe {{ &*self.at[{index}].cast::<{ty}>() }} }}", ty = rust_type(width)),
    };
    writeln!(out, "    /// {doc}\n    #[inline]\n    pub fn {name}(&self) {body}").expect("string");
}

fn setter(out: &mut String, index: usize, name: &str, width: usize) {
    let ty = rust_type(width);
    let (argument, store) = match width {
        1 => ("bool".into(), format!("unsafe {{ *self.at[{index}].cast::<u8>() = value.into() }}")),
        2..=64 => (ty.clone(), format!("unsafe {{ *self.at[{index}].cast::<{ty}>() = value }}")),
        _ => (format!("&{ty}"), format!("unsafe {{ *self.at[{index}].cast::<{ty}>() = *value }}")),
    };
    let (top, bits) = if width > 64 { ("value[value.len() - 1]", 32) } else { ("value", type_bits(width)) };
    let used = (width - 1) % bits + 1;
    let check = match used == bits || width == 1 {
        true => String::new(),
        false => {
            format!("assert!({top} >> {used} == 0, \"{name} has {width} bits, got {{value:x?}}\");\n        ")
        }
    };
    writeln!(
        out,
        "    /// Drives `{name}`, {width} bits; a value that does not fit panics.\n    #[inline]\n    \
         pub fn set_{name}(&mut self, value: {argument}) {{\n        {check}self.model.touch();\n        \
         {store}\n    }}"
    )
    .expect("string");
}

fn type_bits(width: usize) -> usize {
    match width {
        0..=8 => 8,
        9..=16 => 16,
        17..=32 => 32,
        _ => 64,
    }
}

/// The Rust type that has the layout of Verilator's: single bits are `u8` in memory and `bool` outside.
fn rust_type(width: usize) -> String {
    match width {
        0..=64 => format!("u{}", type_bits(width)),
        wide => format!("[u32; {}]", wide.div_ceil(32)),
    }
}

/// `rx_path` becomes `RxPath`.
pub fn upper_camel(name: &str) -> String {
    name.split('_')
        .map(|part| part[..1.min(part.len())].to_uppercase() + &part[1.min(part.len())..])
        .collect()
}
