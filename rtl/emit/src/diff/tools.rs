//! Icarus and Verilator: lint, build, run, and what they answered.
use super::bench::Files;
use super::record::Record;
use super::runtime::Runtime;
use super::{DiffError, Mismatch};
use crate::Netlist;
use std::fmt;
use std::path::Path;
use std::process::{Command, Output};

/// A Verilog simulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simulator {
    /// Icarus Verilog: event driven, four values.
    Icarus,
    /// Verilator: compiled, two values.
    Verilator,
}

impl fmt::Display for Simulator {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Simulator::Icarus => "Icarus",
            Simulator::Verilator => "Verilator",
        })
    }
}

/// Lints the text with Verilator and Icarus, `-Wall`: any message is an error.
///
/// # Errors
/// When a tool is missing or says anything.
pub fn lint(dir: &Path, top: &str, netlist: &Netlist) -> Result<(), DiffError> {
    let modules = netlist.write_dir(dir)?;
    let own: Vec<_> = modules.iter().map(|path| path.as_os_str()).collect();
    silent(
        dir,
        "verilator",
        Command::new("verilator").args(["--lint-only", "-Wall", "--top-module", top]).args(&own),
    )?;
    silent(
        dir,
        "iverilog",
        Command::new("iverilog").args(["-g2005", "-Wall", "-t", "null", "-s", top]).args(&own),
    )
}

pub(super) fn check(
    files: &Files,
    record: &Record,
    simulators: &[Simulator],
    lint: bool,
) -> Result<(), DiffError> {
    for simulator in simulators {
        let program = match simulator {
            Simulator::Icarus => icarus(files)?,
            Simulator::Verilator => verilator(files, lint)?,
        };
        let output = run(&files.dir, program.0, Command::new(program.1).args(&program.2))?;
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        judge(files, record, *simulator, &answer)?;
    }
    Ok(())
}

/// Tool, program and arguments of a built simulation.
type Program = (&'static str, String, Vec<String>);

fn icarus(files: &Files) -> Result<Program, DiffError> {
    let out = files.dir.join("bench.vvp");
    let mut build = Command::new("iverilog");
    build.args(["-g2005", "-Wall", "-s", "bench", "-o"]).arg(&out).arg(&files.bench).args(&files.modules);
    silent(&files.dir, "iverilog", &mut build)?;
    Ok(("vvp", "vvp".into(), vec!["-n".into(), out.display().to_string()]))
}

fn verilator(files: &Files, lint: bool) -> Result<Program, DiffError> {
    if lint {
        let mut lint = Command::new("verilator");
        lint.args(["--lint-only", "-Wall", "--top-module", &files.top]).args(&files.modules);
        silent(&files.dir, "verilator", &mut lint)?;
    }
    let out = files.dir.join("verilated");
    let runtime = Runtime::find();
    runtime.copy_to(&out)?;
    let mut build = Command::new("verilator");
    build.args(["--binary", "--timing", "-O0", "-CFLAGS", "-O0", "-Wno-fatal", "-Wno-lint"]);
    build.args(["--top-module", "bench", "--Mdir"]).arg(&out).arg(&files.bench).args(&files.modules);
    run(&files.dir, "verilator", &mut build)?;
    runtime.keep_from(&out)?;
    Ok(("verilator", out.join("Vbench").display().to_string(), vec![]))
}

/// Runs a tool that must succeed.
fn run(dir: &Path, tool: &'static str, command: &mut Command) -> Result<Output, DiffError> {
    let package = if tool == "verilator" { "verilator" } else { "iverilog" };
    let output =
        command.current_dir(dir).output().map_err(|error| DiffError::Missing { tool, package, error })?;
    if output.status.success() {
        Ok(output)
    } else {
        let log = [&output.stdout[..], &output.stderr[..]].concat();
        let log = String::from_utf8_lossy(&log).into_owned();
        Err(DiffError::Tool { tool, dir: dir.to_path_buf(), log })
    }
}

/// Runs a tool that must succeed without a word.
fn silent(dir: &Path, tool: &'static str, command: &mut Command) -> Result<(), DiffError> {
    let output = run(dir, tool, command)?;
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    if log.trim().is_empty() {
        Ok(())
    } else {
        Err(DiffError::Tool { tool, dir: dir.to_path_buf(), log })
    }
}

/// Reads what the bench printed; it must have compared every vector.
fn judge(files: &Files, record: &Record, simulator: Simulator, answer: &str) -> Result<(), DiffError> {
    let numbers = answer.lines().find_map(|line| {
        let (compared, differences) = line.strip_prefix("COMPARED ")?.split_once(" DIFFERENCES ")?;
        Some((compared.parse::<usize>().ok()?, differences.parse::<usize>().ok()?))
    });
    match numbers {
        Some((compared, 0)) if compared == record.vectors() => Ok(()),
        Some((compared, differences)) if compared == record.vectors() => {
            Err(mismatch(files, record, simulator, answer, differences))
        }
        _ => {
            let tool = if simulator == Simulator::Icarus { "vvp" } else { "verilator" };
            Err(DiffError::Tool { tool, dir: files.dir.clone(), log: answer.to_string() })
        }
    }
}

fn mismatch(
    files: &Files,
    record: &Record,
    simulator: Simulator,
    answer: &str,
    differences: usize,
) -> DiffError {
    // A waveform of the failing run; without it the report is still complete.
    let _ = icarus(files).and_then(|(tool, program, mut arguments)| {
        arguments.push("+wave".into());
        run(&files.dir, tool, Command::new(program).args(arguments))
    });
    let line = answer.lines().find_map(|line| line.strip_prefix("DIFFERS "));
    let mut words = line.unwrap_or_default().split(' ').map(str::to_string);
    let mut word = || words.next().unwrap_or_default();
    let (port, vector, rust, verilog) = (word(), word(), word(), word());
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "heddle-emit".into());
    let test = std::thread::current().name().unwrap_or_default().to_string();
    DiffError::Mismatch(Box::new(Mismatch {
        simulator,
        seed: record.seed,
        vector: vector.parse().unwrap_or_default(),
        port,
        rust,
        verilog,
        differences,
        replay: format!("HEDDLE_SEED={} cargo test -p {package} {test}", record.seed),
        dir: files.dir.clone(),
    }))
}
