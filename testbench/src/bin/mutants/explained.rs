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
    /// A name, or the start of several and `*`.
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
        let module = match self.module.strip_suffix('*') {
            Some(start) => candidate.module.starts_with(start),
            None => candidate.module == self.module,
        };
        module && (&self.line, &self.mutated) == (&candidate.line, &candidate.mutated)
    }
}

/// The entry to add for a mutant, once its reason is known.
pub fn entry(candidate: &Candidate) -> String {
    let Candidate { design, module, line, mutated, .. } = candidate;
    // Verilog's numbers have apostrophes, so TOML's literal strings are the ones with three.
    let place = format!("design = \"{design}\"\nmodule = \"{module}\"");
    format!("[[equivalent]]\n{place}\nline = '''{line}'''\nmutated = '''{mutated}'''\nwhy = \"\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::candidates;

    #[test]
    fn every_explanation_has_a_reason_and_explains_a_mutant_that_exists() {
        let explained = Explained::load().unwrap();
        assert!(explained.equivalent.iter().all(|e| e.why.len() > 20));
        for entry in &explained.equivalent {
            explained.reject_stale(&entry.design, &candidates(&entry.design).unwrap()).unwrap();
        }
    }

    #[test]
    fn an_explanation_holds_for_its_line_and_its_fault_only() {
        let all = candidates("prim_fifo").unwrap();
        let write = all.iter().filter(|c| c.line == "if (we) mem[waddr] <= wdata;").collect::<Vec<_>>();
        let module = "sdp_ram_nc_*".to_string();
        let (line, mutated, why) = (write[0].line.clone(), write[0].mutated.clone(), String::new());
        let entry = Equivalent { design: "prim_fifo".into(), module, line, mutated, why };
        assert_eq!(all.iter().filter(|c| entry.is(c)).count(), 1);
        assert!(write.len() > 1, "the same line has other faults");
        let gone = Equivalent { line: "assign x = y;".into(), ..entry };
        let explained = Explained { tests: BTreeMap::new(), equivalent: vec![gone] };
        assert!(explained.reject_stale("prim_fifo", &all).unwrap_err().to_string().contains("any more"));
    }
}
