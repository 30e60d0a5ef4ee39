//! The Verilog testbench that replays a record.
use super::record::Record;
use crate::Netlist;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What the tools read.
pub(super) struct Files {
    pub dir: PathBuf,
    pub top: String,
    pub modules: Vec<PathBuf>,
    pub bench: PathBuf,
}

/// Writes the modules, the stimuli and the bench into `dir`.
pub(super) fn write(dir: &Path, top: &str, netlist: &Netlist, record: &Record) -> std::io::Result<Files> {
    let modules = netlist.write_dir(&dir.join("rtl"))?;
    let vectors = dir.join("vectors.txt");
    std::fs::write(&vectors, &record.lines)?;
    let bench = dir.join("bench.v");
    std::fs::write(&bench, text(top, &vectors, record))?;
    Ok(Files { dir: dir.to_path_buf(), top: top.to_string(), modules, bench })
}

fn text(top: &str, vectors: &Path, record: &Record) -> String {
    let total = |input: bool| -> usize {
        record.ports.iter().filter(|port| port.input == input).map(|port| port.width).sum()
    };
    let (inputs, outputs, count) = (total(true), total(false), record.vectors());
    let mut connections = vec![];
    let mut checks = String::new();
    for (input, bus) in [(true, "in"), (false, "out")] {
        let mut high = total(input);
        for port in record.ports.iter().filter(|port| port.input == input) {
            let (hi, lo) = (high - 1, high - port.width);
            high = lo;
            connections.push(format!("    .{}({bus}[{hi}:{lo}])", port.name));
            if !input {
                let (name, want, out) = (&port.name, format!("want[{hi}:{lo}]"), format!("out[{hi}:{lo}]"));
                let _ = write!(
                    checks,
                    "      if ({out} !== {want}) begin\n        \
                       if (bad == 0) $display(\"DIFFERS {name} %0d %h %h\", n, {want}, {out});\n        \
                       bad = bad + 1;\n      end\n",
                );
            }
        }
    }
    format!(
        "module bench;\n  \
           reg [{width}:0] vectors [0:{last}];\n  \
           reg [{in_top}:0] in;\n  \
           reg [{out_top}:0] want;\n  \
           wire [{out_top}:0] out;\n  \
           integer n;\n  \
           integer bad;\n  \
           {top} dut (\n{connections}\n  );\n  \
           initial begin\n    \
             if ($test$plusargs(\"wave\")) begin\n      \
               $dumpfile(\"wave.vcd\");\n      \
               $dumpvars(0, bench);\n    \
             end\n    \
             $readmemb(\"{vectors}\", vectors);\n    \
             bad = 0;\n    \
             for (n = 0; n < {count}; n = n + 1) begin\n      \
               {{in, want}} = vectors[n];\n      \
               #1;\n{checks}    \
             end\n    \
             $display(\"COMPARED %0d DIFFERENCES %0d\", n, bad);\n    \
             $finish;\n  \
           end\n\
         endmodule\n",
        width = inputs + outputs - 1,
        last = count - 1,
        in_top = inputs - 1,
        out_top = outputs - 1,
        connections = connections.join(",\n"),
        vectors = vectors.display(),
    )
}
