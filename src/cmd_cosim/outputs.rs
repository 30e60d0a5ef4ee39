//! The files of a run: each appears complete or not at all.

use super::arguments::Arguments;
use super::plot;
use super::show::Seen;
use crate::failure::Failure;
use crate::output::{self, Folder, Part};
use heddle_testbench::capture::Writer;
use heddle_testbench::cosim::{Report, Scenario};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// A capture in the making.
pub type Capture<'a> = Writer<'a, BufWriter<Part>>;

/// State of the paths over time in the making.
pub type PathTrace = csv::Writer<Part>;

/// Name of the capture in the folder.
const CAPTURE: &str = "capture.pcapng";
/// Name of the figures in the folder.
const REPORT: &str = "report.json";
/// Name of the waveform in the folder.
const WAVE: &str = "wave.vcd";
/// More than the waveform of a window needs.
const WAVE_BYTES: usize = 50_000_000;
/// Name of the folder of the cores' Verilog.
const VERILOG: &str = "verilog";

/// What is to be written, and where.
pub struct Outputs {
    folder: Option<Folder>,
    json: Option<PathBuf>,
    /// The capture, and what messages call it.
    pcap: Option<(PathBuf, PathBuf)>,
    /// The waveform, and what messages call it.
    wave: Option<(PathBuf, PathBuf)>,
    plot: Option<PathBuf>,
    paths: Option<PathBuf>,
}

impl Outputs {
    /// Refuses what cannot be written before the run begins.
    pub fn begin(arguments: &Arguments) -> Result<Self, Failure> {
        let folder = arguments.out.as_ref().map(|dir| Folder::begin(dir)).transpose()?;
        for path in [&arguments.json, &arguments.plot].into_iter().flatten() {
            // Only to see that it can be: it is dropped again.
            Part::begin(path, path)?;
        }
        let pcap = match (&folder, &arguments.out, &arguments.pcap) {
            (Some(folder), Some(dir), _) => Some((folder.path(CAPTURE), dir.join(CAPTURE))),
            (_, _, Some(path)) => Some((path.clone(), path.clone())),
            _ => None,
        };
        let wave = match (&folder, &arguments.out, &arguments.wave) {
            (Some(folder), Some(dir), _) => Some((folder.path(WAVE), dir.join(WAVE))),
            (_, _, Some(path)) => {
                // As above.
                Part::begin(path, path)?;
                Some((path.clone(), path.clone()))
            }
            _ => None,
        };
        let (json, plot) = (arguments.json.clone(), arguments.plot.clone());
        let paths = arguments.trace_paths.clone();
        Ok(Self { folder, json, pcap, wave, plot, paths })
    }

    /// Has `write` write the waveform, if there is to be one.
    pub fn wave(&self, write: impl FnOnce(&Path) -> Result<(), Failure>) -> Result<(), Failure> {
        let Some((path, shown)) = &self.wave else { return Ok(()) };
        let part = Part::begin(path, shown)?;
        part.reserve(WAVE_BYTES)?;
        write(part.path())?;
        part.commit()
    }

    /// The Verilog of the cores, name and text, when there is a folder to put it into.
    pub fn verilog(
        &self,
        files: impl FnOnce() -> Result<Vec<(String, String)>, Failure>,
    ) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        files()?.iter().try_for_each(|(name, text)| folder.file(&format!("{VERILOG}/{name}"), text))
    }

    /// The capture, if there is to be one.
    pub fn begin_capture<'a>(&self, scenario: &'a Scenario) -> Result<Option<Capture<'a>>, Failure> {
        let Some((path, shown)) = &self.pcap else { return Ok(None) };
        let part = BufWriter::new(Part::begin(path, shown)?);
        Writer::new(scenario, part).map(Some).map_err(|e| self.cannot_observe(&e))
    }

    /// The state of the paths, if it is to be written.
    pub fn begin_paths(&self) -> Result<Option<PathTrace>, Failure> {
        let Some(path) = &self.paths else { return Ok(None) };
        Part::begin(path, path).map(|part| Some(csv::Writer::from_writer(part)))
    }

    /// What to say when what is written as the run goes cannot be: the capture, or the state of the paths.
    pub fn cannot_observe(&self, error: &io::Error) -> Failure {
        let capture = self.pcap.as_ref().map(|(_, shown)| shown);
        let shown: Vec<_> = capture.into_iter().chain(&self.paths).map(|path| path.display()).collect();
        let shown: Vec<_> = shown.iter().map(ToString::to_string).collect();
        output::cannot_write(Path::new(&shown.join(" or ")), error)
    }

    /// Puts everything in place; `report` when the run came to a result.
    pub fn commit(self, scenario: &Scenario, seen: Seen<'_>, report: Option<&Report>) -> Result<(), Failure> {
        let text = report.map(serde_json::to_string_pretty).transpose();
        let text = text.map_err(|e| Failure::Run(e.to_string()))?.map(|text| text + "\n");
        if let Some(capture) = seen.capture {
            let part = capture.finish().and_then(|buffer| buffer.into_inner().map_err(|e| e.into_error()));
            part.map_err(|e| self.cannot_observe(&e))?.commit()?;
        }
        if let (Some(paths), Some(path)) = (seen.paths, &self.paths) {
            let part = paths.into_inner().map_err(|e| output::cannot_write(path, e.error()))?;
            part.commit()?;
        }
        if let Some(path) = &self.plot {
            output::file(path, &plot::render(scenario, &seen.goodput)?)?;
        }
        if let (Some(path), Some(text)) = (&self.json, &text) {
            output::file(path, text)?;
        }
        let Some(folder) = self.folder else { return Ok(()) };
        if let Some(text) = &text {
            folder.file(REPORT, text)?;
        }
        folder.commit()
    }
}
