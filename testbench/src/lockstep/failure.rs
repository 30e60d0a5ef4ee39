//! What a failed run tells: the difference, how to see it again, where the waveform is.

use super::bench::Setup;
use std::fmt;
use std::path::PathBuf;

/// Why one run of a block's test failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The run.
    pub setup: Setup,
    /// Cycle since power-on in which it showed.
    pub cycle: u64,
    /// What was seen and what was needed.
    pub what: String,
    /// Waveform of a window around that cycle.
    pub wave: Option<PathBuf>,
    /// Where the test is.
    pub test: Test,
}

/// A test as cargo names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The test target: the file's stem.
    pub target: String,
    /// The test function, when known.
    pub function: Option<String>,
}

impl Test {
    /// The test that is running: its file from the caller, its function from the name that libtest gives threads.
    #[track_caller]
    pub(crate) fn here() -> Self {
        let file = PathBuf::from(std::panic::Location::caller().file());
        let target = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let function = std::thread::current().name().filter(|name| *name != "main").map(str::to_string);
        Self { target, function }
    }

    /// The command that runs `setup` again.
    pub fn replay(&self, setup: &Setup) -> String {
        let (seed, stall, target) = (setup.seed, cell(setup), &self.target);
        let function = self.function.as_deref().map(|f| format!(" {f}")).unwrap_or_default();
        format!("SEED={seed} STALL={stall} cargo test -p heddle-testbench --test {target}{function}")
    }
}

/// `often/rare`, or `often/rare/resets`.
pub(crate) fn cell(setup: &Setup) -> String {
    format!("{}/{}{}", setup.idle, setup.back, if setup.resets { "/resets" } else { "" })
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "seed {}, idle/backpressure {}, cycle {}",
            self.setup.seed,
            cell(&self.setup),
            self.cycle
        )?;
        writeln!(f, "{}", self.what)?;
        write!(f, "replay: {}", self.test.replay(&self.setup))?;
        match &self.wave {
            Some(path) => write!(f, "\nwave: {}", path.display()),
            None => Ok(()),
        }
    }
}
