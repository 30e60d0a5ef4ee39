//! Results for people and programs: a table, CSV, JSON, and one HTML page that needs nothing else.

mod csv;
mod figure;
mod figures;
mod json;
mod page;
mod show;
mod table;

use crate::outcome::Outcome;
use crate::plan::{Judged, Plan, Point};
use thiserror::Error;

/// A figure that could not be drawn.
#[derive(Debug, Error)]
#[error("cannot draw {title}: {error}")]
pub struct ReportError {
    /// Which.
    pub title: String,
    /// Why.
    pub error: String,
}

/// A plan and what came of it.
#[derive(Clone, Debug)]
pub struct Report {
    plan: Plan,
    version: String,
    done: Vec<(Point, Outcome)>,
    targets: Vec<Judged>,
}

impl Report {
    /// Of a plan and the outcomes of its points, in their order; `version` is of the program.
    ///
    /// # Panics
    /// If there is not one outcome for each point.
    pub fn new(plan: Plan, outcomes: Vec<Outcome>, version: &str) -> Self {
        assert_eq!(plan.points.len(), outcomes.len(), "one outcome for each point");
        let done: Vec<_> = plan.points.iter().cloned().zip(outcomes).collect();
        let targets = plan.targets.iter().map(|target| target.judge(&done)).collect();
        Self { plan, version: version.to_owned(), done, targets }
    }

    /// What became of the targets, in the order of the plan.
    pub fn targets(&self) -> &[Judged] {
        &self.targets
    }

    /// For a terminal.
    pub fn table(&self) -> String {
        table::render(self)
    }

    /// A line per point.
    pub fn csv(&self) -> String {
        csv::render(self)
    }

    /// Everything, with keys that stay.
    pub fn json(&self) -> String {
        json::render(self)
    }

    /// One page of figures, tables and the plan; it loads nothing.
    ///
    /// # Errors
    /// When a figure cannot be drawn.
    pub fn html(&self) -> Result<String, ReportError> {
        page::render(self)
    }

    /// Every figure of the page as a picture that stands alone: a file's name and its SVG.
    ///
    /// # Errors
    /// When a figure cannot be drawn.
    pub fn pictures(&self) -> Result<Vec<(String, String)>, ReportError> {
        let looks = figures::Looks::new(&self.done);
        let mut pictures: Vec<(String, String)> = Vec::new();
        for (sweep, points) in self.sweeps() {
            for (n, figure) in figures::of_sweep(&points, &looks).iter().enumerate() {
                let name = match n {
                    0 => format!("{}.svg", show::file_name(sweep)),
                    n => format!("{}-{}.svg", show::file_name(sweep), n + 1),
                };
                pictures.push((name, figure::picture(figure)?));
            }
        }
        Ok(pictures)
    }

    /// Seeds of all points, rising.
    fn seeds(&self) -> Vec<u64> {
        let mut seeds: Vec<_> = self.done.iter().map(|(point, _)| point.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        seeds
    }

    /// The sweeps in the order of the plan, each with its points.
    fn sweeps(&self) -> Vec<(&str, Vec<&(Point, Outcome)>)> {
        let mut sweeps: Vec<(&str, Vec<_>)> = Vec::new();
        for one in &self.done {
            match sweeps.iter_mut().find(|(name, _)| *name == one.0.sweep()) {
                Some((_, points)) => points.push(one),
                None => sweeps.push((one.0.sweep(), vec![one])),
            }
        }
        sweeps
    }
}

#[cfg(test)]
mod tests;
