//! The report's run: each block alone for its resources, then wrapped, once per speed grade and seed.

use super::cache::Cache;
use super::synth::Resources;
use super::{route, synth, wrap, Report, ReportError, Row, Subject, DEVICE};
use crate::tool::{self, ToolError};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Part of every cache key: raise it when the flow or the wrapper changes what it measures.
const FLOW: &str = "1";

/// How to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// Speed grades of the part: 6 (slowest), 7, 8.
    pub speeds: Vec<u8>,
    /// Placements per block and grade, seeds 1 to this; their median counts.
    pub seeds: u32,
    /// Tools run at the same time.
    pub jobs: usize,
    /// Folder of earlier results.
    pub cache: Option<PathBuf>,
}

struct Flow {
    cache: Cache,
    work: PathBuf,
    synthesis: String,
    place_and_route: String,
    bar: ProgressBar,
}

/// Measures the subjects: one row per subject and speed grade, in the order given.
pub fn run(subjects: &[Subject], options: &Options) -> Result<Report, ReportError> {
    check(options)?;
    let in_setup = |source| ReportError::Tool { subject: "report".to_owned(), source };
    let work = tempfile::tempdir().map_err(|e| in_setup(ToolError::io(std::env::temp_dir(), e)))?;
    let runs: Vec<(&Subject, u8, u32)> = subjects
        .iter()
        .flat_map(|subject| options.speeds.iter().map(move |speed| (subject, *speed)))
        .flat_map(|(subject, speed)| (1..=options.seeds).map(move |seed| (subject, speed, seed)))
        .collect();
    let flow = Flow {
        cache: Cache::new(options.cache.clone()).map_err(in_setup)?,
        synthesis: synth::version(work.path()).map_err(in_setup)?,
        place_and_route: route::version(work.path()).map_err(in_setup)?,
        work: work.path().to_owned(),
        bar: progress(subjects.len() + runs.len()),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs)
        .build()
        .map_err(|e| in_setup(ToolError::io("threads", std::io::Error::other(e))))?;
    let (resources, fmax) = pool.install(|| -> Result<_, ReportError> {
        let resources: Vec<Resources> =
            subjects.par_iter().map(|s| flow.synthesise(s, &runs)).collect::<Result<_, _>>()?;
        let fmax: Vec<f64> =
            runs.par_iter().map(|(s, speed, seed)| flow.fmax(s, *speed, *seed)).collect::<Result<_, _>>()?;
        Ok((resources, fmax))
    })?;
    flow.bar.finish_and_clear();

    let per_row = fmax.chunks_exact(options.seeds as usize);
    let of_subject = subjects.iter().zip(resources);
    let of_row = of_subject.flat_map(|s| options.speeds.iter().map(move |speed| (s, *speed)));
    let blocks = of_row.zip(per_row).map(|((s, speed), fmax)| row(s.0, s.1, speed, fmax)).collect();
    Ok(Report {
        device: DEVICE.to_owned(),
        synthesis: flow.synthesis,
        place_and_route: flow.place_and_route,
        blocks,
    })
}

fn check(options: &Options) -> Result<(), ReportError> {
    if let Some(got) = options.speeds.iter().find(|speed| !(6..=8).contains(*speed)) {
        return Err(ReportError::Speed { got: *got });
    }
    if options.seeds == 0 {
        return Err(ReportError::Seeds);
    }
    Ok(())
}

/// A bar on standard error; it shows nothing where that is no terminal.
fn progress(steps: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}");
    let bar = ProgressBar::new(steps as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn row(subject: &Subject, cells: Resources, speed: u8, fmax: &[f64]) -> Row {
    Row {
        name: subject.name.clone(),
        config: subject.config.clone(),
        lut: cells.lut,
        carry: cells.carry,
        lutram: cells.lutram,
        ff: cells.ff,
        bram: cells.bram,
        dsp: cells.dsp,
        fmax_mhz: median(fmax),
        speed,
        fmax_mhz_by_seed: fmax.to_vec(),
    }
}

/// Middle value; of an even number of values, the mean of the two in the middle.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.len() / 2;
    let lower = (sorted.len() - 1) / 2;
    (sorted[lower] + sorted[upper]) / 2.0
}

