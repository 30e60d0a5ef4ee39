//! How a command ends when it does not succeed.

use std::process::ExitCode;

/// What went wrong, in one sentence for the person at the terminal.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The run failed, or found a difference.
    #[error("{0}")]
    Run(String),
    /// The arguments are wrong, or a tool is missing.
    #[error("{0}")]
    Usage(String),
}

impl Failure {
    /// 1 or 2, as documented for every command.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Run(_) => ExitCode::from(1),
            Self::Usage(_) => ExitCode::from(2),
        }
    }
}
