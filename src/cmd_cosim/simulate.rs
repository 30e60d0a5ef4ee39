//! The run, its files and its table, whatever computes the cores.

use super::arguments::{Arguments, EngineKind, WorkloadName};
use super::outputs::Outputs;
use super::show::Show;
use super::table;
use crate::failure::Failure;
use crate::output;
use heddle_testbench::cosim::{
    failure_window, replay, run, wave_window, EndpointSetup, Engine, EngineError, HostMemory, Outcome, Plan,
    RunError, Scenario, Workload,
};
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A GiB: what a machine can be expected to hold six times, with what the memories are and must be.
const MOST_BYTES: u64 = 1 << 30;
/// Bytes of a workload when no other number is given.
const BYTES: u64 = 1 << 20;
/// The same of atomics, of which each is a message.
const ATOMIC_BYTES: u64 = 64 << 10;

/// What an endpoint is asked to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// The VCD file.
    pub file: PathBuf,
    /// Cycles of the run.
    pub window: Range<u64>,
}

/// How endpoints are made, and what there is to read of them.
pub struct Maker<B, V> {
    /// Makes an endpoint, the sender first; one that can writes the waveform asked for.
    pub build: B,
    /// Verilog of the core, name and text.
    pub verilog: V,
}

/// Runs, writes the files, prints the table.
pub fn simulate<E: Engine>(
    arguments: &Arguments,
    scenario: &Scenario,
    mut maker: Maker<
        impl FnMut(&EndpointSetup, HostMemory, Option<&Traced>) -> Result<E, EngineError>,
        impl FnOnce() -> Result<Vec<(String, String)>, Failure>,
    >,
) -> Result<(), Failure> {
    let plan = plan(arguments, scenario)?;
    let outputs = Outputs::begin(arguments)?;
    let mut show =
        Show::new(scenario, plan.bytes(), outputs.begin_capture(scenario)?, outputs.begin_paths()?);
    // The only clock that is looked at: how fast the simulation was is no part of what it found.
    let begun = Instant::now();
    let result = run(scenario, &plan, |setup, memory| (maker.build)(setup, memory, None), &mut show);
    let seconds = begun.elapsed().as_secs_f64();
    let seen = show.finish();
    let window = match &result {
        Ok(outcome) => Some(wave_window(outcome)),
        Err(error) => failure_window(error),
    };
    let mut written = Ok(());
    if let (Some(window), EngineKind::Rtl) = (window, arguments.engine) {
        let wave = |path: &Path| {
            wave(scenario, &plan, &mut maker.build, &Traced { file: path.to_owned(), window });
            Ok(())
        };
        written = outputs.verilog(maker.verilog).and_then(|()| outputs.wave(wave));
    }
    match result {
        Ok(Outcome { mut report, differences, wrong, end, .. }) => {
            report.sim_cycles_per_second = end as f64 / seconds.max(f64::EPSILON);
            // The figures come first: a disk that is full must not hide what was found.
            output::print(&table::render(&report))?;
            let written = written.and_then(|()| outputs.commit(scenario, seen, Some(&report)));
            let watched = arguments.engine == EngineKind::Model || report.transactions_compared > 0;
            if report.is_good() && wrong.is_none() && watched {
                return written;
            }
            let each = differences.iter().map(|(side, one)| format!("; {side}, {one}"));
            let wrong = wrong.map(|wrong| format!("; {wrong}")).unwrap_or_default();
            let what = table::difference(&report) + &wrong + &each.collect::<String>();
            Err(Failure::Run(what + &again(scenario) + &also(written)))
        }
        Err(RunError::Observer(error)) => Err(outputs.cannot_observe(&error)),
        Err(error) => {
            // What was on the wire until then is what one wants to look at.
            let written = written.and_then(|()| outputs.commit(scenario, seen, None));
            Err(Failure::Run(format!("{error}{}{}", again(scenario), also(written))))
        }
    }
}

/// The same run again up to the end of the window, with the sender's signals written.
fn wave<E: Engine>(
    scenario: &Scenario,
    plan: &Plan,
    mut build: impl FnMut(&EndpointSetup, HostMemory, Option<&Traced>) -> Result<E, EngineError>,
    traced: &Traced,
) {
    let mut sender = Some(traced);
    let build = |setup: &EndpointSetup, memory| build(setup, memory, sender.take());
    // A run that failed fails here again, at the end of its window: that is what the waveform is to show.
    let _ = replay(scenario, plan, build, traced.window.end);
}

fn plan(arguments: &Arguments, scenario: &Scenario) -> Result<Plan, Failure> {
    let senders = u64::from(scenario.senders());
    if let Some(path) = &arguments.file {
        return Ok(Plan::file(scenario, &file(path, MOST_BYTES / senders)?));
    }
    let name = arguments.workload.unwrap_or(WorkloadName::Write);
    let default = if name == WorkloadName::Atomic { ATOMIC_BYTES } else { BYTES };
    let bytes = arguments.bytes.unwrap_or(default);
    if bytes > MOST_BYTES / senders {
        return Err(Failure::Usage(format!(
            "--bytes: at most {MOST_BYTES} of all senders, the hosts hold everything in memory"
        )));
    }
    Ok(Plan::workload(scenario, Workload::from(name), bytes))
}

fn file(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let name = path.display();
    let cannot = |e| Failure::Usage(format!("cannot read {name}: {e}; name a file that can be read"));
    // A pipe or a device does not tell its size.
    let mut bytes = Vec::new();
    let reader = std::fs::File::open(path).map_err(cannot)?;
    reader.take(most + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > most {
        return Err(Failure::Usage(format!("{name} has more than {most} bytes: the hosts hold the file")));
    }
    Ok(bytes)
}

/// What could not be written, behind what is worse.
fn also(written: Result<(), Failure>) -> String {
    written.err().map_or(String::new(), |failure| format!("; besides, {failure}"))
}

/// How to see it again.
fn again(scenario: &Scenario) -> String {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    format!("; seed {}, again with: heddle {}", scenario.seed(), arguments.join(" "))
}