impl Flow {
    fn resources_key<'a>(&'a self, s: &'a Subject) -> [&'a str; 5] {
        ["resources", FLOW, &self.synthesis, &s.top, &s.verilog]
    }

    fn fmax_key(&self, s: &Subject, speed: u8, seed: u32) -> Vec<String> {
        let versions = [FLOW, &self.synthesis, &self.place_and_route, DEVICE].map(str::to_owned);
        let run = ["fmax".to_owned(), s.top.clone(), s.verilog.clone(), speed.to_string(), seed.to_string()];
        [versions.as_slice(), &run].concat()
    }

    fn cached_fmax(&self, s: &Subject, speed: u8, seed: u32) -> Option<f64> {
        let key = self.fmax_key(s, speed, seed);
        self.cache.get(&key.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn dir(&self, s: &Subject) -> PathBuf {
        self.work.join(format!("{}-{}", s.config, s.name))
    }

    /// Resources of the block, and the wrapped netlist for those of its runs that have no result yet.
    fn synthesise(&self, s: &Subject, runs: &[(&Subject, u8, u32)]) -> Result<Resources, ReportError> {
        let label = format!("{} ({})", s.name, s.config);
        self.bar.set_message(format!("{label}: synthesis"));
        let failed = |source| ReportError::Tool { subject: label.clone(), source };
        let dir = self.dir(s);
        std::fs::create_dir_all(&dir).map_err(|e| failed(ToolError::io(&dir, e)))?;
        tool::write(&dir.join("block.v"), &s.verilog).map_err(failed)?;
        let cells = self.resources(s, &dir).map_err(failed)?;
        let open = |run: &&(&Subject, u8, u32)| run.0 == s && self.cached_fmax(s, run.1, run.2).is_none();
        if runs.iter().any(|run| open(&run)) {
            let ports = synth::ports(&dir, "block.v", &s.top).map_err(failed)?;
            let text = wrap::wrapper(&s.top, &ports)
                .map_err(|source| ReportError::Wrap { subject: label.clone(), source })?;
            tool::write(&dir.join("pins.v"), &text).map_err(failed)?;
            let top = wrap::wrapper_name(&s.top);
            synth::netlist(&dir, &["block.v", "pins.v"], &top, "pins.json").map_err(failed)?;
        }
        self.bar.inc(1);
        Ok(cells)
    }

    fn resources(&self, s: &Subject, dir: &Path) -> Result<Resources, ToolError> {
        let key = self.resources_key(s);
        if let Some(cells) = self.cache.get(&key) {
            return Ok(cells);
        }
        let cells = synth::resources(dir, "block.v", &s.top)?;
        self.cache.put(&key, &cells)?;
        Ok(cells)
    }

    fn fmax(&self, s: &Subject, speed: u8, seed: u32) -> Result<f64, ReportError> {
        let label = format!("{} ({}), speed {speed}, seed {seed}", s.name, s.config);
        self.bar.set_message(label.clone());
        let found = match self.cached_fmax(s, speed, seed) {
            Some(fmax) => Ok(fmax),
            None => route::fmax_mhz(&self.dir(s), "pins.json", speed, seed).and_then(|fmax| {
                let key = self.fmax_key(s, speed, seed);
                self.cache.put(&key.iter().map(String::as_str).collect::<Vec<_>>(), &fmax)?;
                Ok(fmax)
            }),
        };
        self.bar.inc(1);
        found.map_err(|source| ReportError::Tool { subject: label, source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(speeds: &[u8], seeds: u32) -> Options {
        Options { speeds: speeds.to_vec(), seeds, jobs: 1, cache: None }
    }

    #[test]
    fn median_of_odd_and_even_numbers_of_seeds() {
        assert_eq!(median(&[190.0, 182.5, 191.0]), 190.0);
        assert_eq!(median(&[190.0, 182.0, 191.0, 170.0]), 186.0);
        assert_eq!(median(&[150.0]), 150.0);
    }

    #[test]
    fn unknown_speed_grade_and_no_seeds_are_wrong_usage() {
        let error = run(&[], &options(&[8, 5], 3)).unwrap_err();
        assert_eq!(error.to_string(), "speed grade: got 5, need 6, 7 or 8");
        assert!(error.is_usage());
        assert!(run(&[], &options(&[8], 0)).unwrap_err().is_usage());
    }
}
