//! `heddle cosim`: a file through two cores over a lossy multiplane network.

mod outputs;
mod show;
mod simulate;
mod table;

use crate::failure::Failure;
use crate::{cmd_verilog, units};
use clap::{ArgGroup, Args, ValueEnum};
use heddle_rtl::config::{named, Config};
use heddle_testbench::cosim::{
    EndpointSetup, EngineError, HostMemory, ModelEngine, RtlEngine, Scenario, Settings, WatchedCore,
};
use heddle_testbench::duts::{CoreGbe, CoreTiny};
use heddle_testbench::link::{Probability, Rates};
use simulate::{simulate, Maker, Traced};
use std::path::PathBuf;

/// What computes the two cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineKind {
    /// The Verilated core.
    Rtl,
    /// The golden model.
    Model,
}

/// What is moved when no file is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Workload {
    /// Writes a random file of --bytes.
    Write,
}

/// Moves a file through two cores over a lossy multiplane network, compares every byte, and shows what
/// happened.
#[derive(Args)]
#[command(group = ArgGroup::new("what").required(true).args(["file", "workload"]))]
pub struct Arguments {
    /// Named configuration of both cores.
    #[arg(long, value_parser = config, default_value = "gbe")]
    config: Config,
    /// File to move.
    #[arg(long)]
    file: Option<PathBuf>,
    /// What to move instead of a file.
    #[arg(long)]
    workload: Option<Workload>,
    /// Bytes of the workload's file, like 4097 or 1MiB [default: 1MiB].
    #[arg(long, value_parser = units::bytes, conflicts_with = "file")]
    bytes: Option<u64>,
    /// What computes the cores.
    #[arg(long, default_value = "rtl")]
    engine: EngineKind,
    /// Planes, separate networks between the two cores.
    #[arg(long, default_value_t = 4)]
    planes: u32,
    /// Paths of the connection; as many as the configuration has when not given.
    #[arg(long)]
    paths: Option<u32>,
    /// One-way delay of the planes, one for all or one each.
    #[arg(long, value_parser = units::duration_ps, value_delimiter = ',', default_value = "2us")]
    delay: Vec<u64>,
    /// Probability that a DATA or PROBE packet is lost.
    #[arg(long, value_parser = probability, default_value = "0")]
    loss: Probability,
    /// Probability that an ACK is lost.
    #[arg(long, value_parser = probability, default_value = "0")]
    ack_loss: Probability,
    /// Probability that a packet is late, up to 500 cycles, and others overtake it.
    #[arg(long, value_parser = probability, default_value = "0")]
    reorder: Probability,
    /// Probability that a packet arrives twice.
    #[arg(long, value_parser = probability, default_value = "0")]
    duplicate: Probability,
    /// Probability that a bit of a packet is flipped.
    #[arg(long, value_parser = probability, default_value = "0")]
    corrupt: Probability,
    /// Speed of a plane, like 10G; as fast as the core when not given.
    #[arg(long, value_parser = units::bits_per_second)]
    rate: Option<u64>,
    /// First PSN of every path; drawn when not given.
    #[arg(long)]
    psn_start: Option<u32>,
    /// Everything random follows from it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File for the waveform of the sender, a window around the first loss and its resend.
    #[arg(long)]
    wave: Option<PathBuf>,
    /// File for the capture of every frame.
    #[arg(long)]
    pcap: Option<PathBuf>,
    /// File for the figures.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Folder for everything: report.json, capture.pcapng and, with --engine rtl, wave.vcd and the folder
    /// verilog. It appears complete or not at all.
    #[arg(long, conflicts_with_all = ["wave", "pcap", "json"])]
    out: Option<PathBuf>,
}

fn config(name: &str) -> Result<Config, String> {
    let names = named::all().map(|config| config.name()).join(", ");
    named::by_name(name).ok_or_else(|| format!("there are: {names}"))
}

fn probability(text: &str) -> Result<Probability, String> {
    let value = text.parse().map_err(|_| "needed is a number between 0 and 1".to_owned())?;
    Probability::new("it", value).map_err(|e| e.to_string())
}

/// Carries the command out.
pub fn run_command(arguments: &Arguments) -> Result<(), Failure> {
    let scenario = Scenario::new(settings(arguments)).map_err(|e| Failure::Usage(e.to_string()))?;
    match arguments.engine {
        EngineKind::Rtl => match scenario.config().name() {
            "tiny" => verilated::<CoreTiny>(arguments, &scenario),
            "gbe" => verilated::<CoreGbe>(arguments, &scenario),
            other => Err(Failure::Usage(format!(
                "the core of {other} is not Verilated: name tiny or gbe, or give --engine model"
            ))),
        },
        EngineKind::Model if arguments.wave.is_some() => Err(Failure::Usage(
            "the golden model has no signals to show; --wave needs --engine rtl".to_owned(),
        )),
        EngineKind::Model => {
            let config = scenario.config();
            let build =
                |setup: &EndpointSetup, memory, _: Option<&Traced>| ModelEngine::new(config, setup, memory);
            simulate(arguments, &scenario, Maker { build, verilog: || Ok(Vec::new()) })
        }
    }
}

fn verilated<D: WatchedCore>(arguments: &Arguments, scenario: &Scenario) -> Result<(), Failure> {
    let mut seeds = scenario.power_on_seeds().into_iter().cycle();
    let build = |setup: &EndpointSetup, memory: HostMemory, traced: Option<&Traced>| {
        let seed = seeds.next().unwrap_or_default();
        let mut engine = RtlEngine::<D>::new(scenario.config(), setup, memory, seed)?;
        if let Some(Traced { file, window }) = traced {
            engine.trace(file, window.clone());
        }
        Ok::<_, EngineError>(engine)
    };
    simulate(arguments, scenario, Maker { build, verilog: || cmd_verilog::core_files(scenario.config()) })
}

fn settings(arguments: &Arguments) -> Settings {
    let Arguments { loss, ack_loss, reorder, duplicate, corrupt, .. } = *arguments;
    Settings {
        config: arguments.config,
        planes: arguments.planes,
        paths: arguments.paths.unwrap_or(arguments.config.paths()),
        delays_ps: arguments.delay.clone(),
        rates: Rates { loss, ack_loss, reorder, duplicate, corrupt },
        speed: arguments.rate,
        psn_start: arguments.psn_start,
        seed: arguments.seed,
        patience: Scenario::PATIENCE,
    }
}
