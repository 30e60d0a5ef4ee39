//! The text a reader sees: the example of the README, name by name, and what no text contains.
mod blocks;

use heddle_emit::{Emitter, Netlist};
use rust_hdl::prelude::*;

/// Counts marked packets.
#[derive(LogicBlock, Default)]
struct Marks {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    in_valid: Signal<In, Bit>,
    in_ce: Signal<In, Bits<2>>,
    out_marks: Signal<Out, Bits<16>>,
    marks: DFF<Bits<16>>,
    hit: Signal<Local, Bit>,
}

impl Logic for Marks {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, marks);
        self.hit.next = self.in_valid.val() & self.in_ce.val().get_bit(0);
        if self.hit.val() {
            self.marks.d.next = self.marks.q.val() + 1;
        }
        if self.rst.val() {
            self.marks.d.next = 0.into();
        }
        self.out_marks.next = self.marks.q.val();
    }
}

const MARKS: &str = "\
module marks (
  input  wire        clk,
  input  wire        rst,
  input  wire        valid,
  input  wire [1:0]  in_ce,
  output wire [15:0] out_marks
);
  reg  [15:0] marks;
  wire        hit;

  assign hit = valid & in_ce[0];
  assign out_marks = marks;

  always @(posedge clk) begin
    if (hit) begin
      marks <= marks + 16'd1;
    end
    if (rst) begin
      marks <= 16'd0;
    end
  end

  initial begin
    marks = 16'd0;
  end

  wire _unused = &{1'b0, in_ce[1]};
endmodule
";

fn emit<B: Block>(name: &str, mut uut: B, renames: &[(&str, &str)]) -> Netlist {
    uut.connect_all();
    Emitter::new().top(name, &uut, renames).unwrap()
}

#[test]
fn a_register_and_its_reset_read_like_verilog_written_by_hand() {
    let netlist = emit("marks", Marks::default(), &[("in_valid", "valid")]);
    assert_eq!(netlist.text(), MARKS);
}

#[test]
fn equal_definitions_are_one_module_and_registered_names_win() {
    let mut emitter = Emitter::new();
    emitter.register("one_stage", &blocks::hierarchy::Leaf::<8>::default()).unwrap();
    let mut uut = blocks::hierarchy::Depths::default();
    uut.connect_all();
    let netlist = emitter.top("depths", &uut, &[]).unwrap();
    let count = netlist
        .modules()
        .iter()
        .filter(|module| module.text.contains("output wire [7:0] y\n);\n  reg  [7:0] kept;"));
    assert_eq!(count.map(|module| module.name.as_str()).collect::<Vec<_>>(), ["one_stage"]);
}

#[test]
fn no_text_has_a_pragma_a_dollar_name_or_a_long_line() {
    let masks = [bits(1), bits(2), bits(3), bits(4)];
    let texts = [
        emit("registers", blocks::registers::Registers::default(), &[]).text(),
        emit("types", blocks::types::Types::default(), &[]).text(),
        emit("arithmetic", blocks::arithmetic::Arithmetic::default(), &[]).text(),
        emit("arrays", blocks::arrays::Arrays::<64, 4>::new(masks), &[]).text(),
        emit("pipe", blocks::hierarchy::Pipe::default(), &[]).text(),
        emit("fifo", heddle_emit::prims::Fifo::<Bits<64>, 4, 5>::new(12), &[]).text(),
    ];
    for text in texts {
        assert!(!text.contains("verilator"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 110), "{text}");
        let system = text.replace("$signed", "").replace("$display", "").replace("$stop", "");
        assert!(!system.contains('$'), "{text}");
    }
}

#[test]
fn modules_are_written_one_per_file_children_first() {
    let netlist = emit("pipe", blocks::hierarchy::Pipe::default(), &[]);
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("one-per-file");
    let paths = netlist.write_dir(&dir).unwrap();
    let names: Vec<_> = paths.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["stream_stage.v", "pipe.v"]);
    for (path, module) in paths.iter().zip(netlist.modules()) {
        assert_eq!(std::fs::read_to_string(path).unwrap(), module.text);
        assert_eq!(module.text.matches("\nendmodule").count(), 1);
    }
}
