//! `heddle verilog`: the Verilog of a named configuration, for any flow.

use crate::failure::Failure;
use crate::output;
use clap::Args;
use heddle_emit::Emitter;
use heddle_rtl::blocks::{blocks, Block};
use heddle_rtl::config::{named, Config};
use std::path::PathBuf;

/// Writes a configuration as Verilog-2005: one file per module, a file list and a FuseSoC core file.
#[derive(Args)]
pub struct Arguments {
    /// Named configuration.
    #[arg(long, value_parser = config)]
    config: Config,
    /// Folder to write; it appears complete or not at all.
    #[arg(long)]
    out: PathBuf,
}

fn config(name: &str) -> Result<Config, String> {
    let names = named::all().map(|config| config.name()).join(", ");
    named::by_name(name).ok_or_else(|| format!("there are: {names}"))
}

/// Carries the command out.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let config = &arguments.config;
    let tops = blocks(config).map_err(|e| Failure::Usage(e.to_string()))?;
    let files = files(config, &tops)?;
    output::folder(&arguments.out, &files)?;
    let names: Vec<&str> = tops.iter().map(|top| top.top).collect();
    output::print(&format!(
        "{}: {} files of {} with the tops {}\n",
        arguments.out.display(),
        files.len(),
        config.name(),
        names.join(", ")
    ))
}

/// The core alone: its modules, children first, and a file list.
pub fn core_files(config: &Config) -> Result<Vec<(String, String)>, Failure> {
    let blocks = blocks(config).map_err(|e| Failure::Usage(e.to_string()))?;
    files(config, &blocks[blocks.len() - 1..])
}

/// Every file of the folder: modules, children first, then the file list and the core file.
fn files(config: &Config, tops: &[Block]) -> Result<Vec<(String, String)>, Failure> {
    // One emitter for all tops, so that what they share is one module, and no two modules share a name.
    let mut emitter = Emitter::new();
    let mut files: Vec<(String, String)> = Vec::new();
    for top in tops {
        let netlist = top.emit(&mut emitter).map_err(|e| Failure::Run(format!("{}: {e}", top.name)))?;
        for module in netlist.modules() {
            let name = format!("{}.v", module.name);
            if files.iter().all(|(there, _)| *there != name) {
                files.push((name, module.text.clone()));
            }
        }
    }
    let sources: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
    files.push((format!("heddle_{}.f", config.name()), sources.join("\n") + "\n"));
    files.push((format!("heddle_{}.core", config.name()), core_file(config, tops, &sources)));
    Ok(files)
}

/// The FuseSoC description: the files, and per top a lint target.
fn core_file(config: &Config, tops: &[Block], sources: &[String]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!("CAPI=2:\nname: ::heddle_{}:{version}\n", config.name());
    text += "description: Transport core for RDMA over lossy, multipath Ethernet\n\n";
    text += "filesets:\n  rtl:\n    files:\n";
    for source in sources {
        text += &format!("      - {source}\n");
    }
    text += "    file_type: verilogSource-2005\n\ntargets:\n";
    for top in tops {
        text += &format!("  lint_{0}:\n    flow: lint\n    flow_options:\n", top.top);
        text += "      tool: verilator\n      verilator_options: [-Wall]\n";
        text += &format!("    filesets: [rtl]\n    toplevel: {}\n", top.top);
    }
    text
}
