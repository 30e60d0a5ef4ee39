//! Whole-core co-simulation: endpoints on a lossy multiplane network, and messages that go from one to the other.
//!
//! [`run()`] is generic over the [`Engine`]: the golden model ([`ModelEngine`]) or a Verilated core. Both run
//! on the same network, from the same set-up, do the work of the same [`Plan`], and report in the same terms;
//! docs/cosim.md names them. Everything random follows from the seed of the [`Scenario`], so a run can be repeated
//! with a waveform of a window that the first run found.

mod check;
mod engine;
mod error;
mod goodput;
mod memory;
mod model;
mod observer;
mod oracle;
mod paths;
mod plan;
mod report;
mod rtl;
mod run;
mod scenario;
mod settings;
mod setup;
mod tally;
mod window;
mod workload;

pub use engine::{Comparisons, Departure, Difference, Engine, EngineCounters, EngineError};
pub use error::RunError;
pub use goodput::Goodput;
pub use memory::{HostMemory, GUARD};
pub use model::ModelEngine;
pub use observer::{Blind, Direction, Observer, Transmission};
pub use oracle::{FirstLoss, Violation};
pub use paths::PathSample;
pub use plan::{HostPlan, Plan};
pub use report::Report;
pub use rtl::{RtlEngine, WatchedCore};
pub use run::{replay, run, Outcome};
pub use scenario::{Draw, Scenario};
pub use settings::{Features, PlaneChange, ScenarioError, Settings};
pub use setup::{ConnectionSetup, EndpointSetup, PathSetup, CWND_PACKETS};
pub use window::{failure_window, wave_window};
pub use workload::{message_bytes, random_file, Workload, MAX_MESSAGE_BYTES, MIN_MESSAGE_BYTES};
