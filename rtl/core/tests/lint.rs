//! Three tools of different making accept the Verilog of every block, in every named configuration, with no
//! warning.

use heddle_emit::Netlist;
use heddle_rtl::blocks::blocks;
use heddle_rtl::config::named;
use heddle_rtl::designs::designs;
use std::path::Path;
use std::process::Command;

/// What `command` said; it must end well and say nothing that `is_trouble`.
fn accepted(command: &mut Command, is_trouble: fn(&str) -> bool, what: &str) {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}; run tools/setup.sh"));
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let trouble: Vec<&str> = said.lines().filter(|line| is_trouble(line)).collect();
    assert!(output.status.success() && trouble.is_empty(), "{what}: {command:?}: {}\n{said}", output.status);
}

fn lint(netlist: &Netlist, top: &str, what: &str) {
    let dir = tempfile::tempdir().unwrap();
    let files = netlist.write_dir(dir.path()).unwrap();
    assert!(!files.is_empty(), "{what}: no module");
    let tool = |program: &str, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).current_dir(dir.path());
        command
    };
    let says_anything = |line: &str| !line.trim().is_empty();
    let warns = |line: &str| line.contains("Warning") || line.contains("ERROR");
    let mut verilator = tool("verilator", &["--lint-only", "-Wall", "--default-language", "1364-2005"]);
    accepted(verilator.args(["--top-module", top]).args(&files), says_anything, what);
    let mut iverilog = tool("iverilog", &["-Wall", "-g2005", "-o", "lint.vvp", "-s", top]);
    accepted(iverilog.args(&files), says_anything, what);
    let names: Vec<String> = files.iter().map(|f| file_name(f)).collect();
    let script =
        format!("read_verilog {}; hierarchy -check -top {top}; proc; check -assert", names.join(" "));
    accepted(&mut tool("yosys", &["-q", "-p", &script]), warns, what);
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn every_block_of_every_named_configuration_is_accepted_without_a_warning() {
    for config in named::all() {
        let blocks = blocks(&config).unwrap();
        assert!(!blocks.is_empty(), "{} has no block", config.name());
        for block in blocks {
            let netlist = block.emit_alone().unwrap();
            lint(&netlist, block.top, &format!("{} of {}", block.name, config.name()));
        }
    }
}

#[test]
fn every_design_of_the_testbench_is_accepted_without_a_warning() {
    for design in designs() {
        lint(&design.netlist, &design.name, &design.name);
    }
}

#[test]
fn lint_rejects_what_it_should() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("t.v");
    // A latch, and a width that does not fit.
    let text = "module t (input wire a, input wire [3:0] b, output reg y, output wire [2:0] z);
  always @(*) if (a) y = b[0];
  assign z = b;
endmodule\n";
    std::fs::write(&file, text).unwrap();
    let output = Command::new("verilator").args(["--lint-only", "-Wall"]).arg(&file).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("LATCH") && said.contains("WIDTH"), "{said}");
}
