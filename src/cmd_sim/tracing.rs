//! `--trace`: one connection of one run as a capture.

use super::Arguments;
use crate::failure::Failure;
use crate::output::{cannot_write, Part};
use heddle_sim::capture::{CaptureError, Recorder, Request};
use heddle_sim::outcome::Outcome;
use heddle_sim::plan::{Plan, Point};
use heddle_sim::sweep::Store;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// A run to be followed.
pub struct Tracing {
    recorder: Recorder,
    path: PathBuf,
}

impl Tracing {
    /// Prepares what `--trace` asks for, if it was given.
    pub fn prepare(arguments: &Arguments, plan: &Plan) -> Result<Option<Self>, Failure> {
        let Some(trace) = &arguments.trace else { return Ok(None) };
        let request: Request = trace.parse().map_err(refused)?;
        let [point] = plan.points.as_slice() else {
            let (count, first) = (plan.points.len(), plan.points.first().map_or("", |point| point.name()));
            return Err(Failure::Usage(format!(
                "--trace {request}: a capture is of one run, and the plan has {count} points: choose one \
                 with --point, like --point {first}, or with --set"
            )));
        };
        let named = || PathBuf::from(format!("trace-{}-{}.pcapng", request.host, request.conn));
        let folder = arguments.out.clone().unwrap_or_default();
        let path = arguments.pcap.clone().unwrap_or_else(|| folder.join(named()));
        Ok(Some(Self { recorder: Recorder::new(point, request).map_err(refused)?, path }))
    }

    /// Runs the one point that there is, keeps its outcome and writes the capture; also gives what to say of that.
    pub fn run(self, points: &[Point], store: Option<&Store>) -> Result<(Vec<Outcome>, String), Failure> {
        let Self { recorder, path } = self;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|e| cannot_write(&path, &e))?;
        }
        let mut to = BufWriter::new(Part::begin(&path, &path)?);
        let (outcome, capture) = recorder.run();
        capture.write(&mut to).and_then(|()| to.flush()).map_err(|e| cannot_write(&path, &e))?;
        to.into_inner().map_err(|e| cannot_write(&path, e.error()))?.commit()?;
        if let Some(store) = store {
            let kept = points.iter().try_for_each(|point| store.save(point, &outcome));
            kept.map_err(|e| Failure::Run(e.to_string()))?;
        }
        let entries = &capture.entries;
        let resent = entries.iter().filter(|entry| entry.is_resent()).count();
        let dropped = entries.iter().filter(|entry| entry.is_dropped()).count();
        let (path, title, packets) = (path.display(), &capture.title, entries.len());
        let said = format!("{path}: {title}: {packets} packets, {resent} resent, {dropped} dropped\n");
        Ok((vec![outcome], said))
    }
}

fn refused(error: CaptureError) -> Failure {
    match error {
        CaptureError::Run(..) => Failure::Run(error.to_string()),
        other => Failure::Usage(format!("--trace {other}")),
    }
}
