//! What a differential test reports when it fails.
use super::Simulator;
use crate::EmitError;
use std::path::PathBuf;

/// Why a differential test failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DiffError {
    /// The block was refused.
    #[error(transparent)]
    Emit(Box<EmitError>),
    /// rust-hdl's simulation did not settle.
    #[error("rust-hdl did not settle at vector {vector}, seed {seed}")]
    Unsettled {
        /// Vector being recorded.
        vector: usize,
        /// Seed of the stimuli.
        seed: u64,
    },
    /// A tool is missing.
    #[error("{tool} cannot be started ({error}); install the package {package}")]
    Missing {
        /// Program.
        tool: &'static str,
        /// Package it comes in.
        package: &'static str,
        /// What the system said.
        error: std::io::Error,
    },
    /// A tool failed, or said something where it should say nothing.
    #[error("{tool} on {}:\n{log}", dir.display())]
    Tool {
        /// Program.
        tool: &'static str,
        /// Folder with its input.
        dir: PathBuf,
        /// Its messages.
        log: String,
    },
    /// A file could not be written.
    #[error("scratch files: {0}")]
    Io(#[from] std::io::Error),
    /// rust-hdl and Verilog differ.
    #[error(transparent)]
    Mismatch(Box<Mismatch>),
}

/// The first difference of a run.
#[derive(Debug, thiserror::Error)]
#[error(
    "{port}: rust-hdl {rust}, {simulator} {verilog} at vector {vector} ({differences} differences)\n\
     seed {seed}; replay: {replay}\nfiles and wave.vcd: {}", dir.display()
)]
pub struct Mismatch {
    /// Where the text ran.
    pub simulator: Simulator,
    /// Seed of the stimuli.
    pub seed: u64,
    /// First vector that differs.
    pub vector: usize,
    /// First port that differs there.
    pub port: String,
    /// Value in rust-hdl, hexadecimal.
    pub rust: String,
    /// Value in the simulator, hexadecimal.
    pub verilog: String,
    /// Ports times vectors that differ.
    pub differences: usize,
    /// Command that runs this test again.
    pub replay: String,
    /// Text, stimuli and waveform.
    pub dir: PathBuf,
}

impl From<EmitError> for DiffError {
    fn from(error: EmitError) -> Self {
        DiffError::Emit(Box::new(error))
    }
}
