//! `heddle sim`: a plan on the simulated fabric.

mod tracing;

use crate::failure::Failure;
use crate::output::{self, Folder, Part};
use clap::Args;
use heddle_sim::plan::{builtins, Plan, PlanError, Source};
use heddle_sim::report::Report;
use heddle_sim::run;
use heddle_sim::sweep::{self, Options, Ranks, Store, SweepError};
use std::path::PathBuf;
use tracing::Tracing;

/// Names of the files of a report.
const PAGE: &str = "report.html";
const JSON: &str = "report.json";
const CSV: &str = "points.csv";
/// Folder of the finished points.
const POINTS: &str = "points";

/// Runs a plan: clusters of hosts on a simulated fabric, Heddle beside what it is compared with.
#[derive(Args)]
pub struct Arguments {
    /// A TOML file, or the name of a built-in plan.
    #[arg(required_unless_present = "list")]
    pub plan: Option<String>,
    /// Shows the built-in plans.
    #[arg(long, exclusive = true)]
    pub list: bool,
    /// Sets a key of the plan, like topology.hosts=64; it wins over the file. A list is for a key that a
    /// sweep has.
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Runs one point of the plan, by its name in the table.
    #[arg(long, value_name = "NAME")]
    pub point: Option<String>,
    /// Everything random follows from it; short for --set seed=N.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Threads; one for each core when not given. The result does not depend on it.
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
    /// Folder in which finished points are kept: a run that was interrupted goes on from there.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Folder for one HTML page with figures, and CSV and JSON beside it.
    #[arg(long)]
    pub report: Option<PathBuf>,
    /// Folder for the figures, each a picture (SVG) of its own.
    #[arg(long)]
    pub figures: Option<PathBuf>,
    /// File for all results as JSON.
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// File for a line per point.
    #[arg(long)]
    pub csv: Option<PathBuf>,
    /// Writes a capture of what host NODE sends and receives on its connection CONN, packet by packet, with
    /// why it was sent again and what became of it: for `heddle trace` and Wireshark. CONN is the host's
    /// number of it, as in the packets that it receives; one that is not there lists those that are. The plan
    /// must have one point, or --point or --set choose one. Of Heddle only.
    #[arg(long, value_name = "NODE:CONN")]
    pub trace: Option<String>,
    /// File for the capture; trace-NODE-CONN.pcapng, in the folder of --out if there is one, when not given.
    #[arg(long, value_name = "FILE", requires = "trace")]
    pub pcap: Option<PathBuf>,
}

/// Carries the command out.
pub fn run_command(arguments: &Arguments) -> Result<(), Failure> {
    let Some(name) = arguments.plan.as_ref().filter(|_| !arguments.list) else { return list() };
    let ranks = Ranks::begin();
    let prepared = prepare(arguments, name, ranks.is_first());
    // The first one says why it does not go on; the others would say the same.
    match (ranks.go_on(prepared.is_ok()), ranks.is_first()) {
        (false, false) => return Ok(()),
        (false, true) => return prepared.map(drop),
        (true, _) => {}
    }
    let Prepared { plan, folders, store, version, tracing } = match prepared {
        Ok(prepared) => prepared,
        // Only here is something wrong: the first one tells it.
        Err(e) => {
            ranks.give_up(&e.to_string());
            return Ok(());
        }
    };
    // One run is the first one's alone.
    if arguments.trace.is_some() && !ranks.is_first() {
        return Ok(());
    }
    let (outcomes, said) = match tracing {
        Some(tracing) => tracing.run(&plan.points, store.as_ref())?,
        None => {
            let options = Options { store: store.as_ref(), threads: arguments.threads };
            let ran = ranks.run(&plan.points, &options, &version, run::run);
            let Some(outcomes) = ran.map_err(failed)? else { return Ok(()) };
            (outcomes, String::new())
        }
    };
    let report = Report::new(plan, outcomes, &version);
    write(arguments, folders, &report)?;
    output::print(&said)?;
    judge(&report)
}

/// Folders that are asked for.
struct Folders {
    report: Option<Folder>,
    figures: Option<Folder>,
}

/// What a run needs before it begins.
struct Prepared {
    plan: Plan,
    folders: Folders,
    store: Option<Store>,
    version: String,
    tracing: Option<Tracing>,
}

/// Reads the plan; what cannot be written, by the process that `writes`, is refused before the run begins.
fn prepare(arguments: &Arguments, name: &str, writes: bool) -> Result<Prepared, Failure> {
    let mut plan =
        Source::open(name).and_then(|source| Plan::load(&source, &sets(arguments))).map_err(refused)?;
    if let Some(point) = &arguments.point {
        plan.choose(point).map_err(refused)?;
    }
    let tracing = if writes { Tracing::prepare(arguments, &plan)? } else { None };
    let files = [&arguments.json, &arguments.csv, &arguments.pcap].into_iter().flatten();
    files.filter(|_| writes).try_for_each(|path| Part::begin(path, path).map(drop))?;
    let begin =
        |dir: &Option<PathBuf>| dir.as_ref().filter(|_| writes).map(|dir| Folder::begin(dir)).transpose();
    let folders = Folders { report: begin(&arguments.report)?, figures: begin(&arguments.figures)? };
    let version = sweep::program_version(env!("CARGO_PKG_VERSION"));
    let version = version.map_err(|e| {
        Failure::Run(format!("cannot read this program to tell its results from another's: {e}"))
    })?;
    let out = arguments.out.as_ref().filter(|_| writes);
    let store = out.map(|dir| Store::open(&dir.join(POINTS), &version)).transpose().map_err(failed)?;
    Ok(Prepared { plan, folders, store, version, tracing })
}

fn list() -> Result<(), Failure> {
    let mut text = String::new();
    for plan in builtins() {
        let loaded = Source::open(plan.name).and_then(|source| Plan::load(&source, &[])).map_err(refused)?;
        text += &format!("{:<14} {} {} points.\n", plan.name, loaded.about, loaded.points.len());
    }
    output::print(&text)
}

fn sets(arguments: &Arguments) -> Vec<String> {
    let seed = arguments.seed.map(|seed| format!("seed={seed}"));
    arguments.set.iter().cloned().chain(seed).collect()
}

fn write(arguments: &Arguments, folders: Folders, report: &Report) -> Result<(), Failure> {
    output::print(&report.table())?;
    if let Some(path) = &arguments.json {
        output::file(path, &report.json())?;
    }
    if let Some(path) = &arguments.csv {
        output::file(path, &report.csv())?;
    }
    if let Some(folder) = folders.figures {
        for (name, picture) in report.pictures().map_err(|e| Failure::Run(e.to_string()))? {
            folder.file(&name, &picture)?;
        }
        folder.commit()?;
    }
    if let Some(folder) = folders.report {
        folder.file(PAGE, &report.html().map_err(|e| Failure::Run(e.to_string()))?)?;
        folder.file(JSON, &report.json())?;
        folder.file(CSV, &report.csv())?;
        folder.commit()?;
    }
    Ok(())
}

fn judge(report: &Report) -> Result<(), Failure> {
    let missed = report.targets().iter().filter(|target| !target.met).count();
    match missed {
        0 => Ok(()),
        _ => Err(Failure::Run(format!("{missed} of {} targets are not met", report.targets().len()))),
    }
}

fn refused(error: PlanError) -> Failure {
    Failure::Usage(error.to_string())
}

fn failed(error: SweepError) -> Failure {
    Failure::Run(error.to_string())
}
