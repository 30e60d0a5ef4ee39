//! Running external tools: every exit code is checked, and an error quotes what a failing tool said last.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines of a failing tool's output that an error quotes.
const QUOTED_LINES: usize = 12;

/// Why a tool gave no result.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// The program is not on PATH.
    #[error(
        "{program} is missing: run `make setup` and put target/venv/bin on PATH, or install it with pip"
    )]
    Missing {
        /// Its name.
        program: String,
    },
    /// It could not be started, or a file of it could not be read or written.
    #[error("{what}: {source}")]
    Io {
        /// Program or file.
        what: String,
        /// The system's error.
        source: io::Error,
    },
    /// It ended with something else than success.
    #[error("{program} failed ({status}); it said last:\n{tail}")]
    Failed {
        /// Its name.
        program: String,
        /// Exit status, as the system words it.
        status: String,
        /// End of its output.
        tail: String,
    },
    /// It ended well and yet its report lacks something.
    #[error("{}: {lack}", file.display())]
    Report {
        /// The report.
        file: PathBuf,
        /// What it lacks.
        lack: String,
    },
}

impl ToolError {
    pub(crate) fn io(what: impl AsRef<Path>, source: io::Error) -> Self {
        Self::Io { what: what.as_ref().display().to_string(), source }
    }
}

/// Runs `program` in `dir` and returns what it printed: standard output, then standard error.
///
/// Arguments name files relative to `dir`: tools that run as WebAssembly see no other folder.
pub fn run(dir: &Path, program: &str, args: &[&str]) -> Result<String, ToolError> {
    let output = Command::new(program).args(args).current_dir(dir).output().map_err(|source| {
        if source.kind() == io::ErrorKind::NotFound && dir.is_dir() {
            ToolError::Missing { program: program.to_owned() }
        } else {
            ToolError::Io { what: program.to_owned(), source }
        }
    })?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let tail = lines[lines.len().saturating_sub(QUOTED_LINES)..].join("\n");
    Err(ToolError::Failed { program: program.to_owned(), status: output.status.to_string(), tail })
}

/// Reads a file that a tool was asked to write.
pub fn read(file: &Path) -> Result<String, ToolError> {
    std::fs::read_to_string(file).map_err(|source| ToolError::io(file, source))
}

/// Writes a file for a tool.
pub fn write(file: &Path, text: &str) -> Result<(), ToolError> {
    std::fs::write(file, text).map_err(|source| ToolError::io(file, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_tool_is_named_with_how_to_install_it() {
        let error = run(Path::new("."), "no-such-placer", &[]).unwrap_err();
        assert!(matches!(error, ToolError::Missing { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.starts_with("no-such-placer is missing: run `make setup`"), "{text}");
    }

    #[test]
    fn failing_tool_is_an_error_that_quotes_its_last_lines() {
        let error = run(Path::new("."), "sh", &["-c", "seq 1 40; echo wrong pin >&2; exit 3"]).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("exit status: 3") && text.ends_with("wrong pin"), "{text}");
        assert!(text.contains("\n40\n") && !text.contains("\n1\n"), "{text}");
    }

    #[test]
    fn output_of_a_tool_that_ends_well_is_returned() {
        assert_eq!(run(Path::new("."), "sh", &["-c", "echo placed"]).unwrap(), "placed\n");
    }
}
