//! The arguments of `heddle cosim`.

use crate::failure::Failure;
use clap::{ArgGroup, Args, ValueEnum};
use heddle_rtl::config::{named, Config};
use heddle_sim::units;
use heddle_testbench::cosim::{Features, PlaneChange, Scenario, Settings, Workload};
use heddle_testbench::link::{Probability, QueueLimits, Rates};
use std::path::PathBuf;

/// What computes the cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineKind {
    /// The Verilated core.
    Rtl,
    /// The golden model.
    Model,
}

/// What is moved when no file is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WorkloadName {
    /// Messages of every kind and awkward sizes, with fences and scarce receives, both ways.
    Mixed,
    /// A random file, by WRITE.
    Write,
    /// SEND into posted receives.
    Send,
    /// READ.
    Read,
    /// FETCH_ADD and CMP_SWAP.
    Atomic,
}

impl From<WorkloadName> for Workload {
    fn from(name: WorkloadName) -> Self {
        match name {
            WorkloadName::Mixed => Self::Mixed,
            WorkloadName::Write => Self::Write,
            WorkloadName::Send => Self::Send,
            WorkloadName::Read => Self::Read,
            WorkloadName::Atomic => Self::Atomic,
        }
    }
}

/// Moves a file or messages through cores over a lossy multiplane network, compares every byte, and shows what
/// happened.
#[derive(Args)]
#[command(group = ArgGroup::new("what").required(true).args(["file", "workload"]))]
pub struct Arguments {
    /// Named configuration of the cores.
    #[arg(long, value_parser = config, default_value = "gbe")]
    pub config: Config,
    /// File to move.
    #[arg(long)]
    pub file: Option<PathBuf>,
    /// What to move instead of a file.
    #[arg(long)]
    pub workload: Option<WorkloadName>,
    /// Bytes of the workload per sender, like 4097 or 1MiB [default: 1MiB; atomic: 64KiB].
    #[arg(long, value_parser = units::bytes, conflicts_with = "file")]
    pub bytes: Option<u64>,
    /// What computes the cores.
    #[arg(long, default_value = "rtl")]
    pub engine: EngineKind,
    /// The golden model does what the RTL does and no more: a fixed window in place of congestion control, and
    /// paths that keep their routes.
    #[arg(long)]
    pub like_rtl: bool,
    /// Cores that send to the one receiver.
    #[arg(long, default_value_t = 1)]
    pub senders: u32,
    /// Planes, separate networks between the cores.
    #[arg(long, default_value_t = 4)]
    pub planes: u32,
    /// Paths of a connection; as many as the configuration has when not given.
    #[arg(long)]
    pub paths: Option<u32>,
    /// One-way delay of the planes, one for all or one each.
    #[arg(long, value_parser = units::duration_ps, value_delimiter = ',', default_value = "2us")]
    pub delay: Vec<u64>,
    /// Probability that a DATA or PROBE packet is lost.
    #[arg(long, value_parser = probability, default_value = "0")]
    pub loss: Probability,
    /// Probability that an ACK is lost.
    #[arg(long, value_parser = probability, default_value = "0")]
    pub ack_loss: Probability,
    /// Probability that a packet is late, up to 500 cycles, and others overtake it.
    #[arg(long, value_parser = probability, default_value = "0")]
    pub reorder: Probability,
    /// Probability that a packet arrives twice.
    #[arg(long, value_parser = probability, default_value = "0")]
    pub duplicate: Probability,
    /// Probability that a bit of a packet is flipped.
    #[arg(long, value_parser = probability, default_value = "0")]
    pub corrupt: Probability,
    /// Speed of a plane's port to the receiver, and of that back, like 10G; as fast as a core when not given.
    #[arg(long, value_parser = units::bits_per_second)]
    pub rate: Option<u64>,
    /// Bytes in a plane's queue from which on packets are marked CE, like 100KiB.
    #[arg(long, value_parser = units::bytes)]
    pub ecn_threshold: Option<u64>,
    /// Bytes that a plane's queue has room for, like 1MiB; without limit when not given.
    #[arg(long, value_parser = units::bytes)]
    pub buffer: Option<u64>,
    /// A plane dies and loses all that is on it, like 1@500us; several with commas.
    #[arg(long, value_parser = units::plane_and_time, value_delimiter = ',')]
    pub kill_plane: Vec<(u8, u64)>,
    /// A dead plane comes back, like 1@900us.
    #[arg(long, value_parser = units::plane_and_time, value_delimiter = ',')]
    pub revive_plane: Vec<(u8, u64)>,
    /// The cores are told at once when a plane dies or comes back; else they must notice.
    #[arg(long)]
    pub carrier: bool,
    /// First PSN of every path; drawn when not given.
    #[arg(long)]
    pub psn_start: Option<u32>,
    /// Everything random follows from it.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// File for the waveform of the sender, a window around the first loss and its resend.
    #[arg(long)]
    pub wave: Option<PathBuf>,
    /// File for the capture of every frame.
    #[arg(long)]
    pub pcap: Option<PathBuf>,
    /// File for the state of every path over time.
    #[arg(long)]
    pub trace_paths: Option<PathBuf>,
    /// File for a picture of the goodput of every plane over time.
    #[arg(long)]
    pub plot: Option<PathBuf>,
    /// File for the figures.
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Folder for report.json, capture.pcapng and, with --engine rtl, wave.vcd and the folder verilog. It appears
    /// complete or not at all.
    #[arg(long, conflicts_with_all = ["wave", "pcap", "json"])]
    pub out: Option<PathBuf>,
}

