//! Builds one mutant and runs the tests of its block.

use crate::pool::Candidate;
use anyhow::{bail, Context};
use heddle_verilate::mutant::VARIABLE;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What the tests said.
pub enum Outcome {
    /// A test failed, the program ended itself, or it took far longer than without the fault.
    Caught(String),
    /// Every test passed.
    Survived,
    /// Verilator refused the text: no fault that a test could see.
    Invalid(String),
}

/// The tests of one design.
pub struct Suite {
    target: String,
    limit: Duration,
}

struct Ran {
    passed: usize,
    failed: Vec<String>,
    success: bool,
    timeout: bool,
}

impl Suite {
    /// Runs the tests without a mutant: they must pass, and their time sets the limit.
    pub fn new(design: &str, target: &str) -> anyhow::Result<Self> {
        let started = Instant::now();
        let program = match build(target, None)? {
            Ok(program) => program,
            Err(why) => bail!("the tests `{target}` of `{design}` do not build: {why}"),
        };
        let ran = run(&program, Duration::from_secs(3600))?;
        if !ran.success || ran.passed == 0 {
            bail!("without a mutant, `{target}` passes {} tests and fails {:?}", ran.passed, ran.failed);
        }
        Ok(Self { target: target.into(), limit: Duration::from_secs(60) + 5 * started.elapsed() })
    }

    /// Judges one mutant.
    pub fn judge(&self, candidate: &Candidate) -> anyhow::Result<Outcome> {
        let request = format!("{}/{}:{}", candidate.design, candidate.module, candidate.index);
        let program = match build(&self.target, Some(&request))? {
            Ok(program) => program,
            Err(why) => return Ok(Outcome::Invalid(why)),
        };
        let ran = run(&program, self.limit)?;
        Ok(match ran {
            Ran { timeout: true, .. } => Outcome::Caught(format!("no end after {} s", self.limit.as_secs())),
            Ran { success: true, .. } => Outcome::Survived,
            Ran { failed, .. } if failed.is_empty() => Outcome::Caught("the program ended itself".into()),
            Ran { failed, .. } => Outcome::Caught(failed.join(", ")),
        })
    }
}

/// The test program, or why Verilator refused.
fn build(target: &str, mutant: Option<&str>) -> anyhow::Result<Result<PathBuf, String>> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["test", "-j2", "-p", "heddle-testbench", "--no-run", "--test", target]).env_remove(VARIABLE);
    if let Some(mutant) = mutant {
        cargo.env(VARIABLE, mutant);
    }
    let output = cargo.stdin(Stdio::null()).output().context("cargo")?;
    let text = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        // `Executable tests/prims.rs (target/debug/deps/prims-0123456789abcdef)`
        let line =
            text.lines().find(|l| l.trim_start().starts_with("Executable")).context("no test program")?;
        let path = line.rsplit_once('(').and_then(|(_, path)| path.strip_suffix(')')).context("no path")?;
        return Ok(Ok(workspace().join(path)));
    }
    if text.contains("verilator refuses") {
        return Ok(Err("verilator refuses it".into()));
    }
    bail!("`{target}` does not build:\n{text}");
}

fn run(program: &Path, limit: Duration) -> anyhow::Result<Ran> {
    let log = program.with_extension("mutant.log");
    let file = std::fs::File::create(&log)?;
    let mut child = Command::new(program)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("RUST_BACKTRACE", "0")
        .env_remove("SEED")
        .env_remove("STALL")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .stdout(file)
        .spawn()?;
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let text = std::fs::read_to_string(&log)?;
    let names = |end: &str| {
        let tests = text.lines().filter_map(|l| l.strip_prefix("test ")?.strip_suffix(end));
        tests.map(|name| name.trim_end().to_string()).collect::<Vec<_>>()
    };
    let (passed, failed) = (names("... ok").len(), names("... FAILED"));
    Ok(Ran { passed, failed, success: status.is_some_and(|s| s.success()), timeout: status.is_none() })
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}
