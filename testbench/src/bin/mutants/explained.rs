//! The list of mutants that no test can catch, because they mean the same; each with its reason.

use crate::pool::Candidate;
use anyhow::bail;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// `testbench/mutants.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explained {
    /// Test target by design, where it has another name than the design.
    #[serde(default)]
    tests: BTreeMap<String, String>,
    #[serde(default)]
    equivalent: Vec<Equivalent>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Equivalent {
    design: String,
    module: String,
    line: String,
    mutated: String,
    why: String,
}

impl Explained {
    /// Reads the list.
    pub fn load() -> anyhow::Result<Self> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("mutants.toml");
        Ok(toml::from_str(&std::fs::read_to_string(path)?)?)
    }

    /// The test target of a design: by the list, else of its name.
    pub fn test_target<'a>(&'a self, design: &'a str) -> &'a str {
        self.tests.get(design).map_or(design, String::as_str)
    }

    /// Why this mutant means the same.
    pub fn reason(&self, design: &str, candidate: &Candidate) -> Option<&str> {
        let found = self.equivalent.iter().find(|e| e.design == design && e.is(candidate));
        found.map(|e| e.why.as_str())
    }

    /// An explanation of a line that is no longer there explains nothing.
    pub fn reject_stale(&self, design: &str, candidates: &[Candidate]) -> anyhow::Result<()> {
        for entry in self.equivalent.iter().filter(|e| e.design == design) {
            if !candidates.iter().any(|c| entry.is(c)) {
                bail!("mutants.toml: {design}/{} has no mutant `{}` any more", entry.module, entry.mutated);
            }
        }
        Ok(())
    }
}

impl Equivalent {
    fn is(&self, candidate: &Candidate) -> bool {
        (&self.module, &self.line, &self.mutated) == (&candidate.module, &candidate.line, &candidate.mutated)
    }
}

/// The entry to add for a mutant, once its reason is known.
pub fn entry(candidate: &Candidate) -> String {
    let Candidate { design, module, line, mutated, .. } = candidate;
    // Verilog's numbers have apostrophes, so TOML's literal strings are the ones with three.
    let place = format!("design = \"{design}\"\nmodule = \"{module}\"");
    format!("[[equivalent]]\n{place}\nline = '''{line}'''\nmutated = '''{mutated}'''\nwhy = \"\"")
}
