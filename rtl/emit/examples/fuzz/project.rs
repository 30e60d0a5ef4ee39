//! The crate that holds the kernels: written, built by cargo, run.
use super::kernel;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What to try.
pub struct Plan {
    /// One kernel each.
    pub seeds: Range<u64>,
    /// Cycles per kernel.
    pub cycles: usize,
    /// Compare in Verilator too.
    pub verilator: bool,
}

/// What was compared.
pub struct Report {
    pub kernels: usize,
    pub vectors: usize,
}

/// Builds and runs the kernels; an error is ready to be printed.
pub fn run(plan: &Plan) -> Result<Report, String> {
    let name = format!("fuzz-kernels-{}-{}", plan.seeds.start, plan.seeds.end);
    let emit = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = target_dir()?;
    let dir = target.join("fuzz").join(&name);
    let failed = |error: std::io::Error| format!("{}: {error}", dir.display());
    std::fs::create_dir_all(dir.join("src")).map_err(failed)?;
    std::fs::write(dir.join("Cargo.toml"), manifest(&name, emit)).map_err(failed)?;
    std::fs::write(dir.join("src/main.rs"), program(plan)).map_err(failed)?;
    // The same versions as here, so that cargo builds nothing anew.
    std::fs::copy(emit.join("../../Cargo.lock"), dir.join("Cargo.lock")).map_err(failed)?;

    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--offline", "--manifest-path"])
        .arg(dir.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", &target)
        .output()
        .map_err(failed)?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{said}{errors}\nkernels: {}", dir.display()));
    }
    let numbers = said.lines().find_map(|line| {
        let (kernels, vectors) = line.strip_prefix("KERNELS ")?.split_once(" VECTORS ")?;
        Some(Report { kernels: kernels.parse().ok()?, vectors: vectors.parse().ok()? })
    });
    numbers.ok_or_else(|| format!("the kernels did not report: {said}"))
}

/// The folder of the running program's build.
fn target_dir() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = program.ancestors().find(|folder| folder.ends_with("target")).map(Path::to_path_buf);
    target.ok_or_else(|| format!("{} is not below a folder `target`", program.display()))
}

fn manifest(name: &str, emit: &Path) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
         [dependencies]\n\
         heddle-emit = {{ path = \"{}\", features = [\"diff\"] }}\n\
         rust-hdl = \"=0.46.0\"\n\n[workspace]\n\n\
         [profile.dev]\nopt-level = 0\ndebug = \"line-tables-only\"\n\n\
         [profile.dev.package.\"*\"]\nopt-level = 1\n\n\
         [profile.dev.build-override]\nopt-level = 1\n",
        emit.display()
    )
}

fn program(plan: &Plan) -> String {
    let simulators =
        if plan.verilator { "Simulator::Icarus, Simulator::Verilator" } else { "Simulator::Icarus" };
    let cycles = plan.cycles;
    let mut modules = String::new();
    let mut calls = String::new();
    for seed in plan.seeds.clone() {
        let _ = write!(
            modules,
            "mod kernel_{seed} {{\nuse heddle_emit::diff::Stimuli;\nuse rust_hdl::prelude::*;\n{}}}\n\n",
            kernel::source(seed)
        );
        let _ = write!(
            calls,
            "    match Diff::new(\"kernel_{seed}\", {seed}).simulators(&[{simulators}]).without_lint()\n        \
             .clocked({cycles}, kernel_{seed}::Kernel::default(), |u| &mut u.clk, \
             |u, s, _| kernel_{seed}::drive(u, s)) {{\n        \
             Ok(report) => {{ kernels += 1; vectors += report.vectors; }}\n        \
             Err(error) => {{ println!(\"kernel {seed}: {{error}}\"); bad = true; }}\n    }}\n"
        );
    }
    format!(
        "//! Random kernels, seeds {:?}.\n\
         #![allow(unused_parens, clippy::all)]\n\
         use heddle_emit::diff::{{Diff, Simulator}};\n\n{modules}\
         fn main() {{\n    let (mut kernels, mut vectors, mut bad) = (0, 0, false);\n{calls}    \
         println!(\"KERNELS {{kernels}} VECTORS {{vectors}}\");\n    \
         if bad {{\n        std::process::exit(1);\n    }}\n}}\n",
        plan.seeds
    )
}
