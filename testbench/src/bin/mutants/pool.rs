//! The mutants of a design.

use anyhow::{bail, Context};
use heddle_verilate::mutate::{mutants, Mutant};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::fmt;
use std::path::Path;

/// One mutant of one module of a design.
pub struct Candidate {
    /// The design.
    pub design: String,
    /// The module.
    pub module: String,
    /// Index among the module's mutants.
    pub index: usize,
    /// The line as it is, without indentation.
    pub line: String,
    /// The line with the fault.
    pub mutated: String,
    mutant: Mutant,
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (design, module, line, column) =
            (&self.design, &self.module, self.mutant.line, self.mutant.column);
        write!(f, "{design}/{module}.v:{line}:{column} `{}` -> `{}`", self.mutant.before, self.mutant.after)?;
        write!(f, " in `{}` (HEDDLE_MUTANT={design}/{module}:{})", self.line, self.index)
    }
}

/// Every mutant of the design's modules as the last build wrote them, in the order of file names.
pub fn candidates(design: &str) -> anyhow::Result<Vec<Candidate>> {
    let folder = Path::new(env!("OUT_DIR")).join(design);
    let entries = std::fs::read_dir(&folder).with_context(|| format!("there is no design `{design}`"))?;
    let mut files: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "v"));
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let module = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(&file)?;
        all.extend(mutants(&text).into_iter().enumerate().map(|(index, mutant)| Candidate {
            design: design.into(),
            module: module.clone(),
            index,
            line: line(&text, mutant.line),
            mutated: line(&mutant.apply(&text), mutant.line),
            mutant,
        }));
    }
    if all.is_empty() {
        bail!("`{design}` has nothing to mutate");
    }
    Ok(all)
}

/// `count` of them, without repetition.
pub fn draw(mut candidates: Vec<Candidate>, count: usize, rng: &mut ChaCha8Rng) -> Vec<Candidate> {
    candidates.shuffle(rng);
    candidates.truncate(count);
    candidates
}

fn line(text: &str, number: usize) -> String {
    text.lines().nth(number - 1).unwrap_or_default().trim().to_string()
}
