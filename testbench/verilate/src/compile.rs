//! Verilog to a static library, only when something changed.

use crate::{header, shim, Error, Source};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The generators are part of what a stamp covers: a new shim rebuilds every design.
const GENERATOR: &[&str] = &[include_str!("shim.rs"), include_str!("compile.rs")];

/// Flags for every design. Values that nothing initialises are random, by the seed given to the model.
const FLAGS: &[&str] = &["--cc", "-Wall", "--trace", "-O3", "--x-assign", "unique", "--x-initial", "unique"];

/// Compiles the one file of Verilator's runtime that models need and the crate `verilated` does not build.
pub fn runtime_extras(out: &Path) -> Result<(), Error> {
    let tool = env::var("VERILATOR").unwrap_or_else(|_| "verilator".into());
    let include = include_dir(&tool)?;
    let mut compiler = compiler(&include, out, 2);
    compiler.cargo_metadata(true).file(include.join("verilated_threads.cpp"));
    let result = compiler.try_compile("heddle_runtime");
    result.map_err(|source| Error::Compile { design: "verilated_threads".into(), source })
}

/// How Verilator is run.
pub(crate) struct Tool {
    name: String,
    version: String,
    include: PathBuf,
}

impl Tool {
    /// The one on the path, or the one that `VERILATOR` names.
    pub fn find() -> Result<Self, Error> {
        println!("cargo:rerun-if-env-changed=VERILATOR");
        let name = env::var("VERILATOR").unwrap_or_else(|_| "verilator".into());
        let (version, include) = (run(&name, &["--version"])?, include_dir(&name)?);
        Ok(Self { name, version, include })
    }
}

/// A design that is compiled.
pub(crate) struct Built {
    /// Folder of its library.
    pub folder: PathBuf,
    /// Ports of its top module.
    pub ports: Vec<header::Port>,
    /// Internal signals that are readable.
    pub probes: Vec<header::ProbePort>,
}

/// Builds one design into its folder in `out`, unless its text, probes, flags, Verilator and generator are those of
/// the last build.
pub(crate) fn build_one(source: &Source, out: &Path, tool: &Tool) -> Result<Built, Error> {
    let name = &source.name;
    // A mutant is built beside the design, so that going back costs nothing.
    let folder = out.join(if source.mutated { format!("{name}.mutant") } else { name.clone() });
    let (stamp, stamp_file) = (stamp(source, &tool.version), folder.join("stamp"));
    let generated = folder.join("cpp");
    if !fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp) {
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(at(&folder))?;
        }
        fs::create_dir_all(&generated).map_err(at(&generated))?;
        verilate(source, &folder, &generated, &tool.name)?;
        let mut compiler = compiler(&tool.include, &folder, if source.hot { 3 } else { 1 });
        compiler.include(&generated).file(unity(source, &generated)?);
        let result = compiler.try_compile(&format!("heddle_{name}"));
        result.map_err(|source| Error::Compile { design: name.clone(), source })?;
        write(&stamp_file, &stamp)?;
    }
    let (ports, probes) = (ports(source, &generated)?, probes(source, &generated)?);
    Ok(Built { folder, ports, probes })
}

fn stamp(source: &Source, version: &str) -> String {
    let mut hash = Sha256::new();
    let probes = source.probes.iter().flat_map(|p| [p.module.as_str(), p.signal.as_str()]);
    let modules = source.modules.iter().flat_map(|(name, text)| [name.as_str(), text.as_str()]);
    let build = [version, if source.hot { "hot" } else { "" }, if source.mutated { "mutant" } else { "" }];
    for part in build.into_iter().chain(GENERATOR.iter().copied()).chain(FLAGS.iter().copied()) {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    for part in probes.chain(modules) {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn verilate(source: &Source, folder: &Path, generated: &Path, tool: &str) -> Result<(), Error> {
    let mut command = Command::new(tool);
    command.args(FLAGS).args(["--top-module", &source.name, "--Mdir"]).arg(generated);
    if source.mutated {
        command.args(["-Wno-lint", "-Wno-fatal"]);
    }
    if !source.probes.is_empty() {
        let mut text = String::from("`verilator_config\n");
        for probe in &source.probes {
            text += &format!("public_flat_rd -module \"{}\" -var \"{}\"\n", probe.module, probe.signal);
        }
        let file = folder.join("probes.vlt");
        write(&file, &text)?;
        command.arg(file);
    }
    for (module, text) in &source.modules {
        let file = folder.join(format!("{module}.v"));
        write(&file, text)?;
        command.arg(file);
    }
    let output = command.output().map_err(|_| Error::Missing { tool: tool.into() })?;
    if output.status.success() {
        return Ok(());
    }
    let output = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(Error::Refused { design: source.name.clone(), output })
}

/// One C++ file that includes the model's files and the shim: Verilator's own headers take most of the
/// compiler's time, so once is much faster than once per file.
fn unity(source: &Source, generated: &Path) -> Result<PathBuf, Error> {
    let name = &source.name;
    let (ports, probes) = (ports(source, generated)?, probes(source, generated)?);
    write(&generated.join("shim.cpp"), &shim::cpp(name, &ports, &probes))?;
    let entries = fs::read_dir(generated).map_err(at(generated))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "cpp"));
    files.sort();
    let text: String = files.iter().map(|f| format!("#include \"{}\"\n", f.display())).collect();
    let all = generated.join("all.cc");
    write(&all, &text)?;
    Ok(all)
}

fn ports(source: &Source, generated: &Path) -> Result<Vec<header::Port>, Error> {
    header::ports(&source.name, &read(&generated.join(format!("V{}.h", source.name)))?)
}

fn probes(source: &Source, generated: &Path) -> Result<Vec<header::ProbePort>, Error> {
    if source.probes.is_empty() {
        return Ok(Vec::new());
    }
    let symbols = read(&generated.join(format!("V{}__Syms.cpp", source.name)))?;
    let found = header::probes(&source.name, &symbols)?;
    let missing = |probe: &&crate::Probe| !found.iter().any(|f| f.signal == probe.signal);
    if let Some(crate::Probe { module, signal }) = source.probes.iter().find(missing) {
        let (module, signal) = (module.clone(), signal.clone());
        return Err(Error::Probe { design: source.name.clone(), module, signal });
    }
    Ok(found)
}

fn compiler(include: &Path, out: &Path, level: u32) -> cc::Build {
    let mut build = cc::Build::new();
    build.cpp(true).std("gnu++17").opt_level(level).debug(false).warnings(false).cargo_metadata(false);
    build.include(include).include(include.join("vltstd")).out_dir(out);
    build.define("VM_COVERAGE", "0").define("VM_TRACE", "1").define("VM_TRACE_VCD", "1");
    build
}

fn include_dir(tool: &str) -> Result<PathBuf, Error> {
    Ok(Path::new(run(tool, &["--getenv", "VERILATOR_ROOT"])?.trim()).join("include"))
}

fn run(tool: &str, arguments: &[&str]) -> Result<String, Error> {
    let output = Command::new(tool).args(arguments).output();
    let output = output.map_err(|_| Error::Missing { tool: tool.into() })?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(at(path))
}

/// Leaves an equal file untouched, so that nothing that depends on it is built again.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text).map_err(at(path))
}

fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.to_path_buf();
    move |source| Error::File { path, source }
}