fn config(name: &str) -> Result<Config, String> {
    let names = named::all().map(|config| config.name()).join(", ");
    named::by_name(name).ok_or_else(|| format!("there are: {names}"))
}

fn probability(text: &str) -> Result<Probability, String> {
    let value = text.parse().map_err(|_| "needed is a number between 0 and 1".to_owned())?;
    Probability::new("it", value).map_err(|e| e.to_string())
}

impl Arguments {
    /// The run that they ask for; refuses what cannot be, or what the engine does not have.
    pub fn scenario(&self) -> Result<Scenario, Failure> {
        self.check_engine().map_err(Failure::Usage)?;
        Scenario::new(self.settings()).map_err(|e| Failure::Usage(e.to_string()))
    }

    /// In one sentence, the first thing that the engine lacks.
    fn check_engine(&self) -> Result<(), String> {
        if self.engine == EngineKind::Model {
            return match (&self.wave, self.like_rtl, self.workload) {
                (Some(_), _, _) => {
                    Err("the golden model has no signals to show; --wave needs --engine rtl".to_owned())
                }
                (_, true, Some(name)) if name != WorkloadName::Write => Err(format!(
                    "--like-rtl leaves out every operation but WRITE, which --workload {} needs",
                    Workload::from(name).name()
                )),
                _ => Ok(()),
            };
        }
        let workload = self.workload.filter(|name| *name != WorkloadName::Write);
        let workload = workload.map(|name| format!("--workload {}", Workload::from(name).name()));
        let asked = [
            (self.senders != 1, "--senders"),
            (self.ecn_threshold.is_some(), "--ecn-threshold"),
            (!self.kill_plane.is_empty(), "--kill-plane"),
            (!self.revive_plane.is_empty(), "--revive-plane"),
            (self.carrier, "--carrier"),
            (self.trace_paths.is_some(), "--trace-paths"),
            (self.like_rtl, "--like-rtl"),
        ];
        let asked = asked.into_iter().filter(|(asked, _)| *asked).map(|(_, name)| name.to_owned());
        match workload.into_iter().chain(asked).next() {
            Some(name) => Err(format!(
                "the RTL has WRITE alone, and neither congestion control nor other routes yet: {name} needs \
                 --engine model"
            )),
            None => Ok(()),
        }
    }

    fn settings(&self) -> Settings {
        let Self { loss, ack_loss, reorder, duplicate, corrupt, ecn_threshold, buffer, .. } = *self;
        let change = |up| move |&(plane, at_ps): &(u8, u64)| PlaneChange { plane, at_ps, up };
        let kills = self.kill_plane.iter().map(change(false));
        let revivals = self.revive_plane.iter().map(change(true));
        let all = self.engine == EngineKind::Model && !self.like_rtl;
        Settings {
            planes: self.planes,
            paths: self.paths.unwrap_or(self.config.paths()),
            delays_ps: self.delay.clone(),
            rates: Rates { loss, ack_loss, reorder, duplicate, corrupt },
            speed: self.rate,
            limits: QueueLimits { ecn_threshold, buffer },
            plane_changes: kills.chain(revivals).collect(),
            carrier: self.carrier,
            senders: self.senders,
            features: if all { Features::ALL } else { Features::RTL },
            psn_start: self.psn_start,
            seed: self.seed,
            ..Settings::new(self.config)
        }
    }
}
