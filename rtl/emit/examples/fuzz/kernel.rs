//! Random kernels: expressions to outputs, Locals rewritten in sequence, registers under conditions.
use super::expression::{Signals, Writer, WIDTHS};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const OUTPUTS: usize = 24;
const LOCALS: usize = 8;
const REGISTERS: usize = 8;
const STATEMENTS: usize = 24;

/// Something the kernel assigns, and its width.
#[derive(Clone)]
struct Target {
    name: String,
    width: usize,
}

/// The source of a module `kernel_SEED` with a block `Kernel` and its `drive`.
pub fn source(seed: u64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut width = || WIDTHS[random.gen_range(0..WIDTHS.len())];
    let mut targets = |prefix: &str, count: usize| -> Vec<Target> {
        (0..count).map(|n| Target { name: format!("{prefix}{n}"), width: width() }).collect()
    };
    let (outputs, locals, registers) = (targets("o", OUTPUTS), targets("l", LOCALS), targets("r", REGISTERS));

    let inputs: Vec<Target> = WIDTHS
        .iter()
        .flat_map(|width| (0..2).map(move |n| Target { name: format!("i{width}_{n}"), width: *width }))
        .collect();
    let mut signals = Signals {
        bits: inputs.iter().map(|input| (input.name.clone(), input.width)).collect(),
        bools: (0..4).map(|n| format!("k{n}")).collect(),
    };
    signals.bits.extend(registers.iter().map(|register| (format!("{}.q", register.name), register.width)));

    let mut body = String::new();
    let names: Vec<_> = registers.iter().map(|register| register.name.as_str()).collect();
    body += &format!("        dff_setup!(self, clk, {});\n", names.join(", "));
    for local in &locals {
        let value = Writer { random: &mut random, signals: &signals }.bits(local.width, 2);
        body += &format!("        self.{}.next = {value};\n", local.name);
    }
    signals.bits.extend(locals.iter().map(|local| (local.name.clone(), local.width)));
    let mut writer = Writer { random: &mut random, signals: &signals };
    let assigned: Vec<Target> = locals
        .iter()
        .cloned()
        .chain(registers.iter().map(|r| Target { name: format!("{}.d", r.name), width: r.width }))
        .collect();
    for _ in 0..STATEMENTS {
        let depth = writer.random.gen_range(0..3);
        body += &statement(&mut writer, &assigned, depth, 2);
    }
    for output in &outputs {
        let depth = writer.random.gen_range(1..4);
        body += &format!("        self.{}.next = {};\n", output.name, writer.bits(output.width, depth));
    }
    for (n, local) in locals.iter().enumerate() {
        body += &format!("        self.z{n}.next = self.{}.val();\n", local.name);
    }

    let field = |kind: &str, target: &Target| {
        format!("    {}: Signal<{kind}, Bits<{}>>,\n", target.name, target.width)
    };
    let mut fields = "    pub clk: Signal<In, Clock>,\n".to_string();
    fields += &inputs.iter().map(|input| field("In", input)).collect::<String>();
    fields += &(0..4).map(|n| format!("    k{n}: Signal<In, Bit>,\n")).collect::<String>();
    fields += &outputs.iter().map(|output| field("Out", output)).collect::<String>();
    fields += &locals.iter().map(|local| field("Local", local)).collect::<String>();
    for (n, local) in locals.iter().enumerate() {
        fields += &field("Out", &Target { name: format!("z{n}"), width: local.width });
    }
    for register in &registers {
        fields += &format!("    {}: DFF<Bits<{}>>,\n", register.name, register.width);
    }
    let mut drive = String::new();
    for input in &inputs {
        drive += &format!("    u.{}.next = s.bits();\n", input.name);
    }
    drive += &(0..4).map(|n| format!("    u.k{n}.next = s.bit();\n")).collect::<String>();
    format!(
        "#[derive(LogicBlock, Default)]\npub struct Kernel {{\n{fields}}}\n\n\
         impl Logic for Kernel {{\n    #[hdl_gen]\n    fn update(&mut self) {{\n{body}    }}\n}}\n\n\
         pub fn drive(u: &mut Kernel, s: &mut Stimuli) {{\n{drive}}}\n"
    )
}

/// An assignment, or an `if` with up to `depth` more inside.
fn statement(writer: &mut Writer, targets: &[Target], depth: usize, indent: usize) -> String {
    let pad = "    ".repeat(indent);
    if depth == 0 {
        let target = &targets[writer.random.gen_range(0..targets.len())];
        let value = writer.bits(target.width, 2);
        return format!("{pad}self.{}.next = {value};\n", target.name);
    }
    let mut text = format!("{pad}if {} {{\n", writer.bool(2));
    for _ in 0..writer.random.gen_range(1..3) {
        let inner = writer.random.gen_range(0..depth);
        text += &statement(writer, targets, inner, indent + 1);
    }
    if writer.random.gen() {
        text += &format!("{pad}}} else {{\n");
        let inner = writer.random.gen_range(0..depth);
        text += &statement(writer, targets, inner, indent + 1);
    }
    text + &format!("{pad}}}\n")
}
