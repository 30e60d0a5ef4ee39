//! Why rust-hdl's own generator is not used: the list in `docs/decisions/0001-emitter.md`, each shown in
//! Icarus. The emitted text of the same block has no difference (`tests/differential.rs`).
use heddle_emit::diff::{seed, Diff, Simulator, Stimuli};
use rust_hdl::prelude::*;
use std::path::Path;
use std::process::Command;

/// The traps, and outputs that are right in both texts.
#[derive(LogicBlock, Default)]
struct Traps {
    a: Signal<In, Bits<24>>,
    b: Signal<In, Bits<24>>,
    c: Signal<In, Bits<24>>,
    precedence: Signal<Out, Bit>,
    wrapped_difference: Signal<Out, Bit>,
    wrapped_sum: Signal<Out, Bit>,
    inverted: Signal<Out, Bit>,
    shifted_increment: Signal<Out, Bits<24>>,
    shifted_sum: Signal<Out, Bits<24>>,
    cast_sum: Signal<Out, Bits<32>>,
    cast_inverse: Signal<Out, Bits<32>>,
    past_top: Signal<Out, Bits<16>>,
    plain_sum: Signal<Out, Bits<24>>,
    plain_compare: Signal<Out, Bit>,
}

impl Logic for Traps {
    #[hdl_gen]
    fn update(&mut self) {
        self.precedence.next = self.a.val() & self.b.val() == self.c.val();
        self.wrapped_difference.next = (self.a.val() - self.b.val()) < 256;
        self.wrapped_sum.next = (self.a.val() + 1) == 0;
        self.inverted.next = !self.a.val() == 0;
        self.shifted_increment.next = (self.a.val() + 1) >> 1;
        self.shifted_sum.next = (self.a.val() + self.b.val()) >> self.c.val().get_bits::<2>(0);
        self.cast_sum.next = bit_cast::<32, 24>(self.a.val() + self.b.val());
        self.cast_inverse.next = bit_cast::<32, 24>(!self.a.val());
        self.past_top.next = self.a.val().get_bits::<16>(12);
        self.plain_sum.next = self.a.val() + self.b.val();
        self.plain_compare.next = self.a.val() < self.b.val();
    }
}

const WRONG: [&str; 8] = [
    "precedence",
    "wrapped_difference",
    "wrapped_sum",
    "inverted",
    "shifted_increment",
    "cast_sum",
    "cast_inverse",
    "past_top",
];
const RIGHT: [&str; 3] = ["shifted_sum", "plain_sum", "plain_compare"];

fn drive(uut: &mut Traps, stimuli: &mut Stimuli, vector: usize) {
    uut.a.next = stimuli.bits();
    uut.b.next = stimuli.bits();
    uut.c.next = if vector % 2 == 0 { uut.a.next & uut.b.next } else { stimuli.bits() };
}

#[test]
fn the_stock_generator_is_wrong_where_the_emitter_is_exact() {
    const VECTORS: usize = 400;
    let seed = seed(31);
    let ours = Diff::new("traps", seed).simulators(&[Simulator::Icarus]).combinational(
        VECTORS,
        Traps::default(),
        drive,
    );
    let report = ours.unwrap();
    assert_eq!((report.vectors, report.outputs), (VECTORS + 1, WRONG.len() + RIGHT.len()));

    let mut uut = Traps::default();
    uut.connect_all();
    let stock = generate_verilog_unchecked(&uut);
    let mut checks = String::new();
    let mut stimuli = Stimuli::new(seed);
    for vector in 0..VECTORS {
        drive(&mut uut, &mut stimuli, vector);
        assert!(simulate(&mut uut, 10));
        checks += &format!(
            "    a = 24'h{:x}; b = 24'h{:x}; c = 24'h{:x}; #1;\n",
            uut.a.next, uut.b.next, uut.c.next
        );
        let mut check = |name: &str, value: String| {
            checks += &format!("    if ({name} !== {value}) $display(\"WRONG {name}\");\n");
        };
        let bit = |value: bool| format!("1'b{}", u8::from(value));
        check("precedence", bit(uut.precedence.val()));
        check("wrapped_difference", bit(uut.wrapped_difference.val()));
        check("wrapped_sum", bit(uut.wrapped_sum.val()));
        check("inverted", bit(uut.inverted.val()));
        check("shifted_increment", format!("24'h{:x}", uut.shifted_increment.val()));
        check("shifted_sum", format!("24'h{:x}", uut.shifted_sum.val()));
        check("cast_sum", format!("32'h{:x}", uut.cast_sum.val()));
        check("cast_inverse", format!("32'h{:x}", uut.cast_inverse.val()));
        check("past_top", format!("16'h{:x}", uut.past_top.val()));
        check("plain_sum", format!("24'h{:x}", uut.plain_sum.val()));
        check("plain_compare", bit(uut.plain_compare.val()));
    }
    let found = run(&stock, &checks);
    for name in WRONG {
        assert!(found.contains(&format!("WRONG {name}\n")), "the stock text is right about {name}");
    }
    for name in RIGHT {
        assert!(!found.contains(&format!("WRONG {name}\n")), "the stock text is wrong about {name}");
    }
}

/// What a bench around the stock text prints; its last word must be there.
fn run(stock: &str, checks: &str) -> String {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stock");
    std::fs::create_dir_all(&dir).unwrap();
    let ports: Vec<_> =
        ["a", "b", "c"].iter().chain(&WRONG).chain(&RIGHT).map(|p| format!(".{p}({p})")).collect();
    let bench = format!(
        "{stock}\nmodule bench;\n  reg [23:0] a, b, c;\n  \
         wire precedence, wrapped_difference, wrapped_sum, inverted, plain_compare;\n  \
         wire [23:0] shifted_increment, shifted_sum, plain_sum;\n  wire [31:0] cast_sum, cast_inverse;\n  \
         wire [15:0] past_top;\n  top dut ({});\n  initial begin\n{checks}    \
         $display(\"END\");\n  end\nendmodule\n",
        ports.join(", ")
    );
    let (source, program) = (dir.join("bench.v"), dir.join("bench.vvp"));
    std::fs::write(&source, bench).unwrap();
    let build = Command::new("iverilog")
        .args(["-g2005", "-s", "bench", "-o"])
        .arg(&program)
        .arg(&source)
        .output()
        .unwrap();
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    let output = Command::new("vvp").arg(&program).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.ends_with("END\n"), "{text}");
    text
}
