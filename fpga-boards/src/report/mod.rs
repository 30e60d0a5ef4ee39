//! Resources and speed of blocks on an ECP5-85, from open synthesis and place and route.
//!
//! Resources are those of the block alone. For the speed it is placed and routed with registers on all its
//! ports, filled and emptied through shift registers (see [`wrap`]), once per seed; the median counts.

mod cache;
pub mod job;
pub mod route;
pub mod synth;
pub mod table;
pub mod wrap;

pub use job::{run, Options};

use crate::tool::ToolError;
use serde::{Deserialize, Serialize};

/// What is measured on: part, package and tool arguments; speed grades 6 and 8 exist.
pub const DEVICE: &str = "LFE5U-85F CABGA756";

/// A block to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Name in the report.
    pub name: String,
    /// Named configuration it was emitted for.
    pub config: String,
    /// Top module.
    pub top: String,
    /// The whole Verilog, children first.
    pub verilog: String,
}

/// One line of the report. The field names are the keys of the JSON file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Block.
    pub name: String,
    /// Named configuration.
    pub config: String,
    /// LUT4 cells of the block alone.
    pub lut: u32,
    /// Carry cells (CCU2C) of the block alone; each fills two more LUT places.
    pub carry: u32,
    /// Distributed RAM cells (TRELLIS_DPR16X4) of the block alone; each fills several LUT places.
    pub lutram: u32,
    /// Flip-flops of the block alone.
    pub ff: u32,
    /// Block RAMs (DP16KD, 18 kbit) of the block alone.
    pub bram: u32,
    /// Multipliers (MULT18X18D) of the block alone.
    pub dsp: u32,
    /// Highest clock in MHz, median over the seeds.
    pub fmax_mhz: f64,
    /// Speed grade of the part.
    pub speed: u8,
    /// Highest clock in MHz of every seed, seed 1 first.
    pub fmax_mhz_by_seed: Vec<f64>,
}

/// The report: what `--json` writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Part and package.
    pub device: String,
    /// Synthesis tool with its version.
    pub synthesis: String,
    /// Place and route tool with its version.
    pub place_and_route: String,
    /// One entry per block, configuration and speed grade.
    pub blocks: Vec<Row>,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A tool is missing or failed on a block.
    #[error("{subject}: {source}")]
    Tool {
        /// Block and configuration, or the tool's check.
        subject: String,
        /// What happened.
        source: ToolError,
    },
    /// The block cannot be wrapped.
    #[error("{subject}: {source}")]
    Wrap {
        /// Block and configuration.
        subject: String,
        /// What is wrong with its ports.
        source: wrap::WrapError,
    },
    /// The part is made in two speed grades here.
    #[error("speed grade: got {got}, need 6, 7 or 8")]
    Speed {
        /// Grade asked for.
        got: u8,
    },
    /// A median needs a value.
    #[error("seeds: got 0, need at least 1")]
    Seeds,
}

impl ReportError {
    /// Whether the cause is a tool that is not installed.
    pub fn is_missing_tool(&self) -> bool {
        matches!(self, Self::Tool { source: ToolError::Missing { .. }, .. })
    }

    /// Whether the cause is what was asked for.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Speed { .. } | Self::Seeds)
    }
}
